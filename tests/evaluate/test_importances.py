"""Which columns matter: Shapley values against their definition, permutations, explanations of many trees."""

from __future__ import annotations

import warnings
from itertools import combinations
from math import factorial
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.datasets import load_iris
from sklearn.inspection import permutation_importance as theirs
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from helpers import export_models
from helpers.ensemble_models import Boosted, Many
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    DataError,
    GradientBoostingClassifier,
    ID3Classifier,
    KNeighborsClassifier,
    RuleSetClassifier,
    UsageError,
    datasets,
    explain,
    permutation_importance,
    shap_values,
)
from treewright._core import MISSING, SHARE, STOP, UNSEEN, Forest
from treewright._input.encoding import encode

X, y = load_iris(return_X_y=True)


def way(tree: Any, node: int, code: float) -> int:
    """Return the child of a coded value at a node, or a word; for trees without spare questions."""
    if not np.isnan(tree.threshold[node]):
        return int(tree.missing[node]) if np.isnan(code) else int(code > tree.threshold[node])
    if code == MISSING:
        return int(tree.missing[node])
    if code == UNSEEN:
        return SHARE if tree.missing[node] == SHARE else STOP
    return int(tree.route[tree.route_start[node] + int(code)])


def worth(tree: Any, row: list[float], known: frozenset[int]) -> NDArray[np.float64]:
    """Return what a tree says of a row of which some columns are known."""

    def of(node: int) -> NDArray[np.float64]:
        children = int(tree.n_children[node])
        if not children:
            return np.asarray(tree.value[node])
        first, column = int(tree.first_child[node]), int(tree.feature[node])
        step = way(tree, node, row[column]) if column in known else SHARE
        if step == STOP:
            return np.asarray(tree.value[node])
        if step != SHARE:
            return of(first + step)
        weights = np.asarray(tree.weight[first : first + children], dtype=float)
        shares = weights / weights.sum() if weights.sum() else np.full(children, 1 / children)
        return np.asarray(sum(s * of(first + i) for i, s in enumerate(shares)))

    return of(0)


def by_definition(tree: Any, row: list[float], columns: int) -> NDArray[np.float64]:
    """Return the Shapley values by adding up over all sets of columns."""
    values = []
    for column in range(columns):
        others = [c for c in range(columns) if c != column]
        total: Any = 0.0
        for size in range(columns):
            part = factorial(size) * factorial(columns - size - 1) / factorial(columns)
            for known in map(frozenset, combinations(others, size)):
                total += part * (worth(tree, row, known | {column}) - worth(tree, row, known))
        values.append(total)
    return np.array(values)


@pytest.mark.slow
@pytest.mark.parametrize("sort", export_models.SORTS)
@pytest.mark.parametrize("seed", range(3))
def test_any_tree_has_the_values_of_the_definition(sort: str, seed: int) -> None:
    example = export_models.example(sort, seed)
    columns = encode(example.table, example.schema)
    values, expected = example.forest.contributions(columns)
    n = len(example.schema.columns)
    for row in range(0, len(example.table), 7):
        codes = [float(column[row]) for column in columns]
        found = [
            by_definition(example.forest.tree(i), codes, n) for i in range(example.forest.n_trees)
        ]
        np.testing.assert_allclose(values[row], np.mean(found, axis=0), atol=1e-12)
    empty = [worth(example.forest.tree(i), [], frozenset()) for i in range(example.forest.n_trees)]
    np.testing.assert_allclose(expected, np.mean(empty, axis=0), atol=1e-12)


def test_they_add_up_to_the_answer_of_every_model() -> None:
    tennis = datasets.play_tennis()
    golf = datasets.golf()
    models: list[tuple[Any, Any]] = [
        (CARTClassifier().fit(X, y), X),
        (ID3Classifier().fit(*tennis), tennis[0]),
        (C45Classifier().fit(*golf), golf[0]),
        (CARTRegressor(max_depth=6).fit(X[:, :3], X[:, 3]), X[:, :3]),
        (Many().fit(X, y), X),
        (Many(combine="vote").fit(X, y), X),
        (Boosted().fit(X[:, :3], X[:, 3]), X[:, :3]),
    ]
    for model, rows in models:
        values, expected = shap_values(model, rows)
        raw = model._forest.predict_raw(model._encode(rows))
        if values.ndim == 3:
            raw = model._sort_classes(raw)
            np.testing.assert_allclose(values.sum(axis=1) + expected, raw, atol=1e-12)
        else:
            np.testing.assert_allclose(values.sum(axis=1) + expected, raw[:, 0], atol=1e-12)


def test_one_sum_speaks_for_the_second_class_in_the_order_of_classes() -> None:
    forest = CARTRegressor(max_depth=2).fit(X, y > 0)._forest
    words = {"how": "sum", "link": "logistic", "base": [0.5], "scales": [], "targets": []}
    model = Many().fit(X, np.where(y > 0, "b", "a"))
    model._forest = Forest.joined([forest], words)
    first = shap_values(model, X).values
    model._order = model._order[::-1].copy()
    assert np.array_equal(shap_values(model, X).values, -first)


def test_deep_trees_stay_exact() -> None:
    rng = np.random.default_rng(1)
    table = rng.normal(size=(4000, 12))
    numbers = table[:, 0] * table[:, 1] + table[:, 2] + rng.normal(size=4000)
    model = CARTRegressor().fit(table, numbers)
    values, expected = shap_values(model, table[:20])
    np.testing.assert_allclose(values.sum(axis=1) + expected, model.predict(table[:20]), atol=1e-10)


@pytest.mark.filterwarnings("ignore")  # those of another package and its own dependencies
def test_shap_agrees() -> None:
    shap = pytest.importorskip("shap", reason="the package shap is not installed")
    from sklearn.tree import DecisionTreeRegressor

    rng = np.random.default_rng(0)
    table = rng.normal(size=(500, 6))
    numbers = table[:, 0] * table[:, 1] + np.sin(table[:, 2]) + rng.normal(size=500)
    words = {"max_depth": 5, "min_samples_leaf": 8}
    peer = DecisionTreeRegressor(**words, random_state=0).fit(table, numbers)
    ours = CARTRegressor(**words).fit(table, numbers)
    assert np.allclose(peer.predict(table), ours.predict(table), atol=1e-9)
    explainer = shap.TreeExplainer(peer, feature_perturbation="tree_path_dependent")
    np.testing.assert_allclose(
        shap_values(ours, table[:50]).values, explainer.shap_values(table[:50]), atol=1e-10
    )


def test_what_is_no_sum_of_trees_is_refused() -> None:
    for model in (
        KNeighborsClassifier(3).fit(X, y),
        RuleSetClassifier().fit(*datasets.play_tennis()),
        Boosted(how="median").fit(X[:, :3], X[:, 3]),
        "a text",
    ):
        with pytest.raises(UsageError, match="not a sum"):
            shap_values(model, X)


def test_permutations_agree_with_scikit_learn() -> None:
    model = CARTClassifier(max_depth=3).fit(X, y)
    ours = permutation_importance(model, X, y, n_repeats=30)
    peer = theirs(model, X, y, n_repeats=30, random_state=0)
    np.testing.assert_allclose(ours.mean, peer.importances_mean, atol=0.04)
    assert ours.score == model.score(X, y)
    assert ours.mean[:2].max() < ours.mean[2:].max()
    again = permutation_importance(model, X, y, n_repeats=30)
    assert np.array_equal(again.losses, ours.losses)
    assert "x" in repr(ours)


def test_permutations_of_categories() -> None:
    table, labels = datasets.play_tennis()
    model = ID3Classifier().fit(table, labels)
    found = permutation_importance(model, table, labels)
    named = dict(zip(found.columns, found.mean, strict=True))
    assert named["Temperature"] == 0
    assert named["Outlook"] > 0.1
    halves = permutation_importance(model, table, labels, scoring=lambda m, a, b: 0.5)
    assert not halves.losses.any()
    with pytest.raises(TypeError, match="expected a fitted model"):
        permutation_importance("a text", table, labels)
    with pytest.raises(ValueError, match="n_repeats"):
        permutation_importance(model, table, labels, n_repeats=0)


def test_an_explanation_of_many_trees_shows_contributions() -> None:
    model = Many(combine="vote").fit(X, np.array(["a", "b", "c"])[y])
    told = explain(model, X[60], width=100)
    assert told.answer == model.predict(X[60:61])[0]
    amounts = [c.amount for c in told.contributions]
    assert abs(sum(amounts) + told.expected - told.total) < 1e-12
    assert amounts == sorted(amounts, key=lambda a: -abs(a))
    assert str(told).startswith("b (")
    assert told.to_dict()["trees"] == 5
    assert "| contribution | column |" in told.to_markdown()
    with pytest.raises(UsageError, match="one tree"):
        explain(model, X[0], want="c")
    with pytest.raises(UsageError, match="median"):
        explain(Boosted(how="median").fit(X[:, :3], X[:, 3]), X[0, :3])
    numbers = explain(Boosted().fit(X[:, :3], X[:, 3]), X[0, :3], width=100)
    assert numbers.about is None


def test_shap_values_of_a_pipeline_and_a_search() -> None:
    pipeline = make_pipeline(StandardScaler(), CARTClassifier(max_depth=3))
    search = GridSearchCV(pipeline, {"cartclassifier__max_depth": [2]}, cv=2).fit(X, y)
    values = shap_values(search, X)
    model, rows = search.best_estimator_[-1], search.best_estimator_[:-1].transform(X)
    assert np.array_equal(values.values, shap_values(model, rows).values)
    assert values.feature_names == ["x0", "x1", "x2", "x3"]
    total = values.values.sum(axis=1) + values.expected
    assert np.allclose(total, search.predict_proba(X))


def test_shap_values_for_the_plots_of_shap() -> None:
    shap = pytest.importorskip("shap")
    table, play = datasets.golf()
    values = shap_values(CARTClassifier().fit(table, play), table)
    explanation = values.to_explanation(table)
    assert isinstance(explanation, shap.Explanation)
    assert explanation.feature_names == values.feature_names
    assert explanation.output_names == [str(c) for c in values.classes]
    assert explanation.values.shape == (14, 4, 2)
    assert explanation.base_values.shape == (14, 2)
    assert explanation.display_data[0].tolist() == [s.values()[0] for s in table.series]
    assert explanation.data[0, 1] == table.series[1].data[0]
    assert values.to_explanation().data is None
    two = GradientBoostingClassifier(n_estimators=3).fit(X[:100], y[:100])
    assert shap_values(two, X[:5]).to_explanation(X[:5]).base_values.shape == (5,)
    with pytest.raises(DataError, match="X has 4 columns, the SHAP values 2"):
        shap_values(CARTClassifier().fit(X[:, :2], y), X[:, :2]).to_explanation(X)


def test_shap_values_have_a_short_text() -> None:
    values = shap_values(CARTClassifier().fit(X, y), X)
    assert len(repr(values).splitlines()) < 12
    assert "SHAP values of 150 rows" in repr(values)


def test_unseen_categories_are_reported_once() -> None:
    model = CARTClassifier().fit({"a": list("xxyy"), "b": list("uvuv")}, [0, 0, 1, 1])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        permutation_importance(model, {"a": list("xyz"), "b": list("uvu")}, [0, 1, 0])
    assert len(caught) == 1
