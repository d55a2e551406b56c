"""The weighted median of the trees in SQL: the first value, in ascending order, at which half of the weight is reached.

The weights are added one after the other in the order of the values, as in the core. A window sum would be shorter, but
databases add its terms in other orders.
"""

from __future__ import annotations

from treewright._export.combined_model import CombinedModel, refuse
from treewright._export.sql.ctes import Ctes
from treewright._export.sql.fractional_rows import add_fractional_rows
from treewright._export.sql.text import Dialect
from treewright._export.sql.tree import write_numbers

__all__ = ["combine_by_median"]

MAX_TREES = 900  # two columns each: SQLite has at most 2000 in a SELECT
MAX_UNIONS = 400  # SELECTs in a UNION: SQLite has at most 500
BLOCK = 25  # weights that one expression adds; each sum is written out in full


def combine_by_median(model: CombinedModel, sql: Dialect) -> Ctes:
    """Return expressions of which the last one has the number as ``s0``."""
    ctes, n = Ctes(), len(model.trees)
    if n > MAX_TREES:
        reason = f"it takes the median of {n:,} trees"
        raise refuse("SQL", reason, f"a query has room for {MAX_TREES:,}")
    outputs = _add_outputs(ctes, model, sql)
    selects = [
        f"SELECT {outputs[i]} AS value, {sql.number(model.scale(i))} AS weight, {i} AS tree FROM {ctes.last}"
        for i in range(n)
    ]
    batches = [selects[i : i + MAX_UNIONS] for i in range(0, n, MAX_UNIONS)]
    for i, batch in enumerate(batches):
        ctes.add_named(f"outputs{i}", "\n  UNION ALL ".join(batch))
    every = " UNION ALL ".join(f"SELECT * FROM outputs{i}" for i in range(len(batches)))
    order = "ROW_NUMBER() OVER (ORDER BY value, tree) AS place"
    ctes.add_named("placed", f"SELECT value, weight, {order} FROM ({every}) AS every_tree")
    for letter, column in (("v", "value"), ("r", "weight")):
        picked = "MAX(CASE WHEN place = {0} THEN {1} END) AS {2}{0}"
        columns = [picked.format(i + 1, column, letter) for i in range(n)]
        ctes.add_named(f"sorted_{column}s", f"SELECT {', '.join(columns)} FROM placed")
    _add_cumulative_weights(ctes, n)
    half = f"{sql.number(0.5)} * r{n}"
    whens = " ".join(f"WHEN r{i} >= {half} THEN v{i}" for i in range(1, n))
    chosen = f"CASE {whens} ELSE v{n} END" if whens else f"v{n}"
    ctes.add_named(ctes.next_name, f"SELECT {chosen} AS s0 FROM {ctes.last}, sorted_values")
    return ctes


def _add_cumulative_weights(ctes: Ctes, n: int) -> None:
    """Add expressions in which ``r3`` becomes the sum of the first three weights."""
    for begin in range(2, n + 1, BLOCK):
        end = min(begin + BLOCK, n + 1)
        before = [f"r{i}" for i in range(1, begin)]
        added = [
            f"{' + '.join(f'r{j}' for j in range(begin - 1, i + 1))} AS r{i}"
            for i in range(begin, end)
        ]
        ctes.add([*before, *added, *(f"r{i}" for i in range(end, n + 1))])


def _add_outputs(ctes: Ctes, model: CombinedModel, sql: Dialect) -> list[str]:
    """Add the output of each tree, and return the columns."""
    outputs = [f"s{tree}" for tree in range(len(model.trees))]
    if not model.divides:
        values = (write_numbers(splits, sql, splits.tree.outputs[:, 0]) for splits in model.trees)
        ctes.add([f"{value} AS {s}" for value, s in zip(values, outputs, strict=True)])
        return outputs
    ctes.add([f"{sql.number(0)} AS {s}" for s in outputs])
    for tree, splits in enumerate(model.trees):
        add_fractional_rows(ctes, splits, sql, outputs, [(0, tree)])
    return outputs
