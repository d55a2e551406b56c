"""A model of many trees in a few lines: how many, how large, how they become one answer, which columns matter.

One tree of it is drawn as any other; the last line says how to get it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np

from treewright._draw.caption import Caption
from treewright._model.trees import Trees
from treewright._render.numbers import count, plural
from treewright._render.page_format import PageFormat
from treewright._render.safe_text import cells, pad

__all__ = ["facts", "render"]

COLUMNS = 12
BAR = 24
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
    """Return what is said of a model, as plain values."""
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


def render(trees: Trees, caption: Caption, paper: PageFormat) -> str:
    """Write about a model of many trees."""
    said = facts(trees, caption)
    target = None if said["target"] is None else paper.name(said["target"])
    title = paper.name(caption.title(target), 120)
    sizes = ", ".join(
        f"{name} {_range(values)}" for name, values in said["sizes"].items() if name != "nodes"
    )
    how = HOWS[said["combine"]["how"]] + LINKS[said["combine"]["link"]]
    sentences = [
        f"{title}: {plural(said['trees'], 'tree')}, {plural(said['nodes'], 'node')} in all; "
        f"each: {sizes}.",
        f"The prediction is {how}.",
    ]
    lines = [line for text in sentences for line in _wrapped(text, paper)]
    one = f"{caption.command} --tree 0" if caption.command else "show(model.trees_[0])"
    return "\n".join(
        [*lines, *_importances(said["importances"], paper), *_wrapped(f"one tree: {one}", paper)]
    )


def _range(values: dict[str, Any]) -> str:
    least, most = count(values["least"]), count(values["most"])
    return least if least == most else f"{least} to {most} (median {values['median']:,g})"


def _importances(importances: dict[str, float], paper: PageFormat) -> list[str]:
    order = sorted(importances.items(), key=lambda item: -item[1])
    chosen = [(name, part) for name, part in order if part > 0][:COLUMNS]
    if not chosen:
        return ["The trees ask no questions."]
    names = [paper.name(name, min(40, max(10, paper.width - 22))) for name, _ in chosen]
    width = max(map(cells, names))
    top, room = chosen[0][1], min(BAR, max(1, paper.width - width - 12))
    lines = _wrapped("feature importance (share of the impurity reduction):", paper)
    for name, (_, part) in zip(names, chosen, strict=True):
        # No block for what is written as 0.0%.
        least = 1 if part >= 0.0005 else 0
        bar = paper.glyphs.full * max(least, round(room * part / top))
        lines.append(f"  {pad(name, width, left=True)}  {part:6.1%}  {bar}".rstrip())
    rest = [part for _, part in order[len(chosen) :]]
    if rest:
        more = plural(len(rest), "other column")
        lines.append(f"  {more}: {sum(rest):.1%}")
    return lines


def _wrapped(text: str, paper: PageFormat) -> list[str]:
    return textwrap.wrap(text, max(20, paper.width), break_on_hyphens=False, subsequent_indent="  ")
