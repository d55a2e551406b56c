"""Decision trees you can read: fast learners for scikit-learn that show every calculation.

Everything public is listed here. Names are loaded at their first use, so that ``import treewright`` and the command
line's ``--help`` cost nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

_HOMES = {
    "AdaBoostClassifier": "_learners.ensembles.adaboost",
    "AdaBoostRegressor": "_learners.ensembles.adaboost",
    "BaggingClassifier": "_learners.ensembles.bagging",
    "BaggingRegressor": "_learners.ensembles.bagging",
    "C45Classifier": "_learners.trees.c45",
    "CARTClassifier": "_learners.trees.cart",
    "CARTRegressor": "_learners.trees.cart",
    "ColumnRanking": "selection",
    "Comparison": "_evaluate",
    "ComplexityCurve": "_evaluate",
    "DataError": "errors",
    "ExtraTreesClassifier": "_learners.ensembles.forests",
    "ExtraTreesRegressor": "_learners.ensembles.forests",
    "GradientBoostingClassifier": "_learners.boosting.gradient_boosting",
    "GradientBoostingRegressor": "_learners.boosting.gradient_boosting",
    "ID3Classifier": "_learners.trees.id3",
    "KNeighborsClassifier": "_learners.neighbors",
    "KNeighborsRegressor": "_learners.neighbors",
    "ModelFileError": "errors",
    "OneRClassifier": "_learners.baselines",
    "PruneTrace": "_pruning",
    "PruningPath": "_pruning",
    "RandomForestClassifier": "_learners.ensembles.forests",
    "RandomForestRegressor": "_learners.ensembles.forests",
    "Rule": "_draw.rule_list",
    "RuleList": "_draw.rule_list",
    "RuleSetClassifier": "_learners.trees.rule_set",
    "Schema": "schema",
    "SelectColumns": "selection",
    "Table": "table",
    "Tree": "tree",
    "TreewrightError": "errors",
    "UnseenValuesWarning": "errors",
    "UsageError": "errors",
    "ZeroRClassifier": "_learners.baselines",
    "ZeroRRegressor": "_learners.baselines",
    "bootstrap": "_learners.ensembles.forests",
    "compare": "_evaluate",
    "complexity_curve": "_evaluate",
    "explain": "_explain",
    "explain_neighbors": "_learners.neighbors",
    "export": "_export",
    "inspect": "_reading",
    "load": "files",
    "nearest": "_learners.neighbors",
    "permutation_importance": "_evaluate.importances",
    "prune": "_pruning",
    "pruning_path": "_pruning",
    "rank_columns": "selection",
    "read_csv": "_reading",
    "read_table": "_reading",
    "save": "files",
    "shap_values": "_evaluate.importances",
    "show": "_show",
    "to_rules": "_show.to_rules",
    "work": "_work",
}
_MODULES = ("datasets", "measures", "reference", "selection")
_ESTIMATORS = tuple(name for name in _HOMES if name.endswith(("Classifier", "Regressor")))

__all__ = [
    "AdaBoostClassifier",
    "AdaBoostRegressor",
    "BaggingClassifier",
    "BaggingRegressor",
    "C45Classifier",
    "CARTClassifier",
    "CARTRegressor",
    "ColumnRanking",
    "Comparison",
    "ComplexityCurve",
    "DataError",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "GradientBoostingClassifier",
    "GradientBoostingRegressor",
    "ID3Classifier",
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "ModelFileError",
    "OneRClassifier",
    "PruneTrace",
    "PruningPath",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "Rule",
    "RuleList",
    "RuleSetClassifier",
    "Schema",
    "SelectColumns",
    "Table",
    "Tree",
    "TreewrightError",
    "UnseenValuesWarning",
    "UsageError",
    "ZeroRClassifier",
    "ZeroRRegressor",
    "__version__",
    "bootstrap",
    "compare",
    "complexity_curve",
    "datasets",
    "explain",
    "explain_neighbors",
    "export",
    "inspect",
    "load",
    "measures",
    "nearest",
    "permutation_importance",
    "prune",
    "pruning_path",
    "rank_columns",
    "read_csv",
    "read_table",
    "reference",
    "save",
    "selection",
    "shap_values",
    "show",
    "to_rules",
    "work",
]

if TYPE_CHECKING:
    from treewright import datasets, measures, reference, selection
    from treewright._learners.ensembles.adaboost import AdaBoostClassifier, AdaBoostRegressor
    from treewright._work import work
    from treewright._learners.ensembles.bagging import BaggingClassifier, BaggingRegressor
    from treewright._learners.baselines import OneRClassifier, ZeroRClassifier, ZeroRRegressor
    from treewright._learners.boosting.gradient_boosting import GradientBoostingClassifier, GradientBoostingRegressor
    from treewright._learners.trees.c45 import C45Classifier
    from treewright._learners.trees.cart import CARTClassifier, CARTRegressor
    from treewright._evaluate import Comparison, ComplexityCurve, compare, complexity_curve
    from treewright.errors import (
        DataError,
        ModelFileError,
        TreewrightError,
        UnseenValuesWarning,
        UsageError,
    )
    from treewright._export import export
    from treewright.files import load, save
    from treewright._learners.ensembles.forests import (
        ExtraTreesClassifier,
        ExtraTreesRegressor,
        RandomForestClassifier,
        RandomForestRegressor,
        bootstrap,
    )
    from treewright._evaluate.importances import permutation_importance, shap_values
    from treewright._learners.neighbors import (
        KNeighborsClassifier,
        KNeighborsRegressor,
        explain_neighbors,
        nearest,
    )
    from treewright._pruning import PruneTrace, PruningPath, prune, pruning_path
    from treewright._reading import inspect, read_csv, read_table
    from treewright._explain import explain
    from treewright._draw.rule_list import Rule, RuleList
    from treewright._show.to_rules import to_rules
    from treewright._learners.trees.rule_set import RuleSetClassifier
    from treewright.schema import Schema
    from treewright.selection import ColumnRanking, SelectColumns, rank_columns
    from treewright.table import Table
    from treewright.tree import Tree
    from treewright._learners.trees.id3 import ID3Classifier
    from treewright._show import show

    __version__: str


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"treewright.{name}")
    if name == "__version__":
        from treewright._core import __version__ as value
    elif name in _HOMES:
        value = getattr(importlib.import_module(f"treewright.{_HOMES[name]}"), name)
    else:
        raise AttributeError(f"module 'treewright' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
