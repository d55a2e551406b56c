"""The errors a user can meet, each with what, where, and what to type instead.

Every one is also a built-in exception (``ValueError`` or ``RuntimeError``), has a stable ``slug`` such as
``data.no-such-column``, and carries its advice as separate ``hints`` so that the command line can print them as lines.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = [
    "DataError",
    "InternalError",
    "ModelFileError",
    "TreewrightError",
    "UsageError",
]


def printable(text: str) -> str:
    r"""Write control characters as escapes, so that a name in a message is read and never obeyed.

    Examples
    --------
    >>> print(printable("red \x1b[31m"))
    red \x1b[31m
    """
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


class TreewrightError(ValueError):
    """An error with a name and advice.

    Parameters
    ----------
    message : str
        One sentence; further lines are taken as hints.
    slug : str
        A stable name, the same in Python and on the command line.
    hints : sequence of str, default=()
        What was seen and what to type instead, a line each.

    Examples
    --------
    >>> print(DataError('no column "play"', slug="data.no-such-column", hints=["try: --target Play"]))
    no column "play"  [data.no-such-column]
      try: --target Play
    """

    def __init__(self, message: str, *, slug: str, hints: Sequence[str] = ()) -> None:
        first, *rest = message.split("\n")
        self.message = first
        self.slug = slug
        self.hints = (*(line.strip() for line in rest), *hints)
        super().__init__("\n  ".join((f"{first}  [{slug}]", *self.hints)))

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.message, self.slug, self.hints)


def _rebuild(
    kind: type[TreewrightError], message: str, slug: str, hints: tuple[str, ...]
) -> TreewrightError:
    return kind(message, slug=slug, hints=hints)


class DataError(TreewrightError):
    """The table, the target or a value cannot be used as it is (exit code 3).

    Examples
    --------
    >>> DataError("empty", slug="data.empty").slug
    'data.empty'
    """


class UsageError(TreewrightError):
    """The call itself is wrong: an unknown word, two options that exclude each other (exit code 2).

    Examples
    --------
    >>> UsageError("no such style", slug="usage").slug
    'usage'
    """


class ModelFileError(TreewrightError):
    """The file is not a model that this version reads (exit code 4).

    Examples
    --------
    >>> ModelFileError("damaged", slug="model.damaged").slug
    'model.damaged'
    """


class InternalError(RuntimeError):
    """A defect of treewright itself; please report it (exit code 1).

    Examples
    --------
    >>> raise InternalError("the impossible happened")
    Traceback (most recent call last):
    ...
    treewright.errors.InternalError: the impossible happened
    """
