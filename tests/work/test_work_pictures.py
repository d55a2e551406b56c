"""The curves of impurity and the distribution of a number with its cut: figures, pictures, files."""

from __future__ import annotations

import json
import math
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpers.cli_run import TENNIS, run
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    datasets,
    load,
    save,
    work,
)
from treewright.errors import DataError, UsageError

GOLF, PLAY = datasets.golf()
HOSTILE = "a_b|<c>$</script>"

BINS = """\
Node #1   humidity in 5 rows

  humidity        yes   no
  67.5 < x ≤ 70     2    0   ██████████████████████████████
  70 < x ≤ 72.5     0    0
  72.5 < x ≤ 75     0    0     ◀ threshold 75
  75 < x ≤ 77.5     0    0
  77.5 < x ≤ 80     0    0
  80 < x ≤ 82.5     0    0
  82.5 < x ≤ 85     0    1   ███████████████
  85 < x ≤ 87.5     0    0
  87.5 < x ≤ 90     0    1   ███████████████
  90 < x ≤ 92.5     0    0
  92.5 < x ≤ 95     0    1   ███████████████
  The threshold of the node is 75."""


@pytest.fixture(scope="module")
def golf() -> Any:
    return C45Classifier(prune=None).fit(GOLF, PLAY)


def parsed(picture: str) -> ET.Element:
    root = ET.fromstring(picture)
    assert root.tag.endswith("svg")
    assert "<script" not in picture
    return root


def test_the_curves_are_the_measures(golf: Any) -> None:
    record = work(golf, 0, what="curves").to_dict()
    assert [node["node"] for node in record["nodes"]] == [0, 1, 2, 3]
    assert record["nodes"][0]["entropy"] == pytest.approx(work(golf, 0).to_dict()["impurity"])
    assert record["nodes"][0]["errors"] == pytest.approx(5 / 14)
    middle = {name: curve[50] for name, curve in record["curves"].items()}
    assert middle == {"share": 0.5, "entropy": 1.0, "Gini index": 0.5, "errors": 0.5}
    assert record["curves"]["entropy"][10] == pytest.approx(
        -(0.1 * math.log2(0.1) + 0.9 * math.log2(0.9))
    )
    assert "#3        5   0.600     0.971        0.480    0.400" in str(
        work(golf, 0, what="curves")
    )
    texts = [t.text for t in parsed(work(golf, 0, what="curves").to_svg()).iter() if t.text]
    assert {"#0", "#1", "#2", "#3", "entropy", "Gini index", "proportion of yes"} <= set(texts)


def test_the_curves_are_for_two_classes() -> None:
    model = CARTClassifier().fit([[0], [1], [2]], ["a", "b", "c"])
    with pytest.raises(UsageError, match="two classes; this model has 3"):
        work(model, 0, what="curves")


def test_the_distribution_shows_the_cut(golf: Any) -> None:
    assert str(work(golf, 1, GOLF, PLAY, what="distribution", width=100)) == BINS
    assert str(work(golf, 1, what="distribution", width=100)) == BINS
    picture = parsed(work(golf, 1, what="distribution").to_svg())
    bars = [r for r in picture.iter() if r.tag.endswith("rect") and r.get("width") != "11"]
    assert len(bars) == 4
    assert "≤ 75" in [t.text for t in picture.iter()]


@pytest.mark.parametrize("seed", range(4))
def test_every_row_is_in_one_bin(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(80, 2)) * 10.0 ** rng.integers(-4, 5)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = rng.integers(0, 3, 80)
    model = CARTClassifier(max_depth=3).fit(X, y)
    for node in np.flatnonzero(model.tree_.n_children).tolist():
        for column in model.schema_.names:
            record = work(model, node, X, y, what="distribution", column=column).to_dict()
            total = np.sum(record["amounts"]) + record["missing"]
            assert total == model.tree_.count[node]
            assert np.allclose(np.diff(record["edges"]), np.diff(record["edges"])[0])
            if record["cut"] is not None:
                assert min(abs(np.array(record["edges"]) - record["cut"])) == 0
                below = np.array(record["edges"][1:]) <= record["cut"]
                first = int(model.tree_.first_child[node])
                known = np.sum(np.array(record["amounts"])[below])
                assert known <= model.tree_.count[first]


def test_numbers_and_single_values() -> None:
    model = CARTRegressor().fit([[1.0], [2.0], [3.0], [9.0]], [1.0, 1.0, 2.0, 9.0])
    assert work(model, 0, what="distribution").to_dict()["cut"] == 6.0
    flat = CARTClassifier().fit({"a": [1.0] * 4, "b": ["x", "y"] * 2}, ["p", "q"] * 2)
    record = work(flat, 0, what="distribution", column="a").to_dict()
    assert record["edges"] == [0.5, 1.5]
    assert np.sum(record["amounts"]) == 4
    categories = work(flat, 0, what="distribution")
    assert categories.to_dict()["levels"] == ["x", "y"]
    with pytest.raises(UsageError, match="no picture"):
        categories.to_svg()
    with pytest.raises(UsageError, match="columns: a, b"):
        work(flat, 1, what="distribution")
    with pytest.raises(UsageError, match='there is no column "c"'):
        work(flat, 0, what="distribution", column="c")


def test_without_rows_or_values(golf: Any, tmp_path: Path) -> None:
    save(golf, tmp_path / "golf.tree")
    with pytest.raises(UsageError, match="training table is needed"):
        work(load(tmp_path / "golf.tree"), 1, what="distribution")
    absent = GOLF.to_dict() | {"temperature": [None] * 14}
    with pytest.raises(DataError, match='"temperature" has no value'):
        work(golf, 0, absent, PLAY, what="distribution", column="temperature")


@pytest.mark.parametrize("what", ["curves", "distribution"])
def test_every_form(golf: Any, tmp_path: Path, what: str) -> None:
    shown = work(golf, 1, what=what)
    for ending in (".txt", ".md", ".tex", ".html", ".svg", ".json"):
        shown.save(tmp_path / f"shown{ending}")
    json.loads((tmp_path / "shown.json").read_text("utf-8"))
    parsed((tmp_path / "shown.svg").read_text("utf-8"))
    assert str(work(golf, 1, what=what, ascii=True)).isascii()
    assert {"text/plain", "text/html"} <= set(shown._repr_mimebundle_())


@pytest.mark.parametrize("what", ["curves", "distribution"])
def test_names_are_only_names(what: str) -> None:
    X = {HOSTILE: [1.0, 2.0, 3.0, 4.0]}
    model = CARTClassifier().fit(X, [HOSTILE, HOSTILE, "q", "q"])
    shown = work(model, 0, what=what)
    for form in (shown.to_html(), shown.to_svg()):
        assert "<c>" not in form
        assert "</script>" not in form
        ET.fromstring(form)
    assert "|<c>" not in shown.to_markdown()


def test_from_the_command_line(tmp_path: Path) -> None:
    table, model = tmp_path / "tennis.csv", tmp_path / "tennis.tree"
    table.write_text(TENNIS, "utf-8")
    run("fit", table, "-t", "PlayTennis", "-a", "id3", "-o", model)
    assert "Gini index" in run("work", model, "--what", "curves").stdout
    parsed(run("work", model, "--what", "curves", "--format", "svg").stdout)
    assert "[work.no-picture]" in run("work", model, "--format", "svg", code=2).stderr
    assert "Overcast     4    0" in run("work", model, table, "--what", "distribution").stdout
    said = run("work", model, table, "--what", "distribution", "--node", "1", code=2).stderr
    assert "node 1 is a leaf" in said
