"""Models and rows for the tests of exports: random trees of every sort, and rows that ask the most of them.

The rows hold values exactly at thresholds and next to them, values never seen in training, and nothing at all. The
oracle is the core's own `predict`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpers.draw_trees import DTYPES
from treewright._core import SHARE, STOP, UNSEEN, Forest, grow
from treewright._export.combined_model import CombinedModel
from treewright._input.encoding import encode
from treewright._input.target import ClassTarget, NumberTarget
from treewright._learners.trees.cart_recipe import cart_recipe
from treewright._model.decision import decide
from treewright._model.paths.ordered_tests import OrderedTests
from treewright._model.table_builder import levels_of
from treewright._model.trees import Trees, smooth_forest
from treewright.schema import Column, Level, Schema
from treewright.table import MISSING, Series, Table
from treewright.tree import Tree

COLUMNS = (
    Column("a", "numeric"),
    Column("b width", "numeric"),
    Column("it's", "categorical", ("red", "green", 'b"lue', "o'range", "größe")),
    Column("d", "categorical", (1.0, 2.5, 3.0, -4.0)),
    Column("e", "categorical", (False, True)),
)
CLASSES = ("no", "yes", "per'haps")
SORTS = ("way", "stop", "branch", "share", "mixed")


@dataclass(frozen=True, eq=False)
class Example:
    """A model made of random trees, with rows for it."""

    schema: Schema
    forest: Forest
    table: Table

    @property
    def sum(self) -> CombinedModel:
        return CombinedModel.from_trees(Trees(self.forest, self.schema), "a random model")

    @property
    def says(self) -> NDArray[np.float64]:
        smooths = self.schema.smoothing is not None
        forest = smooth_forest(self.forest, self.schema) if smooths else self.forest
        return forest.predict(encode(self.table, self.schema))

    @property
    def answers(self) -> list[Level]:
        if not self.schema.classes:
            return list(self.says[:, 0].tolist())
        return [self.schema.classes[i] for i in decide(self.says, self.schema)]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows as dictionaries, None where a value is missing."""
        values = self.table.to_dict()
        return [dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True)]


def example(
    sort: str,
    seed: int,
    *,
    branches: int = 12,
    rows: int = 300,
    trees: int = 1,
    classes: tuple[Level, ...] = CLASSES,
    costs: tuple[tuple[float, ...], ...] = (),
    chain: bool = False,
    how: str = "mean",
    link: str = "identity",
) -> Example:
    """Make a model of random trees that treat missing values in one of the SORTS, and rows for it.

    Of sums there are as many as the link asks for: one tree for each of them in turn, of one number.
    """
    rng = np.random.default_rng([seed, SORTS.index(sort)])
    schema = Schema(COLUMNS, "target", classes, costs)
    outputs = 1 if how == "sum" else max(1, len(classes))
    tables = [random_tree(rng, outputs, sort, branches, chain) for _ in range(trees)]
    levels = [len(c.levels) if c.kind == "categorical" else None for c in COLUMNS]
    forest = Forest.from_tables(levels, outputs, tables)
    if how != "mean":
        sums = len(classes) if link == "softmax" else 1
        scales = (rng.random(trees) + 0.05).tolist()
        # Three trees with one scale: their votes are tied, and half of the weight is reached exactly.
        scales[:3] = scales[:1] * len(scales[:3])
        combine = {
            "how": how,
            "link": link,
            "base": rng.normal(0, 0.3, sums).tolist() if how == "sum" else [],
            "scales": scales,
            "targets": [i % sums for i in range(trees)] if how == "sum" and sums > 1 else [],
        }
        forest = Forest.joined([forest], combine)
    cuts = [Tree(forest, i, schema).threshold for i in range(trees)]
    return Example(schema, forest, random_rows(rng, np.concatenate(cuts), rows))


def random_tree(
    rng: np.random.Generator, outputs: int, sort: str, branches: int, chain: bool
) -> dict[str, NDArray[Any]]:
    """Make the columns of a node table of so many questions."""
    columns: dict[str, list[Any]] = {name: [] for name in DTYPES}
    following, waiting, left = 1, 1, branches
    while waiting:
        waiting -= 1
        asks = left > 0 and (waiting == 0 or (not chain and rng.random() < 0.6))
        question = random_question(rng, sort) if asks else (0, np.nan, [], 0, STOP)
        feature, cut, route, children, missing = question
        left -= asks
        shares = rng.integers(0, 4, outputs) + (rng.random(outputs) if rng.random() < 0.3 else 0)
        total = shares.sum()
        said = shares / total if total else np.eye(outputs)[0]
        # Numbers of all seventeen digits, some of them equal.
        columns["value"].extend((said if outputs > 1 else np.sqrt(shares) - 1.1).tolist())
        row = {
            "first_child": following if asks else 0,
            "n_children": children,
            "feature": feature,
            "threshold": cut,
            "route_start": len(columns["route"]) if route else 0,
            "missing": missing,
            # Children without weight take no part of a row that is divided.
            "weight": float(rng.integers(0, 9)),
            "count": int(rng.integers(0, 9)),
            "cost": 1.0,
            "gain": 0.5 if asks else 0.0,
        }
        columns["route"].extend(route)
        for name, item in row.items():
            columns[name].append(item)
        following += children
        waiting += children
    weights, first = columns["weight"], columns["first_child"]
    for node in reversed(range(len(weights))):
        if children := columns["n_children"][node]:
            weights[first[node]] = weights[first[node]] or 1.0
            weights[node] = sum(weights[first[node] : first[node] + children])
    return {name: np.array(column, DTYPES[name]) for name, column in columns.items()}


def random_question(rng: np.random.Generator, sort: str) -> tuple[int, float, list[int], int, int]:
    """Make a question: feature, threshold, route, children, missing."""
    word = str(rng.choice(SORTS[:4])) if sort == "mixed" else sort
    feature = int(rng.integers(len(COLUMNS)))
    if COLUMNS[feature].kind == "numeric":
        if word == "branch":
            known = rng.random() < 0.2
            return (feature, np.inf, [], 2, 1) if known else (feature, _cut(rng), [], 3, 2)
        way = {"way": int(rng.integers(2)), "stop": STOP, "share": SHARE}[word]
        return feature, _cut(rng), [], 2, way
    levels = len(COLUMNS[feature].levels)
    children = int(rng.integers(2, levels + 1))
    route = rng.permutation([*range(children), *rng.integers(0, children, levels - children)])
    more = rng.random(levels) < 0.15
    words = rng.choice([STOP, SHARE] if sort == "mixed" else [STOP], levels)
    kept = np.where(more, words, route).tolist()
    if word == "branch":
        return feature, np.nan, kept, children + 1, children
    way = {"way": int(rng.integers(children)), "stop": STOP, "share": SHARE}[word]
    return feature, np.nan, kept, children, way


def _cut(rng: np.random.Generator) -> float:
    # Round numbers, tenths whose doubles have no short form in binary, and all seventeen digits.
    return float(rng.choice([rng.integers(-3, 4), rng.integers(-30, 30) / 10, rng.normal() / 3]))


def random_rows(rng: np.random.Generator, cuts: NDArray[np.float64], rows: int) -> Table:
    """Make rows: at thresholds, just above, just below, anywhere, never seen, missing."""
    known = cuts[np.isfinite(cuts)]
    known = known if len(known) else np.zeros(1)
    series = []
    for column in COLUMNS:
        absent = rng.random(rows) < 0.15
        if column.kind == "numeric":
            at = rng.choice(known, rows)
            beside = np.nextafter(at, rng.choice([-np.inf, np.inf], rows))
            pick = rng.integers(0, 4, rows)
            data = np.select([pick < 2, pick == 2], [at, beside], rng.normal(0, 3, rows))
            series.append(Series(column.name, "numeric", np.where(absent, np.nan, data + 0.0)))
            continue
        unseen: dict[type, tuple[Level, ...]] = {str: ("Red", "purple"), float: (7.0,), bool: ()}
        levels = (*column.levels, *unseen[type(column.levels[0])])
        codes = rng.integers(0, len(levels), rows).astype(np.uint32)
        codes[absent] = MISSING
        series.append(Series(column.name, "categorical", codes, levels, declared=True))
    return Table(series)


def with_surrogates(variant: str, seed: int, *, classes: tuple[Level, ...] = CLASSES) -> Example:
    """Learn a tree whose questions have surrogates, from rows of which many lack values."""
    rng = np.random.default_rng(seed)
    schema = Schema(COLUMNS, "target", classes)
    table = random_rows(rng, rng.normal(0, 2, 40).round(1), 400)
    columns = encode(table, schema)
    for column in columns:
        if column.dtype == np.uint32:
            column[column == UNSEEN] = MISSING
    known = np.nan_to_num(columns[0]) + (columns[2] % 5) + rng.normal(0, 1, 400)
    labels = [CLASSES[i] for i in np.digitize(known, [-1.0, 1.0])]
    target: Any = NumberTarget.of(known)
    if classes:
        target = ClassTarget.of(Series.of("target", labels, levels=CLASSES))
    params = {"variant": variant, "missing": "surrogate", "min_samples_split": 20}
    recipe = cart_recipe(params, schema, target, None)
    said = (target.codes, len(CLASSES)) if classes else (target.values, None)
    forest = grow(recipe, levels_of(schema), columns, *said, None)
    tree = Tree(forest, 0, schema)
    assert OrderedTests(tree).has_surrogates
    return Example(schema, forest, random_rows(rng, tree.threshold, 300))


def learnt(model: Any, *, classes: int = 0, rows: int = 10_000) -> Example:
    """Fit a learner on random rows, of which many lack values; of so many classes, or of numbers."""
    rng = np.random.default_rng(5)
    table = random_rows(rng, rng.normal(0, 2, 40).round(1), 600)
    table = Table([known(series) for series in table.series])
    columns = [np.nan_to_num(series.data.astype(float), nan=0.5) % 7 for series in table.series]
    score = columns[0] * columns[2] - columns[1] + columns[3] + rng.normal(0, 0.5, len(table))
    numbers = np.exp(score / 8)
    cuts = np.quantile(score, [0.35, 0.7][: classes - 1])
    target = [CLASSES[i] for i in np.digitize(score, cuts)] if classes else numbers
    model.fit(table, target)
    trees = model.trees_ if hasattr(model, "trees_") else [model.tree_]
    cuts = np.concatenate([tree.threshold for tree in trees])
    return Example(model.schema_, model._forest, random_rows(rng, cuts, rows))


def known(series: Series) -> Series:
    """Return a column without values that its schema lacks."""
    if series.kind == "numeric":
        return series
    levels = next(column.levels for column in COLUMNS if column.name == series.name)
    data = np.where(series.data < len(levels), series.data, MISSING).astype(np.uint32)
    return Series(series.name, "categorical", data, levels, declared=True)
