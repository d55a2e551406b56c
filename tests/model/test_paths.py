"""The questions of a tree as tests and as boxes: they say where the core sends a row, without sending one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from helpers import draw_trees
from helpers.export_models import SORTS, Example, example, with_surrogates
from treewright import C45Classifier, datasets
from treewright._core import UNSEEN
from treewright._input.encoding import encode
from treewright._model.paths.ends import ends
from treewright._model.paths.ordered_tests import DIVIDED, Above, Among, Arms, AtMost, Test
from treewright._model.paths.outline import outline
from treewright._model.paths.regions import Box, Codes, Span, walk_boxes
from treewright.table import MISSING


def holds(test: Test, row: list[Any]) -> bool:
    x = row[test.feature]
    match test:
        case AtMost(cut=cut):
            return bool(x <= cut)
        case Above(cut=cut):
            return bool(x > cut)
        case Among(codes=codes):
            return int(x) in codes
    return bool(x == MISSING or x != x)


def reached(arms: Arms, row: list[Any]) -> int:
    """Walk by the arms; stop where the row is divided, as `apply` does."""
    node = 0
    while arms.tree.n_children[node]:
        goes = next(
            arm.goes
            for arm in arms.of(node)
            if not arm.tests or any(holds(t, row) for t in arm.tests)
        )
        if goes in (node, DIVIDED):
            break
        node = goes
    return node


CASES = {f"{sort} {seed}": (sort, seed) for sort in SORTS for seed in range(4)}


@pytest.mark.parametrize("name", [*CASES, "surrogates"])
def test_the_first_test_that_holds_leads_where_the_core_goes(name: str) -> None:
    case = with_surrogates("cart", 5) if name == "surrogates" else example(*CASES[name])
    columns = encode(case.table, case.schema)
    [arms] = case.sum.trees
    found = [reached(arms, [column[i] for column in columns]) for i in range(len(case.table))]
    assert found == case.forest.apply(0, columns).tolist()


def inside(box: Box, row: list[Any]) -> bool:
    for feature, values in box.items():
        x = row[feature]
        if x == MISSING or x != x:
            belongs = values.missing
        elif isinstance(values, Span):
            belongs = values.low < x <= values.high
        else:
            belongs = values.unseen if x == UNSEEN else values.has(int(x))
        if not belongs:
            return False
    return True


@pytest.mark.parametrize("name", CASES)
def test_each_row_lies_in_the_one_box_of_its_end(name: str) -> None:
    case = example(*CASES[name], rows=60)
    columns = encode(case.table, case.schema)
    [arms] = case.sum.trees
    boxes = list(walk_boxes(arms))
    nodes = case.forest.apply(0, columns)
    for i in range(len(case.table)):
        row = [column[i] for column in columns]
        found = [node for node, box in boxes if inside(box, row)]
        divided = arms.tree.n_children[nodes[i]] and not found
        assert found == [nodes[i]] or (divided and arms.divides)


def test_boxes_say_a_path_in_short() -> None:
    tree = draw_trees.digits()  # one column asked twice
    boxes = dict(walk_boxes(Arms(tree)))
    assert boxes[3] == {0: Span(0.0, 7.25, missing=False)}
    assert boxes[0] == {0: Span(0, 0, missing=True)}  # where a missing value stops
    golf = C45Classifier().fit(*datasets.golf()).tree_
    assert dict(walk_boxes(Arms(golf)))[2] == {0: Codes(0b10, unseen=False, missing=False)}


def test_steps_open_and_close() -> None:
    for sort in SORTS:
        for arms in example(sort, 1, trees=3).sum.trees:
            depth = 0
            for step in outline(arms):
                depth -= step.word == "close"
                assert step.depth == depth - (step.word == "arm")
                depth += step.word == "open"
            assert depth == 0


def test_ends_come_in_the_order_of_the_children() -> None:
    case: Example = example("share", 2)
    [arms] = case.sum.trees
    found = list(ends(arms))
    assert len({node for node, _ in found}) == len(found)
    # A walk that stops at a node comes after all that goes on from there.
    order = [[np.inf if goes == node else goes for node, goes in path] for _, path in found]
    assert order == sorted(order)


def test_a_chain_deeper_than_the_stack_is_no_matter() -> None:
    arms = Arms(draw_trees.chain(20_000))
    assert sum(step.word == "end" for step in outline(arms)) == 40_001  # every branch may stop, too
    assert sum(1 for _ in ends(Arms(draw_trees.chain(500)))) == 1001
