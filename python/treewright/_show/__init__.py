"""``show``: find the tree in a model and give a view of it.

``find`` looks into estimators, pipelines and searches; ``view`` holds a drawing as a value that is text, a picture or a
file. The drawing itself is in ``draw``, which knows neither models nor files.
"""

from __future__ import annotations

import numbers
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from treewright._draw.excerpt import Scope
from treewright._estimator.find import find, find_rules, find_trees, kind_of, unwrap
from treewright._model.trees import Trees
from treewright._show.tree_view import STYLES, View
from treewright.errors import Hint, UsageError
from treewright.tree import Tree

if TYPE_CHECKING:
    from treewright._learners.neighbors.neighbors_summary import NeighbourView
    from treewright._show.ensemble_view import ManyView
    from treewright._show.rule_view import RuleView

__all__ = ["View", "show"]


def show(
    model: Any,
    style: str = "tree",
    *,
    node: int = 0,
    depth: int | None = None,
    min_rows: int = 0,
    lines: int | None = None,
    width: int | None = None,
    ascii: bool | None = None,
    command: str = "",
    tree: int | None = None,
) -> View | RuleView | ManyView | NeighbourView:
    """Draw a model.

    Parameters
    ----------
    model : estimator, Pipeline or Tree
        A fitted tree or rule set, a model of many trees, or a pipeline or search whose last step is one.
    style : {"tree", "rules", "j48", "plain", "table", "summary"}, default="tree"
        A table beside the tree, if-then rules, Weka's layout, sentences, the node table, or a few words about it.
    node : int, default=0
        Where to begin; the numbers are in the drawing.
    depth : int, default=None
        Questions drawn below it at most.
    min_rows : int, default=0
        Branches with fewer rows are folded, rules and nodes with fewer left out.
    lines : int, default=None
        Lines to draw, those of most rows first; three screens where not given, and at least 60.
    width : int, default=None
        Columns of text; those of the terminal where not given. Below 60 the tree is drawn as sentences.
    ascii : bool, default=None
        Draw with ASCII signs only; None does so where the terminal cannot show others.
    command : str, default=""
        The command line that draws it, used in what the drawing says about the parts left out.
    tree : int, default=None
        Which tree of a model of many; without it, a few lines about all of them.

    Returns
    -------
    View, RuleView, ManyView or NeighbourView
        Text by ``str()``, a picture in a notebook, a file by ``save()``.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, show
    >>> clf = ID3Classifier().fit(*datasets.play_tennis())
    >>> show(clf, style="rules")
      #  if                                    then  rows  right
      1  Outlook = Overcast                    Yes      4      4
      2  Outlook = Sunny and Humidity = High   No       3      3
      3  Outlook = Rain  and Wind = Weak       Yes      3      3
      4  Outlook = Sunny and Humidity = Normal Yes      2      2
      5  Outlook = Rain  and Wind = Strong     No       2      2
    """
    if style not in STYLES:
        raise UsageError(
            f"there is no style {style!r}",
            slug="show.style",
            hints=[f"styles: {', '.join(STYLES)}"],
        )
    width = None if width is None else _whole("width", width, 1)
    lines = None if lines is None else _whole("lines", lines, 1)
    if kind_of(model) == "neighbors":
        from sklearn.utils.validation import check_is_fitted

        from treewright._learners.neighbors.neighbors_summary import NeighbourView

        _refuse_parts("a model without a tree", style, node, depth)
        check_is_fitted(unwrap(model))
        return NeighbourView(unwrap(model), width=width, lines=lines, ascii=ascii)
    rules = find_rules(model)
    if rules is not None:
        _refuse_parts("a list of rules", style, node, depth)
        from treewright._show.rule_view import RuleView

        return RuleView(rules, width, lines, ascii)
    many = find_trees(model)
    if many is not None and tree is None:
        _refuse_nodes(style, node, depth, len(many[0]))
        from treewright._show.ensemble_view import ManyView

        return ManyView(many[0], replace(many[1], command=command), width, lines, ascii)
    drawn, caption = find(model) if many is None else (_one(many[0], tree), many[1])
    if many is None and tree not in (None, 0):
        raise UsageError("this model has one tree: tree 0", slug="show.no-such-tree")
    scope = Scope(
        node=_node(node, drawn),
        depth=None if depth is None else _whole("depth", depth, 0),
        min_rows=_whole("min_rows", min_rows, 0),
    )
    return View(
        drawn,
        replace(caption, command=command, tree=None if many is None else tree),
        style,
        scope,
        width=width,
        lines=lines,
        ascii=ascii,
    )


def _refuse_parts(what: str, style: str, node: Any, depth: Any) -> None:
    """Refuse what only a tree has."""
    if style not in ("tree", "rules", "summary") or node != 0 or depth is not None:
        raise UsageError(
            f"this model is {what}; it has no nodes, depth or other styles",
            slug="show.rules",
            hints=[Hint(call="show", arguments=("model",))],
        )


def _refuse_nodes(style: str, node: Any, depth: Any, trees: int) -> None:
    """Refuse what only one tree has."""
    if style not in ("tree", "summary") or node != 0 or depth is not None:
        raise UsageError(
            f"this model has {trees:,} trees; choose one of them to use a node, a depth or a style",
            slug="show.many-trees",
            hints=[Hint(call="show", arguments=("model",), option="tree", value=0)],
        )


def _one(trees: Trees, index: Any) -> Tree:
    number = _whole("tree", index, 0)
    if number >= len(trees):
        raise UsageError(
            f"there is no tree {number:,}",
            slug="show.no-such-tree",
            hints=[f"trees: 0 to {len(trees) - 1}"],
        )
    return trees[number]


def _whole(name: str, value: Any, least: int) -> int:
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or value < least:
        raise UsageError(
            f"{name} must be a whole number from {least}; got {value!r}", slug="usage.parameter"
        )
    return int(value)


def _node(node: Any, tree: Tree) -> int:
    number = _whole("node", node, 0)
    if number >= tree.n_nodes:
        raise UsageError(
            f"there is no node {number}",
            slug="show.no-such-node",
            hints=[f"nodes: 0 to {tree.n_nodes - 1}"],
        )
    return number
