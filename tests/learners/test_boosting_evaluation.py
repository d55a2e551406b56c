"""Evaluation sets and callbacks of boosting: what is watched changes nothing in what is learned."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from treewright import GradientBoostingClassifier, GradientBoostingRegressor
from treewright._learners.boosting.gradient_boosting import Round
from treewright.errors import DataError, ModelFileError, UsageError
from treewright.files import from_bytes, to_bytes

Numbers = NDArray[np.float64]


def make_table(rows: int = 900, seed: int = 0) -> tuple[Numbers, Numbers]:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, 5))
    return X, X[:, 0] * X[:, 1] + np.sin(X[:, 2]) + 0.7 * rng.standard_normal(rows)


def trees_of(model: Any) -> bytes:
    document = json.loads(model._document()) | {"params": {}, "kept": {}}
    return bytes(model._forest.to_bytes(json.dumps(document, sort_keys=True)))


@pytest.mark.parametrize("splits", ["histogram", "exact"])
def test_every_set_has_its_history_and_the_last_one_decides(splits: str) -> None:
    X, y = make_table()
    (train, valid, test) = ((X[a:b], y[a:b]) for a, b in ((0, 500), (500, 700), (700, 900)))
    options: dict[str, Any] = {"n_estimators": 25, "learning_rate": 1.0, "splits": splits}
    model = GradientBoostingRegressor(**options).fit(*train, eval_set=[train, test, valid])
    names = ["validation_0", "validation_1", "validation_2"]
    assert list(model.evals_result_) == names
    stages = zip(
        *(model.staged_predict(rows) for rows in (train[0], test[0], valid[0])), strict=True
    )
    for i, predicted in enumerate(stages):
        for name, values, (_, truth) in zip(names, predicted, (train, test, valid), strict=True):
            expected = np.mean((values - truth) ** 2) / 2
            assert model.evals_result_[name]["squared_error"][i] == pytest.approx(expected)
    losses = model.evals_result_["validation_2"]["squared_error"]
    assert model.best_iteration_ == np.argmin(losses) + 1 < 25
    assert model.best_score_ == min(losses)
    assert model.n_estimators_ == 25  # without early stopping all rounds are kept

    for patience in (2, 30):
        stopped = GradientBoostingRegressor(
            early_stopping=True, n_iter_no_change=patience, **options
        ).fit(*train, eval_set={"test": test, "valid": valid})
        assert list(stopped.evals_result_) == ["test", "valid"]
        history = stopped.evals_result_["valid"]["squared_error"]
        assert history == losses[: len(history)]
        assert len(history) == min(stopped.n_estimators_ + patience, 25)
        assert stopped.best_iteration_ == stopped.n_estimators_ == np.argmin(history) + 1
        stages_of_all = list(model.staged_predict(X))
        assert (stopped.predict(X) == stages_of_all[stopped.n_estimators_ - 1]).all()
    assert stopped.best_iteration_ == model.best_iteration_


@pytest.mark.parametrize("subsample", [1.0, 0.6])
def test_evaluation_sets_change_nothing_in_the_model(subsample: float) -> None:
    X, y = make_table()
    rng = np.random.default_rng(1)
    weights, more = rng.uniform(0.5, 2, 900), rng.uniform(5, 90, 400)
    new, truth = make_table(400, seed=9)
    outliers = truth * 1e6
    for kind, target, watched in (
        (GradientBoostingRegressor, y, outliers),
        (GradientBoostingClassifier, y > 0, outliers > 0),
    ):
        for row_weights in (None, weights, np.round(weights)):
            model = kind(n_estimators=6, subsample=subsample, random_state=3)
            alone = trees_of(model.fit(X, target, row_weights))
            watching = model.fit(
                X, target, row_weights, eval_set=[(new, watched, more), (X, target)]
            )
            assert trees_of(watching) == alone


@pytest.mark.slow
def test_evaluation_sets_change_nothing_in_a_model_of_many_rows() -> None:
    X, y = make_table(60_000)
    new, truth = make_table(9_000, seed=4)
    model = GradientBoostingClassifier(n_estimators=3)
    alone = trees_of(model.fit(X, y > 0))
    assert trees_of(model.fit(X, y > 0, eval_set=(new, truth > 0))) == alone


def test_weights_of_a_set_count_in_its_loss_only() -> None:
    X, y = make_table()
    weights = np.random.default_rng(0).uniform(0, 3, 300)
    model = GradientBoostingRegressor(n_estimators=5)
    model.fit(X[:600], y[:600], eval_set=(X[600:], y[600:], weights))
    expected = np.average((model.predict(X[600:]) - y[600:]) ** 2 / 2, weights=weights)
    assert model.evals_result_["validation_0"]["squared_error"][-1] == pytest.approx(expected)
    same = GradientBoostingRegressor(n_estimators=5).fit(
        X[:600], y[:600], X_val=X[600:], y_val=y[600:], sample_weight_val=weights
    )
    assert to_bytes(same) == to_bytes(model)


def test_containers_give_the_same_history() -> None:
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    X, y = make_table(300)
    data = {"a": X[:, 0], "b": X[:, 1], "c": np.array(list("xyz"))[(X[:, 2] > 0).astype(int)]}
    histories = []
    for make in (dict, pd.DataFrame, pl.DataFrame):
        table = make(data)
        model = GradientBoostingRegressor(n_estimators=4)
        # The level "z" of the evaluation rows was never seen.
        watched = make(data | {"c": np.array(["x", "z", "y"] * 100)})
        histories.append(model.fit(table, y, eval_set=(watched, y)).evals_result_)
    assert all(history == histories[0] for history in histories)


def test_histories_are_saved_and_continued() -> None:
    X, y = make_table()
    watched = {"eval_set": (X[600:], y[600:] > 0)}
    model = GradientBoostingClassifier(n_estimators=4, warm_start=True)
    model.fit(X[:600], y[:600] > 0, **watched)
    for copy in (pickle.loads(pickle.dumps(model)), from_bytes(to_bytes(model))):
        assert copy.evals_result_ == model.evals_result_
        assert copy.best_score_ == model.best_score_
    model.set_params(n_estimators=7).fit(X[:600], y[:600] > 0, **watched)
    whole = GradientBoostingClassifier(n_estimators=7).fit(X[:600], y[:600] > 0, **watched)
    assert model.evals_result_ == whole.evals_result_
    model.set_params(warm_start=False).fit(X, y > 0)
    assert not hasattr(model, "evals_result_")
    assert not hasattr(model, "best_iteration_")


def test_several_callbacks_see_every_round_and_any_may_stop() -> None:
    X, y = make_table()
    seen: list[Round] = []

    def stop_at_three(result: Round) -> bool:
        return result.number == 3

    model = GradientBoostingRegressor(n_estimators=9).fit(
        X,
        y,
        eval_set={"a": (X[:50], y[:50]), "b": (X[50:], y[50:])},
        callback=[stop_at_three, seen.append],
    )
    assert [result.number for result in seen] == [1, 2, 3]
    assert model.n_estimators_ == 3
    for i, result in enumerate(seen):
        assert result.eval_losses == {
            name: values["squared_error"][i] for name, values in model.evals_result_.items()
        }
        assert result.validation_loss == result.eval_losses["b"]


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ({"eval_set": 3}, UsageError, "must be a pair of rows and target; got a int"),
        ({"eval_set": [([[1.0] * 5],)]}, UsageError, "got 1 items"),
        (
            {"eval_set": ([[1.0] * 5], [1.0]), "X_val": [[1.0] * 5]},
            UsageError,
            "cannot be combined",
        ),
        ({"eval_set": ([[1.0] * 5], [1.0, 2.0])}, DataError, "'validation_0' has 1 rows"),
        ({"eval_set": ([[1.0] * 4], [1.0])}, ValueError, "features"),
        ({"y_val": [1.0]}, UsageError, "y_val needs X_val"),
        ({"callback": [1]}, UsageError, "callback must be a function"),
    ],
)
def test_wrong_sets_are_explained(arguments: Any, error: Any, sentence: str) -> None:
    X, y = make_table(60)
    with pytest.raises(error, match=sentence):
        GradientBoostingRegressor(n_estimators=2).fit(X, y, **arguments)


@pytest.mark.parametrize(
    "rows",
    [
        [["a", "b"]],
        [["a", "b", "c"]],
        [["a", "b", ["1"]]],
        [["a", "b", [1]]],
        [[1, "b", []]],
        3,
        "a",
    ],
)
def test_hostile_histories_are_refused(rows: Any) -> None:
    X, y = make_table(60)
    model = GradientBoostingRegressor(n_estimators=2).fit(X, y, eval_set=(X, y))
    document = json.loads(model._document())
    document["kept"]["evals_result_"] = rows
    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    with pytest.raises(ModelFileError):
        from_bytes(model._forest.to_bytes(text))
