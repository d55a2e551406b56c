"""``treewright predict``: predict the rows of a table, in the order of the file and in bounded memory.

With ``-o`` the file appears when it is complete, or not at all.
"""

from __future__ import annotations

from typing import Any

import click

from treewright._utils.validation import is_number_text
from treewright.cli.app.command import Command, group, option
from treewright.cli.app.completion import TablePath
from treewright.cli.app.console import Console
from treewright.cli.app.options import TextOptions, format_option, output_option, text_options
from treewright.cli.app.output import find_format, open_output
from treewright.cli.scoring.prediction_writers import WRITERS
from treewright.cli.tables.model_file import load_model
from treewright.cli.tables.source import Source

__all__ = ["command"]

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\0")


@click.command(
    "predict",
    cls=Command,
    examples=[
        "treewright predict loans.tree new.csv > predictions.csv",
        "treewright predict loans.tree new.csv --proba --keep-columns -o out.csv",
    ],
)
@click.argument("model", type=click.Path())
@click.argument("file", type=TablePath())
@group(
    "Prediction",
    option("--proba", "Add the probability of each class."),
    option(
        "--interval LEVEL",
        "Add the ends of an interval that contains this fraction of the targets, such as 0.9. The "
        "model must be fitted with --interval.",
        click.FloatRange(0, 1, min_open=True, max_open=True),
    ),
    option(
        "--unseen HOW",
        "A category not seen in training:\n"
        "stop   predict with the node that tests it; models that split rows with missing values "
        "fractionally treat it as missing\n"
        "error  stop with an error\n"
        'mark   like stop, and name the column in "unseen"\n'
        "[default: stop]",
        click.Choice(["stop", "error", "mark"]),
        default="stop",
    ),
)
@text_options()
@group(
    "Output",
    option("--keep-columns", "Copy the columns of FILE to the output."),
    option(
        "--escape-formulas",
        "Put ' before text that a spreadsheet would run as a formula (= + - @). Changes the text; "
        "off by default.",
    ),
)
@format_option(*WRITERS, default="csv")
@output_option("Write to a file. It appears only when complete.")
@click.pass_obj
def command(
    console: Console,
    /,
    model: str,
    file: str,
    output: str | None,
    escape_formulas: bool,
    form: str | None,
    **options: Any,
) -> None:
    """Predict every row of FILE with MODEL.

    FILE is a table file, "-" for standard input, or a built-in table. It is read
    as a stream, so it may be larger than memory.

    Output columns: "prediction"; with --proba one "probability CLASS" per class;
    with --interval "low" and "high"; with --unseen mark "unseen". If FILE already
    has a column of that name, "_" is appended.
    """
    from treewright.cli.scoring.predictions import Predictions

    form = find_format(form, output, default="csv")
    fitted = load_model(model)
    source = Source.open(file, TextOptions.pop_from(options), console, once=True)
    predictions = Predictions(fitted, source, **options)
    writer, begun = WRITERS[form](predictions.is_numeric), False
    with open_output(output, model, file) as write:
        for header, rows in predictions.batches(console):
            if not begun:
                write(writer.header(_escape([header])[0] if escape_formulas else header))
                begun = True
            write(writer.rows(_escape(rows) if escape_formulas else rows))
        write(writer.end)
    for note in predictions.notes():
        console.note(note)


def _escape(rows: list[list[str]]) -> list[list[str]]:
    return [
        [f"'{c}" if c.startswith(FORMULA) and not is_number_text(c) else c for c in row]
        for row in rows
    ]
