"""Why a node is a leaf: as data, and as one sentence.

The rules that stop growing are checked in the order of ``CODES``; a leaf that none of them explains was pruned.

Glossary: τ (tau) is the usual symbol for the threshold that a gain, or a gain ratio, must exceed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from treewright import _core
from treewright._learners.trees.report_codec import Report
from treewright._learners.trees.training_record import is_original_leaf
from treewright._utils.validation import Recipe
from treewright._work.split_choice import Choice, Write
from treewright.schema import label
from treewright.tree import Tree

__all__ = ["CODES", "StopReason", "stop_reason"]

CODES = (
    "no_rows",
    "pure",
    "min_samples_split",
    "max_depth",
    "sufficient_majority",
    "no_columns",
    "no_candidate",
    "min_gain",
    "min_gain_ratio",
    "max_p_value",
    "by_hand",
    "max_leaf_nodes",
    "collapsed",
    "pruned",
)


@dataclass(frozen=True, slots=True)
class StopReason:
    """Why a node is a leaf.

    Examples
    --------
    >>> what = "the best gain is not above the threshold"
    >>> reason = StopReason("min_gain", what, 0.2467, 0.3, "<=", "min_gain", "Outlook")
    >>> reason.sentence(lambda x: f"{x:.3f}")
    'This node is a leaf: the best gain is not above the threshold: 0.247 ≤ τ = 0.3 (min_gain; Outlook).'
    """

    code: str  # one of ``CODES``
    what: str  # the rule in words: "the best gain is not above the threshold"
    figure: float | None = None  # the number that was compared with the limit
    limit: float | None = None
    sign: str = ""  # the comparison: "<=", "<", ">=" or ">"
    parameter: str = ""  # that sets the limit
    column: str | None = None  # the candidate that was compared

    def sentence(self, write: Write, name: Any = str) -> str:
        """Return it as one sentence; ``write`` writes a number, ``name`` a column."""
        sentence = f"This node is a leaf: {self.what}"
        if self.figure is None or self.limit is None:
            return f"{sentence}."
        sign = {"<=": "≤", ">=": "≥"}.get(self.sign, self.sign)
        figure = f"{self.figure:g}" if float(self.figure).is_integer() else write(self.figure)
        is_tau = self.code in ("min_gain", "min_gain_ratio")
        about = [self.parameter] if is_tau else []
        about += [] if self.column is None else [str(name(self.column))]
        limit = f"{'τ' if is_tau else self.parameter} = {self.limit:g}"
        tail = f" ({'; '.join(about)})" if about else ""
        return f"{sentence}: {figure} {sign} {limit}{tail}."

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "code": self.code,
            "what": self.what,
            "figure": self.figure,
            "limit": self.limit,
            "sign": self.sign or None,
            "parameter": self.parameter or None,
            "column": self.column,
        }


def stop_reason(
    model: Any, node: int, report: Report, recipe: Recipe, choice: Choice, scale: float
) -> StopReason | None:
    """Return why a node is a leaf; None where it is not.

    ``report`` is that of the core, ``choice`` what the algorithm would choose, and ``scale`` the unit of entropies.
    """
    tree: Tree = model.tree_
    if tree.n_children[node]:
        return None
    mark = getattr(model, "by_hand_", {}).get(node)
    if mark == "leaf":
        return StopReason("by_hand", "it was made one by hand")
    reason = (
        _before_split(tree, node, report, recipe)
        or _without_split(report, recipe, choice, scale)
        or _by_p_value(report, recipe, choice, tree)
    )
    return None if mark == "open" else reason or _after_growing(model, node)


def _before_split(tree: Tree, node: int, report: Report, recipe: Recipe) -> StopReason | None:
    rows, depth = int(report["node"]["count"]), int(tree.depths[node])
    least, deepest = recipe["min_samples_split"], recipe["max_depth"]
    majority = recipe.get("sufficient_majority")
    classes = tree.schema.classes
    largest = max(report["node"]["value"]) if classes else 0.0
    if not rows:
        return StopReason(
            "no_rows", "no training rows reach it, so it predicts what its parent does"
        )
    if report["node"]["cost"] <= 0:
        what = f"all its rows have the class {label(tree.answer(node))}"
        return StopReason("pure", what if classes else "all its rows have the same number")
    if rows < least:
        what = "it has too few rows to be split"
        return StopReason("min_samples_split", what, rows, least, "<", "min_samples_split")
    if deepest is not None and depth >= deepest:
        what = "it is at the maximum depth"
        return StopReason("max_depth", what, depth, deepest, ">=", "max_depth")
    if majority is not None and largest >= majority - 1e-12:
        what = f"enough of its rows have the class {label(tree.answer(node))}"
        name = "sufficient_majority"
        return StopReason(name, what, largest, majority, ">=", name)
    return None


def _without_split(
    report: Report, recipe: Recipe, choice: Choice, scale: float
) -> StopReason | None:
    if not report["columns"]:
        return StopReason("no_columns", "every column is already used on its path")
    gains = {c["feature"]: c["gain"] * scale for c in report["columns"] if "gain" in c}
    if not gains or choice.chosen is None:
        return StopReason("no_candidate", _no_candidate(report, recipe))
    tau = recipe["min_gain"]
    best = max(gains.values())
    if tau is not None and report["chosen"] is None and best <= tau * scale + 1e-9:
        column = choice.chosen if choice.by != "gain ratio" else None
        what = "the best gain is not above the threshold"
        return StopReason("min_gain", what, best, tau * scale, "<=", "min_gain", column)
    fractions = recipe["fractions"]
    ratio = None if fractions is None else fractions.get("min_ratio")
    figure = choice.scores[choice.chosen]
    if ratio is not None and report["chosen"] is None and choice.by == "gain ratio":
        what = "the best gain ratio is not above the threshold"
        name = "min_gain_ratio"
        return StopReason(name, what, figure, ratio, "<=", name, choice.chosen)
    return None


def _no_candidate(report: Report, recipe: Recipe) -> str:
    fractions = recipe["fractions"]
    if fractions is None:
        return "no split of its rows is within the limits"
    cases = f"two branches of at least {fractions['min_cases']:g} rows (min_cases)"
    if any(c.get("cuts") for c in report["columns"]):
        return f"no column splits its rows into {cases} with a positive adjusted gain"
    return f"no column splits its rows into {cases}"


def _by_p_value(report: Report, recipe: Recipe, choice: Choice, tree: Tree) -> StopReason | None:
    most = recipe.get("max_p_value")
    if most is None or report["chosen"] is None:
        return None
    column = next(c for c in report["columns"] if c["feature"] == report["chosen"])
    p_value = _core.p_value(_class_weights(column))
    if p_value <= most:
        return None
    what = "the chi-square p-value of the best split is above the limit"
    name = tree.schema.names[report["chosen"]]
    return StopReason("max_p_value", what, p_value, most, ">", "max_p_value", name)


def _class_weights(column: Mapping[str, Any]) -> list[list[float]]:
    """Return the class weights of each child; rows with a missing value count in all, in fractions."""
    children = [[share * c["weight"] for share in c["value"]] for c in column["children"]]
    unknown = column.get("unknown")
    if unknown is not None and column["known"]["weight"] > 0:
        for child, figures in zip(children, column["children"], strict=True):
            part = figures["weight"] / column["known"]["weight"]
            for i, share in enumerate(unknown["value"]):
                child[i] += share * unknown["weight"] * part
    return children


def _after_growing(model: Any, node: int) -> StopReason:
    """Return what made a node a leaf that growing would have split."""
    params = model.get_params(deep=False)
    trace = getattr(model, "pruning_", None)
    grown = getattr(trace, "tree", None)
    was_leaf = None if grown is None else is_original_leaf(grown, model.tree_, node)
    leaves = params.get("max_leaf_nodes")
    if leaves is not None and model.tree_.n_leaves >= leaves:
        what = "the tree has as many leaves as allowed"
        return StopReason(
            "max_leaf_nodes", what, model.tree_.n_leaves, leaves, ">=", "max_leaf_nodes"
        )
    if params.get("complexity") is not None or params.get("variant") == "rpart":
        return StopReason(
            "pruned",
            "a split would decrease the error by less than the complexity parameter (complexity)",
        )
    by = trace.method if trace is not None else (params.get("prune") or "").replace("_", " ")
    if hasattr(model, "min_cases") and (was_leaf or not by):
        return StopReason("collapsed", "its split removed no training error, so it was undone")
    how = f" ({by})" if by else ""
    return StopReason("pruned", f"pruning replaced a subtree by it{how}")
