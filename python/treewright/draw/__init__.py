"""Drawing: (tree, its schema) -> text, Markdown, HTML, SVG. Nothing here knows an estimator or a file.

``text``, ``plain``, ``rules``, ``j48``, ``nodes``, ``summary``, ``svg`` and ``html`` write a tree; ``record`` gives it
as plain values. ``excerpt`` decides which nodes are drawn, ``facts`` which figures they show, ``conditions`` how a path
reads, ``paper`` and ``glyphs`` what the place can carry, and ``names`` makes any name safe to show.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treewright.draw import (  # noqa: F401
        dot,
        forest,
        grid,
        html,
        j48,
        many,
        mermaid,
        nodes,
        plain,
        record,
        rules,
        summary,
        svg,
        text,
    )


FORMS = (
    *("dot", "forest", "grid", "html", "j48", "many", "mermaid", "nodes", "plain", "record"),
    *("rules", "summary", "svg", "text"),
)


def __getattr__(name: str) -> Any:
    """Load a form when it is first asked for: ``draw.svg`` costs nothing where only text is drawn."""
    if name in FORMS:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
