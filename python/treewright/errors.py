"""The errors that users see: what is wrong, where, and what to type instead.

Each is also a built-in exception (``ValueError`` or ``RuntimeError``), has a stable ``slug`` such as
``data.no-such-column`` (all are listed in ``docs/errors.md``), and carries its advice as separate ``hints``. What to
type differs between Python and the command line, so such a hint is data, a :class:`Hint`, which each of them writes in
its own syntax.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from treewright._catalog import public

__all__ = [
    "ClusterError",
    "ColumnWarning",
    "DataError",
    "Hint",
    "InternalError",
    "ModelFileError",
    "PeerLostError",
    "TreewrightError",
    "UnseenValuesWarning",
    "UsageError",
    "hint_lines",
    "hints_written_by",
]

# The core separates the option, the value and the note of a hint by this character.
SEPARATOR = "\x1f"
# Options that take a list, even if the core names one value.
LISTS = ("missing", "categorical", "numeric", "ignore", "keep")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """What to type, as data: an option with a value, or a call with its arguments and options.

    ``str()`` writes it as Python, or inside a command as options of that command.

    Parameters
    ----------
    option : str, default=""
        The name of a parameter.
    value : object, default=...
        Its value; the ellipsis stands for a value that only the user knows.
    others : mapping, default={}
        Further options with their values.
    call : str, default=""
        The function, which is also a command; empty for an option of the call that failed.
    arguments : tuple of str, default=()
        What precedes the options of a call: ``"model"``, ``"X"``, ``"y"``, ``"node"`` or ``"row"``.
    note : str, default=""
        A remark after it.

    Examples
    --------
    >>> print(Hint(option="numeric", value=["zip"]))
    numeric=["zip"]
    >>> print(Hint(call="show", arguments=("model",), option="tree", value=0))
    show(model, tree=0)
    """

    option: str = ""
    value: object = ...
    others: Mapping[str, object] = field(default_factory=dict)
    call: str = ""
    arguments: tuple[str, ...] = ()
    note: str = ""

    @property
    def options(self) -> dict[str, object]:
        """All options with their values."""
        first = {self.option: self.value} if self.option else {}
        return {**first, **self.others}

    def __str__(self) -> str:
        return _writer.get()(self) or ""


def _write_python(hint: Hint) -> str:
    """Write a hint as Python."""
    options = [f"{name}={_literal(value)}" for name, value in hint.options.items()]
    if not hint.call:
        return ", ".join(options)
    return f"{hint.call}({', '.join([*hint.arguments, *options])})"


def _literal(value: object) -> str:
    if value is ...:
        return "..."
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)  # a text in JSON is one in Python
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_literal, value))}]"
    return repr(value)


_writer: ContextVar[Callable[[Hint], str | None]] = ContextVar("writer", default=_write_python)


@contextmanager
def hints_written_by(writer: Callable[[Hint], str | None]) -> Iterator[None]:
    """Write hints in another syntax than Python's inside the ``with``; None leaves a hint out.

    Parameters
    ----------
    writer : callable
        Writes a hint, or returns None to leave it out.

    Examples
    --------
    >>> with hints_written_by(lambda hint: f"--{hint.option}"):
    ...     print(Hint(option="loo", value=True))
    --loo
    """
    before = _writer.set(writer)
    try:
        yield
    finally:
        _writer.reset(before)


def hint_lines(hints: Sequence[str | Hint]) -> tuple[str, ...]:
    """Return hints as lines of text; neighboring hints without notes share a line.

    Examples
    --------
    >>> hint_lines(["line 3: x", Hint(option="missing", value=["x"]), Hint(option="ragged", value="drop")])
    ('line 3: x', 'try: missing=["x"]   or: ragged="drop"')
    """
    lines: list[str] = []
    last: Hint | None = None
    for hint in hints:
        words = str(hint)
        if isinstance(hint, str):
            lines.append(words)
            last = None
        elif words:
            if last is not None and not last.note and not hint.note:
                lines[-1] += f"   or: {words}"
            else:
                remark = f"   ({hint.note})" if hint.note else ""
                lines.append(f"{'try' if last is None else ' or'}: {words}{remark}")
            last = hint
    return tuple(lines)


def printable(text: str) -> str:
    r"""Write control characters as escapes, so that a terminal does not obey a name in a message.

    Examples
    --------
    >>> print(printable("red \x1b[31m"))
    red \x1b[31m
    """
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


@public
class TreewrightError(ValueError):
    """An error with a stable name and hints.

    Parameters
    ----------
    message : str
        One sentence; further lines become hints.
    slug : str
        A stable name, the same in Python and on the command line.
    hints : sequence of str or Hint, default=()
        The evidence, and what to type instead.

    Attributes
    ----------
    message, slug, hints
        As given.
    lines : tuple of str
        The hints as lines of text, as Python or as options of a command.

    Examples
    --------
    >>> hint = Hint(option="target", value="Play")
    >>> print(DataError('no column "play"', slug="data.no-such-column", hints=[hint]))
    no column "play"  [data.no-such-column]
      try: target="Play"
    """

    def __init__(self, message: str, *, slug: str, hints: Sequence[str | Hint] = ()) -> None:
        first, *rest = message.split("\n")
        self.message = first
        self.slug = slug
        self.hints: tuple[str | Hint, ...] = (*map(_read_line, rest), *hints)
        self.lines = hint_lines(self.hints)
        super().__init__("\n  ".join((f"{first}  [{slug}]", *self.lines)))

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.message, self.slug, self.hints)


def _read_line(line: str) -> str | Hint:
    """Read a line of a message of the core: a hint, or text."""
    if not line.startswith(SEPARATOR):
        return line.strip()
    option, text, note = line[1:].split(SEPARATOR)
    value: object = {"True": True, "False": False}.get(text, text)
    return Hint(option=option, value=[text] if option in LISTS else value, note=note)


def _rebuild(
    kind: type[TreewrightError], message: str, slug: str, hints: tuple[str | Hint, ...]
) -> TreewrightError:
    return kind(message, slug=slug, hints=hints)


@public
class DataError(TreewrightError):
    """The table, the target or a value cannot be used as it is (exit code 3).

    Examples
    --------
    >>> DataError("empty", slug="data.empty").slug
    'data.empty'
    """


@public
class UsageError(TreewrightError):
    """The call is wrong: an unknown word, options that cannot be combined (exit code 2).

    Examples
    --------
    >>> UsageError("no such style", slug="usage").slug
    'usage'
    """


@public
class ModelFileError(TreewrightError):
    """The file is not a model that this version reads (exit code 4).

    Examples
    --------
    >>> ModelFileError("damaged", slug="model.damaged").slug
    'model.damaged'
    """


class PeerLostError(RuntimeError):
    """Another process of a fit has ended, or cannot be reached; the fit can go on from its last finished round.

    Parameters
    ----------
    message : str
        One sentence.
    rank : int
        The number of the process.
    round : int, optional
        How many rounds of the fit were finished, if that is known.

    Attributes
    ----------
    message, rank, round
        As given.
    slug : str
        Its stable name.

    Examples
    --------
    >>> print(PeerLostError("process 1 of the fit has ended", 1))
    process 1 of the fit has ended  [fit.peer-lost]
    """

    slug = "fit.peer-lost"

    def __init__(self, message: str, rank: int, round: int | None = None) -> None:
        self.message = message
        self.rank = rank
        self.round = round
        super().__init__(f"{message}  [{self.slug}]")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message, self.rank, self.round)


class ClusterError(TreewrightError):
    """A fit on several machines cannot go on: workers, the scheduler or their data are gone.

    Examples
    --------
    >>> ClusterError("no worker is left", slug="cluster.no-workers").slug
    'cluster.no-workers'
    """


class InternalError(RuntimeError):
    """A defect of treewright itself; please report it (exit code 1).

    Examples
    --------
    >>> raise InternalError("a node has no parent")
    Traceback (most recent call last):
    ...
    treewright.errors.InternalError: a node has no parent
    """


@public
class ColumnWarning(UserWarning):
    """A column of the training table is ignored or misleads: dates, nearly unique text, long text.

    It can be silenced or turned into an error like any warning:
    ``warnings.simplefilter("ignore", ColumnWarning)``.

    Examples
    --------
    >>> issubclass(ColumnWarning, UserWarning)
    True
    """


@public
class UnseenValuesWarning(UserWarning):
    """Some rows hold unseen categories; issued once per call of predict, predict_proba or score.

    It can be silenced or turned into an error like any warning:
    ``warnings.simplefilter("ignore", UnseenValuesWarning)``.

    Examples
    --------
    >>> issubclass(UnseenValuesWarning, UserWarning)
    True
    """
