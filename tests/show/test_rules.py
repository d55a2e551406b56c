"""Rules of trees and rule sets: conditions, figures, order, default, files, and what the views make of them."""

from __future__ import annotations

import json
import pickle
import time
from pathlib import Path

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline

from helpers import draw_trees
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    ModelFileError,
    RuleSetClassifier,
    UsageError,
    ZeroRClassifier,
    datasets,
    explain,
    load,
    save,
    show,
    to_rules,
)
from treewright._pruning.pessimistic import expected_errors
from treewright.files import from_bytes, to_bytes, to_json
from treewright.measures import wilson
from treewright.table import Series, Table

TENNIS = datasets.play_tennis()


@pytest.fixture
def rules() -> RuleSetClassifier:
    return RuleSetClassifier().fit(*TENNIS)


def test_one_rule_a_leaf_the_largest_first() -> None:
    found = to_rules(ID3Classifier().fit(*TENNIS))
    assert [str(rule) for rule in found] == [
        "Outlook = Overcast: Yes",
        "Outlook = Sunny and Humidity = High: No",
        "Outlook = Rain and Wind = Weak: Yes",
        "Outlook = Sunny and Humidity = Normal: Yes",
        "Outlook = Rain and Wind = Strong: No",
    ]
    first = found[0]
    assert (first.rows, first.weight, first.right, first.errors, first.share) == (4, 4, 4, 0, 1)
    assert first.interval == pytest.approx((0.5101, 1.0), abs=1e-4)
    assert first.lift == pytest.approx(14 / 9)
    assert found.default is None
    assert len(found.to_frame()) == len(found) == 5


def test_conditions_on_one_column_are_merged() -> None:
    x = np.arange(60.0)[:, None]
    y = ["a"] * 10 + ["b"] * 10 + ["a"] * 40
    found = to_rules(C45Classifier(prune=None).fit(x, y))
    assert sorted(str(rule) for rule in found) == ["9 < x0 ≤ 19: b", "x0 > 19: a", "x0 ≤ 9: a"]


def test_rules_of_a_regression_tree() -> None:
    found = to_rules(CARTRegressor(max_depth=1).fit([[1], [2], [8], [9]], [1.0, 3.0, 6.0, 8.0]))
    assert [(rule.answer, rule.deviation, rule.right, rule.lift) for rule in found] == [
        (2.0, 1.0, None, None),
        (7.0, 1.0, None, None),
    ]
    assert "sd" in str(found)


def test_a_pipeline_and_a_single_leaf_have_rules_too() -> None:
    pipe = make_pipeline("passthrough", ID3Classifier()).fit(*TENNIS)
    assert len(to_rules(pipe)) == 5
    always = to_rules(ZeroRClassifier().fit(*TENNIS))
    assert [str(rule) for rule in always] == ["always: Yes"]


def test_wilsons_interval() -> None:
    assert wilson(0, 10) == pytest.approx((0, 0.2775), abs=1e-4)
    assert wilson(10, 10)[1] == 1
    assert wilson(0, 0) == (0, 1)


# ---- rule sets


def test_the_rules_of_the_fourteen_days(rules: RuleSetClassifier) -> None:
    assert [str(rule) for rule in rules.rules_] == [
        "Outlook = Sunny and Humidity = High: No",
        "Outlook = Rain and Wind = Strong: No",
        "Outlook = Overcast: Yes",
        "Humidity = Normal: Yes",
        "Outlook = Rain and Wind = Weak: Yes",
    ]
    assert rules.rules_.default == "Yes"
    normal = rules.rules_[3]
    assert (normal.rows, normal.right) == (7, 6)
    assert normal.expected == pytest.approx(expected_errors(7, 1) / 7)
    assert rules.score(*TENNIS) == 1


def test_the_first_rule_that_matches_answers(rules: RuleSetClassifier) -> None:
    day = {"Outlook": "Rain", "Temperature": "Cool", "Humidity": "Normal", "Wind": "Strong"}
    assert rules.apply([day]).tolist() == [1]
    assert rules.predict([day]).tolist() == ["No"]
    # Missing and unseen values meet no condition; where nothing matches the default answers.
    stranger = {"Outlook": "Fog", "Temperature": None, "Humidity": "Damp", "Wind": None}
    assert rules.apply([stranger]).tolist() == [5]
    assert rules.predict([stranger]).tolist() == ["Yes"]


def test_shares_add_up_and_agree_with_the_answer() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, size=(300, 4)).astype(str)
    y = np.where(rng.random(300) < 0.3, rng.choice(list("abc"), 300), X[:, 0].astype("<U1"))
    y = np.where(np.isin(y, list("0123")), "d", y)
    clf = RuleSetClassifier().fit(X, y)
    shares = clf.predict_proba(X)
    assert shares.sum(axis=1) == pytest.approx(1)
    assert (clf.classes_[shares.argmax(axis=1)] == clf.predict(X)).all()


def test_weights_count_like_rows() -> None:
    rng = np.random.default_rng(2)
    X = rng.integers(0, 3, size=(60, 3)).astype(str)
    y = np.where(rng.random(60) < 0.2, "b", np.where(X[:, 0] == "1", "b", "a"))
    times = rng.integers(0, 3, 60)
    weighted = RuleSetClassifier().fit(X, y, sample_weight=times.astype(float))
    repeated = RuleSetClassifier().fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert [str(r) for r in weighted.rules_] == [str(r) for r in repeated.rules_]
    assert weighted.predict(X).tolist() == repeated.predict(X).tolist()
    scaled = RuleSetClassifier().fit(X, y, sample_weight=times * 0.5 + 0.25)
    assert scaled.score(X, y) > 0.6


def test_one_class_needs_no_rule() -> None:
    clf = RuleSetClassifier().fit([["a"], ["b"]], ["same", "same"])
    assert len(clf.rules_) == 0
    assert clf.predict([["z"]]).tolist() == ["same"]
    assert clf.predict_proba([["z"]]).tolist() == [[1.0]]
    assert "otherwise" in str(show(clf))


def test_rules_of_any_tree() -> None:
    X, y = TENNIS
    of_cart = RuleSetClassifier.of(CARTClassifier().fit(X, y), X, y)
    assert of_cart.score(X, y) >= 0.9
    assert of_cart.n_features_in_ == 4
    whole = C45Classifier(prune=None).fit(X, y)
    assert to_bytes(RuleSetClassifier.of(whole, X, y)) == to_bytes(RuleSetClassifier().fit(X, y))
    with pytest.raises(UsageError, match="one tree that predicts classes"):
        RuleSetClassifier.of(CARTRegressor().fit([[1], [2]], [1, 2]), [[1], [2]], [1, 2])


def test_the_confidence_decides_how_much_survives() -> None:
    rng = np.random.default_rng(1)
    X = rng.integers(0, 3, size=(200, 5)).astype(str)
    y = np.where(rng.random(200) < 0.25, "b", np.where(X[:, 0] == X[:, 1], "b", "a"))
    few = RuleSetClassifier(confidence=0.01).fit(X, y)
    many = RuleSetClassifier(confidence=0.9, redundancy=4).fit(X, y)
    length = lambda clf: sum(len(rule.conditions) for rule in clf.rules_)  # noqa: E731
    assert length(few) < length(many)
    for parameters in (
        {"confidence": 2},
        {"random_state": -1},
        {"redundancy": 0},
        {"criterion": "luck"},
    ):
        with pytest.raises(UsageError, match=f"{next(iter(parameters))} must be"):
            RuleSetClassifier(**parameters).fit(X, y)


def test_it_is_an_ordinary_classifier() -> None:
    X, y = TENNIS
    assert cross_val_score(RuleSetClassifier(), X.to_pandas(), y, cv=3).mean() > 0.3
    search = GridSearchCV(RuleSetClassifier(), {"confidence": [0.1, 0.5]}, cv=2).fit(X, y)
    assert to_rules(search) is not None
    assert str(show(search)).splitlines()[-1].split() == ["otherwise", "Yes"]


def test_one_row_is_predicted_by_the_first_rule_that_matches() -> None:
    rng = np.random.default_rng(4)
    X = rng.integers(0, 3, (80, 4)).astype(float)
    y = (X[:, 0] * X[:, 1] + X[:, 2] > 2) * 1 + (rng.random(80) < 0.15) * 1
    model = RuleSetClassifier().fit(X, y)
    assert [model.predict_one(row) for row in X] == model.predict(X).tolist()
    assert [model.predict_one(row.tolist()) for row in X] == model.predict(X).tolist()


def test_there_is_no_tree(rules: RuleSetClassifier) -> None:
    assert not hasattr(rules, "tree_")
    with pytest.raises(UsageError, match="list of rules; it has no nodes"):
        show(rules, style="j48")
    with pytest.raises(UsageError, match="a picture shows a tree"):
        show(rules).to_svg()


# ---- files and views


def test_files_and_pickles_hold_rules(rules: RuleSetClassifier, tmp_path: Path) -> None:
    save(rules, tmp_path / "rules.tree")
    loaded = load(tmp_path / "rules.tree")
    assert str(loaded.rules_) == str(rules.rules_)
    assert to_bytes(loaded) == to_bytes(rules)
    assert to_bytes(pickle.loads(pickle.dumps(rules))) == to_bytes(rules)
    assert len(to_json(rules)["trees"]) == 6


def test_a_file_whose_list_has_no_end_is_refused(rules: RuleSetClassifier) -> None:
    tree = ID3Classifier().fit(*TENNIS)
    document = json.loads(rules._document())
    forged = tree._forest.to_bytes(json.dumps(document, sort_keys=True, separators=(",", ":")))
    with pytest.raises(ModelFileError, match="a rule set ends in a default"):
        from_bytes(forged)


def test_what_show_prints(rules: RuleSetClassifier) -> None:
    X, y = TENNIS
    named = RuleSetClassifier().fit(X, Series.of("PlayTennis", y.tolist(), levels=["Yes", "No"]))
    assert str(show(named, width=100)).splitlines() == [
        "PlayTennis by C4.5rules (gain ratio)   14 rows · 5 rules",
        "",
        "  #  if                                  then  rows  correct             95%  lift  expected",
        "  1  Outlook = Sunny and Humidity = High No       3        3   43.9% to 100%  2.80     63.0%",
        "  2  Outlook = Rain  and Wind = Strong   No       2        2   34.2% to 100%  2.80     50.0%",
        "  3  Outlook = Overcast                  Yes      4        4   51.0% to 100%  1.56     70.7%",
        "  4  Humidity = Normal                   Yes      7        6  48.7% to 97.4%  1.33     66.2%",
        "  5  Outlook = Rain  and Wind = Weak     Yes      3        3   43.9% to 100%  1.56     63.0%",
        "     otherwise                           Yes",
    ]
    assert "… 3 more rules" in str(show(rules, lines=2))
    assert len(str(show(rules, width=50)).splitlines()) > 9


@pytest.mark.parametrize("suffix", [".txt", ".md", ".html", ".json"])
def test_rules_as_files(rules: RuleSetClassifier, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"rules{suffix}"
    show(rules).save(path)
    text = path.read_text("utf-8")
    assert "Overcast" in text
    assert "script" not in text
    with pytest.raises(UsageError, match="supported: "):
        show(rules).save(tmp_path / "rules.docx")
    with pytest.raises(UsageError, match="a picture shows a tree"):
        show(rules).save(tmp_path / "rules.svg")


def test_hostile_names_stay_names(tmp_path: Path) -> None:
    name = "</td><script>|\x1b[31m"
    X = Table([Series.of(name, ["`a|b`", "c"] * 10)])
    clf = RuleSetClassifier().fit(X, ["<b>", "n"] * 10)
    for text in (str(show(clf)), show(clf).to_markdown(), show(clf).to_html()):
        assert "\x1b" not in text
    assert "<script>" not in show(clf).to_html()
    assert "<b>" not in show(clf).to_markdown()


# ---- the majority class, and why a row got its class


def rare() -> tuple[dict[str, list[float]], list[str]]:
    """Return a table whose rules cover the frequent class, while gaps keep them from others: the default is not it."""
    rng = np.random.default_rng(0)
    y = np.array(["common"] * 200 + ["rare"] * 60 + ["scarce"] * 40)
    x = rng.uniform(size=300) + np.repeat([0.0, 2.0, 4.0], [200, 60, 40])
    x[220:255] = np.nan
    return {"x": x.tolist(), "noise": rng.uniform(size=300).tolist()}, y.tolist()


def test_the_most_frequent_class_is_not_the_default() -> None:
    X, y = rare()
    model = RuleSetClassifier().fit(X, y)
    assert model.rules_.default != "common"
    assert model.usual_answer_ == "common"
    assert model._class_weights == [float(y.count(str(c))) for c in model.schema_.classes]
    assert pickle.loads(pickle.dumps(model)).usual_answer_ == "common"
    of_tree = RuleSetClassifier.of(C45Classifier(prune=None).fit(X, y), X, y)
    assert of_tree.usual_answer_ == "common"
    weights = np.where(np.array(y) == "rare", 1000.0, 1.0)
    assert RuleSetClassifier().fit(X, y, weights).usual_answer_ == "rare"


def test_files_without_class_weights_are_read() -> None:
    model = RuleSetClassifier().fit(*rare())
    document = json.loads(model._document())
    assert len(document["kept"]["class_weights"]) == 3
    del document["kept"]
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    old = from_bytes(model._forest.to_bytes(text))
    assert isinstance(old, RuleSetClassifier)
    assert old.usual_answer_ == "common"
    known = dict(zip(model.schema_.classes, model._class_weights, strict=True))
    found = dict(zip(old.schema_.classes, old._class_weights, strict=True))
    assert found["common"] == known["common"]


@pytest.mark.parametrize("said", [[1.0], [1.0, -1.0, 2.0], ["a", 1, 2], None, [1e400, 1.0, 1.0]])
def test_a_file_with_wrong_class_weights_is_refused(said: object) -> None:
    model = RuleSetClassifier().fit(*rare())
    document = json.loads(model._document())
    document["kept"] = {"class_weights": said}
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    with pytest.raises(ModelFileError):
        from_bytes(model._forest.to_bytes(text))


def test_a_rule_explains_its_class(rules: RuleSetClassifier) -> None:
    row = {"Outlook": "Rain", "Temperature": "Cool", "Humidity": "Normal", "Wind": "Strong"}
    told = explain(rules, row, width=100)
    assert (told.answer, told.number) == ("No", 2)
    assert str(told) == (
        "No.\n"
        "  rule 2 of 5 matched\n"
        "  because  Outlook = Rain\n"
        "      and  Wind = Strong\n"
        '  2 training rows matched it, all "No" (95% interval: 34.2% to 100%)\n'
        "  rule 4 matches too; the first that matches decides"
    )
    assert str(told.rule) == str(rules.rules_[1])
    plain = told.to_dict()
    assert (plain["rule"], plain["rules"], plain["answer"]) == (2, 5, "No")
    assert json.loads(json.dumps(plain)) == plain
    assert "rule 2 of 5 matched" in told.to_markdown()
    assert "rule~2~of~5~matched" in told.to_latex()


def test_the_default_explains_itself(rules: RuleSetClassifier) -> None:
    told = explain(rules, {"Wind": "Strong"}, width=100)
    assert (told.number, told.rule, told.answer) == (None, None, rules.rules_.default)
    assert 'none of the 5 rules matched: the default class is "Yes"' in str(told)
    assert told.to_dict()["matched"] is None


def test_explanations_agree_with_predictions(rules: RuleSetClassifier) -> None:
    X, y = rare()
    model = RuleSetClassifier().fit(X, y)
    table = Table([Series.of(name, values) for name, values in X.items()])
    applied = model.apply(table).tolist()
    for row in range(0, 300, 17):
        told = explain(model, table[row])
        assert told.answer == model.predict(table[row])[0]
        assert (told.number or len(model.rules_) + 1) - 1 == applied[row]
    numbers = str(explain(model, {"x": 0.5, "noise": 0.5}, width=100))
    assert "(here 0.5)" in numbers


def test_a_search_for_changes_needs_a_tree(rules: RuleSetClassifier) -> None:
    with pytest.raises(UsageError, match="this model is a rule set"):
        explain(rules, {"Wind": "Weak"}, want="No")
    pipeline = make_pipeline(rules)
    assert str(explain(pipeline, {"Wind": "Weak"})) == str(explain(rules, {"Wind": "Weak"}))


@pytest.mark.slow
def test_a_long_chain_of_questions_is_no_square() -> None:
    def seconds(length: int) -> float:
        tree = draw_trees.chain(length)
        start = time.process_time()
        assert len(to_rules(tree)) == length + 1
        return time.process_time() - start

    assert min(seconds(40_000) for _ in range(3)) < 2.5  # about 0.5 where nothing else runs
