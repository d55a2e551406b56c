"""Dask collections as lists of futures, one for each partition, in the order of the rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from treewright.errors import DataError, UsageError

__all__ = ["is_array", "is_collection", "is_frame", "list_partitions", "start_partitions"]


def is_collection(X: Any) -> bool:
    """Whether it is something of Dask: a collection, a future, or a list of delayed values or futures."""
    from dask.base import is_dask_collection
    from distributed import Future

    if isinstance(X, (list, tuple)):
        return len(X) > 0 and all(is_collection(each) for each in X)
    return isinstance(X, Future) or bool(is_dask_collection(X))


def is_array(X: Any) -> bool:
    """Whether it is a Dask Array. The class is asked: a delayed value seems to have every attribute."""
    return hasattr(type(X), "rechunk")


def is_frame(X: Any) -> bool:
    """Whether it is a Dask DataFrame or a column of one."""
    return hasattr(type(X), "map_partitions") and hasattr(type(X), "to_delayed")


def list_partitions(X: Any, name: str) -> list[Any]:
    """Return the partitions of a collection as delayed values or futures; ``name`` is that of the argument."""
    if not is_collection(X):
        raise UsageError(
            f"{name} is a {type(X).__name__}, which lies in this process",
            slug="cluster.collection",
            hints=[
                "pass a Dask DataFrame, a Dask Array, or a list of futures or delayed values",
                "or fit the estimator of the same name in treewright, which needs no cluster",
            ],
        )
    if isinstance(X, (list, tuple)):
        return [each for part in X for each in list_partitions(part, name)]
    if is_array(X):  # whole rows in each block
        if X.ndim > 1 and len(X.chunks[1]) > 1:
            X = X.rechunk({1: -1})
        return list(X.to_delayed().ravel())
    return list(X.to_delayed()) if is_frame(X) else [X]


def start_partitions(client: Any, X: Any, y: Any, sample_weight: Any) -> list[tuple[Any, Any, Any]]:
    """Return futures of rows, target and weights of each partition, and let Dask compute them.

    The futures are the caller's: to release them takes nothing from the person who passed others of the same data.
    """
    rows = list_partitions(X, "X")
    target = list_partitions(_like(y, X), "y")
    weights: list[Any] = [None] * len(rows)
    if sample_weight is not None:
        weights = list_partitions(_like(sample_weight, X), "sample_weight")
    for name, parts in (("y", target), ("sample_weight", weights)):
        if len(parts) != len(rows):
            raise DataError(
                f"X has {len(rows):,} partitions, {name} has {len(parts):,}",
                slug="cluster.partitions",
                hints=["take X and y from one collection, or repartition one like the other"],
            )
    futures = _compute(client, [*rows, *target, *weights])
    count = len(rows)
    return list(zip(futures[:count], futures[count : 2 * count], futures[2 * count :], strict=True))


def _like(values: Any, X: Any) -> Any:
    """Return an array with the blocks of the rows of X, where both have blocks of known lengths."""
    both = is_array(values) and is_array(X)
    if both and values.chunks[0] != X.chunks[0] and values.shape[0] == X.shape[0]:
        return values.rechunk({0: X.chunks[0]})
    return values


@contextmanager
def release_on_error(partitions: Sequence[tuple[Any, Any, Any]]) -> Iterator[None]:
    """Stop the computing of partitions that nobody else wants if the ``with`` ends in an error, Ctrl-C included."""
    try:
        yield
    except BaseException:
        for part in partitions:
            for future in part:
                if future is not None:
                    future.release()
        raise


def _compute(client: Any, parts: list[Any]) -> list[Any]:
    """Return futures; those of delayed values are computed in one graph, which shares what they share."""
    from distributed import Future

    places = [
        i for i, part in enumerate(parts) if part is not None and not isinstance(part, Future)
    ]
    computed = client.compute([parts[i] for i in places])
    futures = [Future(part.key, client) if isinstance(part, Future) else None for part in parts]
    for i, future in zip(places, computed, strict=True):
        futures[i] = future
    return futures
