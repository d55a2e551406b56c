"""What the learners are called in views, and the unit of their costs: known from words alone.

A model file names its learner and its parameters, so it can be drawn without loading the learner, and scikit-learn
with it. Not here: how a drawing looks, which is ``draw``'s.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, TypeVar

T = TypeVar("T")

__all__ = ["ESTIMATORS", "HOMES", "TITLES", "described", "import_public", "public"]

# The module, inside the package, that defines each public name.
HOMES = {
    "AdaBoostClassifier": "_learners.ensembles.adaboost",
    "AdaBoostRegressor": "_learners.ensembles.adaboost",
    "BaggingClassifier": "_learners.ensembles.bagging",
    "BaggingRegressor": "_learners.ensembles.bagging",
    "C45Classifier": "_learners.trees.c45",
    "CARTClassifier": "_learners.trees.cart",
    "CARTRegressor": "_learners.trees.cart",
    "ColumnRanking": "selection._ranking",
    "Comparison": "_evaluate.comparison",
    "ComplexityCurve": "_evaluate.curve",
    "DataError": "errors",
    "ExtraTreesClassifier": "_learners.ensembles.forests",
    "ExtraTreesRegressor": "_learners.ensembles.forests",
    "GradientBoostingClassifier": "_learners.boosting.gradient_boosting",
    "GradientBoostingRegressor": "_learners.boosting.gradient_boosting",
    "ID3Classifier": "_learners.trees.id3",
    "KNeighborsClassifier": "_learners.neighbors.k_neighbors",
    "KNeighborsRegressor": "_learners.neighbors.k_neighbors",
    "ModelFileError": "errors",
    "OneRClassifier": "_learners.baselines",
    "PruneTrace": "_pruning.trace",
    "PruningPath": "_pruning.cost_complexity",
    "RandomForestClassifier": "_learners.ensembles.forests",
    "RandomForestRegressor": "_learners.ensembles.forests",
    "Rule": "_draw.rule_list",
    "RuleList": "_draw.rule_list",
    "RuleSetClassifier": "_learners.trees.rule_set",
    "Schema": "schema",
    "SelectColumns": "selection.transformer",
    "Table": "table",
    "Tree": "tree",
    "TreewrightError": "errors",
    "UnseenValuesWarning": "errors",
    "UsageError": "errors",
    "ZeroRClassifier": "_learners.baselines",
    "ZeroRRegressor": "_learners.baselines",
    "bootstrap": "_learners.ensembles.forests",
    "compare": "_evaluate.model_comparison",
    "complexity_curve": "_evaluate.curve_points",
    "explain": "_explain",
    "explain_neighbors": "_learners.neighbors.neighbor_explanation",
    "export": "_export",
    "inspect": "_reading.table_files",
    "load": "files",
    "nearest": "_learners.neighbors.nearest",
    "permutation_importance": "_evaluate.importances",
    "prune": "_pruning",
    "pruning_path": "_pruning.cross_validation",
    "rank_columns": "selection._rank",
    "read_csv": "_reading.table_files",
    "read_table": "_reading.table_files",
    "save": "files",
    "shap_values": "_evaluate.importances",
    "show": "_show",
    "to_rules": "_show.to_rules",
    "work": "_work",
}
ESTIMATORS = tuple(name for name in HOMES if name.endswith(("Classifier", "Regressor")))


def import_public(name: str) -> Any:
    """Return a public name from the module that defines it.

    Examples
    --------
    >>> import_public("C45Classifier")
    <class 'treewright.C45Classifier'>
    """
    return getattr(importlib.import_module(f"treewright.{HOMES[name]}"), name)


def public(cls: type[T]) -> type[T]:
    """Let an exported class show its public name, so that pickles do not depend on the module that defines it."""
    cls.__module__ = "treewright"
    return cls


# By the class of the learner and its criterion; "" is a learner without one. The first is the default.
TITLES: dict[str, dict[str, tuple[str, str]]] = {
    "AdaBoostClassifier": {"": ("AdaBoost (SAMME)", "gini")},
    "AdaBoostRegressor": {"": ("AdaBoost (R2)", "variance")},
    "BaggingClassifier": {"": ("bagging (mean of shares)", "impurity")},
    "BaggingRegressor": {"": ("bagging (mean)", "variance")},
    "C45Classifier": {
        "gain_ratio": ("C4.5 (gain ratio)", "entropy"),
        "gain": ("C4.5 (information gain)", "entropy"),
    },
    "CARTClassifier": {
        "gini": ("CART (Gini index)", "gini"),
        "entropy": ("CART (entropy)", "entropy"),
    },
    "CARTRegressor": {"squared_error": ("CART (squared error)", "variance")},
    "ExtraTreesClassifier": {
        "gini": ("extremely randomised trees (Gini index)", "gini"),
        "entropy": ("extremely randomised trees (entropy)", "entropy"),
    },
    "ExtraTreesRegressor": {
        "squared_error": ("extremely randomised trees (squared error)", "variance")
    },
    "GradientBoostingClassifier": {"": ("gradient boosting (deviance)", "loss")},
    "GradientBoostingRegressor": {"": ("gradient boosting", "loss")},
    "ID3Classifier": {"": ("ID3 (information gain)", "entropy")},
    "KNeighborsClassifier": {"": ("k nearest neighbours (vote)", "errors")},
    "KNeighborsRegressor": {"": ("k nearest neighbours (mean)", "squared error")},
    "OneRClassifier": {"": ("1-R (fewest errors)", "errors")},
    "RandomForestClassifier": {
        "gini": ("random forest (Gini index)", "gini"),
        "entropy": ("random forest (entropy)", "entropy"),
    },
    "RandomForestRegressor": {"squared_error": ("random forest (squared error)", "variance")},
    "RuleSetClassifier": {
        "gain_ratio": ("C4.5rules (gain ratio)", "errors"),
        "gain": ("C4.5rules (information gain)", "errors"),
    },
    "ZeroRClassifier": {"": ("0-R (the most frequent class)", "errors")},
    "ZeroRRegressor": {"": ("0-R (the mean)", "squared error")},
}


def described(learner: str, params: Mapping[str, Any]) -> tuple[str, str]:
    """Return what a learner with these parameters is called, and the unit of its costs; empty where it is unknown.

    Examples
    --------
    >>> described("CARTClassifier", {"criterion": "entropy"})
    ('CART (entropy)', 'entropy')
    """
    known = TITLES.get(learner, {"": ("", "")})
    criterion = params.get("criterion", "")
    first = next(iter(known.values()))
    return known.get(criterion, first) if isinstance(criterion, str) else first
