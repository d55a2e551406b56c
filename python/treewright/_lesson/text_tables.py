"""Sentences of a lesson: a key of the text table with arguments, so that every language says the same."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from typing import Any

from treewright._render.numbers import count

__all__ = ["Sentence", "fill", "say", "screen", "text_table", "translate"]

Sentence = dict[str, Any]
BLANK = re.compile(r"\{(\w+)(?:\?([^|{}]*)\|([^{}]*))?\}")


def say(key: str, **arguments: Any) -> Sentence:
    """Return a sentence of the text table with its arguments; a whole number is a count."""
    counted = {
        name: {"count": value} if isinstance(value, int) else value
        for name, value in arguments.items()
    }
    return {"key": key, "args": counted}


def screen(name: str, sentences: list[Sentence], **data: Any) -> dict[str, Any]:
    """Return a screen: its name, its title, what it teaches, and its data."""
    return {"id": name, "title": say(f"{name}.title"), "sentences": sentences, **data}


@cache
def text_table(language: str) -> dict[str, str]:
    """Return the texts of a language, by key."""
    path = files("treewright._lesson") / "texts" / f"{language}.json"
    table: dict[str, str] = json.loads(path.read_text("utf-8"))
    return table


def translate(sentence: Sentence, language: str, name: Any = str) -> str:
    """Return a sentence in a language; ``name`` writes names of the data.

    Examples
    --------
    >>> translate(say("list.example", n=2, names={"list": ["A", "B"]}), "en")
    '2 columns: A and B'
    """
    texts = text_table(language)

    def written(argument: Any) -> str:
        if isinstance(argument, str):
            return str(name(argument))
        if "count" in argument:
            return count(argument["count"])
        if "list" in argument:
            return join_names([str(name(each)) for each in argument["list"]], texts)
        return str(argument["text"])

    values = {key: written(argument) for key, argument in sentence["args"].items()}
    return fill(texts[sentence["key"]], values)


def fill(template: str, values: dict[str, str]) -> str:
    """Fill the blanks of a text: ``{n}`` with a value, ``{n?row|rows}`` with the first word where n is 1.

    Examples
    --------
    >>> fill("{n} {n?row|rows}", {"n": "1"}), fill("{n} {n?row|rows}", {"n": "2"})
    ('1 row', '2 rows')
    """

    def blank(match: re.Match[str]) -> str:
        value = values[match[1]]
        if match[3] is None:
            return value
        return match[2] if value == "1" else match[3]

    return BLANK.sub(blank, template)


def join_names(names: list[str], texts: dict[str, str]) -> str:
    """Write a list of names as a language does."""
    if len(names) < 2:
        return "".join(names)
    first, last = texts["list.comma"].join(names[:-1]), names[-1]
    return f"{first}{texts['list.and']}{last}"
