"""Dividing rows into parts, each with the classes in the shares of the whole table, as far as whole rows allow.

Glossary: *codes* are the classes of the rows, or None where the target is a number; a *part* is an array of rows. The
*order* of the rows is random and follows from what they hold (``row_order``), so parts do not depend on where rows
stand; but for ``dealt``, which does what Weka does.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["dealt", "folds", "held_out"]

Rows = NDArray[np.int64]
Codes = NDArray[np.uint32] | None


def folds(codes: Codes, order: Rows, parts: int) -> list[Rows]:
    """Divide the rows into parts along their order; each row is in one part.

    Examples
    --------
    >>> codes = np.array([0, 1, 0, 1], dtype=np.uint32)
    >>> [part.tolist() for part in folds(codes, np.array([2, 0, 3, 1]), 2)]
    [[2, 3], [0, 1]]
    """
    line = _line(codes, order)
    return [np.sort(line[first::parts]) for first in range(parts)]


def held_out(codes: Codes, order: Rows, share: float) -> Rows:
    """Choose rows to hold out along their order: at least one, and not all.

    Examples
    --------
    >>> len(held_out(None, np.arange(10), 0.3))
    3
    """
    line, rows = _line(codes, order), len(order)
    count = min(rows - 1, max(1, round(share * rows)))
    return np.sort(line[(2 * np.arange(count) + 1) * rows // (2 * count)])


def dealt(codes: NDArray[np.uint32], parts: int) -> list[Rows]:
    """Deal the rows out without chance, as Weka stratifies: the rows of a class stand together, every n-th is a part's.

    The rows come to stand together by swapping: the next row of the class at hand changes places with whatever stands
    where it should be. Which rows end up in a part depends on just that, so it is kept.

    Examples
    --------
    >>> [part.tolist() for part in dealt(np.array([0, 1, 0, 1, 1], dtype=np.uint32), 2)]
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


def _line(codes: Codes, order: Rows) -> Rows:
    """Line the rows up class by class, in their order within a class: every even choice then has all classes."""
    return order if codes is None else order[np.argsort(codes[order], kind="stable")]
