"""What Tab completes besides options and files: algorithms, built-in tables, and columns of the table on the line.

Completion never raises an error: what cannot be read is not offered.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    Text = click.ParamType[str]
else:
    Text = click.ParamType  # older versions of click have no type of the value

__all__ = ["BuiltInTable", "ColumnName", "TablePath", "Words"]

MAX_SIZE = 50_000_000  # bytes of a file that must be read as a whole to know its columns


def _items(words: Iterable[str], incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(word) for word in words if word.startswith(incomplete)]


class Words(Text):
    """A word of a list; others are allowed, and checked later with better messages."""

    name = "word"

    def __init__(self, words: Iterable[str]) -> None:
        self._words = tuple(words)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the words that begin so."""
        return _items(self._words, incomplete)


class BuiltInTable(Text):
    """The name of a built-in table."""

    name = "name"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the names that begin so."""
        from treewright import datasets

        return _items(datasets.names(), incomplete)


class TablePath(click.Path):
    """A file, or the name of a built-in table."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the names of tables that begin so; the shell adds the files."""
        from treewright import datasets

        files = super().shell_complete(ctx, param, incomplete)
        return [*files, *_items(datasets.names(), incomplete)]


class ColumnName(Text):
    """The name of a column of the table on the command line."""

    name = "column"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the columns that begin so."""
        names: list[str] = []
        for argument in ("file", "model"):  # work takes a table in place of a model
            if not names and isinstance(ctx.params.get(argument), str):
                with contextlib.suppress(Exception):
                    names = _column_names(ctx.params[argument], ctx.params)
        return _items(names, incomplete)


def _column_names(table: str, options: dict[str, Any]) -> list[str]:
    import os

    from treewright import datasets
    from treewright._reading.column_names import column_names
    from treewright.cli.app.options import TextOptions

    if not os.path.exists(table) and table in datasets.names():
        return list(datasets.load(table).table.columns)
    known = {field.name for field in fields(TextOptions)}
    text = {name: value for name, value in options.items() if name in known and value is not None}
    return column_names(table, MAX_SIZE, **TextOptions(**text).settings())
