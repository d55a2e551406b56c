"""The AUC of boosting and of LightGBM on four tables, averaged over five seeds.

``TREEWRIGHT_ADULT`` is the path of the adult table; without it, the other tables are compared. The seed determines the
table or the test rows. Differences of a thousandth need several seeds.
"""

import os
import warnings
from collections.abc import Iterator

import numpy as np
from lightgbm import LGBMClassifier
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from tables import cover_like, higgs_like
from timing import OURS, report

from treewright import GradientBoostingClassifier, read_csv

SEEDS = range(5)
Split = tuple[object, np.ndarray, object, np.ndarray]


def higgs(seed: int, rows: int = 1_000_000) -> Split:
    """Return a continuous table."""
    X, score = higgs_like(rows + 50_000, seed)
    y = score > np.median(score)
    return X[:rows], y[:rows], X[rows:], y[rows:]


def cover(seed: int) -> Split:
    """Return a table of whole numbers; the second class against all others."""
    X, classes = cover_like(120_000, seed)
    y = classes == 1
    return X[:80_000], y[:80_000], X[80_000:], y[80_000:]


def cancer(seed: int) -> Split:
    """Return a small table, half of it for testing."""
    X, y = load_breast_cancer(return_X_y=True)
    order = np.random.default_rng(seed).permutation(len(y))
    learn, test = order[: len(y) // 2], order[len(y) // 2 :]
    return X[learn], y[learn], X[test], y[test]


def adult(seed: int) -> Split:
    """Return a table with categories and gaps."""
    table = read_csv(os.environ["TREEWRIGHT_ADULT"])
    frame = table.to_pandas()
    y = frame.pop(frame.columns[-1]).astype(str).to_numpy()
    y = y == np.unique(y)[1]
    for name in frame.select_dtypes(exclude="number").columns:
        frame[name] = frame[name].astype("category")
    order = np.random.default_rng(seed).permutation(len(y))
    learn, test = order[: len(y) * 2 // 3], order[len(y) * 2 // 3 :]
    return frame.iloc[learn], y[learn], frame.iloc[test], y[test]


def areas(tables: object) -> Iterator[tuple[float, float]]:
    """Give our area and LightGBM's for each seed."""
    for seed in SEEDS:
        X, y, test, truth = tables(seed)
        models = (
            GradientBoostingClassifier(random_state=seed),
            LGBMClassifier(n_estimators=100, verbose=-1, random_state=seed),
        )
        yield tuple(
            float(roc_auc_score(truth, model.fit(X, y).predict_proba(test)[:, 1]))
            for model in models
        )


warnings.filterwarnings("ignore")
tables = {"higgs_like": higgs, "cover_like": cover, "breast cancer": cancer}
if "TREEWRIGHT_ADULT" in os.environ:
    tables["adult"] = adult
areas_by_table = {name: np.array(list(areas(table))) for name, table in tables.items()}
for name, pairs in areas_by_table.items():
    print(f"{name}: ours {pairs[:, 0].mean():.5f}, LightGBM {pairs[:, 1].mean():.5f}", flush=True)
least = min(float((pairs[:, 0] - pairs[:, 1]).mean()) for pairs in areas_by_table.values())
report(
    "boosting_quality",
    "area under the curve beside LightGBM, mean of five seeds",
    {},
    {},
    areas={
        name: dict(zip((OURS, "LightGBM"), pairs.T.tolist(), strict=True))
        for name, pairs in areas_by_table.items()
    },
    promise="kept: within 0.001" if least > -0.001 else "MISSED: within 0.001",
)
