"""``treewright import``: files of LightGBM, XGBoost and ONNX become model files; other files are refused."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

import treewright as tw
from treewright.cli.main import cli

FOLDER = Path(__file__).parents[1] / "data" / "interchange"


@pytest.mark.parametrize("name", ["lightgbm-regression.txt", "xgboost-binary.json"])
def test_import(name: str, tmp_path: Path) -> None:
    shutil.copy(FOLDER / name, tmp_path)
    result = CliRunner().invoke(cli, ["import", str(tmp_path / name)])
    assert result.exit_code == 0
    convert = tw.from_lightgbm if name.startswith("light") else tw.from_xgboost
    model = tw.load((tmp_path / name).with_suffix(".tree"))
    table = {"a": [0.5, None], "b": [1.0, -1.0], "color": ["b", None]}
    assert model.predict(table).tolist() == convert(FOLDER / name).predict(table).tolist()


def test_import_of_onnx(tmp_path: Path) -> None:
    shutil.copy(FOLDER / "lightgbm-two.onnx", tmp_path / "model.bin")
    result = CliRunner().invoke(cli, ["import", str(tmp_path / "model.bin")])
    assert result.exit_code == 0
    model = tw.load(tmp_path / "model.tree")
    assert type(model).__name__ == "GradientBoostingClassifier"
    rows = [[0.5, None, 1.0, 2.0]]
    expected = tw.from_onnx(FOLDER / "lightgbm-two.onnx").predict_proba(rows)
    assert model.predict_proba(rows).tolist() == expected.tolist()


def test_a_file_that_is_no_model(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("a,b\n1,2\n", "utf-8")
    result = CliRunner().invoke(cli, ["import", str(tmp_path / "table.csv")])
    assert result.exit_code == 4
    assert "interchange.damaged" in result.stderr
    assert not (tmp_path / "table.tree").exists()
