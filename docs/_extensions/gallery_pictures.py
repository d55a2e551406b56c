"""Pictures of the gallery: what an example calls ``picture`` is drawn in its page, and printed text as a thumbnail."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

__all__ = ["scrape", "setup"]

PRINTED = re.compile(
    r"rst-class:: sphx-glr-script-out\n.*?code-block:: none\n\n(.*?)(?=\n\S|\Z)", re.S
)
PROGRAM = re.compile(r"code-block:: Python\n.*?\n\n(.*?)(?=\n\S|\Z)", re.S)
LINES, LETTERS = 14, 46  # of a thumbnail


def scrape(_block: Any, block_vars: dict[str, Any], _settings: dict[str, Any]) -> str:
    """Draw the view named ``picture`` of the block that has just run; a file of it becomes the thumbnail."""
    from pictures import figure

    from treewright._render.svg_frame import inline

    view = block_vars["example_globals"].pop("picture", None)
    if view is None:
        return ""
    svg = view.to_svg()
    # Without rules for light and dark: a picture in a file sees the system's choice, not the one of the page.
    Path(next(block_vars["image_path_iterator"])).with_suffix(".svg").write_text(
        inline(svg), "utf-8"
    )
    return f"\n.. raw:: html\n\n    {figure(svg)}\n\n"


def setup(app: Any) -> dict[str, bool]:
    """Register the thumbnails: they replace those that the gallery has made just before."""
    app.connect("builder-inited", draw_thumbnails, priority=950)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def draw_thumbnails(app: Any) -> None:
    """Draw what an example prints as its thumbnail, if it has no picture; its program, if it was not run."""
    for page in sorted((Path(app.srcdir) / "gallery").rglob("*.rst")):
        text = page.read_text("utf-8")
        thumbnail = page.parent / "images" / "thumb" / f"sphx_glr_{page.stem}_thumb.png"
        drawn = "image-sg::" in text or 'class="drawn"' in text
        printed = PRINTED.findall(text) or PROGRAM.findall(text)
        if printed and not drawn and thumbnail.exists():
            draw_text(max(printed, key=len), thumbnail)


def draw_text(text: str, path: Path) -> None:
    """Write the first lines of a text as a picture in the size of a thumbnail."""
    from matplotlib.figure import Figure

    lines = [line[4:] for line in text.splitlines() if line.strip()][:LINES]
    figure = Figure(figsize=(4, 2.8), dpi=100)
    shown = "\n".join(line[:LETTERS] for line in lines)
    figure.text(0.03, 0.96, shown, family="monospace", size=9.5, va="top", linespacing=1.35)
    figure.savefig(path)
