"""``treewright lesson``: turn a table into a step-by-step lesson with a quiz."""

from __future__ import annotations

import os
from typing import Any

import click

from treewright._utils.choices import LANGUAGES, LESSON_STEPS, ROUNDING, UNITS
from treewright.cli.app.command import Command, group, option
from treewright.cli.app.completion import TablePath
from treewright.cli.app.console import Console
from treewright.cli.app.learner_options import learner_options
from treewright.cli.app.options import (
    TextOptions,
    column_options,
    missing_target_option,
    output_option,
    target_option,
    task_option,
    text_options,
    weight_option,
)
from treewright.cli.app.output import check_output, write_output
from treewright.cli.tables.source import Source
from treewright.errors import Hint, UsageError

__all__ = ["command"]

LEARNER_OPTIONS = frozenset(
    {"algorithm", "criterion", "depth", "min-rows", "min-split", "min-gain", "thresholds"}
    | {"prune", "confidence", "alpha"}
)
EXTENSIONS = (".html", ".tex", ".md", ".txt", ".json")


@click.command(
    "lesson",
    cls=Command,
    usage="treewright lesson FILE -t COL -o LESSON [OPTIONS]",
    examples=[
        "treewright lesson play-tennis -a id3 -o tennis.html",
        "treewright lesson golf -a c45 --quiz -o quiz.html",
        "treewright lesson play-tennis -a id3 --sheet --key -o sheet.tex",
    ],
)
@click.argument("model", type=TablePath())
@click.argument("file", type=TablePath(), required=False)
@group(
    "Content",
    option("--node N...", "Nodes to cover.  [default: all]", name="nodes"),
    option(
        "--steps STEP...",
        f"Screens to include: {', '.join(LESSON_STEPS)}.  [default: all that apply]",
        click.Choice(LESSON_STEPS),
    ),
    option(
        "--quiz",
        "Start with the results hidden. Typed results are accepted within 0.005, or as rounding at "
        "each step gives them.",
    ),
    option(
        "--sheet",
        "A printable exercise sheet instead of screens: the table, a name line, and blank results.",
    ),
    option("--key", "With --sheet: add the answer key on a new page."),
    option(
        "--language LANGUAGE",
        "Language of the sentences: en, de or zh.  [default: en]",
        click.Choice(LANGUAGES),
        default="en",
    ),
    option(
        "--max-rows N",
        "Stop if the table has more rows.  [default: 1000]",
        click.IntRange(1),
        default=1000,
    ),
)
@group(
    "Numbers",
    option(
        "--unit UNIT",
        "bits, nats or hartleys.  [default: bits]",
        click.Choice(UNITS),
        default="bits",
    ),
    option("--digits N", "Decimal places.  [default: 3]", click.IntRange(0, 12), default=3),
    option(
        "--rounding HOW",
        "exact, lecture (round every step) or truncate.  [default: exact]",
        click.Choice(ROUNDING),
        default="exact",
    ),
)
@target_option("Column to predict. Required for files.")
@missing_target_option()
@task_option()
@column_options()
@weight_option()
@learner_options(LEARNER_OPTIONS)
@text_options()
@output_option(
    "Required. The extension selects the format: .html .tex .md .txt .json (steps as data)."
)
@group("Output", option("--title TEXT", "Title.  [default: the name of the table]"))
@click.pass_obj
def command(
    console: Console, /, model: str, file: str | None, output: str | None, **options: Any
) -> None:
    """Turn a table into a lesson: one screen shows one idea.

    The screens are the table, the baselines, entropy, every candidate, the
    choice, how the rows are divided, the finished tree, one row's path, pruning,
    other algorithms, and a quiz.

    An .html lesson is one file that works offline. It contains the rows of the
    table.
    """
    from treewright import lesson

    suffix = _check_output(output, model, file, options)
    content = ("nodes", "steps", "quiz", "language", "max_rows", "unit", "digits", "rounding")
    wanted = {name: options.pop(name) for name in (*content, "title")}
    wanted["steps"] = wanted["steps"] or None
    wanted["nodes"] = _parse_nodes(wanted["nodes"])
    wanted["title"] = wanted["title"] or _title(file or model)
    sheet, key = options.pop("sheet"), options.pop("key")
    fitted, rows = _read(model, file, options, console)
    document = lesson(fitted, *rows, ascii=console.ascii or None, **wanted)
    result: Any = document
    if sheet:
        result = document.sheet().with_key() if key else document.sheet()
    write_output(result.forms()[suffix](), output, *(name for name in (model, file) if name))
    if output != "-":
        console.status(f"saved {output}")


def _check_output(output: str | None, model: str, file: str | None, options: dict[str, Any]) -> str:
    """Return the extension of the file to write; raise an error for options that have no effect."""
    if options["key"] and not options["sheet"]:
        raise UsageError("--key has no effect without --sheet", slug="usage")
    if options["sheet"] and options["quiz"]:
        raise UsageError("--sheet and --quiz cannot be combined", slug="usage")
    hint = Hint(option="output", value="lesson.html")
    if output is None:
        raise UsageError("lesson needs a file to write", slug="lesson.no-output", hints=[hint])
    suffix = os.path.splitext(output)[1].lower()
    if suffix not in EXTENSIONS:
        raise UsageError(
            f"cannot write to {output}: unsupported file extension",
            slug="lesson.suffix",
            hints=[f"supported: {' '.join(EXTENSIONS)}", hint],
        )
    check_output(output, *(name for name in (model, file) if name))
    return suffix


def _parse_nodes(values: tuple[str, ...]) -> Any:
    if values in ((), ("all",)):
        return "all"
    for value in values:
        if not value.isascii() or not value.isdecimal():
            raise UsageError(f'--node {value}: give the numbers of nodes, or "all"', slug="usage")
    return [int(value) for value in values]


def _title(name: str) -> str:
    """Return the name of a table without its folder and extension."""
    base = os.path.basename(name.partition("::")[0])
    return os.path.splitext(base)[0] or base


def _read(model: str, file: str | None, options: dict[str, Any], console: Console) -> Any:
    """Return the tree and its training rows; a table in place of a model is trained on."""
    from treewright.cli.app.options import ColumnOptions
    from treewright.cli.tables.model_file import load_model
    from treewright.cli.tables.train_model import train_model
    from treewright.cli.tables.work_tables import is_table, read_rows, refuse_columns

    text = TextOptions.pop_from(options)
    if file is None:
        if not is_table(model) and os.path.exists(model):
            raise UsageError(
                f"{model} is a model: a lesson needs its training table, too",
                slug="lesson.no-rows",
                hints=[Hint(call="lesson", arguments=("model", "X", "y"))],
            )
        fitted, data = train_model(Source.open(model, text, console), options, console)
        return fitted, (data.table, data.target, data.weights)
    fitted = load_model(model)
    refuse_columns(options["algorithm"], ColumnOptions.pop_from(options))
    return fitted, read_rows(fitted, file, options["target"], options["weight"], text, console)
