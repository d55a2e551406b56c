"""From what the core says of a node to the work of that node: names, verdicts, and who else would choose what.

The figures are the core's: class weights, costs, gains, split informations. What is derived here from them (ratios, the
average, Gini's index for comparison) is what a reader would derive from the page.

Glossary: a *report* is what the core says of a node (see ``_core.study``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from treewright import _core
from treewright.arithmetic.laws import LAWS, Unit, entropy_of, gini_of
from treewright.arithmetic.model import Cut, Group, NodeWork, Split
from treewright.schema import Column
from treewright.tree import Tree

__all__ = ["Method", "build", "method_of"]

# A gain may fall this much short of the average, in bits; ratios and gains closer than TIE are tied.
SLACK, TIE = 1e-3, 1e-9


@dataclass(frozen=True, slots=True)
class Method:
    """How a learner judges and chooses."""

    name: str
    law: str
    by_ratio: bool = False


def method_of(estimator: str, params: Mapping[str, Any]) -> Method | None:
    """Return the method of a learner by its class and parameters; None where it has no candidates."""
    if estimator == "ID3Classifier":
        return Method("ID3", "entropy")
    if estimator == "C45Classifier":
        return Method("C4.5", "entropy", params.get("criterion", "gain_ratio") == "gain_ratio")
    if estimator == "CARTClassifier":
        return Method("CART", str(params.get("criterion", "gini")))
    return Method("CART", "variance") if estimator == "CARTRegressor" else None


def build(
    tree: Tree,
    node: int,
    method: Method,
    report: Mapping[str, Any],
    unit: Unit,
    notes: Sequence[str],
) -> NodeWork:
    """Return the work of a node."""
    maker = _Maker(tree, method, unit, float(report["node"]["weight"]))
    group = maker.group(report["node"])
    splits = [maker.split(column) for column in report["columns"]]
    average = maker.average(splits)
    chosen = None
    if tree.n_children[node]:
        chosen = tree.schema.columns[tree.feature[node]].name
    splits = [replace(s, verdict=maker.verdict(s, splits, average, chosen)) for s in splits]
    order = sorted(splits, key=lambda s: (not s.admissible, -maker.worth(s, average)))
    open_ = {split.column for split in splits}
    said = list(notes)
    if report["node"]["cost"] <= 0:
        said.append("all rows say the same, so nothing is left to ask")
    taken = report["chosen"]
    if chosen is not None and (taken is None or tree.schema.names[taken] != chosen):
        said.append(
            "pruning put this question here; it is not the one that was chosen while growing"
        )
    return NodeWork(
        tree=tree,
        node=node,
        method=method.name,
        law=LAWS[method.law],
        unit=unit,
        group=group,
        splits=tuple(order),
        asked=tuple(name for name in _asked(tree, node) if splits and name not in open_),
        average=average,
        chosen=chosen,
        others=maker.others(splits, average),
        by_ratio=method.by_ratio,
        notes=tuple(said),
    )


def _asked(tree: Tree, node: int) -> list[str]:
    names: list[str] = []
    while node:
        node = int(tree.parents[node])
        names.append(tree.schema.columns[tree.feature[node]].name)
    return list(dict.fromkeys(reversed(names)))


class _Maker:
    """The parts of one node's work."""

    def __init__(self, tree: Tree, method: Method, unit: Unit, weight: float) -> None:
        self.tree, self.method, self.unit, self.weight = tree, method, unit, weight
        self.scale = unit.per_bit if method.law == "entropy" else 1.0

    def group(
        self,
        figures: Mapping[str, Any],
        levels: tuple[Any, ...] | None = None,
        bound: tuple[str, float] | None = None,
        missing: bool = False,
    ) -> Group:
        """Return a set of rows."""
        weight, value = float(figures["weight"]), figures["value"]
        classes = bool(self.tree.schema.classes)
        amounts = tuple(_whole(share * weight) for share in value) if classes else ()
        impurity = float(figures["cost"]) / weight * self.scale if weight > 0 else 0.0
        mean = None if classes else float(value[0])
        return Group(
            levels, bound, missing, int(figures["count"]), weight, amounts, mean, impurity + 0.0
        )

    def split(self, report: Mapping[str, Any]) -> Split:
        """Return a column's best split, without its verdict."""
        column = self.tree.schema.columns[report["feature"]]
        groups = self._groups(column, report)
        known = self.group(report["known"])
        unknown = self.group(report["unknown"]) if "unknown" in report else None
        remaining = sum(g.weight * g.impurity for g in groups) / self.weight
        gain = known.weight * known.impurity / self.weight - remaining if groups else 0.0
        cuts = tuple(Cut(a, b, t, g * self.scale) for a, b, t, g in report.get("cuts", ()))
        if not groups and cuts:
            gain, remaining = (
                cuts[0].gain,
                known.impurity * known.weight / self.weight - cuts[0].gain,
            )
        price = float(report.get("price", 0.0)) * self.scale
        information = self._information(groups, unknown)
        admissible = "gain" in report
        ratio = (gain - price) / information if information and admissible else None
        return Split(
            column=column.name,
            threshold=report.get("threshold"),
            groups=groups,
            known=known,
            unknown=unknown,
            remaining=remaining,
            gain=gain,
            price=price,
            split_info=information,
            ratio=ratio,
            gini=self._gini(groups, known),
            verdict="wide" if report.get("wide") else "",
            admissible=admissible,
            cuts=cuts,
            n_cuts=int(report.get("admissible", 0)),
            tries=int(report.get("tries", 0)),
        )

    def _groups(self, column: Column, report: Mapping[str, Any]) -> tuple[Group, ...]:
        children, missing = report["children"], report.get("missing", _core.STOP)
        if not children:
            return ()
        if column.kind == "numeric":
            cut = float(report["threshold"])
            bounds: list[Any] = [("<=", cut), (">", cut), None]
            if math.isinf(cut):
                bounds = [None, None]
            return tuple(
                self.group(child, None, bounds[i], missing == i) for i, child in enumerate(children)
            )
        levels: list[list[Any]] = [[] for _ in children]
        for level, child in zip(column.levels, report["route"], strict=True):
            if child < len(children):
                levels[child].append(level)
        # Levels that no row of the node has stay out of sight, as long as some are left.
        return tuple(
            self.group(child, tuple(names), None, missing == i)
            for i, (child, names) in enumerate(zip(children, levels, strict=True))
        )

    def _information(self, groups: Sequence[Group], unknown: Group | None) -> float | None:
        if self.method.law != "entropy" or not groups:
            return None
        parts = [g.weight for g in groups] + ([unknown.weight] if unknown is not None else [])
        return entropy_of(parts) * self.scale

    def _gini(self, groups: Sequence[Group], known: Group) -> float | None:
        if self.method.law != "entropy" or not groups:
            return None
        left = sum(g.weight * gini_of(g.amounts) for g in groups)
        return (known.weight * gini_of(known.amounts) - left) / self.weight

    # ---- choosing

    def average(self, splits: Sequence[Split]) -> float | None:
        """Return the average gain of the candidates that are not too wide, for entropies."""
        if self.method.law != "entropy":
            return None
        gains = [s.net for s in splits if s.admissible and s.verdict != "wide"]
        return sum(gains) / len(gains) if gains else None

    def _competes(self, split: Split, average: float | None) -> bool:
        enough = average is not None and split.net >= average - SLACK * self.scale
        return split.admissible and enough and (split.split_info or 0.0) > SLACK * self.scale

    def worth(self, split: Split, average: float | None) -> float:
        """Return what the method compares."""
        if not self.method.by_ratio:
            return split.net
        return split.ratio or 0.0 if self._competes(split, average) else split.net - 1e6

    def verdict(
        self, split: Split, splits: Sequence[Split], average: float | None, chosen: str | None
    ) -> str:
        """Say in a few words what became of a column."""
        if split.column == chosen:
            return "chosen"
        if not split.admissible:
            if split.cuts:
                return "costs more than it gains"
            return "too few cases" if split.groups or split.known.count else "no value known"
        if average is not None and split.net < average - SLACK * self.scale:
            return "below average gain"
        best = next((s for s in splits if s.column == chosen), None)
        if best is not None and abs(self.worth(split, average) - self.worth(best, average)) <= TIE:
            return "tied; the first column wins"
        return ""

    def others(self, splits: Sequence[Split], average: float | None) -> dict[str, str | None]:
        """Return what ID3 and C4.5 would choose among these candidates, where they are of their kind."""
        if self.method.law != "entropy" or self.method.name == "CART":
            return {}
        able = [s for s in splits if s.admissible]
        gain = max(able, key=lambda s: s.gain, default=None)
        able = [s for s in able if self._competes(s, average)]
        ratio = max(able, key=lambda s: s.ratio or 0.0, default=None)
        return {
            "ID3": None if gain is None else gain.column,
            "C4.5": None if ratio is None else ratio.column,
        }


def _whole(x: float) -> float:
    """Return a weight: shares times weight come back whole where they were."""
    near = round(x)
    return float(near) if math.isclose(x, near, rel_tol=1e-12, abs_tol=1e-9) else x
