"""The workbench as a page of the site."""

from __future__ import annotations

from pathlib import Path
from typing import Any

__all__ = ["setup"]


def setup(app: Any) -> dict[str, bool]:
    """Register the page: it is written beside the site when it is complete."""
    app.connect("build-finished", write_workbench)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write_workbench(app: Any, error: Exception | None) -> None:
    """Write the workbench into ``live/`` of the site."""
    if error or app.builder.name != "html":
        return
    from treewright import workbench

    folder = Path(app.outdir) / "live"
    folder.mkdir(exist_ok=True)
    workbench(path=str(folder / "workbench.html"))
