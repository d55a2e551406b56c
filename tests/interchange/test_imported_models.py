"""What people do with a model of another library: views, explanations, work, exports, files, the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from sklearn import ensemble, tree

import treewright as tw
from treewright.cli.main import cli
from treewright.errors import UsageError

FOLDER = Path(__file__).parents[1] / "data" / "interchange"


def numbers(count: int = 300) -> pd.DataFrame:
    """Return rows of an ONNX model with a column of numbered categories: missing and unseen ones, too."""
    rng = np.random.default_rng(7)
    frame = pd.DataFrame(rng.normal(size=(count, 4)), columns=["x0", "x1", "x2", "x3"])
    frame["x3"] = rng.integers(-1, 12, count).astype(float)
    frame.loc[::7, "x3"] = np.nan
    frame.loc[::5, "x1"] = np.nan
    return frame


def test_exports_with_numbered_categories() -> None:
    import duckdb
    import onnxruntime

    model, rows = tw.from_onnx(FOLDER / "lightgbm-sets.onnx"), numbers()
    expected = model.predict({name: rows[name].to_numpy() for name in rows})
    source: dict[str, Any] = {}
    exec(tw.export(model, "python"), source)
    records = rows.astype(object).where(rows.notna(), None).to_dict("records")
    assert [source["predict"](record) for record in records] == expected.tolist()
    session = onnxruntime.InferenceSession(
        tw.export(model, "onnx"), providers=["CPUExecutionProvider"]
    )
    feed = {name: rows[[name]].to_numpy() for name in rows}
    assert session.run(None, feed)[0].ravel().tolist() == expected.tolist()
    query = tw.export(model, "sql", dialect="duckdb", table="rows")
    assert duckdb.sql(query).df().iloc[:, -1].tolist() == expected.tolist()
    assert "treewright_predict" in tw.export(model, "c")


def test_views_of_a_model_without_gains() -> None:
    text = str(tw.show(tw.from_onnx(FOLDER / "lightgbm-sets.onnx")))
    assert "Feature importances are unknown" in text
    assert "no splits" not in text


def table() -> tuple[pd.DataFrame, Any]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(60, 3)), columns=["a", "b", "c"])
    return X, np.array(list("xyz"))[(X.a > 0) * 1 + (X.b > 0)]


def test_work_of_a_tree_needs_the_training_table() -> None:
    X, y = table()
    model = tw.from_sklearn(tree.DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y))
    with pytest.raises(UsageError, match="does not store the candidates") as caught:
        tw.work(model)
    assert caught.value.slug == "work.no-rows"
    assert "◀ chosen" in str(tw.work(model, 0, X, y))


@pytest.mark.parametrize("bootstrap", [False, True])
def test_work_of_a_forest_is_refused(bootstrap: bool, tmp_path: Path) -> None:
    """Samples that are drawn again here would not be those of the other library."""
    X, y = table()
    forest = ensemble.RandomForestClassifier(3, bootstrap=bootstrap, random_state=0).fit(X, y)
    model = tw.from_sklearn(forest)
    tw.save(model, tmp_path / "forest.tree")
    for one in (model, tw.load(tmp_path / "forest.tree")):
        with pytest.raises(UsageError, match="needs the samples of its trees") as caught:
            tw.work(one, X=X, y=y)
        assert caught.value.slug == "work.imported"
    assert "A forest of 3 trees" in str(
        tw.work(model.set_params(random_state=0).fit(X, y), X=X, y=y)
    )


@pytest.mark.parametrize("name", ["lightgbm-multiclass.txt", "xgboost-poisson.json"])
def test_work_of_boosted_trees_is_about_a_row(name: str) -> None:
    model = (tw.from_lightgbm if name.endswith("txt") else tw.from_xgboost)(FOLDER / name)
    assert "The sum" in str(tw.work(model, X={"a": [0.5], "b": [None], "color": ["b"]}))


def test_the_commands(tmp_path: Path) -> None:
    model = str(tmp_path / "model.tree")
    numbers(5).to_csv(tmp_path / "rows.csv", index=False)
    run = CliRunner()
    result = run.invoke(cli, ["import", str(FOLDER / "lightgbm-sets.onnx"), "-o", model])
    assert result.exit_code == 0
    for command in (["show"], ["predict"], ["export", "-o", str(tmp_path / "model.sql")]):
        rows = [str(tmp_path / "rows.csv")] if command == ["predict"] else []
        result = run.invoke(cli, [command[0], model, *rows, *command[1:]])
        assert result.exit_code == 0, result.stderr
    assert (tmp_path / "model.sql").read_text("utf-8").startswith("SELECT")
