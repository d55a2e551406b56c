"""A rule set in other languages: the conditions of its rules, one after the other, and the default.

Each form that can hold rules has a module with a ``write``; the others refuse them.

Glossary: the *region* of a rule is the set of values that it asks of each column (see ``paths.regions``).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from treewright._estimator.find import unwrap_search
from treewright._estimator.model import Model
from treewright._export.combined_model import CombinedModel, refuse
from treewright._model.paths.ordered_tests import OrderedTests
from treewright._model.paths.regions import Codes, Interval, Region, walk_regions
from treewright.schema import Level, Schema
from treewright.tree import Tree

__all__ = ["RULED", "RegionRule", "RuleSet", "bounds", "refused"]

RULED = ("c", "onnx", "pmml", "python", "sql")


@dataclass(frozen=True, eq=False)
class RegionRule:
    """One rule: what it asks, what it answers, the share of each class among its training rows."""

    region: Region
    answer: Level
    shares: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class RuleSet:
    """Rules of which the first that matches answers; the last one asks nothing."""

    rules: tuple[RegionRule, ...]
    schema: Schema
    title: str

    @classmethod
    def of(cls, model: Any) -> RuleSet | None:
        """Return the rules of a rule set; None where the model is something else."""
        model = unwrap_search(model)
        if not isinstance(model, Model) or model._kind != "rules":
            return None
        schema, forest = model.schema_, model._forest
        title = " by ".join(word for word in (schema.target, model._title) if word)
        rules = [_rule(Tree(forest, i, schema)) for i in range(forest.n_trees)]
        return cls(tuple(rules), schema, title)

    @property
    def sum(self) -> CombinedModel:
        """What the parts that all exports share ask of a model: its names."""
        return CombinedModel((), self.schema, self.title)


def _rule(tree: Tree) -> RegionRule:
    """Return the one end of a chain of questions that says something."""
    node, region = next((n, b) for n, b in walk_regions(OrderedTests(tree)) if tree.value[n].any())
    for values in region.values():
        if isinstance(values, Codes) and values.unseen:
            raise refuse("this form", "a rule asks for values never seen")
    return RegionRule(region, tree.answer(node), tuple(tree.value[node].tolist()))


def bounds(values: Interval) -> Iterator[tuple[str, float]]:
    """Give the comparisons that a span is made of."""
    if values.low > -math.inf:
        yield ">", values.low
    if values.high < math.inf:
        yield "<=", values.high


def refused(form: str) -> Exception:
    """Return why a form does not write rules."""
    return refuse(form, "it is a list of rules", f"forms with rules: json, {', '.join(RULED)}")
