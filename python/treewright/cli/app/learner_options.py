"""The learners by the words of the command line. Adding one is a line of ``ALGORITHMS``.

Glossary: the *task* is ``classify`` (the answer is a class) or ``regress`` (a number).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from treewright.cli.app.suggestions import closest
from treewright.errors import UsageError

__all__ = [
    "ALGORITHMS",
    "CRITERIA",
    "DEFAULTS",
    "PRUNING",
    "TASKS",
    "VOTES",
    "Algorithm",
    "algorithm",
]

# What the answers of a task are called in a sentence.
TASKS = {"classify": "classes", "regress": "numbers"}
# Who learns where nobody was named.
DEFAULTS = {"classify": "c45", "regress": "cart"}
# The words of --prune, and what Python calls them.
PRUNING = {
    "none": None,
    "pessimistic": "pessimistic",
    "reduced-error": "reduced_error",
    "cost-complexity": "cost_complexity",
}
# The words of --vote, and what Python calls them.
VOTES = {"equal": "uniform", "distance": "distance", "squared-distance": "squared_distance"}

# What all trees that prune understand, and what of it says something about classes only.
PRUNED = {
    "prune": "prune",
    "confidence": "confidence",
    "alpha": "ccp_alpha",
    "max_p_value": "max_p_value",
}
ABOUT_CLASSES = ("confidence", "max_p_value")


@dataclass(frozen=True)
class Algorithm:
    """A learner.

    Parameters
    ----------
    word : str
        What ``--algorithm`` calls it.
    learners : mapping
        The estimator in ``treewright`` for each task that it can do.
    options : mapping
        The estimator's parameter for each option of ``fit`` that it understands.
    criteria : mapping
        For each task the words of ``--criterion``, and what Python calls them.
    by_levels : bool
        Whether each different number of a numeric column is a value of its own.
    rounds : bool
        Whether it learns in rounds and tells a callback about each.
    weighted : bool
        Whether rows may have weights.
    """

    word: str
    learners: Mapping[str, str]
    options: Mapping[str, str] = field(default_factory=dict)
    criteria: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    by_levels: bool = False
    rounds: bool = False
    weighted: bool = True

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks that it can do."""
        return tuple(self.learners)

    def make(self, task: str, options: Mapping[str, Any]) -> Any:
        """Return the estimator, not yet fitted."""
        import treewright

        self.refuse(options, task)
        given = {name: value for name, value in options.items() if value is not None}
        if "criterion" in given:
            given["criterion"] = self.criteria[task][given["criterion"]]
        if "prune" in given:
            given["prune"] = PRUNING[given["prune"]]
        if "vote" in given:
            given["vote"] = VOTES[given["vote"]]
        if given.get("scale") == "none":
            given["scale"] = None
        params = {self.options[name]: value for name, value in given.items()}
        return getattr(treewright, self.learners[task])(**params)

    def refuse(self, options: Mapping[str, Any], task: str = "auto") -> None:
        """Refuse options that this learner does not have, or not for this task."""
        for name, value in options.items():
            if value is not None and name not in self.options:
                raise _no_option(self, name)
            if value is not None and task == "regress" and name in ABOUT_CLASSES:
                raise UsageError(
                    f"--{name.replace('_', '-')} is about classes, and the target is a number",
                    slug="usage",
                )
        if options.get("criterion") is not None and options["criterion"] not in self._known(task):
            raise _no_criterion(self, options["criterion"], task)

    def _known(self, task: str) -> list[str]:
        """Return the words of ``--criterion`` for a task, or for any."""
        return [word for t, words in self.criteria.items() if task in (t, "auto") for word in words]


# What all models of many trees understand.
MANY = {"trees": "n_estimators", "threads": "n_jobs"}
# What draws rows or columns by chance.
DRAWN = {"max_features": "max_features", "seed": "random_state"}
# What forests do: CART's limits, and how many columns a node draws.
FOREST = {
    "depth": "max_depth",
    "min_rows": "min_samples_leaf",
    "min_split": "min_samples_split",
    "leaves": "max_leaf_nodes",
    "min_gain": "min_gain",
    "criterion": "criterion",
    "oob": "oob_score",
    **DRAWN,
    **MANY,
}
GROWN = {
    "classify": {"gini": "gini", "entropy": "entropy"},
    "regress": {"mse": "squared_error"},
}

ALGORITHMS = {
    a.word: a
    for a in (
        Algorithm(
            "adaboost",
            {"classify": "AdaBoostClassifier", "regress": "AdaBoostRegressor"},
            {"rate": "learning_rate", **MANY},
        ),
        Algorithm(
            "bagging",
            {"classify": "BaggingClassifier", "regress": "BaggingRegressor"},
            {"oob": "oob_score", **DRAWN, **MANY},
        ),
        Algorithm(
            "boosting",
            {"classify": "GradientBoostingClassifier", "regress": "GradientBoostingRegressor"},
            {
                "trees": "n_estimators",
                "rate": "learning_rate",
                "depth": "max_depth",
                "min_rows": "min_samples_leaf",
                "leaves": "max_leaf_nodes",
                "min_gain": "min_gain",
                "threads": "n_jobs",
                **DRAWN,
            },
            rounds=True,
        ),
        Algorithm(
            "c45",
            {"classify": "C45Classifier"},
            {
                "depth": "max_depth",
                "min_rows": "min_cases",
                "min_gain": "min_gain",
                "min_gain_ratio": "min_gain_ratio",
                "sufficient_majority": "sufficient_majority",
                "thresholds": "thresholds",
                "criterion": "criterion",
                **PRUNED,
            },
            {"classify": {"gain-ratio": "gain_ratio", "gain": "gain"}},
        ),
        Algorithm(
            "cart",
            {"classify": "CARTClassifier", "regress": "CARTRegressor"},
            {
                "depth": "max_depth",
                "min_rows": "min_samples_leaf",
                "min_split": "min_samples_split",
                "leaves": "max_leaf_nodes",
                "min_gain": "min_gain",
                "criterion": "criterion",
                "threads": "n_jobs",
                **PRUNED,
            },
            {
                "classify": {"gini": "gini", "entropy": "entropy"},
                "regress": {"mse": "squared_error"},
            },
        ),
        Algorithm(
            "extra-trees",
            {"classify": "ExtraTreesClassifier", "regress": "ExtraTreesRegressor"},
            {name: param for name, param in FOREST.items() if name != "oob"},
            GROWN,
        ),
        Algorithm(
            "forest",
            {"classify": "RandomForestClassifier", "regress": "RandomForestRegressor"},
            FOREST,
            GROWN,
        ),
        Algorithm(
            "id3",
            {"classify": "ID3Classifier"},
            {
                "depth": "max_depth",
                "min_split": "min_samples_split",
                "min_gain": "min_gain",
                "sufficient_majority": "sufficient_majority",
                **PRUNED,
            },
            by_levels=True,
        ),
        Algorithm(
            "knn",
            {"classify": "KNeighborsClassifier", "regress": "KNeighborsRegressor"},
            {
                "neighbors": "n_neighbors",
                "vote": "weights",
                "metric": "metric",
                "scale": "scale",
                "threads": "n_jobs",
            },
            weighted=False,
        ),
        Algorithm("one-r", {"classify": "OneRClassifier"}, {"min_rows": "min_bucket"}),
        Algorithm(
            "rules",
            {"classify": "RuleSetClassifier"},
            {
                "depth": "max_depth",
                "min_rows": "min_cases",
                "criterion": "criterion",
                "confidence": "confidence",
            },
            {"classify": {"gain-ratio": "gain_ratio", "gain": "gain"}},
        ),
        Algorithm("zero-r", {"classify": "ZeroRClassifier", "regress": "ZeroRRegressor"}),
    )
}
CRITERIA = list(
    dict.fromkeys(w for a in ALGORITHMS.values() for words in a.criteria.values() for w in words)
)


ALSO = {"boost": "boosting", "j48": "c45", "oner": "one-r", "zeror": "zero-r"}


def algorithm(word: str) -> Algorithm:
    """Return a learner by its word, or by one that others use for it."""
    word = ALSO.get(word, word)
    if word not in ALGORITHMS:
        near = closest(word, ALGORITHMS)
        raise UsageError(
            f'there is no algorithm "{word}"',
            slug="usage",
            hints=[
                *([f"did you mean {near}?"] if near else []),
                f"algorithms: {', '.join(ALGORITHMS)}",
            ],
        )
    return ALGORITHMS[word]


def _no_criterion(learner: Algorithm, word: str, task: str) -> UsageError:
    what = f" for {TASKS[task]}" if task != "auto" else ""
    hints = [f"criteria{what}: {', '.join(learner._known(task))}"]
    able = [a.word for a in ALGORITHMS.values() if word in a._known(task)]
    if able:
        hints.append(f"{word} belongs to: {', '.join(able)}")
    return UsageError(f"{learner.word} has no criterion {word}{what}", slug="usage", hints=hints)


def _no_option(learner: Algorithm, name: str) -> UsageError:
    able = [a.word for a in ALGORITHMS.values() if name in a.options]
    return UsageError(
        f"{learner.word} has no --{name.replace('_', '-')}",
        slug="usage",
        hints=[f"it belongs to: {', '.join(able)}"],
    )
