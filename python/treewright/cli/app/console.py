"""Output: results to standard output, notes and errors to standard error.

A console is made once from the command line and holds its output settings: color, ASCII, error format. Nothing it
prints can fail for its characters: what a stream cannot encode is escaped, and control characters in a name of the
user's table are shown as escapes.

Glossary: *text* is for people and follows the terminal's encoding; *data* (CSV, JSON, HTML) is for programs and is
UTF-8 everywhere, except on a terminal.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TextIO

from treewright._render.page_format import encodes
from treewright._render.safe_text import visible
from treewright.errors import ColumnWarning, UnseenValuesWarning

__all__ = ["Console", "warnings_as_notes", "write_data"]

# ASCII for the characters of our own sentences, where a stream cannot encode them.
PLAIN = str.maketrans({"×": "x", "…": "...", "→": "->", "·": "-", "≥": ">=", "≤": "<="})
DEFAULT_WIDTH = 80
MAX_WIDTH = 100


@dataclass(frozen=True)
class Console:
    """Output settings: color, ASCII, error format, debug.

    Parameters
    ----------
    color : {"auto", "always", "never"}, default="auto"
        Whether "error" and "note" are colored; auto means on a terminal.
    ascii : bool, default=False
        Whether only ASCII is printed, whatever the stream could encode.
    errors : {"text", "json"}, default="text"
        The format of notes and errors.
    debug : bool, default=False
        Whether an unexpected error prints a traceback.
    silent : bool, default=False
        Whether notes are left out, since they were printed before.
    """

    color: str = "auto"
    ascii: bool = False
    errors: str = "text"
    debug: bool = False
    silent: bool = False

    @classmethod
    def of(cls, args: Sequence[str]) -> Console:
        """Find the output settings in the arguments: errors in the other arguments are printed with them."""
        settings: dict[str, Any] = {}
        words = args[: args.index("--")] if "--" in args else args
        for i, word in enumerate(words):
            option, equals, value = word.partition("=")
            if option in ("--color", "--errors"):
                settings[option[2:]] = value if equals else "".join(words[i + 1 : i + 2])
            elif word in ("--ascii", "--debug"):
                settings[word[2:]] = True
        return cls(**settings)

    def print(self, text: str) -> None:
        """Print text for people to standard output."""
        if self.ascii_only(sys.stdout):
            text = text.translate(PLAIN)
        _write(sys.stdout, f"{text}\n")

    def ascii_only(self, stream: TextIO | None) -> bool:
        """Return whether a stream gets ASCII characters only."""
        encoding = getattr(stream, "encoding", None) or "utf-8"
        return self.ascii or os.environ.get("TERM") == "dumb" or not encodes(encoding)

    def note(self, text: str) -> None:
        """Print a decision that the user did not ask for, or a result that is easily misread."""
        if self.silent:
            return
        if self.errors == "json":
            self._json({"level": "note", "message": text})
        else:
            line = visible(text)
            line = _wrap(line) if self.is_interactive() else line
            self._err(f"{self._colored('note:', '36')} {line}")

    def status(self, text: str) -> None:
        """Print what was done, such as which file was written."""
        if self.errors == "json":
            self._json({"level": "status", "message": text})
        else:
            self._err(visible(text))

    def error(self, message: str, slug: str, hints: Sequence[str], code: int) -> None:
        """Print why the command failed."""
        if self.errors == "json":
            document = {"level": "error", "slug": slug, "message": message, "hints": [*hints]}
            self._json({**document, "exit_code": code})
            return
        first = f"{self._colored('error:', '1;31')} {visible(message)}  [{slug}]"
        if hints and hints[0].startswith("did you mean"):
            first, hints = f"{first}   {visible(hints[0])}", hints[1:]
        self._err("\n".join([first, *(f"  {visible(hint)}" for hint in hints)]))

    def is_interactive(self) -> bool:
        """Return whether standard error is a terminal: only then are notes wrapped and progress bars shown."""
        return self.errors == "text" and _is_terminal(sys.stderr)

    def uses_color(self, stream: TextIO | None) -> bool:
        """Return whether a stream gets color."""
        if self.color != "auto":
            return self.color == "always"
        no_color = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        return not no_color and _is_terminal(stream)

    def _colored(self, word: str, style: str) -> str:
        return f"\x1b[{style}m{word}\x1b[0m" if self.uses_color(sys.stderr) else word

    def _json(self, document: dict[str, Any]) -> None:
        self._err(json.dumps(document))

    def _err(self, text: str) -> None:
        with contextlib.suppress(OSError):  # a failed flush is reported at exit
            if sys.stdout is not None:
                sys.stdout.flush()  # keeps the order where both streams go to one place
        if self.ascii_only(sys.stderr):
            text = text.translate(PLAIN)
        with contextlib.suppress(OSError):  # standard error itself is closed: ignore
            _write(sys.stderr, f"{text}\n")


def write_data(text: str) -> None:
    """Write data for programs to standard output, as UTF-8; a terminal gets it in its own encoding."""
    stream = sys.stdout
    buffer = getattr(stream, "buffer", None)
    if stream is None or buffer is None or _is_terminal(stream):
        _write(stream, text)
        return
    stream.flush()
    buffer.write(text.encode("utf-8"))


def _write(stream: TextIO | None, text: str) -> None:
    if stream is None:  # closed by the calling process
        return
    encoding = getattr(stream, "encoding", None) or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()


def _terminal_width(stream: TextIO) -> int:
    """Return the width of the terminal behind a stream; shutil knows standard output only."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns):
        return int(columns)
    with contextlib.suppress(OSError):
        return os.get_terminal_size(stream.fileno()).columns or DEFAULT_WIDTH
    return DEFAULT_WIDTH


def _wrap(text: str) -> str:
    width = max(40, min(MAX_WIDTH, _terminal_width(sys.stderr)))
    indent = " " * len("note: ")
    lines = textwrap.wrap(text, width - len(indent), break_long_words=False, break_on_hyphens=False)
    return f"\n{indent}".join(lines)


@contextlib.contextmanager
def warnings_as_notes(console: Console) -> Iterator[None]:
    """Print warnings for users as notes, each of them once; other warnings stay as they are.

    Unseen categories and notes on columns are not among them: the commands report those themselves.
    """
    printed = set[str]()

    def note(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        if not issubclass(category, UserWarning):
            show_warning(message, category, *place, **more)
        elif str(message) not in printed:
            printed.add(str(message))
            console.note(str(message))

    with warnings.catch_warnings():
        show_warning = warnings.showwarning
        warnings.showwarning = note
        warnings.simplefilter("always", UserWarning)
        warnings.simplefilter("ignore", UnseenValuesWarning)
        warnings.simplefilter("ignore", ColumnWarning)
        yield
