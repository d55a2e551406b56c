"""Pruning as a part of a fit: every learner by every method, and the same as pruning afterwards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    datasets,
    prune,
    pruning_path,
)
from treewright.errors import ModelFileError, UsageError
from treewright.files import from_bytes, to_bytes
from treewright.table import Series

CLASSIFIERS = [ID3Classifier, C45Classifier, CARTClassifier]
each_classifier = pytest.mark.parametrize("kind", CLASSIFIERS)


def table(rows: int = 300) -> tuple[dict[str, list[Any]], list[str], list[float]]:
    """Return a table of four categories, classes that two of them explain in part, and numbers."""
    rng = np.random.default_rng(3)
    X = {name: rng.choice(list("pqrs"), rows).tolist() for name in "abcd"}
    sure = np.array([a in "pq" and b != "s" for a, b in zip(X["a"], X["b"], strict=True)])
    is_yes = sure ^ (rng.random(rows) < 0.2)
    return X, np.where(is_yes, "yes", "no").tolist(), (2.0 * sure + rng.normal(size=rows)).tolist()


@each_classifier
@pytest.mark.parametrize("method", ["pessimistic", "reduced_error", "cost_complexity"])
def test_every_learner_prunes_by_every_method(kind: Any, method: str) -> None:
    X, y, _ = table()
    full, small = kind(prune=None).fit(X, y), kind(prune=method).fit(X, y)
    assert 1 < small.tree_.n_leaves < full.tree_.n_leaves
    assert method.split("_")[0] in small.pruning_.method
    assert small.score(X, y) > 0.7
    assert to_bytes(from_bytes(to_bytes(small))) == to_bytes(small)


@pytest.mark.parametrize("kind", [ID3Classifier, CARTClassifier])
def test_a_fit_prunes_as_prune_does(kind: Any) -> None:
    X, y, _ = table()
    full = kind().fit(X, y)
    same = {
        "pessimistic": prune(full, confidence=0.1),
        "cost_complexity": prune(full, "cost_complexity", X, y, cv=5, random_state=2),
    }
    for method, expected in same.items():
        fitted = kind(prune=method, confidence=0.1, folds=5, random_state=2).fit(X, y)
        assert fitted.tree_.nested() == expected.tree_.nested()


@each_classifier
def test_the_rows_to_validate_by_are_dealt_or_drawn(kind: Any) -> None:
    X, y, _ = table()
    full = kind(prune=None).fit(X, y)
    dealt = kind(prune="reduced_error", folds=4).fit(X, y)
    drawn = kind(prune="reduced_error", validation_fraction=0.4, random_state=5).fit(X, y)
    assert dealt.tree_.count[0] == 225
    assert drawn.tree_.count[0] == 180
    if kind is not C45Classifier:  # which counts rows with missing values in parts
        afterwards = prune(full, "reduced_error", X, y, validation_fraction=0.4, random_state=5)
        assert drawn.tree_.nested() == afterwards.tree_.nested()


@each_classifier
def test_a_price_is_kept_to(kind: Any) -> None:
    X, y, _ = table()
    path = pruning_path(kind(prune=None).fit(X, y), risk="errors")
    at = len(path) // 2
    small = kind(prune="cost_complexity", ccp_alpha=float(path.alpha[at]), ccp_risk="errors")
    assert small.fit(X, y).tree_.n_leaves == path.leaves[at]


@pytest.mark.parametrize("method", ["reduced_error", "cost_complexity"])
def test_numbers_are_pruned_in_a_fit(method: str) -> None:
    X, _, numbers = table()
    full = CARTRegressor().fit(X, numbers)
    small = CARTRegressor(prune=method).fit(X, numbers)
    assert 1 < small.tree_.n_leaves < full.tree_.n_leaves
    with pytest.raises(UsageError, match="prune must be one of 'reduced_error', 'cost_complexity'"):
        CARTRegressor(prune="pessimistic").fit(X, numbers)


def test_what_is_refused_in_a_fit() -> None:
    X, y, _ = table(40)
    with pytest.raises(UsageError, match="ccp_alpha belongs to prune='cost_complexity'"):
        C45Classifier(ccp_alpha=0.1).fit(X, y)
    with pytest.raises(UsageError, match="costs weigh them"):
        CARTClassifier(prune="pessimistic", costs={"yes": {"no": 3}}).fit(X, y)
    with pytest.raises(UsageError, match="folds"):
        ID3Classifier(prune="reduced_error", folds=41).fit(X, y)


@pytest.mark.parametrize("method", ["pessimistic", "reduced_error", "cost_complexity"])
@each_classifier
def test_one_row_is_a_leaf(kind: Any, method: str) -> None:
    model = kind(prune=method).fit({"a": ["x"]}, ["yes"])
    assert model.tree_.n_nodes == 1


def test_a_tree_grown_anew_keeps_the_name_of_the_target() -> None:
    X, y = datasets.play_tennis()
    model = ID3Classifier().fit(X, Series.of("PlayTennis", y.tolist()))
    small = prune(model, "reduced_error", X, y, validation_fraction=0.3)
    assert small.schema_.target == "PlayTennis"


def test_a_long_path_is_printed_in_part() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(900, 3)), rng.integers(0, 2, 900)
    path = pruning_path(CARTClassifier().fit(X, y), X, y, cv=3)
    lines = str(path).splitlines()
    assert len(lines) < len(path)
    assert lines[-1] == f"… {len(path) - len(lines) + 2} more trees"
    assert "within one standard error" in str(path)
    assert len(path.to_markdown().splitlines()) == len(path) + 2


def test_a_parameter_from_another_version_is_refused() -> None:
    model = ID3Classifier().fit(*datasets.play_tennis())
    document = model._document().replace('"confidence":', '"charm":0.5,"confidence":')
    with pytest.raises(ModelFileError, match="the parameter 'charm', which ID3Classifier"):
        from_bytes(model._forest.to_bytes(document))
