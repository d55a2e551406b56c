"""Why each leaf of a fitted tree is one, in the words of the core; `work` has the sentence for a single node."""

from __future__ import annotations

from typing import Any

from treewright import _core
from treewright._learners.trees.training_record import recipe_of, rows_grown_from
from treewright._model.table_builder import levels_of

__all__ = ["leaf_reasons"]


def leaf_reasons(model: Any) -> list[str | None] | None:
    """Return for each node why it is a leaf, None for branches; None if the model has no training rows.

    A leaf that growing would have split was pruned.

    Examples
    --------
    >>> from treewright import CARTClassifier, datasets
    >>> leaf_reasons(CARTClassifier(max_depth=1).fit(*datasets.golf()))
    [None, 'max_depth', 'pure']
    """
    record = getattr(model, "_record", None)
    rows = None if record is None else record.rows(model)
    if rows is None:
        return None
    rows = rows_grown_from(model, rows)
    schema = model.schema_
    hand = _core.ByHand(
        recipe_of(model, rows),
        levels_of(schema),
        rows.columns,
        rows.target,
        len(schema.classes) or None,
        rows.weights,
    )
    n_children = model.tree_.n_children
    reasons = hand.leaf_reasons(model._forest)
    return [None if n_children[node] else reason or "pruned" for node, reason in enumerate(reasons)]
