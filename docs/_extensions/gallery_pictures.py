"""Pictures of the gallery: what an example calls ``picture`` is saved as SVG, and printed text becomes a thumbnail."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

__all__ = ["scrape", "setup"]

# What makes a picture follow the colors of the system. Pages have a switch of their own, which a picture cannot see.
DARK = re.compile(r"@media \(prefers-color-scheme:dark\)\{[^{}]*\{[^{}]*\}\}")
PRINTED = re.compile(
    r"rst-class:: sphx-glr-script-out\n.*?code-block:: none\n\n(.*?)(?=\n\S|\Z)", re.S
)
PROGRAM = re.compile(r"code-block:: Python\n.*?\n\n(.*?)(?=\n\S|\Z)", re.S)
LINES, LETTERS = 14, 46  # of a thumbnail


def scrape(_block: Any, block_vars: dict[str, Any], gallery_conf: dict[str, Any]) -> str:
    """Save the view named ``picture`` of the block that has just run, and return the lines that show it."""
    from sphinx_gallery.scrapers import figure_rst

    view = block_vars["example_globals"].pop("picture", None)
    if view is None:
        return ""
    path = Path(next(block_vars["image_path_iterator"])).with_suffix(".svg")
    if isinstance(view, str):  # an SVG document
        path.write_text(view, "utf-8")
    else:
        view.save(str(path))
    text = DARK.sub("", path.read_text("utf-8")).replace(
        "color-scheme:light dark", "color-scheme:light"
    )
    path.write_text(text, "utf-8")
    return figure_rst([str(path)], gallery_conf["src_dir"])


def setup(app: Any) -> dict[str, bool]:
    """Register the thumbnails: they replace those that the gallery has made just before."""
    app.connect("builder-inited", draw_thumbnails, priority=950)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def draw_thumbnails(app: Any) -> None:
    """Draw what an example prints as its thumbnail, if it has no picture; its program, if it was not run."""
    for page in sorted((Path(app.srcdir) / "gallery").rglob("*.rst")):
        text = page.read_text("utf-8")
        thumbnail = page.parent / "images" / "thumb" / f"sphx_glr_{page.stem}_thumb.png"
        printed = PRINTED.findall(text) or PROGRAM.findall(text)
        if printed and "image-sg::" not in text and thumbnail.exists():
            draw_text(max(printed, key=len), thumbnail)


def draw_text(text: str, path: Path) -> None:
    """Write the first lines of a text as a picture in the size of a thumbnail."""
    from matplotlib.figure import Figure

    lines = [line[4:] for line in text.splitlines() if line.strip()][:LINES]
    figure = Figure(figsize=(4, 2.8), dpi=100)
    shown = "\n".join(line[:LETTERS] for line in lines)
    figure.text(0.03, 0.96, shown, family="monospace", size=9.5, va="top", linespacing=1.35)
    figure.savefig(path)
