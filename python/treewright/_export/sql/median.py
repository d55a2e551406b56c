"""The value of the tree in the middle, in SQL: the first, in their order, that half of the weight has reached.

The weights are added one after the other in the order of the values, as the core does it; a sum over a window would be
shorter, but databases add its terms in orders of their own.
"""

from __future__ import annotations

from treewright._export.combined_model import CombinedModel, refuse
from treewright._export.sql.ctes import Layers
from treewright._export.sql.fractional_rows import divided
from treewright._export.sql.text import Words
from treewright._export.sql.tree import numbers

__all__ = ["median"]

TREES = 900  # two columns for each: SQLite bounds the columns of a SELECT by 2000
UNIONS = 400  # SELECTs in one: SQLite bounds them by 500
BLOCK = 25  # weights that are added in one layer, for each of which all before it are written out


def median(model: CombinedModel, words: Words) -> Layers:
    """Return layers of which the last one has the number as ``s0``."""
    layers, n = Layers(), len(model.trees)
    if n > TREES:
        reason = f"it takes the median of {n:,} trees"
        raise refuse("SQL", reason, f"a query has room for {TREES:,}")
    said = _said(layers, model, words)
    listed = [
        f"SELECT {said[i]} AS value, {words.number(model.scale(i))} AS weight, {i} AS tree FROM {layers.last}"
        for i in range(n)
    ]
    batches = [listed[i : i + UNIONS] for i in range(0, n, UNIONS)]
    for i, batch in enumerate(batches):
        layers.put(f"said{i}", "\n  UNION ALL ".join(batch))
    every = " UNION ALL ".join(f"SELECT * FROM said{i}" for i in range(len(batches)))
    order = "ROW_NUMBER() OVER (ORDER BY value, tree) AS place"
    layers.put("placed", f"SELECT value, weight, {order} FROM ({every}) AS every_tree")
    for letter, column in (("v", "value"), ("r", "weight")):
        picked = "MAX(CASE WHEN place = {0} THEN {1} END) AS {2}{0}"
        columns = [picked.format(i + 1, column, letter) for i in range(n)]
        layers.put(f"sorted_{column}s", f"SELECT {', '.join(columns)} FROM placed")
    _reach(layers, n)
    half = f"{words.number(0.5)} * r{n}"
    whens = " ".join(f"WHEN r{i} >= {half} THEN v{i}" for i in range(1, n))
    chosen = f"CASE {whens} ELSE v{n} END" if whens else f"v{n}"
    layers.put(layers.following, f"SELECT {chosen} AS s0 FROM {layers.last}, sorted_values")
    return layers


def _reach(layers: Layers, n: int) -> None:
    """Add layers in which ``r3`` becomes the sum of the first three weights."""
    for begin in range(2, n + 1, BLOCK):
        end = min(begin + BLOCK, n + 1)
        before = [f"r{i}" for i in range(1, begin)]
        added = [
            f"{' + '.join(f'r{j}' for j in range(begin - 1, i + 1))} AS r{i}"
            for i in range(begin, end)
        ]
        layers.add([*before, *added, *(f"r{i}" for i in range(end, n + 1))])


def _said(layers: Layers, model: CombinedModel, words: Words) -> list[str]:
    """Add a layer, or several, of what each tree says, and return the columns."""
    columns: list[str] = []
    if not model.divides:
        for tree, splits in enumerate(model.trees):
            columns.append(f"{numbers(splits, words, splits.tree.value[:, 0])} AS s{tree}")
        layers.add(columns)
    else:
        sums = [f"s{tree}" for tree in range(len(model.trees))]
        layers.add([f"{words.number(0)} AS {s}" for s in sums])
        for tree, splits in enumerate(model.trees):
            divided(layers, splits, words, sums, [(0, tree)])
    return [f"s{tree}" for tree in range(len(model.trees))]
