"""The table that a command reads: a file, standard input, or a built-in table by its name.

A source is delimited text unless its file extension names another format or it is built in.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from typing import IO, Any

import click

from treewright._utils.suggestions import find_closest, list_names, missing_file_message
from treewright.cli.app.console import Console
from treewright.cli.app.options import ColumnOptions, TextOptions
from treewright.errors import DataError, Hint, UsageError

__all__ = ["Source", "resolve_target"]


@dataclass(frozen=True)
class Source:
    """Where rows come from.

    Parameters
    ----------
    label : str
        What messages call it.
    content : path, bytes, binary file or Table
        What can be read.
    text : TextOptions
        How a text file is written.
    target : str or None, default=None
        The target of a built-in table.
    ignore : tuple of str, default=()
        The identifiers of a built-in table.
    """

    label: str
    content: Any
    text: TextOptions
    target: str | None = None
    ignore: tuple[str, ...] = ()

    @classmethod
    def open(cls, name: str, text: TextOptions, console: Console, *, once: bool = False) -> Source:
        """Find a table by its name; ``once`` means that its rows are read only once.

        What cannot be read twice (standard input, a pipe) is then not held in memory.
        """
        from treewright import datasets
        from treewright._reading.file_parts import refuse_url, split_part

        if name == "-":
            return cls._open_stream(_standard_input(console), "standard input", text, once)
        built_in = name in datasets.names()
        refuse_url(name)
        path, _ = split_part(name)
        if os.path.exists(path):
            if built_in:
                console.note(f'reading the file "{name}", not the built-in table of the same name.')
            return cls._open_file(name, path, text, once)
        if not built_in:
            raise _not_found(name, datasets.names())
        table = datasets.load(name)
        source = cls(name, table.table, text, table.target, table.ignore)
        source._refuse_text_options("a built-in table", text.flags())
        return source

    @classmethod
    def _open_file(cls, name: str, path: str, text: TextOptions, once: bool) -> Source:
        from treewright._reading.content import open_content

        _refuse_unreadable(path)
        if not os.path.isfile(path):  # a pipe can be opened only once
            pipe = click.open_file(path, "rb")
            click.get_current_context().call_on_close(pipe.close)
            return cls._open_stream(pipe, name, text, once)
        with open_content(name, name) as content:
            return cls(name, name, text)._settle(content)

    @classmethod
    def _open_stream(cls, stream: IO[bytes], label: str, text: TextOptions, once: bool) -> Source:
        from treewright._reading.content import open_content

        if not once:
            source = cls(label, stream.read(), text)
            with open_content(source.content, label) as content:
                return source._settle(content)
        content = click.get_current_context().with_resource(open_content(stream, label))
        return cls(label, content, text)._settle(content)

    def _settle(self, content: Any) -> Source:
        """Return this source with its table, if it has types; refuse options that have no effect on it."""
        if content.is_typed:
            from treewright._input.containers import as_table

            self._refuse_text_options(content.name, self.text.flags())
            return replace(self, content=as_table(content.read_typed()))
        if content.is_rewritten:
            flags = TextOptions(
                delimiter=self.text.delimiter,
                encoding=self.text.encoding,
                comment=self.text.comment,
            ).flags()
            self._refuse_text_options(content.name, flags)
        return self

    @property
    def is_text(self) -> bool:
        """Whether it is delimited text."""
        return not hasattr(self.content, "series")

    def _refuse_text_options(self, what: str, flags: list[str]) -> None:
        if flags:
            raise UsageError(f"{', '.join(flags)} has no effect on {what}", slug="usage")

    def header(self) -> list[str]:
        """Return the names of the columns without reading any rows."""
        from treewright._reading import read_header

        if not self.is_text:
            return list(self.content.columns)
        return read_header(self.content, label=self.label, **self.text.settings())

    def inspect(self, columns: ColumnOptions) -> Any:
        """Read the whole table, with a report on how each column is read."""
        from treewright import inspect

        ignored = tuple(name for name in self.ignore if name not in columns.keep)
        columns = replace(columns, ignore=(*columns.ignore, *ignored))
        return inspect(self.content, label=self.label, **columns.settings(), **self.text.settings())

    def row_reader(self, schema: Any, **settings: Any) -> Any:
        """Return a reader of a text source that gives rows in batches for a model."""
        from treewright._reading import RowReader

        return RowReader(self.content, schema, label=self.label, **settings, **self.text.settings())

    def rules(self) -> Any:
        """Return how cells are read: which are missing, and how numbers are written."""
        from treewright._reading.dialect import Dialect

        return Dialect(**self.text.settings()).rules()


def resolve_target(
    target: str | None,
    default: str | None,
    source: Source,
    *,
    what: str = "the column to predict",
    slug: str = "fit.no-target",
) -> str:
    """Return the target that the user named, or the one that the table or the model knows."""
    name = target or default
    if name is None:
        header = source.header()
        command = click.get_current_context().command.name
        raise UsageError(
            f"no target given: name {what}",
            slug=slug,
            hints=[
                f"columns: {list_names(header)}",
                Hint(
                    call=str(command), arguments=("model", "X"), option="target", value=header[-1]
                ),
            ],
        )
    return name


def _standard_input(console: Console) -> IO[bytes]:
    if sys.stdin is None:
        raise UsageError(
            "standard input is closed", slug="usage", hints=["give a file instead of -"]
        )
    if sys.stdin.isatty():
        console.note("reading the table from the keyboard; finish with Ctrl-D on a new line.")
    return sys.stdin.buffer


def _refuse_unreadable(path: str) -> None:
    if os.path.isdir(path):
        raise DataError(f"{path} is a directory, not a table", slug="file.is-a-directory")
    if not os.access(path, os.R_OK):
        raise DataError(
            f"permission denied: {path}", slug="file.permission", hints=["check its permissions"]
        )


def _not_found(name: str, built_in: list[str]) -> DataError:
    from treewright._reading.file_formats import EXTENSIONS

    message, hints = missing_file_message(name, *EXTENSIONS)
    if "." not in name:
        near = find_closest(name, built_in)
        message = f'no file and no built-in table "{name}"'
        hints = [
            *([f"did you mean {near}?"] if near else hints),
            f"built-in tables: {', '.join(built_in)}",
        ]
    return DataError(message, slug="file.not-found", hints=hints)
