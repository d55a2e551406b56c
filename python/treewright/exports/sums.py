"""What an export is made from: a model as a sum of trees.

Every model here says the mean of what its trees say, added in their order; a single tree is a sum of one. For classes
the trees say shares, and the answer is the class with the largest, or with costs the one with the least expected cost.

Not here: pipelines. Their other steps change the columns that a tree asks about, so an export of the last step alone
would answer other questions than the pipeline.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sklearn.utils.validation import check_is_fitted

from treewright._estimator import Model
from treewright.errors import UsageError
from treewright.paths.arms import Arms
from treewright.schema import Schema
from treewright.tree import Tree

__all__ = ["Sum", "refuse"]


@dataclass(frozen=True, eq=False)
class Sum:
    """A model as the mean of its trees.

    Parameters
    ----------
    trees : tuple of Arms
        The trees by the tests of their questions, in the order of the additions.
    schema : Schema
        What the columns and the classes are called.
    title : str
        Who predicts what, for the first line of an export.
    named : bool, default=False
        Whether the training table had names for its columns.
    """

    trees: tuple[Arms, ...]
    schema: Schema
    title: str
    named: bool = False

    @classmethod
    def of(cls, model: Any) -> Sum:
        """Return the trees of a fitted model; refuse what is none."""
        if hasattr(model, "best_estimator_"):
            return cls.of(model.best_estimator_)
        if hasattr(model, "steps"):
            raise UsageError(
                "a pipeline cannot be exported: its other steps change the columns before the tree",
                slug="export.pipeline",
                hints=[
                    "try: export(model[-1], ...)   (the tree alone, on the columns that reach it)"
                ],
            )
        if isinstance(model, Tree):
            return cls((Arms(model),), model.schema, model.schema.target or "a tree")
        if isinstance(model, Model):
            check_is_fitted(model)
        many = isinstance(model, Model) and hasattr(model, "trees_")
        if not isinstance(model, Model) or not (many or hasattr(model, "tree_")):
            raise UsageError(
                f"there is no tree in a {type(model).__name__} to export",
                slug="export.no-tree",
                hints=["export takes a fitted tree of treewright"],
            )
        forest, schema = model._forest, model.schema_
        how, link = forest.combine["how"], forest.combine["link"]
        if (how, link) != ("mean", "identity"):
            raise UsageError(
                f"this model is a {how} of trees with the {link} link; "
                "only one tree, or the mean of trees, can be exported",
                slug="export.combined",
                hints=['export takes one tree too: export(model.trees_[0], "sql")'],
            )
        trees = tuple(Arms(Tree(forest, i, schema)) for i in range(forest.n_trees))
        title = " by ".join(word for word in (schema.target, model._title) if word)
        return cls(
            trees, schema, title or type(model).__name__, hasattr(model, "feature_names_in_")
        )

    @property
    def divides(self) -> bool:
        """Whether some row may be divided among branches."""
        return any(arms.divides for arms in self.trees)

    @property
    def outputs(self) -> int:
        """How many numbers the model says of a row."""
        return max(1, len(self.schema.classes))

    @property
    def settled(self) -> bool:
        """Whether the answer is that of a single node, so that it can be written there."""
        return len(self.trees) == 1 and not self.divides


def refuse(form: str, reason: str, *hints: str) -> UsageError:
    """Return the refusal of something that a form cannot express."""
    return UsageError(
        f"{form} cannot express this model: {reason}", slug="export.refused", hints=hints
    )
