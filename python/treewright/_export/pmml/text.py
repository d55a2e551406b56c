"""A PMML document in the making: XML, what the columns are, and the predicates that all models are made of.

Glossary: the *target* is the field of the answer; its name is one that no column has.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from functools import lru_cache
from xml.sax.saxutils import escape, quoteattr

from treewright import _core
from treewright._model.paths.ordered_tests import Above, Among, AtMost, Missing, Test
from treewright.schema import Column, Level, Schema

__all__ = ["Document", "data_type", "number", "value"]

SPACE = "http://www.dmg.org/PMML-4_4"


class Document:
    """One document."""

    def __init__(self, schema: Schema, title: str) -> None:
        self.schema, self.title = schema, title
        self._taken = set(schema.names)
        self._text = io.StringIO()
        self.target = self.free(schema.target or "prediction")

    def free(self, name: str) -> str:
        """Return a name that nothing else has."""
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name

    def begin(self, *, numbers: bool) -> None:
        """Write what stands before the model; levels that are numbers may stay numbers, compared as such."""
        self._text.write('<?xml version="1.0" encoding="utf-8"?>\n')
        self.open("PMML", xmlns=SPACE, version="4.4")
        self.open("Header", description=self.title)
        self.empty("Application", name="treewright", version=_core.__version__)
        self.close("Header")
        self.open("DataDictionary", numberOfFields=str(len(self.schema.columns) + 1))
        for column in self.schema.columns:
            plain = numbers and data_type(column.levels) == "double"
            self._field(column.name, column.levels if column.levels and not plain else None)
        self._field(self.target, self.schema.classes or None)
        self.close("DataDictionary")

    def end(self) -> str:
        """Write what stands behind the model, and return everything."""
        self.close("PMML")
        return self._text.getvalue()

    def _field(self, name: str, levels: tuple[Level, ...] | None) -> None:
        """Describe a column or the target."""
        if levels is None:
            self.empty("DataField", name=name, optype="continuous", dataType="double")
            return
        self.open("DataField", name=name, optype="categorical", dataType=data_type(levels))
        for level in levels:
            self.empty("Value", value=value(level))
        self.close("DataField")

    def function(self) -> str:
        """Return the name of what the model does."""
        return "classification" if self.schema.classes else "regression"

    def fields(self, names: Sequence[str], unseen: str = "asIs", *, target: bool = True) -> None:
        """Write the fields that a model reads, and what it makes of values never seen."""
        self.open("MiningSchema")
        for name in names:
            self.empty("MiningField", name=name, invalidValueTreatment=unseen)
        if target:
            self.empty("MiningField", name=self.target, usageType="target")
        self.close("MiningSchema")

    # ---- predicates

    def one_of(self, tests: Sequence[Test]) -> None:
        """Write that one of some tests holds; without any, that every row is meant."""
        if not tests:
            self.empty("True")
        elif len(tests) == 1:
            self.test(tests[0])
        else:
            self.compound("or", tests)

    def compound(self, word: str, tests: Sequence[Test]) -> None:
        """Write several tests at once."""
        self.open("CompoundPredicate", booleanOperator=word)
        for test in tests:
            self.test(test)
        self.close("CompoundPredicate")

    def test(self, test: Test) -> None:
        """Write one test."""
        column = self.schema.columns[test.feature]
        match test:
            case AtMost(threshold=threshold):
                self._simple(column.name, "lessOrEqual", number(threshold))
            case Above(threshold=threshold):
                self._simple(column.name, "greaterThan", number(threshold))
            case Among(codes=(code,)):
                self._simple(column.name, "equal", value(column.levels[code]))
            case Among(codes=codes):
                self._among(column, [value(column.levels[code]) for code in codes])
            case Missing():
                self.empty("SimplePredicate", field=column.name, operator="isMissing")

    def _simple(self, name: str, operator: str, said: str) -> None:
        self.empty("SimplePredicate", field=name, operator=operator, value=said)

    def _among(self, column: Column, values: list[str]) -> None:
        """Write a set of levels: plain words as an array; other arrays are read differently by different programs."""
        is_text = data_type(column.levels) == "string"
        if not values or (is_text and all(re.fullmatch(r"[\w.+-]+", v) for v in values)):
            self.open("SimpleSetPredicate", field=column.name, booleanOperator="isIn")
            self.open("Array", type="string" if is_text else "real", n=str(len(values)))
            self._text.write(escape(" ".join(values)))
            self.close("Array")
            self.close("SimpleSetPredicate")
            return
        self.open("CompoundPredicate", booleanOperator="or")
        for said in values:
            self._simple(column.name, "equal", said)
        self.close("CompoundPredicate")

    # ---- XML

    def open(self, word: str, **attributes: str) -> None:
        """Begin an element."""
        self._text.write(f"<{word}{_said(attributes)}>")

    def close(self, word: str) -> None:
        """End an element, and its line."""
        self._text.write(f"</{word}>\n")

    def empty(self, word: str, **attributes: str) -> None:
        """Write an element without content."""
        self._text.write(f"<{word}{_said(attributes)}/>\n")


# A large tree writes the same few names and figures again and again.
_quoted = lru_cache(1 << 16)(quoteattr)


def _said(attributes: dict[str, str]) -> str:
    return "".join(f" {name}={_quoted(said)}" for name, said in attributes.items())


def data_type(levels: tuple[Level, ...]) -> str:
    """Return what PMML calls the type of some levels."""
    if any(isinstance(level, str) for level in levels):
        return "string"
    kinds = {type(level) for level in levels}
    return "boolean" if kinds == {bool} else "integer" if kinds == {int} else "double"


def value(level: Level) -> str:
    """Write a level or an answer."""
    if isinstance(level, bool):
        return "true" if level else "false"
    return str(level) if isinstance(level, (str, int)) else number(level)


def number(x: float) -> str:
    """Write a number with all its digits."""
    return repr(float(x))
