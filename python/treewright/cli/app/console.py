"""Where words go: results to standard output, notes and errors to standard error.

A console is made once from the command line and knows how to say things: with or without colour, in which signs, as
text or as JSON for programs. Nothing it prints can fail for its characters: what a stream cannot encode is escaped, and
what a terminal would obey (control characters in somebody's column name) is shown as its escape.

Glossary: *text* is for people and follows the terminal's encoding; *data* (CSV, JSON, HTML) is for programs and is
UTF-8 everywhere, unless a person looks at it.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TextIO

from treewright._render.glyphs import encodes
from treewright._render.safe_text import visible

__all__ = ["Console", "data_out"]

# The signs our own sentences use, for streams that cannot carry them.
PLAIN = str.maketrans({"×": "x", "…": "...", "→": "->", "·": "-", "≥": ">=", "≤": "<="})
USUAL = 80
WIDEST = 100


@dataclass(frozen=True)
class Console:
    """How this command line wants to be spoken to.

    Parameters
    ----------
    color : {"auto", "always", "never"}, default="auto"
        Whether "error" and "note" are coloured; auto means on a terminal.
    ascii : bool, default=False
        Whether only ASCII is drawn, whatever the stream could carry.
    errors : {"text", "json"}, default="text"
        The form of notes and errors.
    debug : bool, default=False
        Whether an unexpected error shows where it happened.
    silent : bool, default=False
        Whether notes are kept back, since they were said before.
    """

    color: str = "auto"
    ascii: bool = False
    errors: str = "text"
    debug: bool = False
    silent: bool = False

    @classmethod
    def of(cls, args: Sequence[str]) -> Console:
        """Find the manners in the arguments: they must be known even where the rest is not understood."""
        said: dict[str, Any] = {}
        words = args[: args.index("--")] if "--" in args else args
        for i, word in enumerate(words):
            option, equals, value = word.partition("=")
            if option in ("--color", "--errors"):
                said[option[2:]] = value if equals else "".join(words[i + 1 : i + 2])
            elif word in ("--ascii", "--debug"):
                said[word[2:]] = True
        return cls(**said)

    def say(self, text: str) -> None:
        """Write text for people to standard output."""
        if self.signs_are_plain(sys.stdout):
            text = text.translate(PLAIN)
        _write(sys.stdout, f"{text}\n")

    def signs_are_plain(self, stream: TextIO | None) -> bool:
        """Return whether only ASCII signs may be drawn on a stream."""
        encoding = getattr(stream, "encoding", None) or "utf-8"
        return self.ascii or os.environ.get("TERM") == "dumb" or not encodes(encoding)

    def note(self, text: str) -> None:
        """Say something that the user should know."""
        if self.silent:
            return
        if self.errors == "json":
            self._json({"level": "note", "message": text})
        else:
            line = visible(text)
            self._err(
                f"{self._colored('note:', '36')} {_wrapped(line) if self.watched() else line}"
            )

    def status(self, text: str) -> None:
        """Say what was done, such as which file was written."""
        if self.errors == "json":
            self._json({"level": "status", "message": text})
        else:
            self._err(visible(text))

    def error(self, message: str, slug: str, hints: Sequence[str], code: int) -> None:
        """Say why the command failed."""
        if self.errors == "json":
            document = {"level": "error", "slug": slug, "message": message, "hints": [*hints]}
            self._json({**document, "exit_code": code})
            return
        first = f"{self._colored('error:', '1;31')} {visible(message)}  [{slug}]"
        if hints and hints[0].startswith("did you mean"):
            first, hints = f"{first}   {visible(hints[0])}", hints[1:]
        self._err("\n".join([first, *(f"  {visible(hint)}" for hint in hints)]))

    def watched(self) -> bool:
        """Return whether somebody looks at standard error, so that wrapping and progress make sense."""
        return self.errors == "text" and _terminal(sys.stderr)

    def colors(self, stream: TextIO | None) -> bool:
        """Return whether a stream takes colour."""
        if self.color != "auto":
            return self.color == "always"
        without = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        return not without and _terminal(stream)

    def _colored(self, word: str, style: str) -> str:
        return f"\x1b[{style}m{word}\x1b[0m" if self.colors(sys.stderr) else word

    def _json(self, document: dict[str, Any]) -> None:
        self._err(json.dumps(document))

    def _err(self, text: str) -> None:
        with contextlib.suppress(OSError):  # told at the end, where it is the last word
            if sys.stdout is not None:
                sys.stdout.flush()  # what was said first is read first, also where both go to one place
        if self.signs_are_plain(sys.stderr):
            text = text.translate(PLAIN)
        with contextlib.suppress(OSError):  # nobody can be told that nobody can be told
            _write(sys.stderr, f"{text}\n")


def data_out(text: str) -> None:
    """Write data for programs to standard output, as UTF-8; a terminal gets it in its own encoding."""
    stream = sys.stdout
    buffer = getattr(stream, "buffer", None)
    if stream is None or buffer is None or _terminal(stream):
        _write(stream, text)
        return
    stream.flush()
    buffer.write(text.encode("utf-8"))


def _write(stream: TextIO | None, text: str) -> None:
    if stream is None:  # closed by whoever started us: nobody listens
        return
    encoding = getattr(stream, "encoding", None) or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))


def _terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()


def _columns(stream: TextIO) -> int:
    """Return the width of the terminal behind a stream; shutil asks about standard output only."""
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal() and int(said):
        return int(said)
    with contextlib.suppress(OSError):
        return os.get_terminal_size(stream.fileno()).columns or USUAL
    return USUAL


def _wrapped(text: str) -> str:
    width = max(40, min(WIDEST, _columns(sys.stderr)))
    indent = " " * len("note: ")
    lines = textwrap.wrap(text, width - len(indent), break_long_words=False, break_on_hyphens=False)
    return f"\n{indent}".join(lines)
