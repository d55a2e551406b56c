"""Quantiles and prediction intervals of forests that predict numbers.

A quantile forest (Meinshausen 2006) keeps the targets of the training rows in each leaf. Those of the leaves that a row
reaches, weighted by their share of the leaf and averaged over the trees, are the distribution of its target.

Not here: the distribution itself, which the core computes; intervals of boosting (``interval_models``).
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright._estimator.ensemble import staged_predict, staged_score
from treewright._estimator.regressor import Regressor
from treewright._estimator.tree_model import TreeModel
from treewright._utils.validation import check_number, threads_of
from treewright.errors import Hint, ModelFileError, UsageError
from treewright.schema import Schema
from treewright.table import Table

__all__ = [
    "QuantileForest",
    "QuantileParams",
    "check_keep_targets",
    "check_level",
    "check_quantiles",
]

Numbers = NDArray[np.float64]
MAX_BYTES = 70_000_000  # of the targets in a model file, which stores them as text


@dataclass(kw_only=True, eq=False, repr=False)
class QuantileParams:
    """The parameter of forests with quantiles.

    Parameters
    ----------
    keep_targets : bool, default=False
        Whether the model keeps the targets of the training rows in each leaf, which ``predict_quantiles`` and
        ``predict_interval`` need. They take up to 4 bytes for each row and tree, also in a model file, which
        holds at most 70 MB of them.
    """

    keep_targets: bool = False


class QuantileForest(TreeModel, Regressor):
    """A forest that can keep the targets of the rows in its leaves."""

    _later_params: ClassVar[dict[str, Any]] = {"keep_targets": False}

    _kind: ClassVar[str] = "trees"
    staged_predict = staged_predict
    staged_score = staged_score

    keep_targets: bool
    n_jobs: int | None

    def predict_quantiles(self, X: Any, q: Any = (0.05, 0.5, 0.95)) -> Numbers:
        """Return quantiles of the target of each row; the model must be fitted with ``keep_targets=True``.

        Parameters
        ----------
        X : table
            The rows, with the columns of the training table.
        q : float or sequence of float, default=(0.05, 0.5, 0.95)
            The quantiles, between 0 and 1.

        Returns
        -------
        ndarray of shape (rows,) or (rows, quantiles)
            For each row the smallest training target below or at which that part of its distribution lies.

        Examples
        --------
        >>> import numpy as np
        >>> from treewright import RandomForestRegressor
        >>> X = np.arange(200.0).reshape(-1, 1)
        >>> model = RandomForestRegressor(keep_targets=True, min_samples_leaf=20).fit(X, X[:, 0] % 10)
        >>> model.predict_quantiles([[55.0]], q=[0.1, 0.5, 0.9])
        array([[1., 5., 9.]])
        """
        check_is_fitted(self)
        shares = check_quantiles(q)
        columns = self._encode(X)
        threads = threads_of(self.n_jobs)
        values = self._kept_targets().quantiles(self._forest, columns, shares.tolist(), threads)
        return values[:, 0] if np.ndim(q) == 0 else values

    def predict_interval(self, X: Any, level: float = 0.9) -> Numbers:
        """Return an interval for the target of each row; the model must be fitted with ``keep_targets=True``.

        Parameters
        ----------
        X : table
            The rows, with the columns of the training table.
        level : float, default=0.9
            The part of the targets that the intervals should contain.

        Returns
        -------
        ndarray of shape (rows, 2)
            The quantiles ``(1 - level) / 2`` and ``(1 + level) / 2`` of each row.

        Examples
        --------
        >>> import numpy as np
        >>> from treewright import ExtraTreesRegressor
        >>> X = np.arange(200.0).reshape(-1, 1)
        >>> model = ExtraTreesRegressor(keep_targets=True, min_samples_leaf=20).fit(X, X[:, 0] % 10)
        >>> model.predict_interval([[55.0]], level=0.8)
        array([[0., 8.]])
        """
        level = check_level(level)
        return self.predict_quantiles(X, ((1 - level) / 2, (1 + level) / 2))

    def _learn(
        self, table: Table, schema: Schema, target: Any, weights: Numbers | None
    ) -> _core.Forest:
        check_keep_targets(self, target)
        forest: _core.Forest = super()._learn(table, schema, target, weights)
        self.__dict__.pop("_leaf_targets", None)
        if self.keep_targets:
            self._leaf_targets = _core.LeafTargets(
                forest, table._core_columns, target.values, weights, threads_of(self.n_jobs)
            )
        return forest

    def _kept_targets(self) -> _core.LeafTargets:
        targets: _core.LeafTargets | None = self.__dict__.get("_leaf_targets")
        if targets is None:
            raise UsageError(
                f"this {type(self).__name__} was fitted without the targets of its leaves, "
                "which quantiles and intervals need",
                slug="usage.model",
                hints=[Hint(option="keep_targets", value=True, note="then fit it again")],
            )
        return targets

    # ---- files and pickles

    def _extra_metadata(self) -> dict[str, Any]:
        more = super()._extra_metadata()
        if "_leaf_targets" in self.__dict__:
            data = self._leaf_targets.to_bytes(self._forest)
            if len(data) > MAX_BYTES:
                raise ModelFileError(
                    f"the targets of the leaves take {len(data) / 1e6:,.0f} MB, and a model file holds at most "
                    f"{MAX_BYTES / 1e6:,.0f} MB of them",
                    slug="model.too-large",
                    hints=[
                        Hint(option="keep_targets", value=False, note="a model without quantiles"),
                        "fit it with fewer trees or rows",
                    ],
                )
            more["kept"]["leaf_targets"] = base64.b64encode(data).decode("ascii")
        return more

    def _restore(self, metadata: Mapping[str, Any], contents: Any) -> None:
        kept = dict(metadata.get("kept", {}))
        data = kept.pop("leaf_targets", None)
        super()._restore({**metadata, "kept": kept}, contents)
        if data is not None:
            data = base64.b64decode(data, validate=True)
            self._leaf_targets = _core.LeafTargets.from_bytes(data, self._forest)

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        return {name: value for name, value in state.items() if name != "_leaf_targets"}


def check_keep_targets(model: Any, target: Any) -> None:
    """Raise an error if a forest cannot keep the targets of its leaves as its parameter says."""
    keep = getattr(model, "keep_targets", False)
    if not isinstance(keep, (bool, np.bool_)):
        raise UsageError(
            f"keep_targets must be True or False; got {keep!r}",
            slug="usage.parameter",
        )
    if keep and np.ndim(target.values) != 1:
        raise UsageError(
            "keep_targets=True needs a target of one number for each row",
            slug="usage.parameter",
        )


def check_quantiles(q: Any) -> Numbers:
    """Return quantiles as an array, or raise an error if one is not between 0 and 1.

    Examples
    --------
    >>> check_quantiles(0.5)
    array([0.5])
    """
    try:
        shares = np.atleast_1d(np.asarray(q, dtype=np.float64))
    except (TypeError, ValueError):
        shares = np.array([np.nan])
    if shares.ndim != 1 or not ((shares >= 0) & (shares <= 1)).all():
        raise UsageError(f"q must be numbers between 0 and 1; got {q!r}", slug="usage.parameter")
    return shares


def check_level(level: Any) -> float:
    """Return the level of an interval, or raise an error if it is not between 0 and 1.

    Examples
    --------
    >>> check_level(0.9)
    0.9
    """
    value = float(check_number("level", level, minimum=0, maximum=1))
    if not 0 < value < 1:
        raise UsageError(
            f"level must be a number between 0 and 1, such as 0.9; got {level!r}",
            slug="usage.parameter",
        )
    return value
