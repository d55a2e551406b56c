"""Screens 1 and 2 of a lesson as data: the table, and what 0-R and 1-R make of it."""

from __future__ import annotations

from typing import Any

from treewright._learners.baselines import OneRClassifier, ZeroRClassifier, ZeroRRegressor
from treewright._lesson.text_tables import say, screen
from treewright._lesson.training import SIGNS, Training, Values
from treewright._web.tree_document import feature_documents
from treewright._work.baseline_work import ColumnRule, RuleWork, rule_work
from treewright._work.row_group import Group
from treewright.schema import label

__all__ = ["baselines_screen", "table_screen", "table_values"]


def table_values(training: Training, name: str) -> Values:
    """Return the table of a lesson: features, rows, target."""
    rows = training.rows
    features = range(len(training.places))
    weighted = bool((rows.weights != 1).any())
    return {
        "name": name,
        "features": feature_documents(training.tree.schema),
        "rows": [[training.cell(f, row) for f in features] for row in range(len(rows.target))],
        "target_values": rows.target.tolist(),
        "target": training.target,
        "classes": [label(level) for level in training.classes] or None,
        "weights": rows.weights.tolist() if weighted else None,
    }


def table_screen(training: Training, group: Group) -> Values:
    """Return screen 1."""
    sentences = [
        say(
            "table.size",
            rows=len(training.rows.target),
            columns=len(training.places),
            target=training.target,
        )
    ]
    if training.classes:
        listed = [label(level) for level in training.classes]
        sentences.append(say("table.classes", n=len(listed), classes={"list": listed}))
    else:
        sentences.append(say("table.number", mean=training.number(group.mean or 0.0)))
    sentences.append(say("table.goal", target=training.target))
    return screen("table", sentences, group=training.group_values(group))


def baselines_screen(training: Training) -> Values:
    """Return screen 2."""
    x, y, weight = training.table
    if not training.classes:
        zero = rule_work(ZeroRRegressor().fit(x, y, weight), x, y, weight)
        sentences = [say("baselines.zero.number", mean=training.number(float(zero.prediction)))]
        return screen("baselines", sentences, zero_r=_zero(training, zero), one_r=None)
    zero = rule_work(ZeroRClassifier().fit(x, y, weight), x, y, weight)
    one = rule_work(OneRClassifier().fit(x, y, weight), x, y, weight)
    sentences = [
        say(
            "baselines.zero",
            class_name=label(zero.prediction),
            errors=training.weight(zero.errors),
            rows=training.weight(zero.weight),
        ),
        say("baselines.one"),
    ]
    if one.chosen is not None:
        errors = min(rule.errors for rule in one.columns)
        if one.tied:
            names = {"list": list(one.tied)}
            sentences.append(
                say(
                    "baselines.tie",
                    columns=names,
                    errors=training.weight(errors),
                    first=one.chosen,
                )
            )
        else:
            sentences.append(
                say("baselines.chosen", column=one.chosen, errors=training.weight(errors))
            )
    return screen("baselines", sentences, zero_r=_zero(training, zero), one_r=_one(training, one))


def _zero(training: Training, work: RuleWork) -> Values:
    prediction: Any = work.prediction
    return {
        "prediction": training.code(prediction) if training.classes else float(prediction),
        "errors": work.errors,
        "weight": work.weight,
        "class_weights": list(work.amounts),
    }


def _one(training: Training, work: RuleWork) -> Values:
    places = training.places
    return {
        "chosen": None if work.chosen is None else places[work.chosen],
        "tied": [places[name] for name in work.tied],
        "columns": [_column(training, rule) for rule in work.columns if rule.column in places],
    }


def _column(training: Training, rule: ColumnRule) -> Values:
    levels = training.tree.schema.columns[training.places[rule.column]].levels
    named = {label(level) for level in levels}
    parts = [
        {
            "branch": part.way if part.way in named else SIGNS.get(part.way, part.way),
            "class_weights": list(part.amounts),
            "prediction": training.code(part.prediction),
            "tied": part.tied,
            "errors": part.errors,
        }
        for part in rule.parts
    ]
    return {"feature": training.places[rule.column], "errors": rule.errors, "parts": parts}
