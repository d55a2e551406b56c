"""A model as PMML 4.4: a ``TreeModel``, a ``MiningModel`` for an ensemble, or a ``RuleSetModel``.

A path without a matching child stops and predicts (``noTrueChildStrategy="returnLastPrediction"``). The standard leaves
the last bit of a sum and of an exponential, and ties between several trees, to the program that reads the model.
Everything else is exact.

The standard splits rows fractionally with ``missingValueStrategy="weightedConfidence"`` and leaves ties of such rows
open; programs that read PMML follow it in part or not at all. So the caller must choose for a tree with fractional
rows: ``divided="weighted"``, as in the standard, or ``"null"``, no prediction for such rows.

PMML cannot express several trees with fractional rows, a tree that divides rows at some splits only, surrogates for
levels that a node never saw, and misclassification costs of fractional rows or of several trees.
"""

from __future__ import annotations

import numpy as np

from treewright import _core
from treewright._export.combined_model import CombinedModel, refuse
from treewright._export.identifiers import cannot_be_xml, refuse_texts
from treewright._export.pmml.ensemble import write_ensemble
from treewright._export.pmml.rules import write_rules
from treewright._export.pmml.text import Document
from treewright._export.pmml.tree import TreeOptions, write_tree
from treewright._export.rule_set import RuleSet
from treewright._model.paths import OrderedTests
from treewright._utils.choices import FRACTIONAL
from treewright.errors import Hint, UsageError
from treewright.schema import Schema, label

__all__ = ["write"]


def write(model: CombinedModel | RuleSet, *, divided: str | None = None) -> str:
    """Return the document."""
    if divided not in (None, *FRACTIONAL):
        allowed = ", ".join(FRACTIONAL)
        raise UsageError(f"divided must be one of {allowed}; got {divided!r}", slug="usage")
    if isinstance(model, CombinedModel):
        _refuse(model, divided)
    _refuse_names(model.schema)
    document = Document(model.schema, model.title)
    # With fractional rows, a number that is not a level must be distinguished from the levels.
    document.begin(numbers=isinstance(model, RuleSet) or not model.divides)
    if isinstance(model, RuleSet):
        write_rules(document, model)
    elif model.is_single_tree:
        write_tree(document, model.trees[0], TreeOptions(divided=divided))
    else:
        write_ensemble(document, model)
    return document.end()


def _refuse(model: CombinedModel, divided: str | None) -> None:
    for splits in model.trees:
        if splits.has_surrogates and splits.has_unrouted_levels:
            raise refuse("PMML", "a level that a node never saw is left to surrogates")
    if model.is_single_tree:
        _refuse_divided(model, divided)
    elif model.divides:
        raise refuse("PMML", "it has several trees that divide rows", "each can be exported alone")
    elif model.how == "vote" and model.link != "softmax":
        raise refuse("PMML", "its votes are not turned into probabilities")
    elif model.schema.costs:
        raise refuse("PMML", "it has misclassification costs and several trees")


def _refuse_names(schema: Schema) -> None:
    texts = [
        *schema.names,
        *(level for c in schema.columns for level in (*c.levels, *c.order)),
        *schema.classes,
    ]
    refuse_texts("PMML", (label(text) for text in texts), cannot_be_xml)
    if "" in schema.names:
        raise refuse("PMML", "a column has no name")


def _refuse_divided(model: CombinedModel, divided: str | None) -> None:
    [splits] = model.trees
    if not splits.divides:
        return
    if divided is None:
        raise refuse(
            "PMML",
            "it divides rows with missing values among branches, and programs that read PMML disagree on such rows",
            Hint(option="divided", value="null", note="such rows get no prediction"),
            Hint(option="divided", value="weighted", note="as the standard defines it"),
        )
    tree = splits.tree
    if not np.all(tree.missing[tree.n_children > 0] == _core.SHARE):
        raise refuse("PMML", "it divides rows at some splits only")
    if divided == "weighted":
        if not _weights_add_up(splits):
            raise refuse("PMML", "it divides rows by weights that do not add up")
        if model.schema.costs:
            raise refuse("PMML", "it has misclassification costs and divides rows")
        if not model.schema.classes:
            raise refuse("PMML", "it predicts numbers and divides rows")


def _weights_add_up(splits: OrderedTests) -> bool:
    """Whether the weights of the children add up to that of the node: PMML divides rows by the former alone."""
    tree = splits.tree
    children = np.bincount(tree.parents[1:], weights=tree.weight[1:], minlength=tree.n_nodes)
    branches = tree.n_children > 0
    return bool(np.allclose(children[branches], tree.weight[branches], rtol=1e-9))
