"""AdaBoost: weak learners, one after the other, each of which looks harder at what those before it got wrong.

For classes SAMME (Zhu, Zou, Rosset and Hastie 2009), of two classes the AdaBoost of Freund and Schapire (1997); for
numbers AdaBoost.R2 (Drucker 1997). Stumps are the weak learners of their own: a round of them is one look at histograms
that the core keeps up to date, exact all the same.

Not here: how stumps are found, which is the core's.

Glossary: a learner's *vote* (alpha) is what its answer counts; a row *gains weight* in a round whose learner misses it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted, validate_data

from treewright import _core
from treewright._catalog import public
from treewright._estimator.ensemble import AdditiveClassifier, EnsembleRegressor
from treewright._input.encoding import encode
from treewright._input.target import ClassTarget, NumberTarget, weights_of
from treewright._input.unseen_values import unseen_reported_once
from treewright._learners.ensembles.adaboost_base import AdaBoost, Gone, said
from treewright._learners.ensembles.adaboost_round import Round, loss_of, vote_of
from treewright._learners.ensembles.base_learner import labels, member, weighted
from treewright._learners.ensembles.forest_base import given
from treewright._learners.ensembles.run_params import progress_callback, seed_from
from treewright._learners.trees.cart import CARTClassifier, CARTRegressor
from treewright._model.table_builder import levels_of
from treewright._utils.docstrings import documented
from treewright._utils.validation import threads_of, word
from treewright.schema import Schema
from treewright.table import Table

__all__ = ["AdaBoostClassifier", "AdaBoostRegressor"]

Weights = NDArray[np.float64] | None
# Levels, columns, codes, classes, weights.
Told = tuple[Any, Any, NDArray[np.uint32], int, Weights]
# Rounds of stumps between which a callback is asked whether to go on.
TOGETHER = 16


@public
@documented
@dataclass(eq=False, repr=False)
class AdaBoostClassifier(AdaBoost, AdditiveClassifier):
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

    Attributes
    ----------
    classes_ : ndarray
        The classes, sorted.

    Examples
    --------
    >>> from treewright import AdaBoostClassifier
    >>> model = AdaBoostClassifier(n_estimators=3).fit([[1], [2], [3], [4]], ["a", "b", "b", "a"])
    >>> [(round(r.error, 3), round(r.vote, 3), r.rows.tolist()) for r in model.rounds_]
    [(0.25, 1.099, [3]), (0.167, 1.609, [0]), (0.2, 1.386, [1, 2])]
    >>> model.predict([[1], [2], [4]])
    array(['a', 'b', 'a'], dtype='<U1')
    """

    def _standard(self) -> Any:
        return CARTClassifier(max_depth=1, n_jobs=self.n_jobs)

    def _learn(
        self, table: Table, schema: Schema, target: ClassTarget, weights: Weights
    ) -> _core.Forest:
        limit, _ = self._limits()
        seed_from(self.random_state)  # nothing is drawn here, and a wrong one is still refused
        grown = self._grown(schema, limit)
        columns, codes, classes = given(table, target)
        assert classes is not None
        coded, before = encode(table, schema), list[Gone]()
        if grown is not None:
            answers = said(grown, coded)
            before = self._gone_before(lambda i: answers(i).argmax(axis=1) != codes)
            if _ends(before[-1].error, classes) or len(before) == limit:
                return grown
        if self.estimator is None and classes > 1:
            what = (levels_of(schema), columns, codes, classes, weights)
            forest = self._stumps(what, len(table), before)
            if forest is not None:
                forests = [forest] if grown is None else [grown, forest]
                return self._voting(_core.Forest.joined(forests), classes)
        base = clone(self._base())  # the caller's own learner is not touched
        forests = [] if grown is None else [grown]

        def learn(shares: NDArray[np.float64]) -> NDArray[np.bool_]:
            forests.append(base._learn(table, schema, target, shares))
            says = forests[-1].predict(coded).argmax(axis=1)
            return np.asarray(says != codes)

        rounds = self._run(learn, len(table), weights, classes, before)
        new = len(rounds) - len(before)
        kept = forests[:new] if grown is None else forests[: new + 1]
        return self._voting(_core.Forest.joined(kept), classes)

    def _stumps(self, what: Told, rows: int, before: list[Gone]) -> _core.Forest | None:
        """Return the stumps that follow those before; None where not all columns are numbers without gaps."""
        limit, rate = self._limits()
        tell = progress_callback(self, limit)
        rounds = [
            Round(i, g.error, g.vote, rows, np.packbits(g.says)) for i, g in enumerate(before)
        ]
        forests: list[_core.Forest] = []
        # Somebody who may want to stop is asked now and then; rounds that went too far are dropped.
        step = limit if self._callback() is None else TOGETHER
        going = True
        while going and len(rounds) < limit:
            first, last = len(rounds), min(limit, len(rounds) + step)
            votes, bits = [r.vote for r in rounds], [r.bits for r in rounds]
            done = _core.boost_stumps(*what, last, rate, threads_of(self.n_jobs), tell, votes, bits)
            if done is None:
                return None
            forest, votes, errors, missed = done
            for e, v, m in zip(errors, votes, missed, strict=True):
                rounds.append(Round(len(rounds), e, v, rows, m))
                going = len(rounds) < limit and not self._is_over(rounds)
                if not going:
                    break
            forests.append(_first(forest, len(rounds) - first))
            going = going and len(rounds) == last and not _ends(rounds[-1].error, what[3])
        self._keep_rounds(rounds)
        return _core.Forest.joined(forests)

    def _voting(self, forest: _core.Forest, classes: int) -> _core.Forest:
        if classes == 1:
            return forest
        votes = self.estimator_weights_.tolist()
        combine = {"how": "vote", "link": "softmax", "scales": votes, "base": [], "targets": []}
        return _core.Forest.joined([forest], combine)

    def _run(
        self, learn: Any, rows: int, weights: Weights, classes: int, before: list[Gone]
    ) -> list[Round]:
        """Go through the rounds; ``learn`` is told weights and says which rows the new learner misses."""
        limit, rate = self._limits()
        tell = progress_callback(self, limit)
        shares = np.full(rows, 1.0) if weights is None else weights.astype(np.float64)
        rounds: list[Round] = []
        for gone in before:
            rounds.append(Round(len(rounds), gone.error, gone.vote, rows, np.packbits(gone.says)))
            shares = shares / math.fsum(shares)
            shares = np.where(gone.says, shares * math.exp(gone.vote), shares)
        while len(rounds) < limit:
            shares = shares / math.fsum(shares)
            missed = learn(shares)
            # Sums that are exact before they are rounded once: the order of the rows does not matter.
            error = math.fsum(shares[missed])
            if error >= 1 - 1 / classes and rounds:
                break
            last = _ends(error, classes)
            vote = 1.0 if last else vote_of(error, rate, classes)
            rounds.append(Round(len(rounds), error, vote, rows, np.packbits(missed)))
            if tell is not None:
                tell(len(rounds))
            if self._is_over(rounds) or last:
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
        answers, seed = np.asarray(y), seed_from(self.random_state)
        truth, limit = np.searchsorted(target.sorted, answers), self._limits()[0]
        members, before = self._fitted_before(limit), list[Gone]()
        if members:
            says = labels(members, X, target.sorted)
            before = self._gone_before(lambda i: says[:, i] != truth)
            if _ends(before[-1].error, classes) or len(before) == limit:
                return

        def learn(shares: NDArray[np.float64]) -> NDArray[np.bool_]:
            one = member(base, seed + len(members))
            members.append(one.fit(X, answers, sample_weight=shares))
            return np.asarray(np.searchsorted(target.sorted, one.predict(X)) != truth)

        rounds = self._run(learn, rows, weights_of(sample_weight, rows), classes, before)
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


@public
@documented
@dataclass(eq=False, repr=False)
class AdaBoostRegressor(AdaBoost, EnsembleRegressor):
    """Learners of numbers, each grown from rows that weigh more the worse they were answered; the median answers.

    AdaBoost.R2: of the errors, as shares of the largest, a round takes the weighted mean e. A learner's vote is
    ``learning_rate * log((1 - e) / e)``, and rows that it answers well lose weight. The answer is the weighted median
    of the learners'. A learner whose e reaches one half ends the fit and has no vote, unless it is the first.

    Parameters
    ----------
    estimator : learner or None, default=None
        The learner: a tree of ours, or any learner whose ``fit`` takes ``sample_weight``. None is
        ``CARTRegressor(max_depth=3)``.
    loss : {"linear", "square", "exponential"}, default="linear"
        What an error costs.
    resample : bool, default=False
        Whether a learner is grown from rows drawn in proportion to their weights, as in the paper and in scikit-learn,
        rather than from weighted rows. Drawing adds noise, and makes the model depend on the order of the rows.

    Attributes
    ----------
    rounds_ : tuple of Round
        Each round: its weighted error, its vote, the rows whose share of the weight grew. Files do not hold it.

    Examples
    --------
    >>> import numpy as np
    >>> from treewright import AdaBoostRegressor
    >>> X = np.linspace(0, 1, 40).reshape(-1, 1)
    >>> model = AdaBoostRegressor(n_estimators=10).fit(X, X[:, 0] ** 2)
    >>> bool(abs(model.predict([[0.5]])[0] - 0.25) < 0.05)
    True
    """

    loss: str = "linear"
    resample: bool = False

    def _standard(self) -> Any:
        return CARTRegressor(max_depth=3, n_jobs=self.n_jobs)

    def _learn(
        self, table: Table, schema: Schema, target: NumberTarget, weights: Weights
    ) -> _core.Forest:
        base, coded = clone(self._base()), encode(table, schema)
        grown = self._grown(schema, self._limits()[0])
        forests, before = list[_core.Forest](), list[Gone]()
        if grown is not None:
            answers = said(grown, coded)
            before = self._gone_before(lambda i: answers(i)[:, 0])
            if _ends(before[-1].error, 2):
                return grown
            forests = [_first(grown, i + 1, i) for i in range(grown.n_trees)]

        def learn(shares: NDArray[np.float64]) -> NDArray[np.float64]:
            forests.append(base._learn(table, schema, target, shares))
            return forests[-1].predict(coded)[:, 0]

        rounds = self._run(learn, target.values, weights, before)
        votes = self.estimator_weights_.tolist()
        how = {"how": "median", "link": "identity", "scales": votes, "base": [], "targets": []}
        return _core.Forest.joined(forests[: len(rounds)], how)

    def _run(
        self, learn: Any, truth: NDArray[np.float64], weights: Weights, before: list[Gone]
    ) -> list[Round]:
        """Go through the rounds; ``learn`` is told weights and gives the answers of the new learner."""
        limit, rate = self._limits()
        loss = word("loss", self.loss, ("linear", "square", "exponential"))
        shares = np.full(len(truth), 1.0) if weights is None else weights.astype(np.float64)
        tell = progress_callback(self, limit)
        seed, rounds = seed_from(self.random_state), list[Round]()
        while len(rounds) < limit:
            shares = shares / math.fsum(shares)
            gone = before[len(rounds)] if len(rounds) < len(before) else None
            if gone is None:
                drawn = _drawn(shares, seed, len(rounds)) if self.resample else shares
                says = learn(drawn)
            else:
                says = gone.says
            errors = loss_of(np.abs(says - truth), loss)
            error = math.fsum(shares * errors)
            if error >= 0.5 and rounds:
                break
            last = _ends(error, 2)
            vote = 1.0 if last else vote_of(error, rate, 2)
            earlier = shares
            if not last:
                shares = shares * (error / (1 - error)) ** ((1 - errors) * rate)
            gained = shares > earlier * math.fsum(shares)
            rounds.append(Round(len(rounds), error, vote, len(truth), np.packbits(gained)))
            if gone is not None:
                continue
            if tell is not None:
                tell(len(rounds))
            if self._is_over(rounds) or last:
                break
        self._keep_rounds(rounds)
        return rounds

    # ---- learners of other kinds

    def _fit_others(self, X: Any, y: Any, sample_weight: Any) -> None:
        base = self._base()
        weighted(base)
        X = validate_data(self, X, skip_check_array=True)
        truth = NumberTarget.of(y).values
        seed, before = seed_from(self.random_state), list[Gone]()
        members = self._fitted_before(self._limits()[0])
        if members:
            says = [np.asarray(one.predict(X), dtype=np.float64) for one in members]
            before = self._gone_before(lambda i: says[i])
            if _ends(before[-1].error, 2):
                return

        def learn(shares: NDArray[np.float64]) -> NDArray[np.float64]:
            one = member(base, seed + len(members))
            members.append(one.fit(X, truth, sample_weight=shares))
            return np.asarray(one.predict(X), dtype=np.float64)

        rounds = self._run(learn, truth, weights_of(sample_weight, len(truth)), before)
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
        with unseen_reported_once():
            says = np.column_stack([one.predict(X) for one in members])
        order = np.argsort(says, axis=1, kind="stable")
        reached = np.cumsum(self.estimator_weights_[order], axis=1)
        middle = (reached >= 0.5 * reached[:, -1:]).argmax(axis=1)
        return np.asarray(np.take_along_axis(says, order, axis=1)[np.arange(len(says)), middle])


def _ends(error: float, classes: int) -> bool:
    """Return whether a learner of this error is the last: it misses nothing, or is no better than chance."""
    return error <= 0 or error >= 1 - 1 / classes


def _first(forest: _core.Forest, last: int, first: int = 0) -> _core.Forest:
    """Return some trees of a forest, without what becomes of their answers."""
    if first == 0 and last == forest.n_trees:
        return forest
    return forest.part(first, last)


def _drawn(shares: NDArray[np.float64], seed: int, turn: int) -> NDArray[np.float64]:
    """Return how often each row is drawn in a round, in proportion to its weight."""
    draws = np.random.Generator(np.random.Philox(key=[seed % 2**64, turn])).random(len(shares))
    ends = np.cumsum(shares)
    rows = np.searchsorted(ends, draws * ends[-1], side="right").clip(max=len(shares) - 1)
    return np.bincount(rows, minlength=len(shares)).astype(np.float64)
