"""Unfitted estimators of treewright in model files: those inside an ensemble, and those that a search varies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treewright._estimator.metadata import param_to_json, unfitted
from treewright._estimator.model import Model

__all__ = ["describe_estimator", "restore_estimator"]

# Parameters that hold an estimator.
INNER = ("init", "estimator")


def describe_estimator(estimator: Model) -> dict[str, Any]:
    """Return an unfitted estimator of treewright, and the one inside it, as a model file describes it.

    Examples
    --------
    >>> from treewright import ZeroRRegressor
    >>> describe_estimator(ZeroRRegressor())
    {'estimator': 'ZeroRRegressor', 'params': {}}
    """
    params = {name: param_to_json(value) for name, value in estimator._saved_params().items()}
    metadata = {"estimator": type(estimator).__name__, "params": params}
    inner = next((estimator.__dict__[n] for n in INNER if n in estimator.__dict__), None)
    return metadata | ({"member": describe_estimator(inner)} if isinstance(inner, Model) else {})


def restore_estimator(metadata: Mapping[str, Any]) -> Model:
    """Return the unfitted estimator that :func:`describe_estimator` described."""
    estimator = unfitted(metadata)
    if "member" in metadata:
        names = [name for name in INNER if name in estimator.__dict__]
        if not names:
            raise ValueError("it has no estimator inside")
        estimator.__dict__[names[0]] = restore_estimator(metadata["member"])
    return estimator
