"""``treewright fit``: learn a model from a table, show it, and say how good it is."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from treewright.cli.app.command import Verb
from treewright.cli.app.console import Console, data_out
from treewright.cli.app.learner_options import (
    ALGORITHMS,
    CRITERIA,
    DEFAULTS,
    PRUNING,
    Algorithm,
    algorithm,
)
from treewright.cli.app.options import Columns, Text, column_options, neighbor_options, text_options
from treewright.cli.app.output import refuse_place
from treewright.cli.app.progress import counted, told
from treewright.cli.tables.source import Source, quoted
from treewright.errors import UsageError

if TYPE_CHECKING:
    from treewright.cli.tables.training_data import Lesson

__all__ = ["command"]

# What goes to the learner, in the order in which a wrong one is told.
LIMITS = (
    *("trees", "rate", "depth", "min_rows", "min_split", "leaves", "min_gain"),
    *("min_gain_ratio", "sufficient_majority", "thresholds"),
    *("criterion", "prune", "confidence", "alpha", "max_p_value", "threads"),
    *("max_features", "oob"),
    *("neighbors", "vote", "metric", "scale"),
)


@click.command("fit", cls=Verb)
@click.argument("file", type=click.Path())
@click.option("-t", "--target", metavar="COL", help="The column to predict; never guessed.")
@click.option(
    "-a",
    "--algorithm",
    "word",
    metavar="NAME",
    help=f"{', '.join(ALGORITHMS)}.  [default: {DEFAULTS['classify']}; {DEFAULTS['regress']} for numbers]",
)
@click.option(
    "--task",
    type=click.Choice(["auto", "classify", "regress"]),
    default="auto",
    help="Whether the target is a class or a number; auto stops where that is not clear.",
)
@column_options
@text_options
@click.option(
    "--trees", "--n-estimators", "trees", type=click.IntRange(1), help="Trees, or rounds of them."
)
@click.option(
    "--rate",
    "--learning-rate",
    "rate",
    type=click.FloatRange(0, min_open=True),
    help="The factor of each tree of boosting, or of each vote of AdaBoost.",
)
@click.option(
    "--depth", "--max-depth", "depth", type=click.IntRange(1), help="Questions on a path at most."
)
@click.option(
    "--min-rows",
    "--min-leaf",
    "--min-samples-leaf",
    "min_rows",
    type=click.IntRange(1),
    help="The fewest rows of a branch; for c45 of two branches of a split.",
)
@click.option(
    "--min-split",
    "--min-samples-split",
    "min_split",
    type=click.IntRange(2),
    help="Fewer rows are not divided.",
)
@click.option(
    "--leaves",
    "--max-leaf-nodes",
    "leaves",
    type=click.IntRange(2),
    help="Leaves at most; the best splits are made first.",
)
@click.option(
    "--min-gain", type=click.FloatRange(0), help="Stop where the best gain is not above it."
)
@click.option(
    "--min-gain-ratio",
    type=click.FloatRange(0),
    help="Stop where the best gain ratio is not above it; for c45.",
)
@click.option(
    "--sufficient-majority",
    metavar="SHARE",
    type=click.FloatRange(0, 1),
    help="Stop where the most frequent class has at least this share; for c45 and id3.",
)
@click.option(
    "--thresholds",
    type=click.Choice(["value", "midpoint"]),
    help="What c45 compares numbers with: a value of the table, or the midpoint of two.",
)
@click.option(
    "--criterion",
    type=click.Choice(CRITERIA),
    help="What the best split is best in; by default what the algorithm is known for.",
)
@click.option(
    "--prune",
    type=click.Choice(list(PRUNING)),
    help="How the grown tree is pruned; by default as the algorithm does.",
)
@click.option(
    "--confidence",
    type=click.FloatRange(0, 1),
    help="The confidence of pessimistic pruning: the smaller, the smaller the tree.",
)
@neighbor_options
@click.option(
    "--alpha",
    type=click.FloatRange(0),
    help="The price of a leaf in cost-complexity pruning.  [default: chosen by cross-validation]",
)
@click.option(
    "--max-p-value",
    type=click.FloatRange(0, 1),
    help="Do not ask what chance alone would divide as well with a greater probability.",
)
@click.option(
    "--threads",
    type=click.IntRange(1),
    help="Threads to learn with; the model is the same.  [default: all]",
)
@click.option(
    "--max-features",
    metavar="N",
    callback=lambda context, option, value: _columns_word(value),
    help="How many columns a node of a forest or of boosting draws: a number, a share, sqrt or log2.",
)
@click.option(
    "--oob/--no-oob",
    default=None,
    help="Measure each row by the trees of a forest that have not seen it.",
)
@click.option("--weight", metavar="COL", help="The column with the weights of the rows.")
@click.option("--test", type=click.Path(), metavar="FILE", help="Measure the model on this table.")
@click.option(
    "--holdout",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="Measure on this share of the rows, learnt from the others.",
)
@click.option(
    "--cv", type=click.IntRange(2), metavar="N", help="Measure by N-fold cross-validation."
)
@click.option(
    "--loo", is_flag=True, help="Leave out each row in turn; done anyway up to 1,000 rows."
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**32 - 1),
    help="Which rows --holdout and --cv draw, and what bagging, forests and boosting draw.  [default: 0]",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="The form of what is printed.",
)
@click.option("-o", "--output", type=click.Path(), metavar="MODEL.tree", help="Save the model.")
@click.pass_obj
def command(console: Console, /, file: str, output: str | None, **options: Any) -> None:
    """Learn a model from FILE: a table, - for standard input, or a built-in table.

    The model is always learnt from all rows. --holdout, --cv and --loo learn others, without some rows, and measure
    them on those.
    """
    from treewright import save, show
    from treewright.cli.scoring.fit_report import Report
    from treewright.cli.scoring.holdout import Trial, evaluations

    text = Text.taken(options)
    test = None if options["test"] is None else Source.of(options["test"], text, console, once=True)
    chosen = {name: options[name] for name in ("holdout", "cv", "loo", "seed")}
    trial = Trial(test, **chosen, drawn=_draws(options))
    source = Source.of(file, text, console)
    if output is not None:
        refuse_place(output, file)
    model, lesson = _learn(source, options, console)
    trial.refuse(len(lesson.table))
    place = "MODEL.tree" if output is None else quoted(output)
    view = show(model, ascii=console.ascii or None, command=f"treewright show {place}")
    if options["form"] == "text":
        console.say(view.text())  # before the trials, which may take longer than the fit
    report = Report.of(model, view, lesson, evaluations(model, lesson, trial, console))
    if options["form"] == "text":
        console.say(report.figures())
    else:
        data_out(report.json() if options["form"] == "json" else report.markdown())
    if output is not None:
        save(model, output)
        console.status(f"saved {output} ({_size(output)})")


def _learn(source: Source, options: dict[str, Any], console: Console) -> tuple[Any, Lesson]:
    from treewright.cli.tables.training_data import Wish, lesson_of

    learner = None if options["word"] is None else algorithm(options["word"])
    columns = Columns.taken(options)
    target = options["target"] or source.target
    if target is None:
        raise _no_target(source)
    _refuse_names(source, target, options["weight"], columns)
    limits = {name: options[name] for name in LIMITS}
    if _draws(options):
        limits["seed"] = options["seed"]
    _refuse_idle(limits, options["word"])
    if learner is not None and options["weight"] is not None and not learner.weighted:
        raise _no_weights(learner)
    if learner is not None:  # what can be refused at once is not found out after reading
        learner.refuse(limits)
    wish = Wish(target, learner, options["task"], options["weight"], columns)
    lesson, learner, task = lesson_of(source, wish, console)
    model = learner.make(task, limits)
    if not learner.rounds:
        with told(model, console):
            return lesson.teach(model), lesson
    with counted("boosting", console) as callback:
        return lesson.teach(model, **({} if callback is None else {"callback": callback})), lesson


def _draws(options: dict[str, Any]) -> bool:
    """Return whether the learner draws rows or columns."""
    return options["word"] is not None and "seed" in algorithm(options["word"]).options


def _columns_word(value: str | None) -> Any:
    """Return a number of columns, a share of them, or a word."""
    if value is None or value in ("sqrt", "log2"):
        return value
    try:
        return int(value) if value.isdecimal() else float(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is neither a number nor sqrt or log2") from None


def _refuse_idle(limits: dict[str, Any], word: str | None) -> None:
    """Refuse a figure for a way of pruning that was not asked for; a price alone asks for its own."""
    own = "pessimistic" if word in (None, "c45", "rules") else "none"
    prune = limits["prune"] or own
    if limits["confidence"] is not None and prune != "pessimistic":
        raise UsageError(f"--confidence means nothing with --prune {prune}", slug="usage")
    if limits["alpha"] is not None:
        if limits["prune"] not in (None, "cost-complexity"):
            raise UsageError(f"--alpha means nothing with --prune {prune}", slug="usage")
        limits["prune"] = "cost-complexity"


def _refuse_names(source: Source, target: str, weight: str | None, columns: Columns) -> None:
    """Refuse columns that the table does not have, and one column in two roles."""
    source.require([target], "target")
    wishes = {"weight": (weight,) if weight else (), **asdict(columns)}
    for option, names in wishes.items():
        source.require(names, option)
    if target == weight or target in columns.ignore:
        other = "--weight" if target == weight else "--ignore"
        raise UsageError(f'"{target}" cannot be both the --target and {other}', slug="usage")


def _no_weights(learner: Algorithm) -> UsageError:
    able = [a.word for a in ALGORITHMS.values() if a.weighted]
    return UsageError(
        f"{learner.word} has no --weight: of its neighbours each is one row",
        slug="usage",
        hints=[f"it belongs to: {', '.join(able)}"],
    )


def _no_target(source: Source) -> UsageError:
    return UsageError(
        "which column should be predicted?",
        slug="fit.no-target",
        hints=["treewright never guesses the target", *source.target_hints("fit")],
    )


def _size(path: str) -> str:
    size = os.path.getsize(path)
    return f"{size} bytes" if size < 1000 else f"{round(size / 1000):,} KB"
