"""Decision trees you can read: fast learners for scikit-learn that show every calculation.

Everything public is listed here. Names are loaded at their first use, so that ``import treewright`` and the command
line's ``--help`` cost nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from treewright._catalog import HOMES as _HOMES
from treewright._catalog import import_public as _import_public
from treewright._utils.old_modules import install as _accept_old_modules

_accept_old_modules()

_MODULES = ("datasets", "measures", "reference", "selection")

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
    from treewright._draw.rule_list import Rule, RuleList
    from treewright._evaluate.comparison import Comparison
    from treewright._evaluate.curve import ComplexityCurve
    from treewright._evaluate.curve_points import complexity_curve
    from treewright._evaluate.importances import permutation_importance, shap_values
    from treewright._evaluate.model_comparison import compare
    from treewright._explain import explain
    from treewright._export import export
    from treewright._learners.baselines import OneRClassifier, ZeroRClassifier, ZeroRRegressor
    from treewright._learners.boosting.gradient_boosting import (
        GradientBoostingClassifier,
        GradientBoostingRegressor,
    )
    from treewright._learners.ensembles.adaboost import AdaBoostClassifier, AdaBoostRegressor
    from treewright._learners.ensembles.bagging import BaggingClassifier, BaggingRegressor
    from treewright._learners.ensembles.forests import (
        ExtraTreesClassifier,
        ExtraTreesRegressor,
        RandomForestClassifier,
        RandomForestRegressor,
        bootstrap,
    )
    from treewright._learners.neighbors.k_neighbors import KNeighborsClassifier, KNeighborsRegressor
    from treewright._learners.neighbors.nearest import nearest
    from treewright._learners.neighbors.neighbor_explanation import explain_neighbors
    from treewright._learners.trees.c45 import C45Classifier
    from treewright._learners.trees.cart import CARTClassifier, CARTRegressor
    from treewright._learners.trees.id3 import ID3Classifier
    from treewright._learners.trees.rule_set import RuleSetClassifier
    from treewright._pruning import prune
    from treewright._pruning.cost_complexity import PruningPath
    from treewright._pruning.cross_validation import pruning_path
    from treewright._pruning.trace import PruneTrace
    from treewright._reading.table_files import inspect, read_csv, read_table
    from treewright._show import show
    from treewright._show.to_rules import to_rules
    from treewright._work import work
    from treewright.errors import (
        DataError,
        ModelFileError,
        TreewrightError,
        UnseenValuesWarning,
        UsageError,
    )
    from treewright.files import load, save
    from treewright.schema import Schema
    from treewright.selection._rank import rank_columns
    from treewright.selection._ranking import ColumnRanking
    from treewright.selection.transformer import SelectColumns
    from treewright.table import Table
    from treewright.tree import Tree

    __version__: str


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"treewright.{name}")
    if name == "__version__":
        from treewright._core import __version__ as value
    elif name in _HOMES:
        value = _import_public(name)
    else:
        raise AttributeError(f"module 'treewright' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
