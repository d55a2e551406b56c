"""``work``: the arithmetic behind a node, as data first, then as text, Markdown, LaTeX and HTML.

``source`` gets the figures from the core, ``build`` gives them names and verdicts (``model`` holds them), ``pen``
writes figures, ``formula`` formulas; ``text``, ``markdown``, ``tex`` and ``html`` write a ``page``; ``view`` is it all.
``decision`` is the work of pruning, ``additions`` and ``rounds`` that of boosting, ``curves`` and ``distribution`` are
pictures, all on a ``sheet``.
"""

from __future__ import annotations

import numbers
from typing import Any

from treewright._estimator import Model
from treewright._kept import CUTS
from treewright._recipe import word
from treewright.arithmetic.additions import BoostWork, added
from treewright.arithmetic.build import build
from treewright.arithmetic.curves import ImpurityCurves, curves_of
from treewright.arithmetic.decision import PruneWork
from treewright.arithmetic.distribution import Distribution, distribution_of
from treewright.arithmetic.laws import unit_of
from treewright.arithmetic.pen import STAGES
from treewright.arithmetic.pruned import decided, subject_of
from treewright.arithmetic.rounding import MODES, Rounding
from treewright.arithmetic.rounds import RoundWork, round_of
from treewright.arithmetic.rule import RuleWork, rule_work
from treewright.arithmetic.source import report_of, rows_of
from treewright.arithmetic.view import Work
from treewright.errors import DataError, UsageError
from treewright.neighbors.explanation import NeighbourExplanation, explain_neighbors
from treewright.pruning import PruneTrace
from treewright.pruning.choice import check

__all__ = [
    "BoostWork",
    "Distribution",
    "ImpurityCurves",
    "PruneWork",
    "RoundWork",
    "RuleWork",
    "Work",
    "work",
]

WHATS = ("split", "prune", "curves", "distribution", "round")
MOST_DIGITS = 12
MOST_CUTS = 1_000_000


def work(
    model: Any,
    node: int = 0,
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
    cuts: int = CUTS,
    blank: bool = False,
    stop_at: str | None = None,
    width: int | None = None,
    ascii: bool | None = None,
) -> (
    Work
    | PruneWork
    | ImpurityCurves
    | Distribution
    | NeighbourExplanation
    | BoostWork
    | RoundWork
    | RuleWork
):
    r"""Show the arithmetic behind a node: its impurity, every candidate, and why one of them was chosen.

    Parameters
    ----------
    model : fitted estimator or PruneTrace
        An ID3, C4.5 or CART model, or the ``pruning_`` of one, whose work is about the tree before the pruning; or a
        neighbour or a boosted model, whose work is that of the row which is given as X: its vote, or what each tree
        adds; or an AdaBoost model, whose work is that of a round; or 0-R and 1-R, whose work is the errors of their
        rules.
    node : int, default=0
        The node; the numbers are those of drawings.
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
    rounding : {"exact", "lecture", "truncate"}, default="exact"
        Round once, when a figure is printed, or at every step, as on a blackboard; or cut off at every step. Halves go
        up.
    cuts : int, default=100
        The most cuts of a numeric column that are listed; of more, those that gain most.
    blank : bool, default=False
        Make a worksheet: boxes in place of the figures. ``key()`` of it is the answer sheet.
    stop_at : {"entropy", "remainder", "gain"}, default=None
        Show the figures up to this stage and boxes after it.
    width : int, default=None
        Columns of text; those of the terminal where not given.
    ascii : bool, default=None
        Write with ASCII signs only; None does so where the terminal cannot show others.

    Returns
    -------
    Work, PruneWork, ImpurityCurves, Distribution, NeighbourExplanation, BoostWork, RoundWork or RuleWork
        Text by ``str()``, plain values by ``to_dict()``, a file by ``save()``.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, work
    >>> X, y = datasets.play_tennis()
    >>> shown = work(ID3Classifier().fit(X, y), 0, rounding="lecture")
    >>> print(*str(shown).splitlines()[15:20], sep="\n")
    All candidates   remaining    gain   split info   ratio   Gini decrease
      Outlook            0.694   0.246        1.577   0.156           0.116   ◀ chosen
      Humidity           0.789   0.151        1.000   0.151           0.092
      Wind               0.892   0.048        0.985   0.049           0.031   below average gain
      Temperature        0.911   0.029        1.557   0.019           0.019   below average gain
    """
    by = model._worked_by if isinstance(model, Model) else "node"
    if by == "round" and what in ("split", "round"):
        places = _whole("digits", digits, 0, MOST_DIGITS)
        turn, table = 0 if round is None else round, (X, y, sample_weight)
        return round_of(model, turn, *table, digits=places, width=width, ascii=ascii)
    if by != "round" and (what == "round" or round is not None):
        raise UsageError(
            f"there are no rounds in a {type(model).__name__}: only AdaBoost has them",
            slug="usage.parameter",
        )
    if by == "rule" and what == "split":
        check(model)
        places = _whole("digits", digits, 0, MOST_DIGITS)
        return rule_work(model, X, y, sample_weight, digits=places, width=width, ascii=ascii)
    if by == "vote":
        return _vote(model, X)
    if by == "row":
        if X is None:
            raise UsageError(
                "the work of a boosted model is that of one row",
                slug="work.no-rows",
                hints=["try: work(model, X=row)"],
            )
        places = _whole("digits", digits, 0, MOST_DIGITS)
        return added(model, X, y, digits=places, width=width, ascii=ascii)
    how = Rounding(
        _whole("digits", digits, 0, MOST_DIGITS),
        word("rounding", rounding, MODES),
    )
    shown = _shown(blank, stop_at)
    if isinstance(model, PruneTrace) or word("what", what, WHATS) == "prune":
        return _prune(model, node, X, y, sample_weight, digits=how.digits, width=width, ascii=ascii)
    if what != "split":
        check(model)
        place = _node(model.tree_, node)
        if what == "distribution":
            rows = rows_of(model, X, y, sample_weight)
            return distribution_of(model, place, rows, column, width=width, ascii=ascii)
        return curves_of(model, place, digits=how.digits, width=width, ascii=ascii)
    measure = unit_of(unit)
    method, report, notes = report_of(
        model,
        _node(getattr(model, "tree_", None), node),
        X,
        y,
        sample_weight,
        _whole("cuts", cuts, 1, MOST_CUTS),
    )
    found = build(model, int(node), method, report, measure, notes)
    names = tuple(split.column for split in found.splits)
    if column is None:
        columns = (found.chosen,) if found.chosen is not None else names[:1]
    elif column == "all" and "all" not in names:
        columns = names
    elif column in names:
        columns = (column,)
    else:
        raise DataError(
            f'node {node} has no candidate "{column}"',
            slug="work.no-such-column",
            hints=[f"candidates: {', '.join(names)}"],
        )
    return Work(found, columns, how, shown, width, ascii)


def _vote(model: Any, row: Any) -> NeighbourExplanation:
    if row is None:
        raise UsageError(
            "the work of neighbours is the vote of one row",
            slug="work.no-rows",
            hints=["try: work(model, X=row)"],
        )
    return explain_neighbors(model, row)


def _shown(blank: bool, stop_at: str | None) -> int:
    if stop_at is not None:
        return STAGES.index(word("stop_at", stop_at, STAGES[:3])) + 1
    return 0 if blank else len(STAGES)


def _prune(model: Any, node: Any, X: Any, y: Any, sample_weight: Any, **form: Any) -> PruneWork:
    if not isinstance(model, PruneTrace):
        check(model)
    return decided(model, _node(subject_of(model).tree, node), X, y, sample_weight, **form)


def _node(tree: Any, node: Any) -> int:
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
