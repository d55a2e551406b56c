"""A lesson as data: the numbers of the lecture, the same as those of `fit` and `work`; every screen; every language."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import numpy as np
import pytest

from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    KNeighborsClassifier,
    RandomForestClassifier,
    datasets,
    lesson,
    work,
)
from treewright._lesson.text_tables import BLANK, text_table, translate
from treewright._utils.choices import LANGUAGES, LESSON_STEPS
from treewright.errors import DataError, UsageError

X, Y = datasets.play_tennis()
GOLF, PLAY = datasets.golf()
TREE = ID3Classifier().fit(X, Y)
TENNIS = lesson(TREE, X, Y, target="PlayTennis")
MISSING = {
    "outlook": ["sunny", "sunny", "overcast", "rain", None, "rain", "overcast", "sunny"] * 2,
    "humidity": [85.0, 90, 78, 96, 80, 70, None, 95] * 2,
}
PLAYS = ["no", "no", "yes", "yes", "yes", "no", "yes", "no"] * 2


def screen(document: Any, name: str) -> Any:
    return next(each for each in document.steps if each["id"] == name)


def test_the_screens_and_their_order() -> None:
    names = [step["id"] for step in lesson(C45Classifier().fit(GOLF, PLAY), GOLF, PLAY).steps]
    assert names == list(LESSON_STEPS)
    assert [step["id"] for step in TENNIS.steps] == [n for n in LESSON_STEPS if n != "thresholds"]


def test_the_numbers_of_the_lecture() -> None:
    root = TENNIS.to_dict()["nodes"][0]
    gains = {c["split"]["feature"]: c["gain"] for c in root["work"]["candidates"]}
    names = [f["name"] for f in TENNIS.to_dict()["table"]["features"]]
    rounded = {names[f]: round(gain, 3) for f, gain in gains.items()}
    assert rounded == {"Outlook": 0.247, "Humidity": 0.152, "Wind": 0.048, "Temperature": 0.029}
    assert math.isclose(sum(term["value"] for term in root["terms"]), root["group"]["impurity"])
    baselines = screen(TENNIS, "baselines")
    assert (baselines["zero_r"]["errors"], baselines["zero_r"]["weight"]) == (5.0, 14.0)
    errors = {names[c["feature"]]: c["errors"] for c in baselines["one_r"]["columns"]}
    assert errors == {"Outlook": 4, "Temperature": 5, "Humidity": 4, "Wind": 5}
    assert [names[f] for f in baselines["one_r"]["tied"]] == ["Outlook", "Humidity"]


@pytest.mark.parametrize(
    ("model", "table", "target"),
    [
        (ID3Classifier(), X, Y),
        (C45Classifier(), GOLF, PLAY),
        (C45Classifier(prune=None, min_cases=1), MISSING, PLAYS),
        (CARTClassifier(), GOLF, PLAY),
        (CARTClassifier(criterion="entropy"), X, Y),
    ],
    ids=["id3", "c45", "missing", "cart", "cart-entropy"],
)
def test_a_lesson_has_the_numbers_of_work(model: Any, table: Any, target: Any) -> None:
    model.fit(table, target)
    document = lesson(model, table, target).to_dict()
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    for node in document["nodes"]:
        own = work(model, node["node"], table, target).to_dict()
        assert node["group"]["weight"] == own["weight"]
        assert node["group"]["impurity"] == own["impurity"]
        fractions = sum(node["fraction"])
        assert math.isclose(fractions, own["weight"], abs_tol=1e-9)
        if node["work"] is None:
            continue
        features = document["table"]["features"]
        listed = [features[c["split"]["feature"]]["name"] for c in node["work"]["candidates"]]
        candidates = {c["column"]: c for c in own["candidates"]}
        assert listed == [c["column"] for c in own["candidates"] if c["children"]]
        for name, candidate in zip(listed, node["work"]["candidates"], strict=True):
            # Pages have it of the rows whose value is known, work of all rows of the node.
            known = candidate["known"]["weight"] / own["weight"]
            assert math.isclose(candidate["remaining"] * known, candidates[name]["remaining"])
            assert math.isclose(
                candidate["gain"], candidates[name]["gain"] - candidates[name]["price"]
            )
        chosen = node["work"]["chosen"]
        assert (None if chosen is None else listed[chosen]) == own["chosen"]
        algorithms = {
            a["algorithm"]: None if a["chosen"] is None else features[a["chosen"]]["name"]
            for a in node["choice"]["algorithms"]
        }
        assert algorithms == own["would_choose"]


def test_rows_go_where_the_tree_sends_them() -> None:
    document = TENNIS.to_dict()
    order = screen(TENNIS, "split")["order"]
    assert [turn["node"] for turn in order] == [0, 1, 3]
    assert [row + 1 for row in order[0]["children"][0]["rows"]] == [1, 2, 8, 9, 11]
    assert [turn["leaves"] for turn in order] == [3, 4, 5]
    assert [turn["error"] for turn in order] == [4.0, 2.0, 0.0]
    paths = screen(TENNIS, "path")["paths"]
    classes = document["table"]["classes"]
    assert [classes[path["prediction"]] for path in paths] == list(TREE.predict(X))
    assert all(path["nodes"] == TREE.tree_.path(X[i : i + 1]) for i, path in enumerate(paths))


def test_a_divided_row_has_all_its_leaves() -> None:
    model = C45Classifier(prune=None, min_cases=1).fit(MISSING, PLAYS)
    paths = screen(lesson(model, MISSING, PLAYS), "path")["paths"]
    divided = [path for path in paths if len(path["leaves"]) > 1]
    assert divided
    assert all(math.isclose(sum(x["fraction"] for x in p["leaves"]), 1) for p in paths)


def test_numbers_are_cut_at_every_place() -> None:
    model = C45Classifier().fit(GOLF, PLAY)
    columns = screen(lesson(model, GOLF, PLAY), "thresholds")["columns"]
    root = [c for c in columns if c["node"] == 0]
    names = GOLF.columns
    assert [names[c["feature"]] for c in root] == ["humidity", "temperature"]
    values = [each["value"] for each in root[0]["values"]]
    assert values == sorted(values)
    assert len(values) == 14


def test_curve_and_pruning() -> None:
    overfitting = screen(TENNIS, "overfitting")
    leaves = overfitting["curve"]["leaves"]
    assert leaves == sorted(leaves)
    assert len(overfitting["curve"]["link"]) == len(overfitting["tree"]["tree"]["count"])
    pruning = screen(TENNIS, "pruning")
    assert (pruning["method"], pruning["applied"]) == ("pessimistic", False)
    assert pruning["steps"][-1]["node"] == 0
    pruned = C45Classifier(confidence=0.01).fit(MISSING, PLAYS)
    assert screen(lesson(pruned, MISSING, PLAYS), "pruning")["applied"]


def test_numeric_targets() -> None:
    rows = np.arange(20.0).reshape(-1, 1)
    numbers = np.where(rows[:, 0] < 7, 1.0, 5.0) + np.arange(20) % 3
    model = CARTRegressor(max_depth=2).fit(rows, numbers)
    document = lesson(model, rows, numbers)
    assert screen(document, "baselines")["one_r"] is None
    assert document.to_dict()["table"]["classes"] is None
    assert screen(document, "others")["adaboost"] is None
    assert screen(document, "pruning")["method"] == "cost_complexity"
    predicted = [path["prediction"] for path in screen(document, "path")["paths"]]
    assert np.allclose(predicted, model.predict(rows))
    for language in LANGUAGES:
        assert str(lesson(model, rows, numbers, language=language, width=100))


def test_other_algorithms() -> None:
    others = screen(TENNIS, "others")
    near = others["neighbors"]
    rest = KNeighborsClassifier(3).fit(X[1:], Y[1:])
    classes = TENNIS.to_dict()["table"]["classes"]
    assert classes[near["prediction"]] == rest.predict(X[:1])[0]
    assert sum(row["used"] for row in near["rows"]) == 3
    for row in near["rows"]:
        assert math.isclose(row["distance"] ** 2, sum(part["adds"] for part in row["parts"]))
    for turn in others["adaboost"]["rounds"]:
        wrong = [w for w, bad in zip(turn["before"], turn["wrong"], strict=True) if bad]
        assert math.isclose(sum(wrong), turn["error"])
        assert math.isclose(sum(turn["after"]), 1)
    forest = RandomForestClassifier(n_estimators=5, max_features=2, oob_score=True)
    with pytest.warns(UserWarning, match="OOB"):
        forest.fit(X, Y)
    samples = [np.repeat(np.arange(14), t["drawn"]).tolist() for t in others["forest"]["trees"]]
    assert samples == [rows.tolist() for rows in forest.estimators_samples_]
    assert math.isclose(others["forest"]["error"], 1 - forest.oob_score_)


def test_the_quiz_accepts_what_each_way_of_rounding_gives() -> None:
    blanks = {blank["id"]: blank for blank in screen(TENNIS, "quiz")["blanks"]}
    gain = blanks["n0.f0.gain"]
    assert gain["also"] == [0.246, 0.247, 0.248]  # lecture, exact, truncate
    assert (gain["text"], gain["tolerance"], gain["stage"]) == ("0.247", 0.005, "gain")
    assert blanks["n0.choice"]["expected"] == [0]
    assert blanks["n0.f0.b1.branch_impurity"]["expected"] == 0
    assert len(blanks) == len(screen(TENNIS, "quiz")["blanks"])
    truncated = lesson(TREE, X, Y, rounding="truncate")
    sunny = next(b for b in screen(truncated, "quiz")["blanks"] if b["id"] == "n1.impurity")
    assert sunny["text"] == "0.970"


def test_units_and_digits() -> None:
    nats = lesson(TREE, X, Y, unit="nats", digits=4).to_dict()
    bits = TENNIS.to_dict()
    ratio = nats["nodes"][0]["group"]["impurity"] / bits["nodes"][0]["group"]["impurity"]
    assert math.isclose(ratio, math.log(2))
    assert nats["settings"]["log_base"] == "e"
    assert "0.6518" in str(lesson(TREE, X, Y, unit="nats", digits=4))


def test_every_sentence_is_in_every_language() -> None:
    tables = {language: text_table(language) for language in LANGUAGES}
    for language, table in tables.items():
        assert table.keys() == tables["en"].keys(), language
        for key, text in table.items():
            blanks = {match[1] for match in BLANK.finditer(text)}
            assert blanks == {match[1] for match in BLANK.finditer(tables["en"][key])}, key
    for text in tables["zh"].values():
        assert not re.search(r"[,;:?!]\s", text), text


def sentences(values: Any) -> Any:
    if isinstance(values, dict):
        if values.keys() == {"key", "args"}:
            yield values
        for each in values.values():
            yield from sentences(each)
    elif isinstance(values, list):
        for each in values:
            yield from sentences(each)


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_are_filled(language: str) -> None:
    for sentence in sentences(TENNIS.to_dict()):
        text = translate(sentence, language)
        assert "{" not in text
        assert text


def test_what_is_refused() -> None:
    with pytest.raises(UsageError) as error:
        lesson(KNeighborsClassifier(3).fit(X, Y), X, Y)
    assert error.value.slug == "lesson.no-tree"
    with pytest.raises(DataError) as rows:
        lesson(TREE, X, Y, max_rows=10)
    assert rows.value.slug == "lesson.too-many-rows"
    for wrong in ({"language": "fr"}, {"steps": ["end"]}, {"nodes": [99]}, {"nodes": "some"}):
        with pytest.raises(UsageError):
            lesson(TREE, X, Y, **wrong)  # type: ignore[arg-type]


def test_some_screens_and_some_nodes() -> None:
    short = lesson(TREE, X, Y, steps=["choice", "table"], nodes=[3])
    assert [step["id"] for step in short.steps] == ["table", "choice"]
    assert short.steps[1]["nodes"] == [3]


def test_a_tree_without_splits() -> None:
    table = {"a": ["x", "x", "y", "y"], "b": [1.0, 2.0, 3.0, 4.0]}
    model = ID3Classifier(min_gain=5).fit(table, list("pqpq"))
    document = lesson(model, table, list("pqpq"))
    assert "path" not in [step["id"] for step in document.steps]
    assert "threshold 5" in str(document)
    assert str(document.sheet().with_key())


def test_rows_without_weight_are_left_out() -> None:
    table = {"c": ["a", "b", "a", "b", "z"], "n": [1.0, 2.0, 3.0, 4.0, 9.0]}
    weights = [1.0, 2.0, 1.0, 1.0, 0.0]
    target = ["p", "q", "p", "q", "unseen"]
    model = C45Classifier(prune=None, min_cases=1).fit(table, target, weights)
    document = lesson(model, table, target, weights).to_dict()
    assert len(document["table"]["rows"]) == 4
    assert document["table"]["weights"] == [1.0, 2.0, 1.0, 1.0]


def test_columns_that_the_model_does_not_read_are_left_out() -> None:
    wide = {name: X.column(name).values() for name in X.columns} | {"Day": list(range(14))}
    assert (
        lesson(TREE, wide, Y).to_dict()["table"]["features"]
        == TENNIS.to_dict()["table"]["features"]
    )


def test_a_table_with_one_class_left() -> None:
    table = {"c": ["a", "a", "b", "b"]}
    model = ID3Classifier().fit(table, ["p", "p", "p", "p"])
    assert str(lesson(model, table, ["p", "p", "p", "p"]).sheet().with_key())


def test_rows_without_a_value_in_common_have_no_distance() -> None:
    table = {
        "n": [1.0, 2.0, 3.0, 4.0, None, None, None],
        "m": [None, None, 3.0, 4.0, 5.0, 6.0, 7.0],
    }
    target = list("ppqqpqp")
    model = C45Classifier(prune=None, min_cases=1).fit(table, target)
    document = lesson(model, table, target).to_dict()
    json.dumps(document, allow_nan=False)


def test_branches_are_signs_in_every_language() -> None:
    table = {"missing": ["missing", None, "known", "missing", None, "known"] * 3}
    target = list("pqppqq") * 3
    one = screen(lesson(C45Classifier(prune=None).fit(table, target), table, target), "baselines")
    names = [part["branch"] for part in one["one_r"]["columns"][0]["parts"]]
    assert names[:2] == ["known", "missing"]
    numbers = {"n": [1.0, 1.0, 1.0, 1.0], "c": ["a", "b", "a", "b"]}
    one = screen(
        lesson(ID3Classifier().fit(numbers, list("pqpq")), numbers, list("pqpq")), "baselines"
    )
    assert one["one_r"]["columns"][0]["parts"][0]["branch"] == "(−∞, ∞)"


def test_a_large_tree_has_a_short_quiz() -> None:
    table, target = datasets.breast_cancer()
    table, target = table[:120], target[:120]
    model = CARTClassifier().fit(table, target)
    document = lesson(model, table, target, steps=["choice", "quiz"])
    assert len({blank["node"] for blank in screen(document, "quiz")["blanks"]}) == 12
    assert len(screen(document, "choice")["nodes"]) > 12
