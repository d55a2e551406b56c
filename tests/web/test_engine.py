"""The engine of the pages, in Node.js: trees, predictions, calculations and files are those of the package."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from node_engine import NODE, PACKED, EngineError, EngineTrapError, NodeEngine

import treewright
from treewright import Table, datasets
from treewright._web.node_work_document import node_work_document
from treewright._web.table_text import rows_as_csv

CLASSIFIERS: dict[str, Any] = {
    "zero-r": treewright.ZeroRClassifier,
    "one-r": treewright.OneRClassifier,
    "id3": treewright.ID3Classifier,
    "c45": treewright.C45Classifier,
    "cart": treewright.CARTClassifier,
    "bagging": treewright.BaggingClassifier,
    "forest": treewright.RandomForestClassifier,
    "extra-trees": treewright.ExtraTreesClassifier,
    "adaboost": treewright.AdaBoostClassifier,
    "boosting": treewright.GradientBoostingClassifier,
    "knn": treewright.KNeighborsClassifier,
}
REGRESSORS: dict[str, Any] = {
    "zero-r": treewright.ZeroRRegressor,
    "cart": treewright.CARTRegressor,
    "bagging": treewright.BaggingRegressor,
    "forest": treewright.RandomForestRegressor,
    "extra-trees": treewright.ExtraTreesRegressor,
    "adaboost": treewright.AdaBoostRegressor,
    "boosting": treewright.GradientBoostingRegressor,
    "knn": treewright.KNeighborsRegressor,
}
# Fewer trees than the default: the quick tests are about the first ones.
FEW = {
    name: {"n_estimators": 12}
    for name in ("bagging", "forest", "extra-trees", "adaboost", "boosting")
}
TABLES = ["breast-cancer", "contact-lenses", "golf", "iris", "labor", "play-tennis", "vote"]
BITS = ("first_child", "n_children", "feature", "missing", "count", "weight", "cost", "gain")


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeEngine]:
    """Start the engine once, or skip with the reason."""
    if NODE is None:
        pytest.skip("there is no Node.js on this machine")
    if not PACKED.exists():
        pytest.skip("the engine is not built: make web")
    started = NodeEngine(tmp_path_factory.mktemp("engine"))
    yield started
    started.close()


class Opened:
    """A table in the engine and in the package."""

    def __init__(self, engine: NodeEngine, name: str, content: str, **options: Any) -> None:
        path = engine.folder / f"{name}.csv"
        path.write_text(content, "utf-8")
        self.engine, self.name = engine, name
        self.document = engine.open(content, f"{name}.csv", **options)
        whole = treewright.read_csv(path)
        features = {feature["name"] for feature in self.document["features"]}
        self.X = Table([series for series in whole.series if series.name in features])
        self.y = whole.column(self.document["target"])
        self.columns = [column["name"] for column in self.document["columns"]]

    def rows_of(self, cells: dict[str, list[Any]]) -> list[list[Any]]:
        """Return rows as the engine reads them: a cell for each column of the file."""
        count = len(next(iter(cells.values())))
        return [[cells[c][i] if c in cells else None for c in self.columns] for i in range(count)]


def open_built_in(engine: NodeEngine, name: str, **options: Any) -> Opened:
    data = datasets.load(name)
    return Opened(engine, name, rows_as_csv(data.table), target=data.target, **options)


def unlike(document: dict[str, Any], tree: Any) -> list[str]:
    """Return the columns of a tree that differ in any bit."""
    columns = document["tree"]
    found = [n for n in BITS if not np.array_equal(columns[n], np.asarray(getattr(tree, n)))]
    cuts = [math.inf if x == "inf" else math.nan if x is None else x for x in columns["threshold"]]
    if not np.array_equal(cuts, np.asarray(tree.threshold), equal_nan=True):
        found.append("threshold")
    return found


def make_cases(table: Opened, trees: Any, count: int) -> dict[str, list[Any]]:
    """Return rows at the thresholds of trees, with missing and unseen values, and mixed from the training rows."""
    draw = np.random.Generator(np.random.PCG64(7))
    cuts: dict[int, list[float]] = {}
    for tree in list(trees)[:5]:
        for feature, cut in zip(tree.feature.tolist(), tree.threshold.tolist(), strict=True):
            if math.isfinite(cut) and abs(cut) < 1e300:
                cuts.setdefault(feature, []).append(cut)
    cells = {}
    for place, series in enumerate(table.X.series):
        known = series.values()
        values = [known[i] for i in draw.integers(len(known), size=count)]
        for i in np.flatnonzero(draw.random(count) < 0.3).tolist():
            if place in cuts:
                values[i] = cuts[place][int(draw.integers(len(cuts[place])))]
        for i in np.flatnonzero(draw.random(count) < 0.05).tolist():
            values[i] = None
        if series.kind == "categorical":
            for i in np.flatnonzero(draw.random(count) < 0.03).tolist():
                values[i] = "never seen"
        cells[series.name] = values
    return cells


def check_learner(table: Opened, algorithm: str, learner: Any, count: int, **params: Any) -> None:
    """Compare a learner of the engine with that of the package."""
    engine = table.engine
    fitted = engine.fit(table.document, algorithm, **params)
    model = learner(**params).fit(table.X, table.y)
    trees = getattr(model, "trees_", [])
    # AdaBoost's votes go through logarithms, whose last digit another machine may write otherwise.
    exact = algorithm != "adaboost"
    if len(trees):
        assert fitted["n_trees"] == len(trees)
        pairs = zip(fitted["trees"], trees, strict=False)
        assert not exact or [unlike(*pair) for pair in pairs] == [[]] * len(fitted["trees"])
    cells = make_cases(table, trees, count)
    found = engine.call("predict", model=fitted["id"], rows=table.rows_of(cells))
    X = dict(cells.items())
    if hasattr(model, "predict_proba"):
        expected, said = model.predict_proba(X), [row["probabilities"] for row in found]
        assert [row["prediction"] for row in found] == model.predict(X).tolist()
    else:
        expected, said = model.predict(X), [row["prediction"] for row in found]
    tolerance = 0.0 if exact else 1e-9 * (1 + np.abs(expected).max())
    np.testing.assert_allclose(np.array(said, dtype=float), expected, rtol=0, atol=tolerance)
    path = engine.folder / "model.tree"
    path.write_bytes(engine.model_file(fitted["id"]))
    loaded = treewright.load(path)
    assert type(loaded) is learner
    again = loaded.predict_proba(X) if hasattr(model, "predict_proba") else loaded.predict(X)
    np.testing.assert_allclose(again, expected, rtol=0, atol=tolerance)


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_classifiers_are_those_of_the_package(engine: NodeEngine, name: str) -> None:
    table = open_built_in(engine, name)
    for algorithm, learner in CLASSIFIERS.items():
        check_learner(table, algorithm, learner, 400, **FEW.get(algorithm, {}))


@pytest.mark.slow
def test_regressors_are_those_of_the_package(engine: NodeEngine) -> None:
    table = open_built_in(engine, "cpu")
    for algorithm, learner in REGRESSORS.items():
        check_learner(table, algorithm, learner, 400, **FEW.get(algorithm, {}))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("algorithm", "params"),
    [
        ("c45", {"criterion": "gain", "min_cases": 1, "thresholds": "midpoint"}),
        ("c45", {"variant": "j48", "confidence": 0.1}),
        ("c45", {"categorical": "groups"}),
        ("c45", {"prune": "reduced_error"}),
        ("c45", {"prune": "cost_complexity", "folds": 4}),
        ("c45", {"class_weight": "balanced"}),
        ("id3", {"prune": "pessimistic", "max_depth": 3}),
        ("cart", {"prune": "cost_complexity", "folds": 3}),
        ("cart", {"prune": "reduced_error", "validation_fraction": 0.25}),
        ("cart", {"variant": "rpart"}),
        ("cart", {"missing": "surrogate", "criterion": "entropy"}),
        ("cart", {"missing": "branch", "max_leaf_nodes": 5, "class_weight": "balanced"}),
        ("forest", {"n_estimators": 5, "max_features": 0.5, "max_samples": 0.5, "random_state": 9}),
        ("boosting", {"n_estimators": 5, "splits": "exact", "subsample": 0.5, "max_depth": 2}),
        (
            "boosting",
            {"n_estimators": 20, "early_stopping": True, "max_leaf_nodes": None, "max_depth": 3},
        ),
        ("knn", {"n_neighbors": "auto", "weights": "distance"}),
        ("knn", {"n_neighbors": 3, "metric": "gower", "weights": "squared_distance"}),
        ("knn", {"n_neighbors": 3, "metric": "hamming"}),
    ],
)
def test_parameters_mean_the_same(
    engine: NodeEngine, algorithm: str, params: dict[str, Any]
) -> None:
    for name in ("labor", "vote"):
        check_learner(open_built_in(engine, name), algorithm, CLASSIFIERS[algorithm], 100, **params)


@pytest.mark.slow
def test_ten_thousand_rows_are_predicted_alike(engine: NodeEngine) -> None:
    table = open_built_in(engine, "breast-cancer")
    for algorithm in ("id3", "c45", "cart"):
        check_learner(table, algorithm, CLASSIFIERS[algorithm], 10_000)


GROWN: dict[str, Any] = {
    "id3": treewright.ID3Classifier(),
    "c45": treewright.C45Classifier(prune=None),
    "cart": treewright.CARTClassifier(),
}


@pytest.mark.parametrize("algorithm", list(GROWN))
def test_a_tree_that_grows_step_by_step_is_that_of_fit(engine: NodeEngine, algorithm: str) -> None:
    table = open_built_in(engine, "golf")
    params = {"prune": None} if algorithm == "c45" else {}
    state = engine.start(table.document, algorithm, **params)
    nodes = {node["id"]: node for node in state["nodes"]}
    while opened := [node["id"] for node in nodes.values() if node["state"] == "open"]:
        apply(
            nodes,
            engine.call("step", tree=state["id"], action={"action": "split", "node": opened[0]}),
        )
    model = GROWN[algorithm].fit(table.X, table.y)
    path = engine.folder / "grown.tree"
    path.write_bytes(engine.model_file(state["id"]))
    tree, grown = model.tree_, treewright.load(path).tree_
    for name in (*BITS, "threshold", "route"):
        np.testing.assert_array_equal(getattr(grown, name), getattr(tree, name), err_msg=name)
    # Everything is taken back, one step after the other.
    for _ in range(int((tree.n_children > 0).sum())):
        apply(nodes, engine.call("step", tree=state["id"], action={"action": "undo"}))
    assert list(nodes) == [0]
    with pytest.raises(EngineError, match="nothing to undo"):
        engine.call("step", tree=state["id"], action={"action": "undo"})


def apply(nodes: dict[int, Any], delta: dict[str, Any]) -> None:
    """Change nodes as a page does."""
    nodes |= {node["id"]: node for node in delta["changed"]}
    for node in delta["removed"]:
        del nodes[node]


def test_splits_of_choice_leaves_and_rows(engine: NodeEngine) -> None:
    table = open_built_in(engine, "play-tennis")
    state = engine.start(table.document, "id3")
    nodes = {node["id"]: node for node in state["nodes"]}
    step = {"action": "split_on", "node": 0, "feature": 2}
    apply(nodes, engine.call("step", tree=state["id"], action=step))
    assert nodes[0]["by_hand"]
    assert nodes[0]["split"]["feature"] == 2
    child = nodes[0]["children"][0]
    apply(nodes, engine.call("step", tree=state["id"], action={"action": "leaf", "node": child}))
    assert nodes[child]["reason"] == "by_hand"
    apply(nodes, engine.call("step", tree=state["id"], action={"action": "grow"}))
    assert nodes[child]["state"] == "leaf"
    rows = engine.call("node_rows", tree=state["id"], node=child, offset=0, limit=3)
    assert rows["total"] == 7
    assert {row[table.columns.index("Humidity")] for row in rows["cells"]} == {"High"}
    assert rows["fraction"] == [1, 1, 1]
    for node in nodes.values():
        if node["children"]:
            parts = np.array([nodes[c]["value"] for c in node["children"]])
            np.testing.assert_allclose(parts.sum(axis=0), node["value"])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["golf", "labor", "iris"])
@pytest.mark.parametrize("algorithm", list(GROWN))
def test_calculations_are_those_of_the_package(
    engine: NodeEngine, name: str, algorithm: str
) -> None:
    table = open_built_in(engine, name)
    params = {"prune": None} if algorithm == "c45" else {}
    state = engine.start(table.document, algorithm, **params)
    delta = engine.call("step", tree=state["id"], action={"action": "grow"})
    model = GROWN[algorithm].fit(table.X, table.y)
    ids = [node["id"] for node in delta["changed"]]
    for node in ids[:6]:
        own = engine.call("work", tree=state["id"], node=node)
        place = ids.index(node)
        if place >= model.tree_.n_nodes or model.tree_.count[place] != own["group"]["rows"]:
            continue  # C4.5 removes splits that save no error only when the tree is finished
        expected = json.loads(json.dumps(node_work_document(treewright.work(model, place).node)))
        if expected.get("reason") == "pruned":
            continue
        own["node"] = place
        assert_alike(own, expected, f"{name} {algorithm} {place}")


def assert_alike(own: Any, expected: Any, where: str) -> None:
    """Compare documents; numbers may differ in the last digits."""
    if isinstance(expected, dict):
        expected = {
            key: value for key, value in expected.items() if value is not None or key in own
        }
        assert set(own) == set(expected), where
        for key, value in expected.items():
            assert_alike(own[key], value, f"{where}.{key}")
    elif isinstance(expected, list):
        assert len(own) == len(expected), where
        for i, value in enumerate(expected):
            assert_alike(own[i], value, f"{where}[{i}]")
    elif isinstance(expected, float):
        assert own == pytest.approx(expected, rel=1e-9, abs=1e-9), where
    else:
        assert own == expected, where


@pytest.mark.slow
def test_pruning_and_its_curve_are_those_of_the_package(engine: NodeEngine) -> None:
    table = open_built_in(engine, "vote")
    state = engine.start(table.document, "c45")
    nodes = {0: state["nodes"][0]}
    apply(nodes, engine.call("step", tree=state["id"], action={"action": "grow"}))
    apply(nodes, engine.call("step", tree=state["id"], action={"action": "prune"}))
    assert len(nodes) == treewright.C45Classifier().fit(table.X, table.y).tree_.n_nodes
    cart = engine.start(table.document, "cart")
    engine.call("step", tree=cart["id"], action={"action": "grow"})
    curve = engine.call("curve", tree=cart["id"], folds=5)
    assert engine.told == 6
    expected = treewright.complexity_curve(treewright.CARTClassifier(), table.X, table.y, cv=5)
    assert curve["leaves"] == expected.leaves[::-1].tolist()
    np.testing.assert_allclose(curve["training"], expected.training[::-1], rtol=1e-12)
    np.testing.assert_allclose(curve["validation"], expected.cross_validated[::-1], rtol=1e-12)
    np.testing.assert_allclose(curve["se"], expected.deviation[::-1], rtol=1e-12)
    last = len(curve["leaves"]) - 1
    assert (curve["best"], curve["one_se"]) == (last - expected.best, last - expected.one_se)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["labor", "iris"])
def test_a_comparison_has_the_folds_of_the_package(engine: NodeEngine, name: str) -> None:
    table = open_built_in(engine, name)
    names = ["one-r", "zero-r", "id3", "c45", "cart", "knn"]
    specs = [{"table": table.document["id"], "algorithm": a, "params": {}} for a in names]
    comparison = engine.call("compare", specs=specs, folds=4)
    models = {a: CLASSIFIERS[a]() for a in names}
    expected = treewright.compare(models, table.X, table.y, cv=4, measures="error")
    for result in comparison["results"]:
        entry = expected[result["spec"]["algorithm"]]
        np.testing.assert_allclose(result["error"], entry.scores, atol=1e-12)
        assert result["leaves"] == (entry.size or 0)


HOSTILE = [
    b"",
    b"\n\n\n",
    b"a",
    b"a,b\n",
    b"a,b\n1\n",
    b"a,b\n1,2,3\n",
    b'a,b\n"1,2\n',
    b"a,a\n1,2\n",
    b"\xff\xfe\x00a",
    b"a,b\n\x00,1\n",
    b"a,b\n" + b"x" * (1 << 21) + b",1\n",
    b"a,b\n1e999,x\n2,y\n",
    b"a,b\n,\n,\n",
    b"a,b\n1,x\n1,x\n",
    "a,\u202eb\n</script>,😀\n2,y\n".encode(),
    b"a;b\n1;2\n3;4\n5;5\n",
]


@pytest.mark.parametrize("content", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_files_are_refused_or_read(engine: NodeEngine, content: bytes) -> None:
    failures = []
    try:
        table = engine.open(content, "hostile.csv")
    except EngineError as error:
        failures.append(error.failure)
    else:
        for algorithm in CLASSIFIERS:
            try:
                engine.fit(table, algorithm)
            except EngineError as error:
                failures.append(error.failure)
    assert all(failure["slug"] and failure["message"] for failure in failures)


@pytest.mark.parametrize(
    "request_",
    [
        {},
        {"call": "nothing"},
        {"call": "start", "as": 9, "spec": {"table": 10**6, "algorithm": "id3"}},
        {"call": "start", "as": 9, "spec": {"table": 1, "algorithm": "magic"}},
        {"call": "step", "tree": 10**12, "action": {"action": "undo"}},
        {"call": "work", "tree": -1, "node": 0},
        {"call": "predict", "model": 1, "rows": [[1]]},
        {"call": "rows", "table": 1, "offset": 1e300, "limit": -4},
        {
            "call": "fit",
            "as": 9,
            "spec": {"table": 1, "algorithm": "cart", "params": {"max_depth": []}},
        },
    ],
)
def test_hostile_calls_are_refused(engine: NodeEngine, request_: dict[str, Any]) -> None:
    open_built_in(engine, "golf")
    with pytest.raises(EngineError):
        engine.call(request_.pop("call", ""), **request_)
    assert engine.call("rows", table=engine.last, offset=0, limit=1)


def test_wrong_steps_and_parameters_say_what_is_wrong(engine: NodeEngine) -> None:
    table = open_built_in(engine, "golf")
    state = engine.start(table.document, "cart")
    for action in (
        {"action": "split", "node": 77},
        {"action": "split_on", "node": 0, "feature": 99},
        {"action": "split_on", "node": 0, "feature": 0, "threshold": 1.5},
        {"action": "split_on", "node": 0, "feature": 1, "threshold": 1e308},
        {"action": "prune"},
    ):
        with pytest.raises(EngineError) as caught:
            engine.call("step", tree=state["id"], action=action)
        assert caught.value.failure["message"]
    for params in (
        {"max_depth": -1},
        {"criterion": "x"},
        {"nothing": 1},
        {"min_samples_leaf": 2.5},
    ):
        with pytest.raises(EngineError) as caught:
            engine.start(table.document, "cart", **params)
        assert caught.value.failure["slug"] == "usage.parameter"
    with pytest.raises(EngineError, match=r"golf\.csv"):
        engine.open("a,b\n1,2\n", "golf.csv", target="c")


def test_a_defect_is_an_error_and_the_engine_goes_on(engine: NodeEngine) -> None:
    with pytest.raises(EngineTrapError, match="out of bounds"):
        engine.break_module()
    assert open_built_in(engine, "golf").document["rows"] == 14


def test_columns_are_read_as_in_the_package(engine: NodeEngine) -> None:
    rows = [
        f'{i},c{i},"$1,{i:03d}.50",2024-01-{i % 28 + 1:02d},{i % 3},{"yn"[i % 2]}'
        for i in range(40)
    ]
    table = Opened(engine, "mixed", "\n".join(["id,name,price,day,level,y", *rows]))
    roles = {column["name"]: column["role"] for column in table.document["columns"]}
    assert roles == {
        "id": "ignored",
        "name": "ignored",
        "price": "feature",
        "day": "ignored",
        "level": "feature",
        "y": "target",
    }
    inspection = treewright.inspect(engine.folder / "mixed.csv")
    ignored = {report.name for report in inspection.reports if report.ignored}
    assert ignored == {name for name, role in roles.items() if role == "ignored"}
    notes = [column["note"] for column in table.document["columns"] if column["note"]]
    assert any("price" in note and "decimal point" in note for note in notes)
    check_learner(table, "cart", treewright.CARTClassifier, 50)


@pytest.mark.slow
def test_times_of_a_table_of_twenty_thousand_rows(engine: NodeEngine) -> None:
    draw = np.random.Generator(np.random.PCG64(3))
    columns = [draw.normal(size=20_000).round(3) for _ in range(8)]
    label = np.where(
        columns[0] + columns[1] * columns[2] + draw.normal(size=20_000) > 0, "yes", "no"
    )
    lines = [",".join(map(str, row)) for row in zip(*columns, label.tolist(), strict=True)]
    table = engine.open("\n".join(["a,b,c,d,e,f,g,h,y", *lines]), "large.csv")
    figures = [f"open {engine.seconds:.2f} s"]
    for algorithm in ("cart", "c45"):
        state = engine.start(table, algorithm)
        delta = engine.call("step", tree=state["id"], action={"action": "grow"})
        figures.append(f"{algorithm} {len(delta['changed'])} nodes {engine.seconds:.2f} s")
    figures.append(f"{engine.memory / 2**20:.0f} MB")
    print(", ".join(figures))
    engine.call("close", id=table["id"])
    assert engine.memory < 400 * 2**20
