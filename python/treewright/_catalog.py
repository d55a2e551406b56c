"""What the learners are called in views, and the unit of their costs: known from words alone.

A model file names its learner and its parameters, so it can be drawn without loading the learner, and scikit-learn
with it. Not here: how a drawing looks, which is ``draw``'s.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["TITLES", "described"]

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
