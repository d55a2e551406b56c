"""The root of rpart's regression tree is what 0-R says of a number: rows, mean, squared error."""

from __future__ import annotations

import golden
import pytest

from treewright import ZeroRRegressor


@pytest.mark.parametrize("name", ["cpu", "abalone"])
def test_zero_r_is_the_root(name: str) -> None:
    root = golden.answers(name, "rpart")["fits"][0]
    tree = ZeroRRegressor().fit(*golden.load(name)).tree_
    assert tree.count[0] == root["n"][0]
    assert tree.value[0, 0] == pytest.approx(root["yval"][0], rel=1e-10)
    assert tree.cost[0] == pytest.approx(root["dev"][0], rel=1e-10)
