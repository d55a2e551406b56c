"""Trees for the tests of the views: the tennis tree learnt, all others written node by node."""

from __future__ import annotations

from typing import Any

import numpy as np

from treewright import ID3Classifier, datasets
from treewright._core import STOP, Forest
from treewright.schema import Column, Schema
from treewright.tree import Tree

# Names that anybody's table may hold.
HOSTILE = (
    "</script><b onclick=x>",
    "a_b|<c>$",
    "\u202eשלום עולם",
    "👨‍👩‍👧 家族",
    "L" * 300,
    "new\nline\ttab\u2028",
    "\x1b[31mred\x07\x9b0m",
    "",
    " spaces ",
    "\ud800",
    "```|`[x](y)",
)

NUMBER = Column("petal width", "numeric")
LETTERS = Column("size", "categorical", tuple("ABCDEFGHIJKLMNOPQRS"))


def tennis() -> ID3Classifier:
    """Learn the tree of the textbook."""
    data = datasets.load("play-tennis")
    return ID3Classifier().fit(data.features, data.table.column(data.target))


def tree(schema: Schema, nodes: list[tuple[Any, ...]]) -> Tree:
    """Make a tree from its nodes in the order of the table.

    A node is (value, rows, cost) or (value, rows, cost, gain, feature, threshold or route, children, missing); rows
    may be a pair of rows and weight.
    """
    columns: dict[str, list[Any]] = {name: [] for name in DTYPES}
    following = 1
    for value, rows, cost, *question in nodes:
        gain, feature, way, children, missing = question or (0.0, 0, np.nan, 0, STOP)
        count, weight = rows if isinstance(rows, tuple) else (rows, rows)
        start = len(columns["route"]) if isinstance(way, list) else 0
        columns["value"].extend(value)
        columns["route"].extend(way if isinstance(way, list) else [])
        row = {
            "first_child": following if children else 0,
            "n_children": children,
            "feature": feature,
            "threshold": np.nan if isinstance(way, list) else way,
            "route_start": start,
            "missing": missing,
            "weight": weight,
            "count": count,
            "cost": cost,
            "gain": gain,
        }
        for name, item in row.items():
            columns[name].append(item)
        following += children
    arrays = {name: np.array(column, DTYPES[name]) for name, column in columns.items()}
    return from_arrays(schema, arrays)


def from_arrays(schema: Schema, arrays: dict[str, Any]) -> Tree:
    """Make a tree from the columns of its node table."""
    levels = [len(c.levels) if c.kind == "categorical" else None for c in schema.columns]
    outputs = max(1, len(schema.classes))
    return Tree(Forest.from_tables(levels, outputs, [arrays]), 0, schema)


DTYPES = {
    "first_child": np.uint32,
    "n_children": np.uint16,
    "feature": np.uint32,
    "threshold": np.float64,
    "route_start": np.uint32,
    "missing": np.uint16,
    "value": np.float64,
    "weight": np.float64,
    "count": np.uint64,
    "cost": np.float64,
    "gain": np.float64,
    "route": np.uint16,
}


def prices() -> Tree:
    """A regression tree with a numeric question, many categories on a branch, and a leaf without rows."""
    return tree(
        Schema((NUMBER, LETTERS), "price"),
        [
            ((152.25,), 200, 200 * 81.0, 200 * 30.0, 0, 0.8, 2, 0),
            ((100.5,), 80, 80 * 16.0),
            ((186.8,), 120, 120 * 40.0, 120 * 12.0, 1, [0] * 17 + [1, 2], 3, STOP),
            ((180.0,), 110, 110 * 20.0),
            ((250.0,), 10, 0.0),
            ((186.8,), 0, 0.0),
        ],
    )


def digits() -> Tree:
    """Ten classes, one column asked twice, a threshold of negative zero, a tie."""
    shares = np.arange(1, 11) / 55
    first = np.eye(10)[0]
    return tree(
        Schema((Column("x", "numeric"),), "digit", tuple(range(10))),
        [
            (shares, 550, 550 * 3.0, 550 * 0.5, 0, -0.0, 2, STOP),
            (first, 10, -0.0),
            ((shares * 550 - first * 10) / 540, 540, 540 * 2.0, 540 * 0.25, 0, 7.25, 2, 1),
            (np.full(10, 0.1), 100, 100 * 3.25),
            ((shares * 550 - first * 10 - 10) / 440, 440, 440 * 2.5),
        ],
    )


def hostile() -> Tree:
    """Every hostile name as column, category, class and target."""
    n = len(HOSTILE)
    columns = (
        Column(HOSTILE[0], "categorical", HOSTILE),
        Column(HOSTILE[4], "numeric"),
        Column(HOSTILE[6], "categorical", (True, 3.0, "missing")),
    )
    mixed = (np.full(n, 1 / n), n, n * 3.0)
    leaves = [(np.eye(n)[i], 1, 0.0) for i in range(2, n)]
    nodes = [
        (np.full(n, 1 / n), 2 * n + n - 2, 30.0, 9.0, 0, list(range(n)), n, STOP),
        (*mixed, 2.0, 1, 0.5, 2, STOP),
        (*mixed, 2.0, 2, [0, 0, 1], 2, 1),
        *leaves,
        *(mixed for _ in range(4)),
    ]
    return tree(Schema(columns, HOSTILE[5], HOSTILE), nodes)


def full(levels: int) -> Tree:
    """A complete binary tree over seven numeric columns."""
    n = 2**levels - 1
    node = np.arange(n)
    leaf = 2 * node + 1 >= n
    depth = np.floor(np.log2(node + 1)).astype(int)
    rows = 2 ** (levels - 1 - depth)
    right = 2 ** (levels - 1 - depth) // 2 + node % 2
    share = right / rows
    return _binary(np.where(leaf, 0, 2 * node + 1), rows, np.where(leaf, 0, depth % 7), share)


def chain(length: int) -> Tree:
    """A chain: each node has a leaf and the rest of the chain below it."""
    n = 2 * length + 1
    node = np.arange(n)
    branch = (node % 2 == 0) & (node < n - 1)
    rows = np.where(node % 2 == 0, (n - node + 1) // 2, 1)
    return _binary(np.where(branch, node + 1, 0), rows, np.zeros(n), np.where(node % 2, 1.0, 0.5))


def fan(branches: int) -> Tree:
    """A root with so many branches, the i-th of i rows."""
    rows = np.arange(branches)
    column = Column("town", "categorical", tuple(f"t{i}" for i in range(branches)))
    leaves = [((i % 2, 1 - i % 2), i, 0.0) for i in rows.tolist()]
    total = int(rows.sum())
    share = rows[1::2].sum() / total
    root = ((share, 1 - share), total, 1.0 * total, 1.0, 0, rows.tolist(), branches, STOP)
    return tree(Schema((column,), "answer", ("odd", "even")), [root, *leaves])


def _binary(first: Any, rows: Any, feature: Any, share: Any) -> Tree:
    n, leaf = len(first), first == 0
    columns = tuple(Column(f"c{i}", "numeric") for i in range(7))
    arrays = {
        "first_child": first,
        "n_children": np.where(leaf, 0, 2),
        "feature": feature,
        "threshold": np.where(leaf, np.nan, np.arange(n) / 2),
        "route_start": np.zeros(n),
        "missing": np.full(n, STOP),
        "value": np.column_stack([share, 1 - share]).ravel(),
        "weight": rows,
        "count": rows,
        "cost": rows * 0.5,
        "gain": np.where(leaf, 0.0, rows * 0.125),
        "route": np.zeros(0),
    }
    schema = Schema(columns, "quality", ("good", "bad"))
    return from_arrays(schema, {k: np.asarray(v).astype(DTYPES[k]) for k, v in arrays.items()})


def random_tree(seed: int, branches: int) -> Tree:
    """A tree of random shape over two numeric columns and one of categories, asked as often as it comes."""
    rng = np.random.default_rng(seed)
    columns = (
        Column("a", "numeric"),
        Column("b", "numeric"),
        Column("c", "categorical", tuple("uvwxyz")),
    )
    # First the shape: which nodes are branches, with how many children, level after level.
    plan: list[tuple[Any, ...]] = []
    waiting, left = 1, branches
    while waiting:
        waiting -= 1
        rows = int(rng.integers(1, 100))
        share = rows and int(rng.integers(0, rows + 1)) / rows
        node: tuple[Any, ...] = ((share, 1 - share), rows, 0.5 * rows)
        if left and (waiting == 0 or rng.random() < 0.6):
            left -= 1
            feature = int(rng.integers(0, 3))
            children = 2 if feature < 2 else int(rng.integers(2, 5))
            way: Any = float(rng.integers(-5, 6))
            if feature == 2:
                way = [*range(children), *(int(k) for k in rng.integers(0, children, 6 - children))]
            missing = int(rng.integers(0, children))
            node = (*node, 0.25 * rows, feature, way, children, missing)
            waiting += children
        plan.append(node)
    return tree(Schema(columns, "target", ("p", "q")), plan)
