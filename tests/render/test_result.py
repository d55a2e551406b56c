"""The base class of results: two methods of a subclass give every form, every file and the notebook."""

from __future__ import annotations

import io
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from helpers.tex_run import compile_tex, needs
from treewright._render.charts import Bar, Drawing, NamedBars
from treewright._render.document import Column, Document, Note, Picture, Table, Text, Verbatim
from treewright._render.output_formats import SUFFIXES
from treewright._render.page_format import PageFormat
from treewright._render.result import Result
from treewright._render.shapes import Rectangle, ShapePicture
from treewright.errors import UsageError

NAMES = ("Outlook", "a_b|<c>$ & größe")
GAINS = (0.247, 0.152)


DOT = ShapePicture(9, 9, "a dot", (Rectangle(4, 4, 1, 1, "#000000"),))


class Plain(Result):
    """A result with nothing but the two methods."""

    def to_dict(self) -> dict[str, Any]:
        return {"answer": 42}

    def _document(self, page: PageFormat) -> Document:
        return Document(("Answer",), (Text("It is 42."),))


@dataclass(frozen=True, slots=True, repr=False)
class Ranking(Result):
    """A result with a table, a picture, a drawing and a note."""

    _noun: ClassVar[str] = "a ranking"
    _area: ClassVar[str] = "rank"

    width: int | None = None
    lines: int | None = None
    ascii: bool | None = None

    def to_dict(self) -> dict[str, Any]:
        return {"columns": [{"column": n, "gain": g} for n, g in zip(NAMES, GAINS, strict=True)]}

    def _document(self, page: PageFormat) -> Document:
        shown = min(len(NAMES), page.lines)
        table = Table(
            (
                Column("column", NAMES[:shown], left=True, gap=0),
                Column("gain", tuple(map(str, GAINS[:shown])), values=GAINS[:shown]),
                Column("share", ("███░", "██░░")[:shown], left=True, gap=2, drawn=True),
            ),
            key="columns",
        )
        bars = tuple(Bar(name, gain, str(gain)) for name, gain in zip(NAMES, GAINS, strict=True))
        dot = Drawing("a dot", lambda: DOT, text="( ``` )")
        blocks = (
            table,
            Note("… 12 more columns"),
            Picture(NamedBars(bars, "Gains")),
            Verbatim(f"└─ {page.width} columns", indent=0),
            Picture(dot),
        )
        return Document((), blocks, name="Ranking of golf")

    def _more_forms(self) -> dict[str, Any]:
        return {".bin": lambda: b"\x00"}


def test_two_methods_are_enough(tmp_path: Path) -> None:
    result = Plain()
    assert str(result) == repr(result) == result.text(io.StringIO()) == "Answer\n\n  It is 42."
    assert result.markdown() == result.to_markdown() == "#### Answer\n\nIt is 42\\.\n"
    assert result.latex() == result.to_latex()
    assert result.latex(standalone=True).startswith("\\documentclass")
    assert result.html() == result.to_html() == result._repr_html_()
    assert result.html(standalone=True).startswith("<!DOCTYPE html>")
    for suffix in (".txt", ".md", ".tex", ".html", ".json"):
        path = tmp_path / f"answer{suffix}"
        result.save(path)
        assert "42" in path.read_text(encoding="utf-8")
    assert json.loads((tmp_path / "answer.json").read_text()) == result.to_dict()


def test_what_a_result_lacks_is_an_error(tmp_path: Path) -> None:
    for call, slug in (
        (Plain().to_svg, "show.no-picture"),
        (Plain().to_csv_rows, "show.no-table"),
        (Plain().to_frame, "show.no-table"),
    ):
        with pytest.raises(UsageError) as error:
            call()
        assert error.value.slug == slug
    with pytest.raises(UsageError, match=r'cannot write a ranking to "x\.docx"') as error:
        Ranking().save(tmp_path / "x.docx")
    assert error.value.slug == "rank.suffix"
    assert not list(tmp_path.iterdir())


def test_text_has_the_table_the_note_and_the_drawings() -> None:
    page = Ranking(width=70).text(io.StringIO()).splitlines()
    assert page[:4] == [
        "column              gain  share",
        "Outlook            0.247  ███░",
        "a_b|<c>$ & größe   0.152  ██░░",
        "… 12 more columns",
    ]
    assert "└─ 70 columns" in page
    assert "( ``` )" in page
    one = Ranking(width=70, lines=1, ascii=True).text(io.StringIO())
    assert one.isascii()
    assert "###." in one
    assert "a_b" not in one


def test_markdown_has_a_table_and_fences_that_nothing_ends() -> None:
    page = Ranking().to_markdown()
    rows = [line for line in page.splitlines() if line.startswith("|")]
    assert rows[:2] == ["| column | gain |", "| :-- | --: |"]
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 3 for row in rows)
    assert "```text\n└─ 100 columns\n```" in page
    assert "````text\n( ``` )\n````" in page


def test_html_is_sound_and_has_the_pictures() -> None:
    page = Ranking().to_html(standalone=True)
    assert "<title>Ranking of golf</title>" in page
    root = ET.fromstring(page)
    pictures = [node for node in root.iter() if node.tag.endswith("svg")]
    assert [p.attrib["aria-label"] for p in pictures] == ["Gains", "a dot"]
    assert "prefers-color-scheme:dark" in page
    notebook = Ranking()._repr_mimebundle_()
    assert set(notebook) == {"text/plain", "text/markdown", "text/html"}
    # Every rule of a notebook's fragment is for our own elements.
    style = re.search("<style>(.*?)</style>", notebook["text/html"])
    assert style
    selectors = re.findall(r"(?:^|[{}])([^{}@]+)\{", style[1])
    assert all(part.startswith(".treewright") for s in selectors for part in s.split(","))


@needs("pdflatex")
def test_latex_compiles(tmp_path: Path) -> None:
    compile_tex(Ranking().to_latex(standalone=True), tmp_path)


def test_latex_of_a_drawing_and_its_packages() -> None:
    dot = Drawing("dot", lambda: DOT, "x", lambda: r"\begin{forest}[x]\end{forest}", ("forest",))

    class Tree(Plain):
        def _document(self, page: PageFormat) -> Document:
            return Document((), (Picture(dot),))

    assert r"\begin{forest}" in Tree().to_latex()
    assert "tikz,forest}" in Tree().to_latex(standalone=True)
    assert r"\texttt{" in Ranking().to_latex()  # a drawing without LaTeX of its own is typewritten


def test_rows_for_programs(tmp_path: Path) -> None:
    assert Ranking().to_csv_rows() == Ranking().to_dict()["columns"]
    frame = Ranking().to_frame()
    assert frame["gain"].tolist() == list(GAINS)
    assert list(frame) == ["column", "gain"]
    Ranking().save(tmp_path / "x.csv")
    assert (tmp_path / "x.csv").read_text(encoding="utf-8").splitlines()[1] == "Outlook,0.247"
    Ranking().save(tmp_path / "x.bin")
    assert (tmp_path / "x.bin").read_bytes() == b"\x00"


def test_every_form_has_one_ending() -> None:
    assert set(SUFFIXES.values()) == set(Plain().forms())
