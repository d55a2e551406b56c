"""Trees as bytes, to send them from one process of a fit to another."""

from __future__ import annotations

from typing import Any

from treewright import _core
from treewright._estimator.metadata import canonical
from treewright.schema import Schema

__all__ = ["forest_from_bytes", "forest_to_bytes"]


def forest_to_bytes(forest: _core.Forest, schema: Schema, **params: Any) -> bytes:
    """Return trees as the bytes of a model file that names no estimator."""
    columns = Schema(schema.columns).to_dict()
    document = {"estimator": "", "params": params, "schema": columns, "named": False}
    return bytes(forest.to_bytes(canonical(document)))


def forest_from_bytes(data: bytes) -> _core.Forest:
    """Return the trees that :func:`forest_to_bytes` wrote."""
    return _core.Forest.from_bytes(data)[0]
