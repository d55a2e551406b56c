"""The catalog: one row of data for each learner and each criterion. Every other public name is in ``_public_names``.

The package's lazy names, the titles in views, model files and the command line read it. It imports nothing else of the
package, so a model file can be drawn without loading its learner, and scikit-learn with it.

To add a learner: write its module in ``_learners/``, add a row to `LEARNERS`, and a test.
To add a criterion: see the table in CONTRIBUTING.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

from treewright._public_names import OTHER_NAMES

T = TypeVar("T")

__all__ = [
    "CRITERIA",
    "HOMES",
    "LEARNERS",
    "SUBMODULES",
    "Criterion",
    "Learner",
    "criteria_of",
    "import_public",
    "public",
    "title_and_unit",
]


class Criterion(NamedTuple):
    """One criterion of CART and of forests: the impurity that their splits decrease."""

    name: str  # the value of the parameter ``criterion``
    core: str  # the word of the core
    cli_name: str  # the word of ``--criterion``
    title: str  # in titles, such as "CART (Gini index)"
    unit: (
        str  # of costs: a heading in drawings, and the key of the formulas in ``_work/criteria.py``
    )
    task: str = "classify"  # or "regress"


# The first criterion of a task is the default.
CRITERIA: dict[str, Criterion] = {
    criterion.name: criterion
    for criterion in (
        Criterion("gini", "gini", "gini", "Gini index", "gini"),
        Criterion("entropy", "entropy", "entropy", "entropy", "entropy"),
        Criterion("squared_error", "squared", "mse", "squared error", "variance", "regress"),
    )
}


def criteria_of(task: str) -> dict[str, Criterion]:
    """Return the criteria of a task by name, the default first.

    Examples
    --------
    >>> list(criteria_of("regress"))
    ['squared_error']
    """
    return {name: row for name, row in CRITERIA.items() if row.task == task}


class Learner(NamedTuple):
    """One learner."""

    name: str  # the class
    module: str  # the module of the package that defines it
    kind: str  # what the fitted model is: "tree", "trees", "rules" or "neighbors"
    # By criterion, the first being the default: the title, and the unit of its costs. The criterion of a learner
    # without that parameter is "".
    titles: Mapping[str, tuple[str, str]]
    cli_name: str  # the word of ``--algorithm``; classifier and regressor share one
    options: Mapping[str, str] = {}  # each option of ``fit`` that it has, and the parameter it sets
    cli_aliases: tuple[str, ...] = ()  # other words of ``--algorithm``
    work_unit: str = (
        "node"  # what ``work`` explains: also "forest", "round", "row", "rule", "search", "vote"
    )
    algorithm: str = ""  # that grows a single tree, as ``work`` names it
    by_levels: bool = False  # each different number of a numeric column is a level of its own
    has_callback: bool = False  # ``fit`` reports each round to a callback
    weighted: bool = True  # ``fit`` takes ``sample_weight``

    @property
    def task(self) -> str:
        """The task: "classify" (predict a class) or "regress" (predict a number)."""
        return "classify" if self.name.endswith("Classifier") else "regress"

    @property
    def cli_criteria(self) -> dict[str, str]:
        """The words of ``--criterion``, and the criterion that each means; empty for a learner without criteria."""
        rows = {c: CRITERIA.get(c) for c in self.titles if c}
        return {row.cli_name if row else c.replace("_", "-"): c for c, row in rows.items()}


def _titles(algorithm: str, task: str = "classify") -> dict[str, tuple[str, str]]:
    """Return the titles and units of an algorithm with each criterion of its task."""
    return {
        name: (f"{algorithm} ({row.title})", row.unit) for name, row in criteria_of(task).items()
    }


# Options of the command line that several learners have.
CLASS_TREE = {
    "smoothing": "smoothing",
    "prune": "prune",
    "confidence": "confidence",
    "alpha": "ccp_alpha",
    "max_p_value": "max_p_value",
}
MANY_TREES = {"trees": "n_estimators", "threads": "n_jobs"}
CLASS_WEIGHT = {"class_weight": "class_weight"}
RANDOM = {"max_features": "max_features", "seed": "random_state"}
CART = {
    "depth": "max_depth",
    "min_rows": "min_samples_leaf",
    "min_split": "min_samples_split",
    "leaves": "max_leaf_nodes",
    "min_gain": "min_gain",
    "criterion": "criterion",
    "threads": "n_jobs",
}
BOOSTING = {
    "trees": "n_estimators",
    "rate": "learning_rate",
    "depth": "max_depth",
    "min_rows": "min_samples_leaf",
    "leaves": "max_leaf_nodes",
    "min_gain": "min_gain",
    "threads": "n_jobs",
    **RANDOM,
}
NUMBER_BOOSTING = {**BOOSTING, "loss": "loss", "quantile": "quantile", "interval": "interval"}
NUMBER_FOREST = {"interval": "keep_targets"}
OPTIMAL = {
    "depth": "max_depth",
    "min_rows": "min_samples_leaf",
    "leaf_cost": "leaf_cost",
    "binarize": "binarize",
    "time_limit": "time_limit",
    "threads": "n_jobs",
}
NEIGHBORS = {
    "neighbors": "n_neighbors",
    "vote": "weights",
    "metric": "metric",
    "scale": "scale",
    "threads": "n_jobs",
}


def _with_regressor(
    classifier: Learner, titles: Mapping[str, tuple[str, str]], **changes: Any
) -> tuple[Learner, Learner]:
    """Return a classifier and its regressor, which differs in its name, its titles and ``changes``."""
    name = classifier.name.replace("Classifier", "Regressor")
    return classifier, classifier._replace(name=name, titles=titles, **changes)


LEARNERS: dict[str, Learner] = {
    learner.name: learner
    for learner in (
        *_with_regressor(
            Learner(
                "AdaBoostClassifier",
                "_learners.ensembles.adaboost",
                "trees",
                {"": ("AdaBoost (SAMME)", "gini")},
                "adaboost",
                {"rate": "learning_rate", **MANY_TREES, **CLASS_WEIGHT},
                work_unit="round",
            ),
            {"": ("AdaBoost (R2)", "variance")},
            options={"rate": "learning_rate", **MANY_TREES},
        ),
        *_with_regressor(
            Learner(
                "BaggingClassifier",
                "_learners.ensembles.bagging",
                "trees",
                {"": ("bagging (mean of shares)", "impurity")},
                "bagging",
                {"oob": "oob_score", **RANDOM, **MANY_TREES, **CLASS_WEIGHT},
            ),
            {"": ("bagging (mean)", "variance")},
            options={"oob": "oob_score", **RANDOM, **MANY_TREES},
        ),
        Learner(
            "C45Classifier",
            "_learners.trees.c45",
            "tree",
            {
                "gain_ratio": ("C4.5 (gain ratio)", "entropy"),
                "gain": ("C4.5 (information gain)", "entropy"),
            },
            "c45",
            {
                "depth": "max_depth",
                "min_rows": "min_cases",
                "min_gain": "min_gain",
                "min_gain_ratio": "min_gain_ratio",
                "sufficient_majority": "sufficient_majority",
                "thresholds": "thresholds",
                "criterion": "criterion",
                **CLASS_TREE,
                **CLASS_WEIGHT,
            },
            ("j48",),
            algorithm="C4.5",
        ),
        Learner(
            "CARTClassifier",
            "_learners.trees.cart",
            "tree",
            _titles("CART"),
            "cart",
            {**CART, **CLASS_TREE, **CLASS_WEIGHT},
            algorithm="CART",
        ),
        Learner(
            "CARTRegressor",
            "_learners.trees.cart",
            "tree",
            _titles("CART", "regress"),
            "cart",
            {**CART, "prune": "prune", "alpha": "ccp_alpha"},
        ),
        *_with_regressor(
            Learner(
                "ExtraTreesClassifier",
                "_learners.ensembles.forests",
                "trees",
                _titles("extremely randomized trees"),
                "extra-trees",
                {**CART, **RANDOM, **MANY_TREES, **CLASS_WEIGHT},
                work_unit="forest",
            ),
            _titles("extremely randomized trees", "regress"),
            options={**CART, **RANDOM, **MANY_TREES, **NUMBER_FOREST},
        ),
        *_with_regressor(
            Learner(
                "GradientBoostingClassifier",
                "_learners.boosting.gradient_boosting",
                "trees",
                {"": ("gradient boosting (deviance)", "loss")},
                "boosting",
                {**BOOSTING, **CLASS_WEIGHT},
                ("boost",),
                work_unit="row",
                has_callback=True,
            ),
            {"": ("gradient boosting", "loss")},
            options=NUMBER_BOOSTING,
        ),
        Learner(
            "ID3Classifier",
            "_learners.trees.id3",
            "tree",
            {"": ("ID3 (information gain)", "entropy")},
            "id3",
            {
                "depth": "max_depth",
                "min_split": "min_samples_split",
                "min_gain": "min_gain",
                "sufficient_majority": "sufficient_majority",
                **CLASS_TREE,
                **CLASS_WEIGHT,
            },
            algorithm="ID3",
            by_levels=True,
        ),
        *_with_regressor(
            Learner(
                "KNeighborsClassifier",
                "_learners.neighbors.k_neighbors",
                "neighbors",
                {"": ("k nearest neighbors (vote)", "errors")},
                "knn",
                {**NEIGHBORS, **CLASS_WEIGHT},
                work_unit="vote",
                weighted=False,
            ),
            {"": ("k nearest neighbors (mean)", "squared error")},
            options=NEIGHBORS,
        ),
        Learner(
            "OneRClassifier",
            "_learners.baselines",
            "tree",
            {"": ("1-R (fewest errors)", "errors")},
            "one-r",
            {"min_rows": "min_bucket", **CLASS_WEIGHT},
            ("oner",),
            work_unit="rule",
        ),
        *_with_regressor(
            Learner(
                "OptimalTreeClassifier",
                "_learners.optimal.optimal_tree",
                "tree",
                {"": ("optimal tree (fewest errors)", "errors")},
                "optimal",
                {**OPTIMAL, **CLASS_WEIGHT},
                work_unit="search",
            ),
            {"": ("optimal tree (least squared error)", "squared error")},
            options=OPTIMAL,
        ),
        *_with_regressor(
            Learner(
                "RandomForestClassifier",
                "_learners.ensembles.forests",
                "trees",
                _titles("random forest"),
                "forest",
                {**CART, "oob": "oob_score", **RANDOM, **MANY_TREES, **CLASS_WEIGHT},
                work_unit="forest",
            ),
            _titles("random forest", "regress"),
            options={**CART, "oob": "oob_score", **RANDOM, **MANY_TREES, **NUMBER_FOREST},
        ),
        Learner(
            "RuleSetClassifier",
            "_learners.trees.rule_set",
            "rules",
            {
                "gain_ratio": ("C4.5rules (gain ratio)", "errors"),
                "gain": ("C4.5rules (information gain)", "errors"),
            },
            "rules",
            {
                "depth": "max_depth",
                "min_rows": "min_cases",
                "criterion": "criterion",
                "confidence": "confidence",
                **CLASS_WEIGHT,
            },
        ),
        *_with_regressor(
            Learner(
                "ZeroRClassifier",
                "_learners.baselines",
                "tree",
                {"": ("0-R (the most frequent class)", "errors")},
                "zero-r",
                CLASS_WEIGHT,
                ("zeror",),
                work_unit="rule",
            ),
            {"": ("0-R (the mean)", "squared error")},
            options={},
        ),
    )
}

SUBMODULES = ("datasets", "measures", "reference", "selection")
HOMES = {name: learner.module for name, learner in LEARNERS.items()} | OTHER_NAMES


def import_public(name: str) -> Any:
    """Return a public name from the module that defines it.

    Examples
    --------
    >>> import_public("C45Classifier")
    <class 'treewright.C45Classifier'>
    """
    return getattr(importlib.import_module(f"treewright.{HOMES[name]}"), name)


def public(cls: type[T]) -> type[T]:
    """Set the module of an exported class to the package, so that pickles do not depend on where it is defined."""
    cls.__module__ = "treewright"
    return cls


def title_and_unit(learner: str, params: Mapping[str, Any]) -> tuple[str, str]:
    """Return the title of a learner with these parameters, and the unit of its costs; empty for an unknown learner.

    Examples
    --------
    >>> title_and_unit("CARTClassifier", {"criterion": "entropy"})
    ('CART (entropy)', 'entropy')
    """
    if learner not in LEARNERS:
        return "", ""
    titles = LEARNERS[learner].titles
    criterion = params.get("criterion", "")
    default = next(iter(titles.values()))
    return titles.get(criterion, default) if isinstance(criterion, str) else default
