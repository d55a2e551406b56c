"""Pictures of the gallery: what an example calls ``picture`` is saved as SVG, without matplotlib."""

from __future__ import annotations

from pathlib import Path
from typing import Any

__all__ = ["scrape"]


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
    return figure_rst([str(path)], gallery_conf["src_dir"])
