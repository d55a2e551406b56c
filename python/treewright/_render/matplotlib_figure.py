"""Figures of matplotlib (extra ``plot``): new ones of a given size, and their bytes as PNG or PDF."""

from __future__ import annotations

import importlib
import io
from typing import Any

from treewright._render.charts import Chart, Drawing
from treewright._render.svg_charts import HEIGHT, WIDTH
from treewright.errors import UsageError

__all__ = ["FILE_FORMATS", "plot", "write_file"]

FILE_FORMATS = ("png", "pdf")
PIXELS = 96  # an inch
SHARPNESS = 2  # pixels of a PNG file for each pixel of the picture
# Without the time and the version: the same picture has the same bytes.
FILE_SETTINGS = {
    "text.color": "#1a1a1a",
    "savefig.facecolor": "white",
    "pdf.fonttype": 42,
}  # text that can be searched
METADATA = {
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


def plot(chart: Chart, ax: Any = None, *, window: bool = True) -> Any:
    """Draw a chart on axes and return them; where none are given, on a new figure that pyplot shows in its window."""
    _require_matplotlib()
    ax = _new_axes(chart, window=window) if ax is None else ax
    chart.draw_on(ax)
    return ax


def write_file(chart: Chart, form: str) -> bytes:
    """Return a chart as a PNG or PDF file."""
    from matplotlib import rc_context

    content = io.BytesIO()
    with rc_context(FILE_SETTINGS):
        figure = plot(chart, window=False).figure
        figure.savefig(content, format=form, dpi=PIXELS * SHARPNESS, metadata=METADATA[form])
    return content.getvalue()


def _require_matplotlib() -> None:
    try:
        importlib.import_module("matplotlib")
    except ImportError:
        raise UsageError(
            "matplotlib is not installed",
            slug="show.no-matplotlib",
            hints=[
                "pip install 'treewright[plot]'",
                "a picture as SVG needs nothing: save it as .svg",
            ],
        ) from None


def _new_axes(chart: Chart, *, window: bool) -> Any:
    """Return axes of a new figure: as large as a drawing, or of the size of a chart."""
    fills = isinstance(chart, Drawing)
    width, height = chart.draw().size if isinstance(chart, Drawing) else (WIDTH, HEIGHT)
    size, layout = (width / PIXELS, height / PIXELS), None if fills else "constrained"
    if window:
        figure = importlib.import_module("matplotlib.pyplot").figure(figsize=size, layout=layout)
    else:
        figure = importlib.import_module("matplotlib.figure").Figure(figsize=size, layout=layout)
    return figure.add_axes((0, 0, 1, 1)) if fills else figure.add_subplot()
