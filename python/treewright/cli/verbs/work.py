"""``treewright work``: the arithmetic behind a split."""

from __future__ import annotations

import os
from typing import Any

import click

from treewright.cli.app.command import Verb
from treewright.cli.app.console import Console
from treewright.cli.app.options import Columns, Text, column_options, text_options
from treewright.cli.app.output import csv_text, document_out
from treewright.cli.tables.model_file import load_model
from treewright.cli.tables.work_tables import is_table, learn, read_rows, refuse_columns, take_row
from treewright.errors import Hint, UsageError

__all__ = ["command"]

ENDINGS = {
    ".txt": "text",
    ".md": "markdown",
    ".tex": "latex",
    ".html": "html",
    ".svg": "svg",
    ".csv": "csv",
    ".json": "json",
}
FORMS = tuple(ENDINGS.values())
SUFFIX = {form: ending for ending, form in ENDINGS.items()}


class NodeNumber(click.ParamType[int | str]):
    """The number of a node, or all of them."""

    name = "node"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read it."""
        if value == "all" or isinstance(value, int):
            return value
        if not str(value).isdecimal():
            self.fail(f"{value!r} is neither the number of a node nor all", param, ctx)
        return int(value)


@click.command("work", cls=Verb)
@click.argument("model", type=click.Path())
@click.argument("file", type=click.Path(), required=False)
@click.option(
    "--node", type=NodeNumber(), default="0", metavar="N|all",
    help="Which node (#17 is 17); all: a page for each question of the tree.",
)  # fmt: skip
@click.option(
    "--what", type=click.Choice(["split", "prune", "curves", "distribution", "round"]),
    default="split", show_default=True,
    help="How the question was chosen, whether pruning keeps it, the curves of impurity, a number's cut, a round.",
)  # fmt: skip
@click.option("--round", type=click.IntRange(0), help="Which round of AdaBoost, from 0.")
@click.option(
    "--row",
    type=click.IntRange(1),
    help="Which row of FILE, from 1: of neighbours and of boosting.",
)
@click.option("-t", "--target", help="The target in FILE.  [default: the model's]")
@click.option(
    "-a", "--algorithm", "word", metavar="NAME", help="Of a table: who learns.  [default: as fit]"
)
@column_options
@click.option("--weight", metavar="COL", help="A column of FILE with weights.")
@click.option("--column", help='The candidate that is written out; "all" for every one.')
@click.option(
    "--unit", type=click.Choice(["bits", "nats", "hartleys"]), default="bits", help="Of entropies."
)
@click.option(
    "--digits", type=click.IntRange(0, 12), default=3, show_default=True, help="Decimals."
)
@click.option(
    "--rounding", type=click.Choice(["exact", "lecture", "truncate"]), default="exact", show_default=True,
    help="Round once, when printed; at every step, as on a blackboard; or cut off at every step.",
)  # fmt: skip
@click.option(
    "--cuts", type=click.IntRange(1), default=100, show_default=True,
    help="The most cuts of a number that are listed.",
)  # fmt: skip
@click.option("--blank", is_flag=True, help="A worksheet: blanks in place of figures.")
@click.option("--key", is_flag=True, help="With a worksheet, the answers on a page of their own.")
@click.option(
    "--stop-at", metavar="STAGE",
    help="A worksheet with blanks after this stage; of a split: counts, cut, entropy, remainder, gain, ratio.",
)  # fmt: skip
@click.option("--width", type=click.IntRange(1), help="Columns of text.  [default: the terminal's]")
@click.option("--format", "form", type=click.Choice(FORMS), help="The form.  [default: text]")
@click.option(
    "-o", "--output", type=click.Path(),
    help="Write to a file; its ending says the form: .txt .md .tex .html .svg .csv .json",
)  # fmt: skip
@click.option(
    "--standalone", is_flag=True, help="latex: a whole file that compiles; a file always is."
)
@text_options
@click.pass_obj
def command(
    console: Console,
    /,
    model: str,
    file: str | None,
    row: int | None,
    target: str | None,
    weight: str | None,
    form: str | None,
    output: str | None,
    key: bool,
    standalone: bool,
    word: str | None,
    **options: Any,
) -> None:
    """Show the arithmetic of a node of MODEL, or of a tree that is learnt from a table on the spot.

    A small model keeps what its nodes chose by; FILE, the table that it was fitted to, is needed by a large one.
    Of AdaBoost it is the work of a round, and FILE shows how the weights of its rows change. Of neighbours and of
    boosted trees it is the work of one row of FILE.
    """
    from treewright import work

    text, columns = Text.taken(options), Columns.taken(options)
    kind = _form(form, output, standalone)
    if key and not (options["blank"] or options["stop_at"]):
        raise UsageError("--key goes with --blank or --stop-at", slug="usage")
    about = (target, weight, text)
    if file is None and is_table(model):
        learnt, rows = learn(model, word, *about, columns, console)
    else:
        refuse_columns(word, columns)
        learnt = load_model(model)
        rows = read_rows(learnt, file, *about, console)
    options["ascii"] = console.ascii or None
    page: Any = work(learnt, options.pop("node"), *take_row(learnt, rows, row), **options)
    page = page.with_key() if key else page
    if output is None and kind == "text":
        console.say(page.text())
        return
    written = _written(page, kind, standalone or output is not None)
    document_out(written, output, *([model] if file is None else [model, file]))
    if output not in (None, "-"):
        console.status(f"saved {output}")


def _form(form: str | None, output: str | None, standalone: bool) -> str:
    """Return the form that is written: by its name, or by the ending of the file."""
    ending = "" if output is None else os.path.splitext(output)[1].lower()
    by_ending = ENDINGS.get(ending)
    if form is None and output not in (None, "-"):
        if by_ending is None:
            raise UsageError(
                f"the ending of {output} says no form",
                slug="work.suffix",
                hints=[f"endings that work: {' '.join(ENDINGS)}", Hint(option="format")],
            )
        form = by_ending
    form = form or "text"
    if by_ending not in (None, form):
        raise UsageError(
            f"--format {form} and the ending {ending} exclude each other",
            slug="usage",
            hints=["the ending of the file says the form"],
        )
    if standalone and form != "latex":
        raise UsageError("--standalone goes with --format latex", slug="usage")
    return form


def _written(page: Any, form: str, as_file: bool) -> str:
    """Return a page in a form."""
    if form == "csv":
        return csv_text(page.to_csv_rows())
    if form == "latex" and not as_file:
        return str(page.to_latex())
    return str(page.forms()[SUFFIX[form]]())
