"""CART with `variant="rpart"` keeps rpart's rules where its golden files do not reach: priors, costs, weights, levels.

The oracle is `rpart_twin.py`. Tables on which two splits are equally good are passed over; there are few.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from helpers.rpart_twin import Node, TieError, Twin
from treewright import CARTClassifier, CARTRegressor
from treewright.table import Series, Table

TABLES = 60


def random_columns(random: np.random.Generator, rows: int) -> list[list[Any]]:
    columns: list[list[Any]] = []
    for i in range(int(random.integers(2, 5))):
        # The first is complete: rpart drops rows without a single value.
        lacking = random.random(rows) < (random.choice([0, 0.15, 0.3]) if i else 0)
        if random.random() < 0.3:
            values: list[Any] = random.choice(list("abcd"), rows).tolist()
        else:
            values = random.normal(size=rows).round(2).tolist()
        columns.append([None if lost else v for v, lost in zip(values, lacking, strict=True)])
    return columns


def models(random: np.random.Generator, classes: int) -> tuple[Any, Table, Any, Any, Twin]:
    rows = int(random.integers(12, 40))
    columns = random_columns(random, rows)
    w = random.uniform(0.5, 2, rows)
    limits = {"minsplit": int(random.integers(2, 9)), "minbucket": int(random.integers(1, 4))}
    cp, surrogates = float(random.choice([0, 0.013, 0.051])), int(random.choice([0, 1, 5]))
    given: dict[str, Any] = {
        "variant": "rpart",
        "min_samples_split": limits["minsplit"],
        "min_samples_leaf": limits["minbucket"],
        "complexity": cp,
        "max_surrogates": surrogates,
    }
    prior, costs, y = (
        np.ones(max(classes, 1)),
        1 - np.eye(max(classes, 1)),
        random.normal(size=rows),
    )
    kind: Any = CARTRegressor
    if classes:
        kind, y = (
            CARTClassifier,
            np.append(np.arange(classes), random.integers(0, classes, rows - classes)),
        )
        if random.random() < 0.5:
            given["priors"] = random.dirichlet(np.full(classes, 5.0))
            prior = given["priors"] / (np.bincount(y, w) / w.sum())
        if random.random() < 0.5:
            costs = costs * random.uniform(0.5, 3, costs.shape)
            given["costs"] = costs
    twin = Twin(columns, y, w, classes, prior, costs, **limits, cp=cp, maxsurrogate=surrogates)
    table = Table([Series.of(f"c{i}", values) for i, values in enumerate(columns)])
    return kind(**given), table, y, w, twin


def check_same(tree: Any, node: int, twin: Node, costs: np.ndarray) -> None:
    assert tree.count[node] == len(twin.rows)
    if tree.schema.classes:
        risk = (tree.value[node] * tree.weight[node]) @ costs
        assert risk.min() == pytest.approx(twin.dev, rel=1e-9, abs=1e-9)
        assert tree.answers[node] == twin.says
    else:
        assert tree.cost[node] == pytest.approx(twin.dev, rel=1e-9, abs=1e-9)
        assert tree.value[node, 0] == pytest.approx(twin.says, rel=1e-9, abs=1e-10)
    assert (tree.n_children[node] == 0) == (twin.column is None)
    if twin.column is None:
        return
    assert tree.feature[node] == twin.column
    first = tree.branches(node)[0]
    value = first.value if isinstance(first.value, (float, tuple)) else (first.value,)
    assert value == (pytest.approx(twin.cut) if isinstance(twin.cut, float) else twin.cut)
    ours = [
        (f"c{c}", pytest.approx(agree), pytest.approx(adj)) for c, agree, adj in twin.surrogates
    ]
    assert [(s.branches[0].column, s.agreement, s.adjusted) for s in tree.surrogates(node)] == ours
    for i, child in enumerate(twin.children):
        check_same(tree, int(tree.first_child[node]) + i, child, costs)


@pytest.mark.parametrize("classes", [0, 2, 3])
def test_the_tree_is_that_of_the_rules(classes: int) -> None:
    random = np.random.default_rng(classes)
    nodes = ties = 0
    for _ in range(TABLES):
        model, table, y, w, twin = models(random, classes)
        try:
            root, _, _ = twin.grow(list(range(len(y))), np.inf)
        except TieError:
            ties += 1
            continue
        tree = model.fit(table, y, w).tree_
        check_same(tree, 0, root, twin.costs)
        nodes += tree.n_nodes
    assert ties < TABLES / 2
    assert nodes > 3 * TABLES
