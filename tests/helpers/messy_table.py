"""A table as people bring it: identifier, price in dollars, rate with decimal comma, comment, date, sizes, gaps."""

from __future__ import annotations

import numpy as np
import pandas as pd

__all__ = ["SIZES", "messy_frame"]

SIZES = ["S", "M", "L", "XL"]
WORDS = "good bad slow fast ok late great poor never again staff price box small large red blue"


def messy_frame(rows: int = 400, seed: int = 0) -> pd.DataFrame:
    """Return the table; the class depends on age, size, plan and rate."""
    random = np.random.default_rng(seed)
    age = random.integers(18, 90, rows).astype(float)
    place = random.choice(4, rows, p=[0.3, 0.3, 0.25, 0.15])
    plan = random.choice(["basic", "plus", "pro"], rows)
    rate = np.round(random.uniform(0, 20, rows), 1)
    comments = [" ".join(random.choice(WORDS.split(), random.integers(1, 5))) for _ in range(rows)]
    days = pd.Timestamp("2021-01-01") + pd.to_timedelta(random.integers(0, 1200, rows), "D")
    score = 0.04 * (age - 50) + 0.9 * place - 1.2 + 1.5 * (plan == "pro") - 0.12 * (rate - 10)
    churn = np.where(random.random(rows) < 1 / (1 + np.exp(-1.5 * score)), "yes", "no")
    frame = pd.DataFrame(
        {
            "customer id": [f"C{i:05d}" for i in range(rows)],
            "age": age,
            "income": np.round(random.lognormal(10, 0.5, rows), 2),
            "size": np.array(SIZES, dtype=object)[place],
            "plan": plan.astype(object),
            "price": [f"${price:,.2f}" for price in random.uniform(5, 3000, rows)],
            "zip": [f"{code:05d}" for code in random.permutation(99000)[:rows] + 501],
            "rate": [f"{x:.1f}".replace(".", ",") for x in rate],
            "comment": comments,
            "signup": days.strftime("%Y-%m-%d").astype(object),
            "churn": churn,
        }
    )
    for column, share in (
        ("age", 0.05),
        ("size", 0.05),
        ("plan", 0.05),
        ("rate", 0.05),
        ("signup", 0.03),
    ):
        gap = float("nan") if column == "age" else None
        frame.loc[random.random(rows) < share, column] = gap
    return frame
