"""``plot``: a model or a result on axes of matplotlib."""

from __future__ import annotations

from typing import Any

from treewright._render.result import Result
from treewright._show import show

__all__ = ["plot"]


def plot(model: Any, ax: Any = None, **options: Any) -> Any:
    """Draw a model, or the picture of a result, with matplotlib (``pip install 'treewright[plot]'``).

    The tree is the one that ``show`` draws as SVG: it fits the axes, and its text is scaled with them.

    Parameters
    ----------
    model : estimator, Pipeline, Tree or result
        A fitted tree or ensemble (its importances), or a result with a picture, such as that of ``complexity_curve``,
        ``permutation_importance`` or ``work(..., what="distribution")``.
    ax : matplotlib Axes, default=None
        Where to draw; a new figure of a suitable size where not given.
    **options
        Options of ``show``, such as ``node``, ``depth``, ``lines`` and ``tree``; ``X`` and ``y`` are rows to show in
        the nodes.

    Returns
    -------
    matplotlib Axes
        The axes with the picture.

    Examples
    --------
    >>> from treewright import CARTClassifier, datasets, plot
    >>> X, y = datasets.play_tennis()
    >>> from matplotlib.figure import Figure
    >>> ax = plot(CARTClassifier(max_depth=2).fit(X, y), Figure().add_subplot())
    >>> len(ax.texts) > 0
    True
    """
    view = model if isinstance(model, Result) else show(model, **options)
    return view.plot(ax)
