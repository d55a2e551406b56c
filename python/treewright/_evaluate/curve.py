"""The complexity curve: the error of small and large trees, on the rows they were grown from and on others.

Small trees know too little (bias), large ones believe in chance (variance); between them the error on new rows is
least. The trees are those of the cost-complexity path.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._catalog import public
from treewright._pruning import prune
from treewright._pruning.cost_complexity import PruningPath
from treewright._render import svg_chart as chart
from treewright._render import table_grid as grid
from treewright._render.numbers import count, decimals, fixed
from treewright._render.safe_text import visible
from treewright._render.svg_frame import inline
from treewright._utils import atomic_write as _atomic
from treewright.errors import UsageError

__all__ = ["MARKS", "ComplexityCurve"]

Numbers = NDArray[np.float64]
SHOWN = 30
SUFFIXES = (".svg", ".txt", ".md", ".json", ".png", ".pdf")


@public
@dataclass(frozen=True, eq=False, repr=False)
class ComplexityCurve:
    """Errors against the number of leaves, the largest tree first.

    Parameters
    ----------
    path : PruningPath
        The trees, with their cross-validated error.
    training : ndarray
        The error on the rows that they were grown from.
    bits : ndarray
        The length of the message of tree and errors.
    validation : ndarray or None
        The error on the validation rows, where there are any.
    unit : {"errors", "squared error"}
        What an error is; all are by row.
    whole : fitted estimator
        The tree before any pruning.

    Examples
    --------
    >>> from treewright import C45Classifier, complexity_curve, datasets
    >>> curve = complexity_curve(C45Classifier(min_cases=1), *datasets.play_tennis(), cv=7)
    >>> curve.leaves.tolist(), curve.training.tolist()
    ([5, 1], [0.0, 0.35714285714285715])
    """

    path: PruningPath
    training: Numbers
    bits: Numbers
    validation: Numbers | None
    unit: str
    whole: Any

    @property
    def leaves(self) -> NDArray[np.int64]:
        """The leaves of each tree."""
        return self.path.leaves

    @property
    def cross_validated(self) -> Numbers:
        """The error on rows that trees of the same price were not grown from."""
        return self.path._cv()[0]

    @property
    def deviation(self) -> Numbers:
        """The standard error of the cross-validated error."""
        return self.path._cv()[1]

    @property
    def best(self) -> int:
        """The tree with the least cross-validated error."""
        return self.path.best

    @property
    def one_se(self) -> int:
        """The smallest tree within one standard error of the least."""
        return self.path.one_se

    @property
    def shortest(self) -> int:
        """The tree with the shortest message: size and errors in bits; the smallest of equals."""
        return int(np.flatnonzero(self.bits <= self.bits.min() + 1e-9)[-1])

    def model(self, which: str = "one_se") -> Any:
        """Return a tree of the curve as a fitted model.

        Parameters
        ----------
        which : {"one_se", "best", "shortest"}, default="one_se"
            Which one.

        Returns
        -------
        fitted estimator
            The whole tree, pruned to that size.
        """
        if which not in MARKS:
            raise UsageError(
                f"which must be one of {', '.join(map(repr, MARKS))}; got {which!r}",
                slug="usage.parameter",
            )
        alpha = float(self.path.alpha[getattr(self, which)])
        return prune(self.whole, "cost_complexity", ccp_alpha=alpha, risk=self.path.risk_word)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Go through the trees as plain values."""
        for i, row in enumerate(self.path.rows()):
            more = {"training": float(self.training[i]), "bits": float(self.bits[i])}
            if self.validation is not None:
                more["validation"] = float(self.validation[i])
            yield row | more

    def to_dict(self) -> dict[str, Any]:
        """Return the curve as plain values, with the rows of the three choices."""
        return {"unit": self.unit, "trees": list(self.rows())} | {
            name: getattr(self, name) for name in MARKS
        }

    def to_frame(self) -> Any:
        """Return the curve as a pandas DataFrame, one row a tree (needs pandas)."""
        import pandas as pd

        return pd.DataFrame(list(self.rows()))

    def _lanes(self, shown: list[int]) -> list[grid.TableColumn]:
        digits = decimals(float(self.cross_validated.max()), 4)
        columns: dict[str, Numbers | None] = {
            "training": self.training,
            "validation": self.validation,
            "cross-validated": self.cross_validated,
            "±": self.deviation,
        }
        named = [
            ", ".join(text for name, text in MARKS.items() if getattr(self, name) == i)
            for i in shown
        ]
        return [
            grid.TableColumn("leaves", [count(self.leaves[i]) for i in shown], gap=0),
            *(
                grid.TableColumn(head, [fixed(float(column[i]), digits) for i in shown], gap=2)
                for head, column in columns.items()
                if column is not None
            ),
            grid.TableColumn("bits", [fixed(float(self.bits[i]), 1) for i in shown], gap=2),
            grid.TableColumn("", named, left=True, gap=2),
        ]

    def _shown(self) -> list[int]:
        """Return the trees to print: all, or the three choices and some between."""
        n = len(self.path)
        some = {round(i) for i in np.linspace(0, n - 1, min(n, SHOWN))}
        return sorted(some | {self.best, self.one_se, self.shortest})

    def __str__(self) -> str:
        shown = self._shown()
        note = (
            [f"… {len(self.path) - len(shown):,} more trees"] if len(shown) < len(self.path) else []
        )
        return "\n".join(
            [
                f"{self.unit} by row",
                *grid.align_columns(self._lanes(shown), grid.terminal_width()),
                *note,
            ]
        )

    __repr__ = __str__

    def to_markdown(self) -> str:
        """Return the curve as a Markdown table."""
        return f"{grid.markdown(self._lanes(self._shown()))}\n"

    def to_svg(self) -> str:
        """Return the curve as a picture."""
        lines = [
            chart.Line("training", self.training.tolist()),
            chart.Line("cross-validated", self.cross_validated.tolist(), self.deviation.tolist()),
        ]
        if self.validation is not None:
            lines.append(chart.Line("validation", self.validation.tolist()))
        marks = [
            chart.Mark(text, float(self.leaves[at]), float(self.cross_validated[at]))
            for name, text in MARKS.items()
            for at in [getattr(self, name)]
        ]
        title = f"{self.unit} by row against the number of leaves"
        return chart.render(
            self.leaves.tolist(), lines, marks, title, ("leaves", f"{self.unit} by row")
        )

    def plot(self, ax: Any = None) -> Any:
        """Draw the curve with matplotlib (if it is installed).

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure where not given.

        Returns
        -------
        matplotlib Axes
            What was drawn on.
        """
        if ax is None:
            try:
                plots: Any = importlib.import_module("matplotlib.pyplot")
            except ImportError:
                raise UsageError(
                    "matplotlib is not installed",
                    slug="choose.no-matplotlib",
                    hints=[
                        "a picture as SVG needs no other package: save it under a name that ends in .svg"
                    ],
                ) from None
            _, ax = plots.subplots()
        ax.plot(self.leaves, self.training, label="training")
        ax.errorbar(self.leaves, self.cross_validated, self.deviation, label="cross-validated")
        if self.validation is not None:
            ax.plot(self.leaves, self.validation, label="validation")
        for name, text in MARKS.items():
            ax.axvline(self.leaves[getattr(self, name)], linestyle=":", label=text)
        ax.set(xscale="log", xlabel="leaves", ylabel=f"{self.unit} by row")
        ax.legend()
        return ax

    def save(self, path: str | Path) -> None:
        """Write the curve to a file; its suffix says how: .svg, .txt, .md, .json, or .png and .pdf by matplotlib.

        Parameters
        ----------
        path : str or Path
            The file; it is replaced where it exists.
        """
        path = Path(path)
        writers: dict[str, Callable[[], str]] = {
            ".svg": lambda: self.to_svg() + "\n",
            ".txt": lambda: f"{self}\n",
            ".md": self.to_markdown,
            ".json": lambda: json.dumps(self.to_dict(), indent=1, allow_nan=False) + "\n",
        }
        suffix = path.suffix.lower()
        if suffix in (".png", ".pdf"):
            self.plot().figure.savefig(path)
        elif suffix in writers:
            _atomic.write(path, writers[suffix]().encode())
        else:
            raise UsageError(
                f'a curve cannot be written as "{visible(path.name)}"',
                slug="show.suffix",
                hints=[f"endings that work: {' '.join(SUFFIXES)}"],
            )

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": inline(self.to_svg())}


# The choices, and what they are called.
MARKS = {"best": "least error", "one_se": "one standard error", "shortest": "shortest message"}
