"""A fitted estimator from trees of another library: its parameters, its schema and its forest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from treewright import _core
from treewright._catalog import import_public
from treewright._input.columns import scalar
from treewright._interchange.node_tables import ForeignNodes, damaged, node_table
from treewright._model.table_builder import levels_of
from treewright.errors import TreewrightError, UsageError
from treewright.schema import Schema

__all__ = ["fitted_model", "join_trees", "refuse", "sum_of_trees"]

FORESTS = (
    *("RandomForestClassifier", "RandomForestRegressor"),
    *("ExtraTreesClassifier", "ExtraTreesRegressor"),
)


def refuse(what: str, *hints: str) -> UsageError:
    """Return the error for a model that cannot be converted."""
    return UsageError(f"cannot convert {what}", slug="interchange.unsupported", hints=list(hints))


def sum_of_trees(
    base: Iterable[float], targets: Sequence[int], link: str, scales: Sequence[float] = ()
) -> dict[str, Any]:
    """Return the description of a sum: where each sum starts, and which one each tree adds to."""
    starts = [float(x) for x in base]
    return {
        "how": "sum",
        "link": link,
        "base": starts,
        "scales": [float(x) for x in scales],
        "targets": list(targets) if len(starts) > 1 else [],
    }


def join_trees(
    schema: Schema, trees: Sequence[ForeignNodes], combine: Mapping[str, Any] | None = None
) -> _core.Forest:
    """Return the forest of some trees; None for ``combine`` means their mean."""
    if not trees:
        raise refuse("a model without trees")
    tables = [node_table(nodes) for nodes in trees]
    outputs = trees[0].value.shape[1]
    try:
        return _core.Forest.from_tables(levels_of(schema), outputs, tables, combine)
    except TreewrightError as error:
        raise damaged(str(error)) from error


def fitted_model(
    name: str,
    params: Mapping[str, Any],
    schema: Schema,
    forest: _core.Forest,
    *,
    named: bool,
    classes_dtype: str = "object",
    kept: Mapping[str, Any] | None = None,
) -> Any:
    """Return a fitted estimator by its public name, as if it had been read from a model file."""
    estimator = import_public(name)
    known = set(estimator._get_param_names())
    model = estimator(**{k: _plain(v) for k, v in params.items() if k in known})
    metadata = {
        "schema": schema.to_dict(),
        "named": named,
        "classes_dtype": classes_dtype,
        "kept": dict(kept or {}) | ({"imported_": 1} if name in FORESTS else {}),
    }
    model._restore(metadata, forest)
    model._check_restored()
    return model


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {scalar(key): scalar(item) for key, item in value.items()}
    return scalar(value)
