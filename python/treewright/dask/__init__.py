"""Estimators of treewright on a Dask cluster: same parameters, same models, rows that lie on many machines.

They need the extra ``dask``: ``pip install "treewright[dask]"``. ``docs/scale.md`` tells how to use them.
"""

from __future__ import annotations

from treewright._cluster.cluster_report import FitReport
from treewright.dask.dealt_forests import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from treewright.dask.divided_boosting import GradientBoostingClassifier, GradientBoostingRegressor
from treewright.dask.divided_neighbors import KNeighborsClassifier, KNeighborsRegressor
from treewright.dask.single_trees import (
    AdaBoostClassifier,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
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
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "RandomForestClassifier",
    "RandomForestRegressor",
]

# Pickles and ``repr`` name the module that users import from.
for _name in __all__:
    globals()[_name].__module__ = __name__
