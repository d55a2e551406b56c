"""How fast the pages are with a tree of 12,000 nodes: budgets with room for a busy machine, printed with the figures.

Each figure is the median of five. On a busy machine they say nothing, and the tests are skipped.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from test_report import large_table, write

from helpers.load import is_busy, load
from treewright import C45Classifier, workbench

ROUNDS = 5
# Runs a click and waits until the frame after it is painted.
CLICK = """element => new Promise(done => {
  const start = performance.now();
  element.dispatchEvent(new MouseEvent('click', {bubbles: true}));
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));
})"""
# Zooms with the wheel for 40 frames and returns how long each took.
ZOOM = """element => new Promise(done => {
  const box = element.getBoundingClientRect(), times = [];
  let last = performance.now(), frames = 0;
  const step = now => {
    times.push(now - last);
    last = now;
    if (++frames > 40) return done(times.slice(1));
    const where = {clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, bubbles: true, cancelable: true};
    element.dispatchEvent(new WheelEvent('wheel', {deltaY: frames % 20 < 10 ? -40 : 40, ...where}));
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})"""
PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"


@pytest.fixture(autouse=True)
def quiet_machine() -> None:
    if is_busy():
        pytest.skip(f"the machine is busy: load {load():.1f}")


def report_figure(what: str, value: float, budget: float, unit: str = "ms") -> None:
    print(f"{what}: {value:.0f} {unit} (budget {budget:.0f} {unit}, load {load():.1f})")
    assert value < budget, f"{what}: {value:.0f} {unit}"


@pytest.fixture(scope="module")
def large_report(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    X, y = large_table(24_000)
    model = C45Classifier(prune=None, min_cases=1).fit(X, y)
    return write(tmp_path_factory.mktemp("report"), model, X, y)


@pytest.mark.slow
def test_a_large_report(large_report: Path, open_page: Any) -> None:
    report_figure("report of 12,000 nodes", large_report.stat().st_size / 1000, 900, "KB")
    paints = []
    for _ in range(ROUNDS):
        page = open_page(large_report)
        page.wait_for_selector("#tree .node")
        paints.append(page.evaluate(PAINT))
    report_figure("first paint of the report", statistics.median(paints), 1000)
    nodes = page.locator("#tree .node").element_handles()[:ROUNDS]
    report_figure("select a node", statistics.median(node.evaluate(CLICK) for node in nodes), 100)
    opened = [page.locator("#tree .badge").last.evaluate(CLICK) for _ in range(ROUNDS)]
    report_figure("open a branch", statistics.median(opened), 100)
    frames = sorted(page.locator("#tree svg").first.evaluate(ZOOM))
    report_figure("zoom, 95% of the frames", frames[int(0.95 * len(frames))], 34)


@pytest.mark.slow
def test_the_workbench_is_ready_soon(open_page: Any, tmp_path: Path) -> None:
    path = tmp_path / "workbench.html"
    workbench("play-tennis", algorithm="id3", path=path)
    report_figure("workbench", path.stat().st_size / 1000, 2000, "KB")
    times = []
    for _ in range(ROUNDS):
        page = open_page(path)
        page.wait_for_selector("#app[data-ready]")
        times.append(page.evaluate("performance.now()"))  # since the page was asked for
    report_figure("workbench with a table is ready", statistics.median(times), 800)
