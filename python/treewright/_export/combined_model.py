"""What every export is written from: the trees of a model, and how they are combined into one prediction.

The values of the trees are averaged, or added to a base with a scale per tree, or each tree votes for a class, or their
weighted median is taken. A link then turns the sums into the output: class probabilities or a number. The predicted
class is the most probable one or, with costs, the one with the least expected cost. The core does this in
``model/combine.rs``; exports write the same steps in the same order, so that every bit agrees.

Pipelines are not exported: their other steps change the columns before the tree sees them.

Glossary: *sums* are the numbers before the link. The *scale* of a tree is its factor, or its weight in a vote. Its
*target* is the sum that it adds to, where each tree outputs one number and there are several sums.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from treewright._estimator.find import is_pipeline, unwrap_search
from treewright._estimator.model import Model
from treewright._estimator.tree_model import TreeModel
from treewright._model.paths import OrderedTests
from treewright._model.trees import Trees
from treewright.errors import Hint, UsageError
from treewright.schema import Schema
from treewright.tree import Tree

__all__ = ["CombinedModel", "refuse", "refuse_mixed_types", "title_of"]


@dataclass(frozen=True, eq=False)
class CombinedModel:
    """The trees of a model and how they are combined.

    Parameters
    ----------
    trees : tuple of OrderedTests
        The splits of each tree, in the order of the additions.
    schema : Schema
        Names of columns and classes.
    title : str
        Target and algorithm, for the first line of an export.
    has_feature_names : bool, default=False
        Whether the training table had column names.
    how : {"mean", "sum", "vote", "median"}, default="mean"
        How the trees are combined.
    link : {"identity", "logistic", "softmax", "exp"}, default="identity"
        How sums become outputs.
    base : tuple of float, default=()
        Where each sum begins.
    scales : tuple of float, default=()
        One per tree; empty if all are 1.
    targets : tuple of int, default=()
        One per tree; empty if output ``o`` of every tree adds to sum ``o``.
    """

    trees: tuple[OrderedTests, ...]
    schema: Schema
    title: str
    has_feature_names: bool = False
    how: str = "mean"
    link: str = "identity"
    base: tuple[float, ...] = ()
    scales: tuple[float, ...] = ()
    targets: tuple[int, ...] = ()

    @classmethod
    def of(cls, model: Any) -> CombinedModel:
        """Return the trees of a fitted model; raise an error if it has none."""
        model = unwrap_search(model)
        if is_pipeline(model):
            raise UsageError(
                "a pipeline cannot be exported: its other steps change the columns before the tree",
                slug="export.pipeline",
                hints=["export its last step alone: it reads the columns that reach it"],
            )
        if isinstance(model, Tree):
            return cls((OrderedTests(model),), model.schema, model.schema.target or "a tree")
        if isinstance(model, Model):
            check_is_fitted(model)
        if not isinstance(model, TreeModel) or not hasattr(model, "trees_"):
            raise UsageError(
                f"there is no tree in a {type(model).__name__} to export",
                slug="export.no-tree",
                hints=["export takes a fitted tree or ensemble of treewright"],
            )
        trees = Trees(model._forest, model.schema_)
        return cls.from_trees(trees, title_of(model), hasattr(model, "feature_names_in_"))

    @classmethod
    def from_trees(cls, trees: Trees, title: str, has_feature_names: bool = False) -> CombinedModel:
        """Return trees with the way in which the model combines them."""
        combine = trees.combine
        return cls(
            tuple(map(OrderedTests, trees)),
            trees.model_schema,
            title,
            has_feature_names,
            combine["how"],
            combine["link"],
            *(tuple(combine[word]) for word in ("base", "scales", "targets")),
        )

    @property
    def divides(self) -> bool:
        """Whether some tree has fractional rows."""
        return any(splits.divides for splits in self.trees)

    @property
    def outputs(self) -> int:
        """How many numbers the model outputs for a row."""
        return max(1, len(self.schema.classes))

    @property
    def sums(self) -> int:
        """How many numbers there are before the link."""
        return len(self.base) if self.how == "sum" else self.tree_outputs

    @property
    def tree_outputs(self) -> int:
        """How many numbers each tree outputs."""
        return int(self.trees[0].tree.outputs.shape[1])

    @property
    def starts(self) -> tuple[float, ...]:
        """Where the sums begin."""
        return self.base or (0.0,) * self.sums

    @property
    def total(self) -> float:
        """The scales of all trees, added in their order."""
        total = 0.0
        for tree in range(len(self.trees)):
            total += self.scale(tree)
        return total

    @property
    def softmax_divisor(self) -> float:
        """What sums are divided by before softmax: AdaBoost's votes are, other sums are not."""
        return self.sums - 1.0 if self.how == "vote" else 1.0

    @property
    def is_single_tree(self) -> bool:
        """Whether the model is one tree whose values are the output."""
        return len(self.trees) == 1 and (self.how, self.link) == ("mean", "identity")

    def scale(self, tree: int) -> float:
        """Return the scale of a tree."""
        return self.scales[tree] if self.scales else 1.0

    def adds_to(self, tree: int) -> list[tuple[int, int]]:
        """Return pairs: an output of the tree, and the sum that it adds to."""
        if self.targets:
            return [(0, self.targets[tree])]
        return [(i, i) for i in range(self.tree_outputs)]

    def node_terms(self, tree: int) -> NDArray[np.float64]:
        """Return what an undivided row adds to the sums at each node of a tree: the node's value or its vote."""
        values = self.trees[tree].tree.outputs
        if self.how != "vote":
            return np.asarray(self.scale(tree) * values if self.how == "sum" else values)
        return np.asarray(np.eye(self.sums)[np.argmax(values, axis=1)] * self.scale(tree))


def title_of(model: Model) -> str:
    """Return the target and the algorithm of a model, for the first line of an export."""
    words = (model.schema_.target, model._title)
    return " by ".join(word for word in words if word) or type(model).__name__


def refuse(form: str, reason: str, *hints: str | Hint) -> UsageError:
    """Return the error for a model that a format cannot express."""
    return UsageError(
        f"{form} cannot express this model: {reason}", slug="export.refused", hints=hints
    )


def refuse_mixed_types(form: str, schema: Schema, why: str = "") -> None:
    """Raise an error if a column or the classes mix text and numbers."""
    for column in schema.columns:
        if len({isinstance(level, str) for level in column.levels}) > 1:
            raise refuse(form, f'its column "{column.name}" mixes text and numbers{why}')
    if len({isinstance(c, str) for c in schema.classes}) > 1:
        raise refuse(form, f"its classes mix text and numbers{why}")
