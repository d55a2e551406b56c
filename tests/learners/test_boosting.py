"""Gradient boosting: its losses, its rounds, and the promise that threads change nothing."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import treewright
from treewright import GradientBoostingClassifier, GradientBoostingRegressor, Table
from treewright._learners.boosting.gradient_boosting import Round
from treewright.errors import DataError, UsageError
from treewright.files import to_bytes
from treewright.table import Series

Numbers = NDArray[np.float64]


def make_table(rows: int = 600, seed: int = 0) -> tuple[Numbers, Numbers]:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, 5))
    return X, X[:, 0] * X[:, 1] + np.sin(X[:, 2]) + 0.1 * rng.standard_normal(rows)


def bytes_of(model: Any) -> bytes:
    """Return the model without its parameters, of which the number of threads is one."""
    document = json.loads(model._document()) | {"params": {}}
    return bytes(model._forest.to_bytes(json.dumps(document)))


def test_a_single_tree_of_two_leaves_by_hand() -> None:
    X = np.arange(8.0).reshape(-1, 1)
    y = np.array([0.0, 0, 0, 0, 4, 4, 4, 4])
    one = GradientBoostingRegressor(n_estimators=1, min_samples_leaf=1, max_leaf_nodes=2).fit(X, y)
    tree = one.trees_[0]
    assert tree.threshold[0] == 3.5
    assert tree.value.ravel().tolist() == [0.0, -2.0, 2.0]
    assert one.predict([[3.5], [3.6]]).tolist() == [2.0 - 0.2, 2.0 + 0.2]
    # What the squared error of the parent, halved, falls by.
    assert tree.gain[0] == pytest.approx(16.0)
    two = GradientBoostingClassifier(n_estimators=1, min_samples_leaf=1, max_leaf_nodes=2)
    two.fit(X, y > 0)
    assert two.trees_[0].value.ravel().tolist() == [0.0, -2.0, 2.0]
    shares = 1 / (1 + np.exp([0.2, -0.2]))
    assert two.predict_proba([[0], [9]])[:, 1] == pytest.approx(shares, rel=1e-12)
    assert two.decision_function([[0], [9]]) == pytest.approx([-0.2, 0.2], rel=1e-12)


# ---- losses


@pytest.mark.parametrize("loss", ["squared_error", "absolute_error", "huber", "poisson"])
@pytest.mark.parametrize("splits", ["histogram", "exact"])
def test_every_loss_learns(loss: str, splits: str) -> None:
    X, y = make_table()
    if loss == "poisson":
        y = np.random.default_rng(1).poisson(np.exp(y)).astype(float)
    model = GradientBoostingRegressor(
        loss=loss, n_estimators=60, min_samples_leaf=5, splits=splits, max_leaf_nodes=8
    ).fit(X, y)
    constant = np.median(y) if loss == "absolute_error" else y.mean()
    assert abs(y - model.predict(X)).mean() < 0.6 * abs(y - constant).mean()
    assert loss != "poisson" or model.predict(X).min() > 0


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_quantiles_are_quantiles(share: float) -> None:
    X, y = make_table(2000)
    model = GradientBoostingRegressor(loss="quantile", quantile=share, n_estimators=50).fit(X, y)
    assert np.mean(y <= model.predict(X)) == pytest.approx(share, abs=0.04)


def test_several_classes() -> None:
    X, y = make_table(900)
    classes = np.array(["low", "mid", "high"])[np.digitize(y, [-0.5, 0.5])]
    model = GradientBoostingClassifier(n_estimators=20).fit(X, classes)
    assert len(model.trees_) == 60
    assert model.n_estimators_ == 20
    assert model.score(X, classes) > 0.9
    shares = model.predict_proba(X)
    assert shares.sum(axis=1) == pytest.approx(1.0)
    assert model.classes_.tolist() == ["high", "low", "mid"]
    assert (model.classes_[model.decision_function(X).argmax(axis=1)] == model.predict(X)).all()


def test_the_only_class() -> None:
    model = GradientBoostingClassifier().fit([[1], [2]], ["a", "a"])
    assert model.predict([[3]]).tolist() == ["a"]
    assert model.predict_proba([[3]]).tolist() == [[1.0]]
    assert pickle.loads(pickle.dumps(model)).predict([[3]]).tolist() == ["a"]


def test_an_outlier_does_not_drown_the_others() -> None:
    """Gradients are coarse integers: the largest sets their unit, and rounding must stay right on average."""
    X, y = make_table(4000)
    y[17] = 1e5
    model = GradientBoostingRegressor(loss="huber", n_estimators=60).fit(X, y)
    rest = np.arange(4000) != 17
    assert np.mean((model.predict(X) - y)[rest] ** 2) < 0.3 * y[rest].var()


# ---- one answer


@pytest.mark.slow
def test_threads_and_memory_order_change_no_byte() -> None:
    X, y = make_table(60_000)
    kinds: list[dict[str, Any]] = [{}, {"subsample": 0.5, "max_features": 0.5, "random_state": 3}]
    for kind in kinds:
        models = {
            bytes_of(GradientBoostingRegressor(n_estimators=3, n_jobs=jobs, **kind).fit(Z, y))
            for jobs in (1, 2, 3, 8)
            for Z in ((X, np.asfortranarray(X)) if jobs < 3 else (X,))
        }
        assert len(models) == 1
    wide = GradientBoostingClassifier(n_estimators=2, n_jobs=2).fit(X, y > 0)
    single = GradientBoostingClassifier(n_estimators=2, n_jobs=1).fit(X.astype(np.float32), y > 0)
    assert bytes_of(wide) != bytes_of(single)  # other numbers, other cuts
    assert wide.score(X, y > 0) == pytest.approx(single.score(X, y > 0), abs=0.01)


def test_instructions_change_no_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    from treewright._learners.boosting import boosting_base as boosting

    X, y = make_table(3000)
    X[::7, 1] = np.nan
    models = []
    for plain in (False, True):
        recipe = boosting.boost_recipe
        monkeypatch.setattr(
            boosting, "boost_recipe", lambda *a, recipe=recipe, p=plain: recipe(*a) | {"plain": p}
        )
        models.append(bytes_of(GradientBoostingClassifier(n_estimators=10).fit(X, y > 0)))
        models.append(bytes_of(GradientBoostingRegressor(n_estimators=10).fit(X, y)))
        monkeypatch.undo()
    assert models[:2] == models[2:]


def test_every_training_row_goes_where_its_bin_went() -> None:
    """Scores that were added up while learning are those that the finished trees give: bit by bit."""
    X, y = make_table(5000)
    X[:, 3] = np.round(X[:, 3], 1)
    X[::5, 2] = np.nan
    table = Table(
        [Series.of(str(i), X[:, i]) for i in range(5)]
        + [Series.of("c", [f"l{int(v * 40)}" for v in np.abs(X[:, 4])])]
    )
    first = GradientBoostingRegressor(n_estimators=8, warm_start=True).fit(table, y)
    first.set_params(n_estimators=16).fit(table, y)
    single = GradientBoostingRegressor(n_estimators=16).fit(table, y)
    assert bytes_of(first) == bytes_of(single)
    for tree in single.trees_:
        leaves = np.flatnonzero(tree.n_children == 0)
        assert tree.count[leaves].sum() == 5000
        assert tree.count[leaves].min() >= 20
    counts = np.stack([np.bincount(nodes) for nodes in single.apply(table).T[:1]])
    tree = single.trees_[0]
    assert counts[0][tree.n_children == 0].tolist() == tree.count[tree.n_children == 0].tolist()


def test_weight_two_is_the_row_twice() -> None:
    X, y = make_table(300)
    weights = np.arange(300) % 3
    twice = np.repeat(np.arange(300), weights)
    for learner in (GradientBoostingRegressor, GradientBoostingClassifier):
        target = y if learner is GradientBoostingRegressor else y > 0
        params: dict[str, Any] = {"n_estimators": 5, "min_samples_leaf": 1, "max_leaf_nodes": 4}
        weighted = learner(**params).fit(X, target, weights)
        repeated = learner(**params).fit(X[twice], target[twice])
        if learner is GradientBoostingRegressor:
            assert weighted.predict(X) == pytest.approx(repeated.predict(X), abs=1e-9)
        else:
            close = abs(weighted.predict_proba(X) - repeated.predict_proba(X)).max(axis=1) < 1e-6
            assert close.mean() > 0.95  # coarse gradients may prefer another of two equal cuts


# ---- categories, gaps, constraints


def test_categories_are_divided_as_sets() -> None:
    rng = np.random.default_rng(0)
    letters = rng.choice(list("abcdefgh"), 2000)
    y = np.isin(letters, list("adg")) * 1.0
    model = GradientBoostingRegressor(n_estimators=1, learning_rate=1.0).fit({"x": letters}, y)
    assert model.trees_[0].n_nodes == 3
    assert model.predict({"x": list("abcdefgh")}).tolist() == [1, 0, 0, 1, 0, 0, 1, 0]


def test_many_categories_share_bins() -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 1000, 8000) ** 2 // 1000
    y = (codes % 2).astype(float)
    X = {"x": [f"c{code}" for code in codes]}
    model = GradientBoostingRegressor(n_estimators=20, min_samples_leaf=5).fit(X, y)
    assert model.score(X, y) > 0.3
    assert bytes_of(pickle.loads(pickle.dumps(model))) == bytes_of(model)


def test_missing_values_go_to_the_better_side() -> None:
    rng = np.random.default_rng(0)
    x = rng.random(1000)
    x[rng.random(1000) < 0.3] = np.nan
    for y in (np.isnan(x) | (x < 0.2), np.isnan(x) | (x > 0.8), np.isnan(x)):
        model = GradientBoostingClassifier(n_estimators=30).fit(x[:, None], y)
        assert model.score(x[:, None], y) > 0.98
    # Where training had none, they go with the many.
    column = rng.random((1000, 1))
    model = GradientBoostingRegressor(n_estimators=1).fit(column, column[:, 0] > 0.7)
    tree = model.trees_[0]
    children = tree.first_child[0] + np.arange(2)
    assert tree.missing[0] == tree.count[children].argmax()


@pytest.mark.parametrize("splits", ["histogram", "exact"])
def test_constraints_hold(splits: str) -> None:
    X, y = make_table(2000)
    model = GradientBoostingRegressor(
        n_estimators=30, monotonic_cst=[0, 0, 1, -1, 0], splits=splits
    ).fit(X, y - 0.3 * X[:, 3])
    for column, sign in ((2, 1), (3, -1)):
        grid = np.repeat(X[:40], 30, axis=0)
        grid[:, column] = np.tile(np.linspace(-3, 3, 30), 40)
        steps = np.diff(model.predict(grid).reshape(40, 30))
        assert (sign * steps >= -1e-12).all()
        assert (sign * steps > 0).any()
    by_name = GradientBoostingClassifier(n_estimators=5, monotonic_cst={"x2": 1}).fit(X, y > 0)
    assert by_name.score(X, y > 0) > 0.5


# ---- rounds


def test_the_last_stage_is_the_prediction() -> None:
    X, y = make_table()
    model = GradientBoostingRegressor(n_estimators=7).fit(X, y)
    stages = list(model.staged_predict(X))
    assert len(stages) == 7
    assert (stages[-1] == model.predict(X)).all()
    errors = [np.mean((stage - y) ** 2) for stage in stages]
    assert errors == sorted(errors, reverse=True)


def test_stopping_early_keeps_the_best_round() -> None:
    X, y = make_table(1500)
    noisy = y + np.random.default_rng(1).standard_normal(1500)
    model = GradientBoostingRegressor(
        n_estimators=300, early_stopping=True, learning_rate=0.3, n_iter_no_change=5
    ).fit(X, noisy)
    losses = model.validation_score_
    assert model.n_estimators_ == losses.argmin()
    assert len(losses) == model.n_estimators_ + 6
    assert len(model.trees_) == model.n_estimators_ < 300
    assert pickle.loads(pickle.dumps(model)).validation_score_ == pytest.approx(losses)


def test_validation_rows_can_be_passed() -> None:
    X, y = make_table(1200)
    watched = {"X_val": X[1000:], "y_val": y[1000:]}
    model = GradientBoostingRegressor(n_estimators=40).fit(X[:1000], y[:1000], **watched)
    error = np.mean((model.predict(X[1000:]) - y[1000:]) ** 2) / 2
    assert model.validation_score_[-1] == pytest.approx(error, rel=1e-9)
    alone = GradientBoostingRegressor(n_estimators=40).fit(X[:1000], y[:1000])
    assert (alone.predict(X) == model.predict(X)).all()
    names = np.array(["no", "yes"])[(y > 0).astype(int)]
    clf = GradientBoostingClassifier(n_estimators=5)
    clf.fit(X[:1000], names[:1000], X_val=X[1000:], y_val=names[1000:])
    assert len(clf.validation_score_) == 6
    with pytest.raises(DataError, match="'maybe', which is not in y"):
        clf.fit(X[:1000], names[:1000], X_val=X[1000:], y_val=["maybe"] * 200)
    with pytest.raises(DataError, match="X_val has 200 rows, y_val 3"):
        clf.fit(X[:1000], names[:1000], X_val=X[1000:], y_val=names[:3])


def test_callbacks_get_each_round_and_can_stop_the_fit(capsys: pytest.CaptureFixture[str]) -> None:
    X, y = make_table()
    rounds: list[Round] = []

    def enough(result: Round) -> bool:
        rounds.append(result)
        return result.number == 3

    model = GradientBoostingRegressor(n_estimators=20, verbose=10).fit(X, y, callback=enough)
    assert [result.number for result in rounds] == [1, 2, 3]
    assert model.n_estimators_ == len(model.trees_) == 3
    assert len(model.train_score_) == 4
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("round 1 of 20: train loss ")
    assert len(lines) == 3


def test_a_callback_that_fails_leaves_the_estimator_as_it_was() -> None:
    X, y = make_table()
    model = GradientBoostingRegressor(n_estimators=5).fit(X, y)
    before = bytes_of(model)

    def fail(result: Round) -> None:
        raise RuntimeError("no")

    with pytest.raises(RuntimeError, match="no"):
        model.fit(X, -y, callback=fail)
    assert bytes_of(model) == before
    assert "_arguments" not in vars(model)


def test_warm_starts_refuse_other_tables_and_fewer_rounds() -> None:
    X, y = make_table()
    model = GradientBoostingRegressor(n_estimators=4, warm_start=True).fit(X, y)
    same = bytes_of(model)
    assert bytes_of(model.fit(X, y)) == same
    with pytest.raises(UsageError, match="same columns"):
        model.fit({"a": X[:, 0]}, y)
    with pytest.raises(UsageError, match="must be larger or equal"):
        model.set_params(n_estimators=2).fit(X, y)


def test_where_the_sums_start() -> None:
    X, y = make_table()
    slow = {"n_estimators": 1, "learning_rate": 1e-9}
    assert GradientBoostingRegressor(init=5, **slow).fit(X, y).predict(X) == pytest.approx(5)
    assert GradientBoostingRegressor(init="zero", **slow).fit(X, y).predict(X) == pytest.approx(
        0, abs=1e-8
    )
    assert GradientBoostingRegressor(**slow).fit(X, y).predict(X) == pytest.approx(y.mean())
    median = GradientBoostingRegressor(loss="absolute_error", **slow).fit(X, y)
    assert median.predict(X) == pytest.approx(np.median(y))
    clf = GradientBoostingClassifier(**slow).fit(X, y > 1)
    assert clf.predict_proba(X)[:, 1] == pytest.approx(np.mean(y > 1))
    with pytest.raises(UsageError, match='init must be None, "zero", a number, or an estimator'):
        GradientBoostingRegressor(init=[1, 2]).fit(X, y)


def test_samples_depend_on_the_seed() -> None:
    X, y = make_table(2000)
    model = {
        s: GradientBoostingRegressor(n_estimators=3, subsample=0.3, random_state=s) for s in (0, 1)
    }
    bytes_by_seed = {s: bytes_of(m.fit(X, y)) for s, m in model.items()}
    assert bytes_by_seed[0] != bytes_by_seed[1]
    again = GradientBoostingRegressor(n_estimators=3, subsample=0.3, random_state=None).fit(X, y)
    assert bytes_of(again) == bytes_by_seed[0]
    root = [int(tree.count[0]) for tree in model[0].trees_]
    assert all(abs(count - 600) < 100 for count in root)
    assert len(set(root)) > 1


def test_class_weights_count() -> None:
    X, y = make_table()
    rare = y > 1.5
    plain = GradientBoostingClassifier(n_estimators=10).fit(X, rare)
    heavy = GradientBoostingClassifier(n_estimators=10, class_weight={True: 10, False: 1}).fit(
        X, rare
    )
    assert heavy.predict(X).sum() > plain.predict(X).sum()
    weights = np.where(rare, 10.0, 1.0)
    assert bytes_of(heavy) == bytes_of(
        GradientBoostingClassifier(n_estimators=10).fit(X, rare, weights)
    )


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"n_estimators": 0}, "n_estimators must be a whole number of at least 1"),
        ({"learning_rate": 0}, "learning_rate must be a number greater than 0"),
        ({"loss": "nope"}, "loss must be one of"),
        ({"max_bins": 256}, "max_bins must be a whole number between 2 and 255"),
        ({"subsample": 0}, "subsample must be greater than 0"),
        ({"splits": "guessed"}, "splits must be one of"),
        ({"early_stopping": "auto"}, "early_stopping must be True or False"),
        ({"early_stopping": True, "validation_fraction": 1.0}, "between 0 and 1"),
        ({"loss": "poisson"}, "non-negative target"),
        ({"quantile": 1.0}, "quantile must be between 0 and 1"),
        ({"max_features": "some"}, "max_features must be"),
        ({"max_features": 0.0}, "max_features must be"),
        ({"max_features": True}, "max_features must be"),
        ({"monotonic_cst": [1]}, "monotonic_cst must be"),
        ({"random_state": -1}, "random_state must be"),
    ],
)
def test_impossible_parameters_are_explained(params: dict[str, Any], sentence: str) -> None:
    X, y = make_table(50)
    with pytest.raises(UsageError, match=sentence):
        GradientBoostingRegressor(**params).fit(X, y)


@pytest.mark.slow
def test_a_long_fit_can_be_interrupted(fresh_python: Any) -> None:
    code = """
        import signal, threading, time
        import numpy as np
        from treewright import GradientBoostingRegressor

        X = np.random.default_rng(0).standard_normal((60_000, 5))
        model = GradientBoostingRegressor(n_estimators=100_000)
        threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]).start()
        begun = time.monotonic()
        try:
            model.fit(X, X[:, 0] * X[:, 1])
        except KeyboardInterrupt:
            print(time.monotonic() - begun < 10, hasattr(model, "schema_"))
    """
    assert fresh_python(code).split() == ["True", "False"]


def test_a_file_keeps_everything(tmp_path: Any) -> None:
    X, y = make_table()
    model = GradientBoostingClassifier(n_estimators=4, early_stopping=True).fit(X, y > 0)
    treewright.save(model, tmp_path / "m.tree")
    back = treewright.load(tmp_path / "m.tree")
    assert to_bytes(back) == to_bytes(model)
    assert (back.predict_proba(X) == model.predict_proba(X)).all()
    assert back.n_estimators_ == model.n_estimators_


@pytest.mark.slow
def test_the_command_line_knows_boosting(tmp_path: Any, fresh_python: Any) -> None:
    X, y = make_table(200)
    rows = "\n".join(",".join(map(str, [*row, label])) for row, label in zip(X, y > 0, strict=True))
    table = tmp_path / "t.csv"
    table.write_text("a,b,c,d,e,y\n" + rows + "\n")
    model = tmp_path / "m.tree"
    words = ["fit", str(table), "-t", "y", "-a", "boosting", "--trees", "7", "--rate", "0.3"]
    code = f"""
        import sys
        from treewright.cli import main
        sys.argv[1:] = {[*words, "--leaves", "4", "-o", str(model)]!r}
        main()
    """
    fresh_python(code)
    loaded = treewright.load(model)
    assert loaded.n_estimators_ == 7
    assert loaded.get_params()["learning_rate"] == 0.3
    assert max(int((tree.n_children == 0).sum()) for tree in loaded.trees_) == 4
