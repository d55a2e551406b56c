"""From the options of ``work`` to the work: which kind it is, which options that kind knows, who makes it."""

from __future__ import annotations

import numbers
from dataclasses import dataclass
from io import StringIO
from typing import Any

from treewright._estimator.model import Model
from treewright._learners.neighbors.neighbor_explanation import explain_neighbors
from treewright._pruning import PruneTrace
from treewright._pruning.cross_validation import check
from treewright._show import show
from treewright._utils.validation import word
from treewright._work.adaboost_work import round_of
from treewright._work.baseline_work import rule_work
from treewright._work.boosted_row import added
from treewright._work.column_distribution import distribution_of
from treewright._work.criteria import unit_of
from treewright._work.data_table import data_table
from treewright._work.impurity_curves import curves_of
from treewright._work.lecture_rounding import MODES, Rounding
from treewright._work.neighbor_vote import VoteWork
from treewright._work.node_builder import build
from treewright._work.node_report import report_of, rows_of
from treewright._work.node_work import Work
from treewright._work.pruning_work import decided, subject_of
from treewright._work.whole_tree import TreeWork, inner_nodes
from treewright._work.work_result import WorkResult
from treewright._work.worksheet import Worksheet
from treewright.errors import DataError, Hint, UsageError

__all__ = ["Request"]

WHATS = ("split", "prune", "curves", "distribution", "round")
MOST_DIGITS = 12
MOST_CUTS = 1_000_000
ALL = "all"
DRAWING = 96  # columns of the drawing of a whole tree
# Which options a kind of work has besides those of all.
KNOWN = {
    "split": ("node", "column", "unit", "rounding", "cuts"),
    "prune": ("node",),
    "curves": ("node",),
    "distribution": ("node", "column"),
    "round": ("round",),
    "row": (),
    "vote": (),
    "rule": (),
}
KINDS = {
    "split": "of a split",
    "prune": "of pruning",
    "curves": "of curves",
    "distribution": "of a distribution",
    "row": "of a row",
    "vote": "of neighbours",
    "round": "of a round",
    "rule": "of a baseline",
}


@dataclass(frozen=True, slots=True)
class Request:
    """The options of ``work``, and what they were where nobody gave them."""

    model: Any
    table: tuple[Any, Any, Any]
    what: str
    options: dict[str, Any]
    usual: dict[str, Any]
    digits: int
    size: dict[str, Any]

    def make(self) -> WorkResult:
        """Return the work."""
        kind = self._kind()
        self._refuse(kind)
        digits = whole("digits", self.digits, 0, MOST_DIGITS)
        model, X, y = self.model, self.table[0], self.table[1]
        if kind == "round":
            turn = self.options["round"]
            return round_of(
                model, 0 if turn is None else turn, *self.table, digits=digits, **self.size
            )
        if kind == "rule":
            check(model)
            return rule_work(model, *self.table, digits=digits, **self.size)
        if kind == "vote":
            return VoteWork(explain_neighbors(model, _one(X, "neighbours")), digits, **self.size)
        if kind == "row":
            return added(model, _one(X, "a boosted model"), y, digits=digits, **self.size)
        how = Rounding(digits, word("rounding", self.options["rounding"], MODES))
        return self._of_nodes(kind, how)

    def sheet(self, result: WorkResult, stop_at: str | None) -> Worksheet:
        """Return a worksheet of the work, with the rows that it is counted in where they are at hand."""
        node, kind = self.options["node"], self._kind()
        data = None
        if kind in ("split", "curves", "distribution", "rule") or isinstance(result, TreeWork):
            data = data_table(self.model, 0 if node == ALL else int(node), *self.table)
        if data is None and isinstance(result, TreeWork) and kind == "split":
            raise UsageError(
                "the worksheet of a whole tree shows the rows that it is made of, "
                "and they are not at hand or too many",
                slug="work.no-rows",
                hints=[
                    Hint(call="work", arguments=("model", "X", "y"), option="node", value="all"),
                    "or give the number of one node",
                ],
            )
        sheet = Worksheet(result, stop_at, data, **self.size)
        sheet._pages()  # a stage that the work does not have is refused here
        return sheet

    def _kind(self) -> str:
        """Return the kind of work: by what is asked for, and by what a model can show."""
        model, what = self.model, word("what", self.what, WHATS)
        if isinstance(model, PruneTrace):
            return "prune"
        by = model._work_unit if isinstance(model, Model) else "node"
        if by == "round" and what in ("split", "round"):
            return "round"
        if by in ("vote", "row", "rule") and what == "split":
            return str(by)
        if what == "round":
            raise self._no_rounds()
        return what

    def _no_rounds(self) -> UsageError:
        name = type(self.model).__name__
        return UsageError(
            f"there are no rounds in a {name}: only AdaBoost has them", slug="usage.parameter"
        )

    def _refuse(self, kind: str) -> None:
        """Refuse an option that this kind of work does not have."""
        for name, value in self.options.items():
            if name in KNOWN[kind] or value == self.usual[name]:
                continue
            if name == "round":
                raise self._no_rounds()
            raise UsageError(f"the work {KINDS[kind]} has no {name}", slug="usage.parameter")

    # ---- of nodes

    def _of_nodes(self, kind: str, how: Rounding) -> WorkResult:
        """Return the work of a node, or of all that ask a question."""
        model, node = self.model, self.options["node"]
        if kind != "split" and not isinstance(model, PruneTrace):
            check(model)
        tree: Any = subject_of(model).tree if kind == "prune" else getattr(model, "tree_", None)
        if node != ALL:
            return self._of_node(kind, _node(tree, node), how)
        if kind not in ("split", "prune") or isinstance(model, PruneTrace):
            raise UsageError(
                f"the work {KINDS[kind]} shows one node at a time", slug="usage.parameter"
            )
        if tree is None:
            report_of(model, 0, *self.table, cuts=1)  # says what is missing
        nodes = inner_nodes(tree) or [0]
        pages = tuple(self._of_node(kind, n, how) for n in nodes)
        drawing = show(model, width=DRAWING, ascii=False).text(StringIO())
        return TreeWork(tree, pages, tuple(nodes), drawing, **self.size)

    def _of_node(self, kind: str, node: int, how: Rounding) -> WorkResult:
        model, column = self.model, self.options["column"]
        if kind == "distribution":
            rows = rows_of(model, *self.table)
            return distribution_of(model, node, rows, column, **self.size)
        if kind == "prune":
            return decided(model, node, *self.table, digits=how.digits, **self.size)
        if kind == "curves":
            return curves_of(model, node, digits=how.digits, **self.size)
        unit = unit_of(self.options["unit"])
        cuts = whole("cuts", self.options["cuts"], 1, MOST_CUTS)
        method, report, notes = report_of(model, node, *self.table, cuts)
        node_work = build(model, node, method, report, unit, notes)
        names = tuple(split.column for split in node_work.splits)
        if column not in (None, ALL, *names):
            raise DataError(
                f'node {node} has no candidate "{column}"',
                slug="work.no-such-column",
                hints=[f"candidates: {', '.join(names)}"],
            )
        return Work(node_work, column, how, **self.size)


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


def _node(tree: Any, node: Any) -> int:
    last = 0 if tree is None else tree.n_nodes - 1
    is_whole = isinstance(node, numbers.Integral) and not isinstance(node, bool)
    if not is_whole or not 0 <= int(node) <= last:
        raise UsageError(
            f"there is no node {node!r}", slug="work.no-such-node", hints=[f"nodes: 0 to {last}"]
        )
    return int(node)


def whole(name: str, value: Any, least: int, most: int) -> int:
    """Return a whole number between two others."""
    is_whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if not is_whole or not least <= int(value) <= most:
        raise UsageError(
            f"{name} must be a whole number from {least} to {most}; got {value!r}",
            slug="usage.parameter",
        )
    return int(value)
