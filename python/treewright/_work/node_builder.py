"""From the core's report on a node to the data of its page: names, verdicts, and what other algorithms would choose.

Class weights, impurities, gains, split information and the choice itself come from the core. Only gain ratios and the
Gini index for comparison are derived here.

Glossary: a *report* is what ``_core.study`` returns for a node.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from treewright import _core
from treewright._catalog import title_and_unit
from treewright._input.target import ClassTarget, NumberTarget
from treewright._learners.trees.cart_recipe import cart_recipe
from treewright._learners.trees.other_algorithms import default_recipe
from treewright._utils.validation import Recipe, count_rows
from treewright._work.criteria import CRITERIA, Unit, entropy_of, gini_of
from treewright._work.node_model import Cut, NodeWork, Split
from treewright._work.row_group import Group
from treewright._work.split_choice import TOO_MANY_VALUES, Choice, choice_of
from treewright._work.stopping import stop_reason
from treewright.schema import Column, Schema
from treewright.tree import Tree

__all__ = ["Method", "build", "method_of"]

TIE = 1e-9  # scores closer than this are listed in the order of the columns
LIMITS = (
    "variant",
    "min_samples_leaf",
    "min_samples_split",
    "max_depth",
    "min_gain",
    "max_p_value",
)


@dataclass(frozen=True, slots=True)
class Method:
    """The algorithm of a model, its criterion, and what it compares."""

    name: str
    criterion: str
    by: str


def method_of(estimator: str, params: Mapping[str, Any]) -> Method | None:
    """Return the method of an estimator by its class and parameters; None where it has no candidates."""
    if estimator == "ID3Classifier":
        return Method("ID3", "entropy", "gain")
    if estimator == "C45Classifier":
        by_ratio = params.get("criterion", "gain_ratio") == "gain_ratio"
        return Method("C4.5", "entropy", "gain ratio" if by_ratio else "gain")
    if estimator in ("CARTClassifier", "CARTRegressor"):
        criterion = CRITERIA[title_and_unit(estimator, params)[1]]
        return Method("CART", criterion.key, criterion.compared)
    return None


def build(
    model: Any,
    node: int,
    method: Method,
    report: Mapping[str, Any],
    unit: Unit,
    notes: Sequence[str],
) -> NodeWork:
    """Return the work of a node."""
    tree: Tree = model.tree_
    maker = _Maker(tree, method, unit, float(report["node"]["weight"]))
    group = maker.group(report["node"])
    chosen = None
    if tree.n_children[node]:
        chosen = tree.schema.columns[tree.feature[node]].name
    splits = [maker.split(column) for column in report["columns"]]
    recipe = _recipe(model)
    choices = _choices(maker, report, splits, recipe, group)
    splits = [replace(s, verdict=_verdict(s, choices[0], chosen)) for s in splits]
    open_ = {split.column for split in splits}
    remarks = list(notes)
    least = max((split.least_side for split in splits), default=0.0)
    if least > 1:
        remarks.append(f"thresholds with fewer than {least:.4g} rows on a side are not tried")
    mark = getattr(model, "by_hand_", {}).get(node)
    if mark == "split":
        remarks.append("this split was chosen by hand")
    elif chosen is not None and chosen != choices[0].chosen and not notes:
        remarks.append(
            "this split was moved here by subtree raising; while growing, another one was chosen"
        )
    return NodeWork(
        tree=tree,
        node=node,
        method=method.name,
        criterion=CRITERIA[method.criterion],
        unit=unit,
        group=group,
        splits=_ordered(splits, choices[0]),
        asked=tuple(name for name in _used_columns(tree, node) if splits and name not in open_),
        chosen=chosen,
        choices=choices,
        stop=stop_reason(model, node, dict(report), recipe, choices[0], maker.scale),
        notes=tuple(remarks),
        by_hand=mark == "split",
    )


def _recipe(model: Any) -> Recipe:
    """Return the recipe of a model; for CART without what depends on the rows."""
    params, n_rows = model.get_params(deep=False), int(model.tree_.count[0])
    if "monotonic_cst" not in params:  # ID3 and C4.5 need only the number of rows for it
        recipe: Recipe = model._recipe(range(n_rows))
        return recipe
    target: Any = NumberTarget(None, np.zeros(1))
    if model.schema_.classes:
        target = ClassTarget(None, np.arange(2), np.arange(2), np.zeros(1, dtype=np.uint32))
    limits = {name: params[name] for name in LIMITS if name in params}
    for name, least in (("min_samples_leaf", 1), ("min_samples_split", 2)):
        if name in limits:
            limits[name] = count_rows(name, limits[name], n_rows, minimum=least, optional=True)
    return cart_recipe(limits, Schema(()), target, None)


def _choices(
    maker: _Maker,
    report: Mapping[str, Any],
    splits: Sequence[Split],
    recipe: Recipe,
    group: Group,
) -> tuple[Choice, ...]:
    """Return what each algorithm chooses, the algorithm of the model first."""
    names = maker.tree.schema.names
    own = [
        (c["feature"], c["gain"], c["split_info"], c["wide"])
        for c in report["columns"]
        if "gain" in c
    ]
    left_out = {s.column: _inadmissible(s) for s in splits if not s.admissible}
    impurity = group.impurity / maker.scale
    method, scale = maker.method, maker.scale
    choices = [
        choice_of(
            *(method.name, method.by, recipe, own, names, impurity), scale=scale, left_out=left_out
        )
    ]
    for name, candidates in (report.get("others") or {}).items():
        by = {"ID3": "gain", "C4.5": "gain ratio", "CART": "Gini decrease"}[name]
        able = {names[candidate[0]] for candidate in candidates}
        out = {s.column: "no admissible split" for s in splits if s.column not in able}
        gini, unit = gini_of(group.amounts), 1.0 if name == "CART" else maker.unit.per_bit
        other = default_recipe(name)
        choices.append(
            choice_of(name, by, other, candidates, names, gini, scale=unit, left_out=out)
        )
    return tuple(choices)


def _inadmissible(split: Split) -> str:
    if split.cuts:
        return "adjusted gain not positive"
    return "too few rows" if split.groups or split.known.count else "all values missing"


def _verdict(split: Split, own: Choice, chosen: str | None) -> str:
    """Return in a few words why a column was chosen or not."""
    if split.column == chosen:
        return "chosen"
    if split.column in own.left_out:
        return own.left_out[split.column]
    if split.column in own.tied[1:]:
        return "tie: the first column is chosen"
    if chosen is None and split.column == own.chosen:
        return "best"
    return TOO_MANY_VALUES if split.wide and own.by == "gain ratio" else ""


def _ordered(splits: Sequence[Split], own: Choice) -> tuple[Split, ...]:
    """Return the candidates by their scores; tied ones in the order of the columns."""
    competing = [s for s in splits if s.column in own.scores]
    not_competing = [s for s in splits if s.admissible and s.column not in own.scores]
    others = [s for s in splits if not s.admissible]
    scores = [own.scores[s.column] for s in competing]
    if own.chosen in own.scores:  # the core decided, whatever the last digits of the scores are
        best = next(i for i, s in enumerate(competing) if s.column == own.chosen)
        tied = set(own.tied)
        scores = [
            scores[best] if s.column in tied else x for s, x in zip(competing, scores, strict=True)
        ]
    return (
        *_descending(competing, scores),
        *_descending(not_competing, [s.net for s in not_competing]),
        *_descending(others, [s.net for s in others]),
    )


def _descending(splits: Sequence[Split], scores: Sequence[float]) -> list[Split]:
    order = sorted(range(len(splits)), key=lambda i: (-scores[i], i))
    runs: list[list[int]] = []
    for i in order:
        if runs and scores[runs[-1][0]] - scores[i] <= TIE:
            runs[-1].append(i)
        else:
            runs.append([i])
    return [splits[i] for run in runs for i in sorted(run)]


def _used_columns(tree: Tree, node: int) -> list[str]:
    names: list[str] = []
    while node:
        node = int(tree.parents[node])
        names.append(tree.schema.columns[tree.feature[node]].name)
    return list(dict.fromkeys(reversed(names)))


class _Maker:
    """Builds the parts of one node's work."""

    def __init__(self, tree: Tree, method: Method, unit: Unit, weight: float) -> None:
        self.tree, self.method, self.unit, self.weight = tree, method, unit, weight
        self.scale = CRITERIA[method.criterion].scale(unit)

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
        amounts = tuple(_round_off(share * weight) for share in value) if classes else ()
        impurity = float(figures["cost"]) / weight * self.scale if weight > 0 else 0.0
        mean = None if classes else float(value[0])
        numbers = tuple((float(y), float(w)) for y, w in figures.get("numbers", ()))
        return Group(
            *(levels, bound, missing, int(figures["count"]), weight, amounts, mean),
            *(impurity + 0.0, numbers),
        )

    def split(self, report: Mapping[str, Any]) -> Split:
        """Return a column's best split, without its verdict."""
        column = self.tree.schema.columns[report["feature"]]
        groups = self._groups(column, report)
        known = self.group(report["known"])
        unknown = self.group(report["unknown"]) if "unknown" in report else None
        cuts, threshold = self._cuts(report), report.get("threshold")
        best = max(cuts, key=lambda cut: cut.gain, default=None)  # the first of the largest
        if (
            not groups and best is not None
        ):  # no adjusted gain is positive: the best threshold is listed
            groups, threshold = best.sides, best.threshold
        remaining = sum(g.weight * g.impurity for g in groups) / self.weight
        gain = known.weight * known.impurity / self.weight - remaining if groups else 0.0
        if not groups and best is not None:
            gain = best.gain
            remaining = known.impurity * known.weight / self.weight - gain
        price = float(report.get("price", 0.0)) * self.scale
        information = self._information(groups, unknown)
        admissible = "gain" in report
        ratio = (gain - price) / information if information and admissible else None
        return Split(
            column=column.name,
            threshold=threshold,
            groups=groups,
            known=known,
            unknown=unknown,
            remaining=remaining,
            gain=gain,
            price=price,
            split_info=information,
            ratio=ratio,
            gini=self._gini(groups, known),
            verdict="",
            admissible=admissible,
            cuts=cuts,
            n_cuts=int(report.get("admissible", 0)),
            tries=int(report.get("tries", 0)),
            wide=bool(report.get("wide")),
            least_side=float(report.get("least", 0.0)),
            rule=_rule(report),
        )

    def _cuts(self, report: Mapping[str, Any]) -> tuple[Cut, ...]:
        cuts = report.get("cuts", ())
        sides = report.get("sides") or [()] * len(cuts)
        listed = []
        for (below, above, threshold, gain), pair in zip(cuts, sides, strict=True):
            bounds = (("<=", threshold), (">", threshold))
            both = tuple(self.group(f, None, b) for f, b in zip(pair, bounds, strict=False))
            listed.append(Cut(below, above, threshold, gain * self.scale, both))
        return tuple(sorted(listed, key=lambda cut: cut.below))

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
        # Categories that no row of the node has are left out.
        return tuple(
            self.group(child, tuple(names), None, missing == i)
            for i, (child, names) in enumerate(zip(children, levels, strict=True))
        )

    def _information(self, groups: Sequence[Group], unknown: Group | None) -> float | None:
        if self.method.criterion != "entropy" or not groups:
            return None
        parts = [g.weight for g in groups] + ([unknown.weight] if unknown is not None else [])
        return entropy_of(parts) * self.scale

    def _gini(self, groups: Sequence[Group], known: Group) -> float | None:
        if self.method.criterion != "entropy" or not groups:
            return None
        left = sum(g.weight * gini_of(g.amounts) for g in groups)
        return (known.weight * gini_of(known.amounts) - left) / self.weight


def _rule(report: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return how rows leave the node: at a threshold or by category, and where those without a value go."""
    if "missing" not in report:
        return None
    way: dict[str, Any] = {"feature": int(report["feature"])}
    if "route" in report:
        way["route"] = [int(child) for child in report["route"]]
    else:
        cut = float(report["threshold"])
        way["threshold"] = str(cut) if math.isinf(cut) else cut
    return way | {"missing": int(report["missing"])}


def _round_off(x: float) -> float:
    """Return a weight without the rounding error of share times weight, where it was a whole number."""
    near = round(x)
    return float(near) if math.isclose(x, near, rel_tol=1e-12, abs_tol=1e-9) else x
