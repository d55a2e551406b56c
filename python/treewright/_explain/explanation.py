"""The explanation of a tree's prediction: the path of the row, its support, and the smallest changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._draw.conditions import path_to
from treewright._explain.counterfactual import Change, find_changes, wanted_leaves
from treewright._explain.decision_path import Step, steps
from treewright._input.columns import from_values
from treewright._input.encoding import encode, one_row
from treewright._model.decision import decide
from treewright._model.paths.ordered_tests import OrderedTests
from treewright._render.document import Document, Verbatim
from treewright._render.page_format import PageFormat
from treewright._render.result import Result
from treewright._utils.validation import check_integer
from treewright.errors import DataError
from treewright.measures.intervals import wilson
from treewright.schema import Column, Level
from treewright.table import Table
from treewright.tree import Branch, Tree

__all__ = ["Explanation", "Part", "explain_tree"]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a row that was split fractionally: its fraction, its last node, and the branches that led there."""

    share: float
    node: int
    branches: tuple[Branch, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(Result):
    """Why a tree predicts what it does for a row, made by :func:`treewright.explain`.

    Parameters
    ----------
    tree : Tree
        The tree.
    values : tuple
        The values of the row, in the order of the model's columns; None if missing.
    answer : level or float
        The prediction.
    says : tuple of float
        The probability of each class in the order of ``tree.schema.classes``, or the number.
    node : int
        The last node on the path of the row.
    steps : tuple of Step
        The tests on that path.
    parts : tuple of Part
        The parts of the row, if it was split fractionally; else empty.
    changes : tuple of Change
        The smallest changes that give another prediction, the smallest first.
    want : str or None
        The wanted prediction.
    fixed : tuple of str
        The columns that may not change.
    most : int
        The maximum number of columns that change together.
    width : int or None, default=None
        Width of the text in characters; None takes that of the terminal.
    ascii : bool or None, default=None
        Whether to write ASCII characters only; None asks the stream.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, explain
    >>> X, y = datasets.play_tennis()
    >>> explain(ID3Classifier().fit(X, y), X[:1]).unused
    ('Temperature', 'Wind')
    """

    _noun = "an explanation"
    _area = "explain"

    tree: Tree
    values: tuple[Level | None, ...]
    answer: Level
    says: tuple[float, ...]
    node: int
    steps: tuple[Step, ...]
    parts: tuple[Part, ...]
    changes: tuple[Change, ...]
    want: str | None
    fixed: tuple[str, ...]
    most: int
    width: int | None = None
    ascii: bool | None = None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the probability of the prediction; None for a number or a row in parts.

        Weights above 1 count as 1: they make a row more important, but they are not more rows.
        """
        if not self.tree.schema.classes or self.parts:
            return None
        rows = min(float(self.tree.weight[self.node]), int(self.tree.count[self.node]))
        share = float(self.tree.value[self.node, self.tree.schema.classes.index(self.answer)])
        return wilson(share * rows, rows)

    @property
    def unused(self) -> tuple[str, ...]:
        """The columns that no test on the path uses."""
        used = {step.column for step in self.steps}
        used |= {branch.column for part in self.parts for branch in part.branches}
        used |= {step.stand_in.column for step in self.steps if step.stand_in is not None}
        return tuple(name for name in self.tree.schema.names if name not in used)

    def value_of(self, column: str) -> Level | None:
        """Return the value of a column; None if missing."""
        return self.values[self.tree.schema.names.index(column)]

    def column(self, name: str) -> Column:
        """Return the description of a column."""
        return self.tree.schema.columns[self.tree.schema.names.index(name)]

    def _document(self, page: PageFormat) -> Document:
        from treewright._explain.explanation_text import write

        text = write(self, page)
        return Document((), (Verbatim(text, indent=0),), name=text.split("\n")[0])

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values: exact numbers and full names."""
        tree, node = self.tree, self.node
        classes = tree.schema.classes
        record: dict[str, Any] = {
            "target": tree.schema.target,
            "row": dict(zip(tree.schema.names, self.values, strict=True)),
            "answer": self.answer,
            "classes": list(classes),
            "says": list(self.says),
            "node": node,
            "rows": int(tree.count[node]),
            "weight": float(tree.weight[node]),
            "steps": [asdict(step) for step in self.steps],
            "parts": [asdict(part) for part in self.parts],
            "want": self.want,
            "changes": [asdict(change) for change in self.changes],
            "fixed": list(self.fixed),
            "unused": list(self.unused),
        }
        if classes:
            record["class_weights"] = tree.class_weights(node).tolist()
            record["interval"] = None if self.interval is None else list(self.interval)
        return record


def explain_tree(
    tree: Tree,
    row: Any,
    want: Any,
    fixed: tuple[str, ...],
    most: int,
    *,
    width: int | None,
    ascii: bool | None,
) -> Explanation:
    """Explain the prediction of a tree for one row."""
    # The columns one by one: a row may have come as a matrix.
    table = Table(one_row(row, tree.schema).series)
    columns: Any = encode(table, tree.schema)
    codes = [column[0].item() for column in columns]
    values = tuple(table.column(name).values()[0] for name in tree.schema.names)
    splits, output, path = OrderedTests(tree), tree._says(columns), tree.path(table)
    prediction = _prediction(tree, output)
    held = frozenset(_feature(tree, name) for name in fixed)
    limit = int(check_integer("most", most, minimum=1, maximum=4))
    accepts = wanted_leaves(tree, want, prediction)
    changes = (
        [] if accepts is None else find_changes(splits, codes, accepts, fixed=held, most=limit)
    )
    return Explanation(
        tree=tree,
        values=values,
        answer=prediction,
        says=tuple(output[0].tolist()),
        node=path[-1],
        steps=tuple(steps(splits, path, codes, values)),
        parts=_parts(tree, path[-1], tree._forest.parts(tree._index, columns)),
        changes=tuple(change for change in changes if _is_confirmed(tree, table, change)),
        want=None if want is None else str(want),
        fixed=fixed,
        most=most,
        width=width,
        ascii=ascii,
    )


def _prediction(tree: Tree, output: NDArray[np.float64]) -> Level:
    if not tree.schema.classes:
        return float(output[0, 0])
    return tree.schema.classes[int(decide(output, tree.schema)[0])]


def _parts(tree: Tree, top: int, parts: list[tuple[int, float]]) -> tuple[Part, ...]:
    if not tree.n_children[top] or len(parts) == 1:
        return ()
    return tuple(
        Part(share, node, tuple(_branches(tree, path_to(tree, node, top)))) for node, share in parts
    )


def _branches(tree: Tree, path: list[int]) -> Iterator[Branch]:
    for node, following in pairwise(path):
        yield next(b for b in tree.branches(node) if b.child == following)


def _is_confirmed(tree: Tree, table: Table, change: Change) -> bool:
    """Try a change out: the core must predict for the changed row what the change promises."""
    new = {to.column: from_values(to.column, [to.value]) for to in change.to}
    row = Table([new.get(series.name, series) for series in table.series])
    return _prediction(tree, tree._says(encode(row, tree.schema))) == change.answer


def _feature(tree: Tree, name: str) -> int:
    if name not in tree.schema.names:
        raise DataError(
            f'the model has no column "{name}"',
            slug="data.no-such-column",
            hints=[f"columns: {', '.join(tree.schema.names)}"],
        )
    return tree.schema.names.index(name)
