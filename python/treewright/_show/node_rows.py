"""The rows of a table in the nodes of a tree, for the plots inside a picture.

A row that C4.5 divides counts in one of its leaves only, the one that most of it reaches.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._draw.excerpt import members
from treewright._draw.node_plots import Histogram, NodePlot, Plots, Points
from treewright._estimator.find import unwrap
from treewright._pruning.pruning_rows import read_labeled
from treewright._render.safe_text import visible
from treewright.schema import label
from treewright.tree import Tree

__all__ = ["plot_nodes"]

BINS = 24  # on both sides of a threshold together
MAX_BARS = 24  # categories
MAX_POINTS = 250  # of a node; of more rows, evenly spaced ones are drawn
LABEL = 12  # letters of a category
Numbers = NDArray[np.float64]


def plot_nodes(model: Any, tree: Tree, X: Any, y: Any) -> Plots:
    """Return a function from a node to the plot of its rows: a histogram for classes, points for a numeric target."""
    labeled = read_labeled(unwrap(model), X, y)
    ends = tree._forest.apply(tree._index, labeled.columns)
    target = np.asarray(labeled.target)
    span = (float(target.min()), float(target.max())) if len(target) else (0.0, 0.0)

    @cache
    def plot(node: int) -> NodePlot | None:
        below = np.zeros(tree.n_nodes, dtype=bool)
        below[members(tree, node)] = True
        here = below[ends]
        if not here.any():
            return None
        if not tree.n_children[node]:
            return None if tree.schema.classes else _leaf_points(target[here], span)
        at = int(tree.feature[node])
        column, values = tree.schema.columns[at], np.asarray(labeled.columns[at])[here]
        if column.kind != "numeric":
            places, count, labels = _bars(values, column.levels)
            known, threshold = places >= 0, None
            places = (places[known] + 0.5) / count
        else:
            known = ~np.isnan(values)
            places, count, labels, threshold = _bins(values[known], float(tree.threshold[node]))
        if not known.any():
            return None
        return (
            _histogram(
                places, target[here][known], len(tree.schema.classes), count, labels, threshold
            )
            if tree.schema.classes
            else _points(places, target[here][known], span, labels, threshold)
        )

    return plot


def _bars(codes: NDArray[Any], levels: Sequence[Any]) -> tuple[NDArray[Any], int, tuple[str, str]]:
    """Return the bar of each row, -1 for none: one for each category that occurs, the most frequent ones."""
    sizes = np.bincount(codes[codes < len(levels)], minlength=len(levels))
    kept = np.flatnonzero(sizes)
    if len(kept) > MAX_BARS:
        kept = np.sort(np.argsort(-sizes, kind="stable")[:MAX_BARS])
    places = np.full(len(levels) + 1, -1)
    places[kept] = np.arange(len(kept))
    names = [visible(label(levels[i]))[:LABEL] for i in kept.tolist()] or [""]
    return places[np.minimum(codes, len(levels))], max(1, len(kept)), (names[0], names[-1])


def _bins(values: Numbers, threshold: float) -> tuple[Numbers, int, tuple[str, str], float | None]:
    """Return where each number lies from 0 to 1, the number of bins, the ends, and where the threshold lies.

    The threshold is an edge of a bin, so no bin holds numbers of both sides.
    """
    if not len(values):
        return values, 1, ("", ""), None
    low, high = float(values.min()), float(values.max())
    ends = (_short(low), _short(high))
    if not high > low:
        return np.full(len(values), 0.5), 1, ends, None
    if not low <= threshold < high:
        return (values - low) / (high - low), BINS, ends, None
    left = min(max(1, round(BINS * (threshold - low) / (high - low))), BINS - 1)
    # Both sides are stretched a little, so that the threshold falls on the edge.
    share = left / BINS
    inside = values <= threshold
    lower = (values - low) / max(threshold - low, 1e-300) * share
    upper = share + (values - threshold) / (high - threshold) * (1 - share)
    places = np.where(inside, np.minimum(lower, np.nextafter(share, 0)), upper)
    return places, BINS, ends, share


def _histogram(
    places: Numbers,
    codes: NDArray[Any],
    classes: int,
    count: int,
    labels: tuple[str, str],
    threshold: float | None,
) -> Histogram:
    amounts = np.zeros((count, classes))
    bars = np.minimum((places * count).astype(np.int64), count - 1)
    np.add.at(amounts, (bars, codes.astype(np.int64)), 1.0)
    at = None if threshold is None else threshold * count
    return Histogram(tuple(map(tuple, amounts.tolist())), labels, at)


def _points(
    places: Numbers,
    target: Numbers,
    span: tuple[float, float],
    labels: tuple[str, str],
    threshold: float | None,
) -> Points:
    heights = _heights(target, span)
    means = [(0.0, 1.0, heights)]
    if threshold is not None:
        left = places < threshold
        means = [(0.0, threshold, heights[left]), (threshold, 1.0, heights[~left])]
    lines = tuple((start, end, float(part.mean())) for start, end, part in means if len(part))
    return Points(_thin(places, heights), lines, labels, threshold)


def _leaf_points(target: Numbers, span: tuple[float, float]) -> Points:
    """Return the rows of a leaf in their order along the axis: there is no column to show."""
    heights = np.sort(_heights(target, span))
    places = (np.arange(len(heights)) + 0.5) / len(heights)
    return Points(_thin(places, heights), ((0.0, 1.0, float(heights.mean())),), ("", ""))


def _heights(target: Numbers, span: tuple[float, float]) -> Numbers:
    low, high = span
    return np.full(len(target), 0.5) if not high > low else (target - low) / (high - low)


def _thin(places: Numbers, heights: Numbers) -> tuple[tuple[float, float], ...]:
    order = np.lexsort((heights, places))
    if len(order) > MAX_POINTS:
        order = order[np.linspace(0, len(order) - 1, MAX_POINTS).round().astype(np.int64)]
    return tuple(
        zip(places[order].round(4).tolist(), heights[order].round(4).tolist(), strict=True)
    )


def _short(number: float) -> str:
    """Write a number in few characters: 99,999 in full, others with four digits."""
    return f"{number:,.0f}" if number.is_integer() and abs(number) < 1e7 else f"{number:.4g}"
