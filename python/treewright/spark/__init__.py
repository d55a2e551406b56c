"""Estimators of treewright on Apache Spark: same parameters, same models, rows that lie on many machines.

They need the extra ``spark``: ``pip install "treewright[spark]"``, also on the machines of the cluster.
"""

from __future__ import annotations

from treewright._cluster.cluster_report import FitReport
from treewright.spark.spark_learners import (
    AdaBoostClassifier,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    ID3Classifier,
    RandomForestClassifier,
    RandomForestRegressor,
)

__all__ = [
    "AdaBoostClassifier",
    "C45Classifier",
    "CARTClassifier",
    "CARTRegressor",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "FitReport",
    "GradientBoostingClassifier",
    "GradientBoostingRegressor",
    "ID3Classifier",
    "RandomForestClassifier",
    "RandomForestRegressor",
]

# Pickles and ``repr`` name the module that users import from.
for _name in __all__:
    if _name != "FitReport":
        globals()[_name].__module__ = __name__
