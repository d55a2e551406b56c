"""The work of 0-R and 1-R: the errors of each column, ties, and what a file holds of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from treewright import OneRClassifier, ZeroRClassifier, ZeroRRegressor, datasets, load, save, work
from treewright.errors import ModelFileError
from treewright.files import from_bytes, to_bytes

X, Y = datasets.play_tennis()
GOLF, PLAY = datasets.golf()


def test_the_errors_of_every_column() -> None:
    shown = work(OneRClassifier().fit(X, Y), width=100)
    assert {rule.column: rule.errors for rule in shown.columns} == {
        "Outlook": 4,
        "Temperature": 5,
        "Humidity": 4,
        "Wind": 5,
    }
    assert (shown.chosen, shown.tied, shown.errors, shown.weight) == (
        "Outlook",
        ("Outlook", "Humidity"),
        5,
        14,
    )
    page = str(shown)
    assert "4/14" in page
    assert "5 of 14 rows" in page
    assert "Outlook and Humidity are tied: the first column is chosen." in page
    weak = next(rule for rule in shown.columns if rule.column == "Temperature").parts[0]
    assert (weak.way, weak.amounts, weak.prediction, weak.tied) == ("Hot", (2.0, 2.0), "No", True)


def test_always_the_same() -> None:
    record = work(ZeroRClassifier().fit(X, Y)).to_dict()
    assert (record["errors"], record["weight"], record["prediction"]) == (5.0, 14.0, "Yes")
    numbers = work(ZeroRRegressor().fit([[0], [0], [0]], [1.0, 2.0, 6.0])).to_dict()
    assert (numbers["prediction"], numbers["errors"]) == (3.0, 14.0)
    assert "the mean" in str(work(ZeroRRegressor().fit([[0], [0]], [1.0, 2.0])))


def test_rows_a_file_and_the_fit_agree(tmp_path: Path) -> None:
    table = {"n": [1.0, 2, 3, 4, np.nan, 6], "c": ["a", "b", None, "a", "b", "b"]}
    y = list("ppqqpq")
    for model, rows, target in (
        (OneRClassifier(min_bucket=1).fit(table, y), table, y),
        (OneRClassifier().fit(GOLF, PLAY), GOLF, PLAY),
    ):
        own = work(model).to_dict()
        assert own == work(model, X=rows, y=target).to_dict()
        save(model, tmp_path / "one.tree")
        assert own == work(load(tmp_path / "one.tree")).to_dict()
        chosen = next(rule for rule in own["columns"] if rule["column"] == model.column_)
        assert chosen["errors"] == int((model.predict(rows) != np.array(target)).sum())


def test_a_large_rule_is_not_in_the_file() -> None:
    rng = np.random.default_rng(0)
    table = {
        "id": [f"r{i}" for i in range(3000)],
        "x": rng.integers(0, 2, 3000).astype(str).tolist(),
    }
    y = rng.integers(0, 2, 3000).astype(str).tolist()
    model = OneRClassifier().fit(table, y)
    loaded = from_bytes(to_bytes(model))
    assert work(loaded).columns == ()
    assert work(loaded, X=table, y=y).to_dict() == work(model).to_dict()


def test_rules_of_a_file_are_checked() -> None:
    import json

    model = OneRClassifier().fit(X, Y)
    document = json.loads(model._document())
    for rules in (
        [],
        [{}] * 4,
        [{"counts": [[1]], "rows": [1], "cuts": None, "missing": None}] * 4,
    ):
        wrong = json.dumps(
            document | {"kept": {"rules": rules}}, sort_keys=True, separators=(",", ":")
        )
        with pytest.raises(ModelFileError):
            from_bytes(model._forest.to_bytes(wrong))
