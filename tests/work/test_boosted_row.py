"""The work of a boosted model for one row: the steps add up to what it predicts."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from treewright import GradientBoostingClassifier, GradientBoostingRegressor, work
from treewright.errors import UsageError

RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 3))
NUMBERS = 2 * X[:, 0] + X[:, 1]


def test_the_steps_of_a_number_add_up() -> None:
    model = GradientBoostingRegressor(n_estimators=30).fit(X, NUMBERS)
    record = work(model, X=X[4], y=NUMBERS[4:5]).to_dict()
    total = record["base"][0]
    for step in record["steps"]:
        assert model.trees_[step["tree"]].n_children[step["node"]] == 0
        total += step["adds"]
        assert step["sum"] == total
    assert record["says"] == [total] == [model.predict(X[4:5])[0]]
    text = str(work(model, X=X[4], y=NUMBERS[4:5]))
    assert "residual" in text
    assert "10 steps between are not listed." in text
    assert "residual" not in str(work(model, X=X[4]))


def test_the_steps_of_classes_are_linked() -> None:
    model = GradientBoostingClassifier(n_estimators=8).fit(X, np.where(NUMBERS > 0, "<b>p", "q"))
    shown = work(model, X=X[0])
    record = shown.to_dict()
    last = record["steps"][-1]["sum"]
    assert record["says"][1] == pytest.approx(1 / (1 + math.exp(-last)))
    assert "The probabilities by the logistic link: " in str(shown)
    assert "<b>" not in shown.to_html()


def test_every_class_has_its_sum() -> None:
    labels = np.digitize(NUMBERS, [-1, 1])
    model = GradientBoostingClassifier(n_estimators=4).fit(X, labels)
    record = work(model, X=X[0]).to_dict()
    assert len(record["base"]) == 3
    assert {step["output"] for step in record["steps"]} == {0, 1, 2}
    ends = [[s["sum"] for s in record["steps"] if s["output"] == k][-1] for k in range(3)]
    shares = np.exp(ends) / np.exp(ends).sum()
    assert record["says"] == pytest.approx(shares.tolist())
    assert "The sums start at" in str(work(model, X=X[0]))


def test_files_and_slips(tmp_path: Path) -> None:
    model = GradientBoostingRegressor(n_estimators=3).fit(X, NUMBERS)
    for ending in (".txt", ".md", ".tex", ".html", ".json"):
        work(model, X=X[0]).save(tmp_path / f"steps{ending}")
    assert len(json.loads((tmp_path / "steps.json").read_text("utf-8"))["steps"]) == 3
    assert str(work(model, X=X[0], ascii=True)).isascii()
    with pytest.raises(UsageError, match="is about one row"):
        work(model)
