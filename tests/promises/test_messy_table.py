"""A table as people bring it goes from file to SQL, and gives the same model from every container."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

from helpers.cli_run import run
from helpers.messy_table import SIZES, messy_frame
from treewright import CARTClassifier, inspect, load
from treewright.files import to_bytes

pytest.importorskip("openpyxl", reason="openpyxl writes Excel files")
ORDER = f"size={','.join(SIZES)}"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    frame = messy_frame()
    frame.to_csv(tmp_path / "m.csv", index=False, na_rep="NA")
    frame.to_parquet(tmp_path / "m.parquet")
    frame.to_excel(tmp_path / "m.xlsx", index=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_files_give_one_model_and_its_predictions(folder: Path) -> None:
    models, predictions, reasons = set(), set(), set()
    for ending in ("csv", "parquet", "xlsx"):
        name = f"m.{ending}"
        asked = (name, "-t", "churn", "-a", "cart", "--depth", "4")
        said = run("fit", *asked, "--dates", "parts", "--ordered", ORDER, "-o", "m.tree").stderr
        for column in ("customer id", "price", "rate", "comment", "signup"):
            assert f'"{column}"' in said
        models.add(Path("m.tree").read_bytes())
        predictions.add(run("predict", "m.tree", name).stdout)
        reasons.add(run("explain", "m.tree", name, "--row", "3").stdout)
    assert len(models) == len(predictions) == len(reasons) == 1
    assert "signup = 2021-07-20 > 2021-01-19" in reasons.pop()


@pytest.mark.slow
def test_sql_reads_the_table_as_it_is(folder: Path) -> None:
    pytest.importorskip("sqlglot", reason="sqlglot quotes names in SQL")
    duckdb: Any = pytest.importorskip("duckdb", reason="duckdb runs the query")
    asked = ("m.csv", "-t", "churn", "-a", "cart", "--depth", "4", "--dates", "parts")
    run("fit", *asked, "--ordered", ORDER, "-o", "m.tree")
    run("export", "m.tree", "-o", "m.sql", "--table", "mess")
    mess = messy_frame()
    connection = duckdb.connect()
    connection.register("mess", mess)
    found = connection.execute(Path("m.sql").read_text("utf-8")).df().set_index("customer id")
    expected = load("m.tree").predict(mess)
    assert found.loc[mess["customer id"], "prediction"].tolist() == expected.tolist()


@pytest.mark.slow
def test_frames_give_the_model_of_the_file(folder: Path) -> None:
    frame = messy_frame()
    whole = {
        "file": "m.csv",
        "pandas": frame,
        "strings": frame.convert_dtypes(),
        "dates": frame.assign(signup=pd.to_datetime(frame["signup"])),
        "polars": pl.from_pandas(frame),
        "arrow": pl.from_pandas(frame).to_arrow(),
    }
    models = {}
    for name, table in whole.items():
        found = inspect(table, dates="parts", ordered={"size": SIZES})
        model = CARTClassifier(max_depth=4)
        with pytest.warns(match="comment"):
            model.fit(found.used.drop(["churn"]), found.table.column("churn"))
        models[name] = to_bytes(model)
    assert {name for name, data in models.items() if data != models["file"]} == set()
