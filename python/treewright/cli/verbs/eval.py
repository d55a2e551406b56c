"""``treewright eval``: measure a model on a table with known target values."""

from __future__ import annotations

import operator
import re
from typing import Any

import click

from treewright._evaluate.prediction_scores import CLASS_MEASURES, NUMBER_MEASURES
from treewright._utils.suggestions import find_closest
from treewright.cli.app.command import Command, group, option
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
from treewright.cli.tables.model_file import baseline_prediction, load_model
from treewright.cli.tables.source import Source, resolve_target
from treewright.errors import Hint, UsageError

__all__ = ["command"]

CONDITION = re.compile(r"\s*([\w-]+)\s*(>=|<=|>|<)\s*([-+\d.eE]+)(%?)\s*")
OPERATORS = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}


@click.command(
    "eval",
    cls=Command,
    examples=[
        "treewright eval loans.tree test.csv",
        'treewright eval loans.tree test.csv --require "accuracy>=0.9"',
    ],
)
@click.argument("model", type=click.Path())
@click.argument("file", type=click.Path())
@target_option("Column with the true values.  [default: the model's target]", "Evaluation")
@group(
    "Evaluation",
    option(
        "--require CONDITION",
        'Exit with code 5 unless the condition holds, for example "accuracy>=0.9".\n'
        f"Classes:  {', '.join(m.name for m in CLASS_MEASURES)}\n"
        f"Numbers:  {', '.join(m.name for m in NUMBER_MEASURES)}",
        multiple=True,
    ),
)
@text_options()
@format_option("text", "json", "csv", "markdown", "latex", "html")
@output_option()
@click.pass_obj
def command(
    console: Console,
    /,
    model: str,
    file: str,
    target: str | None,
    require: tuple[str, ...],
    form: str | None,
    output: str | None,
    **options: Any,
) -> None:
    """Measure MODEL on FILE, a table with known target values.

    It is compared with the baseline that always predicts the majority class (or the mean).

    FILE is a table file, "-" for standard input, or a built-in table.
    """
    from treewright.cli.scoring.evaluation import Evaluation, score_source

    form = find_format(form, output)
    fitted = load_model(model)
    source = Source.open(file, TextOptions.pop_from(options), console, once=True)
    name = resolve_target(
        target,
        fitted.schema_.target,
        source,
        what="the column with the true values",
        slug="eval.no-target",
    )
    score = score_source(fitted, source, name, console)
    checks = [_check(condition, score.measures()) for condition in require]
    title, constant = f"{model} on {source.label}", baseline_prediction(fitted)
    emit(Evaluation(title, score, constant, ascii=console.ascii or None), form, output)
    failed = [message for message, holds in checks if not holds]
    if failed:
        raise RequirementNotMetError(
            f"requirement not met: {failed[0]}", slug="eval.requirement", hints=failed[1:]
        )


def _check(condition: str, measures: dict[str, float]) -> tuple[str, bool]:
    """Return what was measured for a condition, in words, and whether it holds."""
    parts = CONDITION.fullmatch(condition)
    try:
        name, sign, value = parts[1], parts[2], float(parts[3]) / (100 if parts[4] else 1)  # type: ignore[index]
    except (TypeError, ValueError):
        raise UsageError(
            f'cannot read --require "{condition}"',
            slug="usage",
            hints=[Hint(option="require", value="accuracy>=0.9")],
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
    return (
        f"{name} is {measured:.4g}, required {sign} {value:.4g}",
        OPERATORS[sign](measured, value),
    )
