"""Which nodes rows go through, as a sparse matrix like that of scikit-learn's ``decision_path``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.tree import Tree

__all__ = ["path_matrix"]


def path_matrix(trees: Sequence[Tree], ends: NDArray[np.int64]) -> tuple[Any, NDArray[np.int64]]:
    """Return the nodes of each row in each tree, and where each tree begins among the columns.

    Parameters
    ----------
    trees : sequence of Tree
        The trees.
    ends : ndarray of shape (rows, trees)
        The node where each row ends in each tree.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets
    >>> X, y = datasets.play_tennis()
    >>> model = ID3Classifier().fit(X, y)
    >>> matrix, starts = path_matrix(model.trees_, model.apply(X[:1])[:, None])
    >>> matrix.indices.tolist(), starts.tolist()
    ([0, 1, 4], [0, 8])
    """
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped]

    rows = len(ends)
    starts = np.concatenate([[0], np.cumsum([tree.n_nodes for tree in trees])]).astype(np.int64)
    # One more entry than splits: the node where a row ends counts too.
    lengths = np.column_stack([t.depths[e] + 1 for t, e in zip(trees, ends.T, strict=True)])
    firsts = np.concatenate([[0], np.cumsum(lengths.ravel())]).astype(np.int64)
    indices = np.empty(firsts[-1], dtype=np.int64)
    for i, tree in enumerate(trees):
        node = ends[:, i].copy()
        place = firsts[1:].reshape(rows, -1)[:, i] - 1  # of each row's end, the last of its entries
        while len(node):
            indices[place] = starts[i] + node
            goes_on = node > 0
            node, place = tree.parents[node[goes_on]], place[goes_on] - 1
    begins = np.append(firsts[:-1].reshape(rows, -1)[:, 0], firsts[-1])
    ones = np.ones(len(indices), dtype=np.int64)
    return csr_matrix((ones, indices, begins), shape=(rows, int(starts[-1]))), starts
