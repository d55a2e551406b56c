"""The picture: nothing overlaps, whatever the branches and the names."""

from __future__ import annotations

import itertools
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import draw_trees
from treewright import show
from treewright._draw.layout import Box, arrange
from treewright._draw.tree_picture import MAX_WIDTH
from treewright._render.svg_frame import COLORS
from treewright._render.svg_text import text_width, wrap

SVG = "{http://www.w3.org/2000/svg}"


def shapes(draw: st.DrawFn) -> list[Box]:
    n = draw(st.integers(1, 40))
    parents = [-1, *(draw(st.integers(0, i - 1)) for i in range(1, n))]
    depths = [0]
    for parent in parents[1:]:
        depths.append(depths[parent] + 1)
    text = st.lists(st.text("iW家 ", max_size=12), max_size=3)
    return [
        Box(parent, depth, draw(text), draw(text), draw(text), draw(st.booleans()))
        for parent, depth in zip(parents, depths, strict=True)
    ]


@pytest.mark.slow
@given(st.composite(shapes)())
def test_boxes_never_overlap(boxes: list[Box]) -> None:
    places, width, height = arrange(boxes)
    for place in places:
        assert place.x >= 0
        assert place.x + place.width <= width
        assert 0 <= place.way <= place.top
        assert place.top + place.height <= height
    for one, other in itertools.combinations(places, 2):
        apart = (
            one.x + one.width <= other.x
            or other.x + other.width <= one.x
            or one.top + one.height <= other.way
            or other.top + other.height <= one.way
        )
        assert apart


@pytest.mark.slow
@given(st.composite(shapes)())
def test_children_stand_below_their_parent_and_in_order(boxes: list[Box]) -> None:
    places, _, _ = arrange(boxes)
    for i, box in enumerate(boxes):
        if box.parent < 0:
            continue
        parent = places[box.parent]
        assert parent.top + parent.height < places[i].bend < places[i].way
        for j in range(i):
            if boxes[j].parent == box.parent:
                assert places[j].middle < places[i].middle


@given(st.text("iW家 ", max_size=60), st.integers(1, 4))
def test_wrapped_text_fits(text: str, most: int) -> None:
    lines = wrap(text, 60.0, most)
    assert 1 <= len(lines) <= most
    assert all(text_width(line) <= 60.0 for line in lines)
    if not lines[-1].endswith("…"):
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_the_tennis_picture() -> None:
    svg = show(draw_trees.tennis()).to_svg()
    said = texts(svg)
    assert said[:3] == ["Outlook?", "#0 · 14 rows", "9\u00a0Yes · 5\u00a0No"]
    assert said[3:7] == ["Sunny", "Humidity?", "#1 · 5 rows", "2\u00a0Yes · 3\u00a0No"]
    frames = [r for r in ElementTree.fromstring(svg).iter(f"{SVG}rect") if r.get("rx")]
    assert [frame.get("fill") for frame in frames] == [
        *("none", "none", COLORS[1], COLORS[0], COLORS[0], "none", COLORS[0], COLORS[1])
    ]


def test_classes_that_are_numbers_are_not_read_as_figures() -> None:
    said = texts(show(draw_trees.digits()).to_svg())
    assert said[2:4] == ["9:\u00a0100 · 8:\u00a090 · 7:\u00a080 ·", "280\u00a0other"]


def test_pictures_have_no_background_and_follow_the_page() -> None:
    svg = show(draw_trees.tennis()).to_svg()
    root = ElementTree.fromstring(svg)
    assert root.get("fill") == "currentColor"
    assert "prefers-color-scheme:dark" in svg
    widest = max(float(r.get("width", 0)) for r in root.iter(f"{SVG}rect"))
    assert widest < float(root.get("width", 0)) / 2
    # In a page the page says the colour.
    assert "prefers-color-scheme" not in show(draw_trees.tennis()).to_html()


@pytest.mark.parametrize("make", ["prices", "digits", "hostile"])
def test_other_trees_have_pictures(make: str) -> None:
    ElementTree.fromstring(show(getattr(draw_trees, make)()).to_svg())


def test_large_trees_have_a_picture_of_their_largest_nodes() -> None:
    for tree in (draw_trees.full(17), draw_trees.chain(100_000), draw_trees.fan(5000)):
        root = ElementTree.fromstring(show(tree).to_svg())
        frames = [r for r in root.iter(f"{SVG}rect") if r.get("rx")]
        assert 8 <= len(frames) <= 60
        assert float(root.attrib["width"]) <= MAX_WIDTH
        assert sum(frame.get("stroke-dasharray") is not None for frame in frames) >= 1
