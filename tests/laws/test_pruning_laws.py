"""Laws of pruning and of rules, on random tables with missing values and many ties.

The oracle of the cost-complexity path is a recursion that any textbook has: a subtree is worth its leaves or less.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.base import clone

from helpers.random_tables import Sample, few, samples, weights
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    RuleSetClassifier,
    prune,
    pruning_path,
)
from treewright._pruning.cost_complexity import risk_of
from treewright.files import to_bytes

# C4.5 divides rows with missing values among leaves, the others send them one way.
learners = st.sampled_from(
    [
        ID3Classifier(),
        C45Classifier(prune=None, min_cases=1),
        C45Classifier(prune=None, min_cases=0.5, categorical="groups"),
        C45Classifier(prune=None, min_cases=1, variant="j48"),
        CARTClassifier(),
        CARTClassifier(criterion="entropy", missing="surrogate"),
    ]
)
tables = samples(max_rows=24, numbers=True, min_rows=2)


def grown(sample: Sample, learner: Any) -> Any:
    return clone(learner).fit(sample.X, sample.y)


def wrong(model: Any, sample: Sample) -> int:
    return int((model.predict(sample.X) != np.array(sample.y.values())).sum())


def halves(sample: Sample, data: st.DataObject) -> tuple[Sample, Sample]:
    """Divide a sample; the second half has only classes of the first."""
    order = data.draw(st.permutations(range(len(sample))))
    first = sample.take(order[: (len(order) + 1) // 2])
    rest = [i for i in order[(len(order) + 1) // 2 :] if sample.labels[i] in first.labels]
    assume(rest)
    return first, sample.take(rest)


# ---- reduced error


@pytest.mark.slow
@given(tables, learners, st.data())
def test_reduced_error_never_raises_the_error_on_its_rows(
    sample: Sample, learner: Any, data: st.DataObject
) -> None:
    first, second = halves(sample, data)
    whole = grown(first, learner)
    small = prune(whole, "reduced_error", second.X, second.y)
    assert wrong(small, second) <= wrong(whole, second)
    assert small.tree_.n_leaves <= whole.tree_.n_leaves
    again = prune(small, "reduced_error", second.X, second.y)
    assert to_bytes(again) == to_bytes(small)


@few
@given(tables, learners, st.data())
def test_the_order_of_the_validation_rows_does_not_matter(
    sample: Sample, learner: Any, data: st.DataObject
) -> None:
    first, second = halves(sample, data)
    whole = grown(first, learner)
    other = second.take(data.draw(st.permutations(range(len(second)))))
    small = [prune(whole, "reduced_error", part.X, part.y) for part in (second, other)]
    assert to_bytes(small[0]) == to_bytes(small[1])


@few
@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(-4, 4)), min_size=2, max_size=20),
    st.lists(st.tuples(st.integers(0, 9), st.integers(-4, 4)), min_size=1, max_size=12),
)
def test_reduced_error_for_numbers(
    rows: list[tuple[int, int]], others: list[tuple[int, int]]
) -> None:
    model = CARTRegressor().fit([[x] for x, _ in rows], [float(y) for _, y in rows])
    X, y = [[x] for x, _ in others], np.array([float(y) for _, y in others])
    small = prune(model, "reduced_error", X, y)
    before, after = ((fitted.predict(X) - y) ** 2 for fitted in (model, small))
    assert after.sum() <= before.sum() + 1e-9
    assert to_bytes(prune(small, "reduced_error", X, y)) == to_bytes(small)


# ---- pruning twice


@few
@given(tables, learners, st.sampled_from([0.01, 0.25, 0.6]), st.sampled_from(["c4.5", "j48"]))
def test_pessimistic_pruning_twice_changes_nothing(
    sample: Sample, learner: Any, confidence: float, variant: str
) -> None:
    whole = grown(sample, learner)
    said: Any = {"confidence": confidence, "variant": variant}
    small = prune(whole, "pessimistic", **said)
    assert to_bytes(prune(small, "pessimistic", **said)) == to_bytes(small)
    raised = prune(whole, "pessimistic", sample.X, sample.y, **said)
    again = prune(raised, "pessimistic", sample.X, sample.y, **said)
    assert again.tree_.nested() == raised.tree_.nested()
    assert raised.tree_.weight[0] == whole.tree_.weight[0]


@few
@given(tables, learners, st.floats(0, 0.5), st.sampled_from(["impurity", "errors"]))
def test_a_price_twice_changes_nothing(
    sample: Sample, learner: Any, alpha: float, risk: str
) -> None:
    whole = grown(sample, learner)
    small = prune(whole, "cost_complexity", ccp_alpha=alpha, risk=risk)
    assert to_bytes(prune(small, "cost_complexity", ccp_alpha=alpha, risk=risk)) == to_bytes(small)


@few
@given(tables, learners)
def test_collapsing_changes_no_answer(sample: Sample, learner: Any) -> None:
    whole = grown(sample, learner)
    small = prune(whole, "collapse")
    assert to_bytes(prune(small, "collapse")) == to_bytes(small)
    if not (whole.tree_.missing[whole.tree_.n_children > 0] == 65535).any():  # no row is divided
        assert small.predict(sample.X).tolist() == whole.predict(sample.X).tolist()


# ---- the path


def cheapest(tree: Any, risk: np.ndarray, alpha: float) -> float:
    """Return the least cost of any pruning at a price, by the textbook's recursion."""
    best = risk + alpha
    for node in range(tree.n_nodes - 1, -1, -1):
        n = int(tree.n_children[node])
        if n:
            first = int(tree.first_child[node])
            best[node] = min(best[node], best[first : first + n].sum())
    return float(best[0])


@given(tables, learners, st.sampled_from(["impurity", "errors"]))
def test_every_tree_of_the_path_is_the_cheapest_at_its_prices(
    sample: Sample, learner: Any, by: str
) -> None:
    model = grown(sample, learner)
    path, risk = pruning_path(model, risk=by), risk_of(model.tree_, by)
    assert (np.diff(path.alpha) > 0).all()
    assert (np.diff(path.leaves) < 0).all()
    assert (np.diff(path.risk) >= -1e-12).all()
    assert path.leaves[-1] == 1
    ends = np.append(path.alpha[1:], path.alpha[-1] + 1)
    for i, (start, end) in enumerate(zip(path.alpha, ends, strict=True)):
        for alpha in (start, (start + end) / 2, end):
            cost = path.risk[i] + alpha * path.leaves[i]
            assert abs(cost - cheapest(model.tree_, risk, alpha)) < 1e-9
        small = prune(model, "cost_complexity", ccp_alpha=float(start), risk=by)
        assert small.tree_.n_leaves == path.leaves[i]


# ---- weights


def rounded(tree: dict[str, Any]) -> Any:
    """Return a tree with its figures to nine digits: parts of a row of weight 2 and of two rows differ a little."""
    if "branches" in tree:
        return tree["attribute"], [(test, rounded(node)) for test, node in tree["branches"]]
    return tree["class"], round(tree["cases"], 9), round(tree["errors"], 9)


@few
@given(tables, st.data())
def test_a_weight_of_two_is_the_row_twice(sample: Sample, data: st.DataObject) -> None:
    times = data.draw(weights(len(sample), most=2))
    repeated = sample.take([i for i, n in enumerate(times) for _ in range(n)])
    learner = C45Classifier(min_cases=1, confidence=0.1)
    weighted = clone(learner).fit(sample.X, sample.y, sample_weight=np.array(times, dtype=float))
    assert rounded(weighted.tree_.nested()) == rounded(grown(repeated, learner).tree_.nested())


# ---- rules


def meets(rule: Any, row: dict[str, Any]) -> bool:
    """Ask a row the conditions of a rule, one by one."""
    for c in rule.conditions:
        value = row[c.column]
        if value is None:
            return False
        if c.levels is not None:
            if value not in c.levels:
                return False
        elif (c.low is not None and value <= c.low) or (c.high is not None and value > c.high):
            return False
    return True


@given(tables, st.floats(0.05, 0.9))
def test_rules_answer_as_they_read(sample: Sample, confidence: float) -> None:
    model = RuleSetClassifier(confidence=confidence, min_cases=1).fit(sample.X, sample.y)
    rules = model.rules_
    first = [
        next((i for i, r in enumerate(rules) if meets(r, row)), len(rules)) for row in sample.rows
    ]
    assert model.apply(sample.X).tolist() == first
    said = [rules[i].answer if i < len(rules) else rules.default for i in first]
    assert model.predict(sample.X).tolist() == said
    for rule in rules:
        covered = [
            label for row, label in zip(sample.rows, sample.labels, strict=True) if meets(rule, row)
        ]
        assert rule.rows == len(covered)
        assert rule.right == covered.count(rule.answer)


@few
@given(tables, st.data())
def test_the_order_of_the_rows_does_not_matter_to_rules(
    sample: Sample, data: st.DataObject
) -> None:
    other = sample.take(data.draw(st.permutations(range(len(sample)))))
    learner = RuleSetClassifier(min_cases=1)
    assert to_bytes(grown(sample, learner)) == to_bytes(grown(other, learner))
