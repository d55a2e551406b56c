"""What estimators of all engines share: they take the model of a local estimator, and turn into one."""

from __future__ import annotations

from typing import Any, ClassVar

from treewright._cluster.gathered_fits import FittedModel
from treewright._utils.random_state import GENERATORS, seed_from
from treewright._utils.user_warnings import warn_user

__all__ = ["ClusterEstimator"]


class ClusterEstimator:
    """An estimator whose fit runs elsewhere; a class also derives from the local estimator of the same name."""

    # The local estimator.
    _local: ClassVar[type[Any]]
    # What an estimator of an engine has and a local one has not.
    _own: ClassVar[frozenset[str]] = frozenset({"fit_report_"})

    def _take(self, result: FittedModel) -> None:
        """Take the fitted state of a local estimator, and warn of what it warned of."""
        params = self.get_params(deep=False)  # type: ignore[attr-defined]
        if isinstance(params.get("random_state"), GENERATORS):
            seed_from(params["random_state"])  # a local fit would have drawn a seed, too
        self._clear_fitted()  # type: ignore[attr-defined]
        state = vars(result.estimator)
        self.__dict__.update({name: value for name, value in state.items() if name not in params})
        for category, message in result.warnings:
            warn_user(message, category)

    def to_local(self) -> Any:
        """Return the local estimator with the same parameters and, if it is fitted, the same model.

        Returns
        -------
        estimator
            An estimator of treewright, which needs no cluster.
        """
        local: Any = object.__new__(self._local)
        local.__dict__.update({k: v for k, v in self.__dict__.items() if k not in self._own})
        return local
