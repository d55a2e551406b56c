"""The table that a command was given: a file, standard input, or a built-in table by its name.

Glossary: a source is *delimited text* unless its suffix names another format or it is built in.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, BinaryIO

from treewright.cli.app.console import Console
from treewright.cli.app.options import Columns, Text
from treewright.cli.app.suggestions import closest, listed, no_such_file
from treewright.errors import DataError, Hint, UsageError

__all__ = ["Source", "quoted"]

MISSING = ("", "?")


@dataclass(frozen=True)
class Source:
    """Where rows come from.

    Parameters
    ----------
    label : str
        What messages call it.
    word : str
        What the user typed.
    content : path, bytes, binary file or Table
        What can be read.
    text : Text
        How a text file is written.
    target : str or None, default=None
        The target of a built-in table.
    ignore : tuple of str, default=()
        The identifiers of a built-in table.
    """

    label: str
    word: str
    content: Any
    text: Text
    target: str | None = None
    ignore: tuple[str, ...] = ()

    @classmethod
    def of(cls, word: str, text: Text, console: Console, *, once: bool = False) -> Source:
        """Find what a word names; ``once`` says that the rows are gone through only once.

        What cannot be read twice (standard input, a pipe) is then not held in memory.
        """
        from treewright import datasets

        if word == "-":
            stream = _standard_input(console)
            return cls("standard input", word, stream if once else stream.read(), text)
        built_in = word in datasets.names()
        if os.path.exists(word):
            if built_in:
                console.note(
                    f"{word} is a file here and was read instead of the built-in table of that name."
                )
            return cls._file(word, text, once)
        if not built_in:
            raise _not_found(word, datasets.names())
        table = datasets.load(word)
        source = cls(word, word, table.table, text, table.target, table.ignore)
        return source._refuse_text_flags("a built-in table")

    @classmethod
    def _file(cls, path: str, text: Text, once: bool) -> Source:
        from treewright import read_table
        from treewright._reading.file_formats import TEXT, file_format

        _refuse_unreadable(path)
        if not once and not os.path.isfile(path):
            with open(path, "rb") as pipe:
                return cls(path, path, pipe.read(), text)
        if file_format(path) in TEXT:
            return cls(path, path, path, text)
        suffix = os.path.splitext(path)[1].lower()
        return cls(path, path, read_table(path), text)._refuse_text_flags(f"a {suffix} file")

    @property
    def is_text(self) -> bool:
        """Whether it is delimited text."""
        return not hasattr(self.content, "series")

    def _refuse_text_flags(self, what: str) -> Source:
        if self.text.said:
            raise UsageError(f"{self.text.flags()} means nothing for {what}", slug="usage")
        return self

    def header(self) -> list[str]:
        """Return the names of the columns, having read as little as possible."""
        from treewright._reading import read_header

        if not self.is_text:
            return list(self.content.columns)
        return read_header(self.content, label=self.label, **self._text())

    def inspect(self, columns: Columns) -> Any:
        """Read the whole table and say how."""
        from treewright import inspect

        ignored = tuple(name for name in self.ignore if name not in columns.keep)
        columns = replace(columns, ignore=(*columns.ignore, *ignored))
        return inspect(self.content, label=self.label, **asdict(columns), **self._text())

    def rows(self, schema: Any, **settings: Any) -> Any:
        """Return a reader of a text source that gives chunks for a model."""
        from treewright._reading import RowReader

        return RowReader(self.content, schema, label=self.label, **settings, **self._text())

    def missing(self) -> frozenset[str]:
        """Return the cells that stand for a missing value."""
        return frozenset(self._text().get("missing", MISSING))

    def _text(self) -> dict[str, Any]:
        said = dict(self.text.said)
        # What the user calls missing comes on top of the usual empty cell and question mark.
        return {**said, "missing": (*MISSING, *said["missing"])} if "missing" in said else said

    def target_hints(self, command: str) -> list[str | Hint]:
        """Return the columns, and how a command is told which of them is the target."""
        header = self.header()
        columns = f"columns: {listed(header)}"
        return [columns, Hint(call=command, arguments=("X",), option="target", value=header[-1])]

    def require(self, names: Sequence[str], option: str) -> None:
        """Refuse names of an option that the table does not have, and say which one may be meant."""
        if not names:
            return
        header = self.header()
        for name in names:
            if name not in header:
                near = closest(name, header)
                raise DataError(
                    f'{self.label} has no column "{name}"',
                    slug="data.no-such-column",
                    hints=[
                        f"columns: {listed(header)}",
                        *([Hint(option=option, value=near)] if near else []),
                    ],
                )


def quoted(word: str) -> str:
    """Write a word as a shell takes it."""
    import shlex

    return shlex.quote(word)


def _standard_input(console: Console) -> BinaryIO:
    if sys.stdin is None:
        raise UsageError(
            "standard input is closed", slug="usage", hints=["give a file instead of -"]
        )
    if sys.stdin.isatty():
        console.note("reading the table from the terminal; Ctrl-D on a line of its own ends it.")
    return sys.stdin.buffer


def _refuse_unreadable(path: str) -> None:
    if os.path.isdir(path):
        raise DataError(f"{path} is a directory, not a table", slug="file.is-a-directory")
    if not os.access(path, os.R_OK):
        raise DataError(
            f"{path} may not be read by you",
            slug="file.permission",
            hints=["check its permissions"],
        )


def _not_found(word: str, built_in: list[str]) -> DataError:
    from treewright._reading.file_formats import EXTENSIONS

    message, hints = no_such_file(word, *EXTENSIONS)
    if "." not in word:
        near = closest(word, built_in)
        message = f'there is no file and no built-in table "{word}"'
        hints = [
            *([f"did you mean {near}?"] if near else hints),
            f"built-in tables: {', '.join(built_in)}",
        ]
    return DataError(message, slug="file.not-found", hints=hints)
