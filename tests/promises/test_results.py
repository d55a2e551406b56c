"""Every result has every form: text, Markdown, LaTeX, HTML, plain values, a file, and a notebook form."""

from __future__ import annotations

import csv
import json
import pickle
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from treewright import (
    AdaBoostClassifier,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    KNeighborsClassifier,
    KNeighborsRegressor,
    RandomForestClassifier,
    RuleSetClassifier,
    compare,
    complexity_curve,
    datasets,
    explain,
    inspect,
    lesson,
    permutation_importance,
    pruning_path,
    rank_columns,
    shap_values,
    show,
    to_rules,
    work,
)
from treewright._render.result import Result
from treewright.errors import UsageError

X, Y = datasets.play_tennis()
GOLF, PLAY = datasets.golf()
NUMBERS = np.random.default_rng(0).normal(size=(60, 3))
TREE = C45Classifier(min_cases=1).fit(GOLF, PLAY)
FOREST = RandomForestClassifier(5, random_state=0).fit(X, Y)
RULES = RuleSetClassifier().fit(X, Y)
NEIGHBORS = KNeighborsClassifier("auto").fit(X, Y)
REGRESSION = CARTRegressor(max_depth=3).fit(NUMBERS[:, :2], NUMBERS[:, 2])
RESULTS = {
    **{f"show {style}": lambda style=style: show(TREE, style) for style in
       ("tree", "rules", "j48", "plain", "table", "summary")},
    "show regression": lambda: show(REGRESSION),
    "show ensemble": lambda: show(FOREST),
    "show rules of a rule set": lambda: show(RULES),
    "show neighbors": lambda: show(NEIGHBORS),
    "show given neighbors": lambda: show(KNeighborsClassifier(3).fit(X, Y)),
    "explain tree": lambda: explain(TREE, GOLF[:1]),
    "explain ensemble": lambda: explain(FOREST, X[:1]),
    "explain rule set": lambda: explain(RULES, X[:1]),
    "explain neighbors": lambda: explain(NEIGHBORS, X[:1]),
    "explain neighbors of numbers": lambda: explain(
        KNeighborsRegressor(3).fit(NUMBERS[:, :2], NUMBERS[:, 2]), NUMBERS[:1, :2]
    ),
    "work": lambda: work(TREE, 0, GOLF, PLAY),
    "work prune": lambda: work(TREE, 0, GOLF, PLAY, what="prune"),
    "work curves": lambda: work(TREE, 0, GOLF, PLAY, what="curves"),
    "work forest": lambda: work(FOREST, X=X, y=Y),
    "work tree of a forest": lambda: work(FOREST, X=X, y=Y, tree=1),
    "work vote": lambda: work(AdaBoostClassifier(n_estimators=3).fit(X, Y), X=X[:1]),
    "work measure": lambda: work([[2, 3], [4, 0], [3, 2]], what="gain-ratio"),
    "lesson sheet": lambda: lesson(TREE, GOLF, PLAY, steps=["choice"]).sheet(),
    "compare": lambda: compare([TREE], GOLF, PLAY, cv=3),
    "inspect": lambda: inspect(b"Day,Wind\nD1,Weak\nD2,Strong\nD3,Weak\n", label="days.csv"),
    "rank_columns": lambda: rank_columns(GOLF, PLAY),
    "pruning_path": lambda: pruning_path(TREE, GOLF, PLAY, cv=3),
    "pruning_path without cv": lambda: pruning_path(TREE),
    "pruning trace": lambda: C45Classifier(prune="pessimistic").fit(GOLF, PLAY).pruning_,
    "complexity_curve": lambda: complexity_curve(CARTClassifier(), GOLF, PLAY, cv=3),
    "to_rules": lambda: to_rules(TREE),
    "to_rules of numbers": lambda: to_rules(REGRESSION),
    "shap_values": lambda: shap_values(TREE, GOLF),
    "shap_values of numbers": lambda: shap_values(REGRESSION, NUMBERS[:4, :2]),
    "permutation_importance": lambda: permutation_importance(TREE, GOLF, PLAY, n_repeats=2),
}  # fmt: skip
each_result = pytest.mark.parametrize("name", RESULTS)
METHODS = ("text", "to_markdown", "to_latex", "to_html", "to_dict", "save", "to_frame")
SHORT = {"markdown": "to_markdown", "latex": "to_latex", "html": "to_html"}
TABLES = (
    *("compare", "inspect", "rank_columns", "pruning_path", "pruning trace", "complexity_curve"),
    *("to_rules", "shap_values", "permutation_importance", "show neighbors", "explain neighbors"),
    *("show rules of a rule set", "show ensemble", "explain ensemble"),
)


class Balance(HTMLParser):
    """Reads HTML and checks that every element is closed."""

    VOID = ("meta", "br", "hr", "img", "link")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: set[str] = set()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.elements.add(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.elements.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def read_html(text: str) -> set[str]:
    reader = Balance()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader.elements


@each_result
def test_every_result_has_every_method(name: str) -> None:
    result = RESULTS[name]()
    assert isinstance(result, Result)
    for method in METHODS:
        assert callable(getattr(result, method))
    for short, long in SHORT.items():
        assert getattr(result, short)() == getattr(result, long)()
    assert str(result) == result.text()
    assert repr(result) == str(result)
    assert result.text(width=60, ascii=True).isascii()


@each_result
def test_every_form_is_written(name: str) -> None:
    result = RESULTS[name]()
    assert result.to_markdown().strip()
    latex = result.to_latex(standalone=True)
    assert latex.startswith((r"\documentclass", "%"))
    assert r"\end{document}" in latex
    record = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert isinstance(record, dict)
    assert record


@each_result
def test_html_is_whole_scoped_and_has_no_scripts(name: str) -> None:
    result = RESULTS[name]()
    element, page = result.to_html(), result.to_html(standalone=True)
    assert read_html(element).isdisjoint({"html", "body", "script", "link"})
    assert {"html", "head", "title", "body"} <= read_html(page)
    assert "prefers-color-scheme:dark" in page
    assert 'class="treewright-document' in element
    bundle = result._repr_mimebundle_()
    assert bundle["text/html"] == element == result._repr_html_()
    assert bundle["text/plain"] == str(result)


@each_result
def test_every_form_is_saved_and_other_endings_are_refused(name: str, tmp_path: Path) -> None:
    result = RESULTS[name]()
    for ending in (".txt", ".md", ".tex", ".html", ".json"):
        path = tmp_path / f"result{ending}"
        result.save(path)
        assert path.read_text("utf-8").endswith("\n")
    with pytest.raises(UsageError, match="unsupported file extension") as refusal:
        result.save(tmp_path / "result.docx")
    assert "supported: .txt .md .tex .html .svg .png .pdf .csv .json" in str(refusal.value)
    assert not (tmp_path / "result.docx").exists()


@pytest.mark.parametrize("name", TABLES)
def test_tables_are_frames_and_csv(name: str, tmp_path: Path) -> None:
    result = RESULTS[name]()
    frame = result.to_frame()
    assert len(frame) > 0
    result.save(tmp_path / "table.csv")
    rows = list(csv.DictReader((tmp_path / "table.csv").read_text("utf-8").splitlines()))
    assert len(rows) == len(frame)
    assert list(rows[0]) == list(frame.columns)


def test_shap_values_are_still_a_pair() -> None:
    pair = shap_values(TREE, GOLF)
    values, expected = pair
    assert isinstance(pair, tuple)
    assert pair[0] is pair.values is values
    assert pair[1] is pair.expected is expected
    copy = pickle.loads(pickle.dumps(pair))
    assert copy.columns == pair.columns == TREE.schema_.names
    assert np.array_equal(copy.values, values)
