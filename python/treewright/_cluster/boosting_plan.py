"""The plan of a boosting fit from the parameters of its estimator, and the model that its trees make."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from treewright import _core
from treewright._cluster.column_facts import ColumnFacts
from treewright._cluster.fit_plan import BoostingPlan
from treewright._cluster.merged_schema import merge_schema
from treewright._cluster.packed_rows import PackedRows, join_rows
from treewright._cluster.table_facts import TableFacts
from treewright._input.class_weights import factors
from treewright._input.column_notes import MAX_CELLS, NOTES, NOTHING, Note, note_values
from treewright._input.source_columns import prepare_training
from treewright._input.target import ClassTarget, NumberTarget
from treewright._learners.boosting.boosting_recipe import boost_recipe, count_sums
from treewright._learners.boosting.boosting_rounds import warn_if_no_splits
from treewright._learners.boosting.init_model import InitialSums, base_for_init
from treewright._learners.boosting.training_rows import FitArguments, check_validation
from treewright._utils.random_state import seed_from
from treewright._utils.validation import check_integer
from treewright.schema import Column, Schema

__all__ = [
    "finish_model",
    "is_divisible",
    "note_facts",
    "note_rows",
    "plan_boosting",
]


def is_divisible(estimator: Any, facts: TableFacts) -> bool:
    """Whether the rows of a fit may be divided: not with exact splits, an estimator as ``init``, or a warm start."""
    params = estimator.get_params(deep=False)
    is_continued = params["warm_start"] and estimator.__sklearn_is_fitted__()
    one_class = facts.target.classes is not None and len(facts.target.classes) == 1
    starts_with_estimator = hasattr(params["init"], "fit")
    return not (is_continued or one_class or starts_with_estimator or params["splits"] == "exact")


def plan_boosting(estimator: Any, facts: TableFacts) -> BoostingPlan:
    """Check the parameters of an estimator and return the plan of its fit."""
    params = estimator.get_params(deep=False)
    seed = seed_from(params["random_state"])
    merged = merge_schema(facts, pool=estimator._pools_rare_levels)
    target, by_class = facts.target.empty, []
    if isinstance(target, ClassTarget):
        totals = facts.target.class_totals
        by_class = factors(params["class_weight"], None, target, None, totals)
    else:
        target = NumberTarget(target.name, np.array([facts.target.least, facts.target.most]))
    recipe = boost_recipe(params, merged.schema, target, seed, facts.rows)
    validation = None
    if params["early_stopping"]:
        validation = check_validation(params["validation_fraction"], facts.rows)
    rounds = check_integer("n_estimators", params["n_estimators"], minimum=1)
    base = base_for_init(params["init"], count_sums(recipe))
    return BoostingPlan(recipe, merged, facts, by_class, rounds, validation, base)


def finish_model(
    estimator: Any,
    plan: BoostingPlan,
    forest: _core.Forest,
    losses: list[list[float]],
    schema: Schema,
) -> Any:
    """Set the fitted state of a local estimator."""
    facts = plan.facts
    estimator._clear_fitted()
    estimator._store_init(InitialSums(plan.base))
    estimator._store_scores(losses, False, FitArguments())
    estimator.n_estimators_ = forest.n_trees // count_sums(plan.recipe)
    estimator._forest, estimator.schema_ = forest, schema
    estimator.n_features_in_ = len(schema.columns)
    if facts.is_named:
        estimator.feature_names_in_ = np.array(schema.names, dtype=object)
    estimator._store_classes(facts.target.empty)
    warn_if_no_splits(forest, plan.recipe["min_leaf"], facts.rows)
    return estimator


def note_rows(plan: BoostingPlan, parts: Sequence[PackedRows]) -> Schema:
    """Return the schema with notes on the values of a table that is small enough to look at all of them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the plan has warned
        table = prepare_training(join_rows(parts, plan.facts).table)
    return note_values(plan.merged.schema, table)


def note_facts(plan: BoostingPlan) -> Schema | None:
    """Return the schema with the notes that large tables get; None for a small table, whose values are read."""
    facts, schema = plan.facts, plan.merged.schema
    if facts.rows * len(schema.columns) <= MAX_CELLS:
        return None
    triples = zip(schema.columns, facts.columns, plan.merged.ignored, strict=True)
    return replace(schema, columns=tuple(_note(*triple) for triple in triples))


def _note(column: Column, facts: ColumnFacts, ignored: bool) -> Column:
    decimals, single = _digits(column, facts)
    missing = facts.missing > 0 and not ignored
    return replace(column, missing=missing, decimals=decimals, single=single)


def _digits(column: Column, facts: ColumnFacts) -> Note:
    if column.kind != "numeric":
        return NOTHING
    if facts.kind != "numeric" or facts.integers:  # ordered categories are positions
        return NOTES[0]
    return None, facts.single
