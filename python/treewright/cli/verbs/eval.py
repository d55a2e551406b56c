"""``treewright eval``: measure a model on a table with known target values."""

from __future__ import annotations

import math
import operator
import re
from typing import Any

import click

from treewright._evaluate.prediction_scores import CLASS_MEASURES, NUMBER_MEASURES
from treewright._utils.suggestions import find_closest
from treewright.cli.app.command import Command, group, option
from treewright.cli.app.completion import TablePath
from treewright.cli.app.console import Console
from treewright.cli.app.exit_codes import RequirementNotMetError
from treewright.cli.app.options import (
    TextOptions,
    format_option,
    output_option,
    target_option,
    text_options,
)
from treewright.cli.app.output import emit, find_format
from treewright.cli.tables.model_file import load_model
from treewright.cli.tables.source import Source, resolve_target
from treewright.errors import Hint, UsageError

__all__ = ["command"]

CONDITION = re.compile(r"\s*([\w-]+)\s*(>=|<=|>|<|=)\s*([-+\d.eE]+)(%?)\s*")
OPERATORS = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}
SMALLER_IS_BETTER = {m.name for m in (*CLASS_MEASURES, *NUMBER_MEASURES) if not m.greater_is_better}
COSTS = ("fp", "fn")


@click.command(
    "eval",
    cls=Command,
    examples=[
        "treewright eval loans.tree test.csv",
        "treewright eval loans.tree test.csv --require auc=0.9 log-loss=0.4",
        "treewright eval loans.tree test.csv --cost fp=1 fn=5",
        "treewright eval loans.tree test.csv --calibration -o calibration.svg",
    ],
)
@click.argument("model", type=click.Path())
@click.argument("file", type=TablePath())
@target_option("Column with the true values.  [default: the model's target]", "Evaluation")
@group(
    "Evaluation",
    option(
        "--require CONDITION...",
        "Exit with code 5 unless each condition holds. auc=0.9 is at least 0.9, log-loss=0.4 at most 0.4; "
        '"accuracy>0.9" and the like work too.\n'
        f"Classes:  {', '.join(m.name for m in CLASS_MEASURES)}\n"
        f"Numbers:  {', '.join(m.name for m in NUMBER_MEASURES)}",
    ),
    option(
        "--positive CLASS",
        "Two classes: the one that F1, --calibration, --lift and --cost are about.",
    ),
    option("--calibration", "Compare predicted probabilities with observed frequencies."),
    option("--lift", "Count the positive class among the rows with the highest probability."),
    option(
        "--cost fp=X fn=X...",
        "Two classes: find the probability threshold that costs least, given the cost of a false positive "
        "and of a false negative.",
        name="costs",
    ),
)
@text_options()
@format_option("text", "json", "csv", "markdown", "latex", "html", "svg")
@output_option()
@click.pass_obj
def command(
    console: Console,
    /,
    model: str,
    file: str,
    target: str | None,
    require: tuple[str, ...],
    positive: str | None,
    calibration: bool,
    lift: bool,
    costs: tuple[str, ...],
    form: str | None,
    output: str | None,
    **options: Any,
) -> None:
    """Measure MODEL on FILE, a table with known target values.

    It is compared with the baseline that always predicts the majority class (or the mean).
    The picture (-o FILE.svg) is the ROC curve, or what --calibration, --lift or --cost asks for.

    FILE is a table file, "-" for standard input, or a built-in table.
    """
    from treewright._evaluate.evaluation import Evaluation, baseline_prediction
    from treewright.cli.scoring.score_source import score_source

    form = find_format(form, output)
    prices = _read_costs(costs)
    fitted = load_model(model)
    wanted = {"calibration": calibration, "lift": lift, "threshold": bool(prices)}
    positive = _check_positive(fitted, positive, any(wanted.values()))
    source = Source.open(file, TextOptions.pop_from(options), console, once=True)
    name = resolve_target(
        target,
        fitted.schema_.target,
        source,
        what="the column with the true values",
        slug="eval.no-target",
    )
    score = score_source(fitted, source, name, console, positive)
    checks = [_check(condition, score.measures()) for condition in require]
    title, constant = f"{model} on {source.label}", baseline_prediction(fitted)
    more = _curves(score, wanted, prices)
    emit(Evaluation(title, score, constant, more, ascii=console.ascii or None), form, output)
    failed = [message for message, holds in checks if not holds]
    if failed:
        raise RequirementNotMetError(
            f"requirement not met: {failed[0]}", slug="eval.requirement", hints=failed[1:]
        )


def _read_costs(words: tuple[str, ...]) -> dict[str, float]:
    """Return the cost of false positives and of false negatives; one that is not given is 1."""
    if not words:
        return {}
    costs = dict.fromkeys(COSTS, 1.0)
    for word in words:
        name, _, value = word.partition("=")
        try:
            costs[name.strip().lower()] = float(value)
        except ValueError:
            costs[word] = -1.0
    if costs.keys() != {*COSTS} or not all(0 <= cost < math.inf for cost in costs.values()):
        raise UsageError(
            f'cannot read --cost "{" ".join(words)}"',
            slug="usage",
            hints=[
                "fp is the cost of a false positive, fn that of a false negative",
                Hint(option="cost", value=["fp=1", "fn=5"]),
            ],
        )
    return costs


def _check_positive(model: Any, positive: str | None, is_needed: bool) -> str | None:
    """Return the positive class by its name; an error for a model that has none."""
    from treewright._evaluate.evaluate import check_positive

    if positive is None and not is_needed:
        return None
    if not model.schema_.classes:
        option = "--positive" if positive is not None else "--calibration, --lift and --cost"
        raise UsageError(
            f"{option} works only for class targets; this model predicts numbers", slug="usage"
        )
    return check_positive(positive, model.classes_.tolist())


def _curves(score: Any, wanted: dict[str, bool], prices: dict[str, float]) -> dict[str, Any]:
    """Return the results that were asked for besides the measures."""
    from treewright._evaluate.calibration import calibrate
    from treewright._evaluate.evaluate import cheapest_of, require_positive
    from treewright._evaluate.lift import lift_of

    if not any(wanted.values()):
        return {}
    rows = require_positive(score.probabilities)
    results: dict[str, Any] = {}
    if wanted["calibration"]:
        results["calibration"] = calibrate(rows)
    if wanted["lift"]:
        results["lift"] = lift_of(rows)
    if wanted["threshold"]:
        results["threshold"] = cheapest_of(rows, **prices)
    return results


def _check(condition: str, measures: dict[str, float]) -> tuple[str, bool]:
    """Return what was measured for a condition, in words, and whether it holds."""
    parts = CONDITION.fullmatch(condition)
    try:
        name, sign, value = parts[1], parts[2], float(parts[3]) / (100 if parts[4] else 1)  # type: ignore[index]
    except (TypeError, ValueError):
        raise UsageError(
            f'cannot read --require "{condition}"',
            slug="usage",
            hints=[Hint(option="require", value="accuracy=0.9")],
        ) from None
    if name not in measures:
        near = find_closest(name, measures)
        raise UsageError(
            f'unknown measure "{name}" for this model',
            slug="usage",
            hints=[
                *([f"did you mean {near}?"] if near else []),
                f"measures: {', '.join(measures)}",
            ],
        )
    measured = measures[name]
    if sign == "=":
        sign = "<=" if name in SMALLER_IS_BETTER else ">="
    return (
        f"{name} is {measured:.4g}, required {sign} {value:.4g}",
        OPERATORS[sign](measured, value),
    )
