"""What an export is made from: the trees of a model, and how their words become one answer.

The trees say numbers, which are averaged, or added up from a base, each with its scale; or each gives its vote to a
class; or the one in the middle is taken. Then a link turns the sums into what the model says; for classes these are
shares, and the answer is the class with the largest, or with costs the one with the least expected cost. The core does
all this in ``model/combine.rs``; an export writes the very same steps in the same order, so that no bit differs.

Not here: pipelines. Their other steps change the columns that a tree asks about, so an export of the last step alone
would answer other questions than the pipeline.

Glossary: *sums* are the numbers before the link. A tree's *scale* is its factor, or its weight in a vote; its *target*
is the sum that it adds to, where trees of one number stand for several sums.
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
from treewright._model.paths.ordered_tests import OrderedTests
from treewright._model.trees import Trees
from treewright.errors import Hint, UsageError
from treewright.schema import Schema
from treewright.tree import Tree

__all__ = ["CombinedModel", "refuse"]


@dataclass(frozen=True, eq=False)
class CombinedModel:
    """A model as its trees, and what becomes of them.

    Parameters
    ----------
    trees : tuple of OrderedTests
        The trees by the tests of their questions, in the order of the additions.
    schema : Schema
        What the columns and the classes are called.
    title : str
        Who predicts what, for the first line of an export.
    named : bool, default=False
        Whether the training table had names for its columns.
    how : {"mean", "sum", "vote", "median"}, default="mean"
        How one answer comes of many.
    link : {"identity", "logistic", "softmax", "exp"}, default="identity"
        What becomes of the sums.
    base : tuple of float, default=()
        Where each sum begins.
    scales : tuple of float, default=()
        One a tree; empty where all are 1.
    targets : tuple of int, default=()
        One a tree; empty where output ``o`` of a tree adds to sum ``o``.
    """

    trees: tuple[OrderedTests, ...]
    schema: Schema
    title: str
    named: bool = False
    how: str = "mean"
    link: str = "identity"
    base: tuple[float, ...] = ()
    scales: tuple[float, ...] = ()
    targets: tuple[int, ...] = ()

    @classmethod
    def of(cls, model: Any) -> CombinedModel:
        """Return the trees of a fitted model; refuse what is none."""
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
                hints=["export takes a fitted tree, or a model of many trees, of treewright"],
            )
        schema = model.schema_
        title = " by ".join(word for word in (schema.target, model._title) if word)
        return cls.from_trees(
            Trees(model._forest, schema),
            title or type(model).__name__,
            hasattr(model, "feature_names_in_"),
        )

    @classmethod
    def from_trees(cls, trees: Trees, title: str, named: bool = False) -> CombinedModel:
        """Return the trees of a model with its way to combine them."""
        said = trees.combine
        return cls(
            tuple(map(OrderedTests, trees)),
            trees.model_schema,
            title,
            named,
            said["how"],
            said["link"],
            *(tuple(said[word]) for word in ("base", "scales", "targets")),
        )

    @property
    def divides(self) -> bool:
        """Whether some row may be divided among branches."""
        return any(splits.divides for splits in self.trees)

    @property
    def outputs(self) -> int:
        """How many numbers the model says of a row."""
        return max(1, len(self.schema.classes))

    @property
    def sums(self) -> int:
        """How many numbers there are before the link."""
        return len(self.base) if self.how == "sum" else self.tree_outputs

    @property
    def tree_outputs(self) -> int:
        """How many numbers each tree says."""
        return int(self.trees[0].tree.value.shape[1])

    @property
    def starts(self) -> tuple[float, ...]:
        """Where the sums begin."""
        return self.base or (0.0,) * self.sums

    @property
    def total(self) -> float:
        """The votes of all trees, added in their order."""
        total = 0.0
        for tree in range(len(self.trees)):
            total += self.scale(tree)
        return total

    @property
    def is_single_tree(self) -> bool:
        """Whether the model is one tree that answers by itself."""
        return len(self.trees) == 1 and (self.how, self.link) == ("mean", "identity")

    def scale(self, tree: int) -> float:
        """Return the scale of a tree."""
        return self.scales[tree] if self.scales else 1.0

    def adds_to(self, tree: int) -> list[tuple[int, int]]:
        """Return what a tree says that is added up: pairs of an output of the tree and the sum that it adds to."""
        if self.targets:
            return [(0, self.targets[tree])]
        return [(i, i) for i in range(self.tree_outputs)]

    def node_terms(self, tree: int) -> NDArray[np.float64]:
        """Return what a row that is not divided adds to the sums, for each node of a tree: its value or its vote."""
        values = self.trees[tree].tree.value
        if self.how != "vote":
            return np.asarray(self.scale(tree) * values if self.how == "sum" else values)
        return np.asarray(np.eye(self.sums)[np.argmax(values, axis=1)] * self.scale(tree))


def refuse(form: str, reason: str, *hints: str | Hint) -> UsageError:
    """Return the refusal of something that a form cannot express."""
    return UsageError(
        f"{form} cannot express this model: {reason}", slug="export.refused", hints=hints
    )
