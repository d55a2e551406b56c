"""Drawing: (tree, its schema) -> text, Markdown, HTML, SVG. Nothing here knows an estimator or a file.

``text``, ``plain``, ``rules``, ``j48``, ``nodes``, ``summary``, ``svg`` and ``html`` write a tree; ``record`` gives it
as plain values. ``excerpt`` decides which nodes are drawn, ``facts`` which figures they show, ``conditions`` how a path
reads, ``paper`` and ``glyphs`` what the place can carry, and ``names`` makes any name safe to show.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treewright._draw import dot
    from treewright._draw import latex_forest as forest
    from treewright._render import table_grid as grid
    from treewright._draw import html_tree as html
    from treewright._draw import j48
    from treewright._draw import ensemble_summary as many
    from treewright._draw import mermaid
    from treewright._draw import node_table as nodes
    from treewright._draw import sentences as plain
    from treewright._draw import as_dict as record
    from treewright._draw import rules
    from treewright._draw import summary
    from treewright._draw import svg_tree as svg
    from treewright._draw import text_tree as text


FORMS = (
    *("dot", "forest", "grid", "html", "j48", "many", "mermaid", "nodes", "plain", "record"),
    *("rules", "summary", "svg", "text"),
)


def __getattr__(name: str) -> Any:
    """Load a form when it is first asked for: ``draw.svg`` costs nothing where only text is drawn."""
    if name in FORMS:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
