"""CART on numbers: limits, ties, memory, one row at a time, and errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from treewright import CARTClassifier, CARTRegressor
from treewright.errors import DataError, UsageError

XOR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])


def task(rows: int = 500, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 4))
    return X, (X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=rows) > 0).astype(int)


def test_the_exclusive_or_takes_a_split_that_saves_nothing() -> None:
    tree = CARTClassifier().fit(XOR, [0, 1, 1, 0]).tree_
    assert (tree.n_nodes, tree.n_leaves) == (7, 4)
    assert tree.gain[0] == 0.0
    assert CARTClassifier(min_gain=0).fit(XOR, [0, 1, 1, 0]).tree_.n_nodes == 1


def test_ties_go_to_the_first_column_then_to_the_smaller_threshold() -> None:
    x = np.array([1.0, 2.0, 3.0, 4.0])
    tree = CARTClassifier(max_depth=1).fit(np.column_stack([x, x]), [0, 1, 1, 0]).tree_
    assert (tree.feature[0], tree.threshold[0]) == (0, 1.5)


def test_thresholds_lie_between_neighbours_and_route_as_written() -> None:
    low, high = 1.0, np.nextafter(1.0, 2.0)
    tree = CARTClassifier().fit([[low], [high]], ["a", "b"])
    assert low <= tree.tree_.threshold[0] < high
    assert tree.predict([[low], [high]]).tolist() == ["a", "b"]
    huge = CARTClassifier().fit([[1.7e308], [1.6e308]], ["a", "b"])
    assert np.isfinite(huge.tree_.threshold[0])


@pytest.mark.parametrize("rows", [40, 3000])
def test_limits_are_kept(rows: int) -> None:
    X, y = task(rows)
    deep = CARTClassifier(max_depth=3).fit(X, y).tree_
    assert deep.depth == 3
    leaves = CARTClassifier(min_samples_leaf=7).fit(X, y).tree_
    assert leaves.count[leaves.n_children == 0].min() >= 7
    split = CARTClassifier(min_samples_split=15).fit(X, y).tree_
    assert split.count[split.n_children > 0].min() >= 15
    gain = CARTClassifier(min_gain=0.001).fit(X, y).tree_
    assert (gain.gain / gain.weight)[gain.n_children > 0].min() > 0.001
    few = CARTClassifier(max_leaf_nodes=6).fit(X, y).tree_
    assert few.n_leaves == 6


def test_the_number_of_jobs_changes_nothing() -> None:
    X, y = task(40_000)
    models = [CARTClassifier(n_jobs=n).fit(X, y) for n in (1, 2, 3, None, -1)]
    tables = [
        [getattr(m.tree_, c).tobytes() for c in ("feature", "threshold", "value")] for m in models
    ]
    assert all(table == tables[0] for table in tables)
    with pytest.raises(UsageError, match="n_jobs"):
        CARTClassifier(n_jobs=0).fit(X, y)


def test_a_matrix_is_neither_copied_nor_changed() -> None:
    X, y = task()
    X.flags.writeable = False
    before = X.copy()
    model = CARTClassifier().fit(X, y)
    assert np.array_equal(X, before)
    assert (model.predict(X) == y).all()


@pytest.mark.parametrize(
    "dtype", [np.float32, np.float64, np.int8, np.int64, np.uint16, ">f8", np.float16]
)
def test_whole_numbers_of_any_type_give_one_tree(dtype: Any) -> None:
    rng = np.random.default_rng(1)
    X = rng.integers(0, 50, size=(300, 3))
    y = (X[:, 0] + X[:, 1] > 50).astype(int)
    expected = CARTClassifier().fit(X.astype(np.float64), y).tree_
    tree = CARTClassifier().fit(X.astype(dtype), y).tree_
    assert tree.threshold.tobytes() == expected.threshold.tobytes()


def test_missing_and_infinite_numbers() -> None:
    X, y = task()
    X[3, 2] = np.nan
    assert CARTClassifier().fit(X, y).tree_.n_nodes > 1
    X[3, 2] = np.inf
    with pytest.raises(DataError, match='column "x2", row 3'):
        CARTClassifier().fit(X, y)
    model = CARTClassifier().fit(*task())
    with pytest.raises(DataError, match="infinity"):
        model.predict(X)


def test_class_weights_count_like_rows() -> None:
    X, y = task(200)
    twice = np.concatenate([X, X[y == 1]]), np.concatenate([y, y[y == 1]])
    model, other = (
        CARTClassifier(class_weight={1: 2.0}).fit(X, y),
        CARTClassifier().fit(*twice),
    )
    assert model.tree_.feature.tolist() == other.tree_.feature.tolist()
    assert model.tree_.threshold.tobytes() == other.tree_.threshold.tobytes()


def test_a_constant_target_is_one_leaf() -> None:
    X, _ = task(50)
    assert CARTRegressor().fit(X, np.full(50, 2.5)).tree_.n_nodes == 1
    assert CARTRegressor().fit(X, np.full(50, 2.5)).predict(X[:2]).tolist() == [2.5, 2.5]


def test_a_regressor_gives_the_numbers_of_single_rows_back() -> None:
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(300, 2)), rng.normal(size=300) * 1e-7 + 5
    assert CARTRegressor().fit(X, y).predict(X) == pytest.approx(y, rel=1e-15)


def test_outliers_of_the_target_do_not_hide_the_rest() -> None:
    rng = np.random.default_rng(4)
    X = rng.normal(size=(2000, 3))
    y = np.sign(X[:, 1]) + 0.1 * rng.normal(size=2000)
    y[:3] = 1e12
    model = CARTRegressor(min_samples_leaf=5).fit(X, y)
    assert abs(np.mean((model.predict(X[3:]) - y[3:]) ** 2)) < 1e22
    assert 1 in model.tree_.feature[model.tree_.n_children > 0]


@pytest.mark.parametrize("learner", [CARTClassifier, CARTRegressor])
def test_one_row_is_answered_like_many(learner: Any) -> None:
    X, y = task()
    model = learner(max_depth=5).fit(X, y)
    many = model.predict(X[:40]).tolist()
    assert [model.predict_one(row) for row in X[:40]] == many
    assert [model.predict_one(row.astype(np.float32)) for row in X[:5]] == many[:5]
    assert [model.predict_one(row.tolist()) for row in X[:5]] == many[:5]
    assert model.predict_one({f"x{i}": x for i, x in enumerate(X[0])}) == many[0]
    with pytest.raises(DataError, match="the model reads 4"):
        model.predict_one(X[0, :3])


def test_the_short_way_to_an_answer_is_the_long_one() -> None:
    X, y = task()
    model = CARTClassifier().fit(X, y)
    named = [{f"x{i}": x for i, x in enumerate(row)} for row in X[:50]]
    for form in (X[:50], np.asfortranarray(X[:50]), X[:100:2][:25], X[:50].astype(np.float32)):
        expected = [model.predict([dict(zip(named[0], row, strict=True))])[0] for row in form]
        assert model.predict(form).tolist() == expected
    assert model.predict(X[:50]).tolist() == model.predict(named).tolist()
    assert model.predict_proba(X[:5]).sum(axis=1) == pytest.approx(1)
    with pytest.raises(ValueError, match="features"):
        model.predict(X[:, :3])
