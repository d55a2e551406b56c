"""``treewright compare``: try several learners with the same folds."""

from __future__ import annotations

import json
from typing import Any

import click

from treewright.cli.app.command import Verb, several
from treewright.cli.app.console import Console
from treewright.cli.app.learner_options import ALGORITHMS, algorithm
from treewright.cli.app.options import Columns, Text, column_options, text_options
from treewright.cli.app.output import csv_out, document_out
from treewright.cli.app.progress import watched
from treewright.cli.tables.source import Source
from treewright.errors import UsageError

__all__ = ["command"]


@click.command("compare", cls=Verb)
@click.argument("file", type=click.Path())
@click.option("-t", "--target", metavar="COL", help="The column to predict; never guessed.")
@several(
    "-a",
    "--algorithm",
    "words",
    metavar="NAME...",
    help=f"What to compare: {', '.join(ALGORITHMS)}.  [default: all that fit the task]",
)
@click.option(
    "--task",
    type=click.Choice(["auto", "classify", "regress"]),
    default="auto",
    help="Whether the target is a class or a number; auto stops where that is not clear.",
)
@column_options
@text_options
@click.option("--weight", metavar="COL", help="The column with the weights of the rows.")
@click.option("--cv", type=click.IntRange(2), default=10, show_default=True, help="The folds.")
@click.option(
    "--seed", type=click.IntRange(0, 2**32 - 1), default=0, help="How they are drawn.  [default: 0]"
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "csv", "markdown", "latex"]),
    default="text",
    help="The form.",
)
@click.option("-o", "--output", type=click.Path(), metavar="FILE", help="Write to a file.")
@click.pass_obj
def command(
    console: Console,
    /,
    file: str,
    form: str,
    output: str | None,
    cv: int,
    seed: int,
    **options: Any,
) -> None:
    """Try several learners on FILE with the same folds: a table, - for standard input, or a built-in table.

    0-R and 1-R, the simplest learners, are always tried too: what is not better than they are has learnt nothing.
    """
    from treewright import compare

    source = Source.of(file, Text.taken(options), console)
    lesson, task = _lesson(source, options, console)
    rows = len(lesson.table)
    if cv > rows:
        raise UsageError(f"--cv {cv} needs at least {cv} rows; there are {rows}", slug="usage")
    found = compare(
        _models(options["words"], task, options["weight"] is not None),
        lesson.table,
        lesson.target,
        lesson.weights,
        cv=cv,
        seed=seed,
        watch=lambda items, total: watched(items, total, f"{cv}-fold cross-validation", console),
    )
    if form == "text" and output is None:
        console.say(str(found))
        console.note(found.caveat)
    elif form == "json":
        document_out(json.dumps(found.to_dict(), indent=1, allow_nan=False) + "\n", output, file)
    elif form == "csv":
        learners = found.to_dict()["learners"]
        listed = [{k: v for k, v in row.items() if k != "scores"} for row in learners]
        csv_out(listed, output, file)
    else:
        writers = {"markdown": found.to_markdown, "latex": found.to_latex}
        text = writers[form]() if form in writers else f"{found}\n\n{found.caveat}\n"
        document_out(text, output, file)


def _lesson(source: Source, options: dict[str, Any], console: Console) -> tuple[Any, str]:
    from treewright.cli.tables.training_data import Wish, lesson_of

    columns = Columns.taken(options)
    target = options["target"] or source.target
    if target is None:
        raise UsageError(
            "which column should be predicted?",
            slug="fit.no-target",
            hints=source.target_hints("compare"),
        )
    source.require([target], "target")
    weight = options["weight"]
    if weight is not None:
        source.require([weight], "weight")
    for word in options["words"]:
        algorithm(word)  # what can be refused at once is not found out after reading
    wish = Wish(target, None, options["task"], weight, columns)
    lesson, _, task = lesson_of(source, wish, console)
    return lesson, task


def _models(words: tuple[str, ...], task: str, weighted: bool) -> dict[str, Any]:
    """Return the learners by their words, as the algorithms make them without any option."""
    import treewright

    able = [
        word for word, a in ALGORITHMS.items() if task in a.tasks and (a.weighted or not weighted)
    ]
    for word in words:
        if word not in able:
            raise UsageError(
                f"{word} does not {task}{' with --weight' if weighted else ''}",
                slug="usage",
                hints=[f"algorithms: {', '.join(able)}"],
            )
    simplest = [word for word in ("one-r", "zero-r") if word in able]
    chosen = dict.fromkeys([*words, *simplest]) if words else able
    return {word: getattr(treewright, ALGORITHMS[word].learners[task])() for word in chosen}
