"""The questions of a tree as tests and as regions: they say where the core sends a row, without sending one."""

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
from treewright._model.paths.ordered_tests import DIVIDED, Above, Among, AtMost, OrderedTests, Test
from treewright._model.paths.outline import outline
from treewright._model.paths.regions import Codes, Interval, Region, walk_regions
from treewright.table import MISSING


def holds(test: Test, row: list[Any]) -> bool:
    x = row[test.feature]
    match test:
        case AtMost(threshold=threshold):
            return bool(x <= threshold)
        case Above(threshold=threshold):
            return bool(x > threshold)
        case Among(codes=codes):
            return int(x) in codes
    return bool(x == MISSING or x != x)


def reached(splits: OrderedTests, row: list[Any]) -> int:
    """Walk by the splits; stop where the row is divided, as `apply` does."""
    node = 0
    while splits.tree.n_children[node]:
        goes = next(
            branch.goes
            for branch in splits.of(node)
            if not branch.tests or any(holds(t, row) for t in branch.tests)
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
    [splits] = case.sum.trees
    found = [reached(splits, [column[i] for column in columns]) for i in range(len(case.table))]
    assert found == case.forest.apply(0, columns).tolist()


def inside(region: Region, row: list[Any]) -> bool:
    for feature, values in region.items():
        x = row[feature]
        if x == MISSING or x != x:
            belongs = values.missing
        elif isinstance(values, Interval):
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
    [splits] = case.sum.trees
    regions = list(walk_regions(splits))
    nodes = case.forest.apply(0, columns)
    for i in range(len(case.table)):
        row = [column[i] for column in columns]
        found = [node for node, region in regions if inside(region, row)]
        divided = splits.tree.n_children[nodes[i]] and not found
        assert found == [nodes[i]] or (divided and splits.divides)


def test_boxes_say_a_path_in_short() -> None:
    tree = draw_trees.digits()  # one column asked twice
    regions = dict(walk_regions(OrderedTests(tree)))
    assert regions[3] == {0: Interval(0.0, 7.25, missing=False)}
    assert regions[0] == {0: Interval(0, 0, missing=True)}  # where a missing value stops
    golf = C45Classifier().fit(*datasets.golf()).tree_
    assert dict(walk_regions(OrderedTests(golf)))[2] == {
        0: Codes(0b10, unseen=False, missing=False)
    }


def test_steps_open_and_close() -> None:
    for sort in SORTS:
        for splits in example(sort, 1, trees=3).sum.trees:
            depth = 0
            for step in outline(splits):
                depth -= step.word == "close"
                assert step.depth == depth - (step.word == "branch")
                depth += step.word == "open"
            assert depth == 0


def test_ends_come_in_the_order_of_the_children() -> None:
    case: Example = example("share", 2)
    [splits] = case.sum.trees
    found = list(ends(splits))
    assert len({node for node, _ in found}) == len(found)
    # A walk that stops at a node comes after all that goes on from there.
    order = [[np.inf if goes == node else goes for node, goes in path] for _, path in found]
    assert order == sorted(order)


def test_a_chain_deeper_than_the_stack_is_no_matter() -> None:
    splits = OrderedTests(draw_trees.chain(20_000))
    assert (
        sum(step.word == "end" for step in outline(splits)) == 40_001
    )  # every branch may stop, too
    assert sum(1 for _ in ends(OrderedTests(draw_trees.chain(500)))) == 1001
