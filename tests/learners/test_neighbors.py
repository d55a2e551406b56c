"""Nearest neighbors as a user meets them: distances, votes, the choice of k, explanations."""

from __future__ import annotations

import json
import math
import pickle
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from treewright import (
    DataError,
    KNeighborsClassifier,
    KNeighborsRegressor,
    UsageError,
    datasets,
    explain,
    explain_neighbors,
    nearest,
)

CARS = {
    "fuel": ["gas", "diesel", "gas", None, "electric"],
    "power": [60.0, 90.0, 150.0, 120.0, None],
    "doors": [2, 4, 4, 2, 4],
}
KIND = ["small", "van", "fast", "fast", "van"]


# ---- distances


def test_every_metric_of_a_known_pair() -> None:
    X, query = [[1.0, 2.0, 4.0]], [[4.0, -2.0, 4.0]]
    expected = {
        "euclidean": 5.0,
        "manhattan": 7.0,
        "chebyshev": 4.0,
        "minkowski": (27 + 64) ** (1 / 3),
        "hamming": 2 / 3,
        "cosine": 1 - 16 / math.sqrt(21) / 6,
    }
    for metric, apart in expected.items():
        near = nearest(X, query, metric=metric, p=3)
        assert near.distances[0, 0] == pytest.approx(apart, rel=1e-14), metric


def test_heom_and_gower_of_a_known_table() -> None:
    query = {"fuel": ["gas"], "power": [105.0], "doors": [4]}
    power = [0.5, 1 / 6, 0.5, 1 / 6, None]  # divided by the range, 90
    doors = [1, 0, 0, 1, 0]
    fuel = [0, 1, 0, None, 1]
    heom = [
        math.sqrt(sum((1.0 if cost is None else cost) ** 2 for cost in costs))
        for costs in zip(power, doors, fuel, strict=True)
    ]
    gower = []
    for costs in zip(power, doors, fuel, strict=True):
        known = [cost for cost in costs if cost is not None]
        gower.append(sum(known) / len(known))
    for metric, apart in {"heom": heom, "gower": gower}.items():
        near = nearest(CARS, query, 5, metric=metric)
        order = sorted(range(5), key=lambda i: (round(apart[i], 12), i))
        assert near.rows[0].tolist() == order, metric
        assert near.distances[0].tolist() == pytest.approx([apart[i] for i in order])


def test_auto_is_euclid_for_complete_numbers_and_heom_elsewhere() -> None:
    X, y = [[0.0, 1.0], [2.0, 3.0]], ["a", "b"]
    assert KNeighborsClassifier(1).fit(X, y).metric_ == "euclidean"
    assert KNeighborsClassifier(1).fit([[0.0, None], [2.0, 3.0]], y).metric_ == "heom"
    assert KNeighborsClassifier(1).fit(CARS, KIND).metric_ == "heom"


def test_scales_are_fitted_on_the_training_rows() -> None:
    X = np.array([[0.0, 0.0], [10.0, 1.0], [20.0, 5.0]])
    query = np.array([[1000.0, -50.0]])
    gap = np.array([980.0, 55.0])
    by_range = nearest(X, query, scale="range").distances[0, 0]
    assert by_range == pytest.approx(math.hypot(*(gap / [20, 5])))
    by_deviation = nearest(X, query, 3, scale="standard").distances[0]
    assert by_deviation == pytest.approx(sorted(np.hypot(*((X - query) / X.std(axis=0)).T)))
    constant = np.array([[0.0, 7.0], [1.0, 7.0]])
    for scale in ("range", "standard"):
        assert nearest(constant, [[0.9, 8.0]], scale=scale).rows.tolist() == [[1]]


def test_weights_of_columns() -> None:
    X = {"a": [0.0, 3.0], "b": [4.0, 0.0]}
    query = {"a": [0.0], "b": [0.0]}
    assert nearest(X, query).rows.tolist() == [[1]]
    assert nearest(X, query, column_weights={"a": 4}).distances.tolist() == [[4.0]]
    assert nearest(X, query, column_weights=[4, 1], metric="manhattan").rows.tolist() == [[0]]
    # A column of weight 0 is as good as absent.
    for metric in ("heom", "gower", "hamming"):
        without = {name: CARS[name] for name in ("fuel", "power")}
        full = nearest(CARS, CARS, 3, metric=metric, column_weights={"doors": 0})
        part = nearest(without, without, 3, metric=metric)
        assert full.rows.tolist() == part.rows.tolist(), metric
    with pytest.raises(UsageError, match='names the column "wheels"'):
        nearest(X, query, column_weights={"wheels": 1})
    with pytest.raises(UsageError, match="3 weights, the table 2 columns"):
        nearest(X, query, column_weights=[1, 1, 1])
    with pytest.raises(UsageError, match="all zero"):
        nearest(X, query, column_weights=[0, 0])


def test_ties_go_to_the_smaller_row_and_duplicates_are_rows() -> None:
    X = [[1.0], [-1.0], [1.0], [0.0], [0.0]]
    near = nearest(X, [[0.0]], 5)
    assert near.rows.tolist() == [[3, 4, 0, 1, 2]]
    assert near.distances.tolist() == [[0, 0, 1, 1, 1]]


def test_no_queries_and_more_neighbours_than_rows() -> None:
    X = np.arange(6.0).reshape(3, 2)
    near = nearest(X, np.empty((0, 2)), 2)
    assert near.rows.shape == near.distances.shape == (0, 2)
    assert nearest(X, X[:1], 100).rows.tolist() == [[0, 1, 2]]
    clf = KNeighborsClassifier(100).fit(X, ["a", "b", "b"])
    assert clf.predict(X).tolist() == ["b"] * 3
    assert clf.kneighbors(X, 50)[1].shape == (3, 3)


def test_rows_without_a_common_column_are_infinitely_far() -> None:
    near = nearest([[1.0, None], [2.0, 5.0]], [[None, 1.0]], 2, metric="euclidean")
    assert near.rows.tolist() == [[1, 0]]
    assert near.distances[0, 1] == math.inf
    # Equal weights and 1/d count them like any other; nothing warns, nothing is NaN.
    for weights in ("uniform", "distance", "squared_distance"):
        reg = KNeighborsRegressor(2, weights=weights, metric="euclidean")
        reg.fit([[1.0, None], [2.0, None]], [1.0, 3.0])
        assert reg.predict([[None, 1.0]]).tolist() == [2.0]


def test_a_column_without_any_value_is_missing_in_every_metric() -> None:
    X, query = [[3.0, None], [4.0, None]], [[0.0, None], [0.0, 7.0]]
    half = {"euclidean": math.sqrt(2), "manhattan": 2, "chebyshev": 1, "minkowski": 2 ** (1 / 3)}
    for metric, factor in half.items():
        near = nearest(X, query, 2, metric=metric, p=3)
        assert near.distances.tolist() == pytest.approx(np.array([[3, 4], [3, 4]]) * factor), metric
    assert (
        nearest(X, query, 2).distances.tolist()
        == [pytest.approx([math.sqrt(10), math.sqrt(17)])] * 2
    )


def test_all_containers_give_the_same_neighbours() -> None:
    near = nearest(CARS, CARS, 3)
    rows = [dict(zip(CARS, row, strict=True)) for row in zip(*CARS.values(), strict=True)]
    for table in (pd.DataFrame(CARS), pl.DataFrame(CARS), rows):
        other = nearest(table, table, 3)
        assert other.rows.tolist() == near.rows.tolist()
        assert other.distances.tolist() == near.distances.tolist()
    X = np.random.default_rng(0).random((50, 3))
    for array in (np.asfortranarray(X), X[::-1][::-1], X.tolist(), pd.DataFrame(X)):
        assert nearest(array, X[:5], 4).rows.tolist() == nearest(X, X[:5], 4).rows.tolist()


def test_numbers_of_single_precision_are_what_they_are() -> None:
    rng = np.random.default_rng(1)
    for columns in (2, 9, 40):
        X, Q = (rng.standard_normal((n, columns)).astype(np.float32) for n in (3000, 50))
        single = nearest(X, Q, 5)
        double = nearest(X.astype(np.float64), Q.astype(np.float64), 5)
        assert single.rows.tolist() == double.rows.tolist()
        assert single.distances.tobytes() == double.distances.tobytes()
        # Other orders in memory, and queries of the other precision.
        mixed = nearest(np.asfortranarray(X), Q.astype(np.float64), 5)
        assert mixed.distances.tobytes() == double.distances.tobytes()
        scaled = [nearest(x, Q, 5, scale="range").rows.tolist() for x in (X, X.astype(np.float64))]
        assert scaled[0] == scaled[1]


def test_columns_are_found_by_name() -> None:
    query = {name: CARS[name][:1] for name in reversed(CARS)}
    assert nearest(CARS, query).rows.tolist() == [[0]]
    with pytest.raises(DataError):
        nearest(CARS, {"fuel": ["gas"]})
    with pytest.raises(DataError, match="the query has 2 columns, X has 1"):
        nearest([[1.0]], [[1.0, 2.0]])


def test_unseen_categories_differ_from_all() -> None:
    near = nearest({"c": ["x", "y"]}, {"c": ["z"]}, 2)
    assert near.distances.tolist() == [[1.0, 1.0]]


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"metric": "cosmic"}, "metric"),
        ({"metric": "manhattan"}, 'column "fuel" holds categories'),
        ({"scale": "log"}, "scale"),
        ({"p": 0.5}, "p must"),
        ({"weights": "near"}, "weights must be one of"),
        ({"n_neighbors": 0}, "n_neighbors"),
        ({"n_neighbors": 2.5}, "n_neighbors"),
        ({"n_neighbors": "many"}, "n_neighbors"),
        ({"max_neighbors": 0}, "max_neighbors"),
        ({"n_jobs": "all"}, "n_jobs"),
    ],
)
def test_parameters_are_checked_at_fit(params: dict[str, Any], words: str) -> None:
    model = KNeighborsClassifier(**params)
    with pytest.raises(UsageError, match=words):
        model.fit(CARS, KIND)
    assert not hasattr(model, "classes_")


def test_what_has_no_direction_is_refused() -> None:
    with pytest.raises(DataError, match="has no direction"):
        nearest([[1.0, None], [1.0, 2.0]], [[1.0, 2.0]], metric="cosine")
    near = nearest([[0.0, 0.0], [1e-200, 0.0]], [[1e200, 1e-200], [0, 0]], 2, metric="cosine")
    assert near.rows.tolist() == [[1, 0], [0, 1]]
    assert near.distances.tolist() == [[0.0, 1.0], [0.0, 1.0]]


# ---- who votes


def test_the_mean_and_the_majority() -> None:
    X = [[0.0], [1.0], [2.0], [9.0]]
    assert KNeighborsRegressor(3).fit(X, [1, 2, 6, 100]).predict([[0.5]]).tolist() == [3.0]
    clf = KNeighborsClassifier(3).fit(X, ["a", "b", "b", "a"])
    assert clf.predict([[0.5]]).tolist() == ["b"]
    assert clf.predict_proba([[0.5]])[0].tolist() == pytest.approx([1 / 3, 2 / 3])


def test_weights_by_distance() -> None:
    X, y, query = [[1.0], [-2.0]], [10.0, 40.0], [[0.0]]
    expected = {
        "uniform": 25.0,
        "distance": (10 / 1 + 40 / 2) / (1 / 1 + 1 / 2),
        "squared_distance": (10 / 1 + 40 / 4) / (1 / 1 + 1 / 4),
        (lambda d: np.exp(-d)): (10 * math.exp(-1) + 40 * math.exp(-2))
        / (math.exp(-1) + math.exp(-2)),
    }
    for weights, mean in expected.items():
        predicted = KNeighborsRegressor(2, weights=weights).fit(X, y).predict(query)
        assert predicted[0] == pytest.approx(mean)


def test_an_exact_hit_answers_alone_unless_all_count_equally() -> None:
    X, y = [[0.0], [0.0], [1e-9], [1.0]], [1.0, 3.0, 100.0, 100.0]
    for weights in ("distance", "squared_distance", lambda d: 1 / d):
        assert KNeighborsRegressor(4, weights=weights).fit(X, y).predict([[0.0]]).tolist() == [2.0]
    assert KNeighborsRegressor(4).fit(X, y).predict([[0.0]]).tolist() == [51.0]


def test_distances_too_small_to_be_inverted() -> None:
    X, y = [[5e-324], [-1e-323]], [0.0, 3.0]
    predicted = KNeighborsRegressor(2, weights="distance").fit(X, y).predict([[0.0]])
    assert predicted[0] == pytest.approx(1.0)


def test_ties_in_votes_go_to_the_first_class() -> None:
    X = [[-1.0], [1.0]]
    assert KNeighborsClassifier(2).fit(X, ["b", "a"]).predict([[0.0]]).tolist() == ["a"]
    declared = pd.Series(pd.Categorical(["b", "a"], categories=["b", "a"]))
    assert KNeighborsClassifier(2).fit(X, declared).predict([[0.0]]).tolist() == ["b"]


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda d: d[:, :1], "shape"),
        (lambda d: d - 10, "negative"),
        (lambda d: d * np.nan, "negative number, or none"),
        (lambda d: d * 0, "zero for all neighbors"),
    ],
)
def test_odd_functions_of_weights_are_named(function: Any, words: str) -> None:
    clf = KNeighborsClassifier(2, weights=function).fit([[0.0], [1.0]], ["a", "b"])
    with pytest.raises(UsageError, match=words):
        clf.predict([[0.5]])


def test_huge_targets_have_a_mean() -> None:
    reg = KNeighborsRegressor(2).fit([[0.0], [1.0]], [1.7e308, 1.5e308])
    assert reg.predict([[0.0]])[0] == pytest.approx(1.6e308)


# ---- how many


def test_auto_takes_the_smallest_number_with_the_least_error() -> None:
    X = [[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]]
    clf = KNeighborsClassifier("auto").fit(X, ["a", "a", "a", "b", "b", "b"])
    # With four neighbours two and two: the tie goes to the first class.
    assert clf.leave_one_out_.tolist() == [0, 0, 0, 0.5, 1]
    assert clf.n_neighbors_ == 1
    reg = KNeighborsRegressor("auto", max_neighbors=2).fit(X, [1, 2, 1, 5, 6, 5])
    assert len(reg.leave_one_out_) == 2
    assert reg.leave_one_out_[0] == pytest.approx(1.0)
    assert KNeighborsClassifier("auto").fit([[1.0]], ["a"]).n_neighbors_ == 1


def test_other_weights_choose_with_their_own_votes() -> None:
    X, y = load_iris(return_X_y=True)
    curves = {
        str(weights): KNeighborsClassifier("auto", weights=weights, max_neighbors=8)
        .fit(X, y)
        .leave_one_out_.tolist()
        for weights in ("distance", lambda d: 1 / d)
    }
    assert len({tuple(curve) for curve in curves.values()}) == 1
    plain = KNeighborsClassifier("auto", max_neighbors=8).fit(X, y).leave_one_out_.tolist()
    assert plain not in curves.values()


# ---- explanations


def test_an_explanation_holds_the_whole_answer() -> None:
    clf = KNeighborsClassifier(3, weights="squared_distance").fit(CARS, KIND)
    row = {"fuel": "gas", "power": 105.0, "doors": 4}
    explained = explain_neighbors(clf, row)
    table = {name: [value] for name, value in row.items()}
    assert explained.answer == clf.predict(table)[0]
    distances, rows = clf.kneighbors(table)
    assert [n.index for n in explained.neighbours] == rows[0].tolist()
    assert [n.row for n in explained.neighbours] == (
        rows[0] + 1
    ).tolist()  # printed rows count from 1
    assert [n.distance for n in explained.neighbours] == distances[0].tolist()
    assert [n.answer for n in explained.neighbours] == [KIND[i] for i in rows[0]]
    assert sum(n.share for n in explained.neighbours) == pytest.approx(1)
    votes = dict(zip(clf.classes_, clf.predict_proba(table)[0], strict=True))
    assert explained.votes == pytest.approx(votes)
    for neighbour in explained.neighbours:
        assert neighbour.values == tuple(CARS[name][neighbour.index] for name in CARS)
    assert json.loads(json.dumps(explained.to_dict()))["metric"] == "heom"
    assert "weights 1/d²" in str(explained)


def test_an_explanation_of_a_number_and_of_a_tie() -> None:
    reg = KNeighborsRegressor(2).fit([[0.0], [1.0], [5.0]], [1.0, 2.0, 9.0])
    assert str(explain_neighbors(reg, [0.2])).startswith("1.5: the mean of the nearest 2 rows")
    clf = KNeighborsClassifier(2).fit([[0.0], [1.0]], ["b", "a"])
    assert "a tie, which goes to the first class" in str(explain_neighbors(clf, [0.5]))


def test_odd_names_cannot_write_to_the_terminal() -> None:
    clf = KNeighborsClassifier(1).fit({"a\x1b[31m\n": ["\x1b]0;x\x07", "y"]}, ["\u202ez", "w"])
    explained = str(explain_neighbors(clf, ["y"]))
    assert "\x1b" not in explained
    assert "\x07" not in explained
    assert "\u202e" not in explained


# ---- estimators among others


def test_a_model_can_be_cloned_searched_and_put_into_a_pipeline() -> None:
    X, y = load_iris(return_X_y=True)
    model = clone(KNeighborsClassifier(3, weights="distance"))
    search = GridSearchCV(
        make_pipeline(StandardScaler(), model), {"kneighborsclassifier__n_neighbors": [1, 9]}
    )
    assert search.fit(X, y).best_score_ > 0.9


def test_pickles_hold_functions_and_the_same_neighbours() -> None:
    for weights in ("distance", np.exp):
        clf = KNeighborsClassifier("auto", weights=weights).fit(CARS, KIND)
        again = pickle.loads(pickle.dumps(clf))
        assert again.predict_proba(CARS).tolist() == clf.predict_proba(CARS).tolist()
        assert again.n_neighbors_ == clf.n_neighbors_


@pytest.mark.slow
def test_memory_does_not_grow_with_rows_times_queries(fresh_python: Any) -> None:
    rows, queries = 20_000, 10_000  # 1.6 GB of distances
    predicted = fresh_python(
        f"""
        import resource
        import numpy as np
        from treewright import nearest
        rng = np.random.default_rng(0)
        X, Q = rng.random(({rows}, 24)), rng.random(({queries}, 24))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        found = nearest(X, Q, 3)
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, found.rows[0, 0])
        """
    )
    assert int(predicted.split()[0]) < 100_000, "kilobytes"


def test_many_queries_among_many_rows_need_little_memory() -> None:
    X = np.random.default_rng(0).random((400_000, 1))
    near = nearest(X, X[:300_000], 1)  # 120,000,000,000 pairs
    assert (near.rows[:, 0] == np.arange(300_000)).all()


def test_explain_shows_the_neighbours() -> None:
    X, y = datasets.play_tennis()
    model = KNeighborsClassifier(3).fit(X, y)
    explained = explain(model, X[:1], width=100, ascii=True)
    assert str(explained) == explain_neighbors(model, X[:1]).text(width=100, ascii=True)
    assert explained.to_dict() == explain_neighbors(model, X[:1]).to_dict()
    with pytest.raises(UsageError, match="this model has no tree"):
        explain(model, X[:1], fixed=["Wind"])
    assert explain(make_pipeline(model), X[:1]).answer == explained.answer
