"""`explain`: the textbook's row, every reason for a step, and changes that no other change undercuts."""

from __future__ import annotations

import itertools
import json
import math
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import treewright
from helpers import draw_trees
from helpers.export_models import Example, example, with_surrogates
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    DataError,
    ID3Classifier,
    UsageError,
    ZeroRClassifier,
    datasets,
    explain,
    to_rules,
)
from treewright._input.encoding import encode, one_row
from treewright.measures.intervals import wilson
from treewright.tree import Tree

SUNNY = {"Outlook": "Sunny", "Temperature": "Cool", "Humidity": "High", "Wind": "Strong"}


@pytest.fixture(scope="module")
def tennis() -> Any:
    return ID3Classifier().fit(*datasets.play_tennis())


@pytest.fixture(scope="module")
def golf() -> Any:
    return C45Classifier().fit(*datasets.golf())


def test_the_textbook_row(tennis: Any) -> None:
    assert (
        str(explain(tennis, SUNNY, width=80))
        == """\
No.
  because  Outlook = Sunny  (node #0)
      and  Humidity = High  (node #1)
  3 training rows took this path, all "No" (95% interval: 43.9% to 100%)
smallest change to get "Yes":  Humidity High → Normal
other single change:           Outlook Sunny → Overcast
not used on this path:         Temperature, Wind"""
    )


def test_a_column_that_may_not_change(tennis: Any) -> None:
    told = explain(tennis, SUNNY, fixed=["Humidity"])
    assert [change.to[0].value for change in told.changes] == ["Overcast"]
    none = explain(tennis, SUNNY, fixed=["Humidity", "Outlook"], width=80)
    assert 'no change of two columns without Humidity, Outlook is enough to get "Yes"' in str(none)
    with pytest.raises(DataError, match='no column "Humid"'):
        explain(tennis, SUNNY, fixed=["Humid"])


def test_a_value_never_seen_stops(tennis: Any) -> None:
    text = str(explain(tennis, SUNNY | {"Outlook": "Foggy"}, width=100))
    assert "because  Outlook = Foggy, never seen in training: the path ends here  (node #0)" in text
    assert '14 training rows came this far, 9 of 14 "Yes"' in text


def test_a_divided_row_is_told_by_its_parts(golf: Any) -> None:
    told = explain(golf, {"humidity": 80, "windy": "TRUE"}, width=80)
    assert (
        str(told)
        == """\
no.
  because  outlook is missing: the row is divided  (node #0)
  35.7%  outlook = sunny, humidity > 75 → no (node #5)
  35.7%  outlook = rainy, windy = TRUE  → no (node #6)
  28.6%  outlook = overcast             → yes (node #2)
  together: no 71.4%, yes 28.6%
smallest change to get "yes":  outlook missing → overcast
not used on this path:         temperature"""
    )
    assert told.says == tuple(
        golf.predict_proba(
            [{"humidity": 80, "windy": "TRUE", "outlook": None, "temperature": None}]
        )[0]
    )
    assert sum(part.share for part in told.parts) == pytest.approx(1)
    assert told.interval is None


def test_numbers_and_bounds(golf: Any) -> None:
    text = str(explain(golf, {"outlook": "sunny", "humidity": 75.0}, width=100))
    assert "and  humidity = 75 ≤ 75  (node #1)" in text
    assert 'smallest change to get "no":  humidity 75 → more than 75' in text
    model = CARTRegressor().fit({"a": [1, 2, 3, 10], "b": [0, 0, 1, 1]}, [1.0, 1.0, 5.0, 9.0])
    told = explain(model, {"a": 1, "b": 0}, want=">= 5")
    assert not explain(model, {"a": 1, "b": 0}).changes
    assert "smallest change to predict at least 5:  a 1 → more than 2.5" in str(told)
    assert model.predict([{"a": told.changes[0].to[0].value, "b": 0}])[0] >= 5
    for want in ("5", ">= x", ""):
        with pytest.raises(UsageError, match="not a bound of a number"):
            explain(model, {"a": 1, "b": 0}, want=want)


def test_surrogates_stand_in() -> None:
    case = with_surrogates("cart", 22)
    [arms] = case.sum.trees
    told = [explain(arms.tree, case.table[i : i + 1]) for i in range(60)]
    stand_ins = [step for each in told for step in each.steps if step.stand_in is not None]
    assert stand_ins
    assert all(step.state != "known" or step.branch is not None for step in stand_ins)
    assert any("stands in" in str(each) for each in told)


def test_a_model_that_asks_nothing() -> None:
    told = explain(ZeroRClassifier().fit({"a": [1, 2, 3]}, ["x", "x", "y"]), {"a": 1}, width=80)
    assert str(told).splitlines()[1] == "  because  the tree has no splits"
    assert told.unused == ("a",)


def test_rows_in_every_container(tennis: Any) -> None:
    X, _ = datasets.play_tennis()
    for row in (X[:1], X[:1].to_pandas(), X[:1].to_dict(), list(SUNNY.values())):
        assert explain(tennis, row).answer == "No"
    with pytest.raises(DataError, match="expected one row, got 14"):
        explain(tennis, X)


def test_a_pipeline_sends_the_row_to_its_tree() -> None:
    X, y = np.arange(12.0).reshape(6, 2), [0, 0, 0, 1, 1, 1]
    model = make_pipeline(StandardScaler(), CARTClassifier()).fit(X, y)
    told = explain(model, X[4:5])
    assert told.answer == model.predict(X[4:5])[0] == 1


@pytest.mark.parametrize("sort", ["way", "stop", "branch", "share", "mixed"])
def test_the_way_and_the_answer_are_those_of_the_core(sort: str) -> None:
    case = example(sort, 4, rows=80)
    [arms] = case.sum.trees
    answers, says = case.answers, case.says
    for i in range(len(case.table)):
        told = explain(arms.tree, case.table[i : i + 1])
        assert told.answer == answers[i]
        np.testing.assert_array_equal(told.says, says[i])
        assert [step.node for step in told.steps] == [
            node for node in arms.tree.path(case.table[i : i + 1]) if arms.tree.n_children[node]
        ]
        assert str(told)
        json.dumps(told.to_dict(), allow_nan=False)


def candidates(case: Example, feature: int) -> list[Any]:
    """All values of a column that lead to different places."""
    column = case.schema.columns[feature]
    if column.kind == "categorical":
        return list(column.levels)
    [arms] = case.sum.trees
    asked = (arms.tree.n_children > 0) & (arms.tree.feature == feature)
    cuts = sorted({float(c) for c in arms.tree.threshold[asked] if math.isfinite(c)})
    return [*cuts, *(math.nextafter(c, math.inf) for c in cuts)]


def fewest(case: Example, row: dict[str, Any], answer: Any) -> int | None:
    """Find by trying everything how many columns must change."""
    [arms] = case.sum.trees
    for n in (1, 2):
        for features in itertools.combinations(range(len(case.schema.columns)), n):
            for values in itertools.product(*(candidates(case, f) for f in features)):
                names = [case.schema.names[f] for f in features]
                tried = row | dict(zip(names, values, strict=True))
                node = arms.tree.path(tried)[-1]
                if not arms.tree.n_children[node] and arms.tree.answer(node) != answer:
                    return n
    return None


@pytest.mark.parametrize("seed", range(3))
def test_no_change_is_smaller_than_the_smallest(seed: int) -> None:
    case = example(["way", "stop", "share"][seed], 30 + seed, branches=6, rows=8)
    [arms] = case.sum.trees
    for row in case.rows:
        told = explain(arms.tree, row)
        needed = fewest(case, row, told.answer)
        assert (len(told.changes[0].to) if told.changes else None) == needed
        for change in told.changes:
            tried = row | {to.column: to.value for to in change.to}
            columns = encode(one_row(tried, case.schema), case.schema)
            assert case.forest.apply(0, columns)[0] == change.node
            assert change.answer != told.answer
        distances = [change.distance for change in told.changes]
        assert distances == sorted(distances)


def test_weights_above_one_are_not_more_rows() -> None:
    X, y = datasets.golf()
    plain = CARTClassifier(max_depth=1).fit(X, y)
    heavy = CARTClassifier(max_depth=1).fit(X, y, sample_weight=np.full(len(y), 100.0))
    assert explain(heavy, X[:1]).interval == explain(plain, X[:1]).interval
    rules = [to_rules(model) for model in (plain, heavy)]
    assert [rule.interval for rule in rules[0]] == [rule.interval for rule in rules[1]]


def test_plain_values_and_files(golf: Any, tmp_path: Path) -> None:
    told = explain(golf, {"outlook": "sunny", "humidity": 80})
    record = told.to_dict()
    assert record["steps"][1]["branch"]["value"] == 75.0
    assert record["interval"] == list(wilson(3, 3))
    assert record["row"]["windy"] is None
    for ending, begins in {".txt": "no.", ".md": "```text", ".json": "{"}.items():
        told.save(tmp_path / f"why{ending}")
        assert (tmp_path / f"why{ending}").read_text("utf-8").startswith(begins)
    with pytest.raises(UsageError, match="supported: "):
        told.save(tmp_path / "why.docx")
    assert set(told._repr_mimebundle_()) == {"text/plain", "text/markdown", "text/html"}


def test_hostile_names_stay_on_their_lines() -> None:
    tree = draw_trees.hostile()
    told = explain(tree, {tree.schema.names[0]: draw_trees.HOSTILE[5]}, width=60)
    assert "\x1b" not in str(told)
    assert all(len(line) <= 120 for line in str(told).splitlines())
    narrow = str(explain(tree, {tree.schema.names[0]: draw_trees.HOSTILE[1]}, width=30, ascii=True))
    assert "→" not in narrow


def test_wrong_words() -> None:
    tree: Tree = draw_trees.tennis().tree_
    with pytest.raises(UsageError, match='no class "Maybe"'):
        explain(tree, SUNNY, want="Maybe")
    for most in (0, 5, 1.5, True):
        with pytest.raises(UsageError, match="most must be"):
            explain(tree, SUNNY, most=most)


@pytest.mark.slow
def test_large_trees_are_explained_at_once() -> None:
    deep, wide = draw_trees.chain(50_000), draw_trees.full(17)
    for tree in (deep, wide):
        row = [0.5] * 7
        start = time.process_time()
        text = str(explain(tree, row, width=100))
        assert time.process_time() - start < 2
        assert len(text) < 5000
    long = str(explain(deep, [1e9] * 7, width=100))
    assert len(long) < 5000


def test_wilson() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(5, 10) == pytest.approx((0.23659309, 0.76340691), abs=1e-8)


def test_a_row_of_a_data_frame_is_a_row() -> None:
    frame = pd.DataFrame({"size": ["S", "M", "L", "S"], "n": [1.0, 2.0, 3.0, 4.0]})
    model = CARTClassifier().fit(frame, list("abab"))
    expected = str(explain(model, {"size": "S", "n": 1.0}))
    rows = pl.DataFrame(frame.to_dict("list"))
    for row in (
        frame.iloc[0],
        frame.iloc[0][["n", "size"]],
        pd.Series(["S", 1.0]),
        rows.row(0),
        rows.row(0, named=True),
        rows[0],
    ):
        assert str(explain(model, row)) == expected
    assert model.predict_one(frame.iloc[0]) == model.predict_one({"size": "S", "n": 1.0})
    plain = CARTClassifier().fit(frame[["n"]].to_numpy(), list("abab"))
    assert str(explain(plain, pl.Series([1.0]))) == str(explain(plain, [1.0]))
    with pytest.raises(DataError, match='no column "weight"'):
        explain(model, pd.Series({"size": "S", "weight": 1.0}))


def test_the_sum_of_an_ensemble_says_its_unit() -> None:
    X, y = datasets.golf()
    boosted = treewright.GradientBoostingClassifier(n_estimators=3, min_samples_leaf=1).fit(X, y)
    assert "the 3 trees predict log-odds of " in str(explain(boosted, X[:1]))
    voted = treewright.AdaBoostClassifier(n_estimators=3).fit(X, y)
    assert "trees predict a vote of " in str(explain(voted, X[:1]))
    mean = treewright.RandomForestClassifier(3).fit(X, y)
    assert explain(mean, X[:1]).to_dict()["unit"] == ""
    counts = [float(i % 3) for i in range(14)]
    poisson = treewright.GradientBoostingRegressor(
        n_estimators=3, loss="poisson", min_samples_leaf=1
    )
    assert "predict a logarithm of " in str(explain(poisson.fit(X, counts), X[:1]))
