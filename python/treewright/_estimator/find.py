"""Finding the estimator and its tree in what a user passes: an estimator, a Pipeline or search around one, a `Tree`.

The only place that unwraps pipelines and searches. It imports no estimator and not scikit-learn.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright._draw.caption import Caption
from treewright._model.trees import Trees
from treewright.errors import Hint, UsageError
from treewright.tree import Tree

if TYPE_CHECKING:
    from treewright._draw.rule_list import RuleList

__all__ = [
    "column_names",
    "find",
    "find_rules",
    "find_trees",
    "is_pipeline",
    "kind_of",
    "transform_rows",
    "unwrap",
    "unwrap_search",
]


def unwrap_search(model: Any) -> Any:
    """Return the best estimator of a search such as GridSearchCV; any other model as it is."""
    while hasattr(model, "best_estimator_"):
        model = model.best_estimator_
    return model


def is_pipeline(model: Any) -> bool:
    """Return whether a model is a Pipeline."""
    return hasattr(model, "steps")


def unwrap(model: Any) -> Any:
    """Return the estimator itself: the best of a search, the last step of a Pipeline, in any nesting.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from treewright import ZeroRClassifier
    >>> unwrap(make_pipeline("passthrough", ZeroRClassifier()))
    ZeroRClassifier()
    """
    model = unwrap_search(model)
    while is_pipeline(model):
        model = unwrap_search(model.steps[-1][1])
    return model


def kind_of(model: Any) -> str:
    """Return "tree", "trees", "rules" or "neighbors"; empty if the model is not one of this package.

    Examples
    --------
    >>> from treewright import RuleSetClassifier
    >>> kind_of(RuleSetClassifier())
    'rules'
    """
    if isinstance(model, Tree):
        return "tree"
    return str(getattr(unwrap(model), "_kind", ""))


def transform_rows(model: Any, rows: Any) -> Any:
    """Return rows as the last step of a Pipeline reads them; of any other model unchanged."""
    model = unwrap_search(model)
    if not is_pipeline(model):
        return rows
    if len(model.steps) > 1:
        transformed = model[:-1].transform(rows)
        is_table = hasattr(transformed, "columns") or hasattr(transformed, "tocsr")
        rows = transformed if is_table else np.asarray(transformed)
    return transform_rows(model.steps[-1][1], rows)


def refuse_outputs(model: Any) -> None:
    """Raise an error for a model of several outputs: what a node predicts is that of one of them."""
    outputs = getattr(unwrap(model), "__dict__", {}).get("outputs_")
    if outputs is not None:
        raise UsageError(
            f"this model predicts {len(outputs)} outputs, and this shows one",
            slug="usage.several-outputs",
            hints=[
                "take the model of one output, such as model.outputs_[0]: all have the same splits"
            ],
        )


def find_rules(model: Any) -> RuleList | None:
    """Return the rules of a rule set; None for any other model."""
    if kind_of(model) != "rules":
        return None
    rules: RuleList = unwrap(model).rules_
    return rules


def find_trees(model: Any) -> tuple[Trees, Caption] | None:
    """Return the trees of a model of more than one; None for any other."""
    if kind_of(model) != "trees":
        return None
    estimator = unwrap(model)
    refuse_outputs(estimator)
    trees: Trees = estimator.trees_
    return (trees, _caption(estimator)) if len(trees) > 1 else None


def find(model: Any) -> tuple[Tree, Caption]:
    """Return the tree in a model and its caption."""
    if isinstance(model, Tree):
        return model, Caption()
    refuse_outputs(model)
    kind = kind_of(model)
    if kind == "rules":
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
    estimator = unwrap(model)
    if kind not in ("tree", "trees"):
        raise UsageError(
            f"there is no tree in a {type(estimator).__name__} to show",
            slug="show.no-tree",
            hints=["show takes a fitted tree of treewright, or a pipeline that ends in one"],
        )
    return _rename_columns(estimator.tree_, model), _caption(estimator)


def _caption(model: Any) -> Caption:
    return Caption(model._title, model._impurity or "cost", ranges=getattr(model, "_ranges", None))


def column_names(model: Any) -> tuple[str, ...]:
    """Return the names of the columns that the model itself reads: those that the steps before it tell, if they do."""
    pipeline, model = None, unwrap_search(model)
    while is_pipeline(model):
        pipeline, model = model, unwrap_search(model.steps[-1][1])
    own: tuple[str, ...] = model.schema_.names
    if pipeline is None or len(pipeline.steps) < 2 or hasattr(model, "feature_names_in_"):
        return own
    from sklearn.exceptions import NotFittedError

    try:
        names = tuple(map(str, pipeline[:-1].get_feature_names_out()))
    except (AttributeError, ValueError, NotFittedError):
        return own  # a step without names: the columns keep their numbers
    return names if len(names) == len(own) else own


def _rename_columns(tree: Tree, model: Any) -> Tree:
    """Return a tree with the column names that the other steps of a Pipeline give, if they tell."""
    names = column_names(model)
    if names == tree.schema.names:
        return tree
    columns = tuple(
        replace(column, name=name) for column, name in zip(tree.schema.columns, names, strict=True)
    )
    return Tree(tree._forest, tree._index, replace(tree.schema, columns=columns))
