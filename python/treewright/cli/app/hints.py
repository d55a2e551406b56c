"""Hints as command-line options: what Python calls ``numeric=["zip"]`` is ``--numeric zip`` here.

A hint about an option that the command does not have is left out: it would only lead to the next error.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

import click

from treewright.cli.app.command import Option, normalize
from treewright.cli.main import NAMES
from treewright.errors import Hint

__all__ = ["COMMANDS", "find_option", "hint_writer"]

# Commands whose function has another name.
COMMANDS = {"explain_neighbors": "explain", "optimality_gap": "gap", "rank_columns": "rank"}
# The arguments of commands, and what functions call them.
ARGUMENTS = {"model": "model", "file": "X"}


def hint_writer(ctx: click.Context) -> Callable[[Hint], str | None]:
    """Return a function that writes hints for the user of a command; None where the command cannot follow one."""

    def write(hint: Hint) -> str | None:
        command, words = ctx.command, []
        if hint.call:
            name = COMMANDS.get(hint.call, hint.call)
            if name not in NAMES:
                return None
            command = importlib.import_module(f"treewright.cli.verbs.{name}").command
            files = _files(command, hint.arguments, ctx.params)
            if files is None:
                return None
            words = ["treewright", name, *files]
        options = [_write_option(command, name, value) for name, value in hint.options.items()]
        if None in options:
            return None
        return " ".join([*words, *filter(None, options)])

    return write


def find_option(command: click.Command, parameter: str) -> Option | None:
    """Return the option of a command for a parameter of Python; scikit-learn's names are aliases."""
    flag = f"--{normalize(parameter)}"
    options = (p for p in command.params if isinstance(p, Option))
    return next((p for p in options if flag in p.opts), None)


def _files(
    command: click.Command, arguments: tuple[str, ...], params: Mapping[str, Any]
) -> list[str] | None:
    """Return the files of a command as they were typed, or their names; None where it cannot take a row."""
    one_row = any("row" in name for name in arguments)
    if one_row and find_option(command, "row") is None:
        return None
    files = []
    for param in command.params:
        if not isinstance(param, click.Argument) or param.name is None:
            continue
        meaning = ARGUMENTS.get(param.name, param.name)
        if meaning in arguments or (meaning == "X" and one_row):
            typed = params.get(param.name)
            files.append(_quote(typed) if isinstance(typed, str) else param.name.upper())
    return [*files, "--row 1"] if one_row else files


def _write_option(command: click.Command, name: str, value: object) -> str | None:
    if value is False:
        return _find_negative(command, name)
    option = find_option(command, name)
    if option is None:
        return None
    flag = next(o for o in option.opts if o.startswith("--"))
    if option.is_flag:
        return flag
    words: list[str] = []
    for each in value if isinstance(value, (list, tuple)) else [value]:
        # A value that looks like an option must be the first after its flag.
        if not words or str(each).startswith("-"):
            words.append(flag)
        words.append(_write_value(option, each))
    return " ".join(words)


def _find_negative(command: click.Command, name: str) -> str | None:
    """Return the flag that switches a parameter off."""
    flag = f"--no-{normalize(name)}"
    return flag if any(flag in (*p.opts, *p.secondary_opts) for p in command.params) else None


def _write_value(option: Option, value: object) -> str:
    if value is ...:
        return (option.metavar or str(option.name).upper()).rstrip(".")
    text = str(value)
    if isinstance(option.type, click.Choice) and normalize(text) in option.type.choices:
        text = normalize(text)
    return _quote(text)


def _quote(text: str) -> str:
    from treewright._reading.quoting import quote_argument  # only where there is a hint

    return quote_argument(text)
