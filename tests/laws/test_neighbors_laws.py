"""The nearest rows are the nearest rows: an oracle that compares all rows, in fractions where floats would round."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treewright import KNeighborsClassifier, KNeighborsRegressor, nearest

few = settings(max_examples=settings.default.max_examples // 2)
Row = Sequence[Any]

# Differences of small whole numbers are exact in floats: here even the order of ties must be the oracle's.
WHOLE = st.integers(-3, 3)
HARD = st.sampled_from([0.0, -0.0, 1.0, -1.5, 1e300, -1e300, 1e308, 5e-324, 1e-300, 1e15, 0.1])
MISSING = st.none()
CELL = st.sampled_from(["a", "b", "c"])


def tables(cells: Any, *, width: tuple[int, int] = (1, 4), rows: int = 40) -> Any:
    """Draw rows to search and rows to search for, of the same columns."""
    return st.integers(*width).flatmap(
        lambda n: st.tuples(
            st.lists(st.tuples(*[cells] * n), min_size=1, max_size=rows),
            st.lists(st.tuples(*[cells] * n), max_size=6),
        )
    )


def gaps(a: Row, b: Row) -> list[Fraction | None]:
    """Return the absolute difference in each column, exactly; None where a value is missing."""
    return [
        None if x is None or y is None else abs(Fraction(x) - Fraction(y))
        for x, y in zip(a, b, strict=True)
    ]


def power(p: int) -> Callable[[Row, Row], Fraction | float]:
    """Return the p-th power of a distance; columns with a gap count like the others."""

    def key(a: Row, b: Row) -> Fraction | float:
        known = [gap for gap in gaps(a, b) if gap is not None]
        return sum(gap**p for gap in known) * Fraction(len(a), len(known)) if known else math.inf

    return key


def farthest(a: Row, b: Row) -> Fraction | float:
    return max((gap for gap in gaps(a, b) if gap is not None), default=math.inf)


def differing(a: Row, b: Row) -> Fraction:
    return Fraction(sum(x is None or y is None or x != y for x, y in zip(a, b, strict=True)))


KEYS: dict[str, Callable[[Row, Row], Fraction | float]] = {
    "euclidean": power(2),
    "manhattan": power(1),
    "chebyshev": farthest,
    "minkowski": power(3),
    "hamming": differing,
}


def array(rows: Sequence[Row], width: int) -> Any:
    cells = [[math.nan if x is None else x for x in row] for row in rows]
    return np.array(cells, dtype=np.float64).reshape(len(rows), width)


def asked(metric: str) -> dict[str, Any]:
    return {"metric": metric, "p": 3 if metric == "minkowski" else 2, "scale": None}


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev", "hamming"])
@given(drawn=tables(WHOLE), k=st.integers(1, 50))
@few
def test_whole_numbers_have_the_oracles_neighbours_in_its_order(
    metric: str, drawn: Any, k: int
) -> None:
    rows, queries = drawn
    width = len(rows[0])
    found = nearest(array(rows, width), array(queries, width), k, **asked(metric))
    assert found.rows.shape == found.distances.shape == (len(queries), min(k, len(rows)))
    for query, near in zip(queries, found.rows.tolist(), strict=True):
        keys = [KEYS[metric](row, query) for row in rows]
        assert near == sorted(range(len(rows)), key=lambda i: (keys[i], i))[:k]


def same(said: float, key: Fraction | float, root: int, size: Fraction) -> bool:
    """Return whether a distance is the root of a key, but for rounding; the root of a fraction may be beyond floats."""
    if math.isinf(said) or key == math.inf:
        return math.isinf(said) and (key == math.inf or key > Fraction(10) ** (308 * root))
    # Beside numbers near the largest float those near the least are nothing.
    nothing = Fraction(10) ** -300 if size > 1e280 else Fraction(10) ** -320
    low, high = (Fraction(said) + sign * (Fraction(said) / 10**9 + nothing) for sign in (-1, 1))
    return max(low, Fraction(0)) ** root <= key <= high**root


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev", "minkowski"])
@given(drawn=tables(HARD | MISSING, rows=20), k=st.integers(1, 25))
@few
def test_huge_tiny_and_missing_numbers(metric: str, drawn: Any, k: int) -> None:
    rows, queries = drawn
    width, root = len(rows[0]), {"euclidean": 2, "minkowski": 3}.get(metric, 1)
    found = nearest(array(rows, width), array(queries, width), k, **asked(metric))
    for i, query in enumerate(queries):
        size = max(
            (abs(Fraction(x)) for row in (*rows, query) for x in row if x is not None), default=0
        )
        keys = [KEYS[metric](row, query) for row in rows]
        best = sorted(keys)[:k]
        near, apart = found.rows[i].tolist(), found.distances[i].tolist()
        for row, said, key in zip(near, apart, best, strict=True):
            # The row that was found is as far as the oracle's at this place, and as far as is said.
            assert same(said, key, root, size), said
            assert same(said, keys[row], root, size), said
        ties = [(d, row) for d, row in zip(apart, near, strict=True) if d < math.inf]
        assert ties == sorted(ties), "of equals the smaller row comes first"


def mixed_key(
    metric: str, ranges: Sequence[float], weights: Sequence[float]
) -> Callable[[Row, Row], float]:
    def key(a: Row, b: Row) -> float:
        costs = []
        for x, y, span, weight in zip(a, b, ranges, weights, strict=True):
            if x is None or y is None:
                costs.append((None if metric == "gower" else 1.0, weight))
            elif isinstance(x, str):
                costs.append((float(x != y), weight))
            else:
                costs.append((abs(x / span - y / span), weight))
        known = [(cost, weight) for cost, weight in costs if cost is not None]
        if metric == "heom":
            return math.sqrt(math.fsum(weight * cost * cost for cost, weight in known))
        total = math.fsum(weight for _, weight in known)
        return math.fsum(w * cost for cost, w in known) / total if total else math.inf

    return key


@pytest.mark.parametrize("metric", ["heom", "gower"])
@given(
    rows=st.lists(
        st.tuples(CELL | MISSING, st.floats(-5, 5), WHOLE | MISSING), min_size=2, max_size=25
    ),
    k=st.integers(1, 30),
    weights=st.lists(st.sampled_from([0.25, 1.0, 3.0]), min_size=3, max_size=3),
)
@few
def test_mixed_tables(metric: str, rows: list[Row], k: int, weights: list[float]) -> None:
    names = ("word", "size", "count")
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    if all(x is None for x in columns["word"]) or all(x is None for x in columns["count"]):
        return  # a column of nothing has no kind to be compared by
    numbers = [[x for x in columns[name] if x is not None] for name in names[1:]]
    ranges = [1.0, *((max(x) - min(x)) or 1.0 for x in numbers)]
    key = mixed_key(metric, ranges, weights)
    found = nearest(columns, columns, k, metric=metric, column_weights=weights)
    for i, query in enumerate(rows):
        apart = [key(row, query) for row in rows]
        said = found.distances[i].tolist()
        assert said == pytest.approx(sorted(apart)[:k], rel=1e-9, abs=1e-9)
        assert said == pytest.approx([apart[j] for j in found.rows[i]], rel=1e-9, abs=1e-9)


@given(drawn=tables(WHOLE | HARD, rows=30), k=st.integers(1, 40), jobs=st.integers(1, 5))
@few
def test_threads_and_company_change_nothing(drawn: Any, k: int, jobs: int) -> None:
    rows, queries = drawn
    width = len(rows[0])
    X, asking = array(rows, width), array(queries, width)
    together = nearest(X, asking, k, n_jobs=1)
    again = nearest(X, asking, k, n_jobs=jobs)
    alone = [nearest(X, asking[i : i + 1], k) for i in range(len(queries))]
    for part in ("rows", "distances"):
        one = getattr(together, part)
        assert one.tobytes() == getattr(again, part).tobytes()
        assert one.tobytes() == b"".join(getattr(each, part).tobytes() for each in alone)


@pytest.mark.parametrize("weights", ["uniform", "distance", "squared_distance"])
@given(drawn=tables(WHOLE, width=(1, 2)), k=st.integers(1, 12), data=st.data())
@few
def test_answers_are_the_votes_and_the_mean(weights: str, drawn: Any, k: int, data: Any) -> None:
    rows, queries = drawn
    width = len(rows[0])
    X, asking = array(rows, width), array(queries or rows[:1], width)
    labels = data.draw(st.lists(st.sampled_from("xyz"), min_size=len(X), max_size=len(X)))
    values = np.array([ord(label) for label in labels], dtype=np.float64)
    clf = KNeighborsClassifier(k, weights=weights).fit(X, labels)
    reg = KNeighborsRegressor(k, weights=weights).fit(X, values)
    found = nearest(X, asking, k)
    shares, said, mean = clf.predict_proba(asking), clf.predict(asking), reg.predict(asking)
    for i, (near, apart) in enumerate(zip(found.rows, found.distances, strict=True)):
        if weights == "uniform":
            counts = [1.0] * len(near)
        elif apart[0] == 0:
            counts = [float(d == 0) for d in apart]
        else:
            counts = [d ** (-2.0 if weights == "squared_distance" else -1.0) for d in apart]
        votes = {
            c: sum(w for w, j in zip(counts, near, strict=True) if labels[j] == c) for c in "xyz"
        }
        expected = [votes[c] / sum(counts) for c in clf.classes_]
        assert shares[i].tolist() == pytest.approx(expected, abs=1e-12)
        assert said[i] == clf.classes_[int(np.argmax(shares[i]))], "a tie goes to the first class"
        assert mean[i] == pytest.approx(np.average(values[near], weights=counts))


@pytest.mark.slow
@pytest.mark.parametrize("weights", ["uniform", "squared_distance"])
@given(drawn=tables(WHOLE, width=(1, 2), rows=12), data=st.data())
@few
def test_the_curve_is_that_of_leaving_each_row_out(weights: str, drawn: Any, data: Any) -> None:
    rows, _ = drawn
    X = array(rows, len(rows[0]))
    labels = np.array(data.draw(st.lists(st.sampled_from("xy"), min_size=len(X), max_size=len(X))))
    clf = KNeighborsClassifier("auto", weights=weights, max_neighbors=6).fit(X, labels)
    errors = []
    for k in range(1, min(6, len(X) - 1) + 1):
        wrong = 0
        for i in range(len(X)):
            rest = np.arange(len(X)) != i
            one = KNeighborsClassifier(k, weights=weights).fit(X[rest], labels[rest])
            wrong += one.predict(X[i : i + 1])[0] != labels[i]
        errors.append(wrong / len(X))
    assert clf.leave_one_out_.tolist() == pytest.approx(errors)
    best = [k for k, error in enumerate(errors, 1) if error == min(errors)]
    assert clf.n_neighbors_ == (best[0] if best else 1)
