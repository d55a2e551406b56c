"""The pages look as they did: eight places, light and dark, wide and narrow, against small pictures in `pictures/`.

A picture is a quarter of the size, so the last pixel of a letter does not matter and a moved box does. It depends on
the browser and its fonts; where they are not those of `pictures/made_with.txt`, the tests are skipped. After a
deliberate change, write them again and look at them: `TREEWRIGHT_WRITE_PICTURES=1 pytest tests/web/test_pictures.py`.
"""

from __future__ import annotations

import io
import itertools
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from treewright import C45Classifier, ID3Classifier, datasets, lesson, report, workbench

PICTURES = Path(__file__).parent / "pictures"
MADE_WITH = PICTURES / "made_with.txt"
WRITE = bool(os.environ.get("TREEWRIGHT_WRITE_PICTURES"))
SCALE = 4
DIFFERENT = 24  # of 255: more than an edge of a letter that moved by a part of a pixel
TOLERANCE = 0.002
FONTS = ("Inter", "STIX Two Math")
READY = "#app[data-ready]"
# Where a page is looked at: its kind, the fragment, and what must be there.
PLACES = {
    "data": ("workbench", "#table=golf&screen=data", READY),
    "grow": ("workbench", "#table=golf&algo=c45&screen=grow", ".ghost"),
    "compare": ("workbench", "#table=golf&screen=compare", READY),
    "export": ("workbench", "#table=golf&algo=id3&screen=export", READY),
    "lesson-entropy": ("lesson", "#screen=impurity", "math"),
    "lesson-choice": ("lesson", "#screen=choice", "h2"),
    "report": ("report", "", "#try .checked"),
    "report-tree": ("report", "#tree", "#try .checked"),
}
SIZES = {"wide": {"width": 1280, "height": 800}, "narrow": {"width": 390, "height": 844}}


def describe_machine(browser: Any) -> str:
    """Return the browser and the fonts that decide how a page looks."""
    names = []
    for family in FONTS:
        command = ["fc-match", "--format", "%{family} %{fontversion}", family]
        names.append(subprocess.run(command, capture_output=True, text=True).stdout)
    return "\n".join([f"Chromium {browser.version.partition('.')[0]}", *names, ""])


@pytest.fixture(scope="module")
def same_machine(browser: Any) -> None:
    if shutil.which("fc-match") is None:
        pytest.skip("there is no fontconfig on this machine")
    described = describe_machine(browser)
    if WRITE:
        PICTURES.mkdir(exist_ok=True)
        MADE_WITH.write_text(described, "utf-8")
    if MADE_WITH.read_text("utf-8") != described:
        pytest.skip("the pictures were made with another browser or other fonts")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Write a page of each kind."""
    folder = tmp_path_factory.mktemp("pages")
    paths = {kind: folder / f"{kind}.html" for kind in ("workbench", "lesson", "report")}
    workbench("golf", algorithm="c45", path=paths["workbench"])
    X, y = datasets.play_tennis()
    lesson(ID3Classifier().fit(X, y), X, y).save(paths["lesson"])
    X, y = datasets.golf()
    report(C45Classifier().fit(X, y), X, y, paths["report"])
    return paths


@pytest.mark.slow
@pytest.mark.usefixtures("same_machine")
@pytest.mark.parametrize(
    ("place", "scheme", "size"), list(itertools.product(PLACES, ("light", "dark"), SIZES))
)
def test_a_page_looks_as_it_did(
    place: str,
    scheme: str,
    size: str,
    pages: dict[str, Path],
    open_page: Callable[..., Any],
    tmp_path: Path,
) -> None:
    image = pytest.importorskip("PIL.Image")
    kind, fragment, selector = PLACES[place]
    context = {"viewport": SIZES[size], "color_scheme": scheme, "reduced_motion": "reduce"}
    page = open_page(pages[kind], fragment, **context)
    page.wait_for_selector(selector, state="attached")
    page.wait_for_timeout(300)
    shot = image.open(io.BytesIO(page.screenshot())).convert("RGB")
    small = shot.resize((shot.width // SCALE, shot.height // SCALE), image.Resampling.BOX)
    path = PICTURES / f"{place}-{size}-{scheme}.png"
    if WRITE:
        small.save(path, optimize=True)
    before = np.asarray(image.open(path).convert("RGB"), dtype=np.int16)
    now = np.asarray(small, dtype=np.int16)
    changed = np.abs(now - before).max(axis=2) > DIFFERENT
    if changed.mean() > TOLERANCE:
        shot.save(tmp_path / "now.png")
        pytest.fail(f"{changed.mean():.1%} of {path.name} differ: see {tmp_path / 'now.png'}")
