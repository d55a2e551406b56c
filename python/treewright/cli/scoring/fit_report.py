"""What ``treewright fit`` prints about the model: the drawing and the figures, as text, JSON or Markdown."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from treewright._render import table_grid as grid
from treewright.cli.scoring.evaluation import Evaluation
from treewright.cli.scoring.holdout import accuracy_line
from treewright.cli.tables.training_data import Lesson

__all__ = ["Report"]


@dataclass(frozen=True)
class Report:
    """The view of a model, how good it is on its training rows and on others, and what was measured out of bag."""

    view: Any
    rows: int
    own: Evaluation
    tried: Evaluation | None = None
    out_of_bag: tuple[str, float] | None = None

    @classmethod
    def of(cls, model: Any, view: Any, lesson: Lesson, evaluations: list[Evaluation]) -> Report:
        """Put the parts together; a forest that was asked to measures itself out of bag."""
        kind = model.__sklearn_tags__().estimator_type
        score = getattr(model, "oob_score_", None)
        measured = None if score is None else ("R2" if kind == "regressor" else "accuracy", score)
        own, *others = evaluations
        return cls(view, len(lesson.table), own, others[0] if others else None, measured)

    def _lines(self) -> list[str]:
        lines = [accuracy_line(self.rows, self.own, self.tried)]
        if self.out_of_bag is not None:
            what, score = self.out_of_bag
            lines.append(f"out of bag: {what} {score:.4f}")
        return lines

    def figures(self) -> str:
        """Write the figures for people."""
        return "\n".join(self._lines())

    def markdown(self) -> str:
        """Write it as Markdown."""
        lines = "  \n".join(grid.escape_markdown(line) for line in self._lines())
        return f"{self.view.to_markdown().rstrip()}\n\n{lines}\n"

    def json(self) -> str:
        """Write it for programs: the view, and the figures as eval has them."""
        document: dict[str, Any] = {
            "model": self.view.to_dict(),
            "training": self.own.to_dict(),
            "trial": None if self.tried is None else self.tried.to_dict(),
        }
        if self.out_of_bag is not None:
            document["out_of_bag"] = {self.out_of_bag[0].lower(): self.out_of_bag[1]}
        return json.dumps(document, indent=1, allow_nan=False) + "\n"
