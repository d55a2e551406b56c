"""The methods of :func:`treewright.prune`: each takes a model, rows and its own options, and gives a smaller model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from treewright import _core
from treewright._estimator.model import Model
from treewright._input.folds import dealt, held_out
from treewright._pruning import manual as by_hand
from treewright._pruning import pessimistic, reduced_error
from treewright._pruning.cost_complexity import trace_of
from treewright._pruning.cross_validation import grown_without, order_of, pruning_path
from treewright._pruning.pruning_rows import evidence
from treewright._pruning.trace import PruneTrace
from treewright._utils.validation import number, word
from treewright.errors import DataError, Hint, UsageError

__all__ = ["PRUNERS"]

M = TypeVar("M", bound=Model)


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
            hints=[_by_price()],
        )
    if model.schema_.costs:
        raise UsageError(
            "pessimistic pruning counts errors, and this model weighs them by costs",
            slug="prune.costs",
            hints=[_by_price(risk="errors")],
        )
    own = getattr(model, "variant", None)
    variant = variant or (own if own in pessimistic.VARIANTS else "c4.5")
    rules = pessimistic.words(
        word("variant", variant, tuple(pessimistic.VARIANTS)),
        number("confidence", confidence, least=0, most=1),
        criterion=model._impurity,
        tidy=getattr(model, "categorical", None) == "groups",
    )
    if raising is False or (raising is None and X is None):
        return _replaced(model, *pessimistic.run(model._forest, rules))
    rows = evidence(model, X, y, sample_weight)
    _refuse_other_rows(model, rows)
    word("criterion of the model", model._impurity, ("entropy", "gini"))
    return _replaced(
        model, *pessimistic.run(model._forest, rules, rows.columns, rows.target, rows.weights)
    )


def _by_price(**others: object) -> Hint:
    """Return the advice to prune by the price of a leaf instead."""
    options = {**others, "ccp_alpha": ...}
    return Hint(
        call="prune", arguments=("model",), option="method", value="cost_complexity", others=options
    )


def _refuse_other_rows(model: Model, rows: Any) -> None:
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
    seed: int = 0,
) -> M:
    if validation_fraction is None and folds is None:
        return _replaced(
            model, *reduced_error.run(model._forest, evidence(model, X, y, sample_weight))
        )
    if validation_fraction is not None and folds is not None:
        raise UsageError("validation_fraction and folds exclude each other", slug="usage.parameter")
    if X is None or y is None:
        raise UsageError("a part of the rows is held out: give X and y", slug="prune.no-rows")
    codes, order = order_of(model, X, y, sample_weight, seed)
    if folds is not None:
        if codes is None:
            raise UsageError(
                "folds are dealt by class; this model predicts numbers", slug="usage.parameter"
            )
        part = dealt(codes, number("folds", folds, least=2, most=len(codes), whole=True))[-1]
    else:
        share = number("validation_fraction", validation_fraction, least=0, most=1)
        part = held_out(codes, order, share)
    grown, rows = grown_without(model, X, y, sample_weight, part)
    return _replaced(_like(model, grown), *reduced_error.run(grown._forest, rows))


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
    seed: int = 0,
) -> M:
    if ccp_alpha is not None:
        alpha = number("ccp_alpha", ccp_alpha, least=0)
        path = pruning_path(model, risk=risk)
    else:
        if X is None or y is None:
            raise UsageError(
                "what is the price of a leaf? Give ccp_alpha, or X and y to choose it by cross-validation",
                slug="prune.no-price",
                hints=[
                    Hint(call="pruning_path", arguments=("model",), note="the prices that matter")
                ],
            )
        path = pruning_path(model, X, y, sample_weight, risk=risk, cv=cv, seed=seed)
        within = word("choose", choose, ("1se", "least")) == "1se"
        alpha = float(path.alpha[path.one_se if within else path.best])
    forest = _core.prune_nodes(model._forest, path.nodes(alpha))
    return _replaced(model, forest, trace_of(model.tree_, path, alpha))


def _collapse(model: M, X: Any, y: Any, sample_weight: Any) -> M:
    return _replaced(model, *by_hand.collapse(model.tree_, model._forest))


def _snip(model: M, X: Any, y: Any, sample_weight: Any, *, nodes: Iterable[int] = ()) -> M:
    return _replaced(model, *by_hand.snip(model.tree_, model._forest, nodes))


PRUNERS: dict[str, Any] = {
    "pessimistic": _pessimistic,
    "reduced_error": _reduced_error,
    "cost_complexity": _cost_complexity,
    "collapse": _collapse,
    "snip": _snip,
}


def _replaced(model: M, forest: _core.Forest, trace: PruneTrace) -> M:
    """Return the model with another tree."""
    small: M = object.__new__(type(model))
    small.__dict__.update(model.__dict__)
    small._forest = forest
    small.pruning_ = trace.about(model.tree_)
    if getattr(model, "_kept", None) is not None:
        small.__dict__["_kept"] = model.__dict__["_kept"].moved(model.tree_, small.tree_)
    return small


def _like(model: M, grown: M) -> M:
    """Return a newly grown model under the parameters of the one that was asked to be pruned."""
    grown.set_params(**model.get_params(deep=False))
    if (
        grown.schema_.target is None
    ):  # plain answers have no name; those of the first fit may have had one
        grown.schema_ = replace(grown.schema_, target=model.schema_.target)
    return grown
