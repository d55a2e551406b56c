"""``work``: the arithmetic behind a node, as data first, then as a document that every form is written from.

``source`` gets the figures from the core, ``build`` gives them names and verdicts (``model`` holds them). ``pen``
writes figures, ``page`` and ``page_*`` make documents of them, ``view`` is the work of a node. ``decision`` is the work
of pruning, ``additions`` and ``rounds`` that of boosting, ``page_vote`` that of neighbours, ``curves`` and
``distribution`` are pictures. ``whole_tree`` is the work of all nodes, ``worksheet`` any of it with blanks.
"""

from __future__ import annotations

import numbers
from io import StringIO
from typing import Any

from treewright._estimator import Model
from treewright._recipe import word
from treewright._render.result import Result
from treewright.arithmetic.additions import BoostWork, added
from treewright.arithmetic.build import build
from treewright.arithmetic.curves import ImpurityCurves, curves_of
from treewright.arithmetic.data_table import data_table
from treewright.arithmetic.decision import PruneWork, decided
from treewright.arithmetic.distribution import Distribution, distribution_of
from treewright.arithmetic.laws import Unit, unit_of
from treewright.arithmetic.page_vote import VoteWork
from treewright.arithmetic.rounding import Rounding
from treewright.arithmetic.rounds import RoundWork, round_of
from treewright.arithmetic.source import report_of, rows_of
from treewright.arithmetic.view import Work
from treewright.arithmetic.whole_tree import TreeWork, inner_nodes
from treewright.arithmetic.worksheet import Worksheet
from treewright.errors import DataError, Hint, UsageError
from treewright.neighbors.explanation import explain_neighbors
from treewright.pruning.choice import check
from treewright.views import show

__all__ = [
    "BoostWork",
    "Distribution",
    "ImpurityCurves",
    "PruneWork",
    "RoundWork",
    "TreeWork",
    "VoteWork",
    "Work",
    "Worksheet",
    "work",
]

WHATS = ("split", "prune", "curves", "distribution", "round")
ROUNDINGS = ("exact", "lecture")
MOST_DIGITS = 12
ALL = "all"
DRAWING = 96  # columns of the drawing of a whole tree
# Which options a kind of work knows besides those of all; and what they are where nobody gives them.
USUAL: dict[str, Any] = {
    "node": 0,
    "round": None,
    "column": None,
    "unit": "bits",
    "rounding": "exact",
}
KNOWN = {
    "split": ("node", "column", "unit", "rounding"),
    "prune": ("node",),
    "curves": ("node",),
    "distribution": ("node", "column"),
    "round": ("round",),
    "row": (),
    "vote": (),
}
KINDS = {"row": "of a row", "vote": "of neighbours", "round": "of a round"}


def work(
    model: Any,
    node: int | str = 0,
    X: Any = None,
    y: Any = None,
    sample_weight: Any = None,
    *,
    what: str = "split",
    round: int | None = None,
    column: str | None = None,
    unit: str = "bits",
    digits: int = 3,
    rounding: str = "exact",
    blank: bool = False,
    stop_at: str | None = None,
    width: int | None = None,
    ascii: bool | None = None,
) -> Any:
    r"""Show the arithmetic behind a node: its impurity, every candidate, and why one of them was chosen.

    Parameters
    ----------
    model : fitted estimator
        An ID3, C4.5 or CART model; or a neighbour or a boosted model, whose work is that
        of the row which is given as X: its vote, or what each tree adds; or an AdaBoost model, whose work is
        that of a round.
    node : int or "all", default=0
        The node; the numbers are those of drawings. All of them are a page for each question of the tree.
    X, y, sample_weight : table, array-like, array-like, optional
        The rows that the model was fitted to. Others are used too, and the work says so. Without rows the work is
        what a small model kept of its training (see ``keep_work`` of the learners).
    what : {"split", "prune", "curves", "distribution", "round"}, default="split"
        How the node's question was chosen. Or whether pruning keeps it: by expected errors, or by the price of a leaf
        where the model is pruned so or predicts numbers. Or the curves of entropy and Gini's index, with the node and
        its branches on them. Or the distribution of a numeric column in the node, with its cut. Only the first one and
        that need rows. Or a round of AdaBoost: its error and vote, and with rows how their weights change.
    round : int, default=None
        Which round, counted from 0; the first where not given. Of AdaBoost only.
    column : str, default=None
        The candidate that is written out; the chosen one where not given, ``"all"`` for every one. The column whose
        distribution is drawn.
    unit : {"bits", "nats", "hartleys"}, default="bits"
        The unit of entropies.
    digits : int, default=3
        The decimals that are shown.
    rounding : {"exact", "lecture"}, default="exact"
        Round once, when a figure is printed, or at every step, as on a blackboard.
    blank : bool, default=False
        Make a worksheet: blanks in place of the figures. ``key()`` of it has the answers, ``with_key()`` is both.
    stop_at : str, default=None
        Make a worksheet that shows the figures up to a stage: of a split "counts", "cut", "entropy", "remainder",
        "gain" or "ratio"; of pruning "errors" or "cost"; of a round "error" or "vote"; of a boosted row "adds" or
        "sum"; of neighbours "distance" or "weight"; of curves and distributions "counts".
    width : int, default=None
        Columns of text; those of the terminal where not given.
    ascii : bool, default=None
        Write with ASCII signs only; None does so where the terminal cannot show others.

    Returns
    -------
    Work, TreeWork, PruneWork, ImpurityCurves, Distribution, VoteWork, BoostWork, RoundWork or Worksheet
        Text by ``str()``, plain values by ``to_dict()``, a file by ``save()``.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, work
    >>> X, y = datasets.play_tennis()
    >>> shown = work(ID3Classifier().fit(X, y), 0, rounding="lecture")
    >>> print(*str(shown).splitlines()[17:22], sep="\n")
    All candidates   remaining    gain   split info   ratio   Gini decrease
      Outlook            0.694   0.246        1.577   0.156           0.116   ◀ chosen
      Humidity           0.789   0.151        1.000   0.151           0.092
      Wind               0.892   0.048        0.985   0.049           0.031   below average gain
      Temperature        0.911   0.029        1.557   0.019           0.019   below average gain
    """
    kind = _kind(model, what)
    options = {"node": node, "round": round, "column": column, "unit": unit, "rounding": rounding}
    _refuse(model, kind, options)
    places = _whole("digits", digits, 0, MOST_DIGITS)
    size: dict[str, Any] = {"width": width, "ascii": ascii}
    table = (X, y, sample_weight)
    data = None
    if kind == "round":
        turn = 0 if round is None else round
        made: Result = round_of(model, turn, *table, digits=places, **size)
    elif kind == "vote":
        made = VoteWork(explain_neighbors(model, _one(X, "neighbours")), places, **size)
    elif kind == "row":
        made = added(model, _one(X, "a boosted model"), y, digits=places, **size)
    else:
        how = Rounding(places, word("rounding", rounding, ROUNDINGS) == "lecture")
        made = _of_nodes(model, kind, node, table, column, unit_of(unit), how, size)
        if blank or stop_at is not None:
            data = data_table(model, 0 if node == ALL else int(node), *table)
    if not blank and stop_at is None:
        return made
    if data is None and isinstance(made, TreeWork) and kind == "split":
        raise UsageError(
            "the worksheet of a whole tree shows the rows that it is made of, "
            "and they are not at hand or too many",
            slug="work.no-rows",
            hints=["give the rows of the fit, or the number of one node"],
        )
    sheet = Worksheet(made, stop_at, data, **size)
    sheet._document()  # a stage that the work does not have is refused here
    return sheet


def _kind(model: Any, what: str) -> str:
    """Return the kind of work: by what is asked for, and by what a model can show."""
    word("what", what, WHATS)
    by = model._worked_by if isinstance(model, Model) else "node"
    if by == "round" and what in ("split", "round"):
        return "round"
    if by in ("vote", "row") and what == "split":
        return str(by)
    if what == "round":
        raise UsageError(
            f"there are no rounds in a {type(model).__name__}: only AdaBoost has them",
            slug="usage.parameter",
        )
    return what


def _refuse(model: Any, kind: str, options: dict[str, Any]) -> None:
    """Refuse an option that this kind of work does not have."""
    for name, value in options.items():
        if name not in KNOWN[kind] and value != USUAL[name]:
            if name == "round":
                why = f"there are no rounds in a {type(model).__name__}: only AdaBoost has them"
            else:
                why = f"the work {KINDS.get(kind, f'of what={kind!r}')} has no {name}"
            raise UsageError(why, slug="usage.parameter")


def _of_nodes(
    model: Any,
    kind: str,
    node: Any,
    table: tuple[Any, Any, Any],
    column: str | None,
    unit: Unit,
    how: Rounding,
    size: dict[str, Any],
) -> Result:
    """Return the work of a node, or of all that ask a question."""
    if kind != "split":
        check(model)
    if node != ALL:
        return _of_node(model, kind, _node(model, node), table, column, unit, how, size)
    if kind not in ("split", "prune"):
        raise UsageError(f"what={kind!r} shows one node at a time", slug="usage.parameter")
    tree: Any = getattr(model, "tree_", None)
    if tree is None:
        report_of(model, 0, *table)  # says what is missing
    nodes = inner_nodes(tree) or [0]
    pages = (_of_node(model, kind, n, table, column, unit, how, size) for n in nodes)
    drawing = show(model, width=DRAWING, ascii=False).text(StringIO())
    return TreeWork(tree, tuple(pages), tuple(nodes), drawing, **size)


def _of_node(
    model: Any,
    kind: str,
    node: int,
    table: tuple[Any, Any, Any],
    column: str | None,
    unit: Unit,
    how: Rounding,
    size: dict[str, Any],
) -> Result:
    if kind == "distribution":
        return distribution_of(model, node, rows_of(model, *table), column, **size)
    if kind == "prune":
        return decided(model, node, digits=how.digits, **size)
    if kind == "curves":
        return curves_of(model, node, digits=how.digits, **size)
    method, report, notes = report_of(model, node, *table)
    found = build(model.tree_, node, method, report, unit, notes)
    names = tuple(split.column for split in found.splits)
    if column not in (None, ALL, *names):
        raise DataError(
            f'node {node} has no candidate "{column}"',
            slug="work.no-such-column",
            hints=[f"candidates: {', '.join(names)}"],
        )
    return Work(found, column, how, **size)


def _one(row: Any, whose: str) -> Any:
    """Return the row whose work is wanted."""
    if row is None:
        raise UsageError(
            f"the work of {whose} is that of one row",
            slug="work.no-rows",
            hints=[
                Hint(call="work", arguments=("model", "X=row")),
                Hint(call="explain", arguments=("model", "row")),
            ],
        )
    return row


def _node(model: Any, node: Any) -> int:
    tree = getattr(model, "tree_", None)
    last = 0 if tree is None else tree.n_nodes - 1
    whole = isinstance(node, numbers.Integral) and not isinstance(node, bool)
    if not whole or not 0 <= int(node) <= last:
        raise UsageError(
            f"there is no node {node!r}", slug="work.no-such-node", hints=[f"nodes: 0 to {last}"]
        )
    return int(node)


def _whole(name: str, value: Any, least: int, most: int) -> int:
    whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if not whole or not least <= int(value) <= most:
        raise UsageError(
            f"{name} must be a whole number from {least} to {most}; got {value!r}",
            slug="usage.parameter",
        )
    return int(value)
