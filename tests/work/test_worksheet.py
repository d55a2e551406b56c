"""Worksheets of every kind of work: nothing of the answer is on them, and the key has all of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpers.cli_run import TENNIS, run
from helpers.tex_run import compile_tex, needs
from treewright import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    GradientBoostingClassifier,
    ID3Classifier,
    KNeighborsClassifier,
    KNeighborsRegressor,
    OneRClassifier,
    ZeroRClassifier,
    datasets,
    work,
)
from treewright._render.document import Table
from treewright._render.formula import leaves
from treewright.errors import UsageError

X, Y = datasets.play_tennis()
GOLF, PLAY = datasets.golf()
NUMBERS = np.arange(14.0) ** 2 % 7
ROW = {"outlook": "sunny", "temperature": 75, "humidity": 70, "windy": "TRUE"}


def kinds() -> dict[str, tuple[Any, dict[str, Any]]]:
    """Return a model and the options for each kind of work."""
    golf = C45Classifier(prune=None).fit(GOLF, PLAY)
    return {
        "id3": (ID3Classifier().fit(X, Y), {}),
        "c4.5": (golf, {}),
        "cart": (CARTClassifier().fit(GOLF, PLAY), {}),
        "numbers": (CARTRegressor().fit(GOLF, NUMBERS), {}),
        "tree": (ID3Classifier().fit(X, Y), {"node": "all"}),
        "prune": (golf, {"what": "prune", "node": 1}),
        "price": (CARTClassifier(prune="cost_complexity").fit(GOLF, PLAY), {"what": "prune"}),
        "curves": (golf, {"what": "curves"}),
        "distribution": (golf, {"what": "distribution", "node": 1}),
        "round": (AdaBoostClassifier(n_estimators=3).fit(GOLF, PLAY), {"X": GOLF, "y": PLAY}),
        "loss": (AdaBoostRegressor(n_estimators=3).fit(GOLF, NUMBERS), {"X": GOLF, "y": NUMBERS}),
        "boosting": (GradientBoostingClassifier(n_estimators=3).fit(GOLF, PLAY), {"X": ROW}),
        "vote": (KNeighborsClassifier(3, weights="distance").fit(GOLF, PLAY), {"X": ROW}),
        "0-r": (ZeroRClassifier().fit(GOLF, PLAY), {}),
        "1-r": (OneRClassifier().fit(GOLF, PLAY), {}),
        "mean": (KNeighborsRegressor(3).fit(GOLF, NUMBERS), {"X": ROW}),
    }


KINDS = kinds()


def sheet_of(kind: str, **options: Any) -> Any:
    model, own = KINDS[kind]
    return work(model, **own, **{"blank": True, "width": 120} | options)


def forms(result: Any) -> Iterator[tuple[str, str]]:
    for ending, write in result.forms().items():
        if ending in (".svg", ".png", ".pdf") or (
            ending == ".csv" and result._pages().records() is None
        ):
            continue
        page = re.sub(r"<svg.*?</svg>", "", write(), flags=re.S)  # coordinates are no answers
        yield ending, re.sub(r"\\begin.tikzpicture.*?\\end.tikzpicture.", "", page, flags=re.S)


def without_rows(sheet: Any) -> Any:
    """Return a sheet with the numbers of its rows only."""
    return sheet if sheet.data is None else replace(sheet, data=Table(sheet.data.columns[:1]))


@pytest.mark.parametrize("kind", KINDS)
def test_no_answer_is_on_the_sheet(kind: str) -> None:
    sheet = sheet_of(kind)
    hidden = frozenset(sheet._stages(sheet.result._pages(worksheet=True)))
    answers = {
        leaf.text
        for formula in sheet.key()._pages().formulas()
        for leaf in leaves(formula)
        if leaf.stage in hidden and hasattr(leaf, "text")
    }
    figures = {text for text in answers if re.fullmatch(r"-?\d+\.\d{2,}", text)}
    figures -= {"0.001"}  # C4.5's slack is a part of its rule
    assert answers, "the key has answers"
    visible = without_rows(sheet)
    result = {
        leaf.text for f in sheet._pages().formulas() for leaf in leaves(f) if hasattr(leaf, "text")
    }
    for ending, page in forms(visible):
        for figure in figures - result:
            assert figure not in page, (ending, figure)
        for words in ("chosen<", "◀", "tied", "below average", "costs more", "wins"):
            assert words not in page, (ending, words)
        assert ending == ".csv" or "_" in page or "blank" in page or "underline" in page


@pytest.mark.parametrize("kind", KINDS)
def test_plain_values_have_no_answer(kind: str) -> None:
    sheet = sheet_of(kind)
    both = json.loads(sheet.with_key().forms()[".json"]())
    assert set(both) == {"worksheet", "key"}
    blanks, answers = list(figures(both["worksheet"])), list(figures(both["key"]))
    assert blanks
    assert all(f["value"] is None and f["text"] is None for f in blanks if f["blank"] is not None)
    numbered = [f for f in answers if f["blank"] is not None]
    assert [f["blank"] for f in blanks if f["blank"] is not None] == [f["blank"] for f in numbered]
    assert all(f["text"] for f in numbered)
    assert json.loads(json.dumps(sheet.to_dict())) == both["worksheet"]


def figures(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if "blank" in value:
            yield value
        for part in value.values():
            yield from figures(part)
    elif isinstance(value, list):
        for part in value:
            yield from figures(part)


@pytest.mark.parametrize("kind", KINDS)
def test_sheets_have_a_line_for_a_name_and_keys_a_heading(kind: str) -> None:
    sheet = sheet_of(kind)
    assert "Name: ____" in str(sheet)
    assert str(sheet.key()).startswith("Answers   ")
    text = str(sheet.with_key())
    assert text.count("Name: ____") == 1
    assert text.index("\f") < text.index("Answers")
    page = sheet.with_key().to_html(standalone=True)
    assert page.count("<!DOCTYPE") == 1
    assert 'class="break"' in page
    assert sheet.with_key().to_latex(standalone=True).count(r"\documentclass") == 1


def halves(first: list[Any], second: list[Any]) -> tuple[Any, Any]:
    """Return the worksheets of two tables in which another column tells the classes."""
    labels = ["p"] * 4 + ["q"] * 4
    one = {"a": first, "b": second, "c": second}
    other = {"a": second, "b": second, "c": first}
    return one, (other, labels)


@pytest.mark.parametrize("learner", [ID3Classifier, C45Classifier, CARTClassifier])
@pytest.mark.parametrize("numeric", [False, True])
def test_sheets_of_other_answers_are_the_same(learner: Any, numeric: bool) -> None:
    if numeric and learner is ID3Classifier:
        pytest.skip("ID3 has a branch for each number")
    tells = [1, 2, 3, 4, 5, 6, 7, 8] if numeric else list("xxxxyyyy")
    blind = [1, 8, 2, 7, 3, 6, 4, 5] if numeric else list("xyxyxyxy")
    one, (other, labels) = halves(tells, blind)
    options = {} if learner is not C45Classifier else {"min_cases": 1, "prune": None}
    pages = []
    for table in (one, other):
        model = learner(**options).fit(table, labels)
        sheet = work(model, 0, blank=True, width=120)
        assert isinstance(sheet.data, Table)
        sheet = without_rows(sheet)  # they differ, of course
        pages.append([page for _, page in forms(sheet)])
        assert sheet.to_csv_rows()[0]["gain"] is None
    assert pages[0] == pages[1]


def test_stop_at_shows_what_comes_before() -> None:
    model = KINDS["id3"][0]
    counts = str(work(model, stop_at="counts", width=120))
    assert "14 rows: 5 No, 9 Yes" in counts
    assert "0.971" not in counts
    part = str(work(model, stop_at="entropy", width=120))
    assert "0.971" in part
    assert "0.247" not in part
    assert "0.247" in str(work(model, stop_at="gain", width=120))
    assert "________" in str(work(model, stop_at="ratio", width=120))
    with pytest.raises(UsageError, match="stages: counts, cut, entropy, remainder, gain, ratio"):
        work(model, stop_at="vote")
    vote = str(sheet_of("vote", blank=False, stop_at="distance"))
    assert "votes: no ________" in vote
    assert "  0.000" not in vote


def test_rows_are_counted_where_they_are_at_hand(tmp_path: Path) -> None:
    model, table = tmp_path / "m.tree", tmp_path / "t.csv"
    table.write_text(TENNIS, "utf-8")
    run("fit", table, "-t", "PlayTennis", "-a", "id3", "-o", model)
    alone = run("work", model, "--blank").stdout
    assert "14 rows: 5 No, 9 Yes" in alone  # without rows, the counts are given
    assert "The rows" not in alone
    beside = run("work", model, table, "--blank", "--node", "3").stdout
    assert "5 rows: ________" in beside
    rows = beside.split("The rows of this node")[1].split("Entropy")[0].strip().splitlines()
    assert len(rows) == 6
    long = ID3Classifier().fit({"a": ["x", "y"] * 50}, ["p", "q"] * 50)
    assert "100 rows: 50 p, 50 q" in str(work(long, 0, blank=True))


def test_the_sheet_of_a_whole_tree() -> None:
    sheet = sheet_of("tree")
    text = str(sheet)
    assert [int(n) for n in re.findall(r"Node #(\d+)", text)] == [0, 1, 3]
    below = text[text.index("Node #1") :]
    for name in ("Sunny", "Rain", "Humidity", "Temperature", "Wind", "Outlook"):
        assert name not in below
    key = str(sheet.key())
    assert "Reached by: Outlook = Sunny" in key
    assert "├─ Sunny: Humidity?" in key
    whole = work(KINDS["tree"][0], "all", width=120)
    assert [page["node"] for page in whole.to_dict()["nodes"]] == [0, 1, 3]
    assert "Reached by: Outlook = Rain" in str(whole)
    with pytest.raises(UsageError, match="rows"):
        work(ID3Classifier().fit({"a": ["x", "y"] * 50}, ["p", "q"] * 50), "all", blank=True)
    with pytest.raises(UsageError, match="one node at a time"):
        work(KINDS["c4.5"][0], "all", what="curves")


def test_options_are_known_or_refused() -> None:
    for kind, wrong in (
        ("round", {"unit": "nats"}),
        ("vote", {"column": "a"}),
        ("prune", {"rounding": "lecture"}),
    ):
        with pytest.raises(UsageError, match=f"has no {next(iter(wrong))}"):
            sheet_of(kind, **wrong)


@pytest.mark.slow
@needs("pdflatex")
@pytest.mark.parametrize(
    "kind", ["c4.5", "tree", "prune", "curves", "distribution", "round", "vote"]
)
def test_sheets_with_keys_print(kind: str, tmp_path: Path) -> None:
    log = compile_tex(sheet_of(kind).with_key().to_latex(standalone=True), tmp_path)
    pages = int(re.findall(r"Output written on page.pdf \((\d+) page", log)[0])
    assert pages >= 2
