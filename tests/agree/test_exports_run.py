"""Every export is run and must answer as `predict` does, row by row, to the last bit of what is said.

SQL in DuckDB, SQLite and PostgreSQL, C by the C compiler, Python as it stands, ONNX in onnxruntime, PMML by an
evaluator of its specification. Rows lie at thresholds, are missing, and hold values never seen in training.
"""

from __future__ import annotations

import contextlib
import ctypes
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpers.export_models import CLASSES, SORTS, Example, example, learnt, with_surrogates
from helpers.pmml_evaluator import Evaluator
from helpers.postgres_server import connected
from treewright import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    C45Classifier,
    CARTClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
)
from treewright._export import c, onnx, pmml, python, sql
from treewright._learners.boosting.boosting_recipe import LOSSES
from treewright.errors import UsageError
from treewright.schema import Schema

COSTS = ((0.0, 1.0, 4.0), (5.0, 0.0, 1.0), (2.0, 3.0, 0.0))


def boosted(learner: Any, **more: Any) -> Any:
    return learner(n_estimators=8, max_leaf_nodes=8, min_samples_leaf=5, **more)


def summed(sort: str, seed: int, trees: int = 6, **more: Any) -> Example:
    return example(sort, seed, how="sum", trees=trees, **more)


CASES = {
    **{
        f"{sort} {seed}": lambda s=sort, i=seed: example(s, i)
        for sort in SORTS
        for seed in range(2)
    },
    "10,000 rows": lambda: example("way", 7, branches=200, rows=10_000),
    "10,000 rows, mixed": lambda: example("mixed", 9, branches=12, rows=10_000),
    "deep": lambda: example("way", 10, branches=40, chain=True),
    "deep, mixed": lambda: example("mixed", 11, branches=14, chain=True),
    "one node": lambda: example("way", 12, branches=0, rows=20),
    "a number": lambda: example("way", 13, classes=()),
    "a number, divided": lambda: example("share", 14, classes=()),
    "classes that are numbers": lambda: example("share", 15, classes=(3, 1, 2)),
    "two answers": lambda: example("stop", 16, classes=(False, True)),
    "several trees": lambda: example("way", 17, trees=5),
    "several trees, mixed": lambda: example("mixed", 18, trees=3),
    "several numbers": lambda: example("stop", 19, trees=4, classes=()),
    "surrogates": lambda: with_surrogates("cart", 22),
    "surrogates of rpart": lambda: with_surrogates("rpart", 23),
    "surrogates for numbers": lambda: with_surrogates("cart", 24, classes=()),
    "logistic": lambda: summed("way", 30, classes=CLASSES[:2], link="logistic"),
    "logistic, 10,000 rows": lambda: summed(
        "mixed", 31, classes=CLASSES[:2], link="logistic", branches=8, rows=10_000
    ),
    "softmax": lambda: summed("branch", 32, link="softmax", trees=9),
    "softmax, divided": lambda: summed("share", 33, link="softmax", branches=5, trees=6),
    "exponential": lambda: summed("stop", 34, classes=(), link="exp"),
    "a sum": lambda: summed("way", 35, classes=(), rows=10_000),
    "a sum, mixed": lambda: summed("mixed", 36, classes=(), branches=6),
    "votes": lambda: example("way", 37, trees=7, how="vote", link="softmax"),
    "votes of two": lambda: example(
        "stop", 38, trees=6, how="vote", link="softmax", classes=(True, False), rows=10_000
    ),
    "votes, divided": lambda: example("mixed", 39, trees=4, how="vote", link="softmax", branches=6),
    "a median": lambda: example("way", 40, trees=8, how="median", classes=()),
    "a median, divided": lambda: example(
        "mixed", 41, trees=5, how="median", classes=(), branches=6
    ),
    "boosting": lambda: learnt(boosted(GradientBoostingClassifier), classes=2),
    "boosting of three": lambda: learnt(boosted(GradientBoostingClassifier), classes=3, rows=2000),
    **{
        f"boosting of numbers, {loss}": lambda loss=loss: learnt(
            boosted(GradientBoostingRegressor, loss=loss), rows=500
        )
        for loss in LOSSES
    },
    "AdaBoost": lambda: learnt(AdaBoostClassifier(n_estimators=7, random_state=0), classes=3),
    "AdaBoost of numbers": lambda: learnt(AdaBoostRegressor(n_estimators=7, random_state=0)),
    "a random forest": lambda: learnt(
        RandomForestClassifier(6, max_depth=4, random_state=0), classes=3, rows=2000
    ),
    "bagging of C4.5": lambda: learnt(
        BaggingClassifier(C45Classifier(max_depth=2), 3, random_state=0), classes=2, rows=500
    ),
    "smoothed": lambda: learnt(C45Classifier(smoothing="laplace"), classes=3, rows=500),
    "smoothed by an m-estimate": lambda: learnt(
        CARTClassifier(smoothing=2.5, max_depth=4), classes=3, rows=500
    ),
    "smoothed bagging": lambda: learnt(
        BaggingClassifier(C45Classifier(max_depth=2, smoothing=3), 3, random_state=0),
        classes=2,
        rows=500,
    ),
    "costs of a sum": lambda: summed("way", 42, link="softmax", costs=COSTS),
    "costs": lambda: example("way", 20, costs=COSTS),
    "costs, divided": lambda: example("share", 21, costs=COSTS),
}


@pytest.fixture(scope="module", params=CASES)
def case(request: pytest.FixtureRequest) -> Example:
    return CASES[request.param]()


def check(case: Example, answers: Any, says: Any = None) -> None:
    assert list(answers) == case.answers
    if says is not None:
        np.testing.assert_array_equal(np.asarray(says, dtype=np.float64), case.says)


def test_python(case: Example) -> None:
    module: dict[str, Any] = {}
    exec(compile(python.write(case.sum), "model.py", "exec"), module)
    rows = case.rows
    answers = [module["predict"](row) for row in rows]
    check(
        case, answers, [module["predict_proba"](r) for r in rows] if case.schema.classes else None
    )
    sparse = [{k: v for k, v in row.items() if v is not None} for row in rows[:50]]
    assert [module["predict"](row) for row in sparse] == answers[:50]


SQL_TYPES = {"a": "DOUBLE", "b width": "DOUBLE", "it's": "VARCHAR", "d": "DOUBLE", "e": "BOOLEAN"}


def run_sql(connection: Any, case: Example, dialect: str) -> None:
    double = "DOUBLE PRECISION" if dialect == "postgres" else "DOUBLE"
    kinds = {name: double if kind == "DOUBLE" else kind for name, kind in SQL_TYPES.items()}
    declared = ", ".join(f'"{name}" {kind}' for name, kind in kinds.items())
    connection.execute('DROP TABLE IF EXISTS "my rows"')
    connection.execute(f'CREATE TABLE "my rows" (number INTEGER, {declared})')
    rows = [(i, *row.values()) for i, row in enumerate(case.rows)]
    fill(connection, rows)
    query = sql.write(case.sum, dialect=dialect, table='"my rows"', proba=bool(case.schema.classes))
    found = connection.execute(f"SELECT * FROM ({query}) AS told ORDER BY number").fetchall()
    answers = [row[len(SQL_TYPES) + 1] for row in found]
    if dialect == "sqlite" and case.schema.classes and isinstance(case.schema.classes[0], bool):
        answers = list(map(bool, answers))
    check(case, answers, [r[len(SQL_TYPES) + 2 :] for r in found] if case.schema.classes else None)


def fill(connection: Any, rows: list[Any]) -> None:
    if isinstance(connection, sqlite3.Connection):
        connection.executemany('INSERT INTO "my rows" VALUES (?, ?, ?, ?, ?, ?)', rows)
        return
    if type(connection).__module__.startswith("psycopg"):
        with connection.cursor().copy('COPY "my rows" FROM STDIN') as copy:
            for row in rows:
                copy.write_row(row)
    else:
        import pyarrow as pa

        arrow = pa.table(  # noqa: F841  (found by its name)
            {f"c{i}": pa.array(column) for i, column in enumerate(zip(*rows, strict=True))}
        )
        connection.execute('INSERT INTO "my rows" SELECT * FROM arrow')
    # Where a number is missing, half of the rows hold NaN in its place.
    for name in ("a", "b width", "d"):
        connection.execute(
            f'UPDATE "my rows" SET "{name}" = \'NaN\' WHERE "{name}" IS NULL AND number % 2 = 0'
        )


@pytest.mark.slow
def test_sqlite(case: Example) -> None:
    pytest.importorskip("sqlglot", reason="sqlglot quotes names in SQL")
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        run_sql(connection, case, "sqlite")


def test_duckdb(case: Example) -> None:
    pytest.importorskip("sqlglot", reason="sqlglot quotes names in SQL")
    duckdb = pytest.importorskip("duckdb", reason="a real database")
    run_sql(duckdb.connect(), case, "duckdb")


@pytest.fixture(scope="module")
def postgres() -> Iterator[Any]:
    with connected() as connection:
        yield connection


def test_postgresql(case: Example, postgres: Any) -> None:
    pytest.importorskip("sqlglot", reason="sqlglot quotes names in SQL")
    run_sql(postgres, case, "postgres")


def test_c(case: Example, tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    (tmp_path / "model.c").write_text(c.write(case.sum), "ascii")
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2", "-shared", "-fPIC"]
    library = tmp_path / "model.so"
    subprocess.run([compiler, *flags, "-o", library, tmp_path / "model.c"], check=True, timeout=60)
    code = ctypes.CDLL(str(library))
    numbers = rows_for_c(code, case.schema, case.rows)
    predict, outputs = code.treewright_predict, case.says.shape[1]
    predict.restype = ctypes.c_int if case.schema.classes else ctypes.c_double
    says = np.zeros((len(numbers), outputs))
    answers = []
    for i, row in enumerate(numbers):
        answer = predict(ctypes.c_void_p(row.ctypes.data))
        answers.append(case.schema.classes[answer] if case.schema.classes else answer)
        code.treewright_says(ctypes.c_void_p(row.ctypes.data), ctypes.c_void_p(says[i].ctypes.data))
    check(case, answers, says)


def rows_for_c(code: Any, schema: Schema, rows: list[dict[str, Any]]) -> np.ndarray[Any, Any]:
    numbers = np.full((len(rows), len(schema.columns)), np.nan)
    for i, row in enumerate(rows):
        for k, value in enumerate(row.values()):
            if isinstance(value, str):
                code.treewright_code.restype = ctypes.c_double
                numbers[i, k] = code.treewright_code(k, value.encode())
            elif value is not None:
                numbers[i, k] = value
    return numbers


@pytest.mark.slow
def test_onnx(case: Example) -> None:
    pytest.importorskip("onnx", reason="onnx writes the model")
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime runs it")
    session = runtime.InferenceSession(onnx.write(case.sum, missing="(missing)"))
    feeds = {}
    for column in case.schema.columns:
        values = case.table[column.name]
        if any(isinstance(level, str) for level in column.levels):
            array = np.array(["(missing)" if v is None else v for v in values], dtype=object)
        else:
            array = np.array([np.nan if v is None else v for v in values], dtype=np.float64)
        feeds[column.name] = array.reshape(-1, 1)
    found = session.run(None, feeds)
    if case.schema.classes:
        check(case, found[0].tolist(), found[1])
    else:
        check(case, found[0][:, 0].tolist())


@pytest.mark.slow
def test_pmml(case: Example) -> None:
    model = case.sum
    try:
        text = pmml.write(model, divided="weighted")
    except UsageError as refused:
        [what, *_] = re.findall("costs|divide|surrogates", refused.message)
        assert {
            "costs": bool(case.schema.costs) and (model.divides or not model.is_single_tree),
            "divide": model.divides,
            "surrogates": any(splits.has_surrogates for splits in model.trees),
        }[what]
        return
    evaluator = Evaluator(text)
    # The evaluator takes its time: of models with a link it reads a part of the rows.
    n = 10_000 if model.link == "identity" else 2000
    found = [evaluator.predict(row) for row in case.rows[:n]]
    for (answer, shares), expected, said in zip(
        found, case.answers[:n], case.says[:n], strict=True
    ):
        if not case.schema.classes:
            assert answer == pytest.approx(expected, rel=0 if model.is_single_tree else 1e-14)
            continue
        assert list(shares) == list(case.schema.classes)
        np.testing.assert_allclose(list(shares.values()), said, rtol=0, atol=1e-12)
        # PMML leaves ties of divided rows, and of several trees, open.
        open_ = model.divides or not model.is_single_tree
        tied = open_ and np.count_nonzero(said > said.max() - 1e-12) > 1
        assert answer == expected or tied


def test_pmml_without_answers_for_divided_rows() -> None:
    case = example("share", 3)
    evaluator = Evaluator(pmml.write(case.sum, divided="null"))
    found = [evaluator.predict(row)[0] for row in case.rows]
    assert 20 < found.count(None) < 280
    assert all(a in (b, None) for a, b in zip(found, case.answers, strict=True))
    with pytest.raises(UsageError, match="disagree on such rows"):
        pmml.write(case.sum)
