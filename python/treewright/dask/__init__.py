"""Estimators of treewright on a Dask cluster: same parameters, same models, rows that lie on many machines.

They need the extra ``dask``: ``pip install "treewright[dask]"``. ``docs/scale.md`` tells how to use them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treewright._cluster.cluster_report import FitReport
    from treewright.dask.dealt_forests import (
        ExtraTreesClassifier,
        ExtraTreesRegressor,
        RandomForestClassifier,
        RandomForestRegressor,
    )
    from treewright.dask.divided_boosting import (
        GradientBoostingClassifier,
        GradientBoostingRegressor,
    )
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

# The module of each name. It is loaded at the first use: a worker that only runs tasks needs no estimator, and imports
# neither those nor scikit-learn.
HOMES = {
    "AdaBoostClassifier": "dask.single_trees",
    "C45Classifier": "dask.single_trees",
    "CARTClassifier": "dask.single_trees",
    "CARTRegressor": "dask.single_trees",
    "ExtraTreesClassifier": "dask.dealt_forests",
    "ExtraTreesRegressor": "dask.dealt_forests",
    "FitReport": "_cluster.cluster_report",
    "GradientBoostingClassifier": "dask.divided_boosting",
    "GradientBoostingRegressor": "dask.divided_boosting",
    "ID3Classifier": "dask.single_trees",
    "KNeighborsClassifier": "dask.divided_neighbors",
    "KNeighborsRegressor": "dask.divided_neighbors",
    "RandomForestClassifier": "dask.dealt_forests",
    "RandomForestRegressor": "dask.dealt_forests",
}


def __getattr__(name: str) -> Any:
    if name not in HOMES:
        raise AttributeError(f"module 'treewright.dask' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"treewright.{HOMES[name]}"), name)
    # Pickles and ``repr`` name the module that users import from.
    value.__module__ = __name__
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
