"""The explanation of an ensemble's prediction: the contribution of each column to the sum over the trees.

The contributions are exact Shapley values: they and the average prediction add up to the sum. There is no path to
show, and no counterfactual is searched: explain one of the trees for that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from treewright._input.encoding import encode, one_row
from treewright._input.short_numbers import write_value
from treewright._model.decision import decide
from treewright._model.trees import Trees
from treewright._render.document import Column, Document, Text
from treewright._render.document import Table as TableBlock
from treewright._render.numbers import percent, plural
from treewright._render.page_format import PageFormat
from treewright._render.result import Result
from treewright.errors import UsageError
from treewright.schema import Level, Schema
from treewright.table import Table

__all__ = ["Contribution", "ManyExplanation", "explain_many"]

MAX_CONTRIBUTIONS = 12


@dataclass(frozen=True, slots=True)
class Contribution:
    """The contribution of a column's value to the sum."""

    column: str
    value: Level | None
    amount: float


@dataclass(frozen=True, slots=True, repr=False)
class ManyExplanation(Result):
    """Why an ensemble predicts what it does for a row, made by :func:`treewright.explain`.

    Parameters
    ----------
    schema : Schema
        The columns and the classes.
    answer : level or float
        The prediction.
    says : tuple of float
        The probability of each class in the order of ``schema.classes``, or the number.
    about : level or None
        The class whose sum is explained; None for a number.
    total, expected : float
        The sum over the trees, and the average prediction.
    contributions : tuple of Contribution
        The contributions that lead from the average to the sum, the largest first.
    trees : int
        The number of trees.
    unit : str, default=""
        What the sum is, if it is neither a probability nor the prediction: "log-odds", "score", "vote" or "logarithm".
    width : int or None, default=None
        Width of the text in characters; None takes that of the terminal.
    ascii : bool or None, default=None
        Whether to write ASCII characters only; None asks the stream.
    """

    _noun = "an explanation"
    _area = "explain"

    schema: Schema
    answer: Level
    says: tuple[float, ...]
    about: Level | None
    total: float
    expected: float
    contributions: tuple[Contribution, ...]
    trees: int
    unit: str = ""
    width: int | None = None
    ascii: bool | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values: exact numbers and full names."""
        return {
            "target": self.schema.target,
            "answer": self.answer,
            "classes": list(self.schema.classes),
            "says": list(self.says),
            "about": self.about,
            "sum": self.total,
            "expected": self.expected,
            "contributions": self.to_csv_rows(),
            "trees": self.trees,
            "unit": self.unit,
        }

    def to_csv_rows(self) -> list[dict[str, Any]]:
        """Return one record for each contribution."""
        return [asdict(contribution) for contribution in self.contributions]

    def _document(self, page: PageFormat) -> Document:
        probability = ""
        if self.schema.classes:
            probability = f" ({percent(self.says[self.schema.classes.index(self.answer)])})"
        of = "" if self.about is None else f' for "{page.level(self.about)}"'
        title = f"{page.level(self.answer)}{probability}."
        average = f"(average: {self.expected:.4g})"
        article = "" if self.unit == "log-odds" else "a "
        unit = f"{article}{self.unit} of " if self.unit else ""
        sentence = Text(f"the {self.trees:,} trees predict {unit}{self.total:.4g}{of} {average}")
        return Document((title,), (sentence, *self._table(page)), compact=True)

    def _table(self, page: PageFormat) -> list[TableBlock]:
        listed = [c for c in self.contributions if not self._is_zero(c.amount)][:MAX_CONTRIBUTIONS]
        columns = {column.name: column for column in self.schema.columns}
        rows = []
        for c in listed:
            value = "missing" if c.value is None else write_value(c.value, columns[c.column])
            rows.append((f"{c.amount:+.4g}", f"{page.name(c.column)} = {page.name(value)}"))
        rest = self.contributions[len(listed) :]
        more = sum(c.amount for c in rest)
        if rest and not self._is_zero(more):
            rows.append((f"{more:+.4g}", plural(len(rest), "other column")))
        if not rows:
            return []
        amounts, names = zip(*rows, strict=True)
        return [
            TableBlock((Column("contribution", amounts), Column("column", names, left=True, gap=2)))
        ]

    def _is_zero(self, amount: float) -> bool:
        # Contributions that cancel out leave a rounding error such as 5e-17.
        return abs(amount) <= 1e-12 * max(1.0, abs(self.total), abs(self.expected))


def explain_many(trees: Trees, row: Any, width: int | None, ascii: bool | None) -> ManyExplanation:
    """Explain the prediction of an ensemble for one row."""
    forest, schema = trees._forest, trees.model_schema
    if forest.combine["how"] == "median":
        raise UsageError(
            "a median of trees is not a sum, so columns have no contributions",
            slug="explain.median",
            hints=["take one of its trees_ and explain that"],
        )
    table = Table(one_row(row, schema).series)
    columns = encode(table, schema)
    output, sums = forest.predict(columns), forest.predict_raw(columns)
    parts, expected = forest.contributions(columns)
    prediction: Level = float(output[0, 0])
    about, which, sign = None, 0, 1.0
    if schema.classes:
        place = int(decide(output, schema)[0])
        prediction = about = schema.classes[place]
        # A single sum stands for the second of two classes, its negative for the first.
        which, sign = (place, 1.0) if forest.n_raw > 1 else (0, 1.0 if place else -1.0)
    amounts = sign * parts[0, :, which]
    order = np.argsort(-np.abs(amounts), kind="stable").tolist()
    values = [table.column(name).values()[0] for name in schema.names]
    return ManyExplanation(
        schema=schema,
        answer=prediction,
        says=tuple(output[0].tolist()),
        about=about,
        total=sign * float(sums[0, which]),
        expected=sign * float(expected[which]),
        contributions=tuple(
            Contribution(schema.names[i], values[i], float(amounts[i])) for i in order
        ),
        trees=len(trees),
        unit=_unit_of(forest.combine),
        width=width,
        ascii=ascii,
    )


def _unit_of(combine: Mapping[str, Any]) -> str:
    """Return what the sum over the trees is, before the link function makes the prediction of it."""
    if combine["how"] == "vote":
        return "vote"
    return {"logistic": "log-odds", "softmax": "score", "exp": "logarithm"}.get(combine["link"], "")
