"""Finding the tree in a model: an estimator of this package, a pipeline or search around one, or a ``Tree`` itself.

What it needs of an estimator is ``tree_`` and two words for the caption; it imports none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from treewright._draw.caption import Caption
from treewright._model.trees import Trees
from treewright.errors import Hint, UsageError
from treewright.tree import Tree

if TYPE_CHECKING:
    from treewright._draw.rule_list import RuleList

__all__ = ["find", "find_own", "find_rules", "find_trees"]


def find_own(model: Any) -> Callable[..., Any] | None:
    """Return what makes the view of a model that is shown in its own way; None for any other."""
    if hasattr(model, "best_estimator_"):
        return find_own(model.best_estimator_)
    if hasattr(model, "steps"):
        return find_own(model.steps[-1][1])
    return getattr(model, "_shown", None)


def find_rules(model: Any) -> RuleList | None:
    """Return the rules in a model that is a list of them; None for any other."""
    if hasattr(model, "best_estimator_"):
        return find_rules(model.best_estimator_)
    if hasattr(model, "steps"):
        return find_rules(model.steps[-1][1])
    return model.rules_ if hasattr(type(model), "rules_") else None


def find_trees(model: Any) -> tuple[Trees, Caption] | None:
    """Return the trees in a model of more than one; None for any other."""
    if hasattr(model, "best_estimator_"):
        return find_trees(model.best_estimator_)
    if hasattr(model, "steps"):
        return find_trees(model.steps[-1][1])
    if not hasattr(type(model), "trees_") or find_rules(model) is not None:
        return None
    trees: Trees = model.trees_
    return (trees, _caption(model)) if len(trees) > 1 else None


def _caption(model: Any) -> Caption:
    title, criterion = getattr(model, "_title", ""), getattr(model, "_impurity", "") or "cost"
    return Caption(title, criterion, ranges=getattr(model, "_ranges", None))


def find(model: Any) -> tuple[Tree, Caption]:
    """Return the tree in a model and what is said about it."""
    if isinstance(model, Tree):
        return model, Caption()
    if find_rules(model) is not None:
        raise UsageError(
            "there is no tree in this model: it is a list of rules",
            slug="show.no-tree",
            hints=[Hint(call="show", arguments=("model",), note="its rules")],
        )
    many = find_trees(model)
    if many is not None:
        raise UsageError(
            f"this needs one tree, and the model has {len(many[0]):,}",
            slug="show.many-trees",
            hints=[
                "take one of its trees_, or draw one",
                Hint(call="show", arguments=("model",), option="tree", value=0),
            ],
        )
    if hasattr(model, "best_estimator_"):
        return find(model.best_estimator_)
    if hasattr(model, "steps"):
        tree, caption = find(model.steps[-1][1])
        return _named(tree, model), caption
    if hasattr(type(model), "tree_"):  # of the class: an unfitted model says so itself when asked
        return model.tree_, _caption(model)
    raise UsageError(
        f"there is no tree in a {type(model).__name__} to show",
        slug="show.no-tree",
        hints=["show takes a fitted tree of treewright, or a pipeline that ends in one"],
    )


def _named(tree: Tree, pipeline: Any) -> Tree:
    """Return the tree with the names that its columns have after the other steps of a pipeline."""
    from sklearn.exceptions import NotFittedError

    if hasattr(pipeline.steps[-1][1], "feature_names_in_") or len(pipeline.steps) < 2:
        return tree
    try:
        names = pipeline[:-1].get_feature_names_out()
    except (AttributeError, ValueError, NotFittedError):
        return tree  # a step that does not tell: its columns keep their numbers
    if len(names) != len(tree.schema.columns):
        return tree
    columns = tuple(
        replace(column, name=str(name))
        for column, name in zip(tree.schema.columns, names, strict=True)
    )
    return Tree(tree._forest, tree._index, replace(tree.schema, columns=columns))
