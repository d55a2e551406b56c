"""Ranking 100 columns of 1,000,000 rows, half numbers and half categories, some missing."""

import numpy as np
import pandas as pd
from timing import in_turn, report

from treewright import rank_columns

ROWS = 1_000_000


def table() -> tuple[pd.DataFrame, np.ndarray]:
    """Return 50 columns of numbers, 50 of categories with 2 to 500 levels, and two classes."""
    rng = np.random.default_rng(0)
    columns = {}
    for j in range(50):
        columns[f"n{j}"] = rng.standard_normal(ROWS)
    score = columns["n0"] + 0.5 * columns["n1"] + rng.standard_normal(ROWS)
    for j in range(0, 50, 5):
        columns[f"n{j}"][rng.random(ROWS) < 0.05] = np.nan
    for j, levels in enumerate(rng.integers(2, 500, 50).tolist()):
        codes = rng.integers(0, levels, ROWS)
        if j % 5 == 0:
            codes[rng.random(ROWS) < 0.05] = -1
        columns[f"c{j}"] = pd.Categorical.from_codes(codes, [f"v{i}" for i in range(levels)])
    return pd.DataFrame(columns), (score > 0).astype(np.int64)


X, y = table()
for name, settings in {"rank": {}, "rank_mdl": {"numeric": "mdl"}}.items():
    seconds, fitted = in_turn({"treewright": lambda s=settings: rank_columns(X, y, "gain", **s)})
    what = "by one cut" if name == "rank" else "by description length"
    report(
        name,
        f"rank 100 mixed columns of {ROWS:,} rows {what}",
        seconds,
        {"treewright": 3.0},
        best=fitted["treewright"].names[0],
    )
