"""A tree in any width: no line is too wide, and none loses its question or its prediction."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import draw_trees
from helpers.soak import size
from treewright import show
from treewright._core import STOP
from treewright._draw import node_figures as facts
from treewright._render.safe_text import cells, distinct
from treewright.schema import Column, Schema
from treewright.tree import Tree

ALPHABETS = ("abcdefgh_", "天气温度湿", "e\u0301o\u0308n", "größeяж", "ابت", "a b")
NAMES = st.sampled_from(ALPHABETS).flatmap(
    lambda letters: st.text(letters, min_size=1, max_size=90).map(str.strip).filter(bool)
)

# What may stand before a label, in steps of three or, in ASCII, of four characters.
STEMS = {3: r"(?:│  |├─ |└─ |   )*", 4: r"(?:\|   |\|-- |`-- |    )*"}


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """Draw a small tree over named columns, numeric and categorical, with classes or a number."""
    names = draw(st.lists(NAMES, min_size=1, max_size=6, unique=True))
    levels = tuple(draw(st.lists(NAMES, min_size=2, max_size=8, unique=True)))
    columns = tuple(
        Column(name, "categorical", levels, missing=bool(i % 2))
        if i % 2
        else Column(name, "numeric", missing=bool(i % 4))
        for i, name in enumerate(names)
    )
    classes = tuple(draw(st.lists(NAMES, min_size=2, max_size=7, unique=True) | st.just([])))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    nodes: list[tuple] = []
    open_, questions = 1, draw(st.integers(0, 12))
    while open_:
        share = rng.dirichlet(np.full(len(classes), 0.5)) if classes else [rng.normal() * 1e3]
        rows = int(rng.integers(1, 100_000))
        open_ -= 1
        if questions:
            questions -= 1
            feature = int(rng.integers(len(columns)))
            if columns[feature].kind == "numeric":
                way, children = float(np.round(rng.normal() * 1e4, 2)), 2
            else:
                children = int(rng.integers(2, len(levels) + 1))
                route = [*range(children), *rng.integers(0, children, len(levels) - children)]
                way = [int(x) for x in route]
            missing = int(rng.choice([0, STOP]))
            nodes.append((share, rows, rows * 0.5, rows * 0.1, feature, way, children, missing))
            open_ += children
        else:
            nodes.append((share, rows, rows * 0.5))
    return draw_trees.tree(Schema(columns, "target", classes), nodes)


def walked(tree: Tree, drawn: list[str], step: int) -> Iterator[tuple[int, int, str]]:
    """Give each line of a drawing with the stem before it and its node: each stands below its parent, in order."""
    children: list[Iterator[int]] = []
    for line in drawn:
        stem = re.match(STEMS[step], line)
        depth = len(stem[0]) // step if stem else 0
        del children[depth:]
        node = next(children[depth - 1]) if depth else 0
        yield node, step * depth, line
        children.append(iter([branch.child for branch in tree.branches(node)]))


@pytest.mark.parametrize("ascii", [False, True])
@settings(max_examples=size(60, 3000))
@given(tree=trees(), width=st.integers(60, 200))
def test_no_line_loses_its_question_or_its_prediction(ascii: bool, tree: Tree, width: int) -> None:
    drawn = str(show(tree, width=width, lines=500, ascii=ascii)).splitlines()
    assert max(map(cells, drawn)) <= width
    body = [line for line in drawn[drawn.index("") + 1 :] if not re.match(r" +node|open a|$", line)]
    dots = "..." if ascii else "…"
    for node, stem, line in walked(tree, body, 4 if ascii else 3):
        if f"{dots} " in line and re.search(r" [\d,]+ nodes?, ", line):
            continue  # a part that was left out: it says how large it is, and can be opened
        if tree.n_children[node]:
            name, sign = tree.schema.columns[tree.feature[node]].name, "?"
        elif tree.schema.classes:
            name, sign = tree.answer(node), "=>" if ascii else "→"
        else:
            name, sign = facts.mean(tree, node), "=>" if ascii else "→"
        assert sign in line
        if name in line:
            continue
        # Shortened: only where the whole name has no room, beside the way into the node and the number compared with.
        assert stem + cells(name) + 35 > width, line
        assert any(name[:k] + dots in line for k in range(1, len(name))), line


@settings(max_examples=size(40, 2000))
@given(tree=trees(), width=st.integers(40, 59))
def test_sentences_keep_their_names(tree: Tree, width: int) -> None:
    drawn = str(show(tree, width=width, lines=500)).splitlines()
    assert max(map(cells, drawn)) <= width
    said = re.sub(r"\s+", "", "".join(drawn))
    for node in range(tree.n_nodes):
        name = tree.schema.columns[tree.feature[node]].name
        if not tree.n_children[node]:
            name = tree.answer(node) if tree.schema.classes else facts.mean(tree, node)
        if cells(name) <= width - 7:
            assert re.sub(r"\s+", "", name) in said


@pytest.mark.slow
@settings(max_examples=size(200, 5000))
@given(st.lists(NAMES, min_size=1, max_size=20, unique=True), st.integers(6, 60))
def test_shortened_names_stay_apart(names: list[str], room: int) -> None:
    short = distinct(names, room, "…")
    assert list(short) == names
    assert len(set(short.values())) == len(names)
    assert all(cells(text) <= room for text in short.values())
    assert all(short[name] == name for name in names if cells(name) <= room)
