"""Which nodes are drawn: the largest first, everything else counted, whatever the shape."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import draw_trees
from treewright._draw.excerpt import Line, Scope, excerpt, members, size
from treewright.schema import Column, Schema
from treewright.tree import Tree


def below(tree: Tree, node: int) -> set[int]:
    """The subtree of a node, slowly."""
    nodes, waiting = set(), [node]
    while waiting:
        nodes.add(node := waiting.pop())
        first = int(tree.first_child[node])
        waiting += range(first, first + int(tree.n_children[node]))
    return nodes


def shown(lines: list[Line]) -> list[int]:
    return [line.node for line in lines if not line.hidden]


seeds = st.integers(0, 10_000)
scopes = st.builds(
    Scope, st.just(0), st.none() | st.integers(0, 5), st.sampled_from([0, 0, 10, 50, 200])
)


@given(seeds, st.integers(0, 40), scopes, st.integers(1, 60))
def test_every_node_is_drawn_or_counted_once(
    seed: int, branches: int, scope: Scope, budget: int
) -> None:
    tree = draw_trees.random_tree(seed, branches)
    lines = excerpt(tree, scope, budget)
    assert len(lines) <= budget
    assert len(shown(lines)) + sum(line.hidden for line in lines) == tree.n_nodes
    for line in lines:
        heads = line.folded.tolist() if len(line.folded) else [line.node]
        if line.hidden:
            assert line.hidden == sum(len(below(tree, head)) for head in heads)


@given(seeds, st.integers(0, 40), scopes, st.integers(1, 60))
def test_lines_stand_in_reading_order(seed: int, branches: int, scope: Scope, budget: int) -> None:
    tree = draw_trees.random_tree(seed, branches)
    lines = excerpt(tree, scope, budget)
    parents = tree.parents
    above: list[int] = []
    for i, line in enumerate(lines):
        parent = line.node if len(line.folded) else int(parents[line.node])
        assert (above[line.depth - 1] if line.depth else -1) == parent
        above[line.depth :] = [line.node]
        assert scope.depth is None or line.depth <= scope.depth
        later = lines[i + 1 :]
        end = next((j for j, other in enumerate(later) if other.depth < line.depth), len(later))
        assert line.last == all(other.depth > line.depth for other in later[:end])


@given(seeds, st.integers(5, 40), st.integers(2, 30))
def test_nothing_that_fits_is_cut(seed: int, branches: int, budget: int) -> None:
    tree = draw_trees.random_tree(seed, branches)
    lines = excerpt(tree, Scope(), budget)
    for line in lines:
        if line.hidden and not len(line.folded):
            assert len(lines) + int(tree.n_children[line.node]) > budget


@given(seeds, st.integers(0, 40))
def test_subtrees_and_their_sizes(seed: int, branches: int) -> None:
    tree = draw_trees.random_tree(seed, branches)
    for node in range(tree.n_nodes):
        nodes = below(tree, node)
        assert members(tree, node).tolist() == sorted(nodes)
        extent = size(tree, node)
        assert extent.nodes == len(nodes)
        assert extent.leaves == sum(tree.n_children[n] == 0 for n in nodes)
        assert extent.depth == max(tree.depths[n] for n in nodes) - tree.depths[node]


def test_the_largest_are_opened_first() -> None:
    tree = draw_trees.full(12)
    opened = sorted(line.node for line in excerpt(tree, Scope(), 31) if line.opened)
    # All nodes of a level have equal rows: the first of them by their number.
    assert opened == list(range(15))


def test_small_children_are_folded_unless_there_is_only_one() -> None:
    folded = excerpt(draw_trees.fan(10), Scope(min_rows=8), 60)[-1]
    assert folded.folded.tolist() == list(range(1, 9))
    single = excerpt(draw_trees.fan(10), Scope(min_rows=1), 60)
    assert not any(len(line.folded) for line in single)


@pytest.mark.parametrize("make", [lambda: draw_trees.full(17), lambda: draw_trees.chain(100_000)])
def test_the_cost_is_that_of_the_lines(make: object, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = make()  # type: ignore[operator]
    asked: list[int] = []
    branches = Tree.branches
    monkeypatch.setattr(
        Tree, "branches", lambda self, node: (asked.append(node), branches(self, node))[1]
    )
    lines = excerpt(tree, Scope(), 60)
    assert len(lines) <= 60
    assert len(asked) <= 60
    assert len(np.unique(asked)) == len(asked)


def test_each_line_has_the_branch_that_leads_to_it() -> None:
    column = Column("c", "categorical", ("x", "y", "z"))
    leaves = [((1.0, 0.0), 1, 0.0), ((0.0, 1.0), 2, 0.0)]
    tree = draw_trees.tree(  # the first level leads to the second child
        Schema((column,), "t", ("p", "q")), [((0.5, 0.5), 3, 1.0, 1.0, 0, [1, 0, 1], 2, 0), *leaves]
    )
    _, *lines = excerpt(tree, Scope(), 10)
    assert [(line.node, str(line.branch)) for line in lines] == [(1, "c = y"), (2, "c in {x, z}")]
