"""Why a model of many trees gave a row its answer: what each column contributed to the sum that decided.

The contributions are exact Shapley values: with what is expected where nothing is known they add up to the sum. There
is no path to show, and no smallest change is looked for: take one of the trees for that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from treewright._draw.html_tree import preformatted
from treewright._input.encoding import encode, one_row
from treewright._input.short_numbers import write_value
from treewright._model.decision import decide
from treewright._model.trees import Trees
from treewright._render.glyphs import ASCII
from treewright._render.numbers import plural
from treewright._render.page_format import PageFormat
from treewright._render.table_grid import wrap_sentence
from treewright._render.text_blocks import latex_verbatim, markdown_fence
from treewright.errors import UsageError
from treewright.schema import Level, Schema
from treewright.table import Table

__all__ = ["Contribution", "ManyExplanation", "explain_many"]

SHOWN = 12


@dataclass(frozen=True, slots=True)
class Contribution:
    """What a column's value adds to the sum."""

    column: str
    value: Level | None
    amount: float


@dataclass(frozen=True, slots=True, repr=False)
class ManyExplanation:
    """Why a row got its answer from many trees, made by :func:`treewright.explain`.

    Parameters
    ----------
    schema : Schema
        The columns and the classes.
    answer : level or float
        What the model predicts.
    says : tuple of float
        The share of each class in the order of ``schema.classes``, or the number.
    about : level or None
        The class whose sum is explained; None for a number.
    total, expected : float
        The sum, and what it is where no column is known.
    contributions : tuple of Contribution
        What leads from the one to the other, the largest first.
    trees : int
        How many trees were asked.
    width : int or None, default=None
        Columns of text; those of the terminal where not given.
    ascii : bool or None, default=None
        Whether to write with ASCII signs only; None asks the stream.
    """

    schema: Schema
    answer: Level
    says: tuple[float, ...]
    about: Level | None
    total: float
    expected: float
    contributions: tuple[Contribution, ...]
    trees: int
    width: int | None = None
    ascii: bool | None = None

    def text(self, stream: Any = None) -> str:
        """Return the explanation as text that a stream can carry.

        Parameters
        ----------
        stream : text file, default=None
            Where it will be written; standard output where not given.
        """
        return self._written(PageFormat.of(stream, width=self.width, ascii=self.ascii))

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__

    def to_markdown(self) -> str:
        """Return the explanation as a fenced block."""
        return markdown_fence(self._written(PageFormat(width=100)))

    def to_html(self) -> str:
        """Return the explanation as HTML: preformatted text."""
        return preformatted(self._written(PageFormat(width=100)))

    def to_latex(self) -> str:
        """Return the explanation for LaTeX, line by line."""
        return (
            latex_verbatim(self._written(PageFormat(width=100, glyphs=ASCII, encoding="ascii")))
            + "\n"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values: exact numbers and whole names."""
        return {
            "target": self.schema.target,
            "answer": self.answer,
            "classes": list(self.schema.classes),
            "says": list(self.says),
            "about": self.about,
            "sum": self.total,
            "expected": self.expected,
            "contributions": [
                {"column": c.column, "value": c.value, "amount": c.amount}
                for c in self.contributions
            ],
            "trees": self.trees,
        }

    def _written(self, paper: PageFormat) -> str:
        share = ""
        if self.schema.classes:
            share = f" ({self.says[self.schema.classes.index(self.answer)]:.1%})"
        of = "" if self.about is None else f' for "{paper.level(self.about)}"'
        lines = [
            f"{paper.level(self.answer)}{share}.",
            *wrap_sentence(
                f"  the {self.trees:,} trees predict {self.total:.4g}{of} (average: {self.expected:.4g})",
                paper.width,
            ),
        ]
        shown = [c for c in self.contributions if not self._is_nothing(c.amount)][:SHOWN]
        columns = {column.name: column for column in self.schema.columns}
        for c in shown:
            value = "missing" if c.value is None else write_value(c.value, columns[c.column])
            lines.append(f"  {c.amount:+10.4g}  {paper.name(c.column)} = {paper.name(value)}")
        rest = self.contributions[len(shown) :]
        more = sum(c.amount for c in rest)
        if rest and not self._is_nothing(more):
            lines.append(f"  {more:+10.4g}  {plural(len(rest), 'other column')}")
        return "\n".join(lines)

    def _is_nothing(self, amount: float) -> bool:
        # What is left of a sum of parts that cancel out: 5e-17 is no contribution.
        return abs(amount) <= 1e-12 * max(1.0, abs(self.total), abs(self.expected))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {
            "text/plain": str(self),
            "text/markdown": self.to_markdown(),
            "text/html": self.to_html(),
        }


def explain_many(trees: Trees, row: Any, width: int | None, ascii: bool | None) -> ManyExplanation:
    """Say what each column of one row contributed to the answer of many trees."""
    forest, schema = trees._forest, trees.model_schema
    if forest.combine["how"] == "median":
        raise UsageError(
            "a median of trees is no sum: no column has a part in it",
            slug="explain.median",
            hints=["take one of its trees_ and explain that"],
        )
    table = Table(one_row(row, schema).series)
    columns = encode(table, schema)
    says, sums = forest.predict(columns), forest.predict_raw(columns)
    parts, expected = forest.contributions(columns)
    answer: Level = float(says[0, 0])
    about, which, sign = None, 0, 1.0
    if schema.classes:
        place = int(decide(says, schema)[0])
        answer = about = schema.classes[place]
        # One sum speaks for the second of two classes, and its opposite for the first.
        which, sign = (place, 1.0) if forest.n_raw > 1 else (0, 1.0 if place else -1.0)
    amounts = sign * parts[0, :, which]
    order = np.argsort(-np.abs(amounts), kind="stable").tolist()
    values = [table.column(name).values()[0] for name in schema.names]
    return ManyExplanation(
        schema=schema,
        answer=answer,
        says=tuple(says[0].tolist()),
        about=about,
        total=sign * float(sums[0, which]),
        expected=sign * float(expected[which]),
        contributions=tuple(
            Contribution(schema.names[i], values[i], float(amounts[i])) for i in order
        ),
        trees=len(trees),
        width=width,
        ascii=ascii,
    )
