"""The algorithms of ``--algorithm``, from the catalog of learners: the options and criteria that each supports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from treewright._catalog import LEARNERS, Learner
from treewright._utils.suggestions import find_closest
from treewright.errors import UsageError

__all__ = [
    "ALGORITHMS",
    "CRITERIA",
    "DEFAULTS",
    "LEARNER_OPTIONS",
    "TASKS",
    "Algorithm",
    "find_algorithm",
]

# What the predictions of a task are called in a sentence.
TASKS = {"classify": "classes", "regress": "numbers"}
# The algorithm of each task, where none is named.
DEFAULTS = {"classify": "c45", "regress": "cart"}
# Options of an algorithm for a task, where the user gives none. A full tree of numbers repeats the noise of its rows:
# it predicts new rows worse than their mean does.
# The search for an optimal tree may take longer than anybody waits.
DEFAULT_OPTIONS: Mapping[tuple[str, str], Mapping[str, Any]] = {
    ("cart", "regress"): {"prune": "cost-complexity"},
    ("optimal", "classify"): {"time_limit": 60.0},
    ("optimal", "regress"): {"time_limit": 60.0},
}
# Values of options that Python calls otherwise; in all others dashes become underscores.
VOTES = {"equal": "uniform"}


@dataclass(frozen=True)
class Algorithm:
    """The learners of one name: a classifier, a regressor, or both."""

    name: str
    learners: Mapping[str, Learner]

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks that it supports."""
        return tuple(self.learners)

    @property
    def by_levels(self) -> bool:
        """Whether each distinct number of a numeric column becomes a branch."""
        return any(learner.by_levels for learner in self.learners.values())

    @property
    def has_callback(self) -> bool:
        """Whether it is trained in rounds and calls a function after each."""
        return any(learner.has_callback for learner in self.learners.values())

    @property
    def weighted(self) -> bool:
        """Whether rows may have weights."""
        return all(learner.weighted for learner in self.learners.values())

    def options(self, task: str = "auto") -> dict[str, str]:
        """Return its options for a task, or for any, each with the parameter of the estimator."""
        rows = [row for name, row in self.learners.items() if task in (name, "auto")]
        return {option: param for row in rows for option, param in row.options.items()}

    def criteria(self, task: str = "auto") -> dict[str, str]:
        """Return the values of ``--criterion`` for a task, or for any, each with its name in Python."""
        rows = [row for name, row in self.learners.items() if task in (name, "auto")]
        return {word: criterion for row in rows for word, criterion in row.cli_criteria.items()}

    def make(self, task: str, options: Mapping[str, Any]) -> Any:
        """Return the estimator, not yet fitted; options that are None are not used."""
        import treewright

        self.check_options(options, task)
        chosen = {name: value for name, value in options.items() if value is not None}
        known = self.options(task)
        params = {
            known[name]: True
            if known[name] == "keep_targets"
            else self._parameter(name, value, task)
            for name, value in {**DEFAULT_OPTIONS.get((self.name, task), {}), **chosen}.items()
        }
        return getattr(treewright, self.learners[task].name)(**params)

    def _parameter(self, name: str, value: Any, task: str) -> Any:
        """Return the value of an option as the estimator takes it."""
        if name == "criterion":
            return self.criteria(task)[value]
        if not isinstance(value, str):
            return value
        return None if value == "none" else VOTES.get(value, value).replace("-", "_")

    def check_options(self, options: Mapping[str, Any], task: str = "auto") -> None:
        """Raise an error for options that this algorithm does not support, or not for this task."""
        for name, value in options.items():
            if value is not None and name not in self.options():
                raise _unsupported(self, name)
            if value is not None and name not in self.options(task):
                other = "class" if task == "regress" else "numeric"
                this = "numeric" if task == "regress" else "a class"
                raise UsageError(
                    f"{_flag(name)} works only for {other} targets; the target is {this}",
                    slug="usage",
                )
        criterion = options.get("criterion")
        if criterion is not None and criterion not in self.criteria(task):
            raise _unsupported_criterion(self, criterion, task)


def _group_learners() -> dict[str, Algorithm]:
    """Return the algorithms by name, sorted."""
    groups: dict[str, dict[str, Learner]] = {}
    for learner in sorted(LEARNERS.values(), key=lambda row: row.cli_name):
        groups.setdefault(learner.cli_name, {})[learner.task] = learner
    return {name: Algorithm(name, learners) for name, learners in groups.items()}


ALGORITHMS = _group_learners()
CRITERIA = list(dict.fromkeys(word for a in ALGORITHMS.values() for word in a.criteria()))
LEARNER_OPTIONS = tuple(dict.fromkeys(o for a in ALGORITHMS.values() for o in a.options()))
ALIASES = {alias: row.cli_name for row in LEARNERS.values() for alias in row.cli_aliases}


def find_algorithm(name: str) -> Algorithm:
    """Return an algorithm by its name, or by another name that is in use for it."""
    name = ALIASES.get(name, name)
    if name not in ALGORITHMS:
        near = find_closest(name, ALGORITHMS)
        raise UsageError(
            f'unknown algorithm "{name}"',
            slug="usage",
            hints=[
                *([f"did you mean {near}?"] if near else []),
                f"algorithms: {', '.join(ALGORITHMS)}",
            ],
        )
    return ALGORITHMS[name]


def _flag(option: str) -> str:
    return f"--{option.replace('_', '-')}"


def _unsupported(algorithm: Algorithm, option: str) -> UsageError:
    able = [a.name for a in ALGORITHMS.values() if option in a.options()]
    return UsageError(
        f"{_flag(option)} is not supported by {algorithm.name}",
        slug="usage",
        hints=[f"supported by: {', '.join(able)}"],
    )


def _unsupported_criterion(algorithm: Algorithm, criterion: str, task: str) -> UsageError:
    for_task = f" for {TASKS[task]}" if task != "auto" else ""
    hints = [f"criteria of {algorithm.name}{for_task}: {', '.join(algorithm.criteria(task))}"]
    able = [a.name for a in ALGORITHMS.values() if criterion in a.criteria(task)]
    if able:
        hints.append(f"{criterion} is supported by: {', '.join(able)}")
    return UsageError(
        f'criterion "{criterion}" is not supported by {algorithm.name}{for_task}',
        slug="usage",
        hints=hints,
    )
