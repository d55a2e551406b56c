"""How a text file is written: delimiter, header, comments, missing values, numbers, encoding; all are checked."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from copy import copy
from typing import Any

from treewright import _core
from treewright._render.safe_text import visible
from treewright._utils.choices import DECIMAL_MARKS
from treewright.errors import Hint, UsageError

__all__ = ["MISSING", "Dialect", "is_text"]

MAX_CELL = 1 << 20
# Missing in every column by default; words such as NA are added where the column allows it.
MISSING = tuple(_core.MISSING_TEXTS)
WHITESPACE = "whitespace"


class Dialect:
    """How a text file is written.

    Parameters
    ----------
    delimiter : str or None, default=None
        One ASCII character, or "whitespace" for runs of blanks and tabs; None takes it from the first lines.
    missing : sequence of str or None, default=None
        The cells that stand for a missing value; None for the usual ones.
    ragged : {"error", "drop"}, default="error"
        What to do with rows with more or fewer fields than the header.
    encoding : str, default="utf-8"
        Any text encoding that Python knows.
    header : bool, default=True
        Whether the first row holds the names of the columns.
    decimal : {".", ","}, default="."
        What stands before the fraction of a number.
    thousands : str or None, default=None
        What stands between the thousands of a number.
    comment : str or None, default=None
        Lines that begin with this character are left out.

    Examples
    --------
    >>> Dialect(decimal=",").rules().number("1,5")
    1.5
    """

    def __init__(
        self,
        delimiter: str | None = None,
        missing: Sequence[str] | None = None,
        ragged: str = "error",
        encoding: str = "utf-8",
        header: bool = True,
        decimal: str = ".",
        thousands: str | None = None,
        comment: str | None = None,
    ) -> None:
        _check_delimiter(delimiter)
        if ragged not in ("error", "drop"):
            raise UsageError(
                f'ragged is "error" or "drop", not {visible(repr(ragged))}', slug="usage"
            )
        if isinstance(missing, str):
            raise UsageError("missing is a list of texts, not one text", slug="usage")
        _check_numbers(decimal, thousands)
        if comment is not None and not _is_character(comment):
            raise UsageError(
                f"comment is one ASCII character, not {visible(repr(comment))}",
                slug="usage",
                hints=[Hint(option="comment", value="#")],
            )
        self.encoding = _find_encoding(encoding)
        self.delimiter = delimiter
        # A file cannot hold a lone surrogate.
        self.missing = [text for text in (MISSING if missing is None else missing) if is_text(text)]
        self.words = missing is None
        self.ragged = ragged
        self.header = header
        self.decimal, self.thousands = decimal, thousands
        self.comment = comment
        self.rewritten = False  # whether cells were written as text by this package

    def with_tabs(self) -> Dialect:
        """Return the dialect of a ``.tsv`` file, in which tabs separate fields by default."""
        return self._replace(delimiter=self.delimiter or "\t")

    def of_cells(self) -> Dialect:
        """Return the dialect of cells that were written as text by this package."""
        return self._replace(delimiter=",", encoding="utf-8", comment=None, rewritten=True)

    def _replace(self, **changes: Any) -> Dialect:
        other = copy(self)
        vars(other).update(changes)
        return other

    def reader(self, label: str) -> _core.CsvReader:
        """Return the core's reader of such a file."""
        drop = self.ragged == "drop"
        options = (self.header, self.comment, self.decimal == ",")
        return _core.CsvReader(label, self.delimiter, drop, MAX_CELL, *options)

    def rules(self) -> _core.CsvRules:
        """Return how the core reads cells."""
        return _core.CsvRules(self.missing, self.words, self.decimal == ",", self.thousands)


def is_text(text: str) -> bool:
    """Whether a file can hold a text: a lone surrogate cannot be written."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_character(text: str) -> bool:
    return len(text) == 1 and text.isascii() and text not in '"\r\n\0'


def _check_delimiter(delimiter: str | None) -> None:
    if delimiter not in (None, WHITESPACE) and not _is_character(delimiter):
        raise UsageError(
            f'a delimiter is one ASCII character or "{WHITESPACE}", not {visible(repr(delimiter))}',
            slug="usage",
            hints=[
                Hint(option="delimiter", value=";"),
                "or leave it out: it is found in the first line",
            ],
        )


def _check_numbers(decimal: str, thousands: str | None) -> None:
    if decimal not in DECIMAL_MARKS:
        raise UsageError(f'decimal is "." or ",", not {visible(repr(decimal))}', slug="usage")
    if thousands is not None and thousands not in (".", ",", " ", "'", "_"):
        raise UsageError(
            f"thousands is a point, a comma, a blank, an apostrophe or an underscore, not {visible(repr(thousands))}",
            slug="usage",
            hints=[Hint(option="thousands", value=",")],
        )
    if thousands == decimal:
        other = "," if decimal == "." else "."
        raise UsageError(
            f'decimal and thousands cannot both be "{decimal}"',
            slug="usage",
            hints=[Hint(option="decimal", value=other, others={"thousands": decimal})],
        )


def _find_encoding(encoding: str) -> str:
    try:
        "".encode(encoding)
        return codecs.lookup(encoding).name
    except (LookupError, ValueError):
        raise UsageError(
            f"there is no text encoding called {visible(repr(encoding))}",
            slug="usage",
            hints=[Hint(option="encoding", value="cp1252"), "others: latin-1, utf-16, utf-8"],
        ) from None
