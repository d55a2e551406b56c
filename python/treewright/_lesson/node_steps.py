"""A node of a lesson as data: its rows, its impurity term by term, its candidates with their calculations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treewright._lesson.choice_steps import choice_steps, leaf_sentence
from treewright._lesson.training import SIGNS, Training, Values
from treewright._render.formula import Call, Equation, Formula, Name, Product, Sum
from treewright._render.formula_values import formula_values
from treewright._web.node_work_document import node_work_document
from treewright._work.node_builder import build
from treewright._work.node_model import NodeWork, Split
from treewright._work.node_report import reports_of
from treewright._work.node_words import NodeWords
from treewright._work.row_group import Group
from treewright._work.split_formulas import SplitFormulas
from treewright._work.work_result import NAMES
from treewright.schema import label

__all__ = ["NodeSteps", "steps_of_nodes"]

MAX_CUTS = 1000


class NodeSteps:
    """The steps of one node."""

    def __init__(
        self, training: Training, node: int, report: Mapping[str, Any], notes: list[str]
    ) -> None:
        self.training, self.node, self.report = training, node, report
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
        if group.bound is None:
            return SIGNS["missing" if group.missing else "known"]
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
        return node_work_document(self.work, self.splits)


def steps_of_nodes(training: Training) -> dict[int, NodeSteps]:
    """Return the steps of every node of the tree, which is studied in one pass."""
    nodes = range(training.tree.n_nodes)
    _, reports, notes = reports_of(training.model, nodes, *training.table, MAX_CUTS)
    return {
        node: NodeSteps(training, node, report, notes)
        for node, report in zip(nodes, reports, strict=True)
    }
