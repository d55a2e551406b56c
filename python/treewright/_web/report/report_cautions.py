"""Cautions: what a reader of a report should know before relying on the model. Each one is computed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from treewright._input.encoding import count_unseen
from treewright._render.numbers import count, percent, plural
from treewright._render.safe_text import visible
from treewright._web.report.report_accuracy import Accuracy
from treewright._web.report.report_columns import used_columns
from treewright._web.report.report_subject import Subject
from treewright._work.node_work import Work
from treewright.schema import label
from treewright.tree import Tree

__all__ = ["find_cautions"]

FEW_ROWS = 5
CLOSE = 0.02  # the second-best split is within this fraction of the best
MAX_NAMED = 5
GAP = 0.05


def find_cautions(subject: Subject, accuracy: Accuracy, works: Mapping[int, Work]) -> list[str]:
    """Return the cautions of a report, one sentence or two each."""
    cautions = [*_accuracy(subject, accuracy), *_unseen(subject)]
    if subject.tree is not None:
        cautions += [*_small_leaves(subject.tree), *_rare_categories(subject.tree)]
        cautions += _close_splits(subject.tree, works)
    cautions += _unused(subject)
    if subject.is_step:
        cautions.append(
            "The model is the last step of a Pipeline. Columns are those that reach this step, so a row that you "
            "try must be transformed like them."
        )
    return cautions


def _accuracy(subject: Subject, accuracy: Accuracy) -> list[str]:
    main, training, held_out = accuracy.main, accuracy.training, accuracy.held_out
    if main is None:
        return []
    cautions = []
    if held_out is None:
        cautions.append(
            "Only training rows were measured. How good the model is for new rows is not known."
        )
    if main.interval is not None and main.interval[0] <= main.baseline < 1:
        low, high = main.interval
        cautions.append(
            f"The accuracy ({percent(main.value)}, 95% interval {percent(low)} to {percent(high)}) is not clearly "
            f"above the baseline ({percent(main.baseline)})."
        )
    if main.right is None and main.value >= main.baseline:
        cautions.append(
            "The error is not below that of the baseline, which always predicts the mean."
        )
    if training is not None and held_out is not None:
        cautions += _gap(training.value, held_out.value, main.right is not None)
    return cautions


def _gap(training: float, held_out: float, by_class: bool) -> list[str]:
    if by_class and training - held_out > GAP:
        points = f"{100 * (training - held_out):.1f} percentage points"
        return [
            f"The accuracy on training rows is {points} higher than on held-out rows: the model fits details of "
            "its training rows (overfitting). A smaller tree may predict new rows better."
        ]
    if not by_class and training > 0 and held_out / training > 1.25:
        return [
            f"The error on held-out rows is {held_out / training:.1f} times that on training rows: the model fits "
            "details of its training rows (overfitting)."
        ]
    return []


def _unseen(subject: Subject) -> list[str]:
    rows = subject.held_out
    if rows is None:
        return []
    counts = count_unseen(rows.X, subject.model.schema_)
    return [
        f'The {rows.title.removeprefix("the ")} have {_categories(len(values))} of "{visible(name)}" that training '
        f"did not have{_named(values)}."
        for name, values in counts.items()
    ]


def _categories(n: int) -> str:
    return "1 category" if n == 1 else f"{count(n)} categories"


def _named(values: Mapping[Any, int]) -> str:
    """Return the values after a colon; a reader may have coded them as unseen without their names."""
    known = [label(value) for value in values if value is not None]
    return f": {_some(known)}" if known else ""


def _some(names: list[str]) -> str:
    listed = ", ".join(f'"{visible(name)}"' for name in names[:MAX_NAMED])
    return listed + (f" and {count(len(names) - MAX_NAMED)} more" if len(names) > MAX_NAMED else "")


def _small_leaves(tree: Tree) -> list[str]:
    leaves = np.flatnonzero(tree.n_children == 0)
    small = leaves[tree.count[leaves] < FEW_ROWS]
    if not len(small) or tree.n_nodes == 1:
        return []
    rows = int(tree.count[small].sum())
    return [
        f"{count(len(small))} of {plural(len(leaves), 'leaf')} {'has' if len(small) == 1 else 'have'} fewer than "
        f"{FEW_ROWS} training rows ({plural(rows, 'row')} in all). Their probabilities rest on few rows."
    ]


def _rare_categories(tree: Tree) -> list[str]:
    """Name branches of single categories that few training rows reach."""
    rare = []
    for node in np.flatnonzero(tree.n_children).tolist():
        if tree.schema.columns[int(tree.feature[node])].kind != "categorical":
            continue
        if int(tree.count[node]) < 4 * FEW_ROWS:
            continue
        rare += [
            f"{branch.column} = {branch.value}"
            for branch in tree.branches(node)
            if branch.op == "=" and 0 < int(tree.count[branch.child]) < FEW_ROWS
        ]
    names = list(dict.fromkeys(rare))
    if not names:
        return []
    return [
        f"Branches of rare categories, with fewer than {FEW_ROWS} training rows: {_some(names)}."
    ]


def _close_splits(tree: Tree, works: Mapping[int, Work]) -> list[str]:
    """Name nodes whose second-best split is almost as good as the best."""
    close = []
    for node, page in sorted(works.items()):
        work = page.node
        scores = work.own.scores
        if work.chosen is None or work.chosen not in scores or len(scores) < 2:
            continue
        best = scores[work.chosen]
        other = max((c for c in scores if c != work.chosen), key=lambda c: scores[c])
        if best > 0 and scores[other] >= (1 - CLOSE) * best:
            close.append((node, work.chosen, other))
    if not close:
        return []
    node, chosen, other = close[0]
    more = f" The same holds for {plural(len(close) - 1, 'more node')}." if len(close) > 1 else ""
    return [
        f'At node #{node}, "{visible(other)}" splits almost as well as "{visible(chosen)}" (within 2%). With '
        f"slightly different training rows, the tree below it could look different.{more}"
    ]


def _unused(subject: Subject) -> list[str]:
    """Name the columns that no split tests."""
    if not subject.trees or subject.n_trees > len(subject.trees):
        return []
    splits = used_columns(subject)
    names = [c.name for c, n in zip(subject.schema.columns, splits, strict=True) if not n]
    if not names or len(names) == len(splits):
        return []
    plural_verb = "is" if len(names) == 1 else "are"
    return [
        f"{_some(names)} {plural_verb} not used: no split tests {'it' if len(names) == 1 else 'them'}."
    ]
