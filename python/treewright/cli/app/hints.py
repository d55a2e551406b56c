"""Hints in the words of the command line: what Python calls ``numeric=["zip"]`` is ``--numeric zip`` here.

A hint about an option that the command does not have is left out: it would only lead to the next error.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

import click

from treewright.cli.main import NAMES
from treewright.errors import Hint

__all__ = ["COMMANDS", "OPTIONS", "writer"]

# The commands that do what functions of other names do.
COMMANDS = {"explain_neighbors": "explain", "rank_columns": "rank"}
# Parameters whose options have other names.
OPTIONS = {"ccp_alpha": "alpha", "n_neighbors": "neighbors", "style": "as"}


def writer(ctx: click.Context) -> Callable[[Hint], str | None]:
    """Return what writes hints for the reader of a command."""

    def write(hint: Hint) -> str | None:
        command, before = ctx.command, ""
        if hint.call:
            name = COMMANDS.get(hint.call, hint.call)
            if name not in NAMES:
                return None
            command = importlib.import_module(f"treewright.cli.verbs.{name}").command
            places = _places(command, hint.arguments, ctx.params)
            if places is None:
                return None
            before = " ".join(["treewright", name, *places])
        options = [_option(command, name, value) for name, value in hint.options.items()]
        if None in options:
            return None
        return " ".join([*([before] if before else []), *filter(None, options)])

    return write


def _places(
    command: click.Command, arguments: tuple[str, ...], params: Mapping[str, Any]
) -> list[str] | None:
    """Return the files of a command, those that were typed or words for them; None where it cannot take a row."""
    one = any("row" in name for name in arguments)
    if one and _option(command, "row", 1) is None:
        return None
    places = []
    for param in command.params:
        if not isinstance(param, click.Argument) or param.name is None:
            continue
        means = {"model": "model", "file": "X", "files": "X", "table": "X"}.get(
            param.name, param.name
        )
        if means in arguments or (means == "X" and one):
            typed = params.get(param.name)
            places.append(_quoted(typed) if isinstance(typed, str) else param.name.upper())
    return [*places, "--row 1"] if one else places


def _option(command: click.Command, name: str, value: object) -> str | None:
    flag = f"--{OPTIONS.get(name, name).replace('_', '-')}"
    param = next((p for p in command.params if flag in p.opts), None)
    if not isinstance(param, click.Option):
        return None
    if param.is_flag:
        return flag
    values = value if isinstance(value, (list, tuple)) else [value]
    return " ".join([flag, *(_word(param, each) for each in values)])


def _word(param: click.Option, value: object) -> str:
    if value is ...:
        return (param.metavar or str(param.name).upper()).rstrip(".")
    text = str(value)
    if isinstance(param.type, click.Choice) and text.replace("_", "-") in param.type.choices:
        text = text.replace("_", "-")
    return _quoted(text)


def _quoted(text: str) -> str:
    from treewright._reading.quoting import (
        quote_argument,
    )  # a command without hints does not wait for it

    return quote_argument(text)
