"""The report as a file: what it measures, what it says, how large it is, and what it refuses. No browser is needed."""

from __future__ import annotations

import datetime
import math
import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import treewright
from helpers import golden
from helpers.hostile_text import Reader
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    GradientBoostingClassifier,
    ID3Classifier,
    RandomForestClassifier,
    UsageError,
    datasets,
    load,
    report,
    save,
    show,
)
from treewright._web.check_cases import check_cases
from treewright._web.node_work_document import node_work_document
from treewright._web.report import report_page
from treewright._web.report.report_document import STEPS, Detail
from treewright._web.tree_document import tree_columns, tree_document

TENNIS = datasets.play_tennis()
GOLF = datasets.golf()


@pytest.fixture(autouse=True)
def shell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the reports into a page without its script, so that nothing needs to be built."""
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>t</title><style>p{}</style></head>'
        '<body><div id="app"></div><!--DATA--><script type="module">0</script></body></html>'
    )
    monkeypatch.setattr(report_page, "read_shell", lambda name: page)


def text_of(html: str) -> str:
    """Return the words of the static part; the elements must be closed in order."""
    reader = Reader()
    reader.feed(html.partition("<main")[2].partition("</main>")[0].partition(">")[2])
    assert not reader.open
    return " ".join(" ".join(reader.text).split())


# ---- the data of the page


def test_counts_are_integers_and_shares_are_exact() -> None:
    X, y = golden.load("labor")
    tree = C45Classifier().fit(X, y.values()).tree_
    columns = tree_columns(tree)
    assert all(isinstance(n, int) for n in columns["count"])
    assert columns["value"][:2] == [20, 37]
    value = np.array(columns["value"], dtype=float).reshape(-1, 2)
    shares = value / value.sum(axis=1, keepdims=True)
    own = columns.get("outputs", {})
    for node, share in enumerate(shares):
        assert np.allclose(own.get(str(node), share), tree.outputs[node], rtol=0, atol=1e-15)


def test_the_compact_form_leaves_out_what_follows_from_the_classes() -> None:
    tree = CARTClassifier().fit(*GOLF).tree_
    whole, compact = tree_columns(tree), tree_columns(tree, compact=True)
    assert whole.keys() - compact.keys() == {"weight", "cost", "gain"}
    sums = np.array(whole["value"]).reshape(-1, 2).sum(axis=1)
    assert sums.tolist() == whole["weight"]
    numbers = CARTRegressor().fit({"a": [1, 2, 3]}, [1.0, 2.0, 9.0]).tree_
    assert tree_columns(numbers, compact=True).keys() >= {"weight", "cost"}


def test_features_say_how_their_values_are_written() -> None:
    X = {
        "x": [0.5, 1.5, 2.25, 3.0],
        "size": ["S", "L", "S", "L"],
        "flag": [True, False, True, False],
    }
    features = tree_document(CARTClassifier().fit(X, [0, 1, 1, 0]).tree_, "gini")["features"]
    assert features[0]["decimals"] >= 2
    assert features[0]["never_missing"]
    assert features[1]["levels"] == ["L", "S"]
    assert features[2]["levels"] == ["False", "True"]


def test_check_cases_are_those_of_predict_proba() -> None:
    X, y = golden.load("vote")
    model = C45Classifier().fit(X, y.values())
    check = check_cases(model)
    assert len(check["cells"]) == 64
    assert any(None in row for row in check["cells"])
    assert any("unseen" in row for row in check["cells"])
    rows = {name: [row[i] for row in check["cells"]] for i, name in enumerate(model.schema_.names)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # categories that training did not have
        shares = model.predict_proba(rows)
    order = [model.classes_.tolist().index(c) for c in model.schema_.classes]
    assert np.array_equal(shares[:, order], np.array(check["expected"]))


def test_check_cases_stand_at_thresholds() -> None:
    X, y = golden.load("iris")
    model = CARTClassifier().fit(X, y.values())
    cuts = {float(t) for t in model.tree_.threshold if math.isfinite(t)}
    cells = {cell for row in check_cases(model)["cells"] for cell in row}
    assert len(cuts & cells) >= 3
    assert any(np.nextafter(cut, math.inf) in cells for cut in cuts)


def test_the_work_of_a_leaf_says_why() -> None:
    model = ID3Classifier().fit(*TENNIS)
    leaf = node_work_document(treewright.work(model, 2).node)
    assert leaf["reason"] == "pure"
    assert leaf["chosen"] is None
    root = node_work_document(treewright.work(model, 0).node)
    assert root["candidates"][0]["gain"] == pytest.approx(0.24674981977443933)
    assert root["candidates"][0]["split"] == {"feature": 0, "route": [0, 1, 2], "missing": 65534}


# ---- what the report says


def test_training_rows_are_recognized() -> None:
    model = C45Classifier().fit(*GOLF)
    assert "training rows" in text_of(report(model, *GOLF).html)
    X, y = GOLF
    other = text_of(report(model, X[:9], y[:9]).html)
    assert "held-out rows" in other
    assert "Digest of held-out rows (9 rows × 4 columns)" in other


def test_the_figures_are_those_of_evaluate() -> None:
    X, y = golden.load("breast-cancer")
    y = y.values()
    model = C45Classifier().fit(X[:200], y[:200])
    result = treewright.evaluate(model, X[200:], y[200:])
    text = text_of(report(model, X[:200], y[:200], test=(X[200:], y[200:])).html)
    right, total = int(result.score.right), int(result.score.total)
    low, high = treewright.measures.wilson(right, total)
    assert f"{right} of {total} ({100 * right / total:.1f}%)" in text
    assert f"{100 * low:.1f}% to {100 * high:.1f}%" in text
    assert "Calibration of the probability" in text
    assert "Lift:" in text


def test_without_rows_the_counts_of_the_tree_are_used(tmp_path: Path) -> None:
    X, y = golden.load("iris")
    model = CARTClassifier(max_depth=2).fit(X, y.values())
    save(model, tmp_path / "iris.tree")
    text = text_of(report(load(tmp_path / "iris.tree")).html)
    assert "training rows 150 144 96.0%" in text
    curve = report(model).document["curve"]
    assert curve["leaves"] == [1, 2, 3]
    assert curve["training"] == pytest.approx([2 / 3, 1 / 3, 0.04])
    assert curve["validation"] == []


def test_cautions_are_computed() -> None:
    text = text_of(report(ID3Classifier().fit(*TENNIS), *TENNIS).html)
    assert "5 of 5 leaves have fewer than 5 training rows (14 rows in all)" in text
    assert '"Temperature" is not used' in text
    random = np.random.default_rng(2)
    X = {"a": random.random(300), "b": random.random(300)}
    y = random.integers(0, 2, 300)
    model = CARTClassifier().fit({n: v[:200] for n, v in X.items()}, y[:200])
    test = {n: v[200:] for n, v in X.items()}, y[200:]
    noise = text_of(report(model, {n: v[:200] for n, v in X.items()}, y[:200], test=test).html)
    assert "is not clearly above the baseline" in noise
    assert "percentage points higher than on held-out rows" in noise


def test_unseen_and_rare_categories_are_named() -> None:
    X = {"town": ["A"] * 20 + ["B"] * 20 + ["C"] * 2, "n": [1, 2] * 21}
    y = ["x"] * 20 + ["y"] * 20 + ["x", "y"]
    model = ID3Classifier().fit(X, y)
    text = text_of(report(model, {"town": ["A", "Z"], "n": [1, 2]}, ["x", "y"]).html)
    assert 'have 1 category of "town" that training did not have: "Z"' in text
    assert 'fewer than 5 training rows: "town = C"' in text


def test_the_commands_make_the_model_again() -> None:
    model = C45Classifier(min_cases=3, prune=None, criterion="gain").fit(*GOLF)
    text = report(model, *GOLF).html
    assert "-a c45 --criterion gain --min-rows 3 --prune none -o model.tree" in text
    assert (
        "model = C45Classifier(criterion=&#x27;gain&#x27;, min_cases=3, prune=None).fit(X, y)"
        in text
    )


def test_columns_that_the_model_does_not_read_are_listed() -> None:
    X, y = GOLF
    table = X.to_dict() if hasattr(X, "to_dict") else dict(X)
    model = C45Classifier().fit(table, y)
    text = text_of(report(model, table | {"comment": ["?"] * 14}, y).html)
    assert "Not read by the model: comment." in text


# ---- rows, sizes, bytes


def test_rows_only_where_they_are_asked_for() -> None:
    model = C45Classifier().fit(*GOLF)
    without = report(model, *GOLF)
    assert "rows" not in without.document
    assert "contains no rows of the data" in text_of(without.html)
    included = report(model, *GOLF, include_rows=5)
    assert len(included.document["rows"]["truth"]) == 5
    assert "Privacy: this report contains 5 rows of the data." in text_of(included.html)
    with pytest.raises(UsageError, match="include_rows"):
        report(model, *GOLF, include_rows=5001)


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    pd = pytest.importorskip("pandas")
    table, y = {"a": [1.0, 2.0, 3.0, 4.0] * 5, "b": ["x", "y"] * 10}, [0, 0, 1, 1] * 5
    first = report(C45Classifier().fit(table, y), table, y, tmp_path / "a.html").html
    assert first == (tmp_path / "a.html").read_text("utf-8")
    for container in (table, pd.DataFrame(table)):
        assert report(C45Classifier().fit(container, y), container, y).html == first


def test_the_date_is_printed_only_where_it_is_given() -> None:
    model = ID3Classifier().fit(*TENNIS)
    assert "on 2026" not in report(model).html
    assert "on 2026-05-01" in report(model, date=datetime.date(2026, 5, 1)).html


def test_a_report_that_is_too_large_is_refused() -> None:
    model = ID3Classifier().fit(*TENNIS)
    with pytest.raises(UsageError) as caught:
        report(model, *TENNIS, max_size="10 KB")
    assert caught.value.slug == "report.too-large"
    with pytest.raises(UsageError, match="cannot read the size"):
        report(model, max_size="huge")


def test_a_large_report_leaves_things_out_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    full = Detail(works=24, rows=900, trees=10, predicts=True)
    steps = []
    for step in STEPS:
        full = step(full)
        steps.append((full.works, full.rows, full.trees, full.predicts))
    assert steps[0] == (8, 900, 10, True)
    assert steps[1] == (8, 200, 10, True)
    assert steps[2] == (8, 200, 10, False)
    assert steps[-1] == (1, 200, 1, False)
    X, y = golden.load("iris")
    model = RandomForestClassifier(30, random_state=0).fit(X, y.values())
    whole = report(model, X, y.values())
    assert whole.notes == ()
    assert len(whole.document["trees"]) == 30
    monkeypatch.setattr(report_page, "COMFORTABLE", whole.size - 1000)
    smaller = report(model, X, y.values())
    assert "cannot try a row" in smaller.notes[0]
    assert len(smaller.document["trees"]) == 10
    monkeypatch.setattr(report_page, "LARGE", 1000)
    with pytest.warns(UserWarning, match="browsers may open it slowly"):
        report(model, X, y.values())


# ---- models and errors


def test_the_model_of_a_pipeline() -> None:
    X, y = golden.load("iris")
    frame = np.array([X[name] for name in X.columns], dtype=float).T
    model = make_pipeline(StandardScaler(), CARTClassifier(max_depth=2)).fit(frame, y.values())
    text = text_of(report(model, frame, y.values()).html)
    assert "the last step of a Pipeline" in text
    assert "training rows" in text


def test_trees_of_boosting_hold_numbers() -> None:
    document = report(GradientBoostingClassifier(n_estimators=3).fit(*GOLF)).document
    assert document["classes"] == ["no", "yes"]
    assert document["tree_classes"] is None
    assert document["combine"]["link"] == "logistic"
    assert document["criterion"] == "variance"


def test_what_is_no_model_or_has_no_target() -> None:
    with pytest.raises(UsageError) as caught:
        report(StandardScaler())
    assert caught.value.slug == "report.no-model"
    with pytest.raises(UsageError) as caught:
        report(ID3Classifier().fit(*TENNIS), TENNIS[0])
    assert caught.value.slug == "report.no-target"
    with pytest.raises(UsageError, match="test must be a pair"):
        report(ID3Classifier().fit(*TENNIS), *TENNIS, test=TENNIS[0])


def test_interactive_views_of_other_models_are_plain() -> None:
    forest = RandomForestClassifier(3, random_state=0).fit(*GOLF)
    assert type(show(forest, interactive=True)).__name__ == "ManyView"
    tree = C45Classifier().fit(*GOLF).tree_
    assert type(show(tree, interactive=True)).__name__ == "View"


def test_a_class_that_training_did_not_have() -> None:
    model = C45Classifier().fit({"a": [1, 2, 3, 4]}, list("xxyy"))
    result = report(model, {"a": [1, 9]}, ["x", "z"])
    assert "held-out rows 2 1 50.0%" in text_of(result.html)
    assert result.document["curve"]["validation"] == []
