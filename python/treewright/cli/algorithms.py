"""The learners by the words of the command line. Adding one is a line of ``ALGORITHMS``.

Glossary: the *task* is ``classify`` (the answer is a class) or ``regress`` (a number).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from treewright.cli.names import closest
from treewright.errors import UsageError

__all__ = ["ALGORITHMS", "DEFAULT", "Algorithm", "algorithm"]

DEFAULT = "c45"


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
    by_levels : bool
        Whether each different number of a numeric column is a value of its own.
    """

    word: str
    learners: Mapping[str, str]
    options: Mapping[str, str] = field(default_factory=dict)
    by_levels: bool = False

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks that it can do."""
        return tuple(self.learners)

    def make(self, task: str, options: Mapping[str, Any]) -> Any:
        """Return the estimator, not yet fitted."""
        import treewright

        given = {
            self.options[name]: PYTHON.get(value, value)
            for name, value in options.items()
            if value is not None
        }
        return getattr(treewright, self.learners[task])(**given)

    def refuse(self, options: Mapping[str, Any]) -> None:
        """Refuse options that this learner does not have."""
        for name, value in options.items():
            if value is not None and name not in self.options:
                raise _no_option(self, name)


# Words of the command line that are written otherwise in Python.
PYTHON = {"none": None, "gain-ratio": "gain_ratio"}

ALGORITHMS = {
    a.word: a
    for a in (
        Algorithm(
            "c45",
            {"classify": "C45Classifier"},
            {
                "depth": "max_depth",
                "min_rows": "min_cases",
                "criterion": "criterion",
                "prune": "prune",
                "confidence": "confidence",
            },
        ),
        Algorithm(
            "id3",
            {"classify": "ID3Classifier"},
            {"depth": "max_depth", "min_split": "min_samples_split", "min_gain": "min_gain"},
            by_levels=True,
        ),
        Algorithm("one-r", {"classify": "OneRClassifier"}, {"min_rows": "min_bucket"}),
        Algorithm("zero-r", {"classify": "ZeroRClassifier", "regress": "ZeroRRegressor"}),
    )
}


def algorithm(word: str) -> Algorithm:
    """Return a learner by its word."""
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


def _no_option(learner: Algorithm, name: str) -> UsageError:
    able = [a.word for a in ALGORITHMS.values() if name in a.options]
    return UsageError(
        f"{learner.word} has no --{name.replace('_', '-')}",
        slug="usage",
        hints=[f"it belongs to: {', '.join(able)}"],
    )
