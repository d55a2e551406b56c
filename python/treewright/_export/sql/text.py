"""SQL in three dialects: names and texts quoted by sqlglot, numbers without loss, tests."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from treewright._export.combined_model import refuse, refuse_mixed_types
from treewright._export.identifiers import cannot_be_c, refuse_texts, schema_texts
from treewright._export.sql.source_columns import write_date_cut, write_source
from treewright._model.paths import (
    Above,
    Among,
    AtMost,
    BranchTests,
    Codes,
    Interval,
    Region,
    Test,
    Values,
)
from treewright._utils.choices import DIALECTS
from treewright.errors import UsageError
from treewright.schema import Level, Schema

__all__ = ["Dialect", "indent", "restore_line_breaks"]

BREAK = "\0"
NAN = "'NaN'::float8"
EXACT_DIGITS = 15  # of a decimal that SQLite promises to read exactly


class Dialect:
    """One dialect, for the columns of one model in a table called ``t``."""

    def __init__(self, schema: Schema, dialect: str) -> None:
        if dialect not in DIALECTS:
            raise UsageError(
                f"unknown SQL dialect {dialect!r}",
                slug="export.dialect",
                hints=[f"dialects: {', '.join(DIALECTS)}"],
            )
        self.schema, self.dialect = schema, dialect
        import sqlglot

        self._sqlglot: Any = sqlglot
        self._refuse_texts()
        self._columns = [
            write_source(column, f"t.{self.name(column.source)}", dialect)
            for column in schema.columns
        ]

    @property
    def reads_amounts(self) -> bool:
        """Whether some column holds texts that are read as numbers."""
        meanings = (column.meaning for column in self.schema.columns)
        return any(m is not None and m.written in (".", ",") for m in meanings)

    def name(self, text: str) -> str:
        """Quote a name."""
        return self._quote(self._sqlglot.exp.to_identifier(text, quoted=True))

    def table(self, text: str) -> str:
        """Quote the name of a table, perhaps with a schema: ``main.loans``."""
        try:
            parsed = self._sqlglot.exp.to_table(text)
        except self._sqlglot.errors.SqlglotError:
            raise UsageError(f"{text!r} is not a valid table name", slug="usage") from None
        return self._quote(parsed, identify=True)

    def _quote(self, quoted: Any, **settings: Any) -> str:
        """Write a quoted name or text; its line breaks are hidden from ``indent`` (no text holds NUL)."""
        return str(quoted.sql(dialect=self.dialect, **settings)).replace("\n", BREAK)

    def value(self, level: Level) -> str:
        """Write a category or a class."""
        if isinstance(level, bool):
            return "TRUE" if level else "FALSE"
        if isinstance(level, str):
            return self._quote(self._sqlglot.exp.Literal.string(level))
        return str(level) if isinstance(level, int) else self.number(level)

    def number(self, x: float) -> str:
        """Write a number so that the database reads the same double."""
        text = repr(float(x))
        if self.dialect == "postgres":
            return f"'{text}'::float8"
        if self.dialect == "duckdb":  # without an exponent it would be a decimal
            return text if "e" in text else f"{text}e0"
        digits = text.partition("e")[0].replace(".", "").strip("-0")
        return text if len(digits) <= EXACT_DIGITS else _fraction(x)

    def test(self, test: Test) -> str:
        """Write a test that does not hold for a missing value."""
        column = self._columns[test.feature]
        match test:
            case AtMost(threshold=threshold) | Above(threshold=threshold) if self._order(
                test.feature
            ):
                below = math.floor(threshold) + 1
                codes = range(len(self._order(test.feature)))
                return self._among(
                    test.feature, codes[:below] if isinstance(test, AtMost) else codes[below:]
                )
            case AtMost(threshold=threshold):
                return f"{column} <= {self._cut(test.feature, threshold)}"
            case Above(threshold=threshold):
                return (
                    f"{column} > {self._cut(test.feature, threshold)}{self._no_nan(test.feature)}"
                )
            case Among(feature=feature, codes=codes):
                return self._among(feature, codes)
            case _:
                return self._is_missing(test.feature)

    def _order(self, feature: int) -> tuple[Level, ...]:
        """Return the ordered categories of a column that the table itself holds; parts of dates are numbers."""
        column = self.schema.columns[feature]
        return () if column.part else column.order

    def _cut(self, feature: int, threshold: float) -> str:
        column = self.schema.columns[feature]
        if column.is_date:
            return write_date_cut(column, threshold, self.dialect)
        return self.number(threshold)

    def one_of(self, tests: Sequence[Test]) -> str:
        """Write that one of several tests holds."""
        return " OR ".join(map(self.test, tests))

    def next_node(self, splits: Sequence[BranchTests]) -> str:
        """Write the number of the node that a row goes to."""
        whens = [
            f"WHEN {self.one_of(branch.tests)} THEN {branch.goes}"
            for branch in splits
            if branch.tests
        ]
        last = str(splits[-1].goes)
        return f"CASE {' '.join(whens)} ELSE {last} END" if whens else last

    def in_region(self, region: Region) -> str:
        """Write that a row lies in a region; nothing if every row does."""
        tests = (self._within(feature, values) for feature, values in region.items())
        return " AND ".join(test for test in tests if test)

    def _within(self, feature: int, values: Values) -> str:
        """Write that a value belongs to a set; nothing if every value does."""
        missing = self._is_missing(feature)
        test: str | None
        match values:
            case Interval():
                test = self._interval(feature, values)
            case Codes():
                test = self._codes(feature, values)
        if test is None:
            return missing
        if test == "":
            return "" if values.missing else f"NOT {missing}"
        return f"({test} OR {missing})" if values.missing else test

    def _interval(self, feature: int, values: Interval) -> str | None:
        """Write the bounds of a number; None if the interval is empty."""
        if values.low >= values.high:
            return None
        bounds = []
        if values.low > -math.inf:
            bounds.append(self.test(Above(feature, values.low)))
        if values.high < math.inf:
            bounds.append(self.test(AtMost(feature, values.high)))
        return " AND ".join(bounds)

    def _codes(self, feature: int, values: Codes) -> str | None:
        """Write the levels; None if the set is empty."""
        codes = range(len(self.schema.columns[feature].levels))
        inside = [code for code in codes if values.has(code)]
        if not values.unseen:
            return self._among(feature, inside) if inside else None
        outside = [code for code in codes if not values.has(code)]
        return (
            f"{self._among(feature, outside, 'NOT IN')}{self._no_nan(feature)}" if outside else ""
        )

    def _among(self, feature: int, codes: Sequence[int], word: str = "IN") -> str:
        column = self._columns[feature]
        if self.schema.columns[feature].other:
            last = len(self.schema.columns[feature].levels) - 1
            if last in codes:  # all values but those outside
                codes = [code for code in range(last) if code not in codes]
                word = "NOT IN" if word == "IN" else "IN"
            if not codes:
                return f"{column} IS {'NOT ' if word == 'NOT IN' else ''}NULL"
        levels = self.schema.columns[feature].levels or self._order(feature)
        values = [self.value(levels[code]) for code in codes]
        if len(values) == 1:
            return f"{column} {'=' if word == 'IN' else '<>'} {values[0]}"
        return f"{column} {word} ({', '.join(values)})"

    def _is_missing(self, feature: int) -> str:
        column, order = self._columns[feature], self._order(feature)
        if order:  # an unseen category is treated as missing
            return f"({column} IS NULL OR {self._among(feature, range(len(order)), 'NOT IN')})"
        if not self._may_be_nan(feature):
            return f"{column} IS NULL"
        return f"({column} IS NULL OR {column} = {NAN})"

    def _no_nan(self, feature: int) -> str:
        # NaN is greater than all numbers.
        return f" AND {self._columns[feature]} < {NAN}" if self._may_be_nan(feature) else ""

    def _may_be_nan(self, feature: int) -> bool:
        """Whether a column may hold NaN besides NULL; in SQLite it never does."""
        column = self.schema.columns[feature]
        if column.meaning is not None:
            return False
        levels = column.levels
        numbers = not any(isinstance(level, (str, bool)) for level in levels)
        return numbers and self.dialect != "sqlite"

    def _refuse_texts(self) -> None:
        schema = self.schema
        refuse_mixed_types("SQL", schema, ", which no SQL column does")
        refuse_texts("SQL", schema_texts(schema), cannot_be_c)
        if "" in schema.names:
            raise refuse("SQL", "a column has no name")
        folded = [name.casefold() for name in schema.names]
        if self.dialect != "postgres" and len(set(folded)) < len(folded):
            one, other = [n for n in schema.names if folded.count(n.casefold()) > 1][:2]
            raise refuse(
                self.dialect, f'"{one}" and "{other}" are one name there, which ignores case'
            )


def restore_line_breaks(text: str) -> str:
    """Return a query with the line breaks of its names and texts restored."""
    return text.replace(BREAK, "\n")


def indent(text: str, levels: int = 1) -> str:
    """Indent all lines of a text but the first."""
    return text.replace("\n", "\n" + "  " * levels)


def _fraction(x: float) -> str:
    """Write a double as an integer and powers of two: exact where a decimal is not."""
    mantissa, exponent = math.frexp(x)
    text, exponent = f"({int(mantissa * 2**53)} * 1.0", exponent - 53
    while exponent:
        step = max(-62, min(62, exponent))
        text += f" {'*' if step > 0 else '/'} {2 ** abs(step)}"
        exponent -= step
    return f"{text})"
