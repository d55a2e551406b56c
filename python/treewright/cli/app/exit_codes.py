"""How a command ends: every way out becomes an exit code and, where needed, one sentence.

No traceback reaches a user without ``--debug``. Here are the only translations from exceptions to words and codes.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable

import click

from treewright.cli.app.console import Console
from treewright.cli.app.signals import Stopped
from treewright.cli.app.suggestions import closest
from treewright.errors import DataError, ModelFileError, TreewrightError, UsageError

__all__ = ["UnmetError", "guarded"]


class UnmetError(TreewrightError):
    """A stated requirement failed (exit code 5)."""


CODES: tuple[tuple[type[TreewrightError], int], ...] = (
    (UsageError, 2),
    (DataError, 3),
    (ModelFileError, 4),
    (UnmetError, 5),
)


def guarded(run: Callable[[], None], console: Console) -> int:
    """Run a command and return its exit code, having said why it is not 0."""
    code = _reported(run, console)
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        _forget_output()
    except OSError as error:
        _forget_output()
        return code or _tell(console, *_os_error(error))
    return code


def _reported(run: Callable[[], None], console: Console) -> int:
    try:
        run()
    except click.exceptions.Exit as asked:
        return asked.exit_code
    except (KeyboardInterrupt, click.Abort):
        console.status("interrupted")
        return 130
    except Stopped as stopped:
        return stopped.code
    except BrokenPipeError:
        return 0  # whoever reads has seen enough, as with head
    except click.UsageError as error:
        return _tell(console, *_usage(error))
    except TreewrightError as error:
        code = next((code for kind, code in CODES if isinstance(error, kind)), 3)
        return _tell(console, error.message, error.slug, error.lines, code)
    except MemoryError:
        return _tell(console, "there is not enough memory for this", "data.memory", (), 3)
    except OSError as error:
        return _tell(console, *_os_error(error))
    except Exception as error:
        return _defect(console, error)
    return 0


def _tell(console: Console, message: str, slug: str, hints: tuple[str, ...], code: int) -> int:
    console.error(message, slug, hints, code)
    return code


def _usage(error: click.UsageError) -> tuple[str, str, tuple[str, ...], int]:
    hints = [] if error.ctx is None else [f"try: {error.ctx.command_path} --help"]
    if isinstance(error, click.NoSuchOption):
        message = f"no such option {error.option_name}"
        near = None if error.ctx is None else closest_option(error.option_name, error.ctx.command)
        if near is not None:
            hints = [f"did you mean {near}?"]
    else:
        message = error.format_message().removesuffix(".")
        if message[1:2].islower():
            message = message[0].lower() + message[1:]
    return message, "usage", tuple(hints), 2


def closest_option(word: str, command: click.Command) -> str | None:
    """Return the option of a command that a word is a slip of."""
    near = closest(word.lstrip("-"), [name.lstrip("-") for p in command.params for name in p.opts])
    return None if near is None else f"--{near}" if len(near) > 1 else f"-{near}"


def _os_error(error: OSError) -> tuple[str, str, tuple[str, ...], int]:
    name = "standard output" if error.filename is None else os.fsdecode(error.filename)
    return f"{name}: {error.strerror or error}", "file", (), 3


def _forget_output() -> None:
    """Let what is still buffered go nowhere, in silence, also when the interpreter ends."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _defect(console: Console, error: Exception) -> int:
    if console.debug:
        traceback.print_exception(error)
    kind, text = type(error).__name__, str(error).split("\n")[0]
    hints = (
        "please report it, with the command and the output of: treewright doctor",
        *(() if console.debug else ("--debug shows where it happened",)),
    )
    return _tell(
        console, f"a defect of treewright, not of your data: {kind}: {text}", "internal", hints, 1
    )
