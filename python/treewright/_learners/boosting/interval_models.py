"""Prediction intervals of gradient boosting: two more models, each fitted to a quantile.

Not here: intervals of forests (``quantile_forest``), which need no further model.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from treewright import _core
from treewright._estimator.ensemble import staged_predict, staged_score
from treewright._estimator.metadata import canonical
from treewright._estimator.regressor import Regressor
from treewright._learners.boosting.boosting_base import Boosting
from treewright._learners.boosting.training_rows import FitArguments
from treewright._learners.ensembles.quantile_forest import check_level
from treewright.errors import Hint, UsageError
from treewright.schema import Schema
from treewright.table import Table

__all__ = ["IntervalBoosting"]

Numbers = NDArray[np.float64]


class IntervalBoosting(Boosting, Regressor):
    """Boosting of numbers that may have a model for each end of an interval."""

    _later_params: ClassVar[dict[str, Any]] = Boosting._later_params | {"interval": None}

    _kind: ClassVar[str] = "trees"
    staged_predict = staged_predict
    staged_score = staged_score

    interval: float | None

    def predict_interval(self, X: Any, level: float | None = None) -> Numbers:
        """Return an interval for the target of each row; the model must be fitted with ``interval=0.9``, say.

        Parameters
        ----------
        X : table
            The rows, with the columns of the training table.
        level : float or None, default=None
            The parameter ``interval`` of the fit; another level needs another fit.

        Returns
        -------
        ndarray of shape (rows, 2)
            The quantiles ``(1 - interval) / 2`` and ``(1 + interval) / 2`` of each row, as two models predict them. A
            model that fits its training rows too closely makes intervals that contain less of new ones: fewer leaves or
            early stopping help.

        Examples
        --------
        >>> import numpy as np
        >>> from treewright import GradientBoostingRegressor
        >>> X = np.arange(400.0).reshape(-1, 1)
        >>> model = GradientBoostingRegressor(interval=0.8).fit(X, X[:, 0] % 10)
        >>> low, high = model.predict_interval([[155.0]])[0]
        >>> bool(low < 3 < 6 < high)
        True
        """
        columns = self._encode(X)
        ends: tuple[_core.Forest, ...] = self.__dict__.get("_interval_ends", ())
        if not ends:
            raise UsageError(
                "this GradientBoostingRegressor was fitted without models for the ends of an interval",
                slug="usage.model",
                hints=[Hint(option="interval", value=0.9, note="then fit it again")],
            )
        if level is not None and level != self.interval:
            raise UsageError(
                f"this model predicts intervals of level {self.interval:g}; got {level!r}",
                slug="usage.parameter",
                hints=[Hint(option="interval", value=level, note="fit it again with this level")],
            )
        # Two models may contradict each other: an interval always begins with the smaller number.
        return np.sort(np.hstack([forest.predict(columns) for forest in ends]), axis=1)

    def _learn(
        self, table: Table, schema: Schema, target: Any, weights: Numbers | None
    ) -> _core.Forest:
        params = self.get_params(deep=False)
        level = None if params["interval"] is None else check_level(params["interval"])
        forest = super()._learn(table, schema, target, weights)
        self.__dict__.pop("_interval_ends", None)
        if level is not None:
            arguments: FitArguments = self.__dict__.get("_arguments", FitArguments())
            ends = ((1 - level) / 2, (1 + level) / 2)
            self._interval_ends = tuple(
                self._learn_quantile(
                    q, replace(arguments, callbacks=()), table, schema, target, weights
                )
                for q in ends
            )
        return forest

    def _learn_quantile(self, quantile: float, arguments: FitArguments, *data: Any) -> _core.Forest:
        """Fit the model of one end: with the same parameters, but without an ``init`` of its own."""
        model: Any = clone(self).set_params(
            loss="quantile",
            quantile=quantile,
            interval=None,
            init=None,
            warm_start=False,
            verbose=0,
        )
        model._arguments = arguments
        return model._learn(*data)  # type: ignore[no-any-return]

    # ---- files and pickles

    def _extra_metadata(self) -> dict[str, Any]:
        more = super()._extra_metadata()
        if "_interval_ends" in self.__dict__:
            document = self._plain_document()
            more["kept"]["interval_ends"] = [
                base64.b64encode(forest.to_bytes(document)).decode("ascii")
                for forest in self._interval_ends
            ]
        return more

    def _restore(self, metadata: Mapping[str, Any], contents: Any) -> None:
        kept = dict(metadata.get("kept", {}))
        ends = kept.pop("interval_ends", None)
        super()._restore({**metadata, "kept": kept}, contents)
        if ends is not None:
            low, high = (
                _core.Forest.from_bytes(base64.b64decode(end, validate=True)) for end in ends
            )
            document = self._plain_document()
            if low[1] != document or high[1] != document or low[0].n_raw != 1 or high[0].n_raw != 1:
                raise ValueError("the models of its intervals are not those of its columns")
            self._interval_ends = (low[0], high[0])

    def _plain_document(self) -> str:
        """Return the metadata of the file of each end: only what the core needs to read it."""
        name, schema = type(self).__name__, self.schema_.to_dict()
        return canonical({"estimator": name, "named": True, "params": {}, "schema": schema})

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        ends = state.pop("_interval_ends", None)
        if ends is not None and "_model" not in state:  # a model file holds them already
            document = self._plain_document()
            state["_interval_ends"] = [forest.to_bytes(document) for forest in ends]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        ends = self.__dict__.get("_interval_ends", ())
        if ends and isinstance(ends[0], bytes):
            self._interval_ends = tuple(_core.Forest.from_bytes(end)[0] for end in ends)
