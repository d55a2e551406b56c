"""Pictures by matplotlib: the tree of the SVG, charts as ordinary axes, PNG and PDF files, rows inside nodes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_digits, load_iris

from helpers.cli_run import run
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    RandomForestClassifier,
    UsageError,
    complexity_curve,
    datasets,
    plot,
    show,
    work,
)
from treewright._draw.tree_picture import MAX_WIDTH

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
from matplotlib.figure import Figure  # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"
IRIS, SPECIES = load_iris(return_X_y=True, as_frame=True)
SPECIES = load_iris().target_names[SPECIES]


@pytest.fixture(scope="module")
def iris() -> CARTClassifier:
    return CARTClassifier(max_depth=3).fit(IRIS, SPECIES)


def axes() -> Any:
    return Figure(figsize=(4, 3)).add_subplot()


def texts_of_svg(svg: str) -> list[str]:
    return [str(text.text) for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_the_plot_is_the_picture_of_the_svg(iris: CARTClassifier) -> None:
    ax = plot(iris, axes())
    assert [text.get_text() for text in ax.texts] == texts_of_svg(show(iris).to_svg())
    rects = len(re.findall("<rect", show(iris).to_svg()))
    assert len(ax.patches) == rects + 1  # and the lines between boxes
    assert plot(iris, ax) is ax


def test_texts_stay_inside_their_boxes_at_any_size(iris: CARTClassifier) -> None:
    for size in ((2, 2), (12, 4)):
        ax = plot(iris, Figure(figsize=size).add_subplot())
        ax.figure.canvas.draw()
        root = max(
            ax.patches[1:], key=lambda patch: patch.get_window_extent().y1
        ).get_window_extent()
        top = max(ax.texts, key=lambda text: text.get_window_extent().y1).get_window_extent()
        assert root.x0 <= top.x0
        assert top.x1 <= root.x1


def test_a_name_is_no_formula() -> None:
    X = {"$x^2$ in $": [1.0, 2.0, 3.0, 4.0]}
    ax = plot(CARTClassifier().fit(X, list("aabb")), axes())
    ax.figure.canvas.draw()
    assert any("$x^2$" in text.get_text() for text in ax.texts)


def test_files_have_the_same_bytes_each_time(iris: CARTClassifier, tmp_path: Path) -> None:
    for ending, start in ((".png", b"\x89PNG"), (".pdf", b"%PDF")):
        one, other = tmp_path / f"1{ending}", tmp_path / f"2{ending}"
        show(iris).save(one)
        show(iris).save(other)
        assert one.read_bytes().startswith(start)
        assert one.read_bytes() == other.read_bytes()


def test_plots_of_results_are_ordinary_axes(iris: CARTClassifier) -> None:
    ax = plot(complexity_curve(CARTClassifier(), IRIS, SPECIES, cv=3), axes())
    assert ax.get_xlabel() == "leaves"
    assert len(ax.lines) >= 2
    ax = plot(RandomForestClassifier(5, random_state=0).fit(IRIS, SPECIES), axes())
    assert next(label.get_text() for label in ax.get_yticklabels()).startswith("petal")
    ax = work(iris, 0, IRIS, SPECIES, what="distribution").plot(axes())
    assert len(ax.patches) > 3
    with pytest.raises(UsageError, match="picture"):
        plot(show(iris, style="rules"), axes())


def test_without_matplotlib_it_says_what_to_install(
    iris: CARTClassifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(UsageError, match=r"treewright\[plot\]"):
        plot(iris)


def bars_of(svg: str) -> int:
    return len(re.findall('fill-opacity="0.85"', svg))


def test_rows_inside_nodes_are_all_rows(iris: CARTClassifier) -> None:
    view = show(iris, X=IRIS, y=SPECIES)
    histogram = view.plots(0)  # type: ignore[misc]
    counts = np.array(histogram.amounts)
    assert counts.sum(axis=0).tolist() == [50, 50, 50]
    left = round(histogram.threshold)
    assert counts[:left].sum(axis=0).tolist() == [50, 0, 0]  # the threshold is an edge
    assert bars_of(view.to_svg()) > 20
    assert bars_of(show(iris).to_svg()) == 0
    ElementTree.fromstring(view.to_svg())


def test_points_show_a_numeric_target() -> None:
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    model = CARTRegressor(max_depth=2).fit(X, y)
    plots = show(model, X=X, y=y).plots
    assert plots is not None
    root: Any = plots(0)
    left = X[model.tree_.schema.names[model.tree_.feature[0]]] <= model.tree_.threshold[0]
    scaled = (y - y.min()) / (y.max() - y.min())
    assert [mean for _, _, mean in root.means] == pytest.approx(
        [scaled[left].mean(), scaled[~left].mean()]
    )
    leaf: Any = plots(int(np.flatnonzero(model.tree_.n_children == 0)[0]))
    assert leaf.threshold is None
    assert len(root.points) == 250


def test_rows_of_categories_and_gaps() -> None:
    X, y = datasets.golf()
    model = C45Classifier().fit(X, y)
    svg = show(model, X=X, y=y).to_svg()
    assert "overcast" in svg
    assert bars_of(svg) >= 3
    with pytest.raises(UsageError, match="rows"):
        show(model, X=X)


def test_wide_trees_fold_to_a_readable_width() -> None:
    X, y = load_digits(return_X_y=True)
    model = CARTClassifier().fit(X, y)
    width = float(ElementTree.fromstring(show(model).to_svg()).attrib["width"])
    assert 900 < width <= MAX_WIDTH
    wanted = float(ElementTree.fromstring(show(model, lines=60).to_svg()).attrib["width"])
    assert wanted > width


def test_the_command_writes_them(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    Path("golf.csv").write_text(run("data", "golf").stdout)
    run("fit", "golf.csv", "-t", "play", "-o", "golf.tree")
    run("show", "golf.tree", "--rows", "golf.csv", "-o", "golf.png")
    assert Path("golf.png").read_bytes().startswith(b"\x89PNG")
    run("export", "golf.tree", "-o", "golf.pdf")
    assert Path("golf.pdf").read_bytes().startswith(b"%PDF")
