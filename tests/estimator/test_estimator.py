"""What all estimators share: fitting all or nothing, reading rows to answer for, pickles."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.exceptions import NotFittedError

import treewright
from treewright import (
    CARTClassifier,
    DataError,
    ID3Classifier,
    KNeighborsClassifier,
    OneRClassifier,
    RandomForestClassifier,
    Table,
    ZeroRClassifier,
    ZeroRRegressor,
    _catalog,
    datasets,
)
from treewright.files import from_bytes, to_bytes
from treewright.table import Series

LEARNERS = [ID3Classifier, OneRClassifier, ZeroRClassifier, ZeroRRegressor]
each = pytest.mark.parametrize("learner", LEARNERS, ids=lambda c: c.__name__)
X = {"a": ["x", "y", "x", None], "b": [1.0, 2.0, 3.0, None]}
Y = [0, 1, 0, 1]


# ---- all or nothing


@each
def test_a_fit_that_fails_leaves_the_estimator_as_it_was(learner: Any) -> None:
    unfitted, fitted = learner(), learner().fit(X, Y)
    bytes_before = to_bytes(fitted)
    for bad in (
        lambda m: m.fit(X, [0, 1]),
        lambda m: m.fit({"a": ["x", 1, 2, 3]}, Y),
        lambda m: m.fit(np.full((4, 1), np.inf), Y),
        lambda m: m.fit(np.zeros((4, 9)), [None] * 4),
        lambda m: m.fit(X, Y, sample_weight=[-1, 1, 1, 1]),
    ):
        for model in (unfitted, fitted):
            before = dict(vars(model))
            with pytest.raises(ValueError):  # noqa: PT011
                bad(model)
            assert vars(model).keys() == before.keys()
            assert all(vars(model)[name] is before[name] for name in before)
    assert to_bytes(fitted) == bytes_before
    assert vars(unfitted) == vars(learner())


def test_an_interrupt_leaves_the_estimator_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    clf = ID3Classifier().fit(X, Y)
    before = to_bytes(clf)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("treewright._core.grow", interrupt)
    with pytest.raises(KeyboardInterrupt):
        clf.fit({"other": ["u", "v"]}, ["p", "q"])
    assert to_bytes(clf) == before
    assert clf.feature_names_in_.tolist() == ["a", "b"]


@each
def test_nothing_works_before_fit(learner: Any) -> None:
    model = learner()
    uses = ["predict", "apply", "count_unseen"] + ["predict_proba"] * hasattr(
        model, "predict_proba"
    )
    for use in uses:
        with pytest.raises(NotFittedError, match="not fitted yet"):
            getattr(model, use)(X)
    with pytest.raises(NotFittedError):
        _ = model.tree_
    with pytest.raises(NotFittedError):
        to_bytes(model)
    assert to_bytes(pickle.loads(pickle.dumps(model)).fit(X, Y)) == to_bytes(learner().fit(X, Y))


@each
def test_using_a_model_changes_nothing(learner: Any) -> None:
    model = learner().fit(X, Y)
    before = {name: id(value) for name, value in vars(model).items()}
    model.predict(X)
    model.apply(X)
    model.count_unseen(X)
    _ = model.tree_.nested()
    assert {name: id(value) for name, value in vars(model).items()} == before


# ---- rows to answer for


@each
def test_our_tables_and_dictionaries_are_read_by_name(learner: Any) -> None:
    model = learner().fit(X, Y)
    turned = {"unused": [9] * 4, "b": X["b"], "a": X["a"]}
    rows = [dict(zip(turned, row, strict=True)) for row in zip(*turned.values(), strict=True)]
    for same in (turned, rows, Table([Series.of(n, v) for n, v in turned.items()])):
        assert model.predict(same).tolist() == model.predict(X).tolist()


def test_a_missing_column_is_named() -> None:
    clf = ID3Classifier().fit(*datasets.play_tennis())
    with pytest.raises(
        DataError, match="the table lacks 1 of the 3 columns that this model uses"
    ) as error:
        clf.predict({"Outlook": ["Rain"], "Temperature": ["Hot"], "Wind": ["Weak"], "Day": [1]})
    assert error.value.slug == "predict.missing-column"
    assert error.value.hints == (
        "missing: Humidity      present but unused: Temperature, Day",
        "the model reads columns by name; their order does not matter",
    )


@pytest.mark.parametrize(
    "frame", [pd.DataFrame, pl.DataFrame, lambda d: pl.DataFrame(d).to_arrow()]
)
def test_frames_follow_scikit_learns_rule(frame: Any) -> None:
    clf = ID3Classifier().fit(frame(X), Y)
    assert clf.predict(frame(X)).tolist() == Y
    with pytest.raises(ValueError, match="must be in the same order as they were in fit"):
        clf.predict(frame({"b": X["b"], "a": X["a"]}))
    with pytest.raises(ValueError, match="unseen at fit time:\n- c"):
        clf.predict(frame(X | {"c": [1] * 4}))
    with pytest.raises(ValueError, match="yet now missing:\n- b"):
        clf.predict(frame({"a": X["a"]}))


def test_columns_without_names_count_by_position() -> None:
    array = np.array([["x", "u"], ["y", "v"]])
    clf = ID3Classifier().fit(array, [0, 1])
    assert clf.predict({"x1": ["v"], "x0": ["y"]}).tolist() == [1]
    with pytest.warns(UserWarning, match="was fitted without feature names"):
        assert clf.predict(pd.DataFrame(array, columns=["p", "q"])).tolist() == [0, 1]
    named = ID3Classifier().fit(pd.DataFrame(array, columns=["p", "q"]), [0, 1])
    with pytest.warns(UserWarning, match="was fitted with feature names"):
        assert named.predict(array).tolist() == [0, 1]
    with pytest.raises(ValueError, match="X has 1 features, but ID3Classifier is expecting 2"):
        clf.predict([["x"]])
    with pytest.raises(ValueError, match="Reshape your data"):
        clf.predict(["x", "u"])


@each
def test_numbers_that_were_numbers_in_training(learner: Any) -> None:
    model = learner().fit({"a": [1.0, 2.0, 3.0, 4.0]}, Y)
    if model.schema_.columns[0].kind == "categorical":  # ID3: each number is a value
        assert model.count_unseen({"a": ["x"]}) == {"a": {"x": 1}}
        return
    with pytest.raises(
        DataError, match="\"a\" held numbers in training and now holds 'x'"
    ) as error:
        model.predict({"a": ["x"]})
    assert error.value.slug == "predict.other-kind"
    assert len(model.predict({"a": [None, None]})) == 2


@each
def test_row_by_row_is_the_batch_to_the_last_bit(learner: Any) -> None:
    rng = np.random.default_rng(1)
    table = rng.integers(0, 5, (60, 4)).astype(float)
    table[rng.random(table.shape) < 0.1] = np.nan
    model = learner().fit(table, rng.integers(0, 2, 60))
    answer = getattr(model, "predict_proba", model.predict)
    batch = answer(table)
    assert [answer(table[i : i + 1]).tolist() for i in range(60)] == [[b.tolist()] for b in batch]
    assert answer(table[::-1])[::-1].tobytes() == batch.tobytes()


@each
def test_matrices_and_columns_are_read_alike(learner: Any) -> None:
    rng = np.random.default_rng(2)
    X, y = rng.integers(0, 9, (40, 3)).astype(float), np.arange(40) % 2
    gaps = np.where(rng.random(X.shape) < 0.2, np.nan, X)
    columns = {f"x{i}": X[:, i] for i in range(3)}
    model = learner().fit(X, y)
    assert to_bytes(learner().fit(X.tolist(), y)) == to_bytes(model)
    for rows in (X, X.astype(np.float32), X.astype(int), np.asfortranarray(X), X[::2], X[:0], gaps):
        apart = {f"x{i}": rows[:, i] for i in range(3)}
        assert model.predict(rows).tolist() == model.predict(apart).tolist()
        assert model.apply(rows).tolist() == model.apply(apart).tolist()
        assert model.count_unseen(rows) == model.count_unseen(apart)
    assert model.count_unseen(columns) == {}


# ---- pickles


@each
def test_pickles_hold_parameters_and_the_bytes_of_the_file(learner: Any, tmp_path) -> None:
    model = learner().fit(pd.DataFrame(X), Y)
    model.note = "kept"
    joblib.dump(model, tmp_path / "m.joblib")
    mapped = joblib.load(tmp_path / "m.joblib", mmap_mode="r")
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), mapped):
        assert to_bytes(again) == to_bytes(model)
        assert again.get_params() == model.get_params()
        assert again.note == "kept"
        assert again.n_features_in_ == 2
        assert again.feature_names_in_.tolist() == ["a", "b"]
        assert again.predict(pd.DataFrame(X)).tobytes() == model.predict(pd.DataFrame(X)).tobytes()
        if hasattr(model, "classes_"):
            assert again.classes_.tolist() == model.classes_.tolist()
            assert again.classes_.dtype == model.classes_.dtype
    assert pickle.dumps(model) == pickle.dumps(pickle.loads(pickle.dumps(model)))


@pytest.mark.parametrize("labels", [["z", "a"], [2, 1], [2.0, 1.0], [True, False], ["ä" * 40, "b"]])
def test_classes_come_back_in_their_type_and_both_their_orders(labels: list[Any]) -> None:
    y = (
        pd.Series(pd.Categorical(labels, labels))
        if isinstance(labels[0], str)
        else np.array(labels)
    )
    clf = ID3Classifier().fit([["u"], ["v"]], y)
    again = pickle.loads(pickle.dumps(clf))
    assert again.classes_.dtype == clf.classes_.dtype
    assert again.classes_.tolist() == clf.classes_.tolist() == sorted(labels)
    assert again.schema_ == clf.schema_
    assert (
        again.predict_proba([["u"], ["w"]]).tolist() == clf.predict_proba([["u"], ["w"]]).tolist()
    )
    assert (
        again.predict([["u"], ["v"], ["w"]]).tolist() == clf.predict([["u"], ["v"], ["w"]]).tolist()
    )


def test_probabilities_stand_in_the_order_of_the_sorted_classes() -> None:
    y = pd.Series(pd.Categorical(["z", "z", "m", "a"], ["z", "a", "m"]))
    clf = ZeroRClassifier().fit([[0]] * 4, y)
    assert clf.classes_.tolist() == ["a", "m", "z"]
    assert clf.schema_.classes == ("z", "a", "m")
    assert clf.predict_proba([[0]]).tolist() == [[0.25, 0.25, 0.5]]


def test_weights_of_zero_take_classes_and_levels_away() -> None:
    clf = ID3Classifier().fit([["x"], ["y"], ["z"]], ["p", "q", "r"], sample_weight=[1, 1, 0])
    assert clf.classes_.tolist() == ["p", "q"]
    assert clf.schema_.columns[0].levels == ("x", "y")
    assert clf.count_unseen([["z"]]) == {"x0": {"z": 1}}


@each
def test_a_column_without_values_in_training_accepts_any_later(learner: Any) -> None:
    models = [
        learner().fit({"a": absent, "b": ["x", "y"]}, [0, 1])
        for absent in ([None, None], np.full(2, np.nan), pl.Series([None, None], dtype=pl.String))
    ]
    assert len({to_bytes(model) for model in models}) == 1
    for later in ([1, 2], ["u", "v"], [True, None], [None, None]):
        rows = {"a": later, "b": ["x", "y"]}
        assert (
            models[0].predict(rows).tolist()
            == models[0].predict({"a": [None] * 2, "b": rows["b"]}).tolist()
        )
    assert models[0].count_unseen({"a": ["u"], "b": ["x"]}) == {"a": {"u": 1}}


def test_every_public_estimator_is_one_of_ours() -> None:
    from treewright._estimator.model import Model

    for name in _catalog.LEARNERS:
        assert issubclass(getattr(treewright, name), Model)


# ---- columns that are not needed, and gaps


def test_only_the_columns_that_the_model_uses_are_needed() -> None:
    X, y = datasets.play_tennis()
    clf = ID3Classifier().fit(X, y)
    used = X.drop(["Temperature"])
    for rows in (used, used.to_dict()):
        assert clf.predict(rows).tolist() == clf.predict(X).tolist()
    forest = RandomForestClassifier(n_estimators=9).fit(X, y)
    with pytest.raises(DataError, match="lacks 1 of the 4 columns"):
        forest.predict(used)
    with pytest.raises(DataError, match="lacks 1 of the 4 columns"):
        KNeighborsClassifier(3).fit(X, y).predict(used)


def test_surrogates_are_used_columns() -> None:
    rng = np.random.default_rng(1)
    a = rng.normal(size=200)
    X = {"a": a, "b": a + rng.normal(scale=0.1, size=200), "c": rng.normal(size=200)}
    X["a"][:9] = np.nan
    clf = CARTClassifier(max_depth=1, missing="surrogate").fit(X, X["b"] > 0)
    assert "b" in clf._used_columns()
    with pytest.raises(DataError, match=r"missing: .*b"):
        clf.predict({"a": X["a"]})


def test_rows_with_gaps_are_read_as_a_single_row_is() -> None:
    clf = ID3Classifier().fit(*datasets.play_tennis())
    rows = [{"Outlook": "Sunny", "Humidity": "High"}, {"Outlook": "Overcast"}, {}]
    assert clf.predict(rows).tolist() == [clf.predict_one(row) for row in rows]
    assert clf.predict(rows[:2]).tolist() == [clf.predict_one(row) for row in rows[:2]]
    # A name that nobody knows may be a slip of one that is missing.
    with pytest.raises(DataError, match="missing: Outlook"):
        clf.predict([{"Outlok": "Sunny", "Humidity": "High", "Wind": "Weak"}])


def test_names_in_messages_are_not_obeyed() -> None:
    frame = pd.DataFrame({"\x1b[31mred\nx": [1, 2], "b": [1, 2]})
    model = KNeighborsClassifier(1).fit(frame, ["u", "v"])  # it needs every column
    other = pd.DataFrame({"\x1b[32mgreen": [1], "b": [2]})
    for rows in (other, other.to_dict("list")):
        with pytest.raises(ValueError, match="green") as caught:
            model.predict(rows)
        assert "\x1b" not in str(caught.value)
        assert "\\x1b[31mred\\nx" in str(caught.value)


@pytest.mark.parametrize(
    "name", ["ID3Classifier", "C45Classifier", "CARTRegressor", "RuleSetClassifier"]
)
def test_the_old_name_of_a_parameter_works_and_warns(name: str) -> None:
    kind = getattr(treewright, name)
    with pytest.warns(FutureWarning, match="seed is called random_state now") as caught:
        model = kind(seed=3)
    assert caught[0].filename == __file__
    assert model.random_state == 3
    assert "seed" not in model.get_params()
    model.fit({"a": ["x", "y", "x", "y"]}, [0, 1, 0, 1])
    # Files keep the name of their format.
    assert json.loads(model._document())["params"]["seed"] == 3
    assert from_bytes(to_bytes(model)).random_state == 3
    assert pickle.loads(pickle.dumps(model)).random_state == 3
    old = {"random_state": "seed"}
    state = {old.get(name, name): value for name, value in model.__getstate__().items()}
    restored = kind.__new__(kind)
    restored.__setstate__(state)
    assert restored.random_state == 3


def test_the_old_name_of_a_parameter_of_prune_works_and_warns() -> None:
    X, y = datasets.play_tennis()
    model = ID3Classifier().fit(X, y)
    new = treewright.prune(model, "reduced_error", X, y, validation_fraction=0.4, random_state=1)
    with pytest.warns(FutureWarning, match="random_state"):
        old = treewright.prune(model, "reduced_error", X, y, validation_fraction=0.4, seed=1)
    assert to_bytes(old) == to_bytes(new)
