"""Partial dependence: averages over all rows at every value that a model can tell apart."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from treewright import (
    CARTClassifier,
    CARTRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    KNeighborsRegressor,
    RandomForestRegressor,
    datasets,
    partial_dependence,
)
from treewright.errors import TreewrightError

Numbers = NDArray[np.float64]


def make_table(rows: int = 200, seed: int = 0) -> tuple[dict[str, Any], Numbers]:
    rng = np.random.default_rng(seed)
    x, z = rng.uniform(-2, 2, (2, rows))
    town = np.array(["a", "b", "c"])[rng.integers(0, 3, rows)]
    return {"x": x, "z": z, "town": town}, x * z + 2.0 * (town == "b") + x**2


def by_hand(model: Any, X: dict[str, Any], column: str, value: Any) -> float:
    count = len(next(iter(X.values())))
    return float(np.mean(model.predict(X | {column: np.array([value] * count)})))


@pytest.mark.parametrize(
    "model",
    [
        CARTRegressor(max_depth=4),
        RandomForestRegressor(n_estimators=5, max_depth=3),
        GradientBoostingRegressor(n_estimators=5),
        KNeighborsRegressor(),
    ],
    ids=lambda model: type(model).__name__,
)
def test_averages_are_those_of_the_replaced_rows(model: Any) -> None:
    X, y = make_table()
    if isinstance(model, KNeighborsRegressor):
        X.pop("town")
    model.fit(X, y)
    for column in X:
        result = partial_dependence(model, X, column, grid_size=500)
        assert result.average.shape == (len(result.grid[0]), 1)
        for value, [average] in zip(result.grid[0], result.average.tolist(), strict=True):
            assert average == pytest.approx(by_hand(model, X, column, value), rel=1e-12)


def test_the_steps_of_trees_are_exact_everywhere() -> None:
    X, y = make_table()
    model = GradientBoostingRegressor(n_estimators=4, max_leaf_nodes=6).fit(X, y)
    result = partial_dependence(model, X, "x")
    assert result.exact == (True,)
    ends = np.array(result.grid[0])
    for value in np.random.default_rng(1).uniform(-3, 3, 40):
        piece = min(int(np.searchsorted(ends, value)), len(ends) - 1)
        assert result.average[piece, 0] == pytest.approx(by_hand(model, X, "x", value), rel=1e-12)


def test_individual_lines_average_to_the_curve_and_weights_count() -> None:
    X, y = make_table(60)
    model = RandomForestRegressor(n_estimators=4).fit(X, y)
    weights = np.random.default_rng(2).uniform(0, 2, 60)
    result = partial_dependence(model, X, "z", ice=True, sample_weight=weights, grid=[-1, 0, 1])
    assert result.individual is not None
    assert result.individual.shape == (60, 3, 1)
    expected = np.average(result.individual, axis=0, weights=weights)
    assert result.average == pytest.approx(expected, rel=1e-12)
    assert result.individual[:, 1, 0] == pytest.approx(model.predict(X | {"z": np.zeros(60)}))


def test_two_columns_of_classes() -> None:
    X, y = make_table(120)
    classes = np.array(["low", "mid", "high"])[np.digitize(y, [0.0, 2.0])]
    model = CARTClassifier(max_depth=4).fit(X, classes)
    result = partial_dependence(model, X, ["town", "x"])
    assert result.classes == ("high", "low", "mid")
    assert result.average.shape == (3, len(result.grid[1]), 3)
    assert result.average.sum(axis=2) == pytest.approx(np.ones(result.average.shape[:2]))
    rows = X | {"town": np.array(["c"] * 120), "x": np.full(120, result.grid[1][0])}
    assert result.average[2, 0] == pytest.approx(model.predict_proba(rows).mean(axis=0))


def test_missing_values_are_a_value_of_their_own() -> None:
    X, y = make_table()
    X["x"][:20] = np.nan
    X["town"] = np.array([None, *X["town"][1:]], dtype=object)
    model = GradientBoostingRegressor(n_estimators=5).fit(X, y)
    for column in ("x", "town"):
        result = partial_dependence(model, X, column)
        assert result.grid[0][-1] is None
        assert result.labels(0)[-1] == "missing"
        missing = {"x": np.nan, "town": None}[column]
        rows = X | {column: np.array([missing] * 200, dtype=X[column].dtype)}
        assert result.average[-1, 0] == pytest.approx(model.predict(rows).mean())
        assert "<svg" in result.to_svg()


@pytest.mark.parametrize("container", ["array", "pandas", "polars"])
def test_pipelines_get_rows_as_they_expect_them(container: str) -> None:
    X, y = make_table(80)
    array = np.column_stack([X["x"], X["z"]])
    rows: Any = array
    if container != "array":
        rows = pytest.importorskip(container).DataFrame({"x": X["x"], "z": X["z"]})
    model = make_pipeline(StandardScaler(), CARTRegressor(max_depth=3)).fit(rows, y)
    plain = CARTRegressor(max_depth=3).fit(array, y)
    result = partial_dependence(model, rows, 0, grid=[-1.0, 0.5])
    expected = partial_dependence(plain, array, 0, grid=[-1.0, 0.5])
    assert result.average == pytest.approx(expected.average)


def test_nothing_depends_on_the_order_of_rows() -> None:
    X, y = make_table(150)
    model = GradientBoostingClassifier(n_estimators=5).fit(X, y > 0)
    order = np.random.default_rng(0).permutation(150)
    shuffled = {name: values[order] for name, values in X.items()}
    first, second = (partial_dependence(model, rows, "x") for rows in (X, shuffled))
    assert first.to_dict() == second.to_dict()


def test_results_are_printed_drawn_and_saved(tmp_path: Any) -> None:
    X, y = datasets.golf()
    model = CARTClassifier(max_depth=2).fit(X, y)
    for columns in ("outlook", "humidity", ["outlook", "humidity"]):
        result = partial_dependence(model, X, columns)
        assert str(result).startswith("partial dependence on ")
        assert json.loads(json.dumps(result.to_dict()))["columns"] == list(result.columns)
        records = result.to_csv_rows()
        assert len(records) == np.prod([len(values) for values in result.grid])
        for suffix in ("txt", "svg", "html", "csv", "json", "md", "tex"):
            result.save(tmp_path / f"effect.{suffix}")
            assert (tmp_path / f"effect.{suffix}").stat().st_size > 50
    numeric = partial_dependence(model, X, "humidity", ice=True)
    assert numeric.to_svg().count("<path") > 3


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"columns": "tow"}, "the table has no column 'tow'"),
        ({"columns": 7}, "the table has no column 7"),
        ({"columns": ["x", "x"]}, "one column or two different ones"),
        ({"columns": ["x", "z", "town"]}, "one column or two different ones"),
        ({"columns": ["x", "z"], "ice": True}, "ice=True needs a single column"),
        ({"columns": "x", "grid": ["a"]}, "'a' is no value of 'x'"),
        ({"columns": "town", "grid": ["d"]}, "'d' is no value of 'town'"),
        ({"columns": "x", "grid": []}, "grid is wrong: it is empty"),
        ({"columns": "x", "grid_size": 1}, "grid_size must be"),
    ],
)
def test_wrong_arguments_are_explained(arguments: Any, sentence: str) -> None:
    X, y = make_table(40)
    model = CARTRegressor().fit(X, y)
    with pytest.raises(TreewrightError, match=sentence):
        partial_dependence(model, X, **arguments)
