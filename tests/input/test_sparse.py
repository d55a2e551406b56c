"""Sparse matrices in all places that take rows: what is read, what is refused, and with which words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

import treewright
from treewright import (
    CARTClassifier,
    GradientBoostingClassifier,
    KNeighborsClassifier,
    RandomForestClassifier,
    Table,
    explain,
)
from treewright._input import sparse as sparse_input
from treewright._input.containers import as_table
from treewright.errors import DataError
from treewright.files import from_bytes, to_bytes

TEXTS = ["red apple", "green apple", "red car", "blue car", "green pear", "fast car"] * 5
LABELS = ["fruit", "fruit", "car", "car", "fruit", "car"] * 5
NAMES = [name for name in treewright.__all__ if name.endswith(("Classifier", "Regressor"))]


@pytest.fixture
def as_sparse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small and full matrices become ordinary arrays otherwise."""
    monkeypatch.setattr(sparse_input, "SMALL_CELLS", 0)
    monkeypatch.setattr(sparse_input, "DENSE_SHARE", 2.0)


@pytest.fixture
def rows() -> tuple[Any, np.ndarray]:
    X = sparse.random(80, 15, density=0.2, random_state=1, format="csr")
    return X, np.asarray(X.sum(axis=1)).ravel() > 1.2


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.usefixtures("as_sparse")
def test_every_estimator_reads_both_forms_alike(name: str, rows) -> None:
    X, y = rows
    y = y if name.endswith("Classifier") else y.astype(float)
    one, two = (getattr(treewright, name)().fit(part, y) for part in (X, X.toarray()))
    assert to_bytes(one) == to_bytes(two)
    for method in ("predict", "predict_proba", "apply", "decision_function"):
        if hasattr(one, method):
            expected = getattr(two, method)(X.toarray())
            for part in (X, X.tocsc(), sparse.coo_array(X)):
                assert np.array_equal(getattr(one, method)(part), expected), method


@pytest.mark.parametrize(
    "vectorizer", [CountVectorizer(), TfidfVectorizer(), CountVectorizer(binary=True)]
)
@pytest.mark.parametrize(
    "learner", [CARTClassifier(), RandomForestClassifier(5), KNeighborsClassifier(1)]
)
def test_text_in_a_pipeline(vectorizer: Any, learner: Any) -> None:
    pipeline = make_pipeline(vectorizer, learner).fit(TEXTS, LABELS)
    assert list(pipeline.predict(["red apple", "fast car"])) == ["fruit", "car"]
    assert cross_val_score(pipeline, TEXTS, LABELS, cv=3).mean() > 0.9


def test_a_pipeline_explains_by_the_words_of_its_vectorizer() -> None:
    pipeline = make_pipeline(CountVectorizer(), CARTClassifier()).fit(TEXTS, LABELS)
    assert "car = 1 > 0.5" in str(explain(pipeline, ["slow car"]))


def test_one_hot_columns_in_a_search() -> None:
    X = [[text.split()[0], text.split()[1]] for text in TEXTS]
    pipeline = make_pipeline(OneHotEncoder(), CARTClassifier())
    search = GridSearchCV(pipeline, {"cartclassifier__max_depth": [1, 3]}, cv=3).fit(X, LABELS)
    assert search.best_score_ == 1


@pytest.mark.usefixtures("as_sparse")
def test_everything_else_that_takes_rows(rows) -> None:
    X, y = rows
    model = CARTClassifier(max_depth=3).fit(X, y)
    assert from_bytes(to_bytes(model)).score(X, y) == model.score(X.toarray(), y)
    assert str(explain(model, X[:1])) == str(explain(model, X[:1].toarray()))
    boosted = GradientBoostingClassifier(n_estimators=3, min_samples_leaf=2).fit(X, y)
    stages = zip(boosted.staged_predict(X), boosted.staged_predict(X.toarray()), strict=True)
    assert all(np.array_equal(one, two) for one, two in stages)


@pytest.mark.usefixtures("as_sparse")
def test_a_table_keeps_its_numbers() -> None:
    X = np.array([[0, 2.5], [0, 0], [np.nan, -1]])
    table = as_table(sparse.csr_array(X), ["a", "b"])
    assert table.sparse is not None
    assert table.to_dict() == {"a": [0, 0, None], "b": [2.5, 0, -1]}
    part = table[np.array([True, False, True])]
    assert isinstance(part, Table)
    assert part.to_dict() == {"a": [0, None], "b": [2.5, -1]}


@pytest.mark.usefixtures("as_sparse")
def test_a_column_without_any_value(rows) -> None:
    X = rows[0].toarray()
    X[:, 3] = np.nan
    one, two = (CARTClassifier().fit(part, rows[1]) for part in (X, sparse.csc_array(X)))
    assert to_bytes(one) == to_bytes(two)


def test_a_matrix_that_would_be_too_large_is_refused_before_it_is_made() -> None:
    X = sparse.csr_array((1_000_000, 1000))
    with pytest.raises(
        DataError, match="1,000,000 rows and 1,000 columns would take 8 GB here"
    ) as caught:
        KNeighborsClassifier().fit(X, np.arange(1_000_000) % 2)
    assert caught.value.slug == "data.sparse-too-large"
    assert "CART" in str(caught.value.hints[0])


@pytest.mark.usefixtures("as_sparse")
def test_what_no_array_may_hold_is_refused_with_its_place() -> None:
    X = sparse.csr_array(np.array([[0.0, 1.0], [0.0, np.inf]]))
    with pytest.raises(DataError, match='column "x1", row 1 holds inf'):
        CARTClassifier().fit(X, [0, 1])
    with pytest.raises(DataError, match='column "x0" holds whole numbers beyond'):
        CARTClassifier().fit(sparse.csr_array(np.array([[2**60, 1], [0, 0]])), [0, 1])
    with pytest.raises(ValueError, match="Complex data not supported"):
        CARTClassifier().fit(sparse.csr_array(np.array([[1j, 0], [0, 0]])), [0, 1])


@pytest.mark.usefixtures("as_sparse")
def test_another_number_of_columns_is_refused(rows) -> None:
    model = CARTClassifier().fit(*rows)
    with pytest.raises(ValueError, match="X has 14 features"):
        model.predict(rows[0][:, 1:])
