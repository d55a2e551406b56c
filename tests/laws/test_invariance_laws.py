"""What must not matter does not: order of rows and columns, names of classes, weights or repeats."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.base import clone

from helpers.random_tables import Sample, few, samples, weights
from treewright import ID3Classifier, OneRClassifier, ZeroRClassifier, ZeroRRegressor, reference
from treewright.files import from_bytes, to_bytes
from treewright.table import Series, Table

any_learner = st.sampled_from(
    [ID3Classifier(), ID3Classifier(min_gain=0.1), OneRClassifier(min_bucket=2), ZeroRClassifier()]
)
fractions = st.sampled_from([0.1, 0.2, 0.3, 1 / 3, 0.7, 1.0, 2.5])


def renamed(tree: dict[str, Any], change: Any) -> dict[str, Any]:
    """Return a nested tree with other answers."""
    if "class" in tree:
        return tree | {"class": change(tree["class"])}
    ways = [[test, renamed(node, change)] for test, node in tree["branches"]]
    return tree | {"branches": ways}


# ---- rows


@few
@given(samples(numbers=True), any_learner, st.data())
def test_the_order_of_the_rows_does_not_matter(
    sample: Sample, learner: Any, data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(len(sample))))
    w = np.array(data.draw(st.lists(fractions, min_size=len(sample), max_size=len(sample))))
    other = sample.take(order)
    assert to_bytes(clone(learner).fit(sample.X, sample.y)) == to_bytes(
        clone(learner).fit(other.X, other.y)
    )
    here = to_bytes(clone(learner).fit(sample.X, sample.y, sample_weight=w))
    assert here == to_bytes(clone(learner).fit(other.X, other.y, sample_weight=w[order]))


@few
@given(st.lists(st.tuples(st.floats(-1e9, 1e9), fractions), min_size=1, max_size=20), st.data())
def test_the_order_of_numbers_does_not_matter(pairs: Any, data: st.DataObject) -> None:
    fits = [
        ZeroRRegressor().fit([[0]] * len(pairs), [y for y, _ in rows], [w for _, w in rows])
        for rows in (pairs, data.draw(st.permutations(pairs)))
    ]
    assert to_bytes(fits[0]) == to_bytes(fits[1])


@few
@given(samples(numbers=True), any_learner, st.data())
def test_a_weight_of_k_is_the_row_k_times(
    sample: Sample, learner: Any, data: st.DataObject
) -> None:
    counts = data.draw(weights(len(sample)))
    repeated = sample.take([i for i, count in enumerate(counts) for _ in range(count)])
    one = clone(learner).fit(sample.X, sample.y, sample_weight=counts)
    tree, bytes_of_shares = one.tree_.nested(), one.predict_proba(sample.X).tobytes()
    other = clone(learner).fit(repeated.X, repeated.y)
    assert other.tree_.nested() == tree
    assert other.predict_proba(sample.X).tobytes() == bytes_of_shares


@few
@given(samples(numbers=True), any_learner, st.data())
def test_a_weight_of_0_is_a_row_that_is_not_there(
    sample: Sample, learner: Any, data: st.DataObject
) -> None:
    present = data.draw(weights(len(sample), most=1))
    w = np.array(data.draw(st.lists(fractions, min_size=len(sample), max_size=len(sample))))
    kept = [i for i, here in enumerate(present) if here]
    part = sample.take(kept)
    with_zeros = to_bytes(clone(learner).fit(sample.X, sample.y, sample_weight=w * present))
    assert with_zeros == to_bytes(clone(learner).fit(part.X, part.y, sample_weight=w[kept]))


@few
@given(samples(numbers=True), any_learner)
def test_every_row_twice_changes_only_the_numbers_of_rows(sample: Sample, learner: Any) -> None:
    one = clone(learner).fit(sample.X, sample.y)
    shares, features = one.predict_proba(sample.X).tobytes(), one.tree_.feature.tolist()
    twice = sample.take([*range(len(sample))] * 2)
    if isinstance(learner, OneRClassifier):  # a bucket needs so many rows: twice as many of twice
        learner = OneRClassifier(min_bucket=2 * learner.min_bucket)
    other = clone(learner).fit(twice.X, twice.y)
    assert other.tree_.feature.tolist() == features
    assert other.predict_proba(sample.X).tobytes() == shares


@few
@given(samples(numbers=True), any_learner)
def test_row_by_row_is_the_batch_to_the_last_bit(sample: Sample, learner: Any) -> None:
    clf = clone(learner).fit(sample.X, sample.y)
    batch = clf.predict_proba(sample.X)
    for row in range(len(sample)):
        assert clf.predict_proba(sample.X[row]).tobytes() == batch[row].tobytes()
        assert clf.predict_proba([sample.rows[row]]).tobytes() == batch[row].tobytes()


# ---- columns


def has_ties(sample: Sample, tree: reference.Node, rows: list[int], asked: set[str]) -> bool:
    """Whether two columns have nearly the same gain at any node of the slow twin's tree."""
    if tree.attribute is None:
        return False
    part = sample.take(rows)
    gains = sorted(
        reference.gain(part.rows, part.labels, name)
        for name, values in sample.columns.items()
        if name not in asked and len(sample.levels[name] or set(values)) > 1
    )
    if len(gains) > 1 and gains[-1] - gains[-2] < 1e-6:
        return True
    asked = asked | {tree.attribute}
    return any(
        has_ties(
            sample, node, [i for i in rows if sample.columns[tree.attribute][i] == value], asked
        )
        for value, node in tree.branches.items()
        if node.cases
    )


@few
@given(samples(min_rows=8, max_rows=24, max_columns=3), st.data())
def test_the_order_of_the_columns_only_breaks_ties(sample: Sample, data: st.DataObject) -> None:
    levels = {name: known for name, known in sample.levels.items() if known}
    slow = reference.id3(sample.rows, sample.labels, levels=levels, min_gain=0.05)
    assume(not has_ties(sample, slow, list(range(len(sample))), set()))
    other = sample.select(data.draw(st.permutations(list(sample.columns))))
    learner = ID3Classifier(min_gain=0.05)
    tree = clone(learner).fit(sample.X, sample.y).tree_.nested()
    assert clone(learner).fit(other.X, other.y).tree_.nested() == tree


@few
@given(samples(numbers=True), any_learner, st.integers(0, 4))
def test_a_column_that_says_nothing_changes_nothing(
    sample: Sample, learner: Any, place: int
) -> None:
    plain = clone(learner).fit(sample.X, sample.y).tree_.nested()
    for idle in ([None] * len(sample), ["same"] * len(sample), [1] * len(sample)):
        series = [*sample.X.series]
        series.insert(place, Series.of("idle", idle))
        tree = clone(learner).fit(Table(series), sample.y).tree_.nested()
        # 1-R takes the first of equals: an idle column may win where no column helps.
        assert tree == plain or (isinstance(learner, OneRClassifier) and "class" in tree)


# ---- names


@few
@given(samples(numbers=True), any_learner, st.permutations(["p", "q", "r"]))
def test_other_names_for_the_classes_rename_the_answers(
    sample: Sample, learner: Any, names: list[str]
) -> None:
    change = dict(zip(sorted({*sample.labels, *(sample.classes or [])}), names, strict=False)).get
    other = sample.relabel(change)
    one = clone(learner).fit(sample.X, sample.y)
    tree, shares, classes = one.tree_.nested(), one.predict_proba(sample.X), one.classes_.tolist()
    two = clone(learner).fit(other.X, other.y)
    assert two.tree_.nested() == renamed(tree, change)
    order = [two.classes_.tolist().index(change(label)) for label in classes]
    assert two.predict_proba(other.X)[:, order].tobytes() == shares.tobytes()


@few
@given(samples(), any_learner)
def test_other_names_for_the_values_keep_the_answers(sample: Sample, learner: Any) -> None:
    """Renaming in such a way that their order stays as it was."""
    other = {name: [v and f"<{v}>" for v in values] for name, values in sample.columns.items()}
    levels = {n: known and [f"<{v}>" for v in known] for n, known in sample.levels.items()}
    X = Table([Series.of(n, v, levels=levels[n]) for n, v in other.items()])
    shares = clone(learner).fit(sample.X, sample.y).predict_proba(sample.X).tobytes()
    assert clone(learner).fit(X, sample.y).predict_proba(X).tobytes() == shares


# ---- bytes


@few
@given(samples(numbers=True), any_learner)
def test_one_model_has_one_byte_string(sample: Sample, learner: Any) -> None:
    clf = clone(learner).fit(sample.X, sample.y)
    data = to_bytes(clf)
    again = from_bytes(data)
    assert to_bytes(again) == data
    assert to_bytes(clone(learner).fit(sample.X, sample.y)) == data
    assert again.predict_proba(sample.X).tobytes() == clf.predict_proba(sample.X).tobytes()
    assert again.predict(sample.X).tolist() == clf.predict(sample.X).tolist()


# ---- among learners


@few
@given(samples(numbers=True))
def test_learners_that_see_more_make_no_more_training_errors(sample: Sample) -> None:
    def errors(learner: Any) -> int:
        return int(
            (clone(learner).fit(sample.X, sample.y).predict(sample.X) != sample.labels).sum()
        )

    assert errors(ID3Classifier()) <= errors(OneRClassifier()) <= errors(ZeroRClassifier())


@few
@given(samples(numbers=True), st.integers(1, 3))
def test_limits_hold(sample: Sample, depth: int) -> None:
    tree = ID3Classifier(max_depth=depth).fit(sample.X, sample.y).tree_
    assert tree.depth <= depth
    tree = ID3Classifier(min_samples_split=depth + 1).fit(sample.X, sample.y).tree_
    assert (tree.count[tree.n_children > 0] > depth).all()
    for least in (0, 0.1, 0.5):
        tree = ID3Classifier(min_gain=least).fit(sample.X, sample.y).tree_
        asked = tree.n_children > 0
        assert (tree.gain[asked] / tree.weight[asked] > least).all()
