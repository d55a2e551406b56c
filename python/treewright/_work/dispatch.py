"""From the options of ``work`` to its result: which kind of work it is, which options that kind has, who makes it.

A kind imports what it needs when it is asked for: the work of a node loads neither AdaBoost nor neighbors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Any

from treewright._estimator.model import Model
from treewright._learners.trees.training_record import DEFAULT_CUTS
from treewright._utils.choices import ROUNDING, TOPICS
from treewright._utils.validation import check_choice, check_integer
from treewright._work.lecture_rounding import Rounding
from treewright._work.work_result import WorkResult
from treewright.errors import DataError, Hint, UsageError

if TYPE_CHECKING:
    from treewright._work.worksheet import Worksheet

__all__ = ["DEFAULTS", "Request", "check_node"]

MAX_DIGITS = 12
MAX_CUTS = 1_000_000
ALL = "all"
TREE_WIDTH = 96  # columns of the drawing of a tree
# The options that only some kinds have, as they are where nobody sets them.
DEFAULTS: dict[str, Any] = {
    "node": 0,
    "nodes": None,
    "round": None,
    "tree": None,
    "column": None,
    "unit": "bits",
    "rounding": "exact",
    "cuts": DEFAULT_CUTS,
}


@dataclass(frozen=True, slots=True)
class Request:
    """What ``work`` was asked for."""

    model: Any  # a fitted model or a pruning trace
    rows: tuple[Any, Any, Any]  # x, y and sample_weight
    what: str  # the kind that was asked for
    options: dict[str, Any]  # a value for each name in ``DEFAULTS``
    page: dict[str, Any]  # ``digits``, ``width`` and ``ascii``, which every kind takes

    def result(self) -> WorkResult:
        """Return the work."""
        kind = KINDS[self._kind()]
        for name, value in self.options.items():
            if name not in kind.options and value != DEFAULTS[name]:
                raise self._no_rounds() if name == "round" else _no_option(kind, name)
        check_integer("digits", self.page["digits"], minimum=0, maximum=MAX_DIGITS)
        return kind.make(self)

    def worksheet(self, result: WorkResult, stop_at: str | None) -> Worksheet:
        """Return a worksheet of the work, with the rows that it is counted in where they are available and few."""
        from treewright._work.data_table import data_table
        from treewright._work.worksheet import Worksheet

        node, kind = self.options["node"], self._kind()
        data = None
        if kind in ("split", "curves", "distribution", "rule") or node == ALL:
            data = data_table(self.model, 0 if node == ALL else int(node), *self.rows)
        if data is None and node == ALL and kind == "split":
            raise UsageError(
                "the worksheet of a tree begins with its rows, which are not available or too many",
                slug="work.no-rows",
                hints=[
                    Hint(call="work", arguments=("model", "X", "y"), option="node", value="all"),
                    "or give the number of one node",
                ],
            )
        page = {name: self.page[name] for name in ("width", "ascii")}
        sheet = Worksheet(result, stop_at, data, **page)
        sheet._pages()  # an unknown stage is refused here
        return sheet

    def _kind(self) -> str:
        """Return the kind of work: what was asked for, as far as the model has it."""
        from treewright._work.measure_work import is_counts

        if is_counts(self.model):
            return "measure"
        model, what = self.model, check_choice("what", self.what, TOPICS)
        if _is_trace(model):
            return "prune"
        unit = model._work_unit if isinstance(model, Model) else "node"
        if unit == "round" and what in ("split", "round"):
            return "round"
        if unit in ("forest", "vote", "row", "rule", "search") and what == "split":
            return str(unit)
        if what == "round":
            raise self._no_rounds()
        return what

    def _no_rounds(self) -> UsageError:
        name = type(self.model).__name__
        return UsageError(f"{name} has no rounds: only AdaBoost does", slug="usage.parameter")

    def one_row(self, model_phrase: str) -> Any:
        """Return the row that the work is about."""
        if self.rows[0] is None:
            raise UsageError(
                f"the work of {model_phrase} is about one row",
                slug="work.no-rows",
                hints=[
                    Hint(call="work", arguments=("model", "X=row")),
                    Hint(call="explain", arguments=("model", "row")),
                ],
            )
        return self.rows[0]


# ---- one function for each kind; work of nodes first


def _split_work(request: Request) -> WorkResult:
    from treewright._work.node_report import reports_of

    def of_nodes(nodes: Sequence[int]) -> list[WorkResult]:
        cuts = check_integer("cuts", request.options["cuts"], minimum=1, maximum=MAX_CUTS)
        order = sorted(set(nodes))
        method, reports, notes = reports_of(request.model, order, *request.rows, cuts)
        pages = {
            node: _page_of(request, node, method, report, notes)
            for node, report in zip(order, reports, strict=True)
        }
        return [pages[node] for node in nodes]

    tree = getattr(request.model, "tree_", None)
    if tree is None:
        reports_of(request.model, [0], *request.rows, cuts=1)  # says what is missing
    return _nodes(request, tree, of_nodes)


def _page_of(
    request: Request, node: int, method: Any, report: Any, notes: Sequence[str]
) -> WorkResult:
    from treewright._work.criteria import unit_of
    from treewright._work.node_builder import build
    from treewright._work.node_work import Work

    options, column = request.options, request.options["column"]
    rounding = Rounding(
        request.page["digits"], check_choice("rounding", options["rounding"], ROUNDING)
    )
    node_work = build(request.model, node, method, report, unit_of(options["unit"]), notes)
    names = tuple(split.column for split in node_work.splits)
    if column not in (None, ALL, *names):
        raise DataError(
            f'node {node} has no candidate "{column}"',
            slug="work.no-such-column",
            hints=[f"candidates: {', '.join(names)}"],
        )
    return Work(node_work, column, rounding, **request.page)


def _prune_work(request: Request) -> WorkResult:
    from treewright._work.pruning_work import pruning_work, subject_of

    if not _is_trace(request.model):
        _check_tree(request.model)

    def of_nodes(nodes: Sequence[int]) -> list[WorkResult]:
        return [pruning_work(request.model, n, *request.rows, **request.page) for n in nodes]

    return _nodes(request, subject_of(request.model).tree, of_nodes)


def _curves_work(request: Request) -> WorkResult:
    from treewright._work.impurity_curves import curves_of

    _check_tree(request.model)
    return curves_of(request.model, _one_node(request), **request.page)


def _distribution_work(request: Request) -> WorkResult:
    from treewright._work.column_distribution import distribution_of
    from treewright._work.node_report import rows_of

    _check_tree(request.model)
    node, rows = _one_node(request), rows_of(request.model, *request.rows)
    return distribution_of(request.model, node, rows, request.options["column"], **request.page)


def _round_work(request: Request) -> WorkResult:
    from treewright._work.adaboost_work import round_work

    x, y, _ = request.rows
    if x is not None and y is None:  # rows without labels are to be predicted
        from treewright._work.weighted_vote import weighted_vote

        if request.options["round"] is not None:
            raise UsageError(
                "the vote of a row is about all rounds",
                slug="usage.parameter",
                hints=["for a round, pass y"],
            )
        return weighted_vote(request.model, x, **request.page)
    return round_work(request.model, request.options["round"] or 0, *request.rows, **request.page)


def _forest_work(request: Request) -> WorkResult:
    from treewright._work.forest_work import forest_work

    return forest_work(request.model, request.options["tree"], *request.rows, **request.page)


def _measure_work(request: Request) -> WorkResult:
    from treewright._work.criteria import unit_of
    from treewright._work.measure_work import measure_work

    options = request.options
    mode = check_choice("rounding", options["rounding"], ROUNDING)
    rounding = Rounding(request.page["digits"], mode)
    unit = unit_of(options["unit"])
    return measure_work(request.model, request.what, unit, rounding, **request.page)


def _rule_work(request: Request) -> WorkResult:
    from treewright._work.baseline_work import rule_work

    _check_tree(request.model)
    return rule_work(request.model, *request.rows, **request.page)


def _vote_work(request: Request) -> WorkResult:
    from treewright._learners.neighbors.neighbor_explanation import explain_neighbors
    from treewright._work.neighbor_vote import VoteWork

    row = request.one_row("neighbors")
    return VoteWork(explain_neighbors(request.model, row), **request.page)


def _row_work(request: Request) -> WorkResult:
    from treewright._work.boosted_row import boosted_row

    row = request.one_row("a boosted model")
    return boosted_row(request.model, row, request.rows[1], **request.page)


def _search_work(request: Request) -> WorkResult:
    from sklearn.utils.validation import check_is_fitted

    from treewright._work.search_work import search_work

    check_is_fitted(request.model)

    def of_nodes(nodes: Sequence[int]) -> list[WorkResult]:
        return [search_work(request.model, node, **request.page) for node in nodes]

    return _nodes(request, request.model.tree_, of_nodes)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of work: how errors call it, the options that it has, and the function that makes it."""

    phrase: str
    options: tuple[str, ...]
    make: Callable[[Request], WorkResult]


KINDS = {
    "split": Kind(
        "of a split", ("node", "nodes", "column", "unit", "rounding", "cuts"), _split_work
    ),
    "prune": Kind("of pruning", ("node", "nodes"), _prune_work),
    "curves": Kind("of curves", ("node",), _curves_work),
    "distribution": Kind("of a distribution", ("node", "column"), _distribution_work),
    "round": Kind("of a round", ("round",), _round_work),
    "forest": Kind("of a forest", ("tree",), _forest_work),
    "measure": Kind("of counts", ("unit", "rounding"), _measure_work),
    "row": Kind("of a row", (), _row_work),
    "vote": Kind("of neighbors", (), _vote_work),
    "rule": Kind("of a baseline", (), _rule_work),
    "search": Kind("of an optimal tree", ("node", "nodes"), _search_work),
}


def _no_option(kind: Kind, name: str) -> UsageError:
    return UsageError(f"the work {kind.phrase} has no {name}", slug="usage.parameter")


# ---- nodes


def _nodes(
    request: Request, tree: Any, of_nodes: Callable[[Sequence[int]], list[WorkResult]]
) -> WorkResult:
    """Return the work of a node, or a page for each of some nodes, or for each node that splits its rows."""
    node, some = request.options["node"], request.options["nodes"]
    last = 0 if tree is None else tree.n_nodes - 1
    if some is None and node != ALL:
        return of_nodes([check_node(node, last)])[0]
    if _is_trace(request.model):
        raise _one_node_only("prune")
    from treewright._show import show
    from treewright._work.whole_tree import TreeWork, inner_nodes

    nodes = inner_nodes(tree) or [0]
    if some is not None:
        nodes = [check_node(each, last) for each in some]
    drawing = show(request.model, width=TREE_WIDTH, ascii=False).text(StringIO())
    return TreeWork(tree, tuple(of_nodes(nodes)), tuple(nodes), drawing, **request.page)


def _one_node(request: Request) -> int:
    if request.options["node"] == ALL:
        raise _one_node_only(request._kind())
    return check_node(request.options["node"], request.model.tree_.n_nodes - 1)


def _one_node_only(kind: str) -> UsageError:
    return UsageError(
        f"the work {KINDS[kind].phrase} shows one node at a time", slug="usage.parameter"
    )


def check_node(node: Any, last: int) -> int:
    """Return the number of a node, which must be one of 0 to ``last``."""
    try:
        return int(check_integer("node", node, minimum=0, maximum=last))
    except UsageError:
        raise UsageError(
            f"there is no node {node!r}", slug="work.no-such-node", hints=[f"nodes: 0 to {last}"]
        ) from None


def _check_tree(model: Any) -> None:
    from treewright._pruning.cross_validation import check

    check(model)


def _is_trace(model: Any) -> bool:
    if isinstance(model, Model):
        return False
    from treewright._pruning.trace import PruneTrace

    return isinstance(model, PruneTrace)
