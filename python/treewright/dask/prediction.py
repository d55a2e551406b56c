"""Lazy predictions: the partitions of a collection, each predicted where it lies when somebody computes it."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np

from treewright._cluster.neighbor_shards import search_shard, vote
from treewright.dask.partition_futures import is_array, is_frame, list_partitions

__all__ = ["predict_lazily"]


def predict_lazily(model: Any, X: Any, method: str) -> Any:
    """Return the predictions of a local model for a Dask collection, in the same kind of collection.

    Parameters
    ----------
    model : estimator
        A fitted local estimator.
    X : Dask DataFrame, Dask Array, or list of futures or delayed values
        The rows.
    method : {"predict", "predict_proba", "predict_log_proba", "decision_function"}
        The method of the model.
    """
    from dask.delayed import delayed

    data = pickle.dumps(model)
    opened = delayed(open_model, pure=True)(data)
    columns = count_columns(model, method)
    if is_array(X):
        return _predict_array(opened, X, method, columns, _dtype(model, method))
    if is_frame(X):
        meta = predict_part(X._meta, model, method)
        return X.map_partitions(predict_part, opened, method, meta=meta, enforce_metadata=False)
    predict = delayed(predict_part)
    return [predict(part, opened, method) for part in list_partitions(X, "X")]


def open_model(data: bytes) -> Any:
    """Return the model that a graph carries as bytes: one task opens it, however many partitions there are."""
    return pickle.loads(data)


def count_columns(model: Any, method: str) -> int:
    """Return how many numbers a row gets; 0 if it is one value."""
    classes = len(getattr(model, "classes_", ()))
    if method in ("predict_proba", "predict_log_proba"):
        return classes
    return classes if method == "decision_function" and classes > 2 else 0


def _dtype(model: Any, method: str) -> np.dtype[Any]:
    is_class = method == "predict" and hasattr(model, "classes_")
    return model.classes_.dtype if is_class else np.dtype(np.float64)


def _predict_array(model: Any, X: Any, method: str, columns: int, dtype: np.dtype[Any]) -> Any:
    if X.ndim == 2 and len(X.chunks[1]) > 1:
        X = X.rechunk({1: -1})
    chunks: tuple[Any, ...] = (X.chunks[0], (columns,)) if columns else (X.chunks[0],)
    return X.map_blocks(
        predict_part,
        model=model,
        method=method,
        dtype=dtype,
        chunks=chunks,
        drop_axis=None if columns else 1,
        meta=np.empty((0, 0) if columns else (0,), dtype=dtype),
    )


def predict_part(part: Any, model: Any, method: str) -> Any:
    """Return the predictions of one partition; those of a pandas frame keep its index."""
    values = getattr(model, method)(part) if len(part) else empty_values(model, method)
    return label_rows(part, values, model, method)


def empty_values(model: Any, method: str) -> Any:
    """Return the predictions of a partition without rows."""
    columns, dtype = count_columns(model, method), _dtype(model, method)
    return np.empty((0, columns) if columns else 0, dtype=dtype)


def label_rows(part: Any, values: Any, model: Any, method: str) -> Any:
    """Return the predictions of a pandas frame with its index; any other as they are."""
    if not hasattr(part, "iloc"):
        return values
    import pandas as pd

    if values.ndim == 1:
        return pd.Series(values, index=part.index, name=method)
    return pd.DataFrame(values, index=part.index, columns=list(model.classes_))


def predict_shards(model: Any, shards: list[Any], X: Any, method: str) -> Any:
    """Return the predictions of a neighbor model whose training rows are futures, in the kind of collection of X."""
    from dask.delayed import delayed

    k, threads = model.n_neighbors_, 1
    opened = delayed(open_model, pure=True)(pickle.dumps(vars(model)))
    results = []
    for part in list_partitions(X, "X"):
        queries = delayed(arrange_queries)(type(model), opened, part)
        lists = [delayed(search_shard)(shard, queries, k, threads) for shard in shards]
        results.append(delayed(vote_part)(type(model), opened, part, lists, method))
    columns, dtype = count_columns(model, method), _dtype(model, method)
    if is_array(X):
        import dask.array as da

        width = (columns,) if columns else ()
        shapes = [(rows, *width) for rows in X.chunks[0]]
        blocks = [
            da.from_delayed(part, shape, dtype=dtype)
            for part, shape in zip(results, shapes, strict=True)
        ]
        return da.concatenate(blocks)
    if is_frame(X):
        import dask.dataframe as dd

        meta = label_rows(X._meta, empty_values(model, method), model, method)
        return dd.from_delayed(results, meta=meta, verify_meta=False)
    return results


def _shell(kind: type[Any], state: Any) -> Any:
    """Return a neighbor model without its training rows."""
    model: Any = object.__new__(kind)
    model.__dict__.update(state)
    return model


def arrange_queries(kind: type[Any], state: Any, part: Any) -> Any:
    """Return the rows of a partition in the space of a model; None if it has no rows."""
    return _shell(kind, state)._arrange(part) if len(part) else None


def vote_part(kind: type[Any], state: Any, part: Any, lists: list[Any], method: str) -> Any:
    """Return the predictions of one partition from the nearest rows of each shard."""
    model = _shell(kind, state)
    if not len(part):
        return label_rows(part, empty_values(model, method), model, method)
    numbers = vote(model, lists)
    if method == "predict":
        values = model._labels(numbers) if hasattr(model, "classes_") else numbers[:, 0]
    else:
        values = model._sort_classes(numbers)
    return label_rows(part, values, model, method)
