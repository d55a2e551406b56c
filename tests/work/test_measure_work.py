"""Measures from counts: the numbers of `measures`, shown step by step."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from treewright import measures, work
from treewright._utils.choices import COUNT_MEASURES
from treewright.errors import UsageError

SPLIT = [[2, 3], [4, 0], [3, 2]]
COLUMN = ["a"] * 5 + ["b"] * 4 + ["c"] * 5
TARGET = list("ppqqq") + list("pppp") + list("pppqq")


def value(numbers: Any, what: str, **options: Any) -> float:
    return float(work(numbers, what=what, **options).to_dict()["value"])


def test_the_coins_of_the_lecture() -> None:
    assert round(value([50, 5], "entropy"), 4) == 0.4395
    assert round(value([30, 25], "entropy"), 4) == 0.9940
    assert "H = −50/55·log₂(50/55) − 5/55·log₂(5/55) = 0.125 + 0.314 = 0.439" in str(
        work([50, 5], width=100)
    )


def test_the_values_are_those_of_measures() -> None:
    assert value([9, 5], "entropy") == measures.entropy([9, 5])
    assert value([0.5, 0.25, 0.25], "entropy") == 1.5
    assert math.isclose(value([9, 5], "gini"), measures.gini([9, 5]))
    assert value([1 / 8], "information") == measures.self_information(1 / 8)
    lengths = ([0.41, 0.59], [1, 5])
    pairs = list(zip(*lengths, strict=True))
    assert math.isclose(value(pairs, "code-length"), measures.expected_code_length(*lengths))
    gain = measures.information_gain(COLUMN, TARGET)
    assert math.isclose(value(SPLIT, "gain"), gain)
    assert math.isclose(value(SPLIT, "gain_ratio"), measures.gain_ratio(COLUMN, TARGET))
    assert math.isclose(value(SPLIT, "split-information"), measures.split_information(COLUMN))
    before, after = measures.gini([9, 5]), (5 * 0.48 + 5 * 0.48) / 14
    assert math.isclose(value(SPLIT, "gini-gain"), before - after)


def test_units_and_rounding() -> None:
    assert math.isclose(value([9, 5], "entropy", unit="nats"), 0.9402859586706311 * math.log(2))
    assert "0.970" in str(work([3, 2], rounding="truncate"))
    assert "0.246" in str(work(SPLIT, rounding="lecture"))
    assert "−p·ln(p)" in str(work([3, 2], unit="nats"))


@pytest.mark.parametrize("what", COUNT_MEASURES)
def test_every_form(what: str) -> None:
    numbers: Any = {"information": [0.25], "code-length": [[0.5, 1], [0.5, 2]]}.get(
        what, [9, 5, 0] if what in ("entropy", "gini") else SPLIT
    )
    page = work(numbers, what=what, width=80)
    assert page.to_markdown()
    assert page.to_latex(standalone=True)
    assert "<math" in page.to_html()
    assert page.to_csv_rows()
    sheet = work(numbers, what=what, blank=True, width=80)
    printed = f"{page.to_dict()['value']:.3f}"
    assert printed in str(sheet.key())
    assert f"= {printed}" not in str(sheet)


def test_arrays_and_defaults() -> None:
    assert work(np.array([9, 5])).to_dict() == work([9, 5]).to_dict()
    assert work(np.array(SPLIT)).to_dict()["measure"] == "gain"
    assert "0·log 0 = 0" in str(work([4, 0]))


@pytest.mark.parametrize(
    ("numbers", "what"),
    [
        ([], "entropy"),
        ([-1, 2], "entropy"),
        ([0, 0], "entropy"),
        ([float("nan")], "entropy"),
        (["a"], "entropy"),
        ([1, 2], "gain"),
        (SPLIT, "entropy"),
        ([[1, 2], [3]], "gain"),
        ([1.5], "information"),
        ([0.5, 0.5], "information"),
        ([[0.5, 1]], "code-length"),
        ([1, 2], "prune"),
        ([[1, [2]], [3, 4]], "gain"),
    ],
)
def test_what_is_not_defined(numbers: Any, what: str) -> None:
    with pytest.raises(UsageError):
        work(numbers, what=what)


def test_one_branch_has_no_ratio() -> None:
    page = work([[3, 2]], what="gain-ratio")
    assert page.to_dict()["gain_ratio"] is None
    assert "not defined" in str(page)
