"""A model as PMML 4.4: a ``TreeModel``, a ``MiningModel`` for an ensemble, or a ``RuleSetModel``.

A walk without a way on stops and answers (``noTrueChildStrategy="returnLastPrediction"``). ``document`` writes XML and
what all models have, ``tree`` one tree, ``many`` how one answer comes of several.

The standard leaves the last bit of a sum and of an exponential to the program that reads the model, and does not say
who wins a tie of several trees; everything else is exact.

The standard divides a row with ``missingValueStrategy="weightedConfidence"``, and leaves open who wins a tie of such a
row; programs that read PMML follow it in part or not at all. So a tree that divides rows is written only as the caller
chooses: ``weighted``, as the standard says, or ``null``, without an answer for such rows.

What PMML has no word for is refused: several trees that divide rows, a tree that divides some rows and directs others,
surrogates for levels that a node never saw, and costs of rows that are divided or of several trees.
"""

from __future__ import annotations

import numpy as np

from treewright import _core
from treewright._export.combined_model import CombinedModel, refuse
from treewright._export.identifiers import no_text_of_xml, refuse_texts
from treewright._export.pmml.ensemble import write_many
from treewright._export.pmml.text import Document
from treewright._export.pmml.tree import Way, write_tree
from treewright._model.paths.ordered_tests import OrderedTests
from treewright.errors import Hint, UsageError
from treewright.schema import Schema, label

__all__ = ["refuse_names", "write"]

DIVIDE = ("null", "weighted")


def write(model: CombinedModel, *, divided: str | None = None) -> str:
    """Return the document."""
    if divided not in (None, *DIVIDE):
        raise UsageError(
            f"divided must be one of {', '.join(DIVIDE)}; got {divided!r}", slug="usage"
        )
    _refuse(model, divided)
    document = Document(model.schema, model.title)
    # Where rows are divided, a number that is no level must be told from the others.
    document.begin(numbers=not model.divides)
    if model.is_single_tree:
        write_tree(document, model.trees[0], Way(divided=divided))
    else:
        write_many(document, model)
    return document.end()


def _refuse(model: CombinedModel, divided: str | None) -> None:
    schema = model.schema
    for splits in model.trees:
        if splits.has_surrogates and splits.has_unrouted_levels:
            raise refuse("PMML", "a level that a question never saw is left to its surrogates")
    if model.is_single_tree:
        _refuse_divided(model, divided)
    elif model.divides:
        raise refuse("PMML", "it has several trees that divide rows", "each can be exported alone")
    elif model.how == "vote" and model.link != "softmax":
        raise refuse("PMML", "its votes are not turned into shares")
    elif schema.costs:
        raise refuse("PMML", "mistakes have costs, and it has several trees")
    refuse_names(schema)


def refuse_names(schema: Schema) -> None:
    """Refuse names that XML cannot hold."""
    texts = [*schema.names, *(level for c in schema.columns for level in c.levels), *schema.classes]
    refuse_texts("PMML", (label(text) for text in texts), no_text_of_xml)
    if "" in schema.names:
        raise refuse("PMML", "a column has no name")


def _refuse_divided(model: CombinedModel, divided: str | None) -> None:
    schema = model.schema
    [splits] = model.trees
    tree = splits.tree
    if splits.divides and divided is None:
        raise refuse(
            "PMML",
            "it divides rows with missing values among branches, and programs that read PMML disagree on such rows",
            Hint(option="divided", value="null", note="such rows get no prediction"),
            Hint(option="divided", value="weighted", note="as the standard defines it"),
        )
    missing = tree.missing[tree.n_children > 0]
    if splits.divides and not np.all(missing == _core.SHARE):
        raise refuse("PMML", "it divides rows at some questions only")
    if divided == "weighted" and splits.divides:
        if not _adds_up(splits):
            raise refuse("PMML", "it divides rows by weights that do not add up")
        if schema.costs:
            raise refuse("PMML", "mistakes have costs and rows are divided")
        if not schema.classes:
            raise refuse("PMML", "it predicts numbers and divides rows")


def _adds_up(splits: OrderedTests) -> bool:
    """Whether the children of each node have its weight: PMML divides rows by the weights of the children alone."""
    tree = splits.tree
    children = np.bincount(tree.parents[1:], weights=tree.weight[1:], minlength=tree.n_nodes)
    branches = tree.n_children > 0
    return bool(np.allclose(children[branches], tree.weight[branches], rtol=1e-9))
