"""Ranking and selecting columns: figures known from the book, every form, missing values, targets, and slips."""

from __future__ import annotations

import json
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectKBest
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from treewright import (
    C45Classifier,
    DataError,
    OneRClassifier,
    SelectColumns,
    UsageError,
    datasets,
    measures,
    rank_columns,
    selection,
)

IRIS_CUTS = {0: (5.55, 6.15), 1: (2.95, 3.35), 2: (2.45, 4.75), 3: (0.8, 1.75)}
MIXED = {
    "id": ["a", "b", "c", "d", "e", "f", "g", "h"],
    "size": [1.0, 2.0, None, 4.0, 5.0, 6.0, 7.0, 8.0],
    "colour": ["red", "red", None, "blue", "blue", "red", "blue", None],
}
LABELS = ["no", "no", "no", "yes", "yes", "yes", "yes", "no"]


def by_name(X: Any, y: Any, by: str, **settings: Any) -> dict[str, float]:
    return {column.name: column.score for column in rank_columns(X, y, by, **settings)}


def test_play_tennis_as_in_the_book() -> None:
    X, y = datasets.play_tennis()
    gains = {"Outlook": 0.247, "Humidity": 0.152, "Wind": 0.048, "Temperature": 0.029}
    found = by_name(X, y, "gain")
    assert found == pytest.approx(gains, abs=5e-4)
    assert list(found) == list(gains)
    ratios = {"Outlook": 0.156, "Humidity": 0.152, "Wind": 0.049, "Temperature": 0.019}
    assert by_name(X, y, "gain_ratio") == pytest.approx(ratios, abs=5e-4)
    right = {"Outlook": 10, "Humidity": 10, "Temperature": 9, "Wind": 9}
    assert by_name(X, y, "one_r") == pytest.approx({name: n / 14 for name, n in right.items()})


def test_every_measure_is_the_one_of_measures() -> None:
    X, y = datasets.play_tennis()
    for by, measure in {
        "gain": measures.information_gain,
        "mutual_information": measures.mutual_information,
        "gain_ratio": measures.gain_ratio,
        "gini": measures.gini_gain,
    }.items():
        assert by_name(X, y, by) == {name: measure(X[name], y) for name in X}


def test_chi_squared_of_a_known_table() -> None:
    X = {"x": ["a"] * 30 + ["b"] * 30}
    y = [0] * 20 + [1] * 10 + [0] * 10 + [1] * 20
    assert by_name(X, y, "chi2")["x"] == pytest.approx(60 * (20 * 20 - 10 * 10) ** 2 / 30**4)


def test_fayyad_and_iranis_cuts_of_iris() -> None:
    X, y = load_iris(return_X_y=True)
    for column in rank_columns(X, y, numeric="mdl"):
        assert column.cuts == pytest.approx(IRIS_CUTS[column.position])
        assert column.parts == 3


def test_one_cut_is_the_best_one() -> None:
    X, y = load_iris(return_X_y=True)
    for by in ("gain", "gini", "chi2"):
        for column in rank_columns(X, y, by):
            x = X[:, column.position]
            values = np.unique(x)
            tried = [
                by_name({"x": np.where(x <= cut, "low", "high")}, y, by)["x"]
                for cut in (values[:-1] + values[1:]) / 2
            ]
            assert column.score == pytest.approx(max(tried), rel=1e-12)
            assert len(column.cuts) == 1


def test_one_r_is_the_rule_of_the_classifier() -> None:
    X, y = load_iris(return_X_y=True)
    for i, score in enumerate(selection.one_r_score(X, y)):
        clf = OneRClassifier().fit(X[:, [i]], y)
        assert score == pytest.approx(clf.score(X[:, [i]], y))


def test_numbers_to_predict() -> None:
    X, y = load_diabetes(return_X_y=True)
    ranking = rank_columns(X, y)
    assert ranking.by == "variance_reduction"
    for column in ranking:
        x = np.where(X[:, column.position] <= column.cuts[0], "low", "high")
        assert column.score == pytest.approx(measures.variance_reduction(x, y), rel=1e-9)
    words = {"g": ["a", "a", "b", "b"]}
    assert by_name(words, [1.5, 2.5, 7.5, 8.5], "variance_reduction")["g"] == pytest.approx(9.0)
    told = rank_columns(X, y + 0.25, "mutual_information")
    assert "the target was cut into 10 parts" in told.notes[0]
    assert told.names[0] in ("x2", "x8")
    for by in ("gain", "gini", "chi2", "one_r", "gain_ratio"):
        with pytest.raises(UsageError, match="measures classes") as caught:
            rank_columns(X, y + 0.25, by)
        assert caught.value.slug == "rank.target"


def test_rows_without_a_value() -> None:
    known = [0, 1, 3, 4, 5, 6]
    x, y = [MIXED["colour"][i] for i in known], [LABELS[i] for i in known]
    gain = measures.information_gain(x, y)
    figures = {
        missing: rank_columns(MIXED, LABELS, "gain", missing=missing)["colour"]
        for missing in ("known", "value", "spread")
    }
    assert figures["known"].score == pytest.approx(gain * 6 / 8)
    assert figures["known"].figures["gain_ratio"] == pytest.approx(
        gain * 6 / 8 / measures.entropy([3, 3, 2])
    )
    filled = ["?" if c is None else c for c in MIXED["colour"]]
    assert figures["value"].score == pytest.approx(measures.information_gain(filled, LABELS))
    # Two rows of "no" without a colour: one for each colour.
    spread = measures.entropy([4, 4]) - measures.mean_information([[3, 1], [1, 3]])
    assert figures["spread"].score == pytest.approx(spread)
    assert [figures[m].missing for m in figures] == [2, 2, 2]


def test_a_column_without_any_value_tells_nothing() -> None:
    X = {"none": [None, None], "one": ["x", "x"], "two": ["x", "y"]}
    for by in ("gain", "gain_ratio", "gini", "chi2"):
        found = by_name(X, ["a", "b"], by)
        assert (found["none"], found["one"]) == (0.0, 0.0), by
        assert found["two"] > 0
    assert by_name(X, ["a", "b"], "one_r")["none"] == 0.5
    assert by_name({"n": [math.nan] * 2}, [0.5, 1.5], "variance_reduction")["n"] == 0.0


def test_a_column_of_many_values_is_told_apart() -> None:
    y = [0, 0, 0, 0, 1, 1, 1, 1, 1]
    X = {"id": list("abcdefghi"), "good": ["p"] * 4 + ["q"] * 4 + ["p"]}
    ranking = rank_columns(X, y)
    assert ranking.names == ["id", "good"]
    assert (
        '"id" has the largest gain but splits the rows into 9 parts. By gain ratio "good" with 2'
        in ranking.notes[0]
    )
    assert "note: " in str(ranking)
    assert rank_columns(X, y, "gain_ratio").notes == ()
    assert rank_columns({"good": X["good"]}, y).notes == ()


def test_ties_keep_the_order_of_the_table() -> None:
    X = {"z": ["a", "b"], "a": ["a", "b"], "m": ["a", "a"]}
    assert rank_columns(X, [0, 1]).names == ["z", "a", "m"]


def test_forms(tmp_path: Path) -> None:
    ranking = rank_columns(MIXED, LABELS)
    record = json.loads(json.dumps(ranking.to_dict(), allow_nan=False))
    assert record["columns"][0]["name"] == ranking.names[0]
    assert "\n| column | gain |" in ranking.to_markdown()
    assert ranking.to_svg().count("<rect") == 3
    assert len(ranking.to_frame()) == 3
    for suffix in ("txt", "md", "tex", "html", "svg", "csv", "json"):
        ranking.save(tmp_path / f"r.{suffix}")
        assert (tmp_path / f"r.{suffix}").stat().st_size
    with pytest.raises(UsageError, match=r"supported: "):
        ranking.save(tmp_path / "r.gif")
    narrow = ranking.text(width=50, ascii=True)
    assert narrow.isascii()
    assert all(len(line) <= 50 for line in narrow.splitlines() if not line.startswith("note"))
    hostile = rank_columns({"<script>\x1b[31m|": ["a", "b"]}, ["x", "y"])
    for text in (str(hostile), hostile.to_markdown(), hostile.to_html(), hostile.to_svg()):
        assert "\x1b" not in text
        assert "<script" not in text.replace("\\<script", "") or text == str(hostile)


def test_many_columns_are_cut_short_in_text_only() -> None:
    ranking = rank_columns(np.random.default_rng(0).random((20, 300)), np.arange(20) % 2)
    assert "more columns" in str(ranking)
    assert len(ranking.to_dict()["columns"]) == 300


def test_rows_that_count_more_than_others() -> None:
    X, y = {"a": [1, 2, 3, 4], "b": ["u", "v", "u", "v"]}, ["n", "n", "y", "y"]
    assert rank_columns(X, y)["b"].score == 0
    weighed = rank_columns(X, y, sample_weight=[3, 1, 1, 3])
    known = measures.information_gain([*"uuuuvvvv"], [*"nnnynyyy"])
    assert weighed["b"].score == pytest.approx(known)
    halves = rank_columns(X, y, sample_weight=[1.5, 0.5, 0.5, 1.5])
    assert halves["b"].score == pytest.approx(weighed["b"].score, rel=1e-12)
    assert SelectColumns(1, by="chi2").fit(X, y, sample_weight=[1, 0, 0, 1]).scores_.max() == 2
    with pytest.raises(UsageError, match="rows of classes"):
        rank_columns(X, [0.5, 1.5, 2.5, 9.5], sample_weight=[1, 1, 1, 2])
    with pytest.raises(UsageError, match="shuffle"):
        SelectColumns(permutations=5).fit(X, y, sample_weight=[1, 1, 1, 2])
    with pytest.raises(DataError, match="weight of row 1"):
        rank_columns(X, y, sample_weight=[1, -1, 1, 2])


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"by": "luck"}, "by must be one of"),
        ({"numeric": "bins"}, "numeric must be one of"),
        ({"missing": "drop"}, "missing must be one of"),
        ({"by": "one_r", "numeric": "mdl"}, "1-R has buckets of its own"),
        ({"by": "variance_reduction", "numeric": "mdl"}, "needs classes"),
    ],
)
def test_slips(settings: dict[str, Any], words: str) -> None:
    y = [0.5] * 8 if settings.get("by") == "variance_reduction" else LABELS
    with pytest.raises(UsageError, match=words):
        rank_columns(MIXED, y, **settings)


def test_tables_that_cannot_be_ranked() -> None:
    with pytest.raises(DataError, match="no row in X"):
        rank_columns(np.empty((0, 2)), [])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        rank_columns(MIXED, LABELS[:3])


# ---- selecting


@parametrize_with_checks([SelectColumns(), SelectColumns(percentile=50, by="gini")], legacy=True)
def test_scikit_learns_checks(estimator: Any, check: Any) -> None:
    check(estimator)


def test_every_rule() -> None:
    X, y = load_iris(return_X_y=True)
    support = {
        rule: SelectColumns(**{rule: value}).fit(X, y).get_support().tolist()
        for rule, value in {"k": 2, "percentile": 50, "threshold": 0.8}.items()
    }
    assert set(map(tuple, support.values())) == {(False, False, True, True)}
    assert SelectColumns(k=99).fit(X, y).get_support().all()
    assert SelectColumns(percentile=0).fit(X, y).get_support().sum() == 1
    assert SelectColumns().fit(np.tile(X, 4), y).get_support().sum() == 10
    assert not SelectColumns(threshold=9).fit(X, y).get_support().any()


def test_chance_is_found_out() -> None:
    X, y = load_iris(return_X_y=True)
    noise = np.random.default_rng(3).random((150, 4))
    chosen = SelectColumns(permutations=60, random_state=1).fit(np.hstack([X, noise]), y)
    assert chosen.p_values_ is not None
    assert chosen.get_support()[:4].all()
    assert chosen.p_values_[:4].tolist() == [1 / 61] * 4
    assert (chosen.p_values_[4:] > 0.05).sum() >= 3
    again = SelectColumns(permutations=60, random_state=1, n_jobs=1).fit(np.hstack([X, noise]), y)
    assert chosen.p_values_.tolist() == again.p_values_.tolist()
    assert chosen.ranking_.columns[0].p_value == 1 / 61
    assert " p  " in str(chosen.ranking_)
    numbers = SelectColumns(permutations=20).fit(X[:, :2], X[:, 3])
    assert numbers.p_values_ is not None


def test_containers_stay_what_they_are() -> None:
    chosen = SelectColumns(k=1).fit(MIXED, LABELS)
    assert chosen.transform(MIXED) == {"id": MIXED["id"]}
    frame = pd.DataFrame(MIXED)
    fitted = SelectColumns(k=2).fit(frame, LABELS)
    assert list(fitted.transform(frame).columns) == list(fitted.get_feature_names_out())
    other = pl.DataFrame(MIXED)
    assert SelectColumns(k=2).fit(other, LABELS).transform(other).columns == ["id", "size"]
    X, y = load_iris(return_X_y=True)
    assert SelectColumns(k=2).fit_transform(X, y).shape == (150, 2)
    table, target = datasets.play_tennis()
    assert SelectColumns(k=1).fit(table, target).transform(table).columns == ["Outlook"]


def test_a_selection_in_a_pipeline_and_a_pickle() -> None:
    frame = pd.DataFrame(MIXED)
    pipeline = make_pipeline(SelectColumns(k=2, by="gain_ratio"), C45Classifier(min_cases=1))
    assert pipeline.fit(frame, LABELS).predict(frame).shape == (8,)
    again = pickle.loads(pickle.dumps(clone(pipeline[0]).fit(frame, LABELS)))
    assert again.get_support().sum() == 2
    with pytest.raises(NotFittedError):
        SelectColumns().transform(frame)


def test_rules_exclude_each_other_and_are_checked() -> None:
    X, y = load_iris(return_X_y=True)
    for params in (
        {"k": 1, "threshold": 0.1},
        {"k": 0},
        {"percentile": 101},
        {"permutations": 0},
        {"alpha": 2},
        {"permutations": 2, "random_state": -1},
        {"by": "luck"},
    ):
        model = SelectColumns(**params)  # type: ignore[arg-type]
        with pytest.raises(UsageError):
            model.fit(X, y)
        assert not hasattr(model, "ranking_")
        assert not hasattr(model, "n_features_in_")


def test_scores_for_select_k_best() -> None:
    X, y = load_iris(return_X_y=True)
    for name in selection.__all__:
        if name.endswith("_score") and name != "variance_reduction_score":
            chosen = SelectKBest(getattr(selection, name), k=2).fit(X, y)
            assert chosen.get_support().tolist() == [False, False, True, True], name
    chosen = SelectKBest(selection.variance_reduction_score, k=1).fit(X[:, :3], X[:, 3])
    assert chosen.get_support().tolist() == [False, False, True]
