"""Any name passes through every surface: shown, never obeyed, never breaking the form around it."""

from __future__ import annotations

import io
import re
from xml.etree import ElementTree

import pytest

from helpers import draw_trees
from helpers.hostile_text import read, unsafe
from treewright import show
from treewright._render import markdown
from treewright._render.document import Document
from treewright._render.page_format import PageFormat
from treewright._render.safe_text import cells, clip, pad, visible
from treewright._render.table_block import table_block
from treewright._render.table_grid import TableColumn
from treewright._show.tree_view import STYLES


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("width", [40, 80, 200])
def test_terminals_get_nothing_to_obey(style: str, width: int) -> None:
    assert unsafe(str(show(draw_trees.hostile(), style, width=width))) == []


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "ascii", "utf-8", "latin-1", "shift_jis"])
def test_every_stream_can_carry_it(style: str, encoding: str) -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, errors="strict", newline="")
    text = show(draw_trees.hostile(), style, width=100).text(stream)
    stream.write(text)
    stream.flush()
    assert raw.getvalue().decode(encoding) == text
    assert unsafe(text) == []


def test_ascii_signs_where_the_stream_has_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TERM", raising=False)
    drawn = {
        encoding: show(draw_trees.tennis(), width=80).text(
            io.TextIOWrapper(io.BytesIO(), encoding=encoding)
        )
        for encoding in ("utf-8", "cp437", "cp1252", "ascii")
    }
    assert "├─" in drawn["utf-8"]
    assert all("|--" in drawn[e] and drawn[e].isascii() for e in ("cp437", "cp1252", "ascii"))
    assert "├─" in show(draw_trees.tennis()).text(io.StringIO())
    monkeypatch.setenv("TERM", "dumb")
    assert "|--" in show(draw_trees.tennis()).text(io.StringIO())
    assert "├─" in show(draw_trees.tennis(), ascii=False).text(io.StringIO())


def test_an_unknown_encoding_gets_ascii() -> None:
    class Odd(io.StringIO):
        encoding = "no-such-encoding"  # type: ignore[assignment]

    assert show(draw_trees.hostile()).text(Odd()).isascii()


ELEMENTS = {
    "tree": {"div", "style", "svg", "title", "g", "rect", "path", "text"},
    "rules": {"div", "style", "table", "thead", "tbody", "tr", "th", "td", "bdi"},
    "table": {"div", "style", "table", "thead", "tbody", "tr", "th", "td", "bdi"},
}
OUTLINE = {"div", "style", "p", "ul", "li", "details", "summary", "bdi", "small", "code"}


@pytest.mark.parametrize("style", STYLES)
def test_html_holds_only_what_we_put_there(style: str) -> None:
    html = show(draw_trees.hostile(), style).to_html()
    reader = read(html)
    assert reader.elements == ELEMENTS.get(style, {"div", "style", "pre"})
    assert not any(name.startswith("on") for name in reader.attributes)
    assert reader.attributes.isdisjoint({"href", "src", "id", "xlink:href"})
    shown = " ".join(reader.text)
    assert unsafe(html) == []
    assert len(html.encode()) <= 100_000
    # The name is there, as text.
    assert "onclick" in shown
    if style != "summary":
        assert "\\x1b[31mred" in shown


def test_large_trees_are_outlines() -> None:
    for tree in (draw_trees.full(17), draw_trees.chain(100_000), draw_trees.fan(5000)):
        html = show(tree).to_html()
        reader = read(html)
        assert reader.elements <= OUTLINE
        assert {"details", "summary"} <= reader.elements
        assert len(html.encode()) <= 100_000
        assert html.count("<li>") <= 400


@pytest.mark.slow
def test_html_stays_small_with_long_names() -> None:
    from treewright.schema import Column, Schema

    names = tuple(f"{i:03}" + "\x00" * 300 for i in range(300))
    column = Column("\x00" * 300, "categorical", names)
    leaf = ((1.0, 0.0), 1, 0.0)
    root = ((1.0, 0.0), 300, 0.0, 0.0, 0, list(range(300)), 300, draw_trees.STOP)
    tree = draw_trees.tree(Schema((column,), "t", names[:2]), [root, *[leaf] * 300])
    for style in STYLES:
        html = show(tree, style, lines=5000).to_html()
        assert len(html.encode()) <= 100_000
        read(html)


def test_a_saved_page_is_whole(tmp_path: object) -> None:
    path = tmp_path / "page.html"  # type: ignore[operator]
    show(draw_trees.hostile()).save(path)
    page = path.read_text(encoding="utf-8")
    reader = read(page)
    assert reader.elements == ELEMENTS["tree"] | {"html", "head", "meta", "title", "body"}
    assert page.startswith("<!DOCTYPE html>")


def test_svg_is_well_formed_and_has_no_scripts() -> None:
    svg = show(draw_trees.hostile()).to_svg()
    kinds = {element.tag.split("}")[1] for element in ElementTree.fromstring(svg).iter()}
    assert kinds == {"svg", "style", "title", "g", "rect", "path", "text"}
    assert unsafe(svg) == []


def test_markdown_cells_stay_in_their_table() -> None:
    for style in ("rules", "table"):
        lines = show(draw_trees.hostile(), style).to_markdown().strip().splitlines()
        bars = [len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in lines]
        assert len(set(bars)) == 1
        assert not re.search(r"(?<!\\)[<`$\[]", "".join(lines))


def test_markdown_fences_are_longer_than_those_inside() -> None:
    for style in ("tree", "j48", "plain"):
        text = show(draw_trees.hostile(), style).to_markdown()
        fence = text.splitlines()[0].removesuffix("text")
        assert set(fence) == {"`"}
        assert text.count(fence) == 2
        assert text.endswith(f"\n{fence}\n")


def test_markdown_of_a_cell_that_ends_in_a_backslash() -> None:
    document = Document((), (table_block([TableColumn("a", ["x\\"])]),))
    assert markdown.write(document).splitlines()[-1] == "| x\\\\ |"


def test_names_alone() -> None:
    assert visible("plain é 家") == "plain é 家"
    assert visible("a\r\n\x00\x7f\x9b\u202e\ufeff\ud800") == (
        "a\\r\\n\\x00\\x7f\\x9b\\u202e\\ufeff\\ud800"
    )
    assert PageFormat().name("") == '""'
    assert PageFormat().name(" a") == '" a"'
    assert cells(PageFormat().name("家" * 300)) <= 40
    assert clip("abcdef", 6, "…") == "abcdef"
    assert clip("abcdef", 5, "…") == "abcd…"
    assert clip("家家家", 5, "…") == "家家…"
    assert pad("家", 4, left=True) == "家  "
    assert len(PageFormat().name("\u0301" * 10**6)) < 1000


def test_the_quick_measure_agrees_with_the_table_of_widths() -> None:
    from rich.cells import cell_len

    letters = [chr(i) for i in range(0x20, 0x3000) if chr(i).isprintable()]
    assert [c for c in letters if cells(c) != cell_len(c)] == []
