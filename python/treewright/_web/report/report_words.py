"""Sentences of a report: what the model is, its parameters, how to make it again, and the meaning of terms."""

from __future__ import annotations

import inspect
import shlex
from typing import Any

import numpy
import sklearn

from treewright import _core
from treewright._catalog import LEARNERS
from treewright._learners.trees.training_record import Rows, digest_of
from treewright._pruning.pruning_rows import read_labeled
from treewright._render.document import Block, Column, Heading, Table, Text, Verbatim
from treewright._render.numbers import count, plural
from treewright._render.safe_text import visible
from treewright._utils.docstrings import describe_parameters
from treewright._web.report.report_subject import GivenRows, Subject
from treewright.errors import TreewrightError

__all__ = [
    "glossary_blocks",
    "parameter_blocks",
    "reproduce_blocks",
    "summary_sentences",
    "title_of",
]

TERMS = {
    "accuracy": "the fraction of rows whose class is predicted correctly",
    "baseline": "a model that always predicts the most frequent class of the training rows, or their mean (0-R)",
    "95% interval": "Wilson's interval: with so few rows, the accuracy on new rows of the same kind may well be "
    "anywhere in it",
    "held-out rows": "rows that the model was not trained on; only they show how good it is for new rows",
    "impurity": "how mixed the rows of a node are: entropy, Gini index, or variance; 0 if all rows are alike",
    "entropy": "−Σ p log₂ p over the fractions p of the classes, in bits",
    "Gini index": "1 − Σ p² over the fractions p of the classes",
    "information gain": "entropy of a node minus the mean entropy of its branches, weighted by their rows",
    "gain ratio": "information gain divided by the entropy of the branch sizes",
    "precision": "of the rows that a rule or class predicts, the fraction that is correct",
    "recall": "of the rows of a class, the fraction that is predicted as it",
    "lift": "how many times more frequent a class is in a group than in all rows",
    "AUC": "the probability that a row of the class gets a higher probability than a row of another class",
    "calibration": "whether of the rows with a predicted probability of 30%, about 30% are in the class",
    "permutation importance": "how much the score decreases when the values of one column are shuffled",
    "partial dependence": "the average prediction if a column had one value in all rows",
    "pruning": "making a node a leaf because its subtree does not predict new rows better",
    "1-SE rule": "take the smallest tree whose error is within one standard error of the least",
    "leaf": "a node that is not split; it predicts",
    "missing value": "a cell without a value; the model says at each node where such rows go",
}
NUMBER_TERMS = {
    "RMSE": "root mean squared error: the square root of the mean squared difference of prediction and truth",
    "R²": "the fraction of the variance of the target that the predictions explain",
    "variance": "the mean squared difference from the mean",
}
CLASS_ONLY = frozenset(
    {
        "95% interval",
        "AUC",
        "Gini index",
        "accuracy",
        "calibration",
        "entropy",
        "gain ratio",
        "information gain",
        "lift",
        "precision",
        "recall",
    }
)


def title_of(subject: Subject) -> str:
    """Return the title of a report: target and algorithm."""
    return subject.caption.title(subject.schema.target)


def summary_sentences(subject: Subject) -> list[str]:
    """Return what the model is: what it predicts, from which columns, how large it is."""
    schema = subject.schema
    target = f'"{visible(schema.target)}"' if schema.target else "the target"
    what = (
        f"{target}, one of {len(schema.classes):,} classes,"
        if schema.classes
        else f"{target}, a number,"
    )
    if len(schema.classes) == 1:
        what = f"{target}, which has a single class,"
    columns = plural(len(schema.columns), "column")
    sentences = [f"{subject.caption.method or 'The model'} predicts {what} from {columns}."]
    if subject.tree is not None:
        tree = subject.tree
        sentences.append(
            f"The tree has {plural(tree.n_nodes, 'node')}, {plural(tree.n_leaves, 'leaf')} and depth "
            f"{count(tree.depth)}. It was trained on {plural(int(tree.count[0]), 'row')}."
        )
    elif subject.n_trees:
        included = len(subject.trees)
        part = (
            f"; the report shows the first {count(included)}" if included < subject.n_trees else ""
        )
        sentences.append(f"It combines {plural(subject.n_trees, 'tree')}{part}.")
    return sentences


def parameter_blocks(subject: Subject) -> list[Block]:
    """Return the parameters that differ from their defaults, with their meaning."""
    changed = changed_parameters(subject.model)
    if not changed:
        return [Text("All parameters have their defaults.")]
    meaning = describe_parameters(type(subject.model))
    names = tuple(changed)
    table = Table(
        (
            Column("parameter", names, left=True),
            Column("value", tuple(visible(repr(changed[name]))[:80] for name in names), left=True),
            Column("meaning", tuple(meaning.get(name, "") for name in names), left=True),
        )
    )
    return [table, Text("All other parameters have their defaults.")]


def changed_parameters(model: Any) -> dict[str, Any]:
    """Return the parameters of a model that differ from their defaults."""
    defaults = {n: p.default for n, p in inspect.signature(type(model)).parameters.items()}
    values = model.get_params(deep=False)
    return {
        name: value
        for name, value in values.items()
        if name in defaults and repr(value) != repr(defaults[name])
    }


def reproduce_blocks(subject: Subject, date: str) -> list[Block]:
    """Return the commands and the code that make the model and the report again, versions, and the data's digest."""
    lines = [f"treewright {_core.__version__}", f"numpy {numpy.__version__}"]
    lines.append(f"scikit-learn {sklearn.__version__}")
    blocks: list[Block] = [
        Heading("On the command line"),
        Verbatim("\n".join(_commands(subject)), indent=0),
        Heading("In Python"),
        Verbatim(_python(subject), indent=0),
        Heading("Versions and data"),
        Text(f"Made with {', '.join(lines)}{f' on {visible(date)}' if date else ''}."),
    ]
    for rows in (subject.training, subject.held_out):
        digest = None if rows is None else _digest(subject, rows)
        if rows is not None and digest is not None:
            shape = (
                f"{plural(len(rows.X), 'row')} × {plural(len(subject.schema.columns), 'column')}"
            )
            blocks.append(
                Text(
                    f"Digest of {rows.title} ({shape}): {digest}. It is the same for every order of the rows."
                )
            )
    return blocks


def _digest(subject: Subject, rows: GivenRows) -> str | None:
    try:
        labeled = read_labeled(subject.model, rows.X, rows.y, rows.weights)
    except TreewrightError:  # such as a class that the model does not know
        return None
    return digest_of(Rows(labeled.columns, labeled.target, labeled.weights))


def _commands(subject: Subject) -> list[str]:
    files, learner = subject.files, LEARNERS.get(subject.model._learner_name())
    model = shlex.quote(files.model or "model.tree")
    own = subject.training is not None and subject.held_out is None
    training = shlex.quote(files.training or (own and files.table) or "training.csv")
    target = shlex.quote(subject.schema.target or "TARGET")
    flags = " ".join(_flags(subject, learner))
    name = "c45" if learner is None else learner.cli_name
    fit = f"treewright fit {training} -t {target} -a {name} {flags}".rstrip()
    rows = shlex.quote(files.table or files.training or "test.csv")
    return [f"{fit} -o {model}", f"treewright report {model} {rows} -o report.html"]


def _flags(subject: Subject, learner: Any) -> list[str]:
    """Return the flags of ``fit`` that set the parameters that differ from their defaults, where it has them."""
    if learner is None:
        return []
    options = {parameter: option for option, parameter in learner.options.items()}
    criteria = {value: word for word, value in learner.cli_criteria.items()}
    words: list[str] = []
    for name, value in changed_parameters(subject.model).items():
        if name not in options or isinstance(value, (dict, list, tuple)) or callable(value):
            continue
        flag = f"--{options[name].replace('_', '-')}"
        if value is True:
            words.append(flag)
        elif value is None:
            words += [flag, "none"] if name == "prune" else []
        elif value is not False:
            text = criteria.get(value, value) if name == "criterion" else value
            words += [
                flag,
                shlex.quote(str(text).replace("_", "-") if isinstance(text, str) else str(text)),
            ]
    return words


def _python(subject: Subject) -> str:
    name = type(subject.model).__name__
    settings = ", ".join(f"{n}={v!r}" for n, v in changed_parameters(subject.model).items())
    both = subject.training is not None and subject.held_out is not None
    test = ", test=(X_test, y_test)" if both else ""
    return (
        f"from treewright import {name}, report\n\n"
        f"model = {name}({settings}).fit(X, y)\n"
        f'report(model, X, y, "report.html"{test})'
    )


def glossary_blocks(subject: Subject) -> list[Block]:
    """Return the terms of the report with their meaning."""
    terms = dict(TERMS)
    if not subject.schema.classes:
        terms = {
            name: text for name, text in terms.items() if name not in CLASS_ONLY
        } | NUMBER_TERMS
    return [
        Table(
            (
                Column("term", tuple(terms), left=True),
                Column(
                    "meaning",
                    tuple(text[0].upper() + text[1:] + "." for text in terms.values()),
                    left=True,
                ),
            )
        )
    ]
