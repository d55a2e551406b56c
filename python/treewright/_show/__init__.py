"""``show``: draw a model.

The views (``tree_view``, ``ensemble_view``, ``rule_view``) are results that can be printed and saved; the drawing
itself is in ``_draw``, which knows no models and no files.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from treewright._catalog import import_public
from treewright._draw.caption import Caption
from treewright._draw.excerpt import Scope
from treewright._estimator.find import find, find_rules, find_trees, kind_of, unwrap
from treewright._show.tree_view import STYLES, View
from treewright._utils.validation import check_integer
from treewright.errors import Hint, UsageError
from treewright.tree import Tree

if TYPE_CHECKING:
    from treewright._draw.node_plots import Plots
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
    X: Any = None,
    y: Any = None,
    interactive: bool = False,
) -> View | RuleView | ManyView | NeighbourView:
    """Draw a model.

    Parameters
    ----------
    model : estimator, Pipeline or Tree
        A fitted tree, rule set or ensemble, nearest neighbors, or a pipeline or search whose last step is one.
    style : {"tree", "rules", "j48", "plain", "table", "summary"}, default="tree"
        The tree with a table beside it, if-then rules, Weka's layout, sentences, the node table, or a short summary.
    node : int, default=0
        The node to begin at; the numbers are in the drawing.
    depth : int, default=None
        Maximum depth below that node.
    min_rows : int, default=0
        Minimum number of rows: smaller branches are folded, smaller rules and nodes left out.
    lines : int, default=None
        Maximum number of lines; branches of most rows come first. None means three screens, and at least 60.
    width : int, default=None
        Width of the text in characters; None takes that of the terminal. Below 60 the tree is drawn as sentences.
    ascii : bool, default=None
        Draw with ASCII characters only; None does so if the terminal cannot show others.
    command : str, default=""
        The command line that draws the model, for hints about parts that are left out.
    tree : int, default=None
        The tree of an ensemble; None shows a few lines about all trees.
    X : table of shape (n_rows, n_columns), default=None
        Rows, such as those of the training; a picture of a single tree then shows their distribution in each node:
        histograms of the columns that nodes split on, and points for a numeric target.
    y : array-like of shape (n_rows,), default=None
        Their labels.
    interactive : bool, default=False
        Whether a notebook shows a single tree as a page to explore, with the calculation of each node; for a large
        tree, X and y must then be the training rows. Without a notebook nothing changes.

    Returns
    -------
    View, RuleView, ManyView or NeighbourView
        Text by ``str()``, a picture in a notebook, a file by ``save()``.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, show
    >>> clf = ID3Classifier().fit(*datasets.play_tennis())
    >>> show(clf, style="rules")
      #  if                                    then  rows  correct
      1  Outlook = Overcast                    Yes      4        4
      2  Outlook = Sunny and Humidity = High   No       3        3
      3  Outlook = Rain  and Wind = Weak       Yes      3        3
      4  Outlook = Sunny and Humidity = Normal Yes      2        2
      5  Outlook = Rain  and Wind = Strong     No       2        2
    """
    _refuse_style(style)
    width = check_integer("width", width, minimum=1, optional=True)
    lines = check_integer("lines", lines, minimum=1, optional=True)
    is_part = node != 0 or depth is not None
    if kind_of(model) == "neighbors":
        _refuse_parts("a model without a tree", style, is_part)
        return _show_neighbors(unwrap(model), width, lines, ascii)
    rules = find_rules(model)
    if rules is not None:
        from treewright._show.rule_view import RuleView

        _refuse_parts("a list of rules", style, is_part)
        return RuleView(rules, width, lines, ascii)
    ensemble = find_trees(model)
    if ensemble is not None and tree is None:
        from treewright._show.ensemble_view import ManyView

        _refuse_nodes(style, is_part, len(ensemble[0]))
        return ManyView(ensemble[0], replace(ensemble[1], command=command), width, lines, ascii)
    drawn, caption = _choose_tree(model, tree)
    scope = Scope(
        node=_check_index("node", node, drawn.n_nodes),
        depth=check_integer("depth", depth, minimum=0, optional=True),
        min_rows=check_integer("min_rows", min_rows, minimum=0),
    )
    plots = None if X is None and y is None else _plot_nodes(model, drawn, X, y)
    caption = replace(caption, command=command)
    view = View(drawn, caption, style, scope, width=width, lines=lines, ascii=ascii, plots=plots)
    return _make_interactive(model, view, X, y) if interactive else view


def _make_interactive(model: Any, view: View, X: Any, y: Any) -> View:
    """Return the view with its page; of anything but the single tree of a model the view itself."""
    if isinstance(model, Tree) or find_trees(model) is not None or view.style != "tree":
        return view
    interactive: View = import_public("InteractiveView").of(model, view, X, y)
    return interactive


def _plot_nodes(model: Any, tree: Tree, X: Any, y: Any) -> Plots:
    from treewright._show.node_rows import plot_nodes

    return plot_nodes(model, tree, X, y)


def _show_neighbors(
    model: Any, width: int | None, lines: int | None, ascii: bool | None
) -> NeighbourView:
    from sklearn.utils.validation import check_is_fitted

    from treewright._learners.neighbors.neighbors_summary import NeighbourView

    check_is_fitted(model)
    return NeighbourView(model, width=width, lines=lines, ascii=ascii)


def _choose_tree(model: Any, index: int | None) -> tuple[Tree, Caption]:
    """Return the only tree of a model, or one tree of an ensemble."""
    ensemble = find_trees(model)
    if ensemble is None:
        if index not in (None, 0):
            raise UsageError("this model has one tree: tree 0", slug="show.no-such-tree")
        return find(model)
    trees, caption = ensemble
    chosen = _check_index("tree", index, len(trees))
    return trees[chosen], replace(caption, tree=chosen)


def _refuse_style(style: str) -> None:
    """Refuse a style that does not exist."""
    if style not in STYLES:
        raise UsageError(
            f"there is no style {style!r}",
            slug="show.style",
            hints=[f"styles: {', '.join(STYLES)}"],
        )


def _refuse_parts(what: str, style: str, is_part: bool) -> None:
    """Refuse options that need a tree."""
    if style not in ("tree", "rules", "summary") or is_part:
        raise UsageError(
            f"this model is {what}; it has no nodes, depth or other styles",
            slug="show.rules",
            hints=[Hint(call="show", arguments=("model",))],
        )


def _refuse_nodes(style: str, is_part: bool, trees: int) -> None:
    """Refuse options that need a single tree."""
    if style not in ("tree", "summary") or is_part:
        raise UsageError(
            f"this model has {trees:,} trees; choose one of them to use a node, a depth or a style",
            slug="show.many-trees",
            hints=[Hint(call="show", arguments=("model",), option="tree", value=0)],
        )


def _check_index(name: str, value: Any, size: int) -> int:
    index = int(check_integer(name, value, minimum=0))
    if index >= size:
        raise UsageError(
            f"there is no {name} {index:,}",
            slug=f"show.no-such-{name}",
            hints=[f"{name}s: 0 to {size - 1}"],
        )
    return index
