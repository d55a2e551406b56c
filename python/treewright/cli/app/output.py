"""Results on standard output or in a file, in the format that was asked for.

A file appears under its name only when everything has been written; until then, and after any failure, the file that
was there before is untouched. Standard output cannot take anything back.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
import sys
from collections.abc import Callable, Iterator
from io import RawIOBase
from typing import Any

import click

from treewright._render.output_formats import SUFFIXES
from treewright._utils import atomic_write
from treewright.cli.app.console import Console, write_data
from treewright.errors import Hint, UsageError

__all__ = ["check_output", "emit", "find_format", "open_output", "terminal_text", "write_output"]

Write = Callable[[str | bytes], object]

FORMATS = {extension: form for form, extension in SUFFIXES.items()}


def emit(
    result: Any,
    form: str | None,
    output: str | None,
    *,
    standalone: bool = False,
) -> None:
    """Write a result in some format to a file, or to standard output.

    Parameters
    ----------
    result : Result
        What a public function returned; a result of a command needs only the methods of its formats.
    form : str or None
        The value of ``--format``; the file extension decides where it is None.
    output : str or None
        The value of ``-o``.
    standalone : bool
        Whether LaTeX is a complete document; in a file it always is.
    """
    ctx = click.get_current_context()
    console: Console = ctx.obj
    form = find_format(form, output)
    to_file = output not in (None, "-")
    if form == "text" and not to_file:
        console.print(terminal_text(result))
        return
    inputs = [ctx.params[name] for name in ("model", "file") if ctx.params.get(name)]
    if to_file:
        check_output(str(output), *inputs)
    text = _render(result, form, standalone or to_file)
    write_output(text, output, *inputs)
    if to_file:
        console.status(f"saved {output}")


def terminal_text(result: Any) -> str:
    """Return a result as text for standard output; ``--width`` and ``--ascii`` apply to all."""
    from treewright._render.page_format import PageFormat
    from treewright._render.result import Result

    if not isinstance(result, Result):
        return str(result.text())
    ctx = click.get_current_context()
    width, lines = ctx.params.get("width"), getattr(result, "lines", None)
    return result._text(PageFormat.of(width=width, lines=lines, ascii=ctx.obj.ascii or None))


def find_format(form: str | None, output: str | None, default: str = "text") -> str:
    """Return the format to write: that of ``--format``, or that of the file extension."""
    command = click.get_current_context().command
    option = next(param for param in command.params if param.name == "form")
    formats = list(option.type.choices) if isinstance(option.type, click.Choice) else []
    if "svg" in formats:
        formats += ["png", "pdf"]  # files, which nobody wants on standard output
    extension = "" if output in (None, "-") else os.path.splitext(str(output))[1].lower()
    by_extension = FORMATS.get(extension)
    if form is not None and by_extension not in (None, form):
        raise UsageError(
            f"--format {form} and the file extension {extension} cannot be combined",
            slug="usage",
            hints=["the file extension selects the format"],
        )
    if form is None and extension and default == "text" and by_extension not in formats:
        supported = [end for end, name in FORMATS.items() if name in formats]
        raise UsageError(
            f"cannot write to {output}: unsupported file extension",
            slug=f"{command.name if command.name in ('work', 'explain') else 'show'}.suffix",
            hints=[f"supported: {' '.join(supported)}", Hint(option="format")],
        )
    return form or (by_extension if by_extension in formats else None) or default


def _render(result: Any, form: str, standalone: bool) -> str | bytes:
    """Return a result in a format as the content of a file."""
    if form == "json":
        return json.dumps(result.to_dict(), indent=1, allow_nan=False) + "\n"
    if hasattr(result, "forms") and (form != "latex" or standalone):
        content: str | bytes = result.forms()[SUFFIXES[form]]()
        return content
    write = {"csv": "to_csv", "text": "text"}.get(form, f"to_{form}")
    return str(getattr(result, write)()).rstrip("\n") + "\n"


@contextlib.contextmanager
def open_output(path: str | None, *inputs: str) -> Iterator[Write]:
    """Give a function that writes text as UTF-8 to a file, or to standard output for None and ``-``.

    ``inputs`` are the files that are being read: none of them is overwritten.
    """
    if path is None or path == "-":
        yield lambda text: write_data(text if isinstance(text, str) else text.decode())
    elif _is_special(path):
        with open(path, "wb", buffering=0) as stream:  # unbuffered, so that closing it cannot fail
            yield lambda text: _append(stream, _to_bytes(text), path)
    else:
        check_output(path, *inputs)
        with atomic_write.writing(path) as append:
            yield lambda text: append(_to_bytes(text))


def write_output(text: str | bytes, path: str | None, *inputs: str) -> None:
    """Write a whole document to a file, or to standard output for None and ``-``."""
    if isinstance(text, bytes) and path in (None, "-"):
        sys.stdout.flush()
        sys.stdout.buffer.write(text)
        sys.stdout.buffer.flush()
        return
    with open_output(path, *inputs) as write:
        write(text)


def check_output(path: str, *inputs: str) -> None:
    """Refuse a path where no file can be, or where the file is that is being read."""
    for name in inputs:
        with contextlib.suppress(OSError):
            if os.path.samefile(path, name):
                raise UsageError(
                    f"-o {path} would overwrite the input file",
                    slug="usage",
                    hints=["choose another name"],
                )
    folder = os.path.dirname(path)
    if folder and not os.path.isdir(folder):
        raise UsageError(
            f"cannot write {path}: directory {folder} does not exist", slug="file.no-directory"
        )
    if os.path.isdir(path):
        raise UsageError(
            f"{path} is a directory",
            slug="file.is-a-directory",
            hints=["give the name of a file in it"],
        )


def _to_bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


def _is_special(path: str) -> bool:
    """Whether a path is a pipe or a device: there is nothing to replace, so it is written to directly."""
    with contextlib.suppress(OSError):
        mode = os.stat(path).st_mode
        return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
    return False


def _append(stream: RawIOBase, data: bytes, path: str) -> None:
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[stream.write(rest) or 0 :]
    except OSError as error:
        error.filename = path  # the error of a full device has no file name
        raise
