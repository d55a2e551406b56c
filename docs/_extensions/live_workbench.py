"""Pages of treewright itself in the site: the workbench, and the lesson of each tutorial."""

from __future__ import annotations

from pathlib import Path
from typing import Any

__all__ = ["setup"]


def setup(app: Any) -> dict[str, bool]:
    """Register the pages: they are copied beside the site when it is complete."""
    app.connect("build-finished", write_live_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write_live_pages(app: Any, error: Exception | None) -> None:
    """Write the workbench and the lessons into ``live/`` of the site."""
    if error or app.builder.name != "html":
        return
    from treewright import datasets, lesson, workbench

    folder = Path(app.outdir) / "live"
    folder.mkdir(exist_ok=True)
    workbench(path=str(folder / "workbench.html"))
    from treewright import ID3Classifier

    X, y = datasets.play_tennis()
    model = ID3Classifier().fit(X, y)
    lesson(model, X, y, target="PlayTennis").save(str(folder / "lesson-id3.html"))
