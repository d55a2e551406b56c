"""The trees of an ensemble as fitted estimators (``estimators_``), and the rows of each (``estimators_samples_``).

The ensemble itself is one forest of the core. A tree becomes an estimator when somebody asks for it: a CART model with
the parameters of its ensemble, or the base estimator of bagging and AdaBoost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from treewright import _core
from treewright._estimator.classifier import Classifier
from treewright._learners.trees.cart import CARTClassifier, CARTRegressor
from treewright._model.trees import Trees

__all__ = ["SampledRows", "cart_like", "fit_trees"]


class SampledRows(Sequence[NDArray[np.int64]]):
    """The rows that each tree of an ensemble was grown from; a sample is drawn again when it is read.

    Parameters
    ----------
    samples : _core.Samples
        How often each row of the training table is in each sample. It holds their order, not the rows.
    n_trees : int
        The number of trees.
    rows : ndarray or None, default=None
        The position in the table of ``fit`` of each row; None if no row had weight 0.
    """

    def __init__(
        self, samples: _core.Samples, n_trees: int, rows: NDArray[np.int64] | None = None
    ) -> None:
        self._samples, self._n_trees, self._rows = samples, n_trees, rows

    def among(self, sample_weight: Any) -> SampledRows:
        """Return the samples as positions among all rows of ``fit``, which leaves out those of weight 0."""
        rows = None if sample_weight is None else np.flatnonzero(np.asarray(sample_weight))
        return SampledRows(self._samples, self._n_trees, rows)

    def __len__(self) -> int:
        return self._n_trees

    @overload
    def __getitem__(self, index: int) -> NDArray[np.int64]: ...
    @overload
    def __getitem__(self, index: slice) -> list[NDArray[np.int64]]: ...
    def __getitem__(self, index: int | slice) -> Any:
        places = range(self._n_trees)[index]
        return [self._of(i) for i in places] if isinstance(places, range) else self._of(places)

    def _of(self, tree: int) -> NDArray[np.int64]:
        """Return the rows of one tree in ascending order, each as often as it is in the sample."""
        times = self._samples.times(tree)
        return np.repeat(np.arange(len(times)) if self._rows is None else self._rows, times)


def cart_like(model: Any) -> CARTClassifier | CARTRegressor:
    """Return an unfitted CART model with the parameters of an ensemble, as far as it has them.

    Examples
    --------
    >>> from treewright import RandomForestClassifier
    >>> cart_like(RandomForestClassifier(max_depth=3))
    CARTClassifier(max_depth=3, min_samples_leaf=1, min_samples_split=2,
                   missing='direction')
    """
    cart = CARTClassifier if isinstance(model, Classifier) else CARTRegressor
    known = set(cart._get_param_names()) - {"random_state"}
    params = {k: v for k, v in model.get_params(deep=False).items() if k in known}
    if params.get("class_weight") == "balanced_subsample":
        params["class_weight"] = "balanced"
    return cart(**params)


def fit_trees(model: Any, base: Any, trees: Trees, first: int = 0) -> list[Any]:
    """Return the trees of a model, from a first one on, as fitted estimators like ``base``."""
    estimators = []
    for i in range(first, len(trees)):
        estimator = clone(base)
        estimator._forest = trees._forest.part(i, i + 1)
        estimator.schema_ = trees.schema
        for name in ("n_features_in_", "feature_names_in_"):
            if name in model.__dict__:
                estimator.__dict__[name] = model.__dict__[name]
        if isinstance(estimator, Classifier):
            estimator.classes_, estimator._order = model.classes_, model._order
        estimators.append(estimator)
    return estimators
