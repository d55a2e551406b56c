"""``treewright prune``: list the prunings of a tree, or apply one."""

from __future__ import annotations

import json
from typing import Any

import click

from treewright.cli.app.command import Verb, several
from treewright.cli.app.console import Console
from treewright.cli.app.options import Text, text_options
from treewright.cli.app.output import csv_out, document_out, refuse_place
from treewright.cli.tables.model_file import load_model
from treewright.cli.tables.source import Source, quoted
from treewright.errors import Hint, UsageError

__all__ = ["command"]

METHODS = ("cost-complexity", "pessimistic", "reduced-error", "collapse", "snip")
# The options that only one method has.
OWN = {
    **dict.fromkeys(("alpha", "leaves", "risk", "choose", "cv"), "cost-complexity"),
    **dict.fromkeys(("confidence",), "pessimistic"),
    **dict.fromkeys(("holdout",), "reduced-error"),
    **dict.fromkeys(("nodes",), "snip"),
}


@click.command("prune", cls=Verb)
@click.argument("model", type=click.Path())
@click.argument("file", type=click.Path(), required=False)
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="cost-complexity",
    show_default=True,
    help="By a price for each leaf, by expected errors, by errors on other rows, leaves that say the same, or by hand.",
)
@click.option("--alpha", type=click.FloatRange(0), help="The price of a leaf.")
@click.option("--leaves", type=click.IntRange(1), help="The largest pruning with so many leaves.")
@click.option(
    "--choose",
    type=click.Choice(["1se", "least"]),
    help="By cross-validation on FILE: the smallest tree within one standard error of the least error, or the least.",
)
@click.option(
    "--cv", type=click.IntRange(2), help="Folds of the cross-validation on FILE.  [default: 10]"
)
@click.option(
    "--risk",
    type=click.Choice(["impurity", "errors"]),
    help="What a leaf costs: as in scikit-learn, or as in the CART book.  [default: impurity]",
)
@click.option(
    "--confidence", type=click.FloatRange(0, 1), help="The smaller, the smaller the tree."
)
@click.option(
    "--holdout",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="Hold this share of FILE out, grow a new tree from the rest, and prune it.",
)
@several("--nodes", metavar="N...", type=int, help="The nodes that become leaves.")
@click.option(
    "-t", "--target", metavar="COL", help="The answers in FILE.  [default: the model's target]"
)
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), help="How rows are drawn.  [default: 0]")
@text_options
@click.option("--trace", is_flag=True, help="Tell every decision, and why.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "csv", "markdown", "latex"]),
    default="text",
    help="The form of the list.",
)
@click.option(
    "-o", "--output", type=click.Path(), metavar="MODEL.tree", help="Save the smaller model."
)
@click.pass_obj
def command(
    console: Console,
    /,
    model: str,
    file: str | None,
    method: str,
    trace: bool,
    form: str,
    output: str | None,
    **options: Any,
) -> None:
    """List the prunings of MODEL, or apply one.

    Without a choice (--alpha, --leaves, --choose or another --method) the prunings are listed; with FILE, the rows the
    model was learnt from, together with their cross-validated error.
    """
    from treewright import save, show

    _refuse(method, options)
    if output is not None:
        refuse_place(output, model, *([file] if file else []))
    learnt = load_model(model)
    rows = _rows(learnt, file, options, console)
    options = {name: value for name, value in options.items() if value not in (None, ())}
    if method == "cost-complexity" and not {"alpha", "leaves", "choose"} & set(options):
        if output is not None:
            raise UsageError(
                "which pruning should be saved?",
                slug="prune.no-choice",
                hints=[
                    Hint(
                        call="prune",
                        arguments=("model",),
                        option="leaves",
                        value=5,
                        others={"output": output},
                    )
                ],
            )
        _list(learnt, rows, options, form, console)
        if form == "text":
            console.status(f"take one: treewright prune {quoted(model)} --leaves N -o SMALL.tree")
        return
    small = _pruned(learnt, method, rows, options)
    if trace:
        console.say(f"{small.pruning_}\n")
    place = "MODEL.tree" if output is None else quoted(output)
    console.say(show(small, ascii=console.ascii or None, command=f"treewright show {place}").text())
    console.say(f"{learnt.tree_.n_leaves:,} leaves before, {small.tree_.n_leaves:,} now")
    if output is not None:
        save(small, output)
        console.status(f"saved {output}")


def _refuse(method: str, options: dict[str, Any]) -> None:
    """Refuse options that belong to another method, and two choices at once."""
    for name, owner in OWN.items():
        if options[name] not in (None, ()) and method != owner:
            raise UsageError(f"--{name} belongs to --method {owner}", slug="usage")
    both = [f"--{name}" for name in ("alpha", "leaves", "choose") if options[name] is not None]
    if len(both) > 1:
        raise UsageError(f"{both[0]} and {both[1]} exclude each other", slug="usage")


def _rows(model: Any, file: str | None, options: dict[str, Any], console: Console) -> Any:
    """Return the rows and their truth, or None where no file was given."""
    from treewright.cli.tables.labelled_rows import rows_of

    text, target = Text.taken(options), options.pop("target")
    if file is not None:
        return rows_of(model, Source.of(file, text, console, once=True), target, console)
    needs = [
        f"--{name}" for name in ("choose", "cv", "holdout", "seed") if options[name] is not None
    ]
    if needs or target is not None or text.said:
        flag = [*needs, "--target"][0] if needs or target is not None else text.flags()
        raise UsageError(
            f"{flag} needs the rows",
            slug="prune.no-rows",
            hints=[Hint(call="prune", arguments=("model", "X", "y"))],
        )
    return None


def _list(model: Any, rows: Any, options: dict[str, Any], form: str, console: Console) -> None:
    path = _path(model, rows, options, cv=options.get("cv", 10))
    if form == "json":
        marks = {} if rows is None else {"least": path.best, "one_se": path.one_se}
        document = {"risk": path.risk_word, "prunings": list(path.rows())} | marks
        document_out(json.dumps(document, indent=1, allow_nan=False) + "\n", None)
    elif form == "csv":
        csv_out(list(path.rows()), None)
    elif form in ("markdown", "latex"):
        document_out(path.to_markdown() if form == "markdown" else path.to_latex(), None)
    else:
        console.say(str(path))


def _path(model: Any, rows: Any, options: dict[str, Any], cv: int | None) -> Any:
    from treewright import pruning_path

    risk = options.get("risk", "impurity")
    if rows is None:
        return pruning_path(model, risk=risk)
    return pruning_path(model, *rows, risk=risk, cv=cv, seed=options.get("seed", 0))


def _pruned(model: Any, method: str, rows: Any, options: dict[str, Any]) -> Any:
    from treewright import prune

    given = () if rows is None else rows
    if method == "cost-complexity" and "choose" not in options:
        risk = options.get("risk", "impurity")
        return prune(model, "cost_complexity", ccp_alpha=_alpha(model, options), risk=risk)
    if method == "reduced-error" and rows is None:
        raise UsageError(
            "reduced-error pruning needs rows that the tree was not grown from",
            slug="prune.no-rows",
            hints=[
                Hint(
                    call="prune",
                    arguments=("model", "X", "y"),
                    option="method",
                    value="reduced_error",
                )
            ],
        )
    if "holdout" in options:
        options["validation_fraction"] = options.pop("holdout")
    elif method != "cost-complexity":
        options.pop("seed", None)
    if method in ("collapse", "snip"):
        given = ()
    return prune(model, method.replace("-", "_"), *given, **options)


def _alpha(model: Any, options: dict[str, Any]) -> float:
    """Return the price that was given, or that leaves at most so many leaves."""
    if "alpha" in options:
        return float(options["alpha"])
    path = _path(model, None, options, cv=None)
    fits = [i for i, leaves in enumerate(path.leaves.tolist()) if leaves <= options["leaves"]]
    return float(path.alpha[fits[0]])
