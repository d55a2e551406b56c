"""A growing PMML document: XML, the fields, and the predicates that all models are made of.

Glossary: the *target* is the field of the prediction; no column has its name.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from xml.sax.saxutils import escape, quoteattr

from treewright import _core
from treewright._model.paths import Above, Among, AtMost, Missing, Test
from treewright.schema import Column, Level, Schema

__all__ = ["Document", "number", "value"]

NAMESPACE = "http://www.dmg.org/PMML-4_4"


class Document:
    """One document."""

    def __init__(self, schema: Schema, title: str) -> None:
        self.schema, self.title = schema, title
        self._taken = set(schema.names)
        self._others = {column.name: column.other for column in schema.columns if column.other}
        self._ordered = {column.name for column in schema.columns if column.order}
        self._text = io.StringIO()
        self.target = self.free_name(schema.target or "prediction")

    def free_name(self, name: str) -> str:
        """Return a name that no field has."""
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name

    def begin(self, *, numbers: bool) -> None:
        """Write what precedes the model; with ``numbers``, levels that are numbers are compared as such."""
        self._text.write('<?xml version="1.0" encoding="utf-8"?>\n')
        self.open("PMML", xmlns=NAMESPACE, version="4.4")
        with self.element("Header", description=self.title):
            self.empty("Application", name="treewright", version=_core.__version__)
        with self.element("DataDictionary", numberOfFields=str(len(self.schema.columns) + 1)):
            for column in self.schema.columns:
                plain = numbers and _data_type(column.levels) == "double"
                levels = column.levels or column.order
                self._write_field(column.name, () if plain else levels, ordered=bool(column.order))
            self._write_field(self.target, self.schema.classes)

    def end(self) -> str:
        """Write what follows the model, and return the document."""
        self.close("PMML")
        return self._text.getvalue()

    def _write_field(self, name: str, levels: tuple[Level, ...], *, ordered: bool = False) -> None:
        """Describe a column or the target."""
        if not levels:
            self.empty("DataField", name=name, optype="continuous", dataType="double")
            return
        kind = _data_type(levels)
        optype = "ordinal" if ordered else "categorical"
        with self.element("DataField", name=name, optype=optype, dataType=kind):
            for level in levels:
                self.empty("Value", value=value(level))

    @property
    def function(self) -> str:
        """PMML's word for the task."""
        return "classification" if self.schema.classes else "regression"

    def write_fields(
        self, names: Sequence[str], unseen: str = "asIs", *, target: bool = True
    ) -> None:
        """Write the fields that a model reads, and how it treats unseen categories."""
        with self.element("MiningSchema"):
            for name in names:
                if name in self._others:
                    self.empty(
                        "MiningField",
                        name=name,
                        invalidValueTreatment="asValue",
                        invalidValueReplacement=self._others[name],
                    )
                    continue
                treatment = "asMissing" if name in self._ordered else unseen
                self.empty("MiningField", name=name, invalidValueTreatment=treatment)
            if target:
                self.empty("MiningField", name=self.target, usageType="target")

    def write_score(self, c: Level, weight: float, share: float) -> None:
        """Write the training weight and the probability of a class."""
        self.empty(
            "ScoreDistribution",
            value=value(c),
            recordCount=number(weight),
            confidence=number(share),
            probability=number(share),
        )

    # ---- predicates

    def write_one_of(self, tests: Sequence[Test]) -> None:
        """Write that one of several tests holds; without tests, a predicate that always holds."""
        if not tests:
            self.empty("True")
        elif len(tests) == 1:
            self.write_test(tests[0])
        else:
            self.write_tests("or", tests)

    def write_tests(self, operator: str, tests: Sequence[Test]) -> None:
        """Write several tests joined by "and" or "or"."""
        with self.element("CompoundPredicate", booleanOperator=operator):
            for test in tests:
                self.write_test(test)

    def write_test(self, test: Test) -> None:
        """Write one test."""
        column = self.schema.columns[test.feature]
        match test:
            case AtMost(threshold=threshold) | Above(threshold=threshold) if column.order:
                below = math.floor(threshold) + 1
                is_low = isinstance(test, AtMost)
                levels = column.order[:below] if is_low else column.order[below:]
                self._write_among(column, [value(level) for level in levels])
            case AtMost(threshold=threshold):
                self._write_simple(column.name, "lessOrEqual", number(threshold))
            case Above(threshold=threshold):
                self._write_simple(column.name, "greaterThan", number(threshold))
            case Among(codes=(code,)):
                self._write_simple(column.name, "equal", value(column.levels[code]))
            case Among(codes=codes):
                self._write_among(column, [value(column.levels[code]) for code in codes])
            case Missing():
                self.empty("SimplePredicate", field=column.name, operator="isMissing")

    def _write_simple(self, name: str, operator: str, x: str) -> None:
        self.empty("SimplePredicate", field=name, operator=operator, value=x)

    def _write_among(self, column: Column, values: list[str]) -> None:
        """Write a set of levels: plain words as an array; programs disagree on how to read other arrays."""
        is_text = _data_type(column.levels or column.order) == "string"
        if not values or (is_text and all(re.fullmatch(r"[\w.+-]+", v) for v in values)):
            kind = "string" if is_text else "real"
            with (
                self.element("SimpleSetPredicate", field=column.name, booleanOperator="isIn"),
                self.element("Array", type=kind, n=str(len(values))),
            ):
                self._text.write(escape(" ".join(values)))
            return
        with self.element("CompoundPredicate", booleanOperator="or"):
            for x in values:
                self._write_simple(column.name, "equal", x)

    # ---- XML

    @contextmanager
    def element(self, tag: str, **attributes: str) -> Iterator[None]:
        """Write an element around what is written inside the ``with``."""
        self.open(tag, **attributes)
        yield
        self.close(tag)

    def open(self, tag: str, **attributes: str) -> None:
        """Begin an element. A tree may be deeper than the stack, so its nodes need ``open`` and ``close``."""
        self._text.write(f"<{tag}{_attributes(attributes)}>")

    def close(self, tag: str) -> None:
        """End an element and its line."""
        self._text.write(f"</{tag}>\n")

    def empty(self, tag: str, **attributes: str) -> None:
        """Write an element without content."""
        self._text.write(f"<{tag}{_attributes(attributes)}/>\n")


# A large tree writes the same few names and numbers again and again.
_quote = lru_cache(1 << 16)(quoteattr)


def _attributes(attributes: dict[str, str]) -> str:
    return "".join(f" {name}={_quote(text)}" for name, text in attributes.items())


def _data_type(levels: tuple[Level, ...]) -> str:
    """Return PMML's name for the type of some levels."""
    if any(isinstance(level, str) for level in levels):
        return "string"
    kinds = {type(level) for level in levels}
    return "boolean" if kinds == {bool} else "integer" if kinds == {int} else "double"


def value(level: Level) -> str:
    """Write a level or a class."""
    if isinstance(level, bool):
        return "true" if level else "false"
    return str(level) if isinstance(level, (str, int)) else number(level)


def number(x: float) -> str:
    """Write a number with all its digits."""
    return repr(float(x))
