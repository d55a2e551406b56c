"""The figures of ``treewright eval`` as text, JSON, CSV and Markdown."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from typing import Any

from treewright._evaluate.scores import ClassScore, NumberScore, Score, wilson
from treewright._render import table_grid as grid
from treewright._render.latex_text import tex
from treewright._render.numbers import percent, plural, weights
from treewright._render.safe_text import visible
from treewright.cli.scoring.score_text import always, number, right
from treewright.schema import Level, label

__all__ = ["Evaluation"]

# More classes than this make a confusion matrix that nobody reads; JSON and CSV always have it.
MOST_CLASSES = 12


@dataclass(frozen=True)
class Evaluation:
    """A score beside that of always giving one answer."""

    title: str
    score: Score
    answer: Level
    baseline: Score

    def document(self, form: str) -> str:
        """Write the figures in some form."""
        return {
            "text": lambda: self.text() + "\n",
            "json": lambda: json.dumps(self.to_dict(), indent=1) + "\n",
            "csv": self.csv,
            "markdown": self.markdown,
            "latex": self.latex,
        }[form]()

    def text(self) -> str:
        """Write the figures for people."""
        room = grid.terminal_width()
        head = [
            line for said in self._headline().split("\n") for line in grid.wrap_sentence(said, room)
        ]
        tables = ["\n".join(grid.align_columns(lanes, room)) for lanes in self._tables()]
        return "\n\n".join(["\n".join(head), *tables])

    def markdown(self) -> str:
        """Write the figures as Markdown tables."""
        tables = [grid.markdown(lanes) for lanes in self._tables()]
        lines = "  \n".join(grid.escape_markdown(line) for line in self._headline().split("\n"))
        return "\n\n".join([lines, *tables]) + "\n"

    def latex(self) -> str:
        """Write the figures as LaTeX tables for ``booktabs``."""
        lines = " \\\\\n".join(tex(line) for line in self._headline().split("\n"))
        return "\n\n".join([lines, *(grid.latex(lanes) for lanes in self._tables())]) + "\n"

    def _headline(self) -> str:
        score = self.score
        if isinstance(score, NumberScore):
            r2 = "" if score.r2 is None else f"   R2: {number(score.r2)}"
            figures = f"RMSE: {number(score.rmse)}   MAE: {number(score.mae)}{r2}"
        else:
            low, high = wilson(score.right, score.total)
            figures = f"right: {right(score)}, 95% interval {percent(low)} to {percent(high)}"
        rows = plural(round(score.total), "row")
        return f"{visible(self.title)}: {rows}\n{figures}   {always(self.answer, self.baseline)}"

    def _tables(self) -> list[list[grid.TableColumn]]:
        if isinstance(self.score, NumberScore):
            return []
        tables = [self._by_class(self.score)]
        if len(self.score.classes) <= MOST_CLASSES:
            tables.append(self._confusion(self.score))
        return tables

    def _by_class(self, score: ClassScore) -> list[grid.TableColumn]:
        names = [visible(name) for name in score.classes]
        shares = [
            ["·" if s is None else percent(s) for s in found]
            for found in (score.precision(), score.recall())
        ]
        return [
            grid.TableColumn("class", names, left=True, gap=0),
            grid.TableColumn("rows", weights(score.matrix.sum(axis=1))),
            grid.TableColumn("answered", weights(score.matrix.sum(axis=0))),
            grid.TableColumn("right", weights(score.matrix.diagonal())),
            grid.TableColumn("precision", shares[0]),
            grid.TableColumn("recall", shares[1]),
        ]

    def _confusion(self, score: ClassScore) -> list[grid.TableColumn]:
        names = [visible(name) for name in score.classes]
        return [
            grid.TableColumn("is \\ answered", names, left=True, gap=0),
            *(grid.TableColumn(name, weights(score.matrix[:, i])) for i, name in enumerate(names)),
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain values."""
        score = self.score
        rows = _counted(score.total, score)
        found: dict[str, Any] = {"title": self.title, "rows": rows, **score.measures()}
        baseline = {"answer": self.answer, **self.baseline.measures()}
        if isinstance(score, NumberScore):
            return {**found, "baseline": baseline}
        low, high = wilson(score.right, score.total)
        matrix = [[_counted(cell, score) for cell in row] for row in score.matrix.tolist()]
        by_class = zip(score.classes, score.precision(), score.recall(), strict=True)
        return {
            **found,
            "right": _counted(score.right, score),
            "interval": [low, high],
            "baseline": baseline,
            "classes": [{"class": c, "precision": p, "recall": r} for c, p, r in by_class],
            "confusion": {"classes": list(score.classes), "matrix": matrix},
        }

    def csv(self) -> str:
        """Write one figure a line: its name, the class it belongs to, its value."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["measure", "class", "value"])
        for name, value in self.score.measures().items():
            writer.writerow([name, "", repr(value)])
        for name, value in self.baseline.measures().items():
            writer.writerow([f"baseline-{name}", label(self.answer), repr(value)])
        if isinstance(self.score, ClassScore):
            for which, shares in (
                ("precision", self.score.precision()),
                ("recall", self.score.recall()),
            ):
                for name, share in zip(self.score.classes, shares, strict=True):
                    writer.writerow([which, name, "" if share is None else repr(share)])
        return text.getvalue()


def _counted(amount: float, score: Score) -> int | float:
    """Return a number of rows as a whole number, a weight as it is."""
    return amount if isinstance(score, ClassScore) and score.weighted else round(amount)
