"""The complete output for the play-tennis table in a terminal, in lecture notes and on a slide.

The snapshots are the specification. After a deliberate change, run `pytest --snapshot-update` on this file and read the
difference.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from helpers.tex_run import compile_tex
from treewright import C45Classifier, CARTClassifier, ID3Classifier, datasets, export, show, work
from treewright.table import Series

X, y = datasets.play_tennis()


@pytest.fixture(scope="module")
def tennis() -> Any:
    target = Series.of("PlayTennis", y.tolist(), levels=["Yes", "No"])
    return ID3Classifier().fit(X, target)


@pytest.mark.parametrize(
    "options",
    [{}, {"ascii": True}, {"width": 50}, {"style": "plain"}, {"style": "rules"}],
    ids=["tree", "ascii", "narrow", "plain", "rules"],
)
def test_the_tree_in_a_terminal(
    tennis: Any, options: dict[str, Any], snapshot: SnapshotAssertion
) -> None:
    assert show(tennis, **{"width": 80} | options).text() == snapshot


def test_a_large_tree_says_how_to_see_the_rest(snapshot: SnapshotAssertion) -> None:
    rng = np.random.default_rng(0)
    table = {"income": rng.normal(size=500).round(2), "age": rng.integers(18, 90, 500)}
    model = CARTClassifier().fit(table, rng.choice(["good", "bad"], 500))
    drawn = show(model, width=90, lines=9, command="treewright show m.tree").text()
    assert drawn == snapshot


def test_a_regression_tree(snapshot: SnapshotAssertion) -> None:
    from treewright import CARTRegressor

    model = CARTRegressor(max_depth=2).fit(
        {"children": [0, 1, 2, 3, 4, 5]}, [1.0, 1.5, 1.0, 6.0, 6.5, 9.0]
    )
    assert show(model, width=100).text() == snapshot


@pytest.mark.parametrize(
    "options",
    [{}, {"rounding": "lecture"}, {"blank": True}, {"ascii": True}],
    ids=["exact", "lecture", "worksheet", "ascii"],
)
def test_the_work_as_text(
    tennis: Any, options: dict[str, Any], snapshot: SnapshotAssertion
) -> None:
    assert work(tennis, 0, **{"width": 110} | options).text() == snapshot


def test_the_work_as_markdown(tennis: Any, snapshot: SnapshotAssertion) -> None:
    assert work(tennis, 0).to_markdown() == snapshot


def test_the_work_as_latex(tennis: Any, snapshot: SnapshotAssertion) -> None:
    assert work(tennis, 0).to_latex() == snapshot


def test_the_work_of_c45_with_numbers(snapshot: SnapshotAssertion) -> None:
    model = C45Classifier().fit(*datasets.golf())
    assert work(model, 1, width=110).text() == snapshot


def test_the_tree_for_a_slide(tennis: Any, snapshot: SnapshotAssertion) -> None:
    assert export(tennis, "latex") == snapshot


@pytest.mark.slow
def test_latex_compiles(tennis: Any, tmp_path: Path) -> None:
    from treewright._draw.latex_forest import document

    hostile = {"a_b|<c>$</script>": [1.0, 2.0, 3.0, 4.0], "größe 家": ["x&", "y%", "x&", "y%"]}
    strange = CARTClassifier().fit(hostile, ["{}", "\\end{forest}", "{}", "~^"])
    pages = [
        export(tennis, "latex"),
        work(tennis, 0, blank=True).to_latex(),
        work(tennis, 1).to_latex(),
        export(strange, "latex"),
        work(strange, 0).to_latex(),
        work(strange, 0, what="prune").to_latex(),
        show(strange, style="rules").to_latex(),
        show(strange, style="table").to_latex(),
    ]
    compile_tex(document("\n\n\\clearpage\n".join(pages)), tmp_path, fits=False)
    assert (tmp_path / "page.pdf").stat().st_size > 10_000
