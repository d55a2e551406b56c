"""Model files of earlier versions are read, and their work is shown as far as they hold it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from treewright import datasets, load, work

MODELS = Path(__file__).parents[1] / "data" / "models"
X, Y = datasets.play_tennis()
GOLF, PLAY = datasets.golf()


@pytest.mark.parametrize("name", ["id3", "c45"])
def test_trees_of_the_first_version(name: str) -> None:
    table, y = (X, Y) if name == "id3" else (GOLF, PLAY)
    model = load(MODELS / f"{name}-0.1.0.tree")
    assert (model.predict(table) == np.array(y)).all()
    assert model.sufficient_majority is None
    for node in range(model.tree_.n_nodes):
        held = work(model, node)
        full = work(model, node, table, y).to_dict()
        record = held.to_dict()
        assert str(held)
        # The choice of its own algorithm is known; that of others needs the rows.
        assert record["chosen"] == full["chosen"]
        assert record["choices"][0] == full["choices"][0]
        if record["candidates"]:
            assert list(record["would_choose"]) == [record["method"]]
            assert len(full["would_choose"]) == 3
        reasons = [r["stop_reason"] and r["stop_reason"]["code"] for r in (record, full)]
        assert reasons[0] == reasons[1]


def test_cuts_of_the_first_version_stand_in_order_of_value() -> None:
    record = work(load(MODELS / "c45-0.1.0.tree"), 0).to_dict()
    humidity = next(c for c in record["candidates"] if c["column"] == "humidity")
    below = [cut["below"] for cut in humidity["cuts"]]
    assert below == sorted(below)
    assert (len(below), humidity["n_cuts"]) == (5, 7)
    assert all(cut["sides"] == [] for cut in humidity["cuts"])
    assert humidity["gain"] == pytest.approx(max(cut["gain"] for cut in humidity["cuts"]))


def test_numbers_and_rules_of_the_first_version() -> None:
    numbers = load(MODELS / "cart-numbers-0.1.0.tree")
    assert str(work(numbers, 0))
    assert work(numbers, 0).to_dict()["stop_reason"] is None
    rule = load(MODELS / "one-r-0.1.0.tree")
    assert work(rule).columns == ()
    assert [r.errors for r in work(rule, X=X, y=Y).columns] == [4, 5, 4, 5]
