"""Every node of a CART tree is what a splitter that tries everything and adds up everything anew would make.

The tables are small and full of ties, weights and missing values. The splitter calculates in fractions, without
rounding (entropy alone in floats). It follows the tree from the root: where two splits of a column are equally good the
tree may take either, but columns and cuts must be the first of equals.

`TREEWRIGHT_NAIVE=20000 pytest tests/agree/test_naive_splitter.py` tries as many tables.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest

from treewright import CARTClassifier, CARTRegressor
from treewright.table import Series, Table

TABLES = int(os.environ.get("TREEWRIGHT_NAIVE", "300"))
BATCHES = 10
TIE = 1e-9  # gains closer than this share of the node's impurity are equal

Rows = tuple[int, ...]
Division = tuple[Rows, ...]


@dataclass
class Trial:
    """A table, its target, and how a tree is grown from it."""

    columns: list[list[Any]]
    levels: list[int | None]
    target: list[int]
    weights: list[Fraction]
    criterion: str
    missing: str
    min_leaf: int
    min_split: int
    max_depth: int | None

    def fit(self) -> Any:
        series = [
            Series.of(f"c{i}", values, levels=None if levels is None else [*range(levels)])
            for i, (values, levels) in enumerate(zip(self.columns, self.levels, strict=True))
        ]
        kind: Any = CARTRegressor if self.criterion == "squared_error" else CARTClassifier
        model = kind(
            criterion=self.criterion,
            missing=self.missing,
            min_samples_leaf=self.min_leaf,
            min_samples_split=self.min_split,
            max_depth=self.max_depth,
        )
        return model.fit(Table(series), self.target, [float(w) for w in self.weights])

    def weight(self, rows: Rows) -> Fraction:
        return sum((self.weights[row] for row in rows), Fraction(0))

    def classes(self, rows: Rows) -> dict[int, Fraction]:
        found: dict[int, Fraction] = {}
        for row in rows:
            found[self.target[row]] = found.get(self.target[row], Fraction(0)) + self.weights[row]
        return found

    def cost(self, rows: Rows) -> Fraction | float:
        total = self.weight(rows)
        if not rows:
            return Fraction(0)
        if self.criterion == "gini":
            return total - sum(w * w for w in self.classes(rows).values()) / total
        if self.criterion == "entropy":
            return math.fsum(-float(w) * math.log2(w / total) for w in self.classes(rows).values())
        mean = sum(self.weights[row] * self.target[row] for row in rows) / total
        return sum(self.weights[row] * (self.target[row] - mean) ** 2 for row in rows)

    def left(self, division: Division) -> Fraction | float:
        return sum((self.cost(rows) for rows in division), Fraction(0))

    def apart(self, column: int, rows: Rows) -> tuple[Rows, Rows]:
        """Return the rows whose value is known, and those whose value is missing."""
        values = self.columns[column]
        known = tuple(row for row in rows if values[row] is not None)
        return known, tuple(row for row in rows if values[row] is None)

    def divisions(self, column: int, rows: Rows) -> Iterator[Division]:
        """Give every division of the rows that the column allows, in the order in which ties are decided."""
        known, absent = self.apart(column, rows)
        for low, high in self.halves(column, known):
            if not absent:
                yield low, high
            elif self.missing == "branch" and len(absent) >= self.min_leaf:
                yield low, high, absent
            else:
                yield low, merged(high, absent)
                yield merged(low, absent), high
        if known and absent:
            yield known, absent

    def halves(self, column: int, known: Rows) -> Iterator[tuple[Rows, Rows]]:
        values = self.columns[column]
        found = sorted({values[row] for row in known})
        if self.levels[column] is None:
            sides = [found[:i] for i in range(1, len(found))]
        else:  # the first level is in the first set
            rest = found[1:]
            sides = (
                [[found[0], *more] for n in range(len(rest)) for more in combinations(rest, n)]
                if found
                else []
            )
        for side in sides:
            low = tuple(row for row in known if values[row] in side)
            yield low, tuple(row for row in known if values[row] not in side)

    def best(self, column: int, rows: Rows) -> tuple[Any, Division] | None:
        allowed = [
            d for d in self.divisions(column, rows) if min(len(part) for part in d) >= self.min_leaf
        ]
        costs = [self.left(division) for division in allowed]
        if not costs:
            return None
        slack = 1e-12 * float(self.cost(rows)) if self.criterion == "entropy" else 0
        return next(
            (cost, d) for cost, d in zip(costs, allowed, strict=True) if cost <= min(costs) + slack
        )


def merged(one: Rows, other: Rows) -> Rows:
    return tuple(sorted(one + other))


def random_trial(random: np.random.Generator) -> Trial:
    criterion = str(random.choice(["gini", "entropy", "squared_error"]))
    rows, columns = int(random.integers(2, 13)), int(random.integers(1, 4))
    classes = int(random.integers(2, 5))
    min_leaf = int(random.choice([1, 1, 1, 2, 3]))
    levels = [int(random.integers(2, 6)) if random.random() < 0.5 else None for _ in range(columns)]
    lacking = random.choice([0, 0, 0.1, 0.3, 0.7])
    cells: list[list[Any]] = []
    for count in levels:
        values = random.integers(0, count or random.choice([2, 4, 20]), rows).tolist()
        cells.append([None if random.random() < lacking else value for value in values])
    weights = random.integers(1, 9, rows) if random.random() < 0.5 else np.full(rows, 4)
    return Trial(
        columns=cells,
        levels=levels,
        target=random.integers(0, classes, rows).tolist(),
        weights=[Fraction(int(w), 4) for w in weights],
        criterion=criterion,
        missing=str(random.choice(["direction", "branch"])),
        min_leaf=min_leaf,
        min_split=int(random.choice([2, 2, 4])),
        max_depth=None if random.random() < 0.8 else 2,
    )


def check(trial: Trial) -> int:
    """Follow the tree of a trial and compare every node; return how many there are."""
    tree = trial.fit().tree_
    open_nodes: list[tuple[int, int, Rows]] = [(0, 0, tuple(range(len(trial.target))))]
    seen = 0
    while open_nodes:
        node, depth, rows = open_nodes.pop()
        seen += 1
        check_leaf(trial, tree, node, rows)
        found = splits(trial, rows, depth)
        if tree.n_children[node] == 0:
            assert not found, (trial, node, found)
            continue
        division = check_split(trial, tree, node, rows, found)
        first = int(tree.first_child[node])
        open_nodes += [(first + i, depth + 1, part) for i, part in enumerate(division)]
    assert seen == tree.n_nodes
    return seen


def check_leaf(trial: Trial, tree: Any, node: int, rows: Rows) -> None:
    weight = trial.weight(rows)
    assert tree.count[node] == len(rows)
    assert tree.weight[node] == weight
    assert tree.cost[node] == pytest.approx(float(trial.cost(rows)), rel=1e-12, abs=1e-12)
    if tree.schema.classes:
        shares = [float(trial.classes(rows).get(c, 0) / weight) for c in tree.schema.classes]
        assert tree.value[node].tolist() == pytest.approx(shares, rel=1e-15)
    else:
        mean = sum(trial.weights[row] * trial.target[row] for row in rows) / weight
        assert tree.value[node, 0] == pytest.approx(float(mean), rel=1e-15, abs=1e-15)


def splits(trial: Trial, rows: Rows, depth: int) -> dict[int, tuple[Any, Division]]:
    """Return the best division by each column that has one; none where the node must be a leaf."""
    deep = trial.max_depth is not None and depth >= trial.max_depth
    if deep or len(rows) < trial.min_split or trial.cost(rows) <= 1e-12:
        return {}
    found = {column: trial.best(column, rows) for column in range(len(trial.columns))}
    return {column: best for column, best in found.items() if best is not None}


def check_split(
    trial: Trial, tree: Any, node: int, rows: Rows, found: dict[int, tuple[Any, Division]]
) -> Division:
    assert found, (trial, node)
    column = int(tree.feature[node])
    least = min(cost for cost, _ in found.values())
    equal = [c for c, (cost, _) in found.items() if cost <= least + TIE * float(trial.cost(rows))]
    assert column == equal[0], (trial, node)
    division = sent(trial, tree, node, column, rows)
    cost, first = found[column]
    assert float(trial.left(division)) == pytest.approx(float(cost), rel=1e-12, abs=1e-12)
    if trial.levels[column] is None:
        assert division == first, (trial, node)
        check_threshold(trial, tree, node, column, rows)
    gain = float(trial.cost(rows)) - float(cost)
    assert tree.gain[node] == pytest.approx(gain, rel=1e-9, abs=1e-9)
    check_rest(trial, tree, node, column, division)
    return division


def sent(trial: Trial, tree: Any, node: int, column: int, rows: Rows) -> Division:
    """Return the rows of each child, by the node table's own words."""
    parts: list[list[int]] = [[] for _ in range(tree.n_children[node])]
    for row in rows:
        value = trial.columns[column][row]
        if value is None:
            child = tree.missing[node]
        elif trial.levels[column] is None:
            child = int(value > tree.threshold[node])
        else:
            child = tree.route[tree.route_start[node] + value]
        parts[child].append(row)
    return tuple(tuple(part) for part in parts)


def check_threshold(trial: Trial, tree: Any, node: int, column: int, rows: Rows) -> None:
    known, _ = trial.apart(column, rows)
    found = sorted({trial.columns[column][row] for row in known})
    middles = [(low + high) / 2 for low, high in pairwise(found)]
    assert tree.threshold[node] in [*middles, math.inf]


def check_rest(trial: Trial, tree: Any, node: int, column: int, division: Division) -> None:
    """Check that values which the node never saw go with the heavier child, the second of two that weigh the same."""
    heavier = int(trial.weight(division[1]) >= trial.weight(division[0]))
    values = trial.columns[column]
    if not any(values[row] is None for part in division for row in part):
        assert tree.missing[node] == heavier
    if trial.levels[column] is not None:
        named = [any(values[row] is not None for row in part) for part in division[:2]]
        present = {values[row] for part in division for row in part}
        for level in set(range(trial.levels[column] or 0)) - present:
            child = tree.route[tree.route_start[node] + level]
            assert child == (heavier if named[heavier] else 1 - heavier)


@pytest.mark.parametrize("batch", range(BATCHES))
def test_every_node_is_what_trying_everything_makes(batch: int) -> None:
    random = np.random.default_rng(batch)
    nodes = sum(check(random_trial(random)) for _ in range(TABLES // BATCHES))
    assert nodes > 2 * TABLES // BATCHES  # the tables are worth dividing
