"""The complexity curve and the comparison of learners: numbers, choices, pictures, tables, and what is refused."""

from __future__ import annotations

import json
import math
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import t as student
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.tree import DecisionTreeClassifier

from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ComplexityCurve,
    ID3Classifier,
    RuleSetClassifier,
    UsageError,
    ZeroRClassifier,
    compare,
    complexity_curve,
    datasets,
    evaluate,
)
from treewright._input.containers import take
from treewright._render.charts import LineChart, powers, ticks
from treewright.table import Series

TENNIS = datasets.play_tennis()


def noisy(rows: int = 300, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 3))
    y = (X[:, 0] > 0) ^ (rng.random(rows) < 0.2)
    return X, y.astype(int)


@pytest.fixture(scope="module")
def curve() -> ComplexityCurve:
    X, y = noisy()
    return complexity_curve(CARTClassifier(), X, y, cv=5, validation=noisy(seed=1))


# ---- the curve


def test_large_trees_know_their_rows_and_small_ones_new_rows(curve: ComplexityCurve) -> None:
    assert curve.training[0] == 0
    assert (np.diff(curve.training) >= -1e-12).all()
    assert (np.diff(curve.leaves) < 0).all()
    assert curve.leaves[-1] == 1
    assert curve.validation is not None
    # The truth is one question with a fifth of noise.
    assert curve.leaves[curve.one_se] == 2
    assert curve.leaves[curve.shortest] == 2
    assert curve.cross_validated[0] > curve.cross_validated[curve.best] + 0.05
    assert curve.validation[0] > curve.validation[curve.one_se] + 0.05


def test_the_choices_are_models(curve: ComplexityCurve) -> None:
    for which in ("best", "one_se", "shortest"):
        model = curve.model(which)
        at = getattr(curve, which)
        assert model.tree_.n_leaves == curve.leaves[at]
        wrong = 1 - model.score(*noisy(seed=1))
        assert curve.validation is not None
        assert wrong == pytest.approx(curve.validation[at])
    with pytest.raises(UsageError, match="which must be one of 'best'"):
        curve.model("tallest")


def test_every_tree_of_the_curve_is_its_pruning(curve: ComplexityCurve) -> None:
    from treewright import prune

    X, y = noisy()
    for i in range(0, len(curve.path), 7):
        small = prune(curve.whole, "cost_complexity", ccp_alpha=float(curve.path.alpha[i]))
        assert small.tree_.n_leaves == curve.leaves[i]
        assert 1 - small.score(X, y) == pytest.approx(curve.training[i])


def test_the_message_of_a_single_leaf() -> None:
    X, y = TENNIS
    found = complexity_curve(C45Classifier(min_cases=1), X, y, cv=7)
    rows, wrong = 14, 5
    # A leaf, its class, how many rows are wrong, and which.
    expected = 1 + 1 + math.log2(rows + 1) + math.log2(math.comb(rows, wrong))
    assert found.bits[-1] == pytest.approx(expected)
    # Five leaves, three questions about one of four columns, Wind's and Humidity's sets named by their two levels.
    tree = 8 + 5 * 1 + 3 * 2 + 2 * 2
    assert found.bits[0] == pytest.approx(tree + math.log2(rows + 1))


def test_numbers_have_a_curve_too() -> None:
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(200, 2))
    y = np.where(X[:, 0] > 0.5, 3.0, 0.0) + rng.normal(scale=0.5, size=200)
    found = complexity_curve(CARTRegressor(min_samples_leaf=2), X, y)
    assert found.unit == "squared error"
    assert found.training[-1] == pytest.approx(y.var())
    assert found.leaves[found.one_se] == 2
    assert 1 < found.leaves[found.shortest] <= 8
    assert found.cross_validated[found.one_se] == pytest.approx(0.25, abs=0.1)


def test_pruning_parameters_are_left_out(curve: ComplexityCurve) -> None:
    X, y = noisy()
    pruned = complexity_curve(CARTClassifier(ccp_alpha=0.02), X, y, cv=5)
    assert pruned.leaves.tolist() == curve.leaves.tolist()
    pessimistic = complexity_curve(C45Classifier(min_cases=1), *TENNIS, cv=3)
    assert pessimistic.leaves[0] == 5


def test_the_curve_as_values(curve: ComplexityCurve, tmp_path: Path) -> None:
    document = curve.to_dict()
    assert document["one_se"] == curve.one_se
    assert set(document["trees"][0]) == {
        *("alpha", "relative", "leaves", "risk", "cv_error", "cv_deviation"),
        *("training", "bits", "validation"),
    }
    assert len(curve.to_frame()) == len(document["trees"])
    text = str(curve)
    assert text.splitlines()[0] == "errors per row"
    assert "least error" in text
    assert "one standard error" in text
    for suffix in (".svg", ".txt", ".md", ".tex", ".html", ".csv", ".json"):
        curve.save(tmp_path / f"curve{suffix}")
    assert json.loads((tmp_path / "curve.json").read_text())["unit"] == "errors"
    with pytest.raises(UsageError, match="supported: "):
        curve.save(tmp_path / "curve.doc")


def test_the_picture_shows_three_lines_and_the_choices(curve: ComplexityCurve) -> None:
    picture = ET.fromstring(curve.to_svg())
    texts = [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    for word in ("training", "cross-validated", "validation", "leaves", "errors per row"):
        assert word in texts
    assert any("one standard error" in str(text) for text in texts)
    assert "script" not in curve.to_svg()
    assert curve.to_svg() == curve.to_svg()
    assert "<svg" in curve._repr_mimebundle_()["text/html"]


def test_matplotlib_draws_it_where_it_is_installed(curve: ComplexityCurve, tmp_path: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    curve.save(tmp_path / "curve.png")
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_without_matplotlib_it_says_so(curve: ComplexityCurve, monkeypatch: Any) -> None:
    import importlib

    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(UsageError, match="matplotlib is not installed"):
        curve.plot()


def test_what_is_no_tree_has_no_curve() -> None:
    with pytest.raises(TypeError, match="expected a tree of treewright"):
        complexity_curve(DecisionTreeClassifier(), *noisy())  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="cv must be a whole number between 2 and 14"):
        complexity_curve(ID3Classifier(), *TENNIS, cv=15)


def test_charts_stay_within_their_paper() -> None:
    assert ticks(0, 1) == [0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert ticks(3, 3) == [3]
    assert powers(1, 40) == [1, 2, 5, 10, 20]
    assert powers(1, 10**5) == [1, 10, 100, 1000, 10**4, 10**5]
    chart = LineChart(
        (1.0,), (("a<b", (0.0,)),), (("m", 1.0, 0.0),), 'a "title"', ("x", "y"), log=True
    )
    drawn = chart.svg()
    assert "a&lt;b" in drawn
    ET.fromstring(drawn)


def test_the_curve_goes_from_the_smallest_tree_to_the_largest() -> None:
    curve = complexity_curve(CARTClassifier(), *noisy())
    chart = curve._chart()
    assert chart.ends == (1, curve.leaves[0])
    assert [chart.place(x) for x in (1, curve.leaves[0])] == [0, 1]
    assert [x for x, _ in chart.x_ticks()] == powers(1, curve.leaves[0])


# ---- the comparison


def test_baselines_are_always_there_and_the_best_is_first() -> None:
    X, y = noisy()
    found = compare({"tree": CARTClassifier(max_depth=1)}, X, y, cv=5)
    assert [entry.name for entry in found.entries] == ["tree", "OneRClassifier", "ZeroRClassifier"]
    assert found["tree"].p_value is None
    assert found["ZeroRClassifier"].p_value < 0.01
    assert found["tree"].size == 2
    assert found["tree"].mean == pytest.approx(0.8, abs=0.07)
    assert found["tree"].seconds > 0
    assert len(found["tree"].scores) == found.cv == 5


def test_the_folds_are_the_same_for_all() -> None:
    X, y = noisy()
    found = compare({"one": ID3Classifier(), "two": ID3Classifier()}, np.round(X), y, cv=4)
    assert found["one"].scores.tolist() == found["two"].scores.tolist()
    assert found["two"].p_value == found["one"].p_value
    again = compare({"one": ID3Classifier()}, np.round(X), y, cv=4)
    assert again["one"].scores.tolist() == found["one"].scores.tolist()
    other = compare({"one": ID3Classifier()}, np.round(X), y, cv=4, random_state=1)
    assert other["one"].scores.tolist() != found["one"].scores.tolist()


def test_the_paired_test_is_the_corrected_one() -> None:
    X, y = noisy()
    found = compare({"a": CARTClassifier(max_depth=1), "b": CARTClassifier()}, X, y, cv=10)
    difference = found["b"].scores - found["a"].scores
    spread = difference.var(ddof=1) * (1 / 10 + 30 / 270)
    expected = 2 * student.sf(abs(difference.mean()) / math.sqrt(spread), 9)
    assert found["b"].p_value == pytest.approx(expected)
    assert "treat it as a hint" in found.caveat


def test_numbers_are_compared_by_their_error() -> None:
    X = np.arange(60.0)[:, None]
    y = np.sin(X[:, 0] / 5)
    found = compare([CARTRegressor(), CARTRegressor(max_depth=2)], X, y, cv=5)
    names = [entry.name for entry in found.entries]
    assert names == ["CARTRegressor", "CARTRegressor 2", "ZeroRRegressor"]
    assert found.measure == "rmse"
    assert found["ZeroRRegressor"].mean == pytest.approx(y.std(), rel=0.1)


def test_any_container_and_any_estimator() -> None:
    import polars
    import pyarrow

    table, y = TENNIS
    reference = compare(RuleSetClassifier(), table, y, cv=3)["RuleSetClassifier"].scores.tolist()
    containers = [
        table.to_pandas(),
        polars.DataFrame(table.to_dict()),
        pyarrow.table(table.to_dict()),
        table.to_dict(),
        np.array(list(zip(*table.to_dict().values(), strict=True)), dtype=object),
    ]
    for X in containers:
        for labels in (y, y.tolist(), Series.of("y", y.tolist())):
            found = compare(RuleSetClassifier(), X, labels, cv=3)
            assert found["RuleSetClassifier"].scores.tolist() == reference
    assert compare(DecisionTreeClassifier(random_state=0), *noisy(), cv=3).entries[0].mean > 0.5


def test_weights_count_in_learning_and_in_scoring() -> None:
    X, y = noisy()
    weights = np.where(y == 1, 5.0, 1.0)
    found = compare(ZeroRClassifier(), X, y, weights, cv=5)
    assert found["ZeroRClassifier"].mean == pytest.approx(
        weights[y == 1].sum() / weights.sum(), abs=0.02
    )


def test_progress_is_told() -> None:
    seen: list[int] = []

    def watch(items: Any, total: int) -> Any:
        for item in items:
            seen.append(total)
            yield item

    compare(ZeroRClassifier(), *TENNIS, cv=3, watch=watch)
    # Two learners, three folds and all rows.
    assert seen == [8] * 8


def test_the_comparison_as_values() -> None:
    found = compare(ID3Classifier(), *TENNIS, cv=7)
    document = found.to_dict()
    assert [learner["name"] for learner in document["learners"]] == [e.name for e in found.entries]
    assert list(found.to_frame().columns) == [
        "name",
        "mean",
        "deviation",
        "size",
        "seconds",
        "p_value",
    ]
    assert str(found).startswith("7-fold cross-validation")
    assert "Nadeau and Bengio" in found.to_markdown()
    assert "<table>" in found._repr_mimebundle_()["text/html"]


def test_what_cannot_be_compared() -> None:
    with pytest.raises(UsageError, match="some models predict classes and some numbers"):
        compare([ID3Classifier(), CARTRegressor()], *TENNIS)
    with pytest.raises(UsageError, match="cv must be a whole number between 2 and 14"):
        compare(ID3Classifier(), *TENNIS, cv=1)


def test_taking_rows() -> None:
    rows = np.array([2, 0])
    assert take((1, 2, 3), rows) == [3, 1]
    assert take(Series.of("a", ["x", "y", "z"]), rows).values() == ["z", "x"]
    assert take({"a": [1, 2, 3]}, rows).to_dict() == {"a": [3.0, 1.0]}


def test_a_probability_above_1_by_rounding_has_a_log_loss() -> None:
    class Fractions(ClassifierMixin, BaseEstimator):
        """A classifier whose fractions of a row add up to a little more than the row."""

        classes_ = np.array(["a", "b"])

        def predict(self, X: object) -> list[str]:
            return ["a", "b"]

        def predict_proba(self, X: object) -> list[list[float]]:
            return [[1.0000000000000002, 0.0], [0.25, 0.75]]

    result = evaluate(Fractions(), {"x": [1, 2]}, ["a", "b"])
    assert result.measures["log-loss"] == pytest.approx(-math.log(0.75) / 2)
