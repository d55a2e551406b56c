"""Texts that the core can hold."""

from __future__ import annotations

from collections.abc import Iterable

from treewright.schema import Level, label

__all__ = ["core_labels", "core_text"]


def core_text(text: str) -> str:
    r"""Return a text without lone surrogates: each is written as its escape.

    Examples
    --------
    >>> print(core_text("é\ud800"))
    é\ud800
    """
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def core_labels(levels: Iterable[Level]) -> list[str]:
    """Return levels as texts that the core can hold."""
    return [core_text(label(level)) for level in levels]
