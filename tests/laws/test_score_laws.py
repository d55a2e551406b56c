"""Laws of the measures of probabilities: what may not change them, and between which numbers they lie."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright._evaluate.calibration import calibrate
from treewright._evaluate.class_probabilities import ClassProbabilities
from treewright._evaluate.lift import lift_of
from treewright._evaluate.prediction_scores import ClassScore
from treewright._evaluate.threshold import cheapest_threshold

ROWS = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 20), st.integers(1, 3)), min_size=2, max_size=30
).filter(lambda rows: len({truth for truth, _, _ in rows}) == 2)


def scores(
    rows: list[Any], transform: Any = lambda p: p, repeat: bool = False
) -> ClassProbabilities:
    if repeat:
        rows = [(truth, p, 1) for truth, p, weight in rows for _ in range(weight)]
    truth, p, weights = (np.array(column) for column in zip(*rows, strict=True))
    p = transform(p / 20)
    values = np.column_stack([1 - p, p])
    return ClassProbabilities(("no", "yes"), truth, values, 1, weights.astype(float))


@given(ROWS)
def test_auc_does_not_depend_on_the_scale_of_probabilities(rows: list[Any]) -> None:
    area = scores(rows).auc()
    assert area == pytest.approx(scores(rows, lambda p: p**3 / 2 + 0.1).auc())
    assert area == pytest.approx(1 - scores(rows, lambda p: 1 - p).auc())
    flipped = ClassProbabilities(
        ("no", "yes"), scores(rows).truth, scores(rows).values, 0, scores(rows).weights
    )
    assert area == pytest.approx(flipped.auc())


@given(ROWS)
def test_a_row_of_weight_two_is_two_rows(rows: list[Any]) -> None:
    one, many = scores(rows), scores(rows, repeat=True)
    for measure in ("auc", "log_loss", "brier"):
        assert getattr(one, measure)() == pytest.approx(getattr(many, measure)())
    assert calibrate(one).to_dict()["bins"] == [
        pytest.approx(bin) for bin in calibrate(many).to_dict()["bins"]
    ]
    assert cheapest_threshold(one, 1, 3).best.cost == cheapest_threshold(many, 1, 3).best.cost
    assert [p.gain for p in lift_of(one).points] == pytest.approx(
        [p.gain for p in lift_of(many).points]
    )


@given(ROWS, st.floats(0.1, 9), st.floats(0.1, 9))
def test_no_threshold_costs_less_than_the_cheapest(rows: list[Any], fp: float, fn: float) -> None:
    choice = cheapest_threshold(scores(rows), fp, fn)
    assert all(choice.best.cost <= other.cost * (1 + 1e-9) for other in choice.others.values())


@given(ROWS)
def test_the_class_proportions_are_the_best_constant(rows: list[Any]) -> None:
    """No constant has a smaller log loss or Brier score, and its curve is random order."""
    constant = scores(rows).constant()
    assert constant.auc() == 0.5
    for p in (0.1, 0.5, 0.9):
        other = scores(rows, lambda x, p=p: np.full_like(x, p))
        assert constant.log_loss() <= other.log_loss() + 1e-12
        assert constant.brier() <= other.brier() + 1e-12


@given(ROWS)
def test_lift_ends_at_one_and_gains_rise(rows: list[Any]) -> None:
    curve = lift_of(scores(rows))
    gains = [point.gain for point in curve.points]
    assert gains == sorted(gains)
    assert (curve.points[-1].gain, curve.points[-1].lift) == pytest.approx((1, 1))


def test_a_true_class_that_the_model_does_not_know_has_probability_zero() -> None:
    values = np.array([[0.5, 0.5], [1.0, 0.0]])
    found = ClassProbabilities.of(["new", "no"], values, ["no", "yes"])
    assert found.classes == ("no", "yes", "new")
    assert found.log_loss() == pytest.approx(-np.log(np.finfo(float).eps) / 2)
    assert ClassProbabilities.of(["no"], values[:1], ["no", "yes"]).auc() is None


def test_f1_of_a_class_that_never_occurs_is_0() -> None:
    assert ClassScore.of(["a", "a"], ["a", "a"], ["a", "b"]).measures()["f1"] == 0
    assert ClassScore.of(["a", "c"], ["a", "b"], ["a", "b"]).measures()["f1"] == pytest.approx(
        1 / 3
    )
