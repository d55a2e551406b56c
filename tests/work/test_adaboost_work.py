"""The work of a round of AdaBoost: its figures by hand, from rows and without, in every form."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from helpers.cli_run import run
from treewright import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    load,
    save,
    work,
)
from treewright.errors import DataError, UsageError

X, Y = [[1], [2], [3], [4]], ["a", "b", "b", "a"]


def test_two_rounds_by_hand() -> None:
    model = AdaBoostClassifier(n_estimators=3).fit(X, Y)
    # x <= 1.5 is a, else b: the last row is missed, and weighs (1 - 1/4) / (1/4) = 3 times as much.
    first = work(model, X=X, y=Y, what="round").to_dict()
    assert first["error"] == pytest.approx(1 / 4)
    assert first["vote"] == pytest.approx(math.log(3))
    assert [row["before"] for row in first["rows"]] == [1 / 4] * 4
    assert [row["loss"] for row in first["rows"]] == [0, 0, 0, 1]
    assert first["total"] == pytest.approx(6 / 4)
    assert [r["after"] for r in first["rows"]] == pytest.approx([1 / 6, 1 / 6, 1 / 6, 3 / 6])
    # x <= 3.5 is b, else a: the first row is missed, and weighs 5 times as much.
    second = work(model, X=X, y=Y, round=1).to_dict()
    assert (second["number"], second["wrong"], second["gained"], second["last"]) == (1, 1, 1, False)
    assert second["error"] == pytest.approx(1 / 6)
    assert second["vote"] == pytest.approx(math.log(5))
    assert [r["raised"] for r in second["rows"]] == pytest.approx([5 / 6, 1 / 6, 1 / 6, 3 / 6])
    assert second["total"] == pytest.approx(10 / 6)
    assert [r["after"] for r in second["rows"]] == pytest.approx([0.5, 0.1, 0.1, 0.3])
    assert [(r["truth"], r["answer"]) for r in second["rows"]] == list(zip(Y, "bbba", strict=True))
    text = str(work(model, X=X, y=Y, round=2, width=100))
    assert "e = weight of misclassified rows / all = (0.100 + 0.100) / 1 = 0.200" in text


def test_three_classes_a_rate_and_weights_by_hand() -> None:
    X, y, w = [[1], [1], [2], [2]], ["a", "b", "c", "c"], [2.0, 1.0, 2.0, 3.0]
    model = AdaBoostClassifier(n_estimators=1, learning_rate=0.5).fit(X, y, w)
    record = work(model, 0, X, y, w).to_dict()
    # b is missed: 1 of 8.
    assert [row["before"] for row in record["rows"]] == [2 / 8, 1 / 8, 2 / 8, 3 / 8]
    vote = 0.5 * (math.log(7) + math.log(2))
    assert record["vote"] == pytest.approx(vote)
    assert record["rows"][1]["raised"] == pytest.approx(math.sqrt(14) / 8)
    assert record["total"] == pytest.approx((7 + math.sqrt(14)) / 8)
    assert "0.5 × (ln(0.875 / 0.125) + ln(2)) = 0.5 × (1.946 + 0.693) = 1.320" in str(
        work(model, 0, X, y, w, width=200)
    )
    with pytest.raises(DataError, match=r"the weights differ: the error of round 0 is 0\.125"):
        work(model, 0, X, y)


def test_a_round_of_numbers_by_hand() -> None:
    X, y = [[1], [1], [1], [2]], [0.0, 0.0, 3.0, 7.0]
    model = AdaBoostRegressor(CARTRegressor(max_depth=1), n_estimators=2, learning_rate=0.5)
    record = work(model.fit(X, y), X=X, y=y).to_dict()
    # The answers are 1, 1, 1 and 7: the errors 1, 1, 2, 0, of the largest 1/2, 1/2, 1, 0; their mean is 1/2.
    assert [row["loss"] for row in record["rows"]] == pytest.approx([0.5, 0.5, 1, 0])
    assert (record["error"], record["last"], record["beta"]) == (pytest.approx(0.5), True, None)
    square = AdaBoostRegressor(
        CARTRegressor(max_depth=1), n_estimators=2, learning_rate=0.5, loss="square"
    ).fit(X, y)
    # Squared 1/4, 1/4, 1, 0: e is 3/8, beta 3/5, and rows weigh beta ** ((1 - loss) / 2) times as much.
    record = work(square, X=X, y=y).to_dict()
    assert record["error"] == pytest.approx(3 / 8)
    assert record["beta"] == pytest.approx(3 / 5)
    assert record["vote"] == pytest.approx(0.5 * math.log(5 / 3))
    raised = [0.6**0.375 / 4, 0.6**0.375 / 4, 1 / 4, 0.6**0.5 / 4]
    assert [row["raised"] for row in record["rows"]] == pytest.approx(raised)
    assert [r["after"] for r in record["rows"]] == pytest.approx([v / sum(raised) for v in raised])
    text = str(work(square, X=X, y=y, width=100))
    assert "0.250 × 0.250 + 0.250 × 0.250 + 0.250 × 1.000 = 0.375" in text
    assert "β = e / (1 − e) = 0.375 / 0.625 = 0.600" in text
    assert "weight = rate × ln(1 / β) = 0.5 × 0.511 = 0.255" in text


def test_rows_retrace_long_fits(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    X[::9, 0] = np.nan
    labels = np.digitize(np.nan_to_num(X[:, 0]) + X[:, 1] ** 2, [0.5, 1.5])
    for base in (None, CARTClassifier(max_depth=2)):
        model = AdaBoostClassifier(base, n_estimators=30).fit(X, labels)
        for turn in (0, len(model.rounds_) - 1):
            shown = work(model, X=X, y=labels, round=turn)
            assert shown.gained == model.rounds_[turn].gained
            gains = [row["after"] - row["before"] for row in shown.to_dict()["rows"]]
            assert len(gains) == 10
            assert gains == sorted(gains, reverse=True)
            assert "+ …) / 1 = " in str(shown)
            assert "These rows gain most weight; there are 300 rows." in str(shown)
    numbers = AdaBoostRegressor(n_estimators=20, resample=True).fit(X, X[:, 1] ** 2)
    turn = len(numbers.rounds_) - 1
    shown = work(numbers, X=X, y=X[:, 1] ** 2, round=turn)
    assert shown.gained == numbers.rounds_[turn].gained
    save(numbers, tmp_path / "n.tree")
    assert work(load(tmp_path / "n.tree"), X=X, y=X[:, 1] ** 2, round=turn) == shown


def test_without_rows() -> None:
    model = AdaBoostClassifier(n_estimators=3).fit(X, Y)
    text = str(work(model, round=2, width=100))
    assert "  e = 0.200\n" in text
    assert "1 × (1.386 + 0.000) = 1.386" in text
    assert text.endswith("2 rows gain weight.")
    others = AdaBoostClassifier(LogisticRegression(), n_estimators=2).fit(X, Y)
    assert "rows" not in work(others).to_dict()
    with pytest.raises(
        UsageError, match="base estimators of treewright, not for LogisticRegression"
    ):
        work(others, X=X, y=Y)


def test_the_last_round_changes_nothing() -> None:
    model = AdaBoostClassifier().fit([[0], [1]], ["a", "b"])
    shown = work(model, X=[[0], [1]], y=["a", "b"])
    assert "makes no error: it is the last, and its weight is 1.000." in str(shown)
    assert "the weights stay as they are" in str(shown)
    assert (shown.gained, shown.to_dict()["total"]) == (0, 1)


def test_forms_and_slips(tmp_path: Path) -> None:
    names = ["<b>a", "b|", "b|", "<b>a"]
    model = AdaBoostClassifier(n_estimators=3).fit(X, names)
    shown = work(model, X=X, y=names, round=1)
    for ending in (".txt", ".md", ".tex", ".html", ".json"):
        shown.save(tmp_path / f"round{ending}")
    assert json.loads((tmp_path / "round.json").read_text("utf-8")) == shown.to_dict()
    assert "<b>" not in shown.to_html()
    assert shown.to_markdown().startswith("#### Round 1")
    assert shown.to_latex(standalone=True).startswith("\\documentclass")
    assert str(work(model, X=X, y=names, ascii=True)).isascii()
    for turn in (-1, 3, 1.5):
        with pytest.raises(UsageError, match="round must be"):
            work(model, round=turn)
    with pytest.raises(UsageError, match="ID3Classifier has no rounds"):
        work(ID3Classifier().fit(X, Y), what="round")
    with pytest.raises(UsageError, match="this needs a single tree; AdaBoostClassifier has"):
        work(model, what="prune")


def test_the_command(tmp_path: Path) -> None:
    table, model = tmp_path / "t.csv", tmp_path / "boosted.tree"
    table.write_text("x,y\n1.5,a\n2.5,b\n3.5,b\n4.5,a\n", "utf-8")
    run("fit", table, "-t", "y", "-a", "adaboost", "--trees", "3", "-o", model)
    alone = run("work", model, "--round", "2").stdout
    assert alone.startswith("Round 2 (of 0 to 2)\n")
    assert "  e = 0.200\n" in alone
    assert "(0.100 + 0.100) / 1 = 0.200" in run("work", model, table, "--round", "2").stdout
    record = json.loads(run("work", model, "--what", "round", "--format", "json").stdout)
    assert (record["number"], record["error"]) == (0, 0.25)
    assert "[work.no-picture]" in run("work", model, "--format", "svg", code=2).stderr
