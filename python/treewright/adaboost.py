"""AdaBoost: weak learners, one after the other, each of which looks harder at what those before it got wrong.

For classes SAMME (Zhu, Zou, Rosset and Hastie 2009), of two classes the AdaBoost of Freund and Schapire (1997); for
numbers AdaBoost.R2 (Drucker 1997). Stumps are the weak learners of their own: a round of them is one look at histograms
that the core keeps up to date, exact all the same.

Not here: how stumps are found, which is the core's.

Glossary: a learner's *vote* (alpha) is what its answer counts; a row *gains weight* in a round whose learner misses it.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted, validate_data

from treewright import _core
from treewright._bag import seed_of, teller
from treewright._boost_rounds import Round, loss_of, vote_of
from treewright._build import levels_of
from treewright._encode import encode
from treewright._ensemble import Deciding, EnsembleRegressor
from treewright._forest import given
from treewright._members import Membered, labels, member, weighted
from treewright._recipe import number, threads_of, word
from treewright._target import ClassTarget, NumberTarget, weights_of
from treewright.cart import CARTClassifier, CARTRegressor
from treewright.schema import Schema
from treewright.table import Table

__all__ = ["AdaBoostClassifier", "AdaBoostRegressor"]

Weights = NDArray[np.float64] | None


class _AdaBoost(Membered):
    """What both share: rounds, and what is kept of them."""

    _keeps: ClassVar[tuple[str, ...]] = ("estimator_weights_", "estimator_errors_")

    n_estimators: int
    learning_rate: float
    n_jobs: int | None
    random_state: Any
    verbose: Any

    _worked_by = "round"

    def _limits(self) -> tuple[int, float]:
        rounds = number("n_estimators", self.n_estimators, least=1, whole=True)
        rate = number("learning_rate", self.learning_rate, least=0)
        if rate == 0:
            number("learning_rate", -1, least=0)
        return rounds, rate

    def _keep_rounds(self, rounds: list[Round]) -> None:
        self.rounds_ = tuple(rounds)
        self.estimator_weights_ = np.array([one.vote for one in rounds])
        self.estimator_errors_ = np.array([one.error for one in rounds])


class AdaBoostClassifier(_AdaBoost, Deciding):
    """Weak learners that vote for a class, each grown from rows that weigh more the more often they were missed.

    The vote of a learner that misses the share e of the weight is ``learning_rate * (log((1 - e) / e) + log(K - 1))``
    of K classes; the rows it misses then weigh exp(vote) times as much. A learner that misses nothing is the last, with
    a vote of 1; one that is no better than chance ends the fit and has no vote, unless it is the first.

    Parameters
    ----------
    estimator : learner or None, default=None
        The weak learner: a tree of ours, or any learner whose ``fit`` takes ``sample_weight``. None is
        ``CARTClassifier(max_depth=1)``: stumps, which have their own fast way where all columns are numbers without
        gaps.
    n_estimators : int, default=50
        The most rounds.
    learning_rate : float, default=1.0
        By how much votes are shrunk.
    n_jobs : int or None, default=None
        The most threads; None for all that the process may use. The model does not depend on it.
    random_state : int, RandomState, Generator or None, default=None
        The seed of learners that draw. None is 0, not chance.
    verbose : int or callable, default=0
        Above 0, a line now and then says how many rounds are done; a function is told, as ``verbose(done, total)``.

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
    classes_ : ndarray
        The classes, sorted.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, where the table had them.

    Examples
    --------
    >>> from treewright import AdaBoostClassifier
    >>> model = AdaBoostClassifier(n_estimators=3).fit([[1], [2], [3], [4]], ["a", "b", "b", "a"])
    >>> [(round(r.error, 3), round(r.vote, 3), r.rows.tolist()) for r in model.rounds_]
    [(0.25, 1.099, [3]), (0.167, 1.609, [0]), (0.2, 1.386, [1, 2])]
    >>> model.predict([[1], [2], [4]])
    array(['a', 'b', 'a'], dtype='<U1')
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        learning_rate: float = 1.0,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: Any = 0,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _standard(self) -> Any:
        return CARTClassifier(max_depth=1, n_jobs=self.n_jobs)

    def _learn(
        self, table: Table, schema: Schema, target: ClassTarget, weights: Weights
    ) -> _core.Forest:
        limit, rate = self._limits()
        tell = teller(self.verbose, limit, type(self).__name__)
        columns, codes, classes = given(table, target)
        assert classes is not None
        if self.estimator is None and classes > 1:
            threads = threads_of(self.n_jobs)
            done = _core.boost_stumps(
                *(levels_of(schema), columns, codes, classes, weights, limit, rate, threads, tell)
            )
            if done is not None:
                forest, votes, errors, missed = done
                rows = len(table)
                told = zip(errors, votes, missed, strict=True)
                self._keep_rounds([Round(i, e, v, rows, m) for i, (e, v, m) in enumerate(told)])
                return self._voting(forest, classes)
        base = clone(self._base())  # the caller's own learner is not touched
        coded = encode(table, schema)
        forests: list[_core.Forest] = []

        def learn(shares: NDArray[np.float64]) -> NDArray[np.bool_]:
            forests.append(base._learn(table, schema, target, shares))
            says = forests[-1].predict(coded).argmax(axis=1)
            return np.asarray(says != codes)

        rounds = self._run(learn, len(table), weights, classes, tell)
        return self._voting(_core.Forest.joined(forests[: len(rounds)]), classes)

    def _voting(self, forest: _core.Forest, classes: int) -> _core.Forest:
        if classes == 1:
            return forest
        votes = self.estimator_weights_.tolist()
        combine = {"how": "vote", "link": "softmax", "scales": votes, "base": [], "targets": []}
        return _core.Forest.joined([forest], combine)

    def _run(self, learn: Any, rows: int, weights: Weights, classes: int, tell: Any) -> list[Round]:
        """Go through the rounds; ``learn`` is told weights and says which rows the new learner misses."""
        limit, rate = self._limits()
        shares = np.full(rows, 1.0) if weights is None else weights.astype(np.float64)
        rounds: list[Round] = []
        chance = 1 - 1 / classes
        while len(rounds) < limit:
            shares = shares / math.fsum(shares)
            missed = learn(shares)
            # Sums that are exact before they are rounded once: the order of the rows does not matter.
            error = math.fsum(shares[missed])
            if error >= chance and rounds:
                break
            last = error <= 0 or error >= chance
            vote = 1.0 if last else vote_of(error, rate, classes)
            rounds.append(Round(len(rounds), error, vote, rows, np.packbits(missed)))
            if tell is not None:
                tell(len(rounds))
            if last:
                break
            shares = np.where(missed, shares * math.exp(vote), shares)
        self._keep_rounds(rounds)
        return rounds

    # ---- learners of other kinds

    def _fit_others(self, X: Any, y: Any, sample_weight: Any) -> None:
        base = self._base()
        weighted(base)
        X = validate_data(self, X, skip_check_array=True)
        target = ClassTarget.of(y)
        rows, classes = len(target), len(target.sorted)
        answers, seed, members = np.asarray(y), seed_of(self.random_state), list[Any]()
        truth = np.searchsorted(target.sorted, answers)

        def learn(shares: NDArray[np.float64]) -> NDArray[np.bool_]:
            one = member(base, seed + len(members))
            members.append(one.fit(X, answers, sample_weight=shares))
            return np.asarray(np.searchsorted(target.sorted, one.predict(X)) != truth)

        tell = teller(self.verbose, self._limits()[0], type(self).__name__)
        rounds = self._run(learn, rows, weights_of(sample_weight, rows), classes, tell)
        self.estimators_, self.classes_ = members[: len(rounds)], target.sorted

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the votes that the answer comes from, each class's less an equal part of the others'.

        Parameters
        ----------
        X : table
            The rows, with the columns of the training table.

        Returns
        -------
        ndarray of shape (rows,) or (rows, classes)
            For two classes one number, positive for the second; else one for each class, in the order of ``classes_``.
        """
        members = self._others()
        if members is None:
            return super().decision_function(X)
        sums = self._sums(members, X)
        return sums if len(self.classes_) > 2 else sums[:, -1] - sums[:, 0]

    def _sums(self, members: list[Any], X: Any) -> NDArray[np.float64]:
        says, classes = labels(members, X, self.classes_), len(self.classes_)
        votes = np.zeros((len(says), classes))
        for column, vote in zip(says.T, self.estimator_weights_, strict=True):
            votes[np.arange(len(says)), column] += vote
        whole = self.estimator_weights_.sum()
        return np.asarray((votes - (whole - votes) / max(classes - 1, 1)) / whole)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with the most votes for each row; ties go to the first class.

        Parameters
        ----------
        X : table
            The rows, with the columns of the training table.

        Returns
        -------
        ndarray
            A class for each row.
        """
        members = self._others()
        if members is None:
            return super().predict(X)
        return np.asarray(self.classes_[self._sums(members, X).argmax(axis=1)])

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the share of each class: of the exponentials of its decision over K - 1.

        Parameters
        ----------
        X : table
            The rows, with the columns of the training table.

        Returns
        -------
        ndarray of shape (rows, classes)
            Shares in the order of ``classes_``.
        """
        members = self._others()
        if members is None:
            return super().predict_proba(X)
        powers = np.exp(self._sums(members, X) / max(len(self.classes_) - 1, 1))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))


class AdaBoostRegressor(_AdaBoost, EnsembleRegressor):
    """Learners of numbers, each grown from rows that weigh more the worse they were answered; the median answers.

    AdaBoost.R2: of the errors, as shares of the largest, a round takes the weighted mean e. A learner's vote is
    ``learning_rate * log((1 - e) / e)``, and rows that it answers well lose weight. The answer is the weighted median
    of the learners'. A learner whose e reaches one half ends the fit and has no vote, unless it is the first.

    Parameters
    ----------
    estimator : learner or None, default=None
        The learner: a tree of ours, or any learner whose ``fit`` takes ``sample_weight``. None is
        ``CARTRegressor(max_depth=3)``.
    n_estimators : int, default=50
        The most rounds.
    learning_rate : float, default=1.0
        By how much votes, and changes of weight, are shrunk.
    loss : {"linear", "square", "exponential"}, default="linear"
        What an error costs.
    resample : bool, default=False
        Whether a learner is grown from rows drawn in proportion to their weights, as in the paper and in scikit-learn,
        rather than from weighted rows. Drawing adds noise, and makes the model depend on the order of the rows.
    n_jobs : int or None, default=None
        The most threads; None for all that the process may use. The model does not depend on it.
    random_state : int, RandomState, Generator or None, default=None
        The seed. None is 0, not chance.
    verbose : int or callable, default=0
        Above 0, a line now and then says how many rounds are done; a function is told, as ``verbose(done, total)``.

    Attributes
    ----------
    rounds_ : tuple of Round
        Each round: its weighted error, its vote, the rows whose share of the weight grew. Files do not hold it.
    estimator_weights_ : ndarray
        The vote of each round.
    estimator_errors_ : ndarray
        The weighted error of each round.
    trees_ : Trees
        The trees, where the learners are ours.
    estimators_ : list
        The learners, where they are not ours. No model file can hold them; pickles can.
    schema_ : Schema
        Names and levels, where the learners are ours.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, where the table had them.

    Examples
    --------
    >>> import numpy as np
    >>> from treewright import AdaBoostRegressor
    >>> X = np.linspace(0, 1, 40).reshape(-1, 1)
    >>> model = AdaBoostRegressor(n_estimators=10).fit(X, X[:, 0] ** 2)
    >>> bool(abs(model.predict([[0.5]])[0] - 0.25) < 0.05)
    True
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        learning_rate: float = 1.0,
        loss: str = "linear",
        resample: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: Any = 0,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.loss = loss
        self.resample = resample
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _standard(self) -> Any:
        return CARTRegressor(max_depth=3, n_jobs=self.n_jobs)

    def _learn(
        self, table: Table, schema: Schema, target: NumberTarget, weights: Weights
    ) -> _core.Forest:
        base, coded = clone(self._base()), encode(table, schema)
        forests: list[_core.Forest] = []

        def learn(shares: NDArray[np.float64]) -> NDArray[np.float64]:
            forests.append(base._learn(table, schema, target, shares))
            return forests[-1].predict(coded)[:, 0]

        rounds = self._run(learn, target.values, weights)
        votes = self.estimator_weights_.tolist()
        how = {"how": "median", "link": "identity", "scales": votes, "base": [], "targets": []}
        return _core.Forest.joined(forests[: len(rounds)], how)

    def _run(self, learn: Any, truth: NDArray[np.float64], weights: Weights) -> list[Round]:
        """Go through the rounds; ``learn`` is told weights and gives the answers of the new learner."""
        limit, rate = self._limits()
        loss = word("loss", self.loss, ("linear", "square", "exponential"))
        shares = np.full(len(truth), 1.0) if weights is None else weights.astype(np.float64)
        tell = teller(self.verbose, limit, type(self).__name__)
        seed, rounds = seed_of(self.random_state), list[Round]()
        while len(rounds) < limit:
            shares = shares / math.fsum(shares)
            drawn = shares
            if self.resample:
                drawn = _drawn(shares, seed, len(rounds))
            errors = loss_of(np.abs(learn(drawn) - truth), loss)
            error = math.fsum(shares * errors)
            if error >= 0.5 and rounds:
                break
            last = error <= 0 or error >= 0.5
            vote = 1.0 if last else vote_of(error, rate, 2)
            before = shares
            if not last:
                shares = shares * (error / (1 - error)) ** ((1 - errors) * rate)
            gained = shares > before * math.fsum(shares)
            rounds.append(Round(len(rounds), error, vote, len(truth), np.packbits(gained)))
            if tell is not None:
                tell(len(rounds))
            if last:
                break
        self._keep_rounds(rounds)
        return rounds

    # ---- learners of other kinds

    def _fit_others(self, X: Any, y: Any, sample_weight: Any) -> None:
        base = self._base()
        weighted(base)
        X = validate_data(self, X, skip_check_array=True)
        truth = NumberTarget.of(y).values
        seed, members = seed_of(self.random_state), list[Any]()

        def learn(shares: NDArray[np.float64]) -> NDArray[np.float64]:
            one = member(base, seed + len(members))
            members.append(one.fit(X, truth, sample_weight=shares))
            return np.asarray(one.predict(X), dtype=np.float64)

        rounds = self._run(learn, truth, weights_of(sample_weight, len(truth)))
        self.estimators_ = members[: len(rounds)]

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the weighted median of the learners' numbers for each row.

        Parameters
        ----------
        X : table
            The rows, with the columns of the training table.

        Returns
        -------
        ndarray of float
            A number for each row.
        """
        check_is_fitted(self)
        members = self._others()
        if members is None:
            return super().predict(X)
        says = np.column_stack([one.predict(X) for one in members])
        order = np.argsort(says, axis=1, kind="stable")
        reached = np.cumsum(self.estimator_weights_[order], axis=1)
        middle = (reached >= 0.5 * reached[:, -1:]).argmax(axis=1)
        return np.asarray(np.take_along_axis(says, order, axis=1)[np.arange(len(says)), middle])


def _drawn(shares: NDArray[np.float64], seed: int, turn: int) -> NDArray[np.float64]:
    """Return how often each row is drawn in a round, in proportion to its weight."""
    draws = np.random.Generator(np.random.Philox(key=[seed % 2**64, turn])).random(len(shares))
    ends = np.cumsum(shares)
    rows = np.searchsorted(ends, draws * ends[-1], side="right").clip(max=len(shares) - 1)
    return np.bincount(rows, minlength=len(shares)).astype(np.float64)
