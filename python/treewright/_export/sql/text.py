"""The words of SQL in three dialects: names and texts quoted by sqlglot, numbers that stay what they are, tests."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from treewright._export.combined_model import refuse
from treewright._export.identifiers import extra, no_text_of_c, refuse_texts
from treewright._model.paths.ordered_tests import Above, Among, AtMost, BranchTests, Test
from treewright._model.paths.regions import Codes, Interval, Values
from treewright.errors import UsageError
from treewright.schema import Level, Schema

__all__ = ["DIALECTS", "Words", "finished", "shifted"]

DIALECTS = ("duckdb", "postgres", "sqlite")
BREAK = "\0"
NAN = "'NaN'::float8"
EXACT = 15  # digits of a decimal that SQLite promises to read exactly


class Words:
    """One dialect, with the columns of one model, which stand in a table called ``t``."""

    def __init__(self, schema: Schema, dialect: str) -> None:
        if dialect not in DIALECTS:
            raise UsageError(
                f"there is no dialect {dialect!r}",
                slug="export.dialect",
                hints=[f"dialects: {', '.join(DIALECTS)}"],
            )
        self.schema, self.dialect = schema, dialect
        self._sqlglot = extra("sqlglot", "sql")
        self._refuse_texts()
        self._columns = [f"t.{self.name(column.name)}" for column in schema.columns]

    def name(self, text: str) -> str:
        """Quote a name."""
        return self._held(self._sqlglot.exp.to_identifier(text, quoted=True))

    def table(self, text: str) -> str:
        """Quote the name of a table, which may stand in a schema: ``main.loans``."""
        try:
            parsed = self._sqlglot.exp.to_table(text)
        except self._sqlglot.errors.SqlglotError:
            raise UsageError(f"{text!r} is no name of a table", slug="usage") from None
        return self._held(parsed, identify=True)

    def _held(self, quoted: Any, **settings: Any) -> str:
        """Write what is quoted, with its line breaks hidden from indenting; no text holds NUL."""
        return str(quoted.sql(dialect=self.dialect, **settings)).replace("\n", BREAK)

    def value(self, level: Level) -> str:
        """Write a category or a class."""
        if isinstance(level, bool):
            return "TRUE" if level else "FALSE"
        if isinstance(level, str):
            return self._held(self._sqlglot.exp.Literal.string(level))
        return str(level) if isinstance(level, int) else self.number(level)

    def number(self, x: float) -> str:
        """Write a number so that the database reads the very same double."""
        text = repr(float(x))
        if self.dialect == "postgres":
            return f"'{text}'::float8"
        if self.dialect == "duckdb":  # without an exponent it would be a decimal
            return text if "e" in text else f"{text}e0"
        digits = text.partition("e")[0].replace(".", "").strip("-0")
        return text if len(digits) <= EXACT else _fraction(x)

    def test(self, test: Test) -> str:
        """Write a test; it is not true of a missing value."""
        column = self._columns[test.feature]
        match test:
            case AtMost(threshold=threshold):
                return f"{column} <= {self.number(threshold)}"
            case Above(threshold=threshold):
                return f"{column} > {self.number(threshold)}{self._no_nan(test.feature)}"
            case Among(feature=feature, codes=codes):
                return self._among(feature, codes)
            case _:
                return self._absent(test.feature)

    def one_of(self, tests: Sequence[Test]) -> str:
        """Write that one of some tests holds."""
        return " OR ".join(map(self.test, tests))

    def choice(self, splits: Sequence[BranchTests]) -> str:
        """Write the number of the node that a row goes to."""
        whens = [
            f"WHEN {self.one_of(branch.tests)} THEN {branch.goes}"
            for branch in splits
            if branch.tests
        ]
        last = str(splits[-1].goes)
        return f"CASE {' '.join(whens)} ELSE {last} END" if whens else last

    def within(self, feature: int, values: Values) -> str:
        """Write that a value belongs to a set; nothing where every value does."""
        absent = self._absent(feature)
        known = (
            self._span(feature, values)
            if isinstance(values, Interval)
            else self._codes(feature, values)
        )
        if known is None:
            return absent
        if known == "":
            return "" if values.missing else f"NOT {absent}"
        return f"({known} OR {absent})" if values.missing else known

    def _span(self, feature: int, values: Interval) -> str | None:
        """Write the bounds of a number; None where no number belongs to the set."""
        if values.low >= values.high:
            return None
        bounds = []
        if values.low > -math.inf:
            bounds.append(self.test(Above(feature, values.low)))
        if values.high < math.inf:
            bounds.append(self.test(AtMost(feature, values.high)))
        return " AND ".join(bounds)

    def _codes(self, feature: int, values: Codes) -> str | None:
        """Write the levels; None where no value belongs to the set."""
        every = range(len(self.schema.columns[feature].levels))
        inside = [code for code in every if values.has(code)]
        if not values.unseen:
            return self._among(feature, inside) if inside else None
        outside = [code for code in every if not values.has(code)]
        return (
            f"{self._among(feature, outside, 'NOT IN')}{self._no_nan(feature)}" if outside else ""
        )

    def _among(self, feature: int, codes: Sequence[int], word: str = "IN") -> str:
        column, levels = self._columns[feature], self.schema.columns[feature].levels
        values = [self.value(levels[code]) for code in codes]
        if len(values) == 1:
            return f"{column} {'=' if word == 'IN' else '<>'} {values[0]}"
        return f"{column} {word} ({', '.join(values)})"

    def _absent(self, feature: int) -> str:
        column = self._columns[feature]
        if not self._may_be_nan(feature):
            return f"{column} IS NULL"
        return f"({column} IS NULL OR {column} = {NAN})"

    def _no_nan(self, feature: int) -> str:
        # NaN sorts after all numbers.
        return f" AND {self._columns[feature]} < {NAN}" if self._may_be_nan(feature) else ""

    def _may_be_nan(self, feature: int) -> bool:
        """Whether the database may hold NaN, which is not NULL, in a column; SQLite never does."""
        levels = self.schema.columns[feature].levels
        numbers = not any(isinstance(level, (str, bool)) for level in levels)
        return numbers and self.dialect != "sqlite"

    def _refuse_texts(self) -> None:
        schema = self.schema
        for column in schema.columns:
            if len({isinstance(level, str) for level in column.levels}) > 1:
                reason = (
                    f'its column "{column.name}" mixes text and numbers, which no SQL column does'
                )
                raise refuse("SQL", reason)
        if len({isinstance(c, str) for c in schema.classes}) > 1:
            raise refuse("SQL", "its classes mix text and numbers, which no SQL column does")
        levels = (level for column in schema.columns for level in column.levels)
        texts = [
            text for text in (*schema.names, *schema.classes, *levels) if isinstance(text, str)
        ]
        refuse_texts("SQL", texts, no_text_of_c)
        if "" in schema.names:
            raise refuse("SQL", "a column has no name")
        folded = [name.casefold() for name in schema.names]
        if self.dialect != "postgres" and len(set(folded)) < len(folded):
            one, other = [n for n in schema.names if folded.count(n.casefold()) > 1][:2]
            raise refuse(
                self.dialect, f'"{one}" and "{other}" are one name there, which ignores case'
            )


def finished(text: str) -> str:
    """Return a query with the line breaks of its names and texts."""
    return text.replace(BREAK, "\n")


def shifted(text: str, levels: int = 1) -> str:
    """Indent all lines of a text but the first."""
    return text.replace("\n", "\n" + "  " * levels)


def _fraction(x: float) -> str:
    """Write a double as a whole number and powers of two, which are exact wherever decimals are not."""
    mantissa, exponent = math.frexp(x)
    text, exponent = f"({int(mantissa * 2**53)} * 1.0", exponent - 53
    while exponent:
        step = max(-62, min(62, exponent))
        text += f" {'*' if step > 0 else '/'} {2 ** abs(step)}"
        exponent -= step
    return f"{text})"
