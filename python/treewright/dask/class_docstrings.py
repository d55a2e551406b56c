"""The docstrings of estimators on Dask: a class says only what it is."""

from __future__ import annotations

from typing import TypeVar

from treewright._cluster.engine_docstrings import complete_docstring

__all__ = ["documented_on_dask"]

T = TypeVar("T")
EXAMPLE = """\
>>> import dask.array as da
>>> from dask.distributed import Client
>>> from treewright.dask import {name}
>>> X = da.random.default_rng(0).random((200, 3), chunks=(50, 3))
>>> with Client(processes=False, dashboard_address="127.0.0.1:0") as client:
...     model = {name}({arguments}).fit(X, {target})
...     model.predict(X).compute().shape
(200,)
"""
TARGETS = ("(X[:, 0] > 0.5).astype(int)", "X[:, 0]")


def documented_on_dask(kind: type[T]) -> type[T]:
    """Complete the docstring of an estimator on Dask.

    Examples
    --------
    >>> from treewright.dask import CARTClassifier
    >>> "from treewright.dask import CARTClassifier" in CARTClassifier.__doc__
    True
    """
    return complete_docstring(kind, EXAMPLE, TARGETS)
