"""Laws of rankings: the figures are those of ``measures``, the cuts those of slow twins written from the papers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from helpers.random_tables import Sample, few, samples
from treewright import measures, rank_columns
from treewright._input.target import ClassTarget
from treewright._learners.one_rule import rule_of
from treewright.table import Series

NUMBERS = st.lists(
    st.tuples(st.integers(-4, 9) | st.sampled_from([0.5, -1e300, 1e-300]), st.integers(0, 2)),
    min_size=1,
    max_size=40,
)


def present(sample: Sample, name: str) -> tuple[list[Any], list[Any]]:
    rows = [i for i, value in enumerate(sample.columns[name]) if value is not None]
    return [sample.columns[name][i] for i in rows], [sample.labels[i] for i in rows]


@given(samples())
@few
def test_categories_are_measured_as_measures_does(sample: Sample) -> None:
    known = {"gain": measures.information_gain, "gini": measures.gini_gain}
    for by, measure in known.items():
        for column in rank_columns(sample.X, sample.y, by):
            x, y = present(sample, column.name)
            if column.kind == "numeric" or not x:
                continue
            share = len(x) / len(sample)
            assert column.score == pytest.approx(measure(x, y) * share, abs=1e-12)
            assert column.missing == len(sample) - len(x)
            filled = ["?" if v is None else f"={v}" for v in sample.columns[column.name]]
            whole = rank_columns(sample.X, sample.y, by, missing="value")[column.name].score
            assert whole == pytest.approx(measure(filled, sample.labels), abs=1e-12)


@given(samples(numbers=True), st.randoms(use_true_random=False), st.integers(1, 4))
@few
def test_neither_the_order_of_rows_nor_threads_show(sample: Sample, random: Any, jobs: int) -> None:
    order = list(range(len(sample)))
    random.shuffle(order)
    mixed = sample.take(order)
    for by in ("gain", "gain_ratio", "gini", "chi2", "one_r"):
        one = rank_columns(sample.X, sample.y, by)
        other = rank_columns(mixed.X, mixed.y, by, n_jobs=jobs)
        assert {c.name: (c.score, c.cuts) for c in one} == {
            c.name: (c.score, c.cuts) for c in other
        }


@pytest.mark.parametrize("numeric", ["cut", "mdl"])
@given(samples(numbers=True), st.data())
@few
def test_weight_two_is_the_row_twice(numeric: str, sample: Sample, data: Any) -> None:
    weights = data.draw(st.lists(st.integers(0, 3), min_size=len(sample), max_size=len(sample)))
    assume(any(weights))
    twice = sample.take([i for i, weight in enumerate(weights) for _ in range(weight)])
    for by in ("gain", "gain_ratio", "mutual_information", "gini", "chi2", "one_r"):
        how = {} if by == "one_r" else {"numeric": numeric}
        one = rank_columns(sample.X, sample.y, by, sample_weight=weights, **how)
        other = rank_columns(twice.X, twice.y, by, **how)
        for column in other:
            weighed = one[column.name]
            assert weighed.cuts == column.cuts
            assert weighed.parts == column.parts
            # A class that no row of weight has is summed as a zero.
            assert weighed.figures == pytest.approx(column.figures, abs=1e-12)
        assert one.most == pytest.approx(other.most, abs=1e-12)


@pytest.mark.slow
@given(samples(numbers=True), st.sampled_from([0.25, 0.75, 1 / 3, 1e-6, 1e9]))
@few
def test_equal_weights_change_only_how_many_rows_there_seem_to_be(sample: Sample, w: float) -> None:
    for by in ("gain", "gain_ratio", "gini", "chi2"):
        plain = rank_columns(sample.X, sample.y, by)
        weighed = rank_columns(sample.X, sample.y, by, sample_weight=[w] * len(sample))
        times = w if by == "chi2" else 1
        for column in plain:
            score = pytest.approx(column.score * times, rel=1e-6, abs=1e-9 * times)
            assert weighed[column.name].score == score
            assert weighed[column.name].missing == column.missing


@given(samples())
@few
def test_no_column_tells_more_than_there_is(sample: Sample) -> None:
    for missing in ("known", "value", "spread"):
        ranking = rank_columns(sample.X, sample.y, "gain", missing=missing)
        assert ranking.most == pytest.approx(measures.entropy_of(sample.labels))
        scores = [column.score for column in ranking]
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= score <= ranking.most + 1e-12 for score in scores)
        assert all(0 <= c.figures["gain_ratio"] <= 1 + 1e-12 for c in ranking)


def cut_gain(rows: list[tuple[float, int]], cut: float) -> float:
    low = [y for x, y in rows if x <= cut]
    high = [y for x, y in rows if x > cut]
    counts = [[part.count(c) for c in range(3)] for part in (low, high)]
    left = measures.mean_information(counts)
    return measures.entropy([sum(c) for c in zip(*counts, strict=True)]) - left


def mdl_cuts(rows: list[tuple[float, int]]) -> list[float]:
    """Cut a list of numbers and classes as the paper says."""
    values = sorted({x for x, _ in rows})
    if len(values) < 2:
        return []
    tried = [(cut_gain(rows, low), -i, low) for i, low in enumerate(values[:-1])]
    most = max(gain for gain, _, _ in tried)
    gain, _, cut = min((t for t in tried if t[0] >= most - 1e-12), key=lambda t: -t[1])
    parts = [[r for r in rows if r[0] <= cut], [r for r in rows if r[0] > cut]]

    def facts(part: list[tuple[float, int]]) -> tuple[int, float]:
        labels = [y for _, y in part]
        return len(set(labels)), measures.entropy_of(labels)

    (k, e), (k1, e1), (k2, e2) = facts(rows), facts(parts[0]), facts(parts[1])
    if k < 2:
        return []
    n = len(rows)
    delta = math.log2(3**k - 2) - (k * e - k1 * e1 - k2 * e2)
    if gain <= (math.log2(n - 1) + delta) / n:
        return []
    return [*mdl_cuts(parts[0]), cut, *mdl_cuts(parts[1])]


@given(NUMBERS)
@few
def test_cuts_are_those_of_slow_twins(rows: list[tuple[float, int]]) -> None:
    X = np.array([[float(x)] for x, _ in rows])
    y = np.array([c for _, c in rows])
    values = sorted({float(x) for x, _ in rows})
    plain = [(float(x), c) for x, c in rows]
    best = max([cut_gain(plain, v) for v in values[:-1]], default=0.0)
    assert rank_columns(X, y, "gain").columns[0].score == pytest.approx(best, abs=1e-9)
    cuts = rank_columns(X, y, "gain", numeric="mdl").columns[0].cuts
    below = [max(v for v in values if v <= cut) for cut in cuts]
    assert below == mdl_cuts(plain)
    rule = rule_of(Series.of("x", X[:, 0].tolist()), ClassTarget.of(y), np.ones(len(y)), 6)
    found = rank_columns(X, y, "one_r").columns[0]
    assert found.cuts == pytest.approx(tuple(rule.cuts or ()))
    assert found.score == pytest.approx(1 - rule.errors / len(y))


@given(
    st.lists(
        st.tuples(st.integers(0, 5) | st.none(), st.integers(-50, 50).map(lambda n: n / 8)),
        min_size=1,
        max_size=30,
    )
)
@few
def test_numbers_are_explained_as_far_as_the_best_cut_does(rows: list[Any]) -> None:
    known = [(float(x), y) for x, y in rows if x is not None]
    assume(known)
    X = np.array([[math.nan if x is None else float(x)] for x, _ in rows])
    y = [target for _, target in rows]
    values = sorted({x for x, _ in known})
    best = max(
        (
            measures.variance_reduction([x <= v for x, _ in known], [t for _, t in known])
            for v in values[:-1]
        ),
        default=0.0,
    )
    found = rank_columns(X, y, "variance_reduction").columns[0].score
    assert found == pytest.approx(best * len(known) / len(rows), rel=1e-9, abs=1e-9)
