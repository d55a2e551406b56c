"""Columns in the order of a measure, as a value that can be printed and saved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from treewright._catalog import public
from treewright._draw.conditions import shorten_number
from treewright._input.short_numbers import knows_digits, write_cut
from treewright._render.charts import Bar, NamedBars
from treewright._render.document import Column as TableColumn
from treewright._render.document import Document, Note, Picture, Table
from treewright._render.numbers import count, decimals, fixed, percent, plural
from treewright._render.page_format import PageFormat
from treewright._render.result import Result
from treewright._render.table_block import fit_columns
from treewright.schema import Column

__all__ = ["TITLES", "ColumnRanking", "RankedColumn"]

# Titles of measures that are not called by their own names.
TITLES = {
    "gain": "information gain (bits)",
    "mutual_information": "mutual information (bits)",
    "gini": "decrease of the Gini index",
    "chi2": "chi-squared",
    "one_r": "accuracy of the 1-R rule",
}
HEADS = {
    "gain_ratio": "ratio",
    "mutual_information": "information",
    "one_r": "correct",
    "variance_reduction": "reduction",
}
BAR_LENGTH = 10
CUT_DIGITS = 6  # of a threshold of arbitrary numbers
MAX_BARS = 40  # bars of a picture


@dataclass(frozen=True, slots=True)
class RankedColumn:
    """One column of a ranking.

    Parameters
    ----------
    name : str
        Its name.
    kind : {"numeric", "categorical"}
        The kind of its values.
    position : int
        Its position in the table.
    score : float
        Its value of the measure.
    figures : dict
        The value of every measure for the same split of the rows.
    parts : int
        The number of parts of that split.
    cuts : tuple of float
        The thresholds of a numeric column.
    missing : int
        The number of missing values.
    p_value : float or None
        How often chance alone scores as high, if that was tested.
    about : Column or None, default=None
        The number of digits of its values, used to write its thresholds.

    Examples
    --------
    >>> from treewright import datasets, rank_columns
    >>> best = rank_columns(*datasets.play_tennis())["Outlook"]
    >>> best.position, best.parts, round(best.score, 3)
    (0, 3, 0.247)
    """

    name: str
    kind: str
    position: int
    score: float
    figures: dict[str, float]
    parts: int
    cuts: tuple[float, ...]
    missing: int
    p_value: float | None = None
    about: Column | None = field(default=None, compare=False, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        plain = {name: getattr(self, name) for name in self.__slots__ if name != "about"}
        return plain | {"figures": dict(self.figures), "cuts": list(self.cuts)}


@public
@dataclass(frozen=True, repr=False)
class ColumnRanking(Result):
    """Columns, best first, made by :func:`treewright.rank_columns`.

    Parameters
    ----------
    by : str
        The measure.
    target : str or None
        The name of the target.
    rows : int
        The number of rows of the table.
    columns : tuple of RankedColumn
        The columns; of equals the first in the table comes first.
    most : float
        The maximum of the measure: the entropy of the target, or its variance.
    remarks : tuple of str, default=()
        How the target was changed.

    Examples
    --------
    >>> from treewright import datasets, rank_columns
    >>> ranking = rank_columns(*datasets.play_tennis(), by="one_r")
    >>> ranking.names, len(ranking)
    (['Outlook', 'Humidity', 'Temperature', 'Wind'], 4)
    """

    _noun = "a ranking"
    _file_page = PageFormat(width=160, lines=10_000)

    by: str
    target: str | None
    rows: int
    columns: tuple[RankedColumn, ...]
    most: float
    remarks: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """The names of the columns, best first."""
        return [column.name for column in self.columns]

    @property
    def notes(self) -> tuple[str, ...]:
        """The remarks, and a warning about a column that is first only because it has many values."""
        return (*self.remarks, *self._warn_of_many_values())

    def _warn_of_many_values(self) -> Iterator[str]:
        if self.by not in ("gain", "mutual_information") or len(self.columns) < 2:
            return
        best = self.columns[0]
        fair = max(self.columns, key=lambda c: (c.figures["gain_ratio"], -c.position))
        if fair.name == best.name or fair.parts >= best.parts or not best.score:
            return
        yield (
            f'"{best.name}" has the largest gain but splits the rows into {count(best.parts)} parts. By gain ratio '
            f'"{fair.name}" with {count(fair.parts)} is better ({fixed(fair.figures["gain_ratio"])} '
            f"against {fixed(best.figures['gain_ratio'])}): the gain favors columns of many values"
        )

    def __len__(self) -> int:
        return len(self.columns)

    def __iter__(self) -> Iterator[RankedColumn]:
        return iter(self.columns)

    def __getitem__(self, name: str) -> RankedColumn:
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)

    def to_dict(self) -> dict[str, Any]:
        """Return the ranking as plain values."""
        return {
            "by": self.by,
            "target": self.target,
            "rows": self.rows,
            "most": self.most,
            "columns": [column.to_dict() for column in self.columns],
            "notes": list(self.notes),
        }

    def to_csv_rows(self) -> list[dict[str, Any]]:
        """Return one record for each column, with the values of all measures."""
        rows = [{**column.to_dict(), **column.figures} for column in self.columns]
        return [{name: x for name, x in row.items() if name != "figures"} for row in rows]

    def _document(self, page: PageFormat) -> Document:
        listed = self.columns[: max(1, page.lines - 2)]
        columns, _ = fit_columns(self._table_columns(listed, page), page.width, keep=2)
        target = "" if self.target is None else f"{page.name(self.target)}: "
        measure = TITLES.get(self.by, self.by.replace("_", " "))
        size = f"{plural(len(self), 'column')} by {measure}, {plural(self.rows, 'row')}"
        title = f"{target}{size}"
        notes = [Note(f"note: {note}") for note in self.notes]
        if len(listed) < len(self):
            notes.insert(0, Note(f"  … {plural(len(self) - len(listed), 'more column')}"))
        digits = self._digits(listed)
        bars = tuple(
            Bar(page.name(c.name), c.score, fixed(c.score, digits), c.kind)
            for c in self.columns[:MAX_BARS]
        )
        picture = Picture(NamedBars(bars, title))
        return Document((title,), (Table(columns), *notes, picture), compact=True)

    def _table_columns(
        self, listed: tuple[RankedColumn, ...], page: PageFormat
    ) -> list[TableColumn]:
        digits = self._digits(listed)
        scores = tuple(fixed(c.score, digits) for c in listed)
        columns = [
            TableColumn("column", tuple(page.name(c.name) for c in listed), left=True),
            TableColumn(HEADS.get(self.by, self.by), scores, gap=2),
        ]
        if self._is_share():
            bars = tuple(_bar(self._share(c), page) for c in listed)
            columns.append(TableColumn("share of all", bars, left=True, gap=2, drawn=True))
        if self.by in ("gain", "mutual_information"):
            ratios = tuple(fixed(c.figures["gain_ratio"]) for c in listed)
            columns.append(TableColumn("ratio", ratios, gap=2))
        if any(c.p_value is not None for c in listed):
            columns.append(TableColumn("p", tuple(f"{c.p_value or 0:.3g}" for c in listed), gap=2))
        columns += [
            TableColumn("kind", tuple(c.kind for c in listed), left=True, gap=2),
            TableColumn("parts", tuple(count(c.parts) for c in listed), gap=2),
            TableColumn("missing", tuple(count(c.missing) for c in listed), gap=2),
        ]
        if any(column.cuts for column in listed):
            cuts = tuple(_write_cuts(c, page) for c in listed)
            columns.append(TableColumn("cut at", cuts, left=True, gap=2))
        return columns

    def _digits(self, listed: tuple[RankedColumn, ...]) -> int:
        if self.by not in ("chi2", "variance_reduction"):
            return 3
        return decimals(max((c.score for c in listed), default=0.0))

    def _is_share(self) -> bool:
        """Whether a score is a part of a total: the entropy, the variance, the rows."""
        return self.by in ("gain", "mutual_information", "variance_reduction", "one_r")

    def _share(self, column: RankedColumn) -> float:
        if self.by == "one_r":
            return column.score
        return min(1.0, column.score / self.most) if self.most > 0 else 0.0


def _write_cuts(column: RankedColumn, page: PageFormat) -> str:
    exact = column.about is not None and knows_digits(column.about)
    cuts = [
        write_cut(cut, column.about) if exact else shorten_number(cut, CUT_DIGITS, page)  # type: ignore[arg-type]
        for cut in column.cuts[:2]
    ]
    return ", ".join([*cuts, *([page.glyphs.dots] if len(column.cuts) > 2 else [])])


def _bar(share: float, page: PageFormat) -> str:
    length = round(share * BAR_LENGTH)
    glyphs = page.glyphs
    return f"{glyphs.full * length}{glyphs.empty * (BAR_LENGTH - length)} {percent(share):>5}"
