"""The text of a model of another library: from an object that writes it, from a file, or as it is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from treewright._interchange.node_tables import damaged
from treewright.errors import ModelFileError
from treewright.schema import Column, Level, Meaning

__all__ = ["category_column", "read_bytes", "read_text"]

OTHER = "other values"  # the category of values that no training row has


def read_text(source: Any, is_text: bool) -> str:
    """Return a text, or that of the file with this path."""
    if isinstance(source, bytes):
        return _decode(source)
    if is_text:
        return str(source)
    return _decode(read_bytes(source))


def read_bytes(source: Any) -> bytes:
    """Return the content of the file with this path."""
    if not isinstance(source, (str, os.PathLike)):
        raise damaged(f"a {type(source).__name__} is neither a model, nor a path, nor a text")
    path = Path(source)
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise ModelFileError(f"there is no file {str(path)!a}", slug="file.not-found") from None
    except (OSError, ValueError) as error:
        reason = f"cannot read {str(path)!a}: {error}"
        raise ModelFileError(reason, slug="file.unreadable") from error


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise damaged("it is not text; the binary form of XGBoost is not read") from None


def category_column(name: str, levels: list[Level]) -> Column:
    """Return a column of categories whose last one stands for all other values.

    Where the categories are numbers it is the number after them: a column of one type can be exported to any language.
    """
    if levels and all(isinstance(level, (int, float)) for level in levels):
        number = max(0, *(int(level) for level in levels)) + 1
        return Column(name, "categorical", (*levels, number), meaning=Meaning(other=str(number)))
    other = OTHER
    while other in levels:
        other += " "
    return Column(name, "categorical", (*levels, other), meaning=Meaning(other=other))
