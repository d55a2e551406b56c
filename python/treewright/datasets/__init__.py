"""Small built-in tables for examples and tests.

``play_tennis()`` and the like return features and labels for ``fit(X, y)``; ``load(name)`` returns the table with its
target, description and source.

Glossary: a column is *ignored* if it identifies a row, such as the number of a day: it is in the table but not a
feature.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from treewright.datasets._tables import TABLES
from treewright.errors import DataError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from treewright.table import Table

__all__ = ["Dataset", "golf", "load", "names", "near_cool", "play_tennis", "truth_table"]


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

    @property
    def features(self) -> Table:
        """All columns but the target and the ignored ones."""
        return self.table.drop((*self.ignore, self.target))

    @property
    def labels(self) -> NDArray[np.str_]:
        """The class of each row."""
        import numpy as np

        return np.array(self.table[self.target], dtype=np.str_)

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes in their declared order."""
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
        raise _unknown(name)
    from treewright.table import Series, Table

    text = TABLES[name]
    header, *rows = (line.split() for line in text.rows.strip().splitlines())
    cells = dict(zip(header, zip(*rows, strict=True), strict=True))
    series = [
        Series.of(column, values, text.levels[column])
        if column in text.levels
        else Series.of(column, map(float, values))
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
    )


def _unknown(name: str) -> DataError:
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


def play_tennis() -> tuple[Table, NDArray[np.str_]]:
    """Return the fourteen days of play-tennis: four weather columns, and Yes or No.

    Returns
    -------
    X : Table
        Outlook, Temperature, Humidity and Wind; the day's number is left out.
    y : ndarray of str
        Whether tennis was played.

    Examples
    --------
    >>> X, y = play_tennis()
    >>> X.shape, y[:3].tolist()
    ((14, 4), ['No', 'No', 'Yes'])
    """
    return _features_and_labels("play-tennis")


def golf() -> tuple[Table, NDArray[np.str_]]:
    """Return the same fourteen days with temperature and humidity as numbers.

    Returns
    -------
    X : Table
        outlook, temperature, humidity and windy.
    y : ndarray of str
        yes or no.

    Examples
    --------
    >>> X, y = golf()
    >>> X[:2].to_dict()["humidity"]
    [85.0, 90.0]
    """
    return _features_and_labels("golf")


def near_cool() -> tuple[Table, NDArray[np.str_]]:
    """Return seven rows of outlook, temp and routine.

    Returns
    -------
    X : Table
        outlook, temp and routine, two values each.
    y : ndarray of str
        Y or N.

    Examples
    --------
    >>> X, y = near_cool()
    >>> X["temp"].count("warm"), y.tolist().count("Y")
    (3, 3)
    """
    return _features_and_labels("near-cool")


def truth_table() -> tuple[Table, NDArray[np.str_]]:
    """Return the truth table of (A or B) and (A or C), eight rows.

    Returns
    -------
    X : Table
        A, B and C, each False or True as text.
    y : ndarray of str
        The value of the function.

    Examples
    --------
    >>> X, y = truth_table()
    >>> X["A"][4], y[4]
    ('True', np.str_('True'))
    """
    return _features_and_labels("truth-table")


def _features_and_labels(name: str) -> tuple[Table, NDArray[np.str_]]:
    dataset = load(name)
    return dataset.features, dataset.labels
