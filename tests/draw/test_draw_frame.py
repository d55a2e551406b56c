"""Pictures in pages: their rules hold for themselves alone, and a notebook's output brings none."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from helpers import draw_trees
from treewright import (
    C45Classifier,
    CARTClassifier,
    RandomForestClassifier,
    complexity_curve,
    datasets,
    explain,
    rank_columns,
    show,
    work,
)
from treewright._render.svg_frame import framed, inline

X, Y = datasets.golf()
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)
DARK = "--blink-settings=preferredColorScheme=0"


def pictures() -> dict[str, str]:
    """Return a picture of every kind, as a file holds it."""
    model = C45Classifier().fit(X, Y)
    return {
        "tree": show(draw_trees.tennis()).to_svg(),
        "bars": rank_columns(X, Y).to_svg(),
        "chart": complexity_curve(CARTClassifier(), X, Y, cv=3).to_svg(),
        "stacks": work(model, 0, X, Y, what="distribution", column="humidity").to_svg(),
    }


def test_rules_hold_for_one_picture() -> None:
    classes = set()
    for name, picture in pictures().items():
        [style] = re.findall("<style>(.*?)</style>", picture)
        [mark] = re.findall(r'<svg [^>]*class="(treewright-[0-9a-f]{8})"', picture)
        assert "prefers-color-scheme:dark" in style, name
        for selector in re.findall(r"([^{}]+)\{(?!\.)", re.sub(r"@media[^{]*\{", "", style)):
            assert selector == f".{mark}", name
        classes.add(mark)
    assert len(classes) == 4
    assert pictures() == pictures()


def test_outputs_of_a_notebook_bring_no_rules() -> None:
    model, forest = C45Classifier().fit(X, Y), RandomForestClassifier(5).fit(X, Y)
    outputs = [
        show(model),
        show(forest),
        show(model, style="plain"),
        complexity_curve(CARTClassifier(), X, Y, cv=3),
        work(model, 0, X, Y, what="distribution", column="humidity"),
        work(model, 0, X, Y, what="curves"),
        rank_columns(X, Y),
        explain(model, X[:1]),
        explain(forest, X[:1]),
    ]
    for output in outputs:
        page = output._repr_mimebundle_()["text/html"]
        # Rules may only be about elements of ours.
        for style in re.findall(r"<style>(.*?)</style>", page):
            rules = re.sub(r"@media print", "", style)
            assert "@media" not in rules
            selectors = re.findall(r"(?:^|[{}])([^{}]+)(?=\{)", rules)
            assert all(
                part.strip().startswith(".treewright-")
                for one in selectors
                for part in one.split(",")
            )


def test_text_in_a_notebook_keeps_its_columns() -> None:
    model = C45Classifier().fit(X, Y)
    for view in (show(model, style="plain"), explain(model, X[:1])):
        assert "<pre>" in view.to_html()
        assert ".treewright-document pre{font:13px/1.35 ui-monospace,monospace" in view.to_html()
    table = show(model, style="rules").to_html()
    assert '<td class="l"><bdi>outlook' in table
    assert '<th scope="col"><bdi>rows' in table


def test_inline_takes_the_rules_away_and_nothing_else() -> None:
    alone = framed(10, 20, 12, "<a> & b", '<g class="x"/>')
    assert inline(alone) == framed(10, 20, 12, "<a> & b", '<g class="x"/>', alone=False)
    assert inline(inline(alone)) == inline(alone)
    assert inline("<svg><style>svg{color:red}</style></svg>").count("<style>") == 1


@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium to draw the page with")
def test_another_picture_on_the_page_keeps_its_colour(tmp_path: Path) -> None:
    ours = "".join(pictures().values())
    page = tmp_path / "page.html"
    page.write_text(
        f'<!doctype html><body style="color:rgb(1, 2, 3)">{ours}<svg id="other"></svg>'
        "<script>const c = s => getComputedStyle(document.querySelector(s)).color;"
        "document.title = [c('#other'), c('svg')].join('|')</script>",
        "utf-8",
    )
    run = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", DARK]
    run += ["--disable-background-networking", f"--user-data-dir={tmp_path / 'profile'}"]
    told = subprocess.run(
        [*map(str, run), "--dump-dom", page.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    found = re.search("<title>(.*?)</title>", told.stdout)
    if found is None:
        pytest.skip(f"chromium does not run here: {told.stderr[-200:]}")
    other, first = found[1].split("|")
    assert other == "rgb(1, 2, 3)"
    assert first == "rgb(232, 232, 232)"  # a picture with rules of its own is in dark colours
