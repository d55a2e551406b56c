"""The first lines of a drawing: who predicts what, and how large the tree is."""

from __future__ import annotations

from treewright._draw.caption import Caption
from treewright._draw.conditions import condition_text, conditions_of
from treewright._draw.excerpt import Size, size
from treewright._render.numbers import plural
from treewright._render.page_format import PageFormat
from treewright._render.safe_text import cells, clip, wrapped
from treewright.tree import Tree

__all__ = ["headline", "side_by_side", "write_size"]


def write_size(extent: Size, page: PageFormat) -> str:
    """Write a size: ``14 rows · 8 nodes · 5 leaves · depth 2``."""
    parts = [
        plural(extent.rows, "row"),
        plural(extent.nodes, "node"),
        plural(extent.leaves, "leaf"),
        f"depth {extent.depth:,}",
    ]
    return page.glyphs.separator.join(parts)


def headline(tree: Tree, caption: Caption, top: int, page: PageFormat) -> list[str]:
    """Return the title with the size of the tree, and where the drawing begins if not at the root."""
    target = None if tree.schema.target is None else page.name(tree.schema.target)
    lines = side_by_side(page.name(caption.title(target), 120), write_size(size(tree), page), page)
    if top:
        way = ", ".join(condition_text(condition, page) for condition in conditions_of(tree, top))
        lines += side_by_side(f"from node #{top}: {way}", write_size(size(tree, top), page), page)
    return lines


def side_by_side(left: str, right: str, page: PageFormat) -> list[str]:
    """Return two texts side by side, or under each other where the page is too narrow."""
    left = clip(left, page.width, page.glyphs.dots)
    if cells(left) + 3 + cells(right) <= page.width:
        return [f"{left}   {right}"]
    return [left, *wrapped(right, page.width, "  ")]
