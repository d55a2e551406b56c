"""Pruning by hand-made numbers: each method, its account, its choices, and what it refuses."""

from __future__ import annotations

import math

import numpy as np
import pytest

from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    DataError,
    ID3Classifier,
    OneRClassifier,
    RuleSetClassifier,
    UsageError,
    datasets,
    prune,
    pruning_path,
)
from treewright._input.folds import folds, held_out, weka_folds
from treewright._pruning.cost_complexity import one_se
from treewright._pruning.pessimistic import expected_errors
from treewright.files import from_bytes, to_bytes
from treewright.table import Series, Table

TENNIS = datasets.play_tennis()


@pytest.fixture
def tennis() -> ID3Classifier:
    return ID3Classifier().fit(*TENNIS)


# Six voters, nine voters and one voter that a question tells apart from 1 of 16: the example of the book.
VOTERS = (
    {"vote": ["a"] * 6 + ["b"] * 9 + ["c"]},
    Series.of("party", ["dem"] * 6 + ["dem"] * 9 + ["rep"], levels=["dem", "rep"]),
)


@pytest.mark.parametrize(
    ("rows", "errors", "c45", "j48"),
    [
        (1, 0, 0.750000, 0.750000),
        (6, 0, 1.237797, 1.237797),
        (9, 0, 1.284804, 1.284804),
        (16, 1, 1.506894, 1.475715),
        (2, 1, 0.796241, 0.791493),
        (10, 2, 1.547735, 1.518578),
        (100, 5, 2.301631, 2.248927),
        (5, 0.5, 1.240846, 1.230521),
        (10, 9.6, 0.268000, 0.400000),
    ],
)
def test_extra_errors_to_six_digits(rows: float, errors: float, c45: float, j48: float) -> None:
    assert expected_errors(rows, errors) - errors == pytest.approx(c45, abs=6e-7)
    assert expected_errors(rows, errors, variant="j48") - errors == pytest.approx(j48, abs=6e-7)


def test_a_leaf_cannot_have_more_errors_than_rows() -> None:
    with pytest.raises(UsageError, match="errors must be a number between 0 and 2"):
        expected_errors(2, 3)


def test_pessimistic_replaces_the_voters() -> None:
    full = ID3Classifier().fit(*VOTERS)
    small = prune(full, "pessimistic")
    assert (full.tree_.n_leaves, small.tree_.n_leaves) == (3, 1)
    row = small.pruning_[0]
    assert row["node"] == 0
    assert row["before"] == pytest.approx(3.272601, abs=1e-6)
    assert row["after"] == pytest.approx(2.506894, abs=1e-6)
    assert row["decision"] == "leaf"
    assert row["why"] == "a leaf is expected to make 2.51 errors, the subtree 3.27"


def test_pessimistic_with_rows_may_raise_a_branch() -> None:
    # The second column decides; the first one was asked before it for the sake of two rows.
    X = {
        "x": ["l"] * 3 + ["r"] * 30,
        "z": ["p", "q", "q"] + ["p"] * 15 + ["q"] * 15,
    }
    y = ["no", "yes", "yes"] + ["no"] * 15 + ["yes"] * 15
    full = ID3Classifier().fit(X, y)
    snipped = prune(full, "pessimistic", X, y)
    alone = prune(full, "pessimistic")
    assert snipped.tree_.n_leaves == alone.tree_.n_leaves == 2

    grown = C45Classifier(prune=None, min_cases=1).fit(*TENNIS)
    again = prune(grown, "pessimistic", *TENNIS, confidence=0.05)
    assert {row["decision"] for row in again.pruning_} <= {"keep", "leaf", "raise"}
    assert "raised" in again.pruning_[0]
    assert "raised" not in prune(grown, "pessimistic", confidence=0.05).pruning_[0]


def test_c45_prunes_itself_as_prune_does() -> None:
    X, y = datasets.golf()
    for variant in ("c4.5", "j48"):
        full = C45Classifier(prune=None, variant=variant).fit(X, y)
        own = C45Classifier(variant=variant).fit(X, y)
        assert to_bytes(own)[-500:] == to_bytes(prune(full, "pessimistic", X, y))[-500:]
        flat = C45Classifier(variant=variant, raising=False, confidence=0.01).fit(X, y)
        assert flat.tree_.nested() == prune(full, confidence=0.01).tree_.nested()


def test_raising_needs_the_rows_that_the_tree_was_grown_from(tennis: ID3Classifier) -> None:
    X, y = TENNIS
    with pytest.raises(DataError, match="not the rows that the tree was grown from"):
        prune(tennis, "pessimistic", X[:10], y[:10])
    with pytest.raises(DataError, match="raising=False"):
        prune(tennis, "pessimistic", X, y, np.full(14, 2.0))
    assert prune(tennis, "pessimistic", X[:10], y[:10], raising=False).tree_.n_leaves <= 5


def test_reduced_error_keeps_what_helps_and_cuts_what_does_not(tennis: ID3Classifier) -> None:
    X, y = TENNIS
    assert prune(tennis, "reduced_error", X, y).tree_.nested() == tennis.tree_.nested()
    strangers = {name: column[:4] for name, column in X.to_dict().items()}
    small = prune(tennis, "reduced_error", strangers, ["Yes"] * 4)
    assert small.tree_.n_leaves == 1
    assert [row["decision"] for row in small.pruning_] == ["leaf"] * 3
    assert small.pruning_[-1]["after"] == 0
    assert small.pruning_[0]["why"].startswith("no validation row") or small.pruning_[0]["rows"]


def test_reduced_error_for_numbers() -> None:
    x = np.arange(40.0)[:, None]
    y = np.where(x[:, 0] < 20, 1.0, 5.0) + np.tile([0.0, 0.1], 20)
    full = CARTRegressor().fit(x, y)
    small = prune(full, "reduced_error", x + 0.25, np.where(x[:, 0] < 20, 1.05, 5.05))
    assert small.tree_.n_leaves == 2
    assert small.pruning_.unit == "squared error on the validation rows"


def test_reduced_error_splits_rows_off_by_class_and_seed() -> None:
    X, y = TENNIS
    first = prune(
        ID3Classifier().fit(X, y), "reduced_error", X, y, validation_fraction=0.4, random_state=1
    )
    again = prune(
        ID3Classifier().fit(X, y), "reduced_error", X, y, validation_fraction=0.4, random_state=1
    )
    assert to_bytes(first) == to_bytes(again)
    assert first.tree_.count[0] == 8
    assert prune(first, "reduced_error", X, y, folds=3).tree_.count[0] == 10
    own = C45Classifier(prune="reduced_error", folds=7).fit(X, y)
    assert own.tree_.count[0] == 12


def test_the_price_of_a_leaf(tennis: ID3Classifier) -> None:
    path = pruning_path(tennis)
    assert path.leaves.tolist() == [5, 1]
    assert path.alpha[-1] == pytest.approx(0.940286 / 4, abs=1e-6)
    assert path.relative.tolist() == [0, 0.25]
    just_below, at = path.alpha[-1] * 0.999, path.alpha[-1]
    assert prune(tennis, "cost_complexity", ccp_alpha=just_below).tree_.n_leaves == 5
    small = prune(tennis, "cost_complexity", ccp_alpha=at)
    assert small.tree_.n_leaves == 1
    assert small.pruning_.of(0)[0]["leaves"] == 5
    assert "pays only up to alpha 0.2351" in small.pruning_.of(0)[0]["why"]


def test_by_errors_a_question_may_be_worth_nothing() -> None:
    X = {"x": list("aabb"), "y": list("cdcd")}
    clf = ID3Classifier().fit(X, list("nnny"))
    path = pruning_path(clf, risk="errors")
    assert path.leaves.tolist() == [3, 1]
    assert path.risk.tolist() == [0.0, 0.25]
    assert path.alpha.tolist() == [0.0, 0.125]


def test_the_path_of_a_leaf_is_one_tree() -> None:
    clf = ID3Classifier().fit([["a"], ["b"]], [1, 1])
    path = pruning_path(clf)
    assert (path.leaves.tolist(), path.alpha.tolist(), path.relative.tolist()) == (
        [1],
        [0.0],
        [0.0],
    )


def test_costs_are_the_risk_where_there_are_costs() -> None:
    x, y = np.array([[1.0], [2.0], [3.0], [4.0]]), np.array(["ill", "well", "well", "well"])
    costs = {"ill": {"well": 9.0}, "well": {"ill": 1.0}}
    clf = CARTClassifier(costs=costs).fit(x, y)
    path = pruning_path(clf, risk="errors")
    # A single leaf answers "ill": three rows are answered wrongly, at 1 each.
    assert path.root_risk == pytest.approx(0.75)
    with pytest.raises(UsageError, match="weighs them by costs"):
        prune(clf, "pessimistic")
    assert prune(clf, "collapse").tree_.n_leaves == clf.tree_.n_leaves


def test_cross_validation_chooses_within_one_standard_error() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = np.where(rng.random(200) < 0.15, X[:, 0] <= 0, X[:, 0] > 0).astype(int)
    full = CARTClassifier().fit(X, y)
    path = pruning_path(full, X, y, cv=10)
    assert path.cv_error is not None
    assert path.leaves[path.one_se] <= path.leaves[path.best]
    least = path.cv_error[path.best]
    assert path.cv_error[path.one_se] <= least + path.cv_deviation[path.best] + 1e-12
    assert path.cv_error[-1] == pytest.approx(min(y.mean(), 1 - y.mean()))
    assert prune(full, "cost_complexity", X, y).tree_.n_leaves == path.leaves[path.one_se]
    least_error = prune(full, "cost_complexity", X, y, choose="least")
    assert least_error.tree_.n_leaves == path.leaves[path.best]
    assert (
        CARTClassifier(prune="cost_complexity").fit(X, y).tree_.n_leaves == path.leaves[path.one_se]
    )
    assert "within one standard error" in str(path)
    assert len(path.to_frame()) == len(path)
    assert path.to_markdown().startswith("| alpha ")


def test_the_deviation_is_that_of_a_share() -> None:
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(60, 2)), rng.integers(0, 2, 60)
    path = pruning_path(CARTClassifier().fit(X, y), X, y, cv=5)
    error, spread = path.cv_error, path.cv_deviation
    assert error is not None
    assert spread == pytest.approx(np.sqrt(error * (1 - error) / 60))


def test_one_standard_error() -> None:
    error, spread = np.array([0.30, 0.20, 0.22, 0.24, 0.5]), np.full(5, 0.03)
    assert one_se(error, spread) == 2
    assert one_se(error, spread, 0.0) == 1


def test_collapse_joins_what_says_the_same() -> None:
    X = {"a": list("ppqq"), "b": list("rsrs")}
    clf = ID3Classifier().fit(X, ["yes", "yes", "no", "yes"])
    assert prune(clf, "collapse").tree_.n_leaves == clf.tree_.n_leaves
    # Wherever a row goes, "yes" is the most frequent answer: the questions save entropy, but no error.
    rows = {"a": ["p"] * 4 + ["q"] * 3, "b": list("rrrsrrs")}
    clf = ID3Classifier().fit(rows, ["yes", "no", "yes", "yes", "yes", "yes", "yes"])
    small = prune(clf, "collapse")
    assert clf.tree_.n_leaves == 3
    assert small.tree_.n_leaves == 1
    assert [row["why"] for row in small.pruning_] == ['every leaf below says "yes"'] * 2


def test_snip_makes_leaves_of_named_nodes(tennis: ID3Classifier) -> None:
    small = prune(tennis, "snip", nodes=[1, 3])
    assert small.tree_.n_leaves == 3
    assert [row["decision"] for row in small.pruning_] == ["leaf", "leaf", "keep"]
    assert tennis.tree_.n_leaves == 5  # the model that was given stays as it is
    with pytest.raises(UsageError, match="there is no node 99"):
        prune(tennis, "snip", nodes=[99])
    with pytest.raises(UsageError, match="node 4 is a leaf already"):
        prune(tennis, "snip", nodes=[4])
    with pytest.raises(UsageError, match="a node is a whole number"):
        prune(tennis, "snip", nodes=["1"])


def test_surrogates_stay_with_their_nodes() -> None:
    X = {
        "a": [1, 2, 3, 4, 5, 6, None, 8],
        "b": [1, 2, 3, 4, 5, 6, 7, 8],
        "c": [1, 2, 1, 2, 1, 2, 1, 2],
    }
    y = list("nnnyyynn")
    clf = CARTClassifier(missing="surrogate").fit(X, y)
    full = prune(clf, "snip")
    assert to_bytes(full) == to_bytes(clf)
    small = prune(clf, "snip", nodes=[int(np.flatnonzero(clf.tree_.n_children)[-1])])
    assert small.predict(X).tolist()[:4] == clf.predict(X).tolist()[:4]


def test_the_account_is_a_list_of_plain_values(tennis: ID3Classifier) -> None:
    trace = prune(tennis, "cost_complexity", ccp_alpha=0.1).pruning_
    assert len(trace) == 3
    assert [type(value) for value in trace[0].values()] == [int, float, float, int, float, str, str]
    assert [row["node"] for row in trace] == [row["node"] for row in trace[:]]
    assert trace[-1]["node"] == 0
    assert list(trace.to_frame().columns)[-2:] == ["decision", "why"]
    assert str(trace).startswith("cost complexity: 3 branches, 0 pruned")
    with pytest.raises(IndexError):
        trace[3]


def test_a_pruned_model_is_an_ordinary_model(tennis: ID3Classifier) -> None:
    small = prune(tennis, "snip", nodes=[1])
    loaded = from_bytes(to_bytes(small))
    assert loaded.tree_.nested() == small.tree_.nested()
    assert not hasattr(loaded, "pruning_")
    assert small.get_params() == tennis.get_params()
    assert small.predict(TENNIS[0]).tolist() == loaded.predict(TENNIS[0]).tolist()


@pytest.mark.parametrize(
    ("method", "options", "words"),
    [
        ("magic", {}, "method must be one of 'pessimistic'"),
        ("pessimistic", {"ccp_alpha": 1.0}, "ccp_alpha belongs to 'cost_complexity'"),
        ("snip", {"cv": 3}, "cv belongs to 'cost_complexity'"),
        ("pessimistic", {"confidence": 2.0}, "confidence must be a number between 0 and 1"),
        ("pessimistic", {"variant": "c5"}, "variant must be one of"),
        ("reduced_error", {}, "give X and y"),
        ("reduced_error", {"folds": 3}, "give X and y"),
        ("reduced_error", {"folds": 3, "validation_fraction": 0.5}, "exclude each other"),
        ("cost_complexity", {}, "needs ccp_alpha, the penalty per leaf"),
        ("cost_complexity", {"ccp_alpha": -1.0}, "ccp_alpha must be a number of at least 0"),
        ("cost_complexity", {"ccp_alpha": 1.0, "risk": "gain"}, "risk must be one of"),
    ],
)
def test_what_is_refused(tennis: ID3Classifier, method: str, options: dict, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        prune(tennis, method, **options)


def test_what_is_no_tree_is_refused() -> None:
    with pytest.raises(TypeError, match="expected a fitted tree of treewright, got int"):
        prune(3)  # type: ignore[type-var]
    with pytest.raises(UsageError, match="there is no tree in a RuleSetClassifier"):
        prune(RuleSetClassifier().fit(*TENNIS))
    with pytest.raises(ValueError, match="not fitted"):
        prune(ID3Classifier())
    with pytest.raises(UsageError, match="predicts numbers"):
        prune(CARTRegressor().fit([[1], [2]], [1.0, 2.0]))
    with pytest.raises(UsageError, match="criterion of the model must be one of 'entropy', 'gini'"):
        prune(OneRClassifier().fit(*TENNIS), "pessimistic", *TENNIS)
    with pytest.raises(DataError, match='the target holds "maybe"'):
        prune(ID3Classifier().fit(*TENNIS), "reduced_error", TENNIS[0], ["maybe"] * 14)


# ---- stopping by chance


def test_a_split_that_could_be_chance_is_not_made() -> None:
    X, y = TENNIS
    # Outlook divides the days no more unevenly than chance does in 17 of 100 cases.
    assert ID3Classifier(max_p_value=0.16).fit(X, y).tree_.n_nodes == 1
    assert ID3Classifier(max_p_value=0.18).fit(X, y).tree_.n_nodes > 1
    assert ID3Classifier(max_p_value=1).fit(X, y).tree_.n_leaves == 5
    assert C45Classifier(max_p_value=0.16).fit(X, y).tree_.n_nodes == 1
    with pytest.raises(UsageError, match="max_p_value must be None or a number between 0 and 1"):
        ID3Classifier(max_p_value=2).fit(X, y)


@pytest.mark.parametrize("seed", range(5))
def test_the_probability_is_that_of_the_chi_square_test(seed: int) -> None:
    from scipy.stats import chi2_contingency

    rng = np.random.default_rng(seed)
    codes, y = rng.integers(0, 4, 60), rng.integers(0, 3, 60)
    table = np.array([[((codes == i) & (y == c)).sum() for c in range(3)] for i in range(4)])
    p = float(chi2_contingency(table, correction=False).pvalue)
    X = Table([Series.of("x", [f"v{c}" for c in codes])])
    assert ID3Classifier(max_p_value=p * (1 - 1e-9)).fit(X, y).tree_.n_nodes == 1
    assert ID3Classifier(max_p_value=p * (1 + 1e-9)).fit(X, y).tree_.n_nodes == 5


def test_leaves_that_chance_refused_go_to_others() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    y = (X[:, 0] > 0).astype(int) + 2 * (X[:, 1] > 0)
    clf = CARTClassifier(max_leaf_nodes=4, max_p_value=1e-9).fit(X, y)
    assert clf.tree_.n_leaves == 4


# ---- dividing rows


def test_folds_have_the_classes_in_their_shares() -> None:
    codes = np.array([0] * 10 + [1] * 5, dtype=np.uint32)
    order = np.random.default_rng(3).permutation(15)
    parts = folds(codes, order, 5)
    assert [np.bincount(codes[part]).tolist() for part in parts] == [[2, 1]] * 5
    assert sorted(np.concatenate(parts).tolist()) == list(range(15))
    part = held_out(codes, order, 0.4)
    assert np.bincount(codes[part]).tolist() == [4, 2]
    assert len(held_out(None, np.arange(3), 0.99)) == 2
    parts = weka_folds(codes, 5)
    assert [np.bincount(codes[part]).tolist() for part in parts] == [[2, 1]] * 5
    assert math.isclose(sum(map(len, parts)), 15)
