"""Exported rule sets are run and must answer as `predict` does, row by row, to the last bit of what is said.

SQL in DuckDB and SQLite, C by the C compiler, Python as it stands, ONNX in onnxruntime, PMML by an evaluator of its
specification. Rows lie at thresholds, are missing, and hold values
never seen in training.
"""

from __future__ import annotations

import ctypes
import shutil
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpers.pmml_evaluator import Evaluator
from treewright import RuleSetClassifier, export, show
from treewright.errors import UsageError

NAMES = ["a", "b width", "it's"]
LEVELS = ["red", "o'range", 'b"lue', "größe"]
HOSTILE = "a_b|<c>$</script>\n"


def table(rows: int, seed: int, *, unseen: bool = False) -> dict[str, list[Any]]:
    rng = np.random.default_rng(seed)
    numbers = [np.round(rng.normal(size=rows), 1), rng.integers(0, 9, rows) / 4]
    known = [*LEVELS, "never"] if unseen else LEVELS
    columns = [*(column.tolist() for column in numbers), rng.choice(known, rows).tolist()]
    gaps = rng.random((3, rows)) < 0.08
    return {
        name: [None if gone else value for value, gone in zip(column, gap, strict=True)]
        for name, column, gap in zip(NAMES, columns, gaps, strict=True)
    }


@pytest.fixture(scope="module", params=["levels", "groups"])
def model(request: pytest.FixtureRequest) -> RuleSetClassifier:
    X, rng = table(400, 1), np.random.default_rng(2)
    y = [
        "per'haps"
        if level in LEVELS[:2] and rng.random() < 0.8
        else "yes"
        if (a or 0) > 0.3
        else "no"
        for a, level in zip(X["a"], X["it's"], strict=True)
    ]
    return RuleSetClassifier(categorical=request.param).fit(X, y)


@pytest.fixture(scope="module")
def rows(model: RuleSetClassifier) -> dict[str, list[Any]]:
    found = table(10_000, 3, unseen=True)
    for rule in model.rules_:  # at the very thresholds, and right above them
        for condition in rule.conditions:
            cuts = [cut for cut in (condition.low, condition.high) if cut is not None]
            for i, cut in enumerate(cuts):
                found[condition.column][i] = cut
                found[condition.column][i + 5] = float(np.nextafter(cut, np.inf))
    return found


def each(rows: dict[str, list[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(rows, row, strict=True)) for row in zip(*rows.values(), strict=True)]


def shares(model: RuleSetClassifier, rows: dict[str, list[Any]]) -> np.ndarray:
    order = [model.classes_.tolist().index(c) for c in model.schema_.classes]
    return model.predict_proba(rows)[:, order]


def test_there_is_something_to_test(model: RuleSetClassifier, rows: dict[str, list[Any]]) -> None:
    assert len(model.rules_) >= 4
    assert set(model.apply(rows)) == set(range(len(model.rules_) + 1))


def test_python(model: RuleSetClassifier, rows: dict[str, list[Any]]) -> None:
    module: dict[str, Any] = {}
    exec(compile(export(model, "python"), "rules.py", "exec"), module)
    assert [module["predict"](row) for row in each(rows)] == model.predict(rows).tolist()
    assert [module["find"](row) for row in each(rows)] == model.apply(rows).tolist()
    said = [module["predict_proba"](row) for row in each(rows)]
    np.testing.assert_array_equal(said, shares(model, rows))


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_sql(model: RuleSetClassifier, rows: dict[str, list[Any]], dialect: str) -> None:
    pytest.importorskip("sqlglot", reason="sqlglot quotes names in SQL")
    listed = [(i, *row.values()) for i, row in enumerate(each(rows))]
    kinds = '"a" DOUBLE, "b width" DOUBLE, "it\'s" VARCHAR'
    if dialect == "sqlite":
        connection: Any = sqlite3.connect(":memory:")
        connection.execute(f"CREATE TABLE data (number INTEGER, {kinds})")
        connection.executemany("INSERT INTO data VALUES (?, ?, ?, ?)", listed)
    else:
        connection = pytest.importorskip("duckdb", reason="a real database").connect()
        pa = pytest.importorskip("pyarrow")
        connection.execute(f"CREATE TABLE data (number INTEGER, {kinds})")
        arrow = pa.table(  # noqa: F841  (found by its name)
            {f"c{i}": pa.array(column) for i, column in enumerate(zip(*listed, strict=True))}
        )
        connection.execute("INSERT INTO data SELECT * FROM arrow")
        connection.execute("UPDATE data SET a = 'NaN' WHERE a IS NULL AND number % 2 = 0")
    query = export(model, "sql", dialect=dialect, proba=True)
    found = connection.execute(f"SELECT * FROM ({query}) ORDER BY number").fetchall()
    connection.close()
    assert [row[4] for row in found] == model.predict(rows).tolist()
    np.testing.assert_array_equal([row[5:] for row in found], shares(model, rows))


def test_c(model: RuleSetClassifier, rows: dict[str, list[Any]], tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    (tmp_path / "rules.c").write_text(export(model, "c"), "ascii")
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2", "-shared", "-fPIC"]
    library = tmp_path / "rules.so"
    subprocess.run([compiler, *flags, "-o", library, tmp_path / "rules.c"], check=True, timeout=60)
    code = ctypes.CDLL(str(library))
    code.treewright_code.restype = ctypes.c_double
    codes = {
        text: code.treewright_code(2, None if text is None else text.encode())
        for text in {*LEVELS, "never", None}
    }
    numbers = np.array(
        [
            [np.nan if v is None else v for v in (row["a"], row["b width"])] + [codes[row["it's"]]]
            for row in each(rows)
        ]
    )
    answers = [
        model.schema_.classes[code.treewright_predict(ctypes.c_void_p(row.ctypes.data))]
        for row in numbers
    ]
    assert answers == model.predict(rows).tolist()
    said = np.zeros((len(numbers), len(model.schema_.classes)))
    for row, place in zip(numbers, said, strict=True):
        code.treewright_says(ctypes.c_void_p(row.ctypes.data), ctypes.c_void_p(place.ctypes.data))
    np.testing.assert_array_equal(said, shares(model, rows))


def test_onnx(model: RuleSetClassifier, rows: dict[str, list[Any]]) -> None:
    pytest.importorskip("onnx", reason="onnx writes the model")
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime runs it")
    session = runtime.InferenceSession(export(model, "onnx"))
    feeds = {
        name: np.array([np.nan if v is None else v for v in rows[name]]).reshape(-1, 1)
        for name in NAMES[:2]
    }
    texts = ["" if text is None else text for text in rows["it's"]]
    feeds["it's"] = np.array(texts, dtype=object).reshape(-1, 1)
    answers, said = session.run(None, feeds)
    assert answers.tolist() == model.predict(rows).tolist()
    np.testing.assert_array_equal(said, shares(model, rows))


def test_pmml(model: RuleSetClassifier, rows: dict[str, list[Any]]) -> None:
    evaluator = Evaluator(export(model, "pmml"))
    found = [evaluator.predict(row) for row in each(rows)]
    assert [answer for answer, _ in found] == model.predict(rows).tolist()
    np.testing.assert_array_equal([list(s.values()) for _, s in found], shares(model, rows))


def test_the_default_alone() -> None:
    model = RuleSetClassifier().fit({"a": [1.0, 1.0]}, ["x", "x"])
    module: dict[str, Any] = {}
    exec(export(model, "python"), module)
    assert module["predict"]({}) == "x"
    assert "'x' AS" in export(model, "sql")
    assert "return 0;" in export(model, "c")
    assert Evaluator(export(model, "pmml")).predict({"a": None})[0] == "x"
    pytest.importorskip("onnx", reason="onnx writes the model")
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime runs it")
    session = runtime.InferenceSession(export(model, "onnx"))
    assert session.run(None, {"a": np.array([[1.0], [np.nan]])})[0].tolist() == ["x", "x"]


@pytest.mark.parametrize("form", ["sklearn", "dot", "mermaid", "svg"])
def test_what_no_form_of_rules_has_is_refused(model: RuleSetClassifier, form: str) -> None:
    with pytest.raises(UsageError, match=r"cannot express this model.*\[export.refused\]"):
        export(model, form)


def test_hostile_names() -> None:
    X = {HOSTILE: ["x", "y"] * 6, "n*/": [1.0, 2.0] * 6}
    model = RuleSetClassifier().fit(X, [HOSTILE, "q"] * 6)
    module: dict[str, Any] = {}
    exec(compile(export(model, "python"), "rules.py", "exec"), module)
    assert module["predict"]({HOSTILE: "x", "n*/": 1.0}) == HOSTILE
    assert "n*/" not in export(model, "c")
    connection = sqlite3.connect(":memory:")
    quoted = HOSTILE.replace('"', '""')
    connection.execute(f'CREATE TABLE data ("{quoted}" TEXT, "n*/" REAL)')
    connection.execute("INSERT INTO data VALUES ('x', 1.0)")
    assert connection.execute(export(model, "sql", dialect="sqlite")).fetchone()[2] == HOSTILE
    connection.close()
    assert r"\textless{}c" in show(model).to_latex()
