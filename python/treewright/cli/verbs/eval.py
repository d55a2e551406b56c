"""``treewright eval``: measure a model on a table whose answers are known."""

from __future__ import annotations

import re
from typing import Any

import click

from treewright.cli.app.command import Verb
from treewright.cli.app.console import Console
from treewright.cli.app.exit_codes import UnmetError
from treewright.cli.app.options import Text, text_options
from treewright.cli.app.output import document_out
from treewright.cli.app.suggestions import closest
from treewright.cli.tables.model_file import load_model, usual_answer
from treewright.cli.tables.source import Source
from treewright.errors import Hint, UsageError

__all__ = ["command"]

REQUIREMENT = re.compile(r"\s*([\w-]+)\s*(>=|<=|>|<)\s*([-+\d.eE]+)(%?)\s*")


@click.command("eval", cls=Verb)
@click.argument("model", type=click.Path())
@click.argument("file", type=click.Path())
@click.option(
    "-t",
    "--target",
    metavar="COL",
    help="The column with the right answers.  [default: the model's target]",
)
@click.option(
    "--require",
    multiple=True,
    metavar="TEXT",
    help='End with exit code 5 unless this holds: "accuracy>=0.9". Measures: accuracy, error, '
    "balanced-accuracy, macro-precision; rmse, mae, r2.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "csv", "markdown", "latex"]),
    default="text",
    help="The form.",
)
@text_options
@click.option("-o", "--output", type=click.Path(), metavar="FILE", help="Write to a file.")
@click.pass_obj
def command(
    console: Console,
    /,
    model: str,
    file: str,
    target: str | None,
    require: tuple[str, ...],
    form: str,
    output: str | None,
    **options: Any,
) -> None:
    """Measure MODEL on FILE: a table, - for standard input, or a built-in table."""
    from treewright.cli.scoring.evaluation import Evaluation
    from treewright.cli.scoring.score_file import constant_score, measure

    learnt = load_model(model)
    source = Source.of(file, Text.taken(options), console, once=True)
    name = target or learnt.schema_.target
    if name is None:
        raise UsageError(
            "which column holds the true values of the target?",
            slug="eval.no-target",
            hints=[Hint(option="target")],
        )
    score = measure(learnt, source, name, console)
    demands = [_demand(text, score.measures()) for text in require]
    answer = usual_answer(learnt)
    found = Evaluation(f"{model} on {source.label}", score, answer, constant_score(score, answer))
    if form == "text" and output is None:
        console.say(found.text())
    else:
        document_out(found.document(form), output, model, file)
    failed = [said for said, holds in demands if not holds]
    if failed:
        raise UnmetError(failed[0], slug="eval.requirement", hints=failed[1:])


def _demand(text: str, measures: dict[str, float]) -> tuple[str, bool]:
    """Return what a requirement found, in words, and whether it holds."""
    parts = REQUIREMENT.fullmatch(text)
    try:
        name, sign, value = parts[1], parts[2], float(parts[3]) / (100 if parts[4] else 1)  # type: ignore[index]
    except (TypeError, ValueError):
        raise UsageError(
            f'--require "{text}" is not a requirement',
            slug="usage",
            hints=[Hint(option="require", value="accuracy>=0.9")],
        ) from None
    if name not in measures:
        near = closest(name, measures)
        raise UsageError(
            f'there is no measure "{name}" of this model',
            slug="usage",
            hints=[
                *([f"did you mean {near}?"] if near else []),
                f"measures: {', '.join(measures)}",
            ],
        )
    found = measures[name]
    holds = {">=": found >= value, "<=": found <= value, ">": found > value, "<": found < value}[
        sign
    ]
    return f"{name} is {found:.4g}; required was {sign} {value:.4g}", holds
