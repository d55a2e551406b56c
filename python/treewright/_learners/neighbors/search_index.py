"""The index of training rows; that of a small table is built at the first search, so that fitting takes no longer."""

from __future__ import annotations

from treewright import _core
from treewright._learners.neighbors.metric import Space, SpaceRows

__all__ = ["SearchIndex"]

MAX_CELLS_LATER = (
    1 << 16
)  # a larger table is indexed at once: fitting, not the first prediction, takes the time


class SearchIndex:
    """An index of rows in a space.

    Parameters
    ----------
    space : Space
        The distance.
    rows : SpaceRows
        The rows.
    threads : int
        How many threads build it; 0 for all available ones.
    """

    def __init__(self, space: Space, rows: SpaceRows, threads: int) -> None:
        self._space, self._threads = space, threads
        self._rows: SpaceRows | None = rows
        self._built: _core.Neighbors | None = None
        if rows.numbers.size + len(rows) * len(rows.codes) > MAX_CELLS_LATER:
            self.built()
        else:
            # Codes may be those of the caller, who may change them.
            self._rows = SpaceRows(rows.numbers, [codes.copy() for codes in rows.codes])

    def built(self) -> _core.Neighbors:
        """Return the index to search in."""
        # Another thread may build it meanwhile: the rows go when the index is there, so they are read first.
        rows, built = self._rows, self._built
        if built is None:
            assert rows is not None
            built = self._space.index(rows, self._threads)
            self._built, self._rows = built, None
        return built
