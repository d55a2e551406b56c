"""What a comparison of learners found: how good, how large, how long, and whether the difference could be chance.

Glossary: the *score* of a fold is the share of right answers, or for numbers the root of the mean squared error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._catalog import public
from treewright._render import table_grid as grid
from treewright._render.latex_text import tex
from treewright._render.numbers import count, decimals, fixed

__all__ = ["Comparison", "Entry"]

Numbers = NDArray[np.float64]
CAVEAT = (
    "p: how often chance alone would make a difference to the best one this large (paired t-test over the folds, "
    "corrected for their common training rows after Nadeau and Bengio). Folds are not independent and many pairs were "
    "looked at: take it as a hint, not as proof."
)


@dataclass(frozen=True, eq=False)
class Entry:
    """One learner of a comparison.

    Parameters
    ----------
    name : str
        What it is called.
    scores : ndarray
        Its score on each fold.
    size : int or None
        The leaves, or the rules, of the model learnt from all rows.
    seconds : float
        How long learning from all rows took.
    p_value : float or None
        Whether its difference to the best one could be chance; None for the best one itself.

    Examples
    --------
    >>> Entry("a", np.array([0.5, 0.7]), 3, 0.1, None).mean
    0.6
    """

    name: str
    scores: Numbers
    size: int | None
    seconds: float
    p_value: float | None

    @property
    def mean(self) -> float:
        """The mean of its scores."""
        return float(self.scores.mean())

    @property
    def deviation(self) -> float:
        """The standard deviation of its scores over the folds."""
        return float(self.scores.std(ddof=1)) if len(self.scores) > 1 else 0.0


@public
@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Learners that were tried on the same folds, the best first.

    Parameters
    ----------
    entries : tuple of Entry
        The learners.
    measure : {"accuracy", "rmse"}
        What a score is: more is better of the first, less of the second.
    cv : int
        The folds.
    caveat : str
        How to read ``p_value``.

    Examples
    --------
    >>> from treewright import C45Classifier, compare, datasets
    >>> found = compare([C45Classifier()], *datasets.play_tennis(), cv=7)
    >>> sorted(entry.name for entry in found.entries)
    ['C45Classifier', 'OneRClassifier', 'ZeroRClassifier']
    """

    entries: tuple[Entry, ...]
    measure: str
    cv: int
    caveat: str = CAVEAT

    def __getitem__(self, name: str) -> Entry:
        return next(entry for entry in self.entries if entry.name == name)

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain values."""
        return {
            "measure": self.measure,
            "folds": self.cv,
            "caveat": self.caveat,
            "learners": [
                {
                    "name": entry.name,
                    "mean": entry.mean,
                    "deviation": entry.deviation,
                    "scores": entry.scores.tolist(),
                    "size": entry.size,
                    "seconds": entry.seconds,
                    "p_value": entry.p_value,
                }
                for entry in self.entries
            ],
        }

    def to_frame(self) -> Any:
        """Return the comparison as a pandas DataFrame, one row a learner (needs pandas)."""
        import pandas as pd

        return pd.DataFrame(self.to_dict()["learners"]).drop(columns="scores")

    def _lanes(self) -> list[grid.TableColumn]:
        entries = self.entries
        if self.measure == "accuracy":
            means = [f"{100 * entry.mean:.1f}%" for entry in entries]
            spread = [f"{100 * entry.deviation:.1f}" for entry in entries]
        else:
            digits = decimals(max(entry.mean for entry in entries), 4)
            means = [fixed(entry.mean, digits) for entry in entries]
            spread = [fixed(entry.deviation, digits) for entry in entries]
        sizes = ["" if entry.size is None else count(entry.size) for entry in entries]
        chance = ["best" if e.p_value is None else _probability(e.p_value) for e in entries]
        return [
            grid.TableColumn("learner", [entry.name for entry in entries], left=True, gap=0),
            grid.TableColumn("right" if self.measure == "accuracy" else "RMSE", means),
            grid.TableColumn("±", spread, gap=1),
            grid.TableColumn("leaves", sizes),
            grid.TableColumn("seconds", [f"{entry.seconds:.3f}" for entry in entries]),
            grid.TableColumn("p", chance),
        ]

    def __str__(self) -> str:
        return "\n".join(
            [
                f"{self.cv}-fold cross-validation",
                "",
                *grid.align_columns(self._lanes(), grid.terminal_width()),
            ]
        )

    __repr__ = __str__

    def to_markdown(self) -> str:
        """Return the comparison as a Markdown table, with its caveat."""
        return f"{grid.markdown(self._lanes())}\n\n{self.caveat}\n"

    def to_latex(self) -> str:
        """Return the comparison as a LaTeX table for ``booktabs``, with its caveat."""
        return f"{grid.latex(self._lanes())}\n\n{tex(self.caveat)}\n"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": grid.html(self._lanes())}


def _probability(p: float) -> str:
    return "<0.001" if p < 0.001 else fixed(p)
