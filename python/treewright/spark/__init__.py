"""Estimators of treewright on Apache Spark: same parameters, same models, rows that lie on many machines.

They need the extra ``spark``: ``pip install "treewright[spark]"``, also on the machines of the cluster.
"""

from __future__ import annotations

from treewright._cluster.cluster_report import FitReport
from treewright.spark.boosting_on_spark import GradientBoostingClassifier, GradientBoostingRegressor

__all__ = ["FitReport", "GradientBoostingClassifier", "GradientBoostingRegressor"]

# Pickles and ``repr`` name the module that users import from.
for _name in ("GradientBoostingClassifier", "GradientBoostingRegressor"):
    globals()[_name].__module__ = __name__
