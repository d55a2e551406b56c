"""What exports of rule sets are written from: the region of each rule, the class that it predicts, and the default."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from treewright._estimator.find import unwrap_search
from treewright._estimator.model import Model
from treewright._export.combined_model import refuse, title_of
from treewright._model.paths import Codes, Interval, OrderedTests, Region, walk_regions
from treewright.schema import Level, Schema
from treewright.tree import Tree

__all__ = ["RegionRule", "RuleSet", "bounds"]


@dataclass(frozen=True, eq=False)
class RegionRule:
    """One rule: its region, the class that it predicts, and the fraction of each class among its training rows."""

    region: Region
    answer: Level
    shares: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class RuleSet:
    """Rules of which the first that matches predicts; the last one is the default and matches every row."""

    rules: tuple[RegionRule, ...]
    schema: Schema
    title: str

    @classmethod
    def of(cls, model: Any) -> RuleSet | None:
        """Return the rules of a rule set; None if the model is something else."""
        model = unwrap_search(model)
        if not isinstance(model, Model) or model._kind != "rules":
            return None
        schema, forest = model.schema_, model._forest
        rules = [_rule(Tree(forest, i, schema)) for i in range(forest.n_trees)]
        return cls(tuple(rules), schema, title_of(model))

    @property
    def tested(self) -> list[int]:
        """The columns that some rule tests."""
        return sorted({feature for rule in self.rules for feature in rule.region})

    @property
    def classes(self) -> list[int]:
        """The class that each rule predicts, as a position in the classes of the schema."""
        return [self.schema.classes.index(rule.answer) for rule in self.rules]


def _rule(tree: Tree) -> RegionRule:
    """Return the rule of a chain of splits: the only end of it that has a value."""
    node, region = next(
        (n, r) for n, r in walk_regions(OrderedTests(tree)) if tree.outputs[n].any()
    )
    for values in region.values():
        if isinstance(values, Codes) and values.unseen:
            raise refuse("this format", "a rule matches unseen categories")
    return RegionRule(region, tree.answer(node), tuple(tree.outputs[node].tolist()))


def bounds(values: Interval) -> Iterator[tuple[str, float]]:
    """Yield the comparisons that define an interval."""
    if values.low > -math.inf:
        yield ">", values.low
    if values.high < math.inf:
        yield "<=", values.high
