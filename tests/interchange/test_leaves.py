"""Every row ends in the leaf where LightGBM and XGBoost send it: 10,000 rows, recorded by ``make_models.py``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import treewright as tw
from treewright._interchange.lightgbm_text import parse_text, tree_nodes
from treewright._interchange.node_tables import order_by_level
from treewright._model.table_builder import levels_of

FOLDER = Path(__file__).parents[1] / "data" / "interchange"
RECORDED = np.load(FOLDER / "leaves.npz")


def rows() -> pd.DataFrame:
    color = pd.Categorical.from_codes(RECORDED["color"], list("abcdef"))
    return pd.DataFrame({"a": RECORDED["a"], "b": RECORDED["b"], "color": color})


def leaves(model: Any) -> Any:
    """Return the leaf of each row in each tree, with the numbers of this package."""
    ends = np.asarray(model.apply(rows()))
    return ends if ends.ndim == 2 else ends[:, None]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("xgboost-*.json")), ids=lambda path: path.stem)
def test_xgboost(path: Path) -> None:
    learner = json.loads(path.read_text("utf-8"))["learner"]
    booster = learner["gradient_booster"]
    trees = booster.get("gbtree", booster)["model"]["trees"]
    ours, theirs = leaves(tw.from_xgboost(path)), RECORDED[path.stem]
    assert ours.shape == theirs.shape == (10_000, len(trees))
    for i, tree in enumerate(trees):
        order = order_by_level(np.array(tree["left_children"]), np.array(tree["right_children"]))
        assert np.array_equal(order[ours[:, i]], theirs[:, i])


@pytest.mark.parametrize("path", sorted(FOLDER.glob("lightgbm-*.txt")), ids=lambda path: path.stem)
def test_lightgbm(path: Path) -> None:
    model = tw.from_lightgbm(path)
    text = parse_text(path.read_text("utf-8"))
    ours, theirs = leaves(model), RECORDED[path.stem]
    assert ours.shape == theirs.shape == (10_000, len(text.trees))
    for i, tree in enumerate(text.trees):
        nodes = tree_nodes(tree, levels_of(model.schema_))
        order = order_by_level(nodes.left, nodes.right)
        # LightGBM numbers the leaves alone; the inner nodes come before them.
        assert np.array_equal(order[ours[:, i]] - (int(tree["num_leaves"]) - 1), theirs[:, i])
