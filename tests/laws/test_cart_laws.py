"""Laws of CART: what must not matter does not; monotone answers, costs and priors mean what they say."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from helpers.random_tables import Sample, samples, weights
from treewright import CARTClassifier, CARTRegressor
from treewright.files import from_bytes, to_bytes

RPART = {"variant": "rpart", "min_samples_split": 2, "min_samples_leaf": 1, "complexity": 0}
by_weight = st.sampled_from(
    [
        CARTClassifier(),
        CARTClassifier(criterion="entropy", missing="branch"),
        CARTClassifier(class_weight="balanced"),
        CARTClassifier(max_leaf_nodes=4),
    ]
)
any_learner = st.one_of(
    by_weight,
    st.sampled_from(
        [
            CARTClassifier(missing="surrogate", min_samples_leaf=2),
            CARTClassifier(**RPART),
            CARTClassifier(**RPART, max_surrogates=1, agreement="known", undecided="stay"),
        ]
    ),
)
fractions = st.sampled_from([0.1, 0.2, 0.3, 1 / 3, 0.7, 1.0, 2.5])


@settings(max_examples=40)
@given(samples(numbers=True), any_learner, st.data())
def test_the_order_of_the_rows_does_not_matter(
    sample: Sample, learner: Any, data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(len(sample))))
    w = np.array(data.draw(st.lists(fractions, min_size=len(sample), max_size=len(sample))))
    other = sample.take(order)
    here = to_bytes(clone(learner).fit(sample.X, sample.y, sample_weight=w))
    assert here == to_bytes(clone(learner).fit(other.X, other.y, sample_weight=w[order]))


@settings(max_examples=40)
@given(samples(numbers=True), by_weight, st.data())
def test_a_weight_of_k_is_the_row_k_times(
    sample: Sample, learner: Any, data: st.DataObject
) -> None:
    counts = data.draw(weights(len(sample)))
    repeated = sample.take([i for i, count in enumerate(counts) for _ in range(count)])
    one = clone(learner).fit(sample.X, sample.y, sample_weight=counts)
    other = clone(learner).fit(repeated.X, repeated.y)
    assert other.tree_.nested() == one.tree_.nested()
    assert (other.predict_proba(sample.X) == one.predict_proba(sample.X)).all()


@settings(max_examples=40)
@given(samples(numbers=True), any_learner)
def test_one_model_has_one_byte_string(sample: Sample, learner: Any) -> None:
    clf = clone(learner).fit(sample.X, sample.y)
    again = from_bytes(to_bytes(clf))
    assert to_bytes(again) == to_bytes(clf)
    assert (again.predict_proba(sample.X) == clf.predict_proba(sample.X)).all()
    assert again.get_params() == clf.get_params()


@settings(max_examples=40)
@given(samples(numbers=True), any_learner)
def test_training_rows_are_predicted_where_they_grew(sample: Sample, learner: Any) -> None:
    """Every row that a leaf counts ends there, unless it stayed behind while the tree grew."""
    clf = clone(learner).fit(sample.X, sample.y)
    tree = clf.tree_
    ends = np.bincount(clf.apply(sample.X), minlength=tree.n_nodes)
    leaves = tree.n_children == 0
    if learner.variant == "rpart":  # rows that nothing decides: rpart sends them elsewhere later
        assert (ends[leaves] >= tree.count[leaves]).all() or tree._table.spares() is not None
    else:
        assert (ends[leaves] == tree.count[leaves]).all()


@settings(max_examples=40)
@given(
    st.lists(st.tuples(*[st.integers(0, 5)] * 3, st.integers(0, 9)), min_size=2, max_size=30),
    st.sampled_from([[1, 0, -1], [1, 1, 0], [0, -1, -1]]),
    st.booleans(),
)
def test_answers_are_monotone_where_asked(rows: Any, signs: list[int], classes: bool) -> None:
    X = np.array([row[:3] for row in rows], dtype=float)
    y = np.array([row[3] for row in rows])
    model: Any = CARTClassifier if classes else CARTRegressor
    model = model(monotonic_cst=signs).fit(X, y > 4 if classes else y)
    for column, sign in enumerate(signs):
        steps = np.arange(-1, 7)
        for start in X[:10]:
            line = np.repeat(start[None], len(steps), axis=0)
            line[:, column] = steps
            said = model.predict_proba(line)[:, -1] if classes else model.predict(line)
            assert (sign * np.diff(said) >= -1e-12).all()


@settings(max_examples=40)
@given(samples(numbers=True, min_rows=2), st.data())
def test_priors_are_the_shares_of_the_root(sample: Sample, data: st.DataObject) -> None:
    found = sorted(set(sample.labels))
    parts = data.draw(st.lists(st.integers(1, 9), min_size=len(found), max_size=len(found)))
    priors = {label: part / sum(parts) for label, part in zip(found, parts, strict=True)}
    clf = CARTClassifier(priors=priors).fit(sample.X, sample.y)
    said = dict(zip(clf.schema_.classes, clf.tree_.value[0].tolist(), strict=True))
    assert all(abs(said[label] - priors[label]) < 1e-9 for label in found)


@settings(max_examples=40)
@given(samples(numbers=True, min_rows=2), st.data(), st.sampled_from(["direction", "surrogate"]))
def test_costs_change_answers_and_not_shares(
    sample: Sample, data: st.DataObject, missing: str
) -> None:
    """A tree with costs is the tree with its classes weighed by their costs; its shares are those without."""
    found = sorted(set(sample.labels))
    n = len(found)
    costs = data.draw(
        st.lists(st.lists(st.integers(1, 9), min_size=n, max_size=n), min_size=n, max_size=n)
    )
    matrix = np.array(costs, dtype=float) * (1 - np.eye(n))
    if n == 1:
        return
    clf = CARTClassifier(costs=matrix.tolist(), missing=missing).fit(sample.X, sample.y)
    prices = dict(zip(found, matrix.sum(axis=1).tolist(), strict=True))
    priced = CARTClassifier(class_weight=prices, missing=missing).fit(sample.X, sample.y)
    assert clf.tree_.n_nodes == priced.tree_.n_nodes
    assert clf.tree_.feature.tolist() == priced.tree_.feature.tolist()
    shares = clf.predict_proba(sample.X)
    answers = clf.predict(sample.X)
    expected = shares @ matrix
    chosen = expected[np.arange(len(answers)), np.searchsorted(clf.classes_, answers)]
    assert (chosen <= expected.min(axis=1) * (1 + 1e-9)).all()
    at = clf.apply(sample.X)
    labels = np.array(sample.labels)
    for leaf in set(at.tolist()):
        here = labels[at == leaf]
        if clf.tree_.n_children[leaf] == 0 and missing == "direction":
            real = [(here == label).mean() for label in clf.classes_]
            assert np.allclose(shares[at == leaf][0], real)
