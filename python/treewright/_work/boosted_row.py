"""The work of a boosted model for one row: where it ends in each tree, what that adds, and the sum so far.

Glossary: a *step* is one tree; a *sum* is what the trees of one output add up to before the link.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from treewright._input.encoding import encode, one_row
from treewright._render.document import Block, Column, Document, Table, Text, Words
from treewright._render.formula import Formula, Name, Number
from treewright._render.numbers import plural
from treewright._render.page_format import PageFormat
from treewright._work.lecture_rounding import Rounding
from treewright._work.work_result import WorkResult
from treewright.schema import Schema, label

__all__ = ["BoostWork", "added"]

SHOWN = 20
PAPER = PageFormat(width=200)


@dataclass(frozen=True, slots=True)
class Step:
    """What one tree adds to the sum of one output."""

    tree: int
    output: int
    node: int
    adds: float
    total: float


@dataclass(frozen=True, slots=True, repr=False)
class BoostWork(WorkResult):
    """How a boosted model comes to its answer for one row, made by :func:`treewright.work`.

    Parameters
    ----------
    schema : Schema
        The names of the model's columns and classes.
    base : tuple of float
        Where each sum begins.
    steps : tuple of Step
        What each tree adds.
    says : tuple of float
        What the model says in the end: a number, or the share of each class.
    link : str
        What makes that of the sums.
    truth : float or None, default=None
        The right number, where it was given: what is left of it is the residual.
    digits : int, default=3
        The decimals that are shown.
    width, ascii : int or None, bool or None, default=None
        Columns of text, and whether to write with ASCII signs only.
    """

    schema: Schema
    base: tuple[float, ...]
    steps: tuple[Step, ...]
    says: tuple[float, ...]
    link: str
    truth: float | None = None
    digits: int = 3
    width: int | None = None
    ascii: bool | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        steps = [
            {"tree": s.tree, "output": s.output, "node": s.node, "adds": s.adds, "sum": s.total}
            for s in self.steps
        ]
        return {
            "base": list(self.base),
            "steps": steps,
            "link": self.link,
            "says": list(self.says),
            "classes": list(self.schema.classes),
        }

    def _pages(self, *, worksheet: bool = False) -> Document:
        steps, several = self._shown(), len(self.base) > 1
        write = Rounding(self.digits).shown
        columns = [
            Column("tree", tuple(Number(str(s.tree)) for s in steps)),
            Column("node", tuple(Name(f"#{s.node}") for s in steps), left=True),
            Column("adds", tuple(Number(write(s.adds), "adds", s.adds) for s in steps)),
            Column("sum", tuple(Number(write(s.total), "sum", s.total) for s in steps)),
        ]
        if several:
            columns.insert(1, Column("of", tuple(self._output(s.output) for s in steps), left=True))
        if self.truth is not None and not self.schema.classes:
            left = [self.truth - s.total for s in steps]
            columns.append(Column("residual", tuple(Number(write(x), "sum", x) for x in left)))
        begins: list[str | Formula] = [f"The {'sums begin' if several else 'sum begins'} at "]
        for i, base in enumerate(self.base):
            begins += [", "] * bool(i)
            begins.append(Number(write(base), "", base))
        sentences: list[Block] = [Text((*begins, "."))]
        if len(steps) < len(self.steps):
            hidden = plural(len(self.steps) - len(steps), "step")
            sentences.append(Text(f"{hidden} between are not shown."))
        table = Table(tuple(columns), key="steps")
        end = Text(self._end(), apart=True)
        return Document(
            ("What each tree adds",), (table, *sentences, end), ("adds", "sum", "prediction")
        )

    def _end(self) -> Words:
        by = "" if self.link == "identity" else f" by the {self.link} link"
        write = Rounding(self.digits).shown
        if not self.schema.classes:
            prediction = Number(write(self.says[0]), "prediction", self.says[0])
            return (f"The prediction{by}: ", prediction, ".")
        pieces: list[str | Formula] = [f"The shares{by}: "]
        for i, (name, share) in enumerate(zip(self.schema.classes, self.says, strict=True)):
            pieces.append(f"{', ' if i else ''}{PAPER.level(name)} ")
            pieces.append(Number(write(share), "prediction", share))
        return (*pieces, ".")

    def _output(self, output: int) -> str:
        classes = self.schema.classes
        return PAPER.name(label(classes[output])) if output < len(classes) else str(output)

    def _shown(self) -> list[Step]:
        """Return the first steps and the last ones, where there are many."""
        if len(self.steps) <= SHOWN:
            return list(self.steps)
        return [*self.steps[: SHOWN // 2], *self.steps[-SHOWN // 2 :]]


def added(
    model: Any,
    row: Any,
    y: Any = None,
    *,
    digits: int = 3,
    width: int | None = None,
    ascii: bool | None = None,
) -> BoostWork:
    """Return what the trees of a boosted model add up to for one row."""
    grove, schema = model._forest, model.schema_
    columns: Any = encode(one_row(row, schema), schema)
    combine = grove.combine
    scales = combine["scales"] or [1.0] * grove.n_trees
    sums = np.array(combine["base"] or [0.0] * grove.n_raw, dtype=np.float64)
    base, steps = tuple(sums.tolist()), []
    for i in range(grove.n_trees):
        node, values = int(grove.apply(i, columns)[0]), grove.tree(i).value
        outputs = [combine["targets"][i]] if combine["targets"] else range(values.shape[1])
        for k, output in enumerate(outputs):
            adds = float(scales[i] * values[node, k])
            sums[output] += adds
            steps.append(Step(i, int(output), node, adds, float(sums[output])))
    says = tuple(grove.predict(columns)[0].tolist())
    truth = None if y is None or schema.classes else float(np.ravel(y)[0])
    return BoostWork(schema, base, tuple(steps), says, combine["link"], truth, digits, width, ascii)
