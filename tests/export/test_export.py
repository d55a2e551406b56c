"""`export`: what it writes for the textbook's tree, what it refuses and why, and names that anybody may choose.

That the exports answer as `predict` does is tested in agree/test_exports_run.py.
"""

from __future__ import annotations

import importlib
import inspect
import json
import re
import sqlite3
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import export_text

from helpers import draw_trees
from helpers.export_models import example, learnt, with_surrogates
from helpers.json_reader import Reader
from helpers.pmml_evaluator import Evaluator
from treewright import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    ID3Classifier,
    KNeighborsClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
    UsageError,
    ZeroRClassifier,
    datasets,
    export,
)
from treewright._export import FORMATS, c, onnx, pmml, python, sql
from treewright._export.combined_model import CombinedModel
from treewright._export.exact_exp import exp
from treewright._export.identifiers import identifiers
from treewright.schema import Column, Schema

EXPORTS = Path(__file__).parents[2] / "python" / "treewright" / "_export"
SCHEMA = Path(__file__).parents[2] / "schema" / "model.schema.json"


@pytest.fixture(scope="module")
def tennis() -> Any:
    return ID3Classifier().fit(*datasets.play_tennis())


@pytest.fixture(scope="module")
def golf() -> Any:
    return C45Classifier().fit(*datasets.golf())


def test_sql_is_a_query_to_read(tennis: Any) -> None:
    pytest.importorskip("sqlglot", reason="sqlglot quotes names in SQL")
    assert (
        export(tennis, "sql", table="main.days", name="play")
        == """\
SELECT
  t.*,
  CASE
    WHEN t."Outlook" = 'Sunny' THEN CASE
        WHEN t."Humidity" = 'High' THEN 'No'
        WHEN t."Humidity" = 'Normal' THEN 'Yes'
        ELSE 'No'
      END
    WHEN t."Outlook" = 'Overcast' THEN 'Yes'
    WHEN t."Outlook" = 'Rain' THEN CASE
        WHEN t."Wind" = 'Weak' THEN 'Yes'
        WHEN t."Wind" = 'Strong' THEN 'No'
        ELSE 'Yes'
      END
    ELSE 'Yes'
  END AS "play"
FROM "main"."days" AS t
"""
    )


def test_sql_divides_a_row_as_c45_does(golf: Any) -> None:
    pytest.importorskip("sqlglot", reason="sqlglot quotes names in SQL")
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE data (outlook, temperature, humidity, windy)")
    rows = [(None, 70, 80, "TRUE"), ("sunny", 70, None, None), ("foggy", 70, 70, "FALSE")]
    connection.executemany("INSERT INTO data VALUES (?, ?, ?, ?)", rows)
    query = export(golf, "sql", dialect="sqlite", proba=True)
    found = [row[-3:] for row in connection.execute(query)]
    connection.close()
    names = ("outlook", "temperature", "humidity", "windy")
    table = [dict(zip(names, row, strict=True)) for row in rows]
    shares = golf.predict_proba(table)
    assert found == [(a, *s) for a, s in zip(golf.predict(table), shares.tolist(), strict=True)]
    assert 0 < shares[0, 0] < 1


def test_json_obeys_the_schema(tennis: Any, golf: Any) -> None:
    for model in (tennis, golf):
        document = json.loads(export(model, "json"))
        jsonschema.validate(document, json.loads(SCHEMA.read_text("utf-8")))
        assert document["trees"][0]["count"][0] == 14


JSON_MODELS = {
    "boosting": (GradientBoostingClassifier(n_estimators=5, max_leaf_nodes=6), 2),
    "boosting of three": (GradientBoostingClassifier(n_estimators=4, max_leaf_nodes=6), 3),
    "counts": (GradientBoostingRegressor(n_estimators=5, loss="poisson"), 0),
    "votes": (AdaBoostClassifier(n_estimators=6, random_state=0), 3),
    "a median": (AdaBoostRegressor(n_estimators=6, random_state=0), 0),
    "a forest": (RandomForestClassifier(5, random_state=0), 3),
    "divided rows": (BaggingClassifier(C45Classifier(max_depth=3), 3, random_state=0), 2),
    "one tree": (C45Classifier(), 3),
}


@pytest.mark.parametrize("what", JSON_MODELS)
def test_json_says_all_that_is_needed_to_answer(what: str) -> None:
    model, classes = JSON_MODELS[what]
    case = learnt(model, classes=classes, rows=2000)
    document = json.loads(export(model, "json"))
    jsonschema.validate(document, json.loads(SCHEMA.read_text("utf-8")))
    reader = Reader(document, exp)
    np.testing.assert_array_equal([reader.says(row) for row in case.rows], case.says)


def test_scikit_learn_gets_its_own_tree() -> None:
    rng = np.random.default_rng(3)
    # Numbers that single precision holds: scikit-learn rounds all others.
    X = rng.integers(0, 20, (300, 4)) / 4
    X[rng.random(X.shape) < 0.1] = np.nan
    y = np.array(["a", "b", "c"])[np.digitize(np.nan_to_num(X[:, 0] + X[:, 1]), [3, 6])]
    tests = np.where(rng.random((1000, 4)) < 0.1, np.nan, rng.integers(0, 40, (1000, 4)) / 8)
    for model, target in ((CARTClassifier(max_depth=6), y), (CARTRegressor(max_depth=6), X[:, 0])):
        fitted = model.fit(X, np.nan_to_num(target) if target.dtype.kind == "f" else target)
        theirs = export(fitted, "sklearn")
        np.testing.assert_array_equal(theirs.predict(tests), fitted.predict(tests))
        np.testing.assert_array_equal(theirs.apply(tests.astype(np.float32)), fitted.apply(tests))
        assert "feature_0" in export_text(theirs)
    named = export(CARTClassifier().fit({"size": [1, 2]}, ["a", "b"]), "sklearn")
    assert named.feature_names_in_.tolist() == ["size"]


def test_scikit_learn_gets_its_own_forest_and_boosting() -> None:
    rng = np.random.default_rng(4)
    X = rng.integers(0, 20, (300, 4)) / 4
    X[rng.random(X.shape) < 0.1] = np.nan
    Z = np.nan_to_num(X)
    y = np.array(["a", "b", "c"])[np.digitize(Z[:, 0] + Z[:, 1], [3, 6])]
    tests = rng.integers(0, 40, (1000, 4)) / 8
    gaps = np.where(rng.random((1000, 4)) < 0.1, np.nan, tests)
    models = (
        (RandomForestClassifier(9, random_state=0, n_jobs=1), y, gaps),
        (RandomForestRegressor(9, random_state=0, n_jobs=1), Z[:, 0] * Z[:, 1], gaps),
        # scikit-learn's boosting of this kind takes no missing values.
        (GradientBoostingRegressor(n_estimators=9), Z[:, 0] * Z[:, 1], tests),
        (GradientBoostingRegressor(n_estimators=9, loss="absolute_error"), Z[:, 0], tests),
    )
    for model, target, rows in models:
        theirs = export(model.fit(X, target), "sklearn")
        np.testing.assert_array_equal(theirs.predict(rows), model.predict(rows))
        if hasattr(model, "predict_proba"):
            np.testing.assert_array_equal(theirs.predict_proba(rows), model.predict_proba(rows))


REFUSED = {
    "boosted classes for scikit-learn": lambda: export(
        GradientBoostingClassifier(n_estimators=2).fit([[1], [2]] * 20, [0, 1] * 20), "sklearn"
    ),
    "votes for scikit-learn": lambda: export(
        AdaBoostClassifier(n_estimators=2).fit([[1], [2], [3]], [0, 1, 0]), "sklearn"
    ),
    "a median for scikit-learn": lambda: export(
        AdaBoostRegressor(n_estimators=2).fit([[1], [2], [3]], [0.0, 1.0, 3.0]), "sklearn"
    ),
    "several trees that divide rows in PMML": lambda: export(
        BaggingClassifier(C45Classifier(), n_estimators=3).fit(*datasets.golf()), "pmml"
    ),
    "categories for scikit-learn": lambda: export(
        ID3Classifier().fit(*datasets.play_tennis()), "sklearn"
    ),
    "divided rows for scikit-learn": lambda: export(
        C45Classifier().fit({"x": [1, 2, 3, 4, 5, 6]}, list("aaabbb")), "sklearn"
    ),
    "a tie in another order for scikit-learn": lambda: export(
        draw_trees.tree(
            Schema((Column("x", "numeric"),), "t", ("z", "a")),
            [((0.5, 0.5), 2, 1.0, 0.5, 0, 1.0, 2, 1), ((0.5, 0.5), 1, 0.0), ((0.0, 1.0), 1, 0.0)],
        ),
        "sklearn",
    ),
    "surrogates for scikit-learn": lambda: export(
        with_surrogates("cart", 24, classes=()).sum.trees[0].tree, "sklearn"
    ),
    "divided rows in PMML": lambda: export(C45Classifier().fit(*datasets.golf()), "pmml"),
    "text and numbers in SQL": lambda: export(draw_trees.hostile(), "sql"),
    "text and numbers in C": lambda: export(draw_trees.hostile(), "c"),
    "text and numbers in ONNX": lambda: export(draw_trees.hostile(), "onnx", missing="?"),
    "two names that differ by case in SQL": lambda: export(
        ZeroRClassifier().fit({"a": [1], "A": [2]}, ["x"]), "sql"
    ),
    "the text that means missing in ONNX": lambda: export(
        ID3Classifier().fit({"a": ["", "b"]}, ["x", "y"]), "onnx"
    ),
    "what XML cannot hold": lambda: export(
        ID3Classifier().fit({"a": ["\x1b", "b"]}, ["x", "y"]), "pmml"
    ),
    "half a character in C": lambda: export(
        ID3Classifier().fit({"a": ["\ud800", "b"]}, ["x", "y"]), "c"
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_a_form_cannot_express_is_refused(what: str) -> None:
    pytest.importorskip("sqlglot", reason="sqlglot quotes names in SQL")
    pytest.importorskip("onnx", reason="onnx writes the model")
    with pytest.raises(UsageError) as refused:
        REFUSED[what]()
    assert refused.value.slug == "export.refused"


def test_too_much_for_a_form_is_refused() -> None:
    pytest.importorskip("sqlglot", reason="sqlglot quotes names in SQL")
    pytest.importorskip("onnx", reason="onnx writes the model")
    large = example("share", 1, branches=2100, rows=1).sum
    for write in (sql.write, onnx.write):
        with pytest.raises(UsageError, match="divides rows"):
            write(large)


def test_wrong_words_are_answered_with_the_right_ones(tennis: Any) -> None:
    for call, hint in {
        ("cobol",): "formats: c, dot, json",
        ("python", "dialect"): "it has none",
        ("c", "table"): "options: prefix",
    }.items():
        with pytest.raises(UsageError) as error:
            export(tennis, call[0], **dict.fromkeys(call[1:], "x"))
        assert hint in str(error.value)
    pytest.importorskip("sqlglot", reason="sqlglot quotes names in SQL")
    with pytest.raises(UsageError, match="unknown SQL dialect 'mysql'"):
        export(tennis, "sql", dialect="mysql")
    with pytest.raises(UsageError, match="not a valid table name"):
        export(tennis, "sql", table="")
    with pytest.raises(UsageError, match="not a valid prefix"):
        export(tennis, "c", prefix="9")
    with pytest.raises(UsageError, match="predicts numbers"):
        export(CARTRegressor().fit([[1], [2]], [1.0, 2.0]), "sql", proba=True)


def test_only_trees_alone_are_exported(tennis: Any) -> None:
    with pytest.raises(UsageError, match="a pipeline cannot be exported"):
        export(make_pipeline(FunctionTransformer(), tennis), "python")
    with pytest.raises(UsageError, match="no tree in a dict"):
        export({}, "python")


def test_an_extra_that_is_not_there_is_named(tennis: Any, monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "sqlglot", None)
    monkeypatch.setitem(sys.modules, "onnx", None)
    for form in ("sql", "onnx"):
        with pytest.raises(UsageError, match=rf"pip install 'treewright\[{form}\]'"):
            export(tennis, form)


def test_names_become_identifiers() -> None:
    names = ["petal width", "if", "x2", "petal.width", "a" * 60, "é", "_a"]
    assert identifiers(names, ["row"]) == ["petal_width", "x1", "x2", "x3", "x4", "x5", "x6"]
    assert identifiers(["row"], ["row"]) == ["x0"]


NAMES = [name for name in draw_trees.HOSTILE if name and "\ud800" not in name]


def hostile(printable: bool) -> Any:
    """A model whose columns, levels and classes are hostile, without numbers among the levels."""
    names = [n for n in NAMES if not printable or "\x1b" not in n]
    levels = tuple(f"{n}*/ ?? '\"" for n in names)
    columns = tuple(Column(name, "categorical", levels) for name in names)
    n = len(levels)
    shares = np.eye(n)
    root = (np.full(n, 1 / n), n, 1.0, 0.5, 2, list(range(n)), n, draw_trees.STOP)
    return draw_trees.tree(
        Schema(columns, names[0], levels), [root, *((s, 1, 0.0) for s in shares)]
    )


def test_hostile_names_pass_through_every_form(tmp_path: Path) -> None:
    pytest.importorskip("sqlglot", reason="sqlglot quotes names in SQL")
    pytest.importorskip("onnx", reason="onnx writes the model")
    model = CombinedModel.of(hostile(printable=False))
    module: dict[str, Any] = {}
    exec(python.write(model), module)
    levels, column = model.schema.classes, model.schema.names[2]
    assert [module["predict"]({column: level}) for level in levels] == list(levels)

    connection = sqlite3.connect(":memory:")
    quoted = ", ".join('"' + name.replace('"', '""') + '"' for name in model.schema.names)
    connection.execute(f"CREATE TABLE data ({quoted})")
    marks = ", ".join("?" * len(model.schema.names))
    connection.executemany(
        f"INSERT INTO data VALUES ({marks})",
        [[level] * len(model.schema.names) for level in levels],
    )
    found = connection.execute(sql.write(model, dialect="sqlite")).fetchall()
    connection.close()
    assert [row[-1] for row in found] == list(levels)

    source = c.write(model)
    assert source.isascii()
    bare = re.sub(r'"[^"]*"', "", source)
    assert bare.count("*/") == bare.count("/*") == 8
    assert onnx.write(model)
    text = pmml.write(CombinedModel.of(hostile(printable=True)))
    assert len(ET.fromstring(text).findall(".//{*}Value")) == (len(NAMES) - 1) * len(NAMES)


def test_the_table_of_formats_is_true() -> None:
    """The options of a row are those of its `write`; a folder has a row; its files have the usual names."""
    folders = {path.parent.name: path.parent for path in EXPORTS.glob("*/__init__.py")}
    written = {name for name, form in FORMATS.items() if not form.drawing and name != "json"}
    assert set(folders) | {"sklearn"} == written
    for name in written:
        write = importlib.import_module(f"treewright._export.{name}").write
        options = [
            p.name for p in inspect.signature(write).parameters.values() if p.kind == p.KEYWORD_ONLY
        ]
        assert tuple(options) == FORMATS[name].options, name
    for name, folder in folders.items():
        files = {path.stem for path in folder.glob("*.py")}
        assert files >= {"__init__", "tree", "ensemble", "rules"}, name
    extensions = [extension for form in FORMATS.values() for extension in form.extensions]
    assert len(set(extensions)) == len(extensions)


@pytest.mark.parametrize("form", FORMATS)
def test_every_form_has_text_or_bytes(form: str) -> None:
    pytest.importorskip("sqlglot", reason="sqlglot quotes names in SQL")
    pytest.importorskip("onnx", reason="onnx writes the model")
    model = CARTClassifier(max_depth=2).fit([[0, 1], [1, 0], [2, 2], [3, 1]], [0, 1, 1, 0])
    written = export(model, form)
    if form == "sklearn":
        assert written.tree_.node_count == model.tree_.n_nodes
    else:
        assert written.endswith("\n") if isinstance(written, str) else len(written) > 100


MANY = {
    "boosting": lambda: GradientBoostingClassifier(n_estimators=4, min_samples_leaf=2),
    "votes": lambda: AdaBoostClassifier(n_estimators=4, random_state=0),
    "a forest": lambda: RandomForestClassifier(4, random_state=0),
}


@pytest.mark.parametrize("what", MANY)
def test_hostile_names_pass_through_models_of_many(what: str) -> None:
    pytest.importorskip("sqlglot", reason="sqlglot quotes names in SQL")
    pytest.importorskip("onnx", reason="onnx writes the model")
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime runs it")
    name, long = "a_b|<c>$</script>\n'\"--", "n" * 10_000
    levels = [name, "*/ ?? \\", "\u202e😀", long]
    table = {name: [levels[i % 4] for i in range(48)], long: [i % 7 / 2 for i in range(48)]}
    truth = [levels[(i % 4 + i % 7) % 3] for i in range(48)]
    model = MANY[what]().fit(table, truth)
    rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
    expected = model.predict(table).tolist()
    assert len(set(expected)) > 1

    module: dict[str, Any] = {}
    exec(compile(export(model, "python"), "model.py", "exec"), module)
    assert [module["predict"](row) for row in rows] == expected

    connection = sqlite3.connect(":memory:")
    quoted = ['"' + column.replace('"', '""') + '"' for column in table]
    connection.execute(f"CREATE TABLE data ({quoted[0]} TEXT, {quoted[1]} REAL)")
    listed = [tuple(row.values()) for row in rows]
    connection.executemany("INSERT INTO data VALUES (?, ?)", listed)
    found = connection.execute(export(model, "sql", dialect="sqlite")).fetchall()
    connection.close()
    assert [row[-1] for row in found] == expected

    session = runtime.InferenceSession(export(model, "onnx"))
    feeds = {
        name: np.array(table[name], dtype=object).reshape(-1, 1),
        long: np.array(table[long]).reshape(-1, 1),
    }
    assert session.run(None, feeds)[0].tolist() == expected
    evaluator = Evaluator(export(model, "pmml"))
    assert [evaluator.predict(row)[0] for row in rows] == expected
    assert export(model, "c").isascii()


def test_neighbours_have_no_json() -> None:
    model = KNeighborsClassifier().fit(*datasets.play_tennis())
    with pytest.raises(UsageError, match="KNeighborsClassifier has no trees") as caught:
        export(model, "json")
    assert caught.value.slug == "export.refused"
