"""One rule of rounding: halves go up, judged by the decimal value that a figure stands for."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from treewright import CARTRegressor, work
from treewright._render.numbers import fixed
from treewright._utils.rounding import decimal_of, rounded
from treewright._work.lecture_rounding import Rounding


@pytest.mark.parametrize("x", [0.9125, 3.65 / 4, 0.9125000000000001])
def test_halves_go_up_whatever_the_last_bit_is(x: float) -> None:
    assert rounded(x, 3) == fixed(x) == Rounding(3).round_off(x) == "0.913"
    assert Rounding(3, "lecture").round_off(x) == "0.913"
    assert Rounding(3, "truncate").round_off(x) == "0.912"


def test_every_way_of_writing_agrees_on_decimals_of_four_places() -> None:
    for i in range(0, 20000, 7):
        exact = Fraction(i, 10000)
        noisy = float(exact) * (1 + (i % 5 - 2) * 2.0**-52)
        assert rounded(noisy, 3) == rounded(exact, 3) == fixed(noisy)


def test_large_small_and_odd_numbers() -> None:
    assert rounded(1e14 + 0.5, 0) == "100,000,000,000,001"
    assert rounded(-1234.5, 0) == "-1,235"
    assert rounded(-0.0004, 3) == rounded(0.0, 3) == rounded(5e-324, 3) == "0.000"
    assert rounded(1.7e308, 2).endswith(",000.00")
    assert rounded(float("inf"), 3) == "inf"
    assert decimal_of(0.1 + 0.2) == decimal_of(0.3)
    assert rounded(123.4567890125, 9) == "123.456789013"


def test_one_variance_is_written_in_one_way() -> None:
    y = [1.1, 2.3, 2.4, 0.9]
    figures = set()
    for order in ([0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]):
        for shift in (0.0, 1000.0):
            numbers = np.array(y)[order] + shift
            model = CARTRegressor(max_depth=1).fit([[i] for i in range(4)], numbers)
            figures.add(Rounding(3).round_off(work(model, 0).to_dict()["impurity"]))
    assert len(figures) == 1


def test_a_lecture_writes_the_terms_so_that_their_sum_is_the_sum() -> None:
    assert [Rounding(3, "lecture").term(x) for x in (0.40977, 0.53050)] == ["0.4098", "0.5305"]
    assert [Rounding(3).term(x) for x in (0.40977, 0.53050)] == ["0.410", "0.531"]
