"""The first lines of a drawing: who predicts what, and how large the tree is."""

from __future__ import annotations

from treewright._draw.caption import Caption
from treewright._draw.conditions import asked, words
from treewright._draw.excerpt import Size, size
from treewright._render.numbers import plural
from treewright._render.page_format import PageFormat
from treewright._render.safe_text import cells, clip, wrapped
from treewright.tree import Tree

__all__ = ["headline", "side_by_side", "write_size"]


def write_size(extent: Size, paper: PageFormat) -> str:
    """Write a size: ``14 rows · 8 nodes · 5 leaves · depth 2``."""
    parts = [
        plural(extent.rows, "row"),
        plural(extent.nodes, "node"),
        plural(extent.leaves, "leaf"),
        f"depth {extent.depth:,}",
    ]
    return paper.glyphs.separator.join(parts)


def headline(tree: Tree, caption: Caption, top: int, paper: PageFormat) -> list[str]:
    """Return the title with the size of the tree, and where the drawing begins if not at the root."""
    target = None if tree.schema.target is None else paper.name(tree.schema.target)
    lines = side_by_side(
        paper.name(caption.title(target), 120), write_size(size(tree), paper), paper
    )
    if top:
        way = ", ".join(words(condition, paper) for condition in asked(tree, top))
        lines += side_by_side(f"from node #{top}: {way}", write_size(size(tree, top), paper), paper)
    return lines


def side_by_side(left: str, right: str, paper: PageFormat) -> list[str]:
    """Return two texts side by side, or under each other where the paper is too narrow."""
    left = clip(left, paper.width, paper.glyphs.dots)
    if cells(left) + 3 + cells(right) <= paper.width:
        return [f"{left}   {right}"]
    return [left, *wrapped(right, paper.width, "  ")]
