"""Hostile names: columns, categories and classes with any text pass through every command.

No output contains a control sequence for a terminal, and no name breaks a format.
"""

from __future__ import annotations

import csv
import io
import json
import unicodedata
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from helpers.cli_run import run

TAGS = "a_b|<c>$</script>"
NAMES = {
    "tags": TAGS,
    "right to left": "\u202eאבג\u202c <b>",
    "emoji": "👩\u200d🚀 & co",
    "long": "x" * 300,
    "line break": "a\nb\r\n\tc",
    "escape": "\x1b[31mred\x07",
    "formula": "=cmd|' /C calc'!A0",
    "quotes": "'\"`{}%;--",
    "tex": "\\end{forest}\\input{x}~^",
}
OBEYED = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
ALLOWED = "\n\t\u200c\u200d"


def unsafe(text: str) -> list[str]:
    return [c for c in text if unicodedata.category(c) in OBEYED and c not in ALLOWED]


def only_signs(place: Path, text: str) -> bool:
    """Tell whether a text drawn in ASCII has other characters only in its names."""
    names = set((place / "t.csv").read_text("utf-8"))
    return all(c.isascii() or c in names for c in text)


@pytest.fixture(scope="module", params=NAMES)
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return a folder with a table and models of it; every name is the same hostile text with a number."""
    name = NAMES[request.param]
    folder = tmp_path_factory.mktemp("hostile")
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([name, f"{name} 2", "answer"])
    for i in range(24):
        writer.writerow([f"{name} {i % 3}", i % 7, f"{name} yes" if i % 3 else "no"])
    (folder / "t.csv").write_text(text.getvalue(), "utf-8", newline="")
    for word in ("id3", "c45", "cart", "rules"):
        run("fit", folder / "t.csv", "-t", "answer", "-a", word, "-o", folder / f"{word}.tree")
    return folder


def test_views(place: Path) -> None:
    for style in ("tree", "rules", "table", "summary", "j48", "plain"):
        for extra in ((), ("--ascii",)):
            said = run("show", place / "c45.tree", "--as", style, *extra).stdout
            assert unsafe(said) == []
            assert not extra or only_signs(place, said)
    assert unsafe(run("show", place / "rules.tree").stdout) == []


@pytest.mark.parametrize("what", ["split", "prune", "curves"])
def test_the_work(place: Path, what: str) -> None:
    for word in ("id3", "c45", "cart"):
        model = place / f"{word}.tree"
        assert unsafe(run("work", model, "--what", what).stdout) == []
        assert only_signs(place, run("work", model, "--what", what, "--ascii").stdout)
        json.loads(run("work", model, "--what", what, "--format", "json").stdout)
        page = run("work", model, "--what", what, "--format", "html").stdout
        assert parsed(page) == 0
        for form in ("markdown", "latex"):
            assert unsafe(run("work", model, "--what", what, "--format", form).stdout) == []
    told = run("work", place / "c45.tree", place / "t.csv").stdout
    assert "not the rows" not in told


def test_reasons(place: Path) -> None:
    said = run("explain", place / "c45.tree", place / "t.csv", "--row", "1").stdout
    assert unsafe(said) == []


def test_exports(place: Path) -> None:
    for form in ("json", "sql", "python", "c", "dot", "mermaid", "latex", "svg"):
        said = run("export", place / "id3.tree", "--to", form).stdout
        if form == "json":
            json.loads(said)
        elif form == "python":
            exec(compile(said, "model.py", "exec"), {})
        elif form == "svg":
            assert "script" not in {element.tag for element in ET.fromstring(said).iter()}
    for form in ("sql", "python", "c", "json", "latex"):
        run("export", place / "rules.tree", "--to", form)


def test_the_rest(place: Path) -> None:
    table = place / "t.csv"
    for words in (
        ("prune", place / "c45.tree"),
        ("prune", place / "c45.tree", table, "--cv", "3"),
        ("prune", place / "id3.tree", "--method", "pessimistic", "--trace"),
        ("compare", table, "-t", "answer", "--cv", "3", "-a", "c45"),
        ("eval", place / "c45.tree", table),
        ("inspect", table),
        ("predict", place / "c45.tree", table),
    ):
        result = run(*words)
        assert unsafe(result.stderr) == [], words
        if words[0] != "predict":
            assert unsafe(result.stdout) == [], words


class Scripts(HTMLParser):
    """Counts the elements and attributes of a page that a browser would run."""

    found = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += tag == "script" or any(name.startswith("on") for name, _ in attrs)


def parsed(page: str) -> int:
    parser = Scripts()
    parser.feed(page)
    return parser.found
