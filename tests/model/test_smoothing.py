"""Smoothed class probabilities: the formulas, what stays as it was, files, and the models that cannot smooth."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from treewright import (
    AdaBoostClassifier,
    BaggingClassifier,
    C45Classifier,
    CARTClassifier,
    GradientBoostingClassifier,
    ID3Classifier,
    UsageError,
    datasets,
    explain,
    load,
    prune,
    save,
    shap_values,
    show,
)
from treewright._model.smoothing import smooth_shares
from treewright.files import to_json

TENNIS = datasets.play_tennis()
ROOT = Path(__file__).parents[2]


def mixed(rows: int = 120) -> tuple[dict[str, list[Any]], list[str]]:
    """Return numbers, categories and missing values, with three classes of noise."""
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=rows).round(2), rng.integers(0, 4, rows)
    cells = [None if rng.random() < 0.1 else float(x) for x in a]
    classes = np.array(["x", "y", "z"])[np.digitize(a + b + rng.normal(0, 1, rows), [1, 2.5])]
    return {"a": cells, "b": [f"b{i}" for i in b]}, classes.tolist()


@pytest.mark.parametrize("learner", [C45Classifier, CARTClassifier, ID3Classifier])
@pytest.mark.parametrize("smoothing", ["laplace", 2.0])
def test_a_leaf_counts_more_rows(learner: Any, smoothing: Any) -> None:
    X, y = TENNIS
    model = learner(smoothing=smoothing).fit(X, y)
    leaf = int(model.apply(X[:1])[0])
    no, total = model.tree_.class_weights(leaf)[model.schema_.classes.index("No")], 14.0
    rows = model.tree_.weight[leaf]
    expected = (
        (no + 1) / (rows + 2) if smoothing == "laplace" else (no + 2 * 5 / total) / (rows + 2)
    )
    assert model.predict_proba(X[:1])[0] == pytest.approx([expected, 1 - expected], abs=1e-15)


@pytest.mark.parametrize("learner", [C45Classifier, CARTClassifier, ID3Classifier])
def test_the_tree_is_the_same(learner: Any) -> None:
    X, y = TENNIS
    plain, smooth = learner().fit(X, y), learner(smoothing="laplace").fit(X, y)
    assert plain.tree_.nested() == smooth.tree_.nested()
    assert (plain.tree_.value == smooth.tree_.value).all()
    assert plain.predict(X).tolist() == smooth.predict(X).tolist()
    assert (learner(smoothing=0).fit(X, y).predict_proba(X) == plain.predict_proba(X)).all()


@pytest.mark.parametrize("smoothing", ["laplace", 5.0])
@pytest.mark.parametrize("learner", [C45Classifier, CARTClassifier])
def test_a_class_is_the_most_probable_one_everywhere(learner: Any, smoothing: Any) -> None:
    X, y = mixed()
    model = learner(smoothing=smoothing).fit(X, y)
    shares = model.predict_proba(X)
    assert shares.sum(axis=1) == pytest.approx(np.ones(len(y)))
    assert shares.min() > 0
    assert model.predict(X).tolist() == model.classes_[shares.argmax(axis=1)].tolist()
    row = {name: values[0] for name, values in X.items()}
    assert model.predict_one(row) == model.predict(X)[0]
    told = explain(model, row)
    assert told.answer == model.predict(X)[0]
    order = [model.classes_.tolist().index(c) for c in model.schema_.classes]
    assert told.says == pytest.approx(shares[0][order], abs=1e-15)
    values = shap_values(model, X)
    total = values.values.sum(axis=1) + np.asarray(values.expected)
    assert total == pytest.approx(shares, abs=1e-9)


@given(
    counts=st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=1, max_size=6),
    m=st.floats(0, 50),
)
def test_laws(counts: list[list[int]], m: float) -> None:
    """Shares stay shares; Laplace keeps the order of the classes; more rows of m pull to the root."""
    table = np.array([[1, 1, 1], *counts], dtype=float)
    weights = table.sum(axis=1)
    shares = table / np.maximum(weights, 1)[:, None]
    parents = np.zeros(len(table), dtype=np.int64)
    laplace = smooth_shares(shares, weights, parents, "laplace")
    m_estimate = smooth_shares(shares, weights, parents, m)
    assert laplace.sum(axis=1) == pytest.approx(np.ones(len(table)))
    known = weights > 0
    assert (laplace[known].argmax(axis=1) == shares[known].argmax(axis=1)).all()
    assert (laplace[~known] == laplace[0]).all()
    distance, before = np.abs(m_estimate - shares[0])[known], np.abs(shares - shares[0])[known]
    assert (distance <= before + 1e-12).all()


def test_files_and_pickles_keep_it(tmp_path: Path) -> None:
    X, y = mixed()
    for smoothing in ("laplace", 2.5):
        model = C45Classifier(smoothing=smoothing).fit(X, y)
        model.predict_proba(X)  # what it computes for itself is not stored
        save(model, tmp_path / "m.tree")
        for other in (
            load(tmp_path / "m.tree"),
            pickle.loads(pickle.dumps(model)),
            clone(model).fit(X, y),
        ):
            assert other.get_params()["smoothing"] == smoothing
            assert (other.predict_proba(X) == model.predict_proba(X)).all()
        schema = json.loads((ROOT / "schema/model.schema.json").read_text())
        jsonschema.validate(to_json(model), schema)


def test_pruning_smooths_the_smaller_tree() -> None:
    X, y = TENNIS
    model = ID3Classifier(smoothing="laplace").fit(X, y)
    model.predict_proba(X)
    stump = prune(model, "snip", nodes=[0])
    assert stump.predict_proba(X)[0].tolist() == [6 / 16, 10 / 16]


def test_views_say_so() -> None:
    model = C45Classifier(smoothing="laplace").fit(*TENNIS)
    assert "P(Yes)" in show(model, width=80).text()
    assert "█████░░░ 62.5%" in show(model, width=80).text()  # (9 + 1) / (14 + 2)
    assert "Class probabilities: Laplace smoothing." in show(model, style="summary").text()
    sunny = {"Outlook": "Sunny", "Humidity": "High"}
    text = explain(model, sunny, width=80).text()
    assert (
        'all "No" (95% interval: 43.9% to 100%)\n  probability of "No": 80.0% (Laplace smoothing)'
        in text
    )


def test_ensembles() -> None:
    X, y = mixed()
    plain = BaggingClassifier(C45Classifier(), 30, random_state=0, oob_score=True).fit(X, y)
    smooth = BaggingClassifier(
        C45Classifier(smoothing="laplace"), 30, random_state=0, oob_score=True
    )
    assert (plain.predict_proba(X).min(), smooth.fit(X, y).predict_proba(X).min() > 0) == (0, True)
    means = np.mean([t.outputs for t in smooth.trees_[:1]], axis=0)
    assert means.min() > 0
    known = ~np.isnan(smooth.oob_decision_function_).any(axis=1)
    assert smooth.oob_decision_function_[known].min() > 0
    with pytest.raises(UsageError, match="smoothing has no effect in AdaBoost"):
        AdaBoostClassifier(C45Classifier(smoothing="laplace")).fit(X, y)
    numbers = np.array([[len(y) % 7, int(b[1])] for b in X["b"]], dtype=float)
    boosted = GradientBoostingClassifier(
        init=CARTClassifier(max_depth=1, smoothing="laplace"), n_estimators=2
    )
    assert np.isfinite(boosted.fit(numbers, y).predict_proba(numbers)).all()


@pytest.mark.parametrize("smoothing", ["good-turing", -1, float("nan"), "2"])
def test_other_values_are_refused(smoothing: Any) -> None:
    with pytest.raises((UsageError, TypeError, ValueError), match="smoothing"):
        C45Classifier(smoothing=smoothing).fit(*TENNIS)
