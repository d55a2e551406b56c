"""Parameter descriptions written once: a class describes its own parameters, its base classes the others.

Classifiers and regressors share most parameters. These are declared and described in a dataclass that both inherit
from. :func:`documented` collects the descriptions, so that ``help`` shows them all; dataclasses make the signature.

``{class criteria}`` in a description stands for the list of criteria in the catalog.

Glossary: an *entry* is a line such as ``tol : float, default=0`` with the indented lines below it, in a section of a
docstring that numpydoc knows.
"""

from __future__ import annotations

import inspect
import re
from typing import TypeVar

from treewright._catalog import criteria_of

__all__ = ["describe_parameters", "documented"]

T = TypeVar("T")
SECTIONS = ("Parameters", "Attributes")


def documented(kind: type[T]) -> type[T]:
    """Complete the docstring of a class by the parameters and attributes that its base classes describe.

    Parameters
    ----------
    kind : class
        The class; its own descriptions replace those of its base classes.

    Returns
    -------
    class
        The same class.

    Examples
    --------
    >>> from treewright import GradientBoostingRegressor
    >>> text = GradientBoostingRegressor.__doc__
    >>> text.index("n_estimators : int") < text.index("quantile : float") < text.index("Examples")
    True
    """
    if kind.__doc__ is None:  # python -OO
        return kind
    own = _sections(kind.__doc__)
    sections = {"": own.pop("", [])}
    for title in SECTIONS:
        own.pop(title, None)
        entries: dict[str, list[str]] = {}
        for base in kind.__mro__:
            text = base.__dict__.get("__doc__") or ""
            entries = _entries(_sections(text).get(title, [])) | entries
        if title == "Parameters":  # in the order of the signature
            entries = {name: entries[name] for name in inspect.signature(kind).parameters}
        if entries:
            lines = [line for entry in entries.values() for line in entry]
            sections[title] = [title, "-" * len(title), *lines]
    text = "\n\n".join("\n".join(lines) for lines in (sections | own).values())
    criteria = ", ".join(f'"{name}"' for name in criteria_of("classify"))
    kind.__doc__ = text.replace("{class criteria}", f"{{{criteria}}}")
    return kind


def describe_parameters(kind: type) -> dict[str, str]:
    """Return the first sentence of the description of each parameter of a class; nothing with ``python -OO``.

    Examples
    --------
    >>> from treewright import KNeighborsClassifier
    >>> describe_parameters(KNeighborsClassifier)["n_neighbors"]
    'The number of nearest rows; all rows if there are fewer.'
    """
    entries = _entries(_sections(kind.__doc__ or "").get("Parameters", []))
    texts = {name: " ".join(line.strip() for line in lines[1:]) for name, lines in entries.items()}
    ends = re.compile(r"(?<=[^.])\.(?=\s|$)")
    return {
        name: text if (end := ends.search(text)) is None else text[: end.end()]
        for name, text in texts.items()
    }


def _sections(text: str) -> dict[str, list[str]]:
    """Return the lines of each section by its title; those before the first have none."""
    lines = inspect.cleandoc(text).split("\n")
    sections: dict[str, list[str]] = {"": []}
    title = ""
    for here, below in zip(lines, [*lines[1:], ""], strict=True):
        if here and below == "-" * len(here):
            title = here
            sections[title] = []
        sections[title].append(here)
    return {name: _trim_end(part) for name, part in sections.items() if any(part)}


def _trim_end(lines: list[str]) -> list[str]:
    while lines and not lines[-1]:
        lines = lines[:-1]
    return lines


def _entries(section: list[str]) -> dict[str, list[str]]:
    """Return the entries of a section by name."""
    entries: dict[str, list[str]] = {}
    for line in section[2:]:
        if line and not line.startswith(" "):
            name = line.split(" : ")[0]
            entries[name] = []
        if line:
            entries[name].append(line)
    return entries
