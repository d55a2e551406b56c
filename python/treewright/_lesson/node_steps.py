"""A node of a lesson as data: its rows, its impurity term by term, its candidates with their calculations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treewright import _core
from treewright._lesson.choice_steps import choice_steps, leaf_sentence, verdict_code
from treewright._lesson.training import Training, Values
from treewright._render.formula import Call, Equation, Formula, Name, Product, Sum
from treewright._render.formula_values import formula_values
from treewright._web.tree_document import plain_number
from treewright._work.node_builder import build
from treewright._work.node_model import Cut, NodeWork, Split
from treewright._work.node_report import report_of
from treewright._work.node_words import NodeWords
from treewright._work.row_group import Group
from treewright._work.split_formulas import SplitFormulas
from treewright._work.work_result import NAMES
from treewright.schema import label

__all__ = ["NodeSteps"]

MAX_CUTS = 1000
LEAF_REASONS = {
    "no_columns": "no_split",
    "no_candidate": "no_split",
    "min_samples_split": "min_rows",
    "min_gain_ratio": "min_gain",
    "max_leaf_nodes": "max_leaves",
    "max_p_value": "chance",
    "collapsed": "pruned",
    "sufficient_majority": "majority",
}


class NodeSteps:
    """The steps of one node."""

    def __init__(self, training: Training, node: int) -> None:
        self.training, self.node = training, node
        x, y, weight = training.table
        _, report, notes = report_of(training.model, node, x, y, weight, MAX_CUTS)
        self.report: Mapping[str, Any] = report
        self.work: NodeWork = build(
            training.model, node, training.method, report, training.unit, notes
        )
        self.words = NodeWords(self.work)
        self.formulas = SplitFormulas(
            self.work.criterion,
            self.work.unit,
            self.work.group,
            self.words.order,
            training.rounding,
        )

    @property
    def splits(self) -> tuple[Split, ...]:
        """The candidates that have branches, the best first."""
        return tuple(split for split in self.work.splits if split.groups)

    def values(self) -> Values:
        """Return everything about the node."""
        training, tree, node = self.training, self.training.tree, self.node
        shares = training.node_shares[node]
        parent = int(tree.parents[node])
        first, size = int(tree.first_child[node]), int(tree.n_children[node])
        work = self.work
        classes = [training.code(level) for level in work.tied_classes]
        return {
            "node": node,
            "parent": None if parent < 0 else parent,
            "depth": int(tree.depths[node]),
            "path": self._path(),
            "rows": list(shares),
            "fraction": list(shares.values()),
            "group": training.group_values(work.group),
            "terms": self._terms(work.group),
            "formula": formula_values(self.impurity_formula()),
            "prediction": self._prediction(),
            "tied_classes": classes,
            "work": self._work() if self.splits else None,
            "candidates": [self._candidate(split) for split in self.splits],
            "choice": choice_steps(training, work) if self.splits else None,
            "children": list(range(first, first + size)),
            "leaf": None if work.stop is None else leaf_sentence(training, work),
        }

    # ---- formulas

    def impurity_formula(self) -> Equation:
        """Return how the impurity of the node is calculated."""
        return self.formulas.own(self.work.group, Name(self.work.criterion.symbol))

    def branch_formula(self, split: Split, group: Group) -> Equation:
        """Return how the impurity of a branch is calculated."""
        is_answer = group.bound is not None or len(group.levels or ()) > 1  # part of the answer
        name = Name(NAMES.name(self.branch_name(split, group)), "cut" if is_answer else "")
        return self.formulas.own(group, Call(self.work.criterion.symbol, name))

    def remaining_formula(self, split: Split) -> Equation:
        """Return the impurity after a split: the weighted mean of its branches."""
        terms: list[tuple[int, Formula]] = []
        for group in split.groups:
            product = self.formulas.branch_term(group).sides[0]
            assert isinstance(product, Product)
            terms.append((1, product))
        return Equation((Sum(tuple(terms)), self.formulas.remaining(split)))

    def branch_name(self, split: Split, group: Group) -> str:
        """Write a branch of a candidate: ``Sunny``, ``≤ 75``."""
        if group.levels:
            return ", ".join(map(label, group.levels))
        pieces = self.words.group(split, group)
        text = "".join(p if isinstance(p, str) else getattr(p, "text", "") for p in pieces)
        return text.removesuffix(" or missing")

    # ---- parts

    def _path(self) -> list[Values]:
        tree, path, node = self.training.tree, [], self.node
        while node:
            parent = int(tree.parents[node])
            branch = next(b for b in tree.branches(parent) if b.child == node)
            feature = int(tree.feature[parent])
            path.append({"feature": feature, "branch": self.training.branch(branch)})
            node = parent
        return path[::-1]

    def _prediction(self) -> float | int:
        tree = self.training.tree
        if self.training.classes:
            return int(tree.answers[self.node])
        return float(tree.value[self.node, 0])

    def _terms(self, group: Group) -> list[Values]:
        work, training = self.work, self.training
        terms = group.terms(work.criterion, work.unit, training.classes)
        records = [term.to_dict() for term in terms]
        if training.classes:
            for record in records:
                record["of"] = training.code(record["of"])
        return records

    def _candidate(self, split: Split) -> Values:
        formulas = self.formulas
        record = {
            "feature": self.training.places[split.column],
            "branches": [self.branch_name(split, group) for group in split.groups],
            "terms": [self._terms(group) for group in split.groups],
            "impurity": [formula_values(self.branch_formula(split, g)) for g in split.groups],
            "remaining": formula_values(self.remaining_formula(split)),
            "gain": formula_values(formulas.gain(split)),
        }
        if split.price:
            record["price"] = formula_values(formulas.price(split))
            record["net"] = formula_values(formulas.net(split))
        if split.split_info is not None:
            record["split_information"] = formula_values(formulas.information(split))
        if split.ratio is not None:
            record["gain_ratio"] = formula_values(formulas.ratio(split))
        return record

    def _work(self) -> Values:
        """Return the candidates in the form that all pages share."""
        work, places = self.work, self.training.places
        columns = [split.column for split in self.splits]
        chosen = columns.index(work.chosen) if work.chosen in columns else None
        reason = None if work.stop is None else LEAF_REASONS.get(work.stop.code, work.stop.code)
        reports = {c["feature"]: c for c in self.report["columns"]}
        record: Values = {
            "node": self.node,
            "group": self.training.group_values(work.group),
            "candidates": [self._shared(s, reports[places[s.column]]) for s in self.splits],
            "chosen": chosen,
            "would_choose": {
                choice.algorithm.lower().replace(".", ""): columns.index(choice.chosen)
                for choice in work.choices
                if choice.chosen in columns
            },
        }
        record |= {} if reason is None else {"reason": reason}
        if work.own.average is not None:
            record |= {"average_gain": work.own.average, "slack": work.own.slack}
        return record

    def _shared(self, split: Split, report: Mapping[str, Any]) -> Values:
        groups = self.training.group_values
        rule: Values = {"feature": self.training.places[split.column]}
        rule["missing"] = int(report.get("missing", _core.STOP))
        if split.threshold is not None:
            rule["threshold"] = plain_number(split.threshold)
        elif "route" in report:
            rule["route"] = [int(child) for child in report["route"]]
        record: Values = {
            "split": rule,
            "admissible": split.admissible,
            "known": groups(split.known),
            "unknown": None if split.unknown is None else groups(split.unknown),
            "children": [groups(group) for group in split.groups],
            "remaining": split.remaining,
            "gain": split.net,
            "split_information": split.split_info or 0.0,
            "gain_ratio": split.ratio or 0.0,
            "verdict": verdict_code(split.verdict),
        }
        if split.cuts or split.tries:
            record["price"] = split.price
            record["cuts"] = [self._cut(cut) for cut in split.cuts]
            record["tried"] = split.n_cuts
        return record

    def _cut(self, cut: Cut) -> Values:
        sides = [self.training.group_values(side) for side in cut.sides]
        numbers = {"below": cut.below, "above": cut.above, "threshold": cut.threshold}
        return numbers | {"gain": cut.gain, "sides": sides}
