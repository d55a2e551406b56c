"""The numbers of a pruning decision, by the method that was used and on the rows that it used.

``work(model, node, what="prune")`` is about a node of the model as it is drawn; ``work(model.pruning_, node)`` is about
a node of the tree before pruning, so that it shows nodes that were pruned away, too.

Subtree raising needs the training rows: it is decided while pruning and only reported here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._draw.conditions import branch_text
from treewright._learners.trees.training_record import original_nodes
from treewright._model.decision import expected_costs
from treewright._pruning import pessimistic, reduced_error
from treewright._pruning.cost_complexity import path_of, risk_of, trace_of
from treewright._pruning.pruning_rows import read_labeled
from treewright._pruning.trace import PruneTrace
from treewright._render.numbers import plural
from treewright._render.page_format import PageFormat
from treewright._render.safe_text import visible
from treewright._work.error_bound import bound_of
from treewright._work.pruning_decision import Child, PruneWork
from treewright.errors import Hint, UsageError
from treewright.tree import Tree

__all__ = ["Subject", "pruning_work", "subject_of"]

INTERVALS = {name: str(words["interval"]) for name, words in pessimistic.VARIANTS.items()}
METHOD_NAMES = {"pessimistic": "pessimistic", "reduced_error": "reduced error"}


@dataclass(frozen=True, slots=True)
class Subject:
    """The tree of a decision, the pruning method, and its options."""

    tree: Tree  # the tree whose nodes are numbered
    method: str
    options: dict[str, Any]  # the parameters of the method
    trace: PruneTrace | None = None  # the decisions
    grown: Tree | None = None  # the tree of the trace
    places: list[int] | None = None  # the node of that tree for each node of ``tree``


def subject_of(subject: Any) -> Subject:
    """Return the tree, method and options of a model or of a trace."""
    if isinstance(subject, PruneTrace):
        if subject.tree is None:
            raise UsageError(
                "the tree before pruning is not stored: it is too large", slug="work.no-tree"
            )
        own = list(range(subject.tree.n_nodes))
        about = (subject.tree, subject.method, dict(subject.options))
        return Subject(*about, subject, subject.tree, own)
    tree: Tree = subject.tree_
    trace: PruneTrace | None = getattr(subject, "pruning_", None)
    params = subject.get_params(deep=False)
    rpart = params.get("variant") == "rpart"
    options = {
        "confidence": float(params.get("confidence", 0.25)),
        "interval": INTERVALS.get(params.get("variant", "c4.5"), "table"),
        "risk": params.get("ccp_risk") or ("errors" if rpart else "impurity"),
        "shallow": rpart,
        "ccp_alpha": params.get("ccp_alpha") or 0.0,
        "in_parts": hasattr(subject, "min_cases"),
    }
    by_alpha = not tree.schema.classes or bool(tree.schema.costs)
    if trace is not None:
        method = trace.method
        options |= trace.options
    elif params.get("prune") in METHOD_NAMES:
        method = METHOD_NAMES[params["prune"]]
    else:
        by_alpha |= params.get("prune") == "cost_complexity"
        method = "cost complexity" if by_alpha else "pessimistic"
    grown = None if trace is None else trace.tree
    places = None if grown is None else original_nodes(grown, tree)
    return Subject(tree, method, options, trace, grown, places)


def pruning_work(
    model: Any, node: int, X: Any, y: Any, sample_weight: Any, **page: Any
) -> PruneWork:
    """Return the work of a pruning decision, by the method that was used or the one that suits the model.

    The rows are the validation rows of reduced-error pruning.
    """
    about = subject_of(model)
    tree = about.tree
    if about.method == "pessimistic":
        result = _pessimistic_numbers(about, node)
    elif about.method == "cost complexity":
        result = _alpha_numbers(about, node)
    else:
        result = _traced_numbers(model, about, node, X, y, sample_weight)
    return PruneWork(
        *(tree, node, about.method, result.figures, _branches(about, node, result)),
        bound=_bound(about, node) if about.method == "pessimistic" else None,
        validation=result.validation.get(node, ()),
        unit=result.unit,
        **page,
    )


@dataclass(frozen=True, slots=True)
class _Numbers:
    """The numbers of a node, the error and the decision of each child, and the validation rows of both."""

    figures: dict[str, Any]
    costs: dict[int, float]
    becomes: dict[int, str]
    unit: str
    validation: dict[int, tuple[float, ...]]


def _branches(about: Subject, node: int, result: _Numbers) -> tuple[Child, ...]:
    tree = about.tree
    if not tree.n_children[node]:
        return ()
    children = []
    for branch in tree.branches(node):
        child = branch.child
        own = about.method == "pessimistic" and not tree.n_children[child]
        children.append(
            Child(
                visible(branch_text(branch, PageFormat(width=200))),
                child,
                float(tree.weight[child]),
                _errors(tree, child),
                result.costs[child],
                result.becomes[child],
                _bound(about, child) if own else None,
                result.validation.get(child, ()),
            )
        )
    return tuple(children)


def _bound(about: Subject, node: int) -> Any:
    weight = float(about.tree.weight[node])
    options = about.options
    errors = min(_errors(about.tree, node), weight)
    return bound_of(weight, errors, options["confidence"], options["interval"])


def _children(tree: Tree, node: int) -> range:
    first = int(tree.first_child[node])
    return range(first, first + int(tree.n_children[node]))


def _errors(tree: Tree, node: int) -> float:
    if not tree.schema.classes:
        return 0.0
    wrong = float(
        tree.weight[node] * expected_costs(tree.value[node : node + 1], tree.schema).min()
    )
    near = round(wrong)  # without the rounding error of share times weight
    return float(near) if abs(wrong - near) <= 1e-9 * max(1.0, wrong) else wrong


def _pessimistic_numbers(about: Subject, node: int) -> _Numbers:
    """Return the estimated errors of the node, and of its branches after their own pruning."""
    tree, options = about.tree, about.options
    trace = about.trace if about.grown is tree else None
    if trace is None:
        variant = next(name for name, way in INTERVALS.items() if way == options["interval"])
        rules = pessimistic.words(variant, options["confidence"])
        _, trace = pessimistic.run(tree._forest, rules)
    before, after = trace.columns["before"], trace.columns["after"]
    decisions = trace.columns["decision"]
    rows = {int(n): i for i, n in enumerate(trace.columns["node"])}
    costs: dict[int, float] = {}
    becomes: dict[int, str] = {}
    for child in _children(tree, node):
        at = rows.get(child)
        if at is None:
            costs[child], becomes[child] = _bound(about, child).total, ""
        else:
            goes = decisions[at] == "leaf"
            costs[child] = float(after[at] if goes else before[at])
            becomes[child] = "pruned" if goes else "kept"
            if decisions[at] == "raise":
                costs[child] = float(trace.columns["raised"][at])
                becomes[child] = "replaced by its largest branch"
    figures: dict[str, Any] = {
        "confidence": options["confidence"],
        "errors": _errors(tree, node),
        "leaf": _bound(about, node).total,
        "decision": "leaf",
    }
    at = rows.get(node)
    if at is not None:
        figures |= {
            "leaf": float(after[at]),
            "subtree": float(before[at]),
            "decision": str(decisions[at]),
        }
        if "raised" in trace.columns and decisions[at] == "raise":
            figures["raised"] = float(trace.columns["raised"][at])
    return _Numbers(figures, costs, becomes, "estimated errors", {})


def _alpha_numbers(about: Subject, node: int) -> _Numbers:
    """Return the penalty per leaf up to which the subtree of the node is kept."""
    tree, options = about.tree, about.options
    risk = options["risk"]
    path = path_of(tree, tree._forest, risk, shallow=bool(options.get("shallow")))
    each = risk_of(tree, risk)
    trace = trace_of(tree, path, 0.0)
    rows = {int(n): i for i, n in enumerate(trace.columns["node"])}
    unit = f"{risk} per training row"
    figures: dict[str, Any] = {"risk": risk, "leaf": float(each[node]), "decision": "leaf"}
    costs = {
        child: float(trace.columns["before"][rows[child]]) if child in rows else float(each[child])
        for child in _children(tree, node)
    }
    becomes = {
        child: plural(int(trace.columns["leaves"][rows[child]]), "leaf") if child in rows else ""
        for child in costs
    }
    if node not in rows:
        return _Numbers(figures, costs, becomes, unit, {})
    at = rows[node]
    below, leaves = float(trace.columns["before"][at]), int(trace.columns["leaves"][at])
    price = (float(each[node]) - below) / (leaves - 1)
    above = [node]
    while above[-1]:
        above.append(int(tree.parents[above[-1]]))
    goes_at = min(float(path.link[one]) for one in above)
    figures |= {"subtree": below, "leaves": leaves, "price": price, "goes_at": goes_at}
    figures["ccp_alpha"] = options["ccp_alpha"]
    figures["decision"] = "leaf" if goes_at <= options["ccp_alpha"] else "keep"
    return _Numbers(figures, costs, becomes, unit, {})


def _traced_numbers(
    model: Any, about: Subject, node: int, X: Any, y: Any, sample_weight: Any
) -> _Numbers:
    """Return the numbers of a pruning trace, or of the validation rows that are passed."""
    trace, tree, places = about.trace, about.grown, about.places
    if X is not None and y is not None and not isinstance(model, PruneTrace):
        if tree is None or places is None:
            tree, places = about.tree, list(range(about.tree.n_nodes))
        rows = read_labeled(model, X, y, sample_weight)
        in_parts = bool(about.options.get("in_parts"))
        _, trace = reduced_error.run(tree._forest, rows, in_parts=in_parts)
    if trace is None or tree is None or places is None:
        raise _needs_validation_rows(about.method)
    row_of = {int(n): i for i, n in enumerate(trace.columns["node"])}  # the last decision is used
    tally, classes = trace.tally, bool(tree.schema.classes)
    costs, becomes, validation = {}, {}, {}
    for child in [node, *_children(about.tree, node)]:
        at, was = row_of.get(places[child]), places[child]
        if tally is not None:
            validation[child] = tuple(tally[was].tolist())
        if at is None:
            costs[child] = _leaf_cost(tree, was, tally) if classes else float("nan")
            becomes[child] = ""
        else:
            goes = trace.columns["decision"][at] == "leaf"
            costs[child] = float(trace.columns["after" if goes else "before"][at])
            becomes[child] = "pruned" if goes else "kept"
    figures: dict[str, Any] = {"leaf": costs[node], "decision": "leaf"}
    at = row_of.get(places[node])
    if at is not None:
        columns = trace.columns
        figures = {
            "leaf": float(columns["after"][at]),
            "subtree": float(columns["before"][at]),
            "decision": str(columns["decision"][at]),
        }
        if "rows" in columns:
            figures["rows"] = float(columns["rows"][at])
    return _Numbers(figures, costs, becomes, trace.unit, validation)


def _needs_validation_rows(method: str | None) -> UsageError:
    hint = Hint(
        call="work",
        arguments=("model", "node", "X", "y"),
        option="what",
        value="prune",
        note="with the validation rows",
    )
    message = f"the work of {method} pruning needs the validation rows"
    return UsageError(message, slug="work.no-rows", hints=[hint])


def _leaf_cost(tree: Tree, node: int, tally: NDArray[np.float64] | None) -> float:
    """Return the errors of a leaf on the validation rows, or on the training rows if there are none."""
    if tally is None:
        return _errors(tree, node)
    return float(tally[node].sum() - tally[node][int(tree.answers[node])])
