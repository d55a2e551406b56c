"""The frame of every picture: plain SVG without scripts, background, or styles for the rest of a page.

Lines and letters take the color of the text around them. A picture in a file of its own has colors for light and dark
pages, in rules that hold for this picture only.
"""

from __future__ import annotations

import re
from html import escape
from zlib import crc32

__all__ = ["COLORS", "OTHER", "framed", "inline"]

# The colors of Okabe and Ito, which color-blind readers can tell apart, and gray for all other classes.
COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#8A6FC4")
OTHER = "#999999"
LIGHT, DARK = "#1a1a1a", "#e8e8e8"


def framed(
    width: float, height: float, font: float, title: str, body: str, *, alone: bool = True
) -> str:
    """Return a picture with its body; ``alone`` makes it a file of its own.

    Examples
    --------
    >>> framed(10, 10, 12, "dot", "<circle r='1'/>", alone=False).startswith("<svg xmlns=")
    True
    """
    label = escape(title)
    mark = style = ""
    if alone:
        # Rules inside a picture would hold for the page that it is put into.
        name = f"treewright-{crc32(f'{label}{body}'.encode(errors='replace')):08x}"
        mark = f' class="{name}"'
        style = (
            f"<style>.{name}{{color-scheme:light dark;color:{LIGHT}}}"
            f"@media (prefers-color-scheme:dark){{.{name}{{color:{DARK}}}}}</style>"
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg"{mark} width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{label}" '
        f'font-family="system-ui, sans-serif" font-size="{font:.0f}" fill="currentColor">'
        f"{style}<title>{label}</title>{body}</svg>"
    )


def inline(picture: str) -> str:
    """Return a picture for a page with its own colors, such as a notebook: without rules for light and dark.

    Examples
    --------
    >>> inline(framed(10, 10, 12, "dot", "")) == framed(10, 10, 12, "dot", "", alone=False)
    True
    """
    return re.sub(
        r'^(<svg [^>]*?) class="treewright-[0-9a-f]{8}"([^>]*>)<style>[^<]*</style>',
        r"\1\2",
        picture,
    )
