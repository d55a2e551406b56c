"""0-R and 1-R by hand: what they answer, where 1-R cuts, and their tables of nodes."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright import (
    DataError,
    OneRClassifier,
    Table,
    UsageError,
    ZeroRClassifier,
    ZeroRRegressor,
    datasets,
)
from treewright.files import to_bytes
from treewright.table import Series


def cuts(clf: OneRClassifier) -> list[float]:
    return sorted(t for t in clf.tree_.threshold.tolist() if not math.isnan(t))


def fit(values: list[Any], labels: Any, **params: Any) -> OneRClassifier:
    return OneRClassifier(**params).fit({"x": values}, list(labels))


# ---- 0-R


def test_zero_r_makes_5_errors_on_tennis() -> None:
    X, y = datasets.play_tennis()
    clf = ZeroRClassifier().fit(X, y)
    assert int((clf.predict(X) != y).sum()) == 5
    assert clf.tree_.nested() == {"class": "Yes", "cases": 14, "errors": 5}
    assert clf.predict_proba(X)[0].tolist() == pytest.approx([5 / 14, 9 / 14])


def test_zero_r_looks_at_no_column_and_needs_none() -> None:
    clf = ZeroRClassifier().fit({"a": ["x", "y"], "b": [1, 2]}, ["n", "n"])
    assert clf.predict({"b": [None], "a": ["new"]}).tolist() == ["n"]
    assert clf.predict({"a": ["x", "y"]}).tolist() == clf.predict({"c": [1, 2]}).tolist()
    assert clf.predict([{}, {}, {}]).tolist() == ["n"] * 3


def test_the_mean_does_not_depend_on_the_order_of_the_rows() -> None:
    values = [1e16, 1.0, -1e16, 3.0, 0.1, 0.2, 0.3]
    models = {
        to_bytes(ZeroRRegressor().fit([[0]] * 7, np.array(order)))
        for order in itertools.islice(itertools.permutations(values), 0, 5040, 97)
    }
    assert len(models) == 1


def test_weighted_mean_and_its_cost() -> None:
    reg = ZeroRRegressor().fit([[0]] * 3, [1.0, 2.0, 6.0], sample_weight=[1, 0, 3])
    assert reg.predict([[9]]).tolist() == [4.75]
    assert reg.tree_.nested() == {"mean": 4.75, "cases": 4, "errors": 18.75}
    assert reg.tree_.count.tolist() == [2]


def test_numbers_too_large_to_square() -> None:
    assert ZeroRRegressor().fit([[0]] * 2, [1e100, -1e100]).predict([[0]]).tolist() == [0]
    with pytest.raises(DataError, match=r"the target holds 1e\+308, whose square") as error:
        ZeroRRegressor().fit([[0]] * 2, [1e308, 1e308])
    assert error.value.slug == "data.large-numbers"


# ---- 1-R: which column


def test_one_r_makes_4_errors_on_tennis_with_outlook() -> None:
    X, y = datasets.play_tennis()
    clf = OneRClassifier().fit(X, y)
    assert clf.column_ == "Outlook"
    assert int((clf.predict(X) != y).sum()) == 4
    assert clf.tree_.nested()["branches"] == [
        [{"=": "Sunny"}, {"class": "No", "cases": 5, "errors": 2}],
        [{"=": "Overcast"}, {"class": "Yes", "cases": 4, "errors": 0}],
        [{"=": "Rain"}, {"class": "Yes", "cases": 5, "errors": 2}],
    ]


def test_equal_columns_go_to_the_first() -> None:
    X = {"b": ["u", "v"], "a": ["u", "v"]}
    assert OneRClassifier().fit(X, [0, 1]).column_ == "b"
    # A hair of rounding in fractional weights is no difference.
    weights = [0.1, 0.2, 0.3, 0.1, 0.2, 0.3]
    X = {"b": [*"uvwuvw"], "a": [*"wvuwvu"]}
    assert OneRClassifier().fit(X, [0, 1, 0, 1, 0, 1], sample_weight=weights).column_ == "b"


def test_a_column_without_anything_to_ask_is_a_leaf() -> None:
    for values in (["x"] * 3, [None] * 3, [5.0] * 3):
        clf = fit(values, "aab")
        assert clf.tree_.nested() == {"class": "a", "cases": 3, "errors": 1}
        assert clf.column_ == "x"


def test_declared_levels_without_rows_answer_like_the_root() -> None:
    X = Table([Series.of("x", ["S", "L", "L"], levels=["S", "M", "L"])])
    clf = OneRClassifier().fit(X, ["n", "y", "y"])
    assert clf.predict({"x": ["S", "M", "L", "new", None]}).tolist() == ["n", "y", "y", "y", "y"]
    assert clf.tree_.count.tolist() == [3, 1, 0, 2]


def test_missing_has_an_answer_of_its_own() -> None:
    for values in (["u", "u", "u", None, None], [1, 1, 1, None, None]):
        clf = fit(values, "aaabb")
        assert clf.predict({"x": [None, values[0]]}).tolist() == ["b", "a"]
        assert clf.score({"x": values}, [*"aaabb"]) == 1
    assert fit(["u", "u", "v"], "aab").predict({"x": [None]}).tolist() == ["a"]


# ---- 1-R: where numbers are cut


def test_a_bucket_ends_after_enough_of_its_class_where_the_next_value_brings_another() -> None:
    clf = fit([1, 2, 3, 4, 5, 6, 7, 8], "aaaabbbb", min_bucket=3)
    assert cuts(clf) == [4.5]
    assert cuts(fit([1, 2, 3, 4, 5, 6, 7, 8], "aaaabbbb", min_bucket=6)) == []
    # Not before the class has its rows, and not within equal values.
    assert cuts(fit([1, 2, 3, 4, 5, 6], "abaabb", min_bucket=3)) == [4.5]
    assert cuts(fit([1, 1, 1, 1, 2, 2, 2], "aaabbbb", min_bucket=3)) == [1.5]


def test_neighbours_with_the_same_answer_are_one_bucket() -> None:
    # aaa|baa|bbb: the second bucket answers a like the first.
    assert cuts(fit([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], "aaabaaabbb", min_bucket=3)) == [7.5]


def test_cuts_are_midpoints_that_route_as_written() -> None:
    low, high = 1.0, np.nextafter(1.0, 2.0)
    clf = fit([low, high], "ab", min_bucket=1)
    assert clf.predict({"x": [low, high]}).tolist() == ["a", "b"]
    far = fit([-1.7e308, 1.7e308], "ab", min_bucket=1)
    assert cuts(far) == [0.0]
    tiny = fit([0.0, 5e-324], "ab", min_bucket=1)
    assert tiny.predict({"x": [0.0, 5e-324]}).tolist() == ["a", "b"]


def test_many_cuts_make_a_shallow_tree() -> None:
    n = 4096
    clf = fit(list(range(n)), [i % 2 for i in range(n)], min_bucket=1)
    assert len(cuts(clf)) == n - 1
    assert clf.tree_.depth == 12
    assert clf.score({"x": list(range(n))}, [i % 2 for i in range(n)]) == 1


@pytest.mark.parametrize("least", [0, -1, 1.5, None, "6", True, math.nan])
def test_min_bucket_is_checked(least: Any) -> None:
    with pytest.raises(UsageError, match="min_bucket must be a whole number of at least 1"):
        fit([1, 2], "ab", min_bucket=least)


def test_too_many_values_are_named() -> None:
    many = [f"id{i}" for i in range(65_521)]
    with pytest.raises(DataError, match='column "x" has 65,521 different values'):
        fit(many, [0] * len(many))


# ---- 1-R against its own description


def slow_rule(values: list[Any], labels: list[int], least: int) -> tuple[list[Any], int]:
    """Return the cuts and errors of a numeric column by the book; labels are 0, 1, ... in tie order."""

    def top(rows: list[int]) -> int:
        return max(range(max(labels) + 1), key=lambda c: ([labels[i] for i in rows].count(c), -c))

    groups: dict[float, list[int]] = {}
    for i in sorted(range(len(values)), key=lambda i: values[i]):
        groups.setdefault(values[i], []).append(i)
    buckets: list[list[int]] = []
    open_bucket: list[int] = []
    order = list(groups)
    for at, value in enumerate(order):
        open_bucket = open_bucket + groups[value]
        best = top(open_bucket)
        full = [labels[i] for i in open_bucket].count(best) >= least
        if at + 1 == len(order) or (full and top(groups[order[at + 1]]) != best):
            buckets.append(open_bucket)
            open_bucket = []
    joined = [buckets[0]]
    for bucket in buckets[1:]:
        if top(bucket) == top(joined[-1]):
            joined[-1] = joined[-1] + bucket
        else:
            joined.append(bucket)
    thresholds = [
        (max(values[i] for i in a) + min(values[i] for i in b)) / 2
        for a, b in itertools.pairwise(joined)
    ]
    wrong = sum(labels[i] != top(bucket) for bucket in joined for i in bucket)
    return thresholds, wrong


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2)), min_size=1, max_size=40),
    st.integers(1, 7),
)
def test_buckets_are_those_of_the_book(pairs: list[tuple[int, int]], least: int) -> None:
    values, labels = [v for v, _ in pairs], [c for _, c in pairs]
    clf = fit(values, labels, min_bucket=least)
    rank = {c: i for i, c in enumerate(sorted(set(labels)))}
    expected, wrong = slow_rule(values, [rank[c] for c in labels], least)
    assert cuts(clf) == expected
    assert int((clf.predict({"x": values}) != labels).sum()) == wrong
    assert clf.tree_.errors(0) - clf.tree_.gain.sum() == wrong
