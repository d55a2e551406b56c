"""The methods of :func:`treewright.prune`: each takes a model, rows and its own options, and returns a smaller model.

The keyword arguments of a method are its options: they are listed nowhere else.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from treewright import _core
from treewright._catalog import criteria_of
from treewright._estimator.tree_model import TreeModel
from treewright._input.folds import held_out, weka_folds
from treewright._pruning import manual, pessimistic, reduced_error
from treewright._pruning.cost_complexity import trace_of
from treewright._pruning.cross_validation import grow_without, order_of, pruning_path
from treewright._pruning.pruning_rows import read_labeled
from treewright._pruning.trace import PruneTrace
from treewright._utils.choices import LEVEL_RULES
from treewright._utils.validation import check_choice, check_integer, check_number
from treewright.errors import DataError, Hint, UsageError

__all__ = ["METHODS", "options_of"]

M = TypeVar("M", bound=TreeModel)
# The core's word for the criterion of a tree of classes, by the unit of its costs.
CRITERIA = {row.unit: row.core for row in criteria_of("classify").values()}


def _pessimistic(
    model: M,
    X: Any,
    y: Any,
    sample_weight: Any,
    *,
    confidence: float = 0.25,
    raising: bool | None = None,
    variant: str | None = None,
) -> M:
    if not model.schema_.classes:
        raise UsageError(
            "pessimistic pruning counts errors, and this model predicts numbers",
            slug="prune.numbers",
            hints=[_by_penalty()],
        )
    if model.schema_.costs:
        raise UsageError(
            "pessimistic pruning counts errors, and this model weighs them by costs",
            slug="prune.costs",
            hints=[_by_penalty(risk="errors")],
        )
    own = getattr(model, "variant", None)
    variant = variant or (own if own in pessimistic.VARIANTS else "c4.5")
    rules = pessimistic.words(
        check_choice("variant", variant, tuple(pessimistic.VARIANTS)),
        check_number("confidence", confidence, minimum=0, maximum=1),
        criterion=CRITERIA.get(model._impurity, "entropy"),
        tidy=getattr(model, "categorical", None) == "groups",
    )
    if raising is False or (raising is None and X is None):
        return _with_tree(model, *pessimistic.run(model._forest, rules))
    rows = read_labeled(model, X, y, sample_weight)
    _refuse_other_rows(model, rows)
    check_choice("criterion of the model", model._impurity, tuple(sorted(CRITERIA)))
    return _with_tree(
        model, *pessimistic.run(model._forest, rules, rows.columns, rows.target, rows.weights)
    )


def _by_penalty(**others: object) -> Hint:
    """Return the hint to prune by a penalty per leaf instead."""
    options = {**others, "ccp_alpha": ...}
    return Hint(
        call="prune", arguments=("model",), option="method", value="cost_complexity", others=options
    )


def _refuse_other_rows(model: TreeModel, rows: Any) -> None:
    """Refuse rows that the tree was not grown from: raising counts them, and the counts must be the tree's."""
    counts = np.bincount(rows.target, weights=rows.weights, minlength=rows.classes)
    if not np.allclose(counts, model.tree_.class_weights(0), rtol=1e-6, atol=1e-9):
        raise DataError(
            "these are not the rows that the tree was grown from: their classes weigh otherwise",
            slug="prune.other-rows",
            hints=[
                "give the table, target and weights of fit",
                Hint(option="raising", value=False),
            ],
        )


def _reduced_error(
    model: M,
    X: Any,
    y: Any,
    sample_weight: Any,
    *,
    validation_fraction: float | None = None,
    folds: int | None = None,
    random_state: Any = None,
) -> M:
    if validation_fraction is None and folds is None:
        return _with_tree(
            model, *reduced_error.run(model._forest, read_labeled(model, X, y, sample_weight))
        )
    if validation_fraction is not None and folds is not None:
        raise UsageError("validation_fraction and folds exclude each other", slug="usage.parameter")
    if X is None or y is None:
        raise UsageError("a part of the rows is held out: give X and y", slug="prune.no-rows")
    codes, order = order_of(model, X, y, sample_weight, random_state)
    if folds is not None:
        if codes is None:
            raise UsageError(
                "folds are dealt by class; this model predicts numbers", slug="usage.parameter"
            )
        part = weka_folds(codes, check_integer("folds", folds, minimum=2, maximum=len(codes)))[-1]
    else:
        share = check_number("validation_fraction", validation_fraction, minimum=0, maximum=1)
        part = held_out(codes, order, share)
    grown, rows = grow_without(model, X, y, sample_weight, part)
    return _with_tree(_with_params_of(model, grown), *reduced_error.run(grown._forest, rows))


def _cost_complexity(
    model: M,
    X: Any,
    y: Any,
    sample_weight: Any,
    *,
    ccp_alpha: float | None = None,
    risk: str = "impurity",
    cv: int = 10,
    choose: str = "1se",
    random_state: Any = None,
) -> M:
    if ccp_alpha is not None:
        alpha = check_number("ccp_alpha", ccp_alpha, minimum=0)
        path = pruning_path(model, risk=risk)
    else:
        if X is None or y is None:
            raise UsageError(
                "cost-complexity pruning needs ccp_alpha, the penalty per leaf, or X and y to choose it",
                slug="prune.no-price",
                hints=[
                    Hint(
                        call="pruning_path", arguments=("model",), note="the penalties that matter"
                    )
                ],
            )
        path = pruning_path(model, X, y, sample_weight, risk=risk, cv=cv, random_state=random_state)
        within = check_choice("choose", choose, LEVEL_RULES) == "1se"
        alpha = float(path.alpha[path.one_se if within else path.best])
    forest = _core.prune_nodes(model._forest, path.nodes(alpha))
    return _with_tree(model, forest, trace_of(model.tree_, path, alpha))


def _collapse(model: M, X: Any, y: Any, sample_weight: Any) -> M:
    return _with_tree(model, *manual.collapse(model.tree_, model._forest))


def _snip(model: M, X: Any, y: Any, sample_weight: Any, *, nodes: Iterable[int] = ()) -> M:
    return _with_tree(model, *manual.snip(model.tree_, model._forest, nodes))


METHODS: dict[str, Any] = {
    "pessimistic": _pessimistic,
    "reduced_error": _reduced_error,
    "cost_complexity": _cost_complexity,
    "collapse": _collapse,
    "snip": _snip,
}


def options_of(method: str) -> tuple[str, ...]:
    """Return the names of the options of a method."""
    parameters = inspect.signature(METHODS[method]).parameters.values()
    return tuple(p.name for p in parameters if p.kind is p.KEYWORD_ONLY)


def _with_tree(model: M, forest: _core.Forest, trace: PruneTrace) -> M:
    """Return the model with another tree."""
    pruned: M = object.__new__(type(model))
    pruned.__dict__.update(model.__dict__)
    pruned._forest = forest
    pruned.pruning_ = trace.about(model.tree_)
    record = getattr(model, "_record", None)
    if record is not None:
        pruned.__dict__["_record"] = record.after_pruning(model.tree_, pruned.tree_)
    if "by_hand_" in model.__dict__:
        pruned.__dict__["by_hand_"] = model._marks_after(pruned.tree_)
    return pruned


def _with_params_of(model: M, grown: M) -> M:
    """Return a newly grown model with the parameters of the one that was to be pruned."""
    grown.set_params(**model.get_params(deep=False))
    # A plain array has no name; the target of the first fit may have had one.
    if grown.schema_.target is None:
        grown.schema_ = replace(grown.schema_, target=model.schema_.target)
    return grown
