"""The rows that come to a node of a fitted tree."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright._catalog import public
from treewright._estimator.find import transform_rows, unwrap
from treewright._utils.validation import check_integer
from treewright._work.dispatch import check_node
from treewright.errors import Hint, UsageError

__all__ = ["NodeRows", "rows_of"]


@public
class NodeRows(NamedTuple):
    """The rows of a node, made by :func:`treewright.rows_of`.

    Examples
    --------
    >>> rows = NodeRows(np.array([0, 2]), np.array([1.0, 0.5]))
    >>> len(rows.positions), float(rows.fractions.sum())
    (2, 1.5)
    """

    positions: NDArray[np.int64]  # of the rows in their table, from 0
    fractions: NDArray[np.float64]  # of each row that is here: less than 1 where rows are divided


def rows_of(model: Any, node: int, X: Any, *, tree: int | None = None) -> NodeRows:
    """Return the rows that come to a node of a fitted tree.

    C4.5 sends a row with a missing value to every branch, in fractions: such a row is in several nodes.

    Parameters
    ----------
    model : fitted estimator or Pipeline
        A tree, or a forest with ``tree``.
    node : int
        The node, numbered as in drawings. Not only leaves: all rows come to node 0.
    X : table
        Rows: those of the training, or others.
    tree : int, optional
        The tree of a model with several.

    Returns
    -------
    NodeRows
        ``positions`` of the rows in X, ascending, and the ``fractions`` of them that are in the node.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, rows_of
    >>> X, y = datasets.play_tennis()
    >>> rows_of(ID3Classifier().fit(X, y), 1, X).positions
    array([ 0,  1,  7,  8, 10])
    """
    trees = getattr(unwrap(model), "trees_", None)
    if trees is None:
        raise UsageError(
            f"there is no tree in a {type(unwrap(model)).__name__}", slug="show.no-tree"
        )
    place = check_integer("tree", 0 if tree is None else tree, minimum=0, maximum=len(trees) - 1)
    if tree is None and len(trees) > 1:
        raise UsageError(
            f"this model has {len(trees):,} trees",
            slug="usage.parameter",
            hints=[Hint(option="tree", value=0)],
        )
    chosen = trees[place]
    check_node(node, chosen.n_nodes - 1)
    columns = unwrap(model)._encode(transform_rows(model, X))
    rows, fractions = chosen._forest.rows_at(chosen._index, node, columns)
    return NodeRows(rows.astype(np.int64), fractions)
