"""``treewright work``: the arithmetic behind a split."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from typing import Any

import click

from treewright.cli.console import Console
from treewright.cli.models import load_model
from treewright.cli.options import Columns, Text, column_options, text_options
from treewright.cli.output import csv_text, document_out
from treewright.cli.sources import Source
from treewright.cli.verb import Verb
from treewright.errors import DataError, Hint, UsageError

__all__ = ["command"]

GLANCE = 64  # bytes that tell a model from a table


@click.command("work", cls=Verb)
@click.argument("model", type=click.Path())
@click.argument("file", type=click.Path(), required=False)
@click.option("--node", type=click.IntRange(0), default=0, help="Which node (#17 is 17).")
@click.option(
    "--what", type=click.Choice(["split", "prune", "curves", "distribution", "round"]),
    default="split", show_default=True,
    help="How the question was chosen, whether pruning keeps it, the curves of impurity, a number's cut, a round.",
)  # fmt: skip
@click.option("--round", type=click.IntRange(0), help="Which round of AdaBoost, from 0.")
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
    "--rounding", type=click.Choice(["exact", "lecture"]), default="exact", show_default=True,
    help="Round once, when printed, or at every step, as on a blackboard.",
)  # fmt: skip
@click.option("--blank", is_flag=True, help="A worksheet: boxes in place of figures.")
@click.option("--key", is_flag=True, help="With --blank, the answer sheet after it.")
@click.option(
    "--stop-at", type=click.Choice(["entropy", "remainder", "gain"]), help="Boxes after this stage."
)
@click.option("--width", type=click.IntRange(1), help="Columns of text.  [default: the terminal's]")
@click.option(
    "--format", "form", type=click.Choice(["text", "markdown", "latex", "html", "svg", "csv", "json"]),
    default="text", show_default=True, help="The form.",
)  # fmt: skip
@click.option("--standalone", is_flag=True, help="latex: a whole file that compiles.")
@text_options
@click.pass_obj
def command(
    console: Console,
    /,
    model: str,
    file: str | None,
    target: str | None,
    weight: str | None,
    form: str,
    key: bool,
    standalone: bool,
    word: str | None,
    **options: Any,
) -> None:
    """Show the arithmetic of a node of MODEL, or of a tree that is learnt from a table on the spot.

    A small model keeps what its nodes chose by; FILE, the table that it was fitted to, is needed by a large one.
    Of AdaBoost it is the work of a round, and FILE shows how the weights of its rows change.
    """
    from treewright import work
    from treewright.arithmetic import PruneWork, RoundWork, Work

    text, columns = Text.taken(options), Columns.taken(options)
    if key and not options["blank"]:
        raise UsageError("--key goes with --blank", slug="usage")
    if file is None and _is_table(model):
        learnt = _taught(model, word, target, weight, text, columns, console)
        target, weight, text = None, None, Text({})
    else:
        _refuse_columns(word, columns)
        learnt = load_model(model)
    if hasattr(learnt, "kneighbors"):
        raise UsageError(
            "the work of neighbours is the vote of one row",
            slug="work.no-candidates",
            hints=[Hint(call="explain", arguments=("model", "row"))],
        )
    rows: tuple[Any, ...] = ()
    if file is not None:
        rows = _rows(file, target or learnt.schema_.target, weight, text, console)
    elif target is not None or weight is not None or text.said:
        raise UsageError(
            "what is said about a table needs one",
            slug="usage",
            hints=[Hint(call="work", arguments=("model", "X", "y"))],
        )
    shown: Any = work(learnt, options.pop("node"), *rows, ascii=console.ascii or None, **options)
    for page in [shown, shown.key()] if key and isinstance(shown, Work) else [shown]:
        if form == "text":
            console.say(page.text())
        elif form == "json":
            document_out(json.dumps(page.to_dict(), indent=1, allow_nan=False) + "\n", None)
        elif form == "csv":
            document_out(_csv(page), None)
        elif form == "svg":
            if isinstance(page, Work | PruneWork | RoundWork):
                raise UsageError(
                    "only --what curves and --what distribution are pictures", slug="usage"
                )
            document_out(page.to_svg() + "\n", None)
        elif form == "latex":
            document_out(page.to_latex(standalone=standalone).rstrip("\n") + "\n", None)
        else:
            document_out(
                (page.to_markdown() if form == "markdown" else page.to_html() + "\n"), None
            )


def _is_table(name: str) -> bool:
    """Whether a name stands for a table: a built-in one, or a file that is no model by its first bytes."""
    from treewright import ModelFileError, datasets
    from treewright.files import from_bytes

    if not os.path.exists(name):
        return name in datasets.__all__ or name.replace("-", "_") in datasets.__all__
    if not os.path.isfile(name):
        return False
    with open(name, "rb") as file:
        start = file.read(GLANCE)
    try:
        from_bytes(start)
    except ModelFileError as error:
        return error.slug == "model.not-a-model" and not name.endswith(".tree")
    return False


def _refuse_columns(word: str | None, columns: Columns) -> None:
    said = [f"--{name}" for name, value in asdict(columns).items() if value]
    if word is not None or said:
        first = said[0] if said else "--algorithm"
        raise UsageError(
            f"{first} goes with a table, and this is a model",
            slug="usage",
            hints=["name the table in place of the model"],
        )


def _taught(
    name: str,
    word: str | None,
    target: str | None,
    weight: str | None,
    text: Text,
    columns: Columns,
    console: Console,
) -> Any:
    """Learn a model from a table, as fit does."""
    from treewright.cli.algorithms import algorithm
    from treewright.cli.fit import LIMITS
    from treewright.cli.lessons import Wish, lesson_of

    source = Source.of(name, text, console)
    wanted = target or source.target
    if wanted is None:
        raise UsageError(
            "which column is the target?", slug="fit.no-target", hints=[Hint(option="target")]
        )
    source.require([wanted], "target")
    for option, names in asdict(columns).items():
        source.require(names, option)
    learner = None if word is None else algorithm(word)
    wish = Wish(wanted, learner, "auto", weight, columns)
    lesson, learner, task = lesson_of(source, wish, console)
    return lesson.teach(learner.make(task, dict.fromkeys(LIMITS)))


def _csv(page: Any) -> str:
    """Return the candidates as rows of a table."""
    found = page.to_dict()
    if "candidates" not in found:
        raise UsageError("only --what split is a table of candidates", slug="usage")
    kept = ("remaining", "gain", "price", "split_information", "gain_ratio", "gini_decrease")
    return csv_text(
        [
            {"column": c["column"], **{name: c[name] for name in kept}, "verdict": c["verdict"]}
            for c in found["candidates"]
        ]
    )


def _rows(
    file: str, target: str | None, weight: str | None, text: Text, console: Console
) -> tuple[Any, Any, Any]:
    """Read a whole table: the columns, the target, the weights."""
    source = Source.of(file, text, console, once=False)
    if target is None:
        raise UsageError(
            "which column is the target?", slug="fit.no-target", hints=[Hint(option="target")]
        )
    table = source.inspect(Columns()).table
    for name in (target, *([weight] if weight else [])):
        if name not in table.columns:
            raise DataError(
                f'{source.label} has no column "{name}"',
                slug="data.no-such-column",
                hints=[f"columns: {', '.join(table.columns)}"],
            )
    weights = None if weight is None else table.column(weight).data
    return table.drop([target]), table.column(target), weights
