"""A built-in table with what is known about it, by its name; :mod:`treewright.datasets` has one function a table."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treewright.datasets._tables import TABLES, TableText
from treewright.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from treewright.table import Table

__all__ = ["Dataset", "load", "names"]


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """A built-in table and what is known about it.

    Parameters
    ----------
    name : str
        Its name for :func:`load`.
    title : str
        The question that it answers.
    table : Table
        All its columns, the target included, with their declared levels.
    target : str
        The column to predict; its first level is the positive class.
    description : str
        What it is about.
    source : str
        Its origin.
    ignore : tuple of str, default=()
        Columns that identify a row and are not features.
    license : str, default=""
        The license of the data.

    Examples
    --------
    >>> golf = load("golf")
    >>> golf.target, golf.table.shape
    ('play', (14, 5))
    """

    name: str
    title: str
    table: Table
    target: str
    description: str
    source: str
    ignore: tuple[str, ...] = ()
    license: str = ""

    @property
    def features(self) -> Table:
        """All columns but the target and the ignored ones."""
        return self.table.drop((*self.ignore, self.target))

    @property
    def labels(self) -> NDArray[Any]:
        """The class of each row, or the number that is to be predicted."""
        import numpy as np

        target = self.table.column(self.target)
        return np.array(target.values(), dtype=np.float64 if target.kind == "numeric" else np.str_)

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes in their declared order; none for a target of numbers."""
        return tuple(str(level) for level in self.table.column(self.target).levels)


def names() -> list[str]:
    """List the built-in tables.

    Examples
    --------
    >>> names()[:2]
    ['play-tennis', 'golf']
    """
    return list(TABLES)


def load(name: str) -> Dataset:
    """Return a built-in table by its name.

    Parameters
    ----------
    name : str
        One of :func:`names`.

    Returns
    -------
    Dataset
        The table, its target and its description.

    Raises
    ------
    DataError
        No table has that name.

    Examples
    --------
    >>> tennis = load("play-tennis")
    >>> tennis.target, tennis.classes, tennis.ignore
    ('PlayTennis', ('Yes', 'No'), ('Day',))
    """
    if name not in TABLES:
        raise unknown_table(name)
    from treewright.table import Series, Table

    text = TABLES[name]
    header, *rows = read_cells(name, text)
    cells = dict(zip(header, zip(*rows, strict=True), strict=True))
    series = [
        Series.of(column, [value or None for value in values], text.levels[column])
        if column in text.levels
        else Series.of(column, [float(value) if value else None for value in values])
        for column, values in cells.items()
    ]
    return Dataset(
        name=name,
        title=text.title,
        table=Table(series),
        target=text.target,
        description=text.description,
        source=text.source,
        ignore=text.ignore,
        license=text.license,
    )


def read_cells(name: str, text: TableText) -> list[list[str]]:
    """Return the rows of a table as text, the names of its columns first."""
    if text.rows:
        return [line.split() for line in text.rows.strip().splitlines()]
    path = Path(__file__).parent / "tables" / f"{name}.csv"
    return [line.split(",") for line in path.read_text("utf-8").splitlines()]


def unknown_table(name: str) -> DataError:
    """Return the error for a name that no table has, with the nearest name."""
    from difflib import get_close_matches

    close = get_close_matches(str(name).lower().replace("_", "-"), names(), n=1, cutoff=0.5)
    return DataError(
        f'there is no built-in table "{repr(name)[1:-1]}"',
        slug="data.no-such-table",
        hints=[
            *(f'did you mean "{match}"?' for match in close),
            f"built-in tables: {', '.join(names())}",
        ],
    )
