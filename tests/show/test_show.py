"""``show`` and the view it returns: where the tree is found, how it is written, what is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, OrdinalEncoder

from helpers import draw_trees
from treewright import ID3Classifier, UsageError, datasets, show
from treewright._show.tree_view import STYLES


def test_a_tree_an_estimator_a_search_and_a_pipeline() -> None:
    data = datasets.load("play-tennis")
    X, y = data.features, data.table.column(data.target)
    model = ID3Classifier().fit(X, y)
    drawn = str(show(model, width=80))
    table = drawn.splitlines()[3:]
    assert "by ID3 (information gain)" in drawn
    assert [line.split("#")[0] for line in str(show(model.tree_, width=80)).splitlines()[3:]] == [
        line.split("#")[0] for line in table
    ]
    assert str(show(Pipeline([("tree", model)]), width=80)) == drawn
    frame = X.to_pandas()
    search = GridSearchCV(ID3Classifier(), {"max_depth": [5]}, cv=2).fit(frame, data.labels)
    assert str(show(search, width=80)).splitlines()[3:] == table


def test_names_come_through_a_pipeline() -> None:
    data = datasets.load("play-tennis")
    frame = data.features.to_pandas()
    pipe = make_pipeline(OrdinalEncoder(), ID3Classifier()).fit(frame, data.labels)
    drawn = str(show(pipe))
    assert "Outlook?" in drawn
    assert "Humidity?" in drawn


def test_a_pipeline_that_does_not_tell_its_names() -> None:
    X = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    pipe = make_pipeline(FunctionTransformer(), ID3Classifier()).fit(X, ["a", "b", "a"])
    assert "?" in str(show(pipe))


def test_what_is_not_fitted_says_so() -> None:
    with pytest.raises(NotFittedError):
        show(ID3Classifier())
    with pytest.raises(NotFittedError):
        show(make_pipeline(ID3Classifier()))


@pytest.mark.parametrize(
    ("how", "slug", "says"),
    [
        ({"style": "pie"}, "show.style", "there is no style 'pie'"),
        ({"node": 8}, "show.no-such-node", "nodes: 0 to 7"),
        ({"node": -1}, "usage.parameter", "node must be a whole number of at least 0; got -1"),
        ({"node": 1.5}, "usage.parameter", "got 1.5"),
        ({"depth": -1}, "usage.parameter", "depth must be"),
        ({"min_rows": "3"}, "usage.parameter", "got '3'"),
        (
            {"lines": 0},
            "usage.parameter",
            "lines must be None or a whole number of at least 1; got 0",
        ),
        ({"width": True}, "usage.parameter", "got True"),
    ],
)
def test_what_is_refused(how: dict[str, object], slug: str, says: str) -> None:
    with pytest.raises(UsageError) as caught:
        show(draw_trees.tennis(), **how)  # type: ignore[arg-type]
    assert caught.value.slug == slug
    assert says in str(caught.value)


def test_a_model_without_a_tree_is_refused() -> None:
    with pytest.raises(UsageError, match=r"there is no tree in a dict to show  \[show.no-tree\]"):
        show({})


def test_numpy_integers_are_integers() -> None:
    assert str(show(draw_trees.tennis(), node=np.int64(1))) == str(
        show(draw_trees.tennis(), node=1)
    )


def test_saving_by_suffix(tmp_path: Path) -> None:
    view = show(draw_trees.tennis(), width=80)
    for suffix in (".txt", ".md", ".html", ".svg", ".json"):
        view.save(tmp_path / f"tree{suffix}")
    assert (tmp_path / "tree.txt").read_text("utf-8").startswith("PlayTennis by ID3")
    assert (tmp_path / "tree.txt").read_bytes().count(b"\r") == 0
    assert (tmp_path / "tree.md").read_text("utf-8").startswith("```text\nPlayTennis")
    assert (tmp_path / "tree.svg").read_text("utf-8").startswith("<svg ")
    assert "<svg" in (tmp_path / "tree.html").read_text("utf-8")
    assert json.loads((tmp_path / "tree.json").read_text("utf-8"))["nodes"] == 8
    show(draw_trees.tennis(), "rules").save(str(tmp_path / "RULES.MD"))
    assert (tmp_path / "RULES.MD").read_text("utf-8").startswith("| \\# | if |")


def test_saving_what_cannot_be_saved(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"supported: .txt .md .tex .html .svg .png .pdf .csv .json .dot .mmd"
    ):
        show(draw_trees.tennis()).save(tmp_path / "tree.docx")
    with pytest.raises(UsageError, match=r'the style is "rules"'):
        show(draw_trees.tennis(), "rules").save(tmp_path / "rules.svg")
    assert list(tmp_path.iterdir()) == []


def test_files_do_not_depend_on_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = show(draw_trees.full(10))
    view.save(tmp_path / "one.txt")
    monkeypatch.setenv("COLUMNS", "61")
    monkeypatch.setenv("LINES", "200")
    monkeypatch.setenv("TERM", "dumb")
    view.save(tmp_path / "other.txt")
    assert (tmp_path / "one.txt").read_bytes() == (tmp_path / "other.txt").read_bytes()


def test_the_terminal_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    view = show(draw_trees.full(12), ascii=True)
    monkeypatch.setenv("COLUMNS", "70")
    monkeypatch.setenv("LINES", "10")
    few = view.text().splitlines()
    assert max(map(len, few)) <= 70
    assert 50 <= len(few) <= 66
    monkeypatch.setenv("COLUMNS", "40")
    assert view.text().splitlines()[3].startswith("c0 <= 0, c1 <= 0.5")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("LINES", "40")
    assert 110 <= len(view.text().splitlines()) <= 126


def test_plain_values(tmp_path: Path) -> None:
    document = show(draw_trees.tennis(), depth=1).to_dict()
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert document["target"] == "PlayTennis"
    assert document["criterion"] == "entropy"
    root, sunny, *_ = document["drawn"]
    weights = dict(zip(document["classes"], root["class_weights"], strict=True))
    assert weights == {"Yes": 9.0, "No": 5.0}
    assert root["asks"] == "Outlook"
    assert sunny["branch"] == {"op": "=", "value": "Sunny", "missing": False}
    assert sunny["hidden"] == 3
    rules = show(draw_trees.digits(), "rules", lines=2).to_dict()
    assert rules["left_out"] == 1
    assert rules["rules"][1]["if"] == [
        {"column": "x", "above": 0.0, "at_most": 7.25, "missing": False}
    ]
    for style in STYLES:
        assert "-0.0" not in json.dumps(show(draw_trees.digits(), style).to_dict())
    hostile = show(draw_trees.hostile()).to_dict()
    assert hostile["classes"] == list(draw_trees.HOSTILE)
    json.dumps(hostile, allow_nan=False)


def test_a_notebook_gets_text_and_html() -> None:
    for style in STYLES:
        view = show(draw_trees.tennis(), style)
        bundle = view._repr_mimebundle_()
        assert bundle["text/plain"] == str(view)
        assert bundle["text/html"] == view.to_html() == view._repr_html_()
        assert repr(view) == str(view)


def test_drawing_imports_no_learner() -> None:
    code = (
        "import sys, treewright._show\n"
        "unwanted = ('sklearn', 'rich', 'pandas', 'treewright._estimator.model', 'treewright._learners')\n"
        "print([m for m in unwanted if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "[]\n"
