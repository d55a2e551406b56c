"""``treewright prune``: prune a tree, or list its pruning levels."""

from __future__ import annotations

import shlex
from typing import Any

import click

from treewright._utils.choices import LEVEL_RULES, PRUNING_METHODS, RISKS
from treewright.cli.app.command import Command, group, normalize, option
from treewright.cli.app.completion import TablePath
from treewright.cli.app.console import Console
from treewright.cli.app.options import (
    TextOptions,
    cv_option,
    format_option,
    output_option,
    seed_option,
    target_option,
    text_options,
)
from treewright.cli.app.output import check_output, emit
from treewright.cli.tables.model_file import load_model
from treewright.cli.tables.source import Source
from treewright.errors import Hint, UsageError

__all__ = ["command"]

METHOD_HELP = {
    "cost-complexity": "penalty per leaf (CART)",
    "pessimistic": "estimated error rate (C4.5)",
    "reduced-error": "errors on the rows of FILE",
    "collapse": "merge sibling leaves with the same prediction",
    "snip": "turn the nodes of --nodes into leaves",
}
# The options that only one method has.
METHOD_OF = {
    **dict.fromkeys(("alpha", "leaves", "risk", "choose", "cv"), "cost-complexity"),
    "confidence": "pessimistic",
    "holdout": "reduced-error",
    "nodes": "snip",
}
METHODS = [normalize(name) for name in PRUNING_METHODS]
LEVEL = "Choice of the level (cost-complexity; at most one)"


@click.command(
    "prune",
    cls=Command,
    examples=[
        "treewright prune loans.tree loans.csv",
        "treewright prune loans.tree --leaves 8 -o small.tree",
        "treewright prune loans.tree --method pessimistic --trace",
    ],
)
@click.argument("model", type=click.Path())
@click.argument("file", type=TablePath(), required=False)
@group(
    "Method",
    option(
        "--method METHOD",
        "".join(f"{name:<15}  {text}\n" for name, text in METHOD_HELP.items())
        + "[default: cost-complexity]",
        click.Choice(METHODS),
        default="cost-complexity",
    ),
    option(
        "--confidence X",
        "pessimistic: confidence factor from 0 to 1. Smaller values prune more.  [default: 0.25]",
        click.FloatRange(0, 1),
    ),
    option("--nodes N...", "snip: nodes that become leaves.", int),
    option(
        "--risk RISK",
        "cost-complexity: error of a leaf: impurity, as in scikit-learn, or errors, as in the CART "
        "book and rpart.  [default: impurity]",
        click.Choice(RISKS),
    ),
)
@group(
    LEVEL,
    option("--alpha|--ccp-alpha X", "Penalty per leaf.", click.FloatRange(0)),
    option(
        "--leaves|--max-leaf-nodes N",
        "Largest pruned tree with at most N leaves.",
        click.IntRange(1),
    ),
    option(
        "--choose RULE",
        "By cross-validation on FILE: 1se, the smallest tree within one standard error of the "
        "minimum, or min, the minimum itself.",
        click.Choice([*LEVEL_RULES, "min"]),
    ),
)
@cv_option("Folds for cross-validation on FILE.  [default: 10]")
@group(
    "Evaluation",
    option(
        "--holdout FRACTION",
        "reduced-error: hold out this fraction of FILE, grow a new tree on the rest, and prune it.",
        click.FloatRange(0, 1, min_open=True, max_open=True),
    ),
)
@seed_option("Random seed for folds and held-out rows.  [default: 0]", "Evaluation")
@target_option("Target column in FILE.  [default: the model's target]", "Input")
@text_options()
@group("Output", option("--trace", "Print the decision at every node, with its reason."))
@format_option("text", "json", "csv", "markdown", "latex", what="Format of the list: ")
@output_option("Save the pruned model.")
@click.pass_obj
def command(
    console: Console,
    /,
    model: str,
    file: str | None,
    method: str,
    trace: bool,
    form: str | None,
    output: str | None,
    **options: Any,
) -> None:
    """Prune the tree in MODEL, or list its pruning levels.

    Without --alpha, --leaves, --choose or a --method other than cost-complexity,
    the cost-complexity pruning levels are listed. With FILE, the training table,
    the list also shows their cross-validated error.
    """
    from treewright import save, show

    _check_options(method, options)
    if output is not None:
        check_output(output, model, *([file] if file else []))
    fitted = load_model(model)
    rows = _read_rows(fitted, file, options, console)
    options = {name: value for name, value in options.items() if value not in (None, ())}
    if method == "cost-complexity" and not {"alpha", "leaves", "choose"} & set(options):
        if output is not None:
            raise _no_level(output)
        emit(_pruning_path(fitted, rows, options, cv=options.get("cv", 10)), form, None)
        if form in (None, "text"):
            name = shlex.quote(model)
            console.status(f"to apply one: treewright prune {name} --leaves N -o small.tree")
        return
    pruned = _prune(fitted, method, rows, options)
    if trace:
        console.print(f"{pruned.pruning_}\n")
    path = "MODEL.tree" if output is None else shlex.quote(output)
    view = show(pruned, ascii=console.ascii or None, command=f"treewright show {path}")
    console.print(view.text())
    before, after = fitted.tree_.n_leaves, pruned.tree_.n_leaves
    console.print(f"pruned from {before:,} to {after:,} leaves")
    if output is not None:
        save(pruned, output)
        console.status(f"saved {output}")


def _check_options(method: str, options: dict[str, Any]) -> None:
    """Raise an error for options of another method, and for two levels at once."""
    for name, owner in METHOD_OF.items():
        if options[name] not in (None, ()) and method != owner:
            raise UsageError(f"--{name} works only with --method {owner}", slug="usage")
    levels = [f"--{name}" for name in ("alpha", "leaves", "choose") if options[name] is not None]
    if len(levels) > 1:
        raise UsageError(f"{levels[0]} and {levels[1]} cannot be combined", slug="usage")
    if options["choose"] == "min":
        options["choose"] = "least"


def _no_level(output: str) -> UsageError:
    hint = Hint(
        call="prune", arguments=("model",), option="leaves", value=5, others={"output": output}
    )
    return UsageError("no pruning level chosen", slug="prune.no-choice", hints=[hint])


def _read_rows(model: Any, file: str | None, options: dict[str, Any], console: Console) -> Any:
    """Return the rows and their true values, or None where no file is given."""
    from treewright.cli.tables.batches import read_labeled

    text, target = TextOptions.pop_from(options), options.pop("target")
    if file is not None:
        source = Source.open(file, text, console, once=True)
        return read_labeled(model, source, target, console)
    needs_rows = ("choose", "cv", "holdout", "seed")
    flags = [f"--{name}" for name in needs_rows if options[name] is not None]
    flags += ["--target"] if target is not None else []
    flags += text.flags()
    if flags:
        raise UsageError(
            f"{flags[0]} needs FILE, the training table",
            slug="prune.no-rows",
            hints=[Hint(call="prune", arguments=("model", "X", "y"))],
        )
    return None


def _pruning_path(model: Any, rows: Any, options: dict[str, Any], cv: int | None) -> Any:
    from treewright import pruning_path

    risk = options.get("risk", "impurity")
    if rows is None:
        return pruning_path(model, risk=risk)
    return pruning_path(model, *rows, risk=risk, cv=cv, random_state=options.get("seed", 0))


def _prune(model: Any, method: str, rows: Any, options: dict[str, Any]) -> Any:
    from treewright import prune

    if method == "cost-complexity" and "choose" not in options:
        risk = options.get("risk", "impurity")
        return prune(model, "cost_complexity", ccp_alpha=_alpha(model, options), risk=risk)
    if method == "reduced-error" and rows is None:
        hint = Hint(
            call="prune", arguments=("model", "X", "y"), option="method", value="reduced_error"
        )
        raise UsageError(
            "reduced-error pruning needs FILE, a validation table",
            slug="prune.no-rows",
            hints=[hint],
        )
    if "holdout" in options:
        options["validation_fraction"] = options.pop("holdout")
    elif method != "cost-complexity":
        options.pop("seed", None)
    if "seed" in options:
        options["random_state"] = options.pop("seed")
    data = () if rows is None or method in ("collapse", "snip") else rows
    return prune(model, method.replace("-", "_"), *data, **options)


def _alpha(model: Any, options: dict[str, Any]) -> float:
    """Return the penalty that was given, or the one for the largest tree with at most so many leaves."""
    if "alpha" in options:
        return float(options["alpha"])
    path = _pruning_path(model, None, options, cv=None)
    small = [i for i, leaves in enumerate(path.leaves.tolist()) if leaves <= options["leaves"]]
    return float(path.alpha[small[0]])
