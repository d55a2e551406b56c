"""Models of LightGBM and XGBoost predict here what they predicted there: ``make_models.py`` recorded it.

XGBoost adds in single precision. The largest difference of a prediction is checked; the classes are the same.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import treewright as tw
from treewright.errors import ModelFileError, TreewrightError, UsageError

FOLDER = Path(__file__).parents[1] / "data" / "interchange"
RECORDED = np.load(FOLDER / "predictions.npz")
LIGHTGBM = sorted(path.stem for path in FOLDER.glob("lightgbm-*.txt"))
XGBOOST = sorted(path.stem for path in FOLDER.glob("xgboost-*.json"))


def rows() -> pd.DataFrame:
    color = pd.Categorical.from_codes(RECORDED["color"], list("abcdef"))
    return pd.DataFrame({"a": RECORDED["a"], "b": RECORDED["b"], "color": color})


def predictions(model: Any, name: str) -> Any:
    if "binary" in name:
        return model.predict_proba(rows())[:, 1]
    return model.predict_proba(rows()) if "multi" in name else model.predict(rows())


def test_there_are_models() -> None:
    assert len(LIGHTGBM) == 6
    assert len(XGBOOST) == 5


@pytest.mark.parametrize("name", LIGHTGBM)
def test_lightgbm(name: str) -> None:
    ours, theirs = predictions(tw.from_lightgbm(FOLDER / f"{name}.txt"), name), RECORDED[name]
    if name in ("lightgbm-regression", "lightgbm-forest", "lightgbm-no-missing"):
        assert np.array_equal(ours, theirs)
    assert np.allclose(ours, theirs, rtol=3e-15, atol=0)


@pytest.mark.parametrize("name", XGBOOST)
def test_xgboost(name: str) -> None:
    ours, theirs = predictions(tw.from_xgboost(FOLDER / f"{name}.json"), name), RECORDED[name]
    assert np.allclose(ours, theirs, rtol=2e-6, atol=1e-6)
    if "multi" in name:
        assert np.array_equal(ours.argmax(axis=1), theirs.argmax(axis=1))


def test_numbers_at_the_thresholds_of_xgboost() -> None:
    model = tw.from_xgboost(FOLDER / "xgboost-regression.json")
    tree = json.loads((FOLDER / "xgboost-regression.json").read_text("utf-8"))
    tree = tree["learner"]["gradient_booster"]["model"]["trees"][0]
    cut, column = np.float32(tree["split_conditions"][0]), tree["split_indices"][0]
    if column == 2:
        pytest.skip("the first split is of categories")
    below = np.nextafter(cut, np.float32(-np.inf))
    row = {"a": [0.0] * 2, "b": [0.0] * 2, "color": ["a"] * 2}
    row["ab"[column]] = [float(below), float(cut)]
    visited, _ = model.decision_path(pd.DataFrame(row))
    assert visited[:, 1:3].toarray().tolist() == [[1, 0], [0, 1]]  # nodes 1 and 2: left and right


def test_a_category_that_training_never_saw_goes_as_in_lightgbm() -> None:
    model = tw.from_lightgbm(FOLDER / "lightgbm-regression.txt")
    table = {"a": [0.5, 0.5], "b": [0.5, 0.5], "color": [None, "violet"]}
    missing, unseen = model.predict(table)
    assert missing == unseen  # both go right at every test of categories


@pytest.mark.parametrize("name", ["lightgbm-multiclass", "xgboost-binary"])
def test_files_and_exports(name: str, tmp_path: Path) -> None:
    convert, end = (tw.from_lightgbm, "txt") if "light" in name else (tw.from_xgboost, "json")
    model = convert((FOLDER / f"{name}.{end}").read_text("utf-8"))
    tw.save(model, tmp_path / "model.tree")
    assert np.array_equal(tw.load(tmp_path / "model.tree").predict(rows()), model.predict(rows()))
    assert "def predict" in tw.export(model, "python")
    assert "contribution" in str(tw.explain(model, rows().iloc[[0]]))


def test_sources_that_are_no_models(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"{L\x00\xff\xfe")
    for convert in (tw.from_lightgbm, tw.from_xgboost):
        for source in ("", "no\nmodel", "{}", "[[", tmp_path / "binary", tmp_path, 5, b"\xff"):
            with pytest.raises(ModelFileError):
                convert(source)
    with pytest.raises(ModelFileError, match="there is no file"):
        tw.from_lightgbm(tmp_path / "none.txt")


def test_objectives_that_are_unknown() -> None:
    text = (FOLDER / "lightgbm-regression.txt").read_text("utf-8")
    with pytest.raises(UsageError, match="objective 'lambdarank'"):
        tw.from_lightgbm(text.replace("objective=regression", "objective=lambdarank"))
    text = (FOLDER / "xgboost-regression.json").read_text("utf-8")
    with pytest.raises(UsageError, match="objective 'rank:map'"):
        tw.from_xgboost(text.replace("reg:squarederror", "rank:map"))


@pytest.mark.parametrize("name", ["lightgbm-binary.txt", "xgboost-multiclass.json"])
def test_damaged_text_is_an_error_or_a_model(name: str) -> None:
    text = (FOLDER / name).read_text("utf-8")
    text = text.split("\nparameters:")[0]
    convert = tw.from_lightgbm if "light" in name else tw.from_xgboost
    chance, refused = random.Random(0), 0
    for _ in range(150):
        start = chance.randrange(len(text))
        piece = chance.choice(
            ["", "-", "9", "1e999", "nan", " ", "[", "\n", "99999999999", "-1 -1"]
        )
        damaged = text[:start] + piece + text[start + chance.randrange(6) :]
        try:
            convert(damaged)
        except TreewrightError:
            refused += 1
    assert refused > 50


def test_an_infinite_threshold_of_lightgbm_divides_known_from_missing() -> None:
    text = (FOLDER / "lightgbm-regression.txt").read_text("utf-8")
    head = text[: text.index("Tree=0")].replace("tree_sizes", "sizes")
    tree = """Tree=0
num_leaves=2
num_cat=0
split_feature=0
split_gain=5
threshold=inf
decision_type=8
left_child=-1
right_child=-2
leaf_value=1 2

end of trees
"""
    tail = text[text.index("feature_importances") :]
    model = tw.from_lightgbm(head + tree + tail)
    table = {"a": [1e300, None, -1.0], "b": [0.0] * 3, "color": ["a"] * 3}
    assert model.predict(table).tolist() == [1.0, 2.0, 1.0]
    assert "a known?" in str(tw.show(model, tree=0))
    with pytest.raises(ModelFileError):
        tw.from_lightgbm(head + tree.replace("inf", "-inf") + tail)
