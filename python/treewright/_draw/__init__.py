"""Drawings of a tree and its schema as text, Markdown, HTML, SVG, DOT and LaTeX; no estimators, no files.

``text_tree``, ``leaf_sentences``, ``rules``, ``j48``, ``node_table``, ``summary``, ``tree_picture`` and ``html_tree``
draw a tree; ``as_dict`` gives it as plain values. ``excerpt`` decides which nodes are drawn, ``node_figures`` which
numbers they show, and ``conditions`` how a path reads.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treewright._draw import as_dict as as_dict
    from treewright._draw import dot as dot
    from treewright._draw import ensemble_summary as ensemble_summary
    from treewright._draw import html_tree as html_tree
    from treewright._draw import j48 as j48
    from treewright._draw import latex_forest as latex_forest
    from treewright._draw import leaf_sentences as leaf_sentences
    from treewright._draw import mermaid as mermaid
    from treewright._draw import node_table as node_table
    from treewright._draw import rules as rules
    from treewright._draw import summary as summary
    from treewright._draw import text_tree as text_tree
    from treewright._draw import tree_picture as tree_picture

FORMS = (
    *("as_dict", "dot", "ensemble_summary", "html_tree", "j48", "latex_forest", "leaf_sentences"),
    *("mermaid", "node_table", "rules", "summary", "text_tree", "tree_picture"),
)


def __getattr__(name: str) -> Any:
    """Load a form when it is first asked for: ``_draw.tree_picture`` costs nothing where only text is drawn."""
    if name in FORMS:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
