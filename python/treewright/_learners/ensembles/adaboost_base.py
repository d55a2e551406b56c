"""What both AdaBoost learners share: their parameters, and how rounds follow each other.

Glossary: a learner's *vote* (alpha) is what its answer counts; a row *gains weight* in a round whose learner misses it.
Rounds *gone before* are those of an earlier fit that this one goes on with.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._learners.ensembles.adaboost_round import Round
from treewright._learners.ensembles.base_learner import Membered
from treewright._utils.validation import number

__all__ = ["AdaBoost", "AdaParams", "Gone", "said"]

Says = NDArray[Any]


@dataclass(eq=False, repr=False)
class AdaParams:
    """What AdaBoost can be told.

    Parameters
    ----------
    n_estimators : int, default=50
        The most rounds.
    learning_rate : float, default=1.0
        By how much votes, and with them changes of weight, are shrunk.
    warm_start : bool, default=False
        Whether another ``fit`` adds rounds to those there are.
    n_jobs : int or None, default=None
        The most threads; None for all that the process may use. The model does not depend on it.
    random_state : int, RandomState, Generator or None, default=None
        The seed of learners that draw. None is 0, not chance.
    verbose : int or callable, default=0
        Above 0, a line now and then says how many rounds are done; a function is told, as ``verbose(done, total)``.
    """

    estimator: Any = None
    _: KW_ONLY
    n_estimators: int = 50
    learning_rate: float = 1.0
    warm_start: bool = False
    n_jobs: int | None = None
    random_state: Any = None
    verbose: Any = 0


@dataclass(frozen=True, slots=True)
class Gone:
    """A round of an earlier fit: what its learner says of each row, or which rows it misses; its vote and its error."""

    says: Says
    vote: float
    error: float


class AdaBoost(AdaParams, Membered):
    """Weak learners, one after the other.

    Attributes
    ----------
    rounds_ : tuple of Round
        Each round: its weighted error, its vote, the rows that gained weight. Files do not hold it.
    estimator_weights_ : ndarray
        The vote of each round.
    estimator_errors_ : ndarray
        The weighted error of each round.
    trees_ : Trees
        The trees, where the learners are ours.
    estimators_ : list
        The learners, where they are not ours. No model file can hold them; pickles can.
    schema_ : Schema
        Names, levels and classes, where the learners are ours.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, where the table had them.
    """

    _saved_attributes: ClassVar[tuple[str, ...]] = ("estimator_weights_", "estimator_errors_")
    _fitted: ClassVar[tuple[str, ...]] = ("estimator_weights_", "estimator_errors_", "rounds_")

    estimator_weights_: NDArray[np.float64]
    estimator_errors_: NDArray[np.float64]

    def _check_restored(self) -> None:
        super()._check_restored()
        self._limits()
        for kept in (self.estimator_weights_, self.estimator_errors_):
            if len(kept) != self._forest.n_trees or not np.isfinite(kept).all():
                raise ValueError("it has not a vote and an error for each round")

    def _limits(self) -> tuple[int, float]:
        rounds = number("n_estimators", self.n_estimators, least=1, whole=True)
        rate = number("learning_rate", self.learning_rate, least=0)
        if rate == 0:
            number("learning_rate", -1, least=0)
        return rounds, rate

    def _gone_before(self, says: Callable[[int], Says]) -> list[Gone]:
        """Return the rounds of an earlier fit; ``says`` gives what the learner of a round says."""
        kept = zip(self.estimator_weights_, self.estimator_errors_, strict=True)
        return [Gone(says(i), float(vote), float(error)) for i, (vote, error) in enumerate(kept)]

    def _is_over(self, rounds: list[Round]) -> bool:
        """Tell a callback of the last round; return whether it wants no more."""
        callback = self._callback()
        return callback is not None and callback(rounds[-1]) is True

    def _keep_rounds(self, rounds: list[Round]) -> None:
        self.rounds_ = tuple(rounds)
        self.estimator_weights_ = np.array([one.vote for one in rounds])
        self.estimator_errors_ = np.array([one.error for one in rounds])


def said(forest: _core.Forest, coded: Any) -> Callable[[int], Says]:
    """Return what asks one tree of a forest for its answers."""
    return lambda tree: forest.predict(coded, tree, tree + 1)
