"""Ordered categories, dates and amounts: from the user's table to the columns of a model, in every container."""

from __future__ import annotations

import datetime
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.helpers.messy_table import SIZES, messy_frame

import treewright
from treewright import CARTClassifier, ColumnWarning, DataError, ID3Classifier, export, inspect
from treewright._input.amounts import decimal_mark, read_amounts
from treewright._input.dates import find_written, read_dates, write_date
from treewright.schema import Column, Meaning, Schema
from treewright.table import Series

DAYS = [datetime.date(2024, 1, 31), None, datetime.date(2024, 2, 29), datetime.date(2023, 12, 24)]
TEXTS = ["2024-01-31", None, "2024-02-29", "2023-12-24"]
CONTAINERS = {
    "list": DAYS,
    "numpy": np.array(DAYS, dtype="M8[ns]"),
    "pandas": pd.Series(pd.to_datetime(pd.Series(DAYS))),
    "zone": pd.Series(pd.to_datetime(pd.Series(DAYS))).dt.tz_localize("Asia/Tokyo"),
    "objects": pd.Series(DAYS, dtype=object),
    "Date": pl.Series(DAYS),
    "Datetime": pl.Series(DAYS).cast(pl.Datetime),
    "arrow": pa.array(DAYS),
    "timestamp": pa.array(DAYS).cast(pa.timestamp("ms")),
}
ORDERED = {"ordered": {"size": SIZES}, "dates": "parts"}


@pytest.mark.parametrize("days", CONTAINERS.values(), ids=CONTAINERS)
def test_dates_of_every_container_are_the_same_texts(days: Any) -> None:
    series = Series.of("day", days)
    assert (series.values(), series.are_dates) == (TEXTS, True)


def test_dates_are_ignored_with_a_warning_and_predicted_around() -> None:
    X = pd.DataFrame({"n": [1, 2, 3, 4], "day": pd.to_datetime(pd.Series(DAYS))})
    with pytest.warns(ColumnWarning, match='"day" holds dates and cannot be used as they are'):
        model = CARTClassifier().fit(X, list("aabb"))
    assert model.tree_.n_leaves == 2
    assert len(model.feature_importances_) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert model.predict(X).tolist() == list("aabb")
        assert model.predict_one({"n": 4, "day": datetime.date(2030, 1, 1)}) == "b"
    with pytest.raises(DataError, match="the target holds dates"):
        CARTClassifier().fit(X[["n"]], X.day)


def test_parts_of_dates() -> None:
    table = inspect({"day": ["2024-01-31", "2024-02-29 14:30", None]}, dates="parts").table
    assert table.columns == [
        *("day", "day year", "day month", "day day", "day weekday", "day hour")
    ]
    assert table["day"] == [19753.0, 19782 + 14.5 / 24, None]
    assert table["day month"] == ["January", "February", None]
    assert table["day weekday"] == ["Wednesday", "Thursday", None]
    assert table["day hour"] == [0.0, 14.0, None]
    whole = inspect({"day": ["2024-01-31"] * 2}, dates="parts").table
    assert "day hour" not in whole.columns


@pytest.mark.parametrize(
    ("texts", "written"),
    [
        (["2024-03-01", "2024/03/02 10:00"], "ymd"),
        (["31/01/2024", "01/02/2024"], "dmy"),
        (["1/31/2024", "2/1/2024"], "mdy"),
        (["1.2.2024"], "dmy"),
        (["1/2/2024"], None),
        (["31/1/2024", "1/31/2024"], None),
    ],
)
def test_the_order_of_day_and_month_is_never_guessed(texts: list[str], written: str | None) -> None:
    assert find_written(texts) == written
    found = inspect({"d": texts, "n": range(len(texts))}, dates="parts")
    assert ("d" in found.ignored) == (written is None)


def test_dates_survive_a_round_trip() -> None:
    for text in ("2024-02-29", "1969-12-31", "0001-01-01", "2024-02-29 14:30"):
        assert write_date(float(read_dates([text], "time", "ymd")[0])) == text
    assert np.isnan(read_dates(["2023-02-29"], "time", "ymd")).all()


def test_ordered_categories_are_cut_in_their_order() -> None:
    sizes = ["S", "M", "L", "XL"] * 6
    y = ["a" if size in ("S", "M") else "b" for size in sizes]
    containers = [
        pd.DataFrame({"size": pd.Categorical(sizes, SIZES, ordered=True)}),
        pl.DataFrame({"size": pl.Series(sizes, dtype=pl.Enum(SIZES))}),
        pa.table({"size": pa.DictionaryArray.from_arrays([0, 1, 2, 3] * 6, SIZES, ordered=True)}),
        inspect({"size": sizes}, ordered={"size": SIZES}).used,
    ]
    models = [CARTClassifier().fit(X, y) for X in containers]
    assert len({treewright.show(model).text() for model in models}) == 1
    assert "size ≤ M?" in treewright.show(models[0]).text()
    assert models[0].tree_.schema.columns[0].order == tuple(SIZES)
    for model in models:
        assert model.predict({"size": ["S", "XL", None]}).tolist()[:2] == ["a", "b"]
    with pytest.warns(treewright.UnseenValuesWarning, match='"size" in 1 of 2 rows'):
        models[0].predict({"size": ["S", "XXL"]})
    assert models[0].count_unseen({"size": ["S", "XXL"]}) == {"size": {"XXL": 1}}


def test_categories_without_an_order_stay_sets_and_id3_has_a_branch_for_each() -> None:
    sizes = pd.Series(pd.Categorical(["S", "M", "L"] * 4, ["S", "M", "L"]))
    y = ["a", "b", "a"] * 4
    assert CARTClassifier().fit(sizes.to_frame("size"), y).schema_.columns[0].kind == "categorical"
    ordered = sizes.cat.as_ordered().to_frame("size")
    column = ID3Classifier().fit(ordered, y).schema_.columns[0]
    assert (column.kind, column.levels) == ("categorical", ("S", "M", "L"))
    # An ordered target is a class as before.
    assert CARTClassifier().fit({"n": range(12)}, ordered["size"]).classes_.tolist() == [
        "L",
        "M",
        "S",
    ]


def test_amounts() -> None:
    assert decimal_mark(["1,234", "5"]) is None
    assert decimal_mark(["abc"]) is None
    assert np.isnan(read_amounts(["€ 1.234,50-"], ",")).all()
    assert np.isnan(read_amounts(["1,23,4", "", "\ud800"], ".")).all()
    assert read_amounts(["-$5", "$-5", "($5)"], ".").tolist() == [-5.0] * 3


def test_a_schema_with_meanings_survives_a_file() -> None:
    meanings = (
        Meaning(order=("S", 1, True)),
        Meaning(part="year", source="d", written="ymd"),
        None,
    )
    columns = tuple(Column(f"c{i}", "numeric", meaning=m) for i, m in enumerate(meanings))
    schema = Schema(columns)
    assert Schema.from_dict(schema.to_dict()) == schema
    for wrong in ({"part": "century"}, {"written": ";"}, {"order": [[]]}, {"source": 1}, {"x": 1}):
        with pytest.raises((ValueError, TypeError)):
            Column.from_dict({"name": "a", "kind": "numeric", "meaning": wrong})


@pytest.fixture(scope="module")
def sources(tmp_path_factory: Any) -> dict[str, Any]:
    """The messy table in several containers."""
    folder: Path = tmp_path_factory.mktemp("messy")
    frame = messy_frame()
    typed = frame.assign(
        signup=pd.to_datetime(frame.signup), size=pd.Categorical(frame["size"], SIZES, ordered=True)
    )
    frame.to_csv(folder / "m.csv", index=False)
    typed.to_parquet(folder / "m.parquet")
    polars = pl.from_pandas(typed.astype({"size": object})).with_columns(
        pl.col("size").cast(pl.Enum(SIZES)), pl.col("signup").cast(pl.Date)
    )
    return {
        "csv": folder / "m.csv",
        "parquet": folder / "m.parquet",
        "pandas": typed,
        "polars": polars,
    }


def test_the_messy_table_gives_the_same_model_in_every_container(sources: dict[str, Any]) -> None:
    models = []
    for source in sources.values():
        found = inspect(source, ignore=["comment"], **ORDERED)
        reports = {report.name: report for report in found.reports}
        assert reports["customer id"].read_as == reports["zip"].read_as == "identifier"
        assert reports["price"].read_as == reports["rate"].read_as == "numeric"
        assert reports["size"].read_as == "ordered"
        X, y = found.used.drop("churn"), found.table.column("churn")
        models.append(CARTClassifier(max_depth=6).fit(X, y))
    assert len({bytes(model._forest.to_bytes(model._document())) for model in models}) == 1
    text = treewright.show(models[0]).text()
    assert "size ≤ M?" in text
    assert "signup ≤ 202" in text
    wanted = models[0].predict(sources["pandas"])
    assert (models[0].predict(sources["polars"]) == wanted).all()
    assert (models[0].predict(sources["pandas"].to_dict("records")) == wanted).all()


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite"])
def test_sql_reads_the_table_as_it_is(sources: dict[str, Any], dialect: str) -> None:
    found = inspect(sources["csv"], ignore=["comment"], **ORDERED)
    model = CARTClassifier(max_depth=6).fit(found.used.drop("churn"), found.table.column("churn"))
    frame = messy_frame()
    frame.loc[3, "size"] = "XXL"
    wanted = pd.Series(model.count_unseen(frame)).to_dict()
    assert wanted == {"size": {"XXL": 1}}
    query = export(model, "sql", dialect=dialect)
    assert "IN ('L', 'XL')" in query
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", treewright.UnseenValuesWarning)
        expected = model.predict(frame).tolist()
    frame = frame.astype(object).where(frame.notna(), None)
    assert _run_sql(query, frame.assign(i=range(len(frame))), dialect) == expected
    program: dict[str, Any] = {}
    exec(export(model, "python"), program)
    assert [program["predict"](row) for row in frame.to_dict("records")] == expected


def _run_sql(query: str, frame: pd.DataFrame, dialect: str) -> list[str]:
    if dialect == "duckdb":
        import duckdb

        with duckdb.connect() as connection:
            connection.register("data", frame)
            return connection.execute(query).df().sort_values("i").prediction.tolist()
    import sqlite3

    connection = sqlite3.connect(":memory:")
    frame.to_sql("data", connection, index=False)
    rows = pd.read_sql(query, connection).sort_values("i").prediction.tolist()
    connection.close()
    return rows
