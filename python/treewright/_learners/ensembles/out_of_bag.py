"""Out-of-bag predictions and scores of forests and bagging.

A row is *out of bag* for an estimator whose sample does not contain it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._estimator.training_data import TrainingData
from treewright._input.target import ClassTarget, NumberTarget
from treewright._learners.ensembles.sampling import Bag
from treewright._model.trees import smooth_forest
from treewright._utils.user_warnings import warn_user
from treewright._utils.validation import threads_of

__all__ = ["OutOfBagParams", "score_estimators", "score_trees"]

Numbers = NDArray[np.float64]


@dataclass(kw_only=True, eq=False, repr=False)
class OutOfBagParams:
    """The parameter for out-of-bag scores, and the attributes that it adds.

    Parameters
    ----------
    oob_score : bool or callable, default=False
        Whether to score each training row with the estimators whose samples do not contain it: by accuracy or R², or
        by a function of the true and the predicted values.

    Attributes
    ----------
    oob_score_ : float
        The out-of-bag score; only with ``oob_score``.
    oob_curve_ : ndarray
        The out-of-bag error rate, or mean squared error, after each tree; only with ``oob_score``.
    oob_decision_function_, oob_prediction_ : ndarray
        Out-of-bag class probabilities, or predicted numbers, of each training row: NaN if every sample contains the
        row. Only with ``oob_score``, and not stored in files.
    """

    # A forest of another library has "imported_": how its samples were drawn is unknown.
    _saved_attributes: ClassVar[tuple[str, ...]] = ("oob_score_", "oob_curve_", "imported_")

    oob_score: Any = False


def score_trees(model: Any, forest: _core.Forest, bag: Bag, data: TrainingData) -> None:
    """Set the out-of-bag attributes of a model of trees."""
    arguments = data.core_arguments[1:]
    if data.schema.smoothing is not None:
        forest = smooth_forest(forest, data.schema)
    values, n_trees, model.oob_curve_ = _core.out_of_bag(
        forest, bag, *arguments, threads_of(model.n_jobs)
    )
    order = data.target.order if isinstance(data.target, ClassTarget) else None
    _set_scores(model, values, data.target, order, n_trees > 0)


def score_estimators(
    model: Any, sums: Numbers, counts: Numbers, target: ClassTarget | NumberTarget
) -> None:
    """Set the out-of-bag attributes from sums of predictions, classes sorted, and how many each row has."""
    known = counts > 0
    values = np.full_like(sums, np.nan)
    values[known] = sums[known] / counts[known, None]
    _set_scores(model, values, target, np.arange(sums.shape[1]), known)


def _set_scores(model: Any, values: Numbers, target: Any, order: Any, known: NDArray[Any]) -> None:
    """Store and score predictions; ``order`` is the place in ``classes_`` of each of their columns."""
    from sklearn.metrics import accuracy_score, r2_score  # slow to import

    if not known.all():
        warn_user(
            "Some inputs do not have OOB scores. This probably means too few estimators were used "
            "to compute any reliable OOB estimates."
        )
    if isinstance(target, ClassTarget):
        model.oob_decision_function_ = np.empty_like(values)
        model.oob_decision_function_[:, order] = values
        truth = target.sorted[target.order[target.codes[known]]]
        predicted = target.sorted[order[values[known].argmax(axis=1)]]
        score, min_rows = accuracy_score, 1
    else:
        model.oob_prediction_ = values[:, 0]
        truth, predicted = target.values[known], values[known, 0]
        # Sorted pairs: the sums in the score do not depend on the order of the rows.
        pairs = np.lexsort((predicted, truth))
        truth, predicted = truth[pairs], predicted[pairs]
        score, min_rows = r2_score, 2
    if callable(model.oob_score):
        score = model.oob_score
    model.oob_score_ = float(score(truth, predicted)) if known.sum() >= min_rows else np.nan
