"""``class_weight`` in every classifier: like weights of the rows, and in the same forms everywhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from treewright import (
    AdaBoostClassifier,
    BaggingClassifier,
    C45Classifier,
    CARTClassifier,
    KNeighborsClassifier,
    RuleSetClassifier,
    explain,
    load,
    save,
    work,
)
from treewright._catalog import LEARNERS, import_public
from treewright.files import to_bytes

rng = np.random.default_rng(11)
X = rng.normal(size=(150, 3)).round(1)
y = np.array(["yes", "no"])[(X[:, 0] + rng.normal(size=150) > -0.9).astype(int)]
CLASSIFIERS = [name for name, row in LEARNERS.items() if row.task == "classify"]
# Those whose weights of classes are weights of rows, to the last bit.
BY_ROWS = [
    "C45Classifier",
    "ID3Classifier",
    "OneRClassifier",
    "RuleSetClassifier",
    "ZeroRClassifier",
]


def learner(name: str, **params: Any) -> Any:
    few = {"n_estimators": 5} if LEARNERS[name].kind == "trees" else {}
    return import_public(name)(**few, **params)


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_the_rare_class_is_predicted_more_often(name: str) -> None:
    assert (y == "yes").sum() < 60
    limits = {"max_depth": 1 if name == "ID3Classifier" else 2}
    few = limits if "max_depth" in import_public(name)._get_param_names() else {}
    plain = learner(name, **few).fit(X, y)
    heavy = learner(name, class_weight={"yes": 50}, **few).fit(X, y)
    assert (heavy.predict(X) == "yes").sum() > (plain.predict(X) == "yes").sum()


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_every_form(name: str, tmp_path: Any) -> None:
    total = {label: (y == label).sum() for label in ("no", "yes")}
    balanced = learner(name, class_weight="balanced").fit(X, y)
    by_class = {label: len(y) / 2 / n for label, n in total.items()}
    for form in (by_class, [by_class["no"], by_class["yes"]]):
        model = learner(name, class_weight=form).fit(X, y)
        assert np.array_equal(model.predict_proba(X), balanced.predict_proba(X))
    save(model, tmp_path / "m.tree")
    loaded = load(tmp_path / "m.tree")
    assert np.array_equal(loaded.predict_proba(X), model.predict_proba(X))
    assert loaded.class_weight == model.class_weight
    for wrong in ("heavy", {"maybe": 2}, {"yes": -1}, [1, 2, 3]):
        with pytest.raises(ValueError, match="class_weight"):
            learner(name, class_weight=wrong).fit(X, y)


@pytest.mark.parametrize("name", BY_ROWS)
def test_it_multiplies_the_weights_of_rows(name: str) -> None:
    own = rng.integers(1, 4, len(y)).astype(float)
    model = learner(name, class_weight={"yes": 2.5}).fit(X, y, own)
    same = learner(name).fit(X, y, own * np.where(y == "yes", 2.5, 1.0))
    assert np.array_equal(model.predict_proba(X), same.predict_proba(X))
    assert b'class_weight\\":' not in to_bytes(same)  # as in files of earlier versions


def test_a_base_estimator_has_its_own() -> None:
    weighted = C45Classifier(class_weight={"yes": 5}, max_depth=2)
    plain = C45Classifier(max_depth=2)
    for ensemble in (AdaBoostClassifier, BaggingClassifier):
        heavy = ensemble(weighted, n_estimators=5).fit(X, y).predict(X)
        light = ensemble(plain, n_estimators=5).fit(X, y).predict(X)
        assert (heavy == "yes").sum() > (light == "yes").sum()


@pytest.mark.parametrize(
    "base", [None, C45Classifier(max_depth=1), DecisionTreeClassifier(max_depth=1)]
)
def test_each_class_keeps_its_share_of_the_weight_in_every_round_of_adaboost(base: Any) -> None:
    model = AdaBoostClassifier(base, n_estimators=6, class_weight="balanced").fit(X, y)
    shares = np.where(y == "yes", 0.5 / (y == "yes").sum(), 0.5 / (y == "no").sum())
    assert base is not None or len(model.estimators_) == 6
    for turn, learner in enumerate(model.estimators_):
        wrong = learner.predict(X) != y
        assert model.estimator_errors_[turn] == pytest.approx(shares[wrong].sum())
        shares[wrong] *= np.exp(model.estimator_weights_[turn])
        for label in ("yes", "no"):
            shares[y == label] *= 0.5 / shares[y == label].sum()
    if not isinstance(base, DecisionTreeClassifier):
        assert "round 0" in str(work(model, X=X, y=y, round=0)).lower()
        work(model, X=X, y=y, round=len(model.estimators_) - 1)  # the rows lead to its errors


BASES = [None, C45Classifier(max_depth=2), DecisionTreeClassifier(max_depth=2)]


@pytest.mark.parametrize("base", BASES)
def test_bagging_draws_rows_in_proportion(base: Any) -> None:
    model = BaggingClassifier(base, n_estimators=40, class_weight="balanced").fit(X, y)
    drawn = np.concatenate(model.estimators_samples_[:])
    assert len(drawn) == 40 * len(y)
    assert (y[drawn] == "yes").mean() == pytest.approx(0.5, abs=0.02)
    assert (y == "yes").mean() < 0.4
    again = BaggingClassifier(base, n_estimators=40, class_weight="balanced", n_jobs=1).fit(X, y)
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize("base", BASES[:2])
def test_bagging_with_class_weights_depends_on_no_order_and_continues(base: Any) -> None:
    model = BaggingClassifier(base, n_estimators=6, class_weight={"yes": 3}).fit(X, y)
    order = rng.permutation(len(y))
    shuffled = BaggingClassifier(base, n_estimators=6, class_weight={"yes": 3}).fit(
        X[order], y[order]
    )
    assert np.array_equal(shuffled.predict_proba(X), model.predict_proba(X))
    more = BaggingClassifier(base, n_estimators=2, class_weight={"yes": 3}, warm_start=True).fit(
        X, y
    )
    more.set_params(n_estimators=6).fit(X, y)
    assert np.array_equal(more.predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize("base", BASES)
def test_bagging_without_a_bootstrap_weighs_rows(base: Any) -> None:
    model = BaggingClassifier(base, n_estimators=2, bootstrap=False, class_weight={"yes": 3}).fit(
        X, y
    )
    weights = np.where(y == "yes", 3.0, 1.0)
    one = (CARTClassifier() if base is None else clone(base)).fit(X, y, weights)
    assert np.allclose(model.predict_proba(X), one.predict_proba(X))


@pytest.mark.parametrize("ensemble", [AdaBoostClassifier, BaggingClassifier])
def test_estimators_of_other_libraries(ensemble: Any) -> None:
    base = DecisionTreeClassifier(max_depth=2)
    plain = ensemble(base, n_estimators=4).fit(X, y)
    heavy = ensemble(base, n_estimators=4, class_weight={"yes": 50}).fit(X, y)
    assert (heavy.predict(X) == "yes").sum() > (plain.predict(X) == "yes").sum()
    BaggingClassifier(LogisticRegression(), n_estimators=2, class_weight="balanced").fit(X, y)


def test_neighbors_vote_by_their_class() -> None:
    model = KNeighborsClassifier(3, class_weight={"yes": 3}).fit(
        [[0.0], [1.0], [2.0]], ["no", "no", "yes"]
    )
    assert model.predict_proba([[0.9]]).tolist() == [[0.4, 0.6]]
    shown = explain(model, [0.9])
    assert shown.answer == "yes"
    assert [n.share for n in shown.neighbours] == pytest.approx([0.2, 0.2, 0.6])
    assert [n.weight for n in shown.neighbours] == pytest.approx([1, 1, 3])
    assert "times those of the classes" in str(shown)
    assert "0.600" in str(work(model, X=[[0.9]]))


def test_a_tie_of_neighbors_counts_the_weights_of_classes() -> None:
    # Two rows share the last place: with the weight of its class, "yes" wins if its row is taken.
    rows, labels = [[0.0], [0.1], [1.0], [-1.0]], ["no", "no", "no", "yes"]
    light = KNeighborsClassifier(3).fit(rows, labels)
    heavy = KNeighborsClassifier(3, class_weight={"yes": 5}).fit(rows, labels)
    assert not explain(light, [0.0]).tie.decides
    assert explain(heavy, [0.0]).tie.decides


def test_neighbors_choose_their_number_with_the_weights() -> None:
    model = KNeighborsClassifier("auto", class_weight="balanced").fit(X, y)
    k = model.n_neighbors_
    wrong = []
    for i in range(len(y)):
        rest = np.arange(len(y)) != i
        total = {label: (y == label).sum() for label in ("no", "yes")}
        weights = {label: len(y) / 2 / n for label, n in total.items()}
        one = KNeighborsClassifier(k, class_weight=weights).fit(X[rest], y[rest])
        wrong.append(one.predict(X[i : i + 1])[0] != y[i])
    assert model.leave_one_out_[k - 1] == pytest.approx(np.mean(wrong))


def test_rules_of_a_tree() -> None:
    tree = CARTClassifier(max_depth=3).fit(X, y)
    plain = RuleSetClassifier.of(tree, X, y)
    heavy = RuleSetClassifier.of(tree, X, y, class_weight={"yes": 50})
    assert (heavy.predict(X) == "yes").sum() > (plain.predict(X) == "yes").sum()
