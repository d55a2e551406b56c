"""What the docstrings of all estimators of an engine say, written once: a class says only what it is.

The parameters and attributes come from the local estimator, by :func:`treewright._utils.docstrings.documented`.
"""

from __future__ import annotations

import inspect
from typing import TypeVar

from treewright._utils.docstrings import documented

__all__ = ["complete_docstring"]

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
{example}"""


def complete_docstring(kind: type[T], example: str, targets: tuple[str, str]) -> type[T]:
    """Complete the docstring of an estimator of an engine by what all of them say and by its parameters.

    Parameters
    ----------
    kind : class
        The class; its own docstring says what it is.
    example : str
        The example, with ``{name}``, ``{arguments}`` and ``{target}``.
    targets : tuple of str
        The target of a classifier and that of a regressor.

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
    filled = example.format(
        name=kind.__name__,
        arguments="n_estimators=4" if takes_trees else "",
        target=targets[not kind.__name__.endswith("Classifier")],
    )
    kind.__doc__ = COMMON.format(own=inspect.cleandoc(kind.__doc__), example=filled)
    return documented(kind)
