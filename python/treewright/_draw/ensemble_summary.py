"""An ensemble of trees in a few lines: how many, how large, how they are combined, which columns matter.

A single tree of it is drawn like any other; the last line says how.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np

from treewright._draw.caption import Caption
from treewright._model.trees import Trees
from treewright._render.charts import Bar, NamedBars
from treewright._render.document import Block, Column, Document, Note, Picture, Table, Text
from treewright._render.numbers import count, percent, plural
from treewright._render.page_format import PageFormat
from treewright._render.safe_text import cells, pad

__all__ = ["document", "facts", "render"]

MAX_COLUMNS = 12
BAR_LENGTH = 24
IMPORTANCE = "feature importance (share of the impurity reduction)"
HOWS = {
    "mean": "the mean of the trees' predictions",
    "vote": "a weighted vote of the trees",
    "median": "the weighted median of the trees' predictions",
    "sum": "the sum of the trees' predictions",
}
LINKS = {
    "identity": "",
    "logistic": ", turned into a probability (logistic function)",
    "softmax": ", turned into probabilities of the classes (softmax)",
    "exp": ", exponentiated",
}


def facts(trees: Trees, caption: Caption) -> dict[str, Any]:
    """Return the summary as plain values."""
    sizes: dict[str, Callable[[Any], int]] = {
        "nodes": lambda tree: tree.n_nodes,
        "leaves": lambda tree: tree.n_leaves,
        "depth": lambda tree: tree.depth,
    }
    every = [[of(tree) for of in sizes.values()] for tree in trees]
    columns = zip(sizes, np.array(every).T, strict=True)
    matter = zip(trees.schema.names, trees.importances().tolist(), strict=True)
    return {
        "method": caption.method,
        "target": trees.schema.target,
        "trees": len(trees),
        "sizes": {
            name: {
                "least": int(values.min()),
                "median": float(np.median(values)),
                "most": int(values.max()),
            }
            for name, values in columns
        },
        "nodes": int(sum(row[0] for row in every)),
        "combine": {"how": trees.combine["how"], "link": trees.combine["link"]},
        "importances": dict(matter),
    }


def document(trees: Trees, caption: Caption, page: PageFormat) -> Document:
    """Return the summary as a document."""
    summary = facts(trees, caption)
    title, *sentences = _sentences(summary, caption, page)
    blocks: list[Block] = [Text(sentence, apart=True) for sentence in sentences]
    chosen, rest = _most_important(summary["importances"])
    if chosen:
        names = tuple(page.name(name) for name, _ in chosen)
        shares = tuple(percent(share) for _, share in chosen)
        bars = tuple(
            Bar(name, share, text)
            for name, (_, share), text in zip(names, chosen, shares, strict=True)
        )
        columns = (Column("column", names, left=True), Column("importance", shares))
        blocks += [Table(columns, title=IMPORTANCE), *_rest_note(rest)]
        blocks.append(Picture(NamedBars(bars, IMPORTANCE)))
    return Document((title,), (*blocks, Note(_how_to_draw_one(caption))))


def render(trees: Trees, caption: Caption, page: PageFormat) -> str:
    """Write the summary as text."""
    summary = facts(trees, caption)
    title, size, combination = _sentences(summary, caption, page)
    lines = [*_wrap(f"{title}: {size}", page), *_wrap(combination, page)]
    lines += _importance_lines(summary, page)
    return "\n".join([*lines, *_wrap(_how_to_draw_one(caption), page)])


def _sentences(summary: dict[str, Any], caption: Caption, page: PageFormat) -> tuple[str, str, str]:
    """Return the title, the size of the ensemble, and how the trees are combined."""
    target = None if summary["target"] is None else page.name(summary["target"])
    title = page.name(caption.title(target), 120)
    sizes = ", ".join(
        f"{name} {_range(values)}" for name, values in summary["sizes"].items() if name != "nodes"
    )
    combination = HOWS[summary["combine"]["how"]] + LINKS[summary["combine"]["link"]]
    total = f"{plural(summary['trees'], 'tree')}, {plural(summary['nodes'], 'node')} in all"
    return title, f"{total}; each: {sizes}.", f"The prediction is {combination}."


def _how_to_draw_one(caption: Caption) -> str:
    call = f"{caption.command} --tree 0" if caption.command else "show(model.trees_[0])"
    return f"one tree: {call}"


def _range(values: dict[str, Any]) -> str:
    least, most = count(values["least"]), count(values["most"])
    return least if least == most else f"{least} to {most} (median {values['median']:,g})"


def _most_important(
    importances: dict[str, float],
) -> tuple[list[tuple[str, float]], list[tuple[str, float]]]:
    """Return the columns to list, the most important first, and the others."""
    order = sorted(importances.items(), key=lambda item: -item[1])
    chosen = [(name, share) for name, share in order if share > 0][:MAX_COLUMNS]
    return chosen, order[len(chosen) :]


def _rest_note(rest: list[tuple[str, float]]) -> list[Note]:
    total = sum(share for _, share in rest)
    return [Note(f"  {plural(len(rest), 'other column')}: {percent(total)}")] if rest else []


def _importance_lines(summary: dict[str, Any], page: PageFormat) -> list[str]:
    chosen, rest = _most_important(summary["importances"])
    if not chosen and summary["sizes"]["depth"]["most"] == 0:
        return ["The trees have no splits."]
    if not chosen:  # a file of another library may leave them out
        return _wrap("Feature importances are unknown: the model has no gains of its splits.", page)
    names = [page.name(name, min(40, max(10, page.width - 22))) for name, _ in chosen]
    width = max(map(cells, names))
    top, room = chosen[0][1], min(BAR_LENGTH, max(1, page.width - width - 12))
    lines = _wrap(f"{IMPORTANCE}:", page)
    for name, (_, share) in zip(names, chosen, strict=True):
        # No block for what is written as <0.1%.
        least = 1 if share >= 0.0005 else 0
        bar = page.glyphs.full * max(least, round(room * share / top))
        lines.append(f"  {pad(name, width, left=True)}  {percent(share):>6}  {bar}".rstrip())
    return lines + [str(note.words) for note in _rest_note(rest)]


def _wrap(text: str, page: PageFormat) -> list[str]:
    return textwrap.wrap(text, max(20, page.width), break_on_hyphens=False, subsequent_indent="  ")
