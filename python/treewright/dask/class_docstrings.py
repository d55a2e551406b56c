"""What the docstrings of all estimators on Dask say, written once: a class says only what it is.

The parameters and attributes come from the local estimator, by :func:`treewright._utils.docstrings.documented`.
"""

from __future__ import annotations

import inspect
from typing import TypeVar

from treewright._utils.docstrings import documented

__all__ = ["documented_on_dask"]

T = TypeVar("T")
COMMON = """\
{own}

Its model has the bytes of the local estimator's model for the same rows in one table.

Attributes
----------
fit_report_ : FitReport
    What the fit took: seconds by phase, workers, bytes, memory, restarts.

Examples
--------
>>> import dask.array as da
>>> from dask.distributed import Client
>>> from treewright.dask import {name}
>>> X = da.random.default_rng(0).random((200, 3), chunks=(50, 3))
>>> with Client(processes=False, dashboard_address="127.0.0.1:0") as client:
...     model = {name}({arguments}).fit(X, {target})
...     model.predict(X).compute().shape
(200,)
"""


def documented_on_dask(kind: type[T]) -> type[T]:
    """Complete the docstring of an estimator on Dask by what all of them say and by its parameters.

    Parameters
    ----------
    kind : class
        The class; its own docstring says what it is.

    Returns
    -------
    class
        The same class.

    Examples
    --------
    >>> from treewright.dask import CARTClassifier
    >>> text = CARTClassifier.__doc__
    >>> text.index("bytes of the local") < text.index("max_depth : int") < text.index("fit_report_ :")
    True
    """
    if kind.__doc__ is None:  # python -OO
        return kind
    takes_trees = "n_estimators" in inspect.signature(kind).parameters
    predicts_classes = kind.__name__.endswith("Classifier")
    kind.__doc__ = COMMON.format(
        own=inspect.cleandoc(kind.__doc__),
        name=kind.__name__,
        arguments="n_estimators=4" if takes_trees else "",
        target="(X[:, 0] > 0.5).astype(int)" if predicts_classes else "X[:, 0]",
    )
    return documented(kind)
