"""The complexity curve: the error of small and large trees, on the training rows and on others.

Small trees miss patterns (bias), large ones fit noise (variance); between them the error on new rows is least. The
trees are those of the cost-complexity path.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._catalog import public
from treewright._pruning.cost_complexity import PruningPath, spread_rows
from treewright._pruning.prune_model import prune
from treewright._render.charts import LineChart
from treewright._render.document import Column, Document, Note, Picture, Table
from treewright._render.numbers import count, decimals, fixed, plural
from treewright._render.page_format import PageFormat
from treewright._render.result import Result
from treewright.errors import UsageError

__all__ = ["MARKS", "ComplexityCurve"]

Numbers = NDArray[np.float64]
# The choices, and their names.
MARKS = {"best": "least error", "one_se": "one standard error", "shortest": "shortest message"}


@public
@dataclass(frozen=True, eq=False, repr=False)
class ComplexityCurve(Result):
    """Errors against the number of leaves, the largest tree first.

    Parameters
    ----------
    path : PruningPath
        The trees, with their cross-validated error.
    training : ndarray
        The error on the training rows.
    bits : ndarray
        The description length of the tree and its errors.
    validation : ndarray or None
        The error on the validation rows, if there are any.
    unit : {"errors", "squared error"}
        The kind of error; all are per row.
    whole : fitted estimator
        The unpruned tree.

    Examples
    --------
    >>> from treewright import C45Classifier, complexity_curve, datasets
    >>> curve = complexity_curve(C45Classifier(min_cases=1), *datasets.play_tennis(), cv=7)
    >>> curve.leaves.tolist(), curve.training.tolist()
    ([5, 1], [0.0, 0.35714285714285715])
    """

    _noun = "a curve"

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
        """The cross-validated error."""
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
        """The tree with the shortest description of size and errors in bits; the smallest of equals."""
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
            The tree, pruned to that size.
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
        choices = {name: getattr(self, name) for name in MARKS}
        return {
            "unit": self.unit,
            "trees": list(self.rows()),
            **choices,
            "link": self.path.links(),
        }

    def to_csv_rows(self) -> list[dict[str, Any]]:
        """Return one record for each tree."""
        return list(self.rows())

    def _document(self, page: PageFormat) -> Document:
        rows = spread_rows(len(self.path), page.lines, {getattr(self, name) for name in MARKS})
        digits = decimals(float(self.cross_validated.max()), 4)
        errors: dict[str, Numbers | None] = {
            "training": self.training,
            "validation": self.validation,
            "cross-validated": self.cross_validated,
            "se": self.deviation,
        }
        choices = [
            ", ".join(text for name, text in MARKS.items() if getattr(self, name) == i)
            for i in rows
        ]
        table = Table(
            (
                Column("leaves", tuple(count(self.leaves[i]) for i in rows), gap=0),
                *(
                    Column(head, tuple(fixed(float(error[i]), digits) for i in rows), gap=2)
                    for head, error in errors.items()
                    if error is not None
                ),
                Column("bits", tuple(fixed(float(self.bits[i]), 1) for i in rows), gap=2),
                Column("", tuple(choices), left=True, gap=2),
            )
        )
        left_out = len(self.path) - len(rows)
        notes = (Note(f"… {plural(left_out, 'more tree')}"),) if left_out else ()
        picture = Picture(self._chart())
        return Document((f"{self.unit} per row",), (picture, table, *notes), compact=True)

    def _chart(self) -> LineChart:
        lines = {"training": self.training, "cross-validated": self.cross_validated}
        if self.validation is not None:
            lines["validation"] = self.validation
        marks = tuple(
            (text, float(self.leaves[at]), float(self.cross_validated[at]))
            for name, text in MARKS.items()
            for at in [getattr(self, name)]
        )
        return LineChart(
            tuple(self.leaves.tolist()),
            tuple((name, tuple(errors.tolist())) for name, errors in lines.items()),
            marks,
            f"{self.unit} per row against the number of leaves",
            ("leaves", f"{self.unit} per row"),
            bands=((), tuple(self.deviation.tolist())),
            log=True,
        )
