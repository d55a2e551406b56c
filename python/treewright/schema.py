"""The schema of a model: the columns that it reads and the target that it predicts.

A schema holds names, kinds, levels and classes, no data. It is stored in the model file: a model reads columns by name
and categories by value, never by a code that another table may number differently.

Glossary: a *level* is a possible value of a categorical column. Levels are in the order in which a container (pandas
``Categorical``, Polars ``Enum``, a built-in table) *declares* them, otherwise sorted.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeVar

from treewright._catalog import public

__all__ = ["Column", "Level", "Meaning", "Schema", "label"]

Level = str | bool | int | float
Kind = Literal["numeric", "categorical"]
T = TypeVar("T")


def label(value: Level) -> str:
    """Write a level or class as every view does.

    Examples
    --------
    >>> label("sunny"), label(3.0), label(0.1), label(True)
    ('sunny', '3', '0.1', 'True')
    """
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e16:
        return str(int(value))
    return str(value)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What the numbers of a column stand for, if they are not plain numbers of the table itself.

    Parameters
    ----------
    order : tuple, default=()
        Ordered categories: the numbers are positions in it.
    part : {"", "dates", "date", "time", "year", "month", "day", "weekday", "hour"}, default=""
        The part of a date: "date" is whole days since 1970-01-01, "time" days with the time of day. "dates" marks texts
        that are dates.
    source : str, default=""
        The column that holds the dates; empty if it has the same name.
    written : {"", ".", ",", "ymd", "dmy", "mdy"}, default=""
        How texts are written: the decimal mark of amounts (``$1,542.58``), or the order of day, month and year.
    other : str, default=""
        The category, the last one, that stands for all values that are not categories of their own; as text, even if
        the categories are numbers.

    Examples
    --------
    >>> Meaning(order=("S", "M", "L")).to_dict()
    {'order': ['S', 'M', 'L']}
    """

    order: tuple[Level, ...] = ()
    part: str = ""
    source: str = ""
    written: str = ""
    other: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the meaning as plain values, without what is empty."""
        values = {"order": list(self.order), "part": self.part}
        values |= {"source": self.source, "written": self.written, "other": self.other}
        return {name: value for name, value in values.items() if value}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Meaning:
        """Rebuild a meaning from :meth:`to_dict`; every value is checked.

        Examples
        --------
        >>> Meaning.from_dict({"part": "year", "source": "signup"}).source
        'signup'
        """
        meaning = cls(**{**document, "order": tuple(document.get("order", ()))})
        valid = meaning.part in PARTS and meaning.written in WRITTEN
        valid = valid and len(meaning.order) < MAX_ORDER
        valid = valid and isinstance(meaning.source, str) and isinstance(meaning.other, str)
        if not valid or not all(
            isinstance(level, (str, bool, int, float)) for level in meaning.order
        ):
            raise ValueError("a column has a meaning that no fit gives it")
        return meaning


PARTS = ("", "dates", "date", "time", "year", "month", "day", "weekday", "hour")
WRITTEN = ("", ".", ",", "ymd", "dmy", "mdy")
MAX_ORDER = 1 << 24  # positions are exact in single precision


def restore_fields(value: Any, state: list[Any]) -> None:
    """Give a value of a dataclass the fields of a pickle; one of an earlier version has no values for the last."""
    for i, each in enumerate(fields(value)):
        object.__setattr__(value, each.name, state[i] if i < len(state) else each.default)


def reads_old_pickles(kind: type[T]) -> type[T]:
    """Let a dataclass restore pickles of earlier versions.

    It stands above ``@dataclass(slots=True)``, which replaces such a method in Python 3.11.0 to 3.11.2.
    """
    kind.__setstate__ = restore_fields  # type: ignore[attr-defined]
    return kind


@reads_old_pickles
@dataclass(frozen=True, slots=True)
class Column:
    """One column that a model reads.

    Parameters
    ----------
    name : str
        The column's name.
    kind : {"numeric", "categorical"}
        Numbers that are compared with thresholds, or categories.
    levels : tuple, default=()
        The possible values of a categorical column, in their declared or sorted order.
    missing : bool, default=True
        False if no value was missing in training: views then do not mention missing values.
    decimals : int or None, default=None
        The decimals with which every training value can be written; None if these are many, or unknown.
    single : bool, default=False
        Whether the training values, and their decimals, are those of single precision.
    cut_decimals : int or None, default=None
        The decimals to which thresholds can be rounded up and still split the training values the same way, if the
        values have too many decimals.
    meaning : Meaning or None, default=None
        What the numbers stand for: ordered categories, parts of a date, amounts that are written with signs.

    Notes
    -----
    ``missing``, ``decimals``, ``single`` and ``cut_decimals`` are notes for views: columns that differ only in them are
    equal. They are in the schema of a fitted tree (``model.tree_.schema``); a small fit computes them when its tree is
    first read.

    Examples
    --------
    >>> Column("Wind", "categorical", ("Weak", "Strong")).levels
    ('Weak', 'Strong')
    """

    name: str
    kind: Kind
    levels: tuple[Level, ...] = ()
    missing: bool = field(default=True, compare=False)
    decimals: int | None = field(default=None, compare=False)
    single: bool = field(default=False, compare=False)
    cut_decimals: int | None = field(default=None, compare=False)
    meaning: Meaning | None = None

    @property
    def order(self) -> tuple[Level, ...]:
        """The ordered categories whose positions the numbers are; empty for other columns."""
        return () if self.meaning is None else self.meaning.order

    @property
    def other(self) -> str:
        """The category that stands for all values that are not categories of their own; empty if there is none."""
        return "" if self.meaning is None else self.meaning.other

    @property
    def part(self) -> str:
        """The part of a date that the numbers are; empty for other columns."""
        return "" if self.meaning is None else self.meaning.part

    @property
    def is_date(self) -> bool:
        """Whether the numbers are days, with or without the time of day."""
        return self.part in ("date", "time")

    @property
    def in_words(self) -> bool:
        """Whether the numbers stand for something that is written in words: ordered categories and dates."""
        return bool(self.order) or self.is_date

    @property
    def source(self) -> str:
        """The column of the user's table that the values come from."""
        return self.name if self.meaning is None else self.meaning.source or self.name

    def to_dict(self) -> dict[str, Any]:
        """Return the column as plain values, without notes that have their default value.

        Examples
        --------
        >>> Column("age", "numeric", missing=False, decimals=0).to_dict()
        {'name': 'age', 'kind': 'numeric', 'missing': False, 'decimals': 0}
        """
        document: dict[str, Any] = {"name": self.name, "kind": self.kind}
        if self.kind == "categorical":
            document["levels"] = list(self.levels)
        if self.meaning is not None:
            document["meaning"] = self.meaning.to_dict()
        notes = {name: getattr(self, name) for name in NOTES}
        return document | {name: value for name, value in notes.items() if value != NOTES[name]}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Column:
        """Rebuild a column from :meth:`to_dict`; every note is checked.

        Examples
        --------
        >>> Column.from_dict({"name": "age", "kind": "numeric", "decimals": 1}).decimals
        1
        """
        notes = {name: document.get(name, default) for name, default in NOTES.items()}
        for name, note in notes.items():
            if name in ("missing", "single"):
                valid = isinstance(note, bool)
            else:
                valid = note is None or (type(note) is int and 0 <= note <= 20)
            if not valid:
                raise ValueError(f"a column cannot have {name} {note!r}")
        if "meaning" in document:
            notes["meaning"] = Meaning.from_dict(document["meaning"])
            other = notes["meaning"].other
            if other and [str(x) for x in document.get("levels", ())[-1:]] != [other]:
                raise ValueError("a column has other values that are not its last level")
        return cls(document["name"], document["kind"], tuple(document.get("levels", ())), **notes)


# The notes on a column for views, with their defaults.
NOTES: dict[str, Any] = {"missing": True, "decimals": None, "single": False, "cut_decimals": None}


@public
@reads_old_pickles
@dataclass(frozen=True, slots=True)
class Schema:
    """The columns that a model reads and the target that it predicts.

    Parameters
    ----------
    columns : tuple of Column
        The features, in the order of the training table.
    target : str or None, default=None
        The target's name, if it has one.
    classes : tuple, default=()
        The classes in the order that decides ties; empty for a number.
    costs : tuple of tuples of float, default=()
        The cost of each prediction (column) for each true class (row), in the order of the classes; the class with the
        least expected cost is predicted. Empty if all errors cost the same.
    smoothing : "laplace", float or None, default=None
        How the class probabilities of nodes are smoothed; None if they are the proportions of the training rows.

    Examples
    --------
    >>> wind = Column("Wind", "categorical", ("Weak", "Strong"))
    >>> Schema((wind,), "Play", ("No", "Yes")).names
    ('Wind',)
    """

    columns: tuple[Column, ...]
    target: str | None = None
    classes: tuple[Level, ...] = ()
    costs: tuple[tuple[float, ...], ...] = ()
    smoothing: str | float | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    def to_dict(self) -> dict[str, Any]:
        """Return the schema as plain values, the form that model files hold.

        Examples
        --------
        >>> Schema((Column("a", "numeric"),), "b").to_dict()
        {'columns': [{'name': 'a', 'kind': 'numeric'}], 'target': 'b'}
        """
        columns = [column.to_dict() for column in self.columns]
        document: dict[str, Any] = {"columns": columns, "target": self.target}
        if self.classes:
            document["classes"] = list(self.classes)
        if self.costs:
            document["costs"] = [list(row) for row in self.costs]
        if self.smoothing is not None:
            document["smoothing"] = self.smoothing
        return document

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Schema:
        """Rebuild a schema from :meth:`to_dict`.

        Examples
        --------
        >>> s = Schema((Column("a", "categorical", ("x", "y")),), "b", (0, 1))
        >>> Schema.from_dict(s.to_dict()) == s
        True
        """
        columns = tuple(map(Column.from_dict, document["columns"]))
        costs = tuple(tuple(row) for row in document.get("costs", ()))
        classes = tuple(document.get("classes", ()))
        for values in (classes, *((*column.levels, *column.order) for column in columns)):
            if any(isinstance(value, int) and abs(value) >= 2**64 for value in values):
                raise ValueError("a level or a class is a larger number than training accepts")
        smoothing = document.get("smoothing")
        if smoothing not in (None, "laplace") and not 0 <= smoothing < math.inf:
            raise ValueError("the smoothing of the probabilities is unknown")
        return cls(columns, document["target"], classes, costs, smoothing)
