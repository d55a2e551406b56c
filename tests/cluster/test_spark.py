"""Estimators on Spark in barrier mode: the bytes of local models, errors, connections."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import treewright
from treewright import spark as on_spark
from treewright.errors import DataError, UsageError

pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java"),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    """Give a session of two cores, on loopback only."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").appName("treewright")
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
    }.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def make_frame(rows: int = 500) -> pd.DataFrame:
    """Return numbers with gaps, categories with gaps, a target of each kind, and weights."""
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        {
            "a": rng.normal(size=rows).round(2),
            "b": rng.integers(0, 9, rows),
            "c": rng.choice(["u", "v", "w", "x"], rows),
        }
    )
    signal = frame["b"] + rng.normal(size=rows)
    frame["class"] = np.where(signal > 4, "yes", "no")
    frame["number"] = signal * 1.5
    frame["weight"] = rng.integers(0, 3, rows).astype(float)
    return frame


def to_spark(spark: Any, frame: pd.DataFrame, partitions: int) -> Any:
    """Return a Spark frame whose partitions have the rows in their order."""
    import pyarrow as pa

    data = [tuple(row) for row in frame.itertuples(index=False)]
    schema = spark.createDataFrame(pa.Table.from_pandas(frame, preserve_index=False)).schema
    plain = [tuple(v.item() if hasattr(v, "item") else v for v in row) for row in data]
    return spark.createDataFrame(spark.sparkContext.parallelize(plain, partitions), schema)


def model_bytes(model: Any) -> bytes:
    return bytes(model._forest.to_bytes(model._document()))


BOOSTING = ["GradientBoostingClassifier", "GradientBoostingRegressor"]
CASES = [(name, partitions) for name in BOOSTING for partitions in (1, 2, 7, 64)] + [
    (name, 2) for name in on_spark.__all__ if name not in (*BOOSTING, "FitReport")
]


@pytest.mark.parametrize(("name", "partitions"), CASES)
def test_the_bytes_of_a_local_model(spark: Any, name: str, partitions: int) -> None:
    frame = make_frame()
    target, other = ("class", "number") if name.endswith("Classifier") else ("number", "class")
    rows = frame.drop(columns=other)
    local = getattr(treewright, name)()
    params = {"n_estimators": 5, "max_leaf_nodes": 6}
    local.set_params(**{k: v for k, v in params.items() if k in local.get_params()})
    model = getattr(on_spark, name)(**local.get_params(deep=False))
    model.fit(to_spark(spark, rows, partitions), target, "weight")
    local.fit(rows[["a", "b", "c"]], rows[target], rows["weight"])
    assert model_bytes(model.to_local()) == model_bytes(local)
    assert (
        model.to_local().predict(rows[["a", "b", "c"]]) == local.predict(rows[["a", "b", "c"]])
    ).all()
    report = model.fit_report_
    assert (report.workers, report.connection) == (min(partitions, 2), "sockets")
    is_forest = "Forest" in name or name.startswith("ExtraTrees")
    others = "trees by number" if is_forest else "one worker"
    assert report.method == ("merged sums" if name in BOOSTING else others)
    assert (report.wire_bytes > 0) == (partitions > 1)


def test_spark_carries_the_messages_where_no_socket_connects(
    spark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = make_frame(200)[["a", "b", "number"]]
    frame = to_spark(spark, rows, 2)
    model = on_spark.GradientBoostingRegressor(n_estimators=3)

    # Inside of the test, so that it travels to the workers as it is and not by its name.
    def run_without_sockets(plan: Any, batches: Any) -> Any:
        """Run a task on a machine that opens no port."""
        from unittest.mock import patch

        from treewright.spark import barrier_tasks

        with patch.object(barrier_tasks._core, "MeshListener", side_effect=OSError):
            yield from barrier_tasks.run_task(plan, batches)

    monkeypatch.setattr("treewright.spark.spark_estimator.run_task", run_without_sockets)
    model.fit(frame, "number")
    local = treewright.GradientBoostingRegressor(n_estimators=3)
    local.fit(rows[["a", "b"]], rows["number"])
    assert model_bytes(model.to_local()) == model_bytes(local)
    assert (model.fit_report_.connection, model.fit_report_.method) == ("spark", "one worker")


def test_errors(spark: Any) -> None:
    rows = make_frame(50)
    model = on_spark.GradientBoostingClassifier(n_estimators=2)
    with pytest.raises(UsageError, match="needs a Spark data frame"):
        model.fit(rows, "class")
    frame = to_spark(spark, rows, 2)
    with pytest.raises(UsageError, match='names the column "label"'):
        model.fit(frame, "label")
    rows["weight"] = -1.0
    with pytest.raises((DataError, ValueError), match="weight"):
        model.fit(to_spark(spark, rows, 2), "class", "weight")
    with pytest.raises(DataError, match="no rows"):
        model.fit(frame.limit(0), "class")
