"""Exit codes: every way in which a command can end, with its message.

Users see no traceback without ``--debug``. This is the only place that turns exceptions into messages and codes.
"""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from collections.abc import Callable
from typing import TextIO

import click

from treewright._utils.suggestions import find_closest
from treewright.cli.app.console import Console
from treewright.cli.app.signals import Stopped
from treewright.errors import DataError, ModelFileError, TreewrightError, UsageError

__all__ = ["RequirementNotMetError", "run_command"]


class RequirementNotMetError(TreewrightError):
    """A requirement of ``eval --require`` is not met (exit code 5)."""


CODES: tuple[tuple[type[TreewrightError], int], ...] = (
    (UsageError, 2),
    (DataError, 3),
    (ModelFileError, 4),
    (RequirementNotMetError, 5),
)


def run_command(run: Callable[[], None], console: Console) -> int:
    """Run a command, print why it failed if it did, and return its exit code."""
    code = _run(run, console)
    try:
        _flush(sys.stdout)
    except BrokenPipeError:
        pass
    except OSError as error:
        code = code or _report(console, *_os_error(error))
    with contextlib.suppress(OSError):  # notes that cannot be written change no exit code
        _flush(sys.stderr)
    return code


def _flush(stream: TextIO | None) -> None:
    """Write what is buffered; if that fails, send it to nowhere: Python would fail again at exit, with code 120."""
    if stream is None:
        return
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        raise


def _run(run: Callable[[], None], console: Console) -> int:
    try:
        run()
    except click.exceptions.Exit as end:
        return end.exit_code
    except (KeyboardInterrupt, click.Abort):
        console.status("interrupted")
        return 130
    except Stopped as stopped:
        return stopped.code
    except BrokenPipeError:
        return 0  # the reader closed the pipe (`| head`): success
    except click.UsageError as error:
        return _report(console, *_usage(error))
    except TreewrightError as error:
        code = next((code for kind, code in CODES if isinstance(error, kind)), 3)
        return _report(console, error.message, error.slug, error.lines, code)
    except MemoryError:
        return _report(console, "not enough memory", "data.memory", (), 3)
    except OSError as error:
        return _report(console, *_os_error(error))
    except Exception as error:
        return _defect(console, error)
    return 0


def _report(console: Console, message: str, slug: str, hints: tuple[str, ...], code: int) -> int:
    console.error(message, slug, hints, code)
    return code


def _usage(error: click.UsageError) -> tuple[str, str, tuple[str, ...], int]:
    hints = [] if error.ctx is None else [f"try: {error.ctx.command_path} --help"]
    if isinstance(error, click.NoSuchOption):
        message = f"unknown option {error.option_name}"
        near = None if error.ctx is None else closest_option(error.option_name, error.ctx.command)
        if near is not None:
            hints = [f"try: {near}"]
    else:
        message = error.format_message().removesuffix(".")
        if message[1:2].islower():
            message = message[0].lower() + message[1:]
    return message, "usage", tuple(hints), 2


def closest_option(word: str, command: click.Command) -> str | None:
    """Return the option of a command that a misspelled word probably means."""
    names = {name.lstrip("-"): name for param in command.params for name in param.opts}
    near = find_closest(word.lstrip("-"), names)
    return None if near is None else names[near]


def _os_error(error: OSError) -> tuple[str, str, tuple[str, ...], int]:
    name = "standard output" if error.filename is None else os.fsdecode(error.filename)
    return f"{name}: {error.strerror or error}", "file", (), 3


def _defect(console: Console, error: Exception) -> int:
    if console.debug:
        traceback.print_exception(error)
    kind, text = type(error).__name__, str(error).split("\n")[0]
    hints = (
        "please report it, with the command and the output of: treewright doctor",
        *(() if console.debug else ("--debug prints a traceback",)),
    )
    return _report(
        console,
        f"an error in treewright itself, not in your data: {kind}: {text}",
        "internal",
        hints,
        1,
    )
