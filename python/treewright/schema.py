"""What a model knows about the columns it reads and the target it predicts.

A schema is names, kinds, levels and classes: plain values, no data. It is stored in the model file, so a model
reads columns by name and categories by value, never by a code that another table may number differently.

Glossary: a *level* is one possible value of a categorical column; *declared* order is the order in which a
container (pandas ``Categorical``, Polars ``Enum``, a built-in table) lists the levels, otherwise they are sorted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

__all__ = ["Column", "Level", "Schema", "label"]

Level = str | bool | int | float
Kind = Literal["numeric", "categorical"]


def label(value: Level) -> str:
    """Write a level or class the way every view shows it.

    Examples
    --------
    >>> label("sunny"), label(3.0), label(0.1), label(True)
    ('sunny', '3', '0.1', 'True')
    """
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e16:
        return str(int(value))
    return str(value)


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

    Examples
    --------
    >>> Column("Wind", "categorical", ("Weak", "Strong")).levels
    ('Weak', 'Strong')
    """

    name: str
    kind: Kind
    levels: tuple[Level, ...] = ()


@dataclass(frozen=True, slots=True)
class Schema:
    """The columns that a model reads and the target that it predicts.

    Parameters
    ----------
    columns : tuple of Column
        The features, in the order of the training table.
    target : str or None, default=None
        The target's name, where it had one.
    classes : tuple, default=()
        The classes in the order in which ties go to the first; empty for a number.
    costs : tuple of tuples of float, default=()
        What each answer (column) costs where each class (row) is true, in the order of the classes; the answer is then
        the one with the least expected cost. Empty where every mistake costs the same.

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
        columns = [
            {"name": c.name, "kind": c.kind}
            | ({"levels": list(c.levels)} if c.kind == "categorical" else {})
            for c in self.columns
        ]
        document: dict[str, Any] = {"columns": columns, "target": self.target}
        if self.classes:
            document["classes"] = list(self.classes)
        if self.costs:
            document["costs"] = [list(row) for row in self.costs]
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
        columns = tuple(
            Column(c["name"], c["kind"], tuple(c.get("levels", ()))) for c in document["columns"]
        )
        costs = tuple(tuple(row) for row in document.get("costs", ()))
        classes = tuple(document.get("classes", ()))
        for values in (classes, *(column.levels for column in columns)):
            if any(isinstance(value, int) and abs(value) >= 2**64 for value in values):
                raise ValueError("a level or a class is a larger number than training takes")
        return cls(columns, document["target"], classes, costs)
