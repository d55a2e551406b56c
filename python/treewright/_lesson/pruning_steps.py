"""Screens 9 and 10 of a lesson as data: the error of large and small trees, and pruning from the bottom up."""

from __future__ import annotations

import math
from typing import Any

from treewright._evaluate.curve_points import complexity_curve
from treewright._learners.trees.training_record import original_nodes
from treewright._lesson.text_tables import Sentence, say, screen
from treewright._lesson.training import Training, Values
from treewright._pruning.prune_model import prune
from treewright._pruning.trace import PruneTrace
from treewright._render.formula import Equation, Number, Parentheses, Quotient, Sum
from treewright._render.formula_values import formula_values
from treewright._web.tree_document import tree_document
from treewright._work.pruning_decision import PruneWork
from treewright._work.pruning_work import pruning_work
from treewright.errors import TreewrightError
from treewright.tree import Tree

__all__ = ["overfitting_screen", "pruning_screen"]

METHODS = {
    "pessimistic": "pessimistic",
    "cost complexity": "cost_complexity",
    "reduced error": "reduced_error",
}


def overfitting_screen(training: Training) -> Values | None:
    """Return screen 9; None where the table is too small for a cross-validation."""
    rows = len(training.rows.target)
    folds = min(10, rows // 2)
    if folds < 2:
        return None
    x, y, weight = training.table
    try:
        curve = complexity_curve(training.model, x, y, weight, cv=folds)
    except TreewrightError:
        return None
    path, last = curve.path, len(curve.path) - 1
    link = [0.0 if math.isinf(alpha) else alpha for alpha in path.link.tolist()]
    assert path.cv_deviation is not None
    figures = {
        "leaves": path.leaves,
        "alpha": path.alpha,
        "training": curve.training,
        "validation": curve.cross_validated,
        "se": path.cv_deviation,
    }
    values: Values = {name: array[::-1].tolist() for name, array in figures.items()}
    values |= {"best": last - path.best, "one_se": last - path.one_se, "link": link}
    sentences = [
        say("overfitting.training"),
        say("overfitting.new", folds=folds),
        say("overfitting.best", leaves=int(path.leaves[path.best])),
        say("overfitting.one_se", leaves=int(path.leaves[path.one_se])),
    ]
    tree = tree_document(curve.whole.tree_, training.criterion.key)
    return screen("overfitting", sentences, folds=folds, curve=values, tree=tree)


def pruning_screen(training: Training) -> Values | None:
    """Return screen 10: what the pruning of the model did; of a model without pruning, what it would do."""
    trace = getattr(training.model, "pruning_", None)
    applied = isinstance(trace, PruneTrace) and _has_steps(trace)
    pruned = training.model
    if not applied:
        pruned = _example(training)
        trace = None if pruned is None else pruned.pruning_
    if pruned is None or trace is None or trace.tree is None or not _has_steps(trace):
        return None
    before: Tree = trace.tree
    nodes = [int(node) for node in trace.columns["node"]]
    key = METHODS[trace.method]
    sentences = [say("pruning.what"), say(f"pruning.{key}")]
    sentences.append(say("pruning.size", before=before.n_leaves, after=int(pruned.tree_.n_leaves)))
    if not applied:
        sentences.append(say("pruning.example"))
    criterion = training.criterion.key
    return screen(
        "pruning",
        sentences,
        method=key,
        applied=applied,
        before=tree_document(before, criterion),
        after=tree_document(pruned.tree_, criterion),
        places=_places(before, pruned.tree_),
        steps=[_step(training, pruning_work(trace, node, None, None, None)) for node in nodes],
    )


def _has_steps(trace: PruneTrace) -> bool:
    return trace.tree is not None and len(trace) > 0 and trace.method in METHODS


def _example(training: Training) -> Any:
    """Return the model pruned by the method that suits it."""
    x, y, weight = training.table
    by_alpha = not training.classes or bool(training.tree.schema.costs)
    try:
        if by_alpha:
            folds = min(10, len(training.rows.target) // 2)
            return prune(training.model, "cost_complexity", x, y, weight, cv=folds)
        return prune(training.model, "pessimistic")
    except (TreewrightError, ValueError):
        return None


def _places(before: Tree, after: Tree) -> list[int | None]:
    """Return for each node before the pruning its number afterwards; None where it is gone or not known."""
    places: list[int | None] = [None] * before.n_nodes
    for node, was in enumerate(original_nodes(before, after) or []):
        places[was] = node
    return places


def _step(training: Training, work: PruneWork) -> Values:
    figures = work.figures
    subtree = float(figures.get("subtree", figures["leaf"]))
    return {
        "node": work.node,
        "decision": figures["decision"],
        "subtree": subtree,
        "as_leaf": float(figures["leaf"]),
        "formulas": [
            {"label": label, "formula": formula_values(formula)}
            for label, formula in _formulas(training, work, subtree)
        ],
        "sentence": _sentence(training, work, subtree),
    }


def _formulas(training: Training, work: PruneWork, subtree: float) -> list[tuple[str, Equation]]:
    """Return how the cost of the leaf and the cost of the subtree were calculated."""
    figures = work.figures

    def cost(value: float) -> Number:
        return Number(training.rounding.round_off(value), "cost", value)

    rows: list[tuple[str, Equation]] = []
    if work.bound is not None:
        seen = Number(f"{work.bound.errors:g}", "counts", work.bound.errors)
        more = work._bound_formula(work.bound)
        total = Sum(((1, seen), (1, more)))
        rows.append(("as_leaf", Equation((total, cost(float(figures["leaf"]))))))
    if len(work.children) > 1 and work.method != "cost complexity":
        terms = tuple((1, cost(child.cost)) for child in work.children)
        rows.append(("subtree", Equation((Sum(terms), cost(subtree)))))
    if work.method == "cost complexity" and "price" in figures:
        top = Parentheses(Sum(((1, cost(float(figures["leaf"]))), (-1, cost(subtree)))))
        leaves = Number(str(figures["leaves"]), "counts", float(figures["leaves"]))
        by = Parentheses(Sum(((1, leaves), (-1, Number("1")))))
        rows.append(("alpha", Equation((Quotient(top, by), cost(float(figures["price"]))))))
    return rows


def _sentence(training: Training, work: PruneWork, subtree: float) -> Sentence:
    figures = work.figures
    numbers = {
        "leaf": training.number(float(figures["leaf"])),
        "subtree": training.number(subtree),
    }
    method, decision = METHODS[work.method], figures["decision"]
    if method == "cost_complexity" and "goes_at" in figures:
        return say("pruning.alpha", alpha=training.number(float(figures["goes_at"])))
    return say(f"pruning.{method}.{decision}", **numbers)
