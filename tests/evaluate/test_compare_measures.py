"""`compare` by several measures, and its picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.model_selection import PredefinedSplit, cross_val_score
from sklearn.svm import SVC

from helpers.cli_run import run
from treewright import C45Classifier, CARTClassifier, CARTRegressor, UsageError, compare
from treewright._input.containers import as_table
from treewright._input.folds import folds
from treewright._input.row_order import row_order
from treewright._input.target import ClassTarget


def rows(classes: int = 2) -> tuple[Any, Any]:
    rng = np.random.default_rng(7)
    X = rng.normal(size=(90, 3)).round(2)
    names = np.array(["a", "b", "c"])
    return X, names[np.digitize(X[:, 0] + rng.normal(0, 0.8, 90), [0.0, 0.9][: classes - 1])]


def test_measures_are_those_of_scikit_learn() -> None:
    X, y = rows()
    model = CARTClassifier(max_depth=3, smoothing="laplace")
    result = compare(model, X, y, cv=3, measures=["auc", "log_loss", "f1", "brier"])
    target = ClassTarget.of(y)
    codes = target.order[target.codes].astype(np.uint32)
    parts = folds(codes, row_order(as_table(X), codes, None, 0), 3)
    fold = np.zeros(len(y), dtype=int)
    for i, part in enumerate(parts):
        fold[part] = i
    entry = result["CARTClassifier"]
    assert (result.measure, list(entry.more)) == ("auc", ["log-loss", "f1", "brier"])
    numbers = (y == "b").astype(int)
    names = {"log-loss": "neg_log_loss", "f1": "f1", "brier": "neg_brier_score"}
    expected = cross_val_score(model, X, numbers, cv=PredefinedSplit(fold), scoring="roc_auc")
    assert entry.scores == pytest.approx(expected)
    for name, scorer in names.items():
        expected = cross_val_score(model, X, numbers, cv=PredefinedSplit(fold), scoring=scorer)
        assert entry.more[name] == pytest.approx(np.abs(expected)), name


def test_less_is_better_for_a_loss() -> None:
    result = compare([C45Classifier(smoothing="laplace")], *rows(3), cv=3, measures="log-loss")
    means = [entry.mean for entry in result.entries]
    assert means == sorted(means)
    low, high = result.entries[0].interval
    assert low < means[0] < high
    assert result.to_dict()["learners"][0]["interval"] == [low, high]


def test_text_csv_and_picture() -> None:
    result = compare([C45Classifier()], *rows(), cv=3, measures=["accuracy", "auc", "brier"])
    head = result.text(width=100).splitlines()[2]
    assert head.split() == [
        *(
            "algorithm",
            "accuracy",
            "sd",
            "AUC",
            "Brier",
            "score",
            "leaves",
            "fit",
            "time",
            "p",
            "vs.",
            "best",
        )
    ]
    assert {"mean", "auc", "brier"} <= result.to_csv_rows()[0].keys()
    svg = result.to_svg()
    assert "accuracy by 3-fold cross-validation, with 95% intervals" in svg
    assert svg.count("<circle") == 3  # C4.5, 1-R and 0-R
    assert "<svg" in result.to_html()
    ax = result.plot()
    assert ax.get_xlabel() == "accuracy (more is better)"


def test_folds_of_one_class_have_no_auc() -> None:
    X, y = np.arange(12.0)[:, None], ["a"] * 11 + ["b"]
    result = compare([CARTClassifier()], X, y, cv=6, measures=["auc", "accuracy"])
    assert np.isnan(result.entries[0].scores).sum() == 5
    assert result.to_dict()["learners"][0]["scores"].count(None) == 5
    assert "·" not in result.text()
    with pytest.raises(UsageError, match='unknown measure "auc" for numbers'):
        compare([CARTRegressor()], X, np.arange(12.0), cv=3, measures=["auc"])
    with pytest.raises(UsageError, match="auc needs class probabilities, and SVC has none"):
        compare([SVC()], X, y, cv=3, measures=["auc"])
    with pytest.raises(UsageError, match="no measure"):
        compare([CARTClassifier()], X, y, cv=3, measures=[])


def test_the_command(tmp_path: Path) -> None:
    picture = tmp_path / "c.svg"
    args = ["compare", "golf", "-a", "c45", "--cv", "3"]
    text = run(*args, "--measure", "log-loss", "auc").stdout
    assert text.splitlines()[2].split()[:5] == ["algorithm", "log", "loss", "sd", "AUC"]
    run(*args, "--measure", "log-loss", "-o", picture)
    assert "log loss (less is better)" in picture.read_text()
    assert "<svg" in run(*args, "--format", "html").stdout
    wrong = run(*args, "--measure", "rmse", code=2)
    assert 'unknown measure "rmse" for classes  [compare.measure]' in wrong.stderr
