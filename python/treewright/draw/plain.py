"""A tree as sentences, one a line: for narrow terminals and for screen readers."""

from __future__ import annotations

from treewright.draw import facts
from treewright.draw.caption import Caption
from treewright.draw.conditions import asked, words
from treewright.draw.excerpt import Line, Scope, excerpt
from treewright.draw.figures import plural, weights
from treewright.draw.headline import headline
from treewright.draw.paper import Paper
from treewright.tree import Tree

__all__ = ["render"]


def render(tree: Tree, caption: Caption, scope: Scope, paper: Paper) -> str:
    """Write a tree as sentences: ``Outlook = Sunny, Humidity = High: No (3/0)``."""
    lines = [line for line in excerpt(tree, scope, paper.lines) if not line.opened]
    return "\n".join(
        [
            *headline(tree, caption, scope.node, paper),
            *(_sentence(tree, caption, line, paper) for line in lines),
        ]
    )


def _sentence(tree: Tree, caption: Caption, line: Line, paper: Paper) -> str:
    said = [words(condition, paper) for condition in asked(tree, line.node)]
    if len(line.folded):
        said.append("otherwise")
    way = ", ".join(said) or "always"
    if not line.hidden:
        return f"{way}: {facts.answer(tree, line.node, paper)}{_support(tree, line.node, paper)}"
    hint = "" if len(line.folded) else f"; {caption.open(line.node)}"
    return f"{way}: {facts.hidden(tree, line, paper)}{hint}"


def _support(tree: Tree, node: int, paper: Paper) -> str:
    if not tree.weight[node]:
        return ""  # the answer has already said that no rows came
    if tree.schema.classes:
        cases, errors = weights([tree.weight[node], tree.errors(node)])
        return f" ({cases}/{errors})"
    return f" ({plural(int(tree.count[node]), 'row')}, sd {facts.spread(tree, node, paper)})"
