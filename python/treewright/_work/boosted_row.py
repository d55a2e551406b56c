"""The work of gradient boosting for one row: its leaf in each tree, the value of the leaf, and the running sum.

Glossary: a *step* is one tree; a *sum* adds up the trees of one output, before the link function.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from treewright._input.encoding import encode, one_row
from treewright._render.document import Block, Column, Document, Table, Text, Words
from treewright._render.formula import Formula, Name, Number
from treewright._render.numbers import plural
from treewright._work.work_result import NAMES, WorkResult
from treewright.schema import Schema, label

__all__ = ["BoostWork", "boosted_row"]

MAX_STEPS = 20  # that are listed


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
    """The prediction of gradient boosting for one row, made by :func:`treewright.work`."""

    schema: Schema  # the names of the model's columns and classes
    base: tuple[float, ...]  # the initial value of each sum
    steps: tuple[Step, ...]  # what each tree adds
    says: tuple[float, ...]  # the prediction: a number, or the probability of each class
    link: str  # the function from the sums to the prediction
    # The true number, where it is passed, for the residuals.
    truth: float | None = None

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
        steps, several = self._listed_steps(), len(self.base) > 1
        columns = [
            Column("tree", tuple(Number(str(s.tree)) for s in steps)),
            Column("node", tuple(Name(f"#{s.node}") for s in steps), left=True),
            self._number_column("adds", "adds", [s.adds for s in steps]),
            self._number_column("sum", "sum", [s.total for s in steps]),
        ]
        if several:
            columns.insert(1, Column("of", tuple(self._output(s.output) for s in steps), left=True))
        if self.truth is not None and not self.schema.classes:
            left = [self.truth - s.total for s in steps]
            columns.append(self._number_column("residual", "sum", left))
        begins: list[str | Formula] = [f"The {'sums start' if several else 'sum starts'} at "]
        for i, base in enumerate(self.base):
            begins += [", "] * bool(i)
            begins.append(self._number("", base))
        sentences: list[Block] = [Text((*begins, "."))]
        if len(steps) < len(self.steps):
            hidden = plural(len(self.steps) - len(steps), "step")
            sentences.append(Text(f"{hidden} between are not listed."))
        table = Table(tuple(columns), key="steps")
        end = Text(self._end(), apart=True)
        return Document(
            ("What each tree adds",), (table, *sentences, end), ("adds", "sum", "prediction")
        )

    def _end(self) -> Words:
        by = "" if self.link == "identity" else f" by the {self.link} link"
        if not self.schema.classes:
            prediction = self._number("prediction", self.says[0])
            return (f"The prediction{by}: ", prediction, ".")
        pieces: list[str | Formula] = [f"The probabilities{by}: "]
        for i, (name, share) in enumerate(zip(self.schema.classes, self.says, strict=True)):
            pieces.append(f"{', ' if i else ''}{NAMES.level(name)} ")
            pieces.append(self._number("prediction", share))
        return (*pieces, ".")

    def _output(self, output: int) -> str:
        classes = self.schema.classes
        return NAMES.name(label(classes[output])) if output < len(classes) else str(output)

    def _listed_steps(self) -> list[Step]:
        """Return all steps, or of many the first and the last ones."""
        if len(self.steps) <= MAX_STEPS:
            return list(self.steps)
        return [*self.steps[: MAX_STEPS // 2], *self.steps[-MAX_STEPS // 2 :]]


def boosted_row(model: Any, row: Any, y: Any = None, **page: Any) -> BoostWork:
    """Return what the trees of a boosted model add up to for one row; ``y`` is its true number."""
    forest, schema = model._forest, model.schema_
    columns: Any = encode(one_row(row, schema), schema)
    combine = forest.combine
    scales = combine["scales"] or [1.0] * forest.n_trees
    sums = np.array(combine["base"] or [0.0] * forest.n_raw, dtype=np.float64)
    base, steps = tuple(sums.tolist()), []
    for i in range(forest.n_trees):
        node, values = int(forest.apply(i, columns)[0]), forest.tree(i).value
        outputs = [combine["targets"][i]] if combine["targets"] else range(values.shape[1])
        for k, output in enumerate(outputs):
            adds = float(scales[i] * values[node, k])
            sums[output] += adds
            steps.append(Step(i, int(output), node, adds, float(sums[output])))
    says = tuple(forest.predict(columns)[0].tolist())
    truth = None if y is None or schema.classes else float(np.ravel(y)[0])
    return BoostWork(schema, base, tuple(steps), says, combine["link"], truth, **page)
