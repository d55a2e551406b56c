"""Lazy predictions: the partitions of a collection, each predicted where it lies when somebody computes it."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np

from treewright.dask.partition_futures import list_partitions

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
    if hasattr(X, "map_blocks") and hasattr(X, "rechunk"):
        return _predict_array(opened, X, method, columns, _dtype(model, method))
    if hasattr(X, "map_partitions"):
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
    if len(part):
        values = getattr(model, method)(part)
    else:
        columns, dtype = count_columns(model, method), _dtype(model, method)
        values = np.empty((0, columns) if columns else 0, dtype=dtype)
    if not hasattr(part, "iloc"):
        return values
    import pandas as pd

    if values.ndim == 1:
        return pd.Series(values, index=part.index, name=method)
    return pd.DataFrame(values, index=part.index, columns=list(model.classes_))
