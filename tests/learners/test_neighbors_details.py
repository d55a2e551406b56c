"""Explanations of neighbors: ties at the last place, weights and the parts of distances."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from treewright import KNeighborsClassifier, KNeighborsRegressor, explain_neighbors

POINTS = [[2, 1], [4, 3], [1, 4], [3, 4], [3, 0], [9, 9]]


def test_a_tie_at_the_last_place_that_decides() -> None:
    y = ["A", "B", "B", "A", "B", "B"]
    model = KNeighborsClassifier(3).fit(POINTS, y)
    explained = explain_neighbors(model, [3, 2])
    assert explained.tie is not None
    assert (explained.tie.distance, explained.tie.inside, explained.tie.outside) == (
        2.0,
        (3,),
        (4,),
    )
    assert explained.tie.decides
    assert "Rows 4 and 5 are at the distance 2; row 4 takes part" in " ".join(
        str(explained).split()
    )
    assert "Another choice among them would change the prediction." in " ".join(
        str(explained).split()
    )
    assert explained.to_dict()["tie"]["inside"] == [4]


def test_a_tie_that_does_not_matter_and_none() -> None:
    model = KNeighborsClassifier(3).fit(POINTS, ["A"] * 5 + ["B"])
    explained = explain_neighbors(model, [3, 2])
    assert explained.tie is not None
    assert not explained.tie.decides
    assert (
        explain_neighbors(KNeighborsClassifier(2).fit(POINTS, list("ABABAB")), [9, 8]).tie is None
    )
    assert (
        explain_neighbors(KNeighborsClassifier(9).fit(POINTS, list("ABABAB")), [3, 2]).tie is None
    )


def brute(model: Any, explained: Any, y: list[Any]) -> bool:
    """Return whether any choice of the rows at the last place gives another prediction."""
    tie = explained.tie
    sure = [n for n in explained.neighbours if n.index not in tie.inside]
    answers = set()
    for some in itertools.combinations([*tie.inside, *tie.outside], len(tie.inside)):
        distances = [n.distance for n in sure] + [tie.distance] * len(some)
        votes = [1.0 if model.weights == "uniform" else 1 / d for d in distances]
        labels = [n.answer for n in sure] + [y[i] for i in some]
        if isinstance(y[0], float):
            mean = sum(v * s for v, s in zip(votes, labels, strict=True)) / sum(votes)
            answers.add(round(mean, 9))
        else:
            sums = {
                c: sum(v for v, s in zip(votes, labels, strict=True) if s == c) for c in set(labels)
            }
            most = max(sums.values())
            answers.add(min(c for c, total in sums.items() if total >= most - 1e-12))
    return len(answers) > 1


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_whether_it_decides_is_what_trying_all_says(weights: str) -> None:
    seen = set()
    for seed in range(150):
        rng = np.random.default_rng(seed)
        points = rng.integers(0, 4, (9, 2)).astype(float)
        query = rng.integers(0, 4, 2) + 0.5
        for y, learner in (
            (rng.choice(["p", "q", "r"], 9).tolist(), KNeighborsClassifier),
            (rng.integers(0, 3, 9).astype(float).tolist(), KNeighborsRegressor),
        ):
            model = learner(3, weights=weights).fit(points, y)
            explained = explain_neighbors(model, query.tolist())
            if explained.tie is not None:
                assert explained.tie.decides == brute(model, explained, y), (seed, y)
                seen.add(explained.tie.decides)
    assert seen == {True, False}


def test_weights_and_their_quotients() -> None:
    model = KNeighborsClassifier(3, weights="squared_distance").fit(POINTS, list("ABBABB"))
    explained = explain_neighbors(model, [3, 2])
    assert [round(n.weight, 9) for n in explained.neighbours] == [0.5, 0.5, 0.25]
    assert explained.sums == pytest.approx({"A": 0.75, "B": 0.5})
    assert explained.total == pytest.approx(1.25)
    for level, share in explained.votes.items():
        assert share == pytest.approx(explained.sums[level] / explained.total)


def test_rows_at_distance_zero_answer_alone() -> None:
    model = KNeighborsClassifier(3, weights="distance").fit(POINTS, list("ABBABB"))
    explained = explain_neighbors(model, [2, 1])
    assert explained.exact
    assert [n.share for n in explained.neighbours] == [1.0, 0.0, 0.0]
    assert "Rows at distance 0 are equal to this row: they decide alone." in explained.remarks()
    assert not explain_neighbors(KNeighborsClassifier(3).fit(POINTS, list("ABBABB")), [2, 1]).exact


MIXED = {
    "c": ["a", "b", "a", None, "b"],
    "x": [1.0, 2.0, np.nan, 4.0, 7.0],
    "z": [5.0, 5.0, 6.0, 1.0, 2.0],
}


@pytest.mark.parametrize("metric", ["heom", "gower", "hamming"])
def test_the_parts_of_a_mixed_distance_add_up(metric: str) -> None:
    model = KNeighborsClassifier(5, metric=metric, column_weights={"x": 2.0}).fit(
        MIXED, list("pqpqp")
    )
    for neighbour in explain_neighbors(model, {"c": "a", "x": 3.0, "z": 5.0}).neighbours:
        assert len(neighbour.parts) == 3
        total = sum(part.cost for part in neighbour.parts)
        if metric == "heom":
            assert math.sqrt(total) == pytest.approx(neighbour.distance)


def test_the_parts_of_euclid_are_differences_and_squares() -> None:
    model = KNeighborsClassifier(1).fit(POINTS, list("ABBABB"))
    (nearest,) = explain_neighbors(model, [3, 2.5]).neighbours
    assert [(p.difference, p.cost) for p in nearest.parts] == [(1.0, 1.0), (0.5, 0.25)]
    for metric in ("manhattan", "minkowski", "cosine", "chebyshev"):
        other = KNeighborsClassifier(2, metric=metric, p=3).fit(POINTS, list("ABBABB"))
        assert explain_neighbors(other, [3, 2]).neighbours
