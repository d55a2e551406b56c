"""Stratified folds and held-out rows.

Glossary: *codes* are the classes of the rows, or None if the target is a number; a *part* is an array of rows. The
*order* of the rows is random and depends on their content (``row_order``), so parts do not depend on positions, except
those of ``weka_folds``, which does what Weka does.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["folds", "held_out", "weka_folds"]

Rows = NDArray[np.int64]
Codes = NDArray[np.uint32] | None


def folds(codes: Codes, order: Rows, parts: int) -> list[Rows]:
    """Divide the rows into stratified parts along their order; each row is in one part.

    Examples
    --------
    >>> codes = np.array([0, 1, 0, 1], dtype=np.uint32)
    >>> [part.tolist() for part in folds(codes, np.array([2, 0, 3, 1]), 2)]
    [[2, 3], [0, 1]]
    """
    rows = _by_class(codes, order)
    return [np.sort(rows[first::parts]) for first in range(parts)]


def held_out(codes: Codes, order: Rows, share: float) -> Rows:
    """Choose rows to hold out along their order: at least one, and not all.

    Examples
    --------
    >>> len(held_out(None, np.arange(10), 0.3))
    3
    """
    by_class, rows = _by_class(codes, order), len(order)
    count = min(rows - 1, max(1, round(share * rows)))
    return np.sort(by_class[(2 * np.arange(count) + 1) * rows // (2 * count)])


def weka_folds(codes: NDArray[np.uint32], parts: int) -> list[Rows]:
    """Divide the rows as Weka stratifies them, without random numbers: sort by class, then take every n-th row.

    Weka sorts by swapping: the next row of the current class changes places with the row where it belongs. The folds
    depend on these swaps, so they are reproduced.

    Examples
    --------
    >>> [part.tolist() for part in weka_folds(np.array([0, 1, 0, 1, 1], dtype=np.uint32), 2)]
    [[0, 1, 4], [2, 3]]
    """
    order = list(range(len(codes)))
    classes = codes.tolist()
    place = 1
    while place < len(order):
        wanted = classes[order[place - 1]]
        for other in range(place, len(order)):
            if classes[order[other]] == wanted:
                order[place], order[other] = order[other], order[place]
                place += 1
        place += 1
    return [np.sort(np.array(order[first::parts], dtype=np.int64)) for first in range(parts)]


def _by_class(codes: Codes, order: Rows) -> Rows:
    """Sort the rows by class, in their order within a class: then every n-th row is a stratified sample."""
    return order if codes is None else order[np.argsort(codes[order], kind="stable")]
