"""Columns in the order of a measure, as a value: text, Markdown, HTML, JSON, a picture of bars."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from treewright._catalog import public
from treewright._draw import html_tree as html
from treewright._draw.conditions import shortened
from treewright._input.short_numbers import knows_digits, write_cut
from treewright._render import svg_bars as bars
from treewright._render import table_grid as grid
from treewright._render.glyphs import ASCII, UNICODE
from treewright._render.latex_text import tex
from treewright._render.numbers import count, decimals, fixed, percent, plural
from treewright._render.page_format import PageFormat
from treewright._render.safe_text import visible
from treewright._utils import atomic_write as _atomic
from treewright.errors import UsageError
from treewright.schema import Column

__all__ = ["TITLES", "ColumnRanking", "RankedColumn"]

TITLES = {
    "gain": "information gain (bits)",
    "gain_ratio": "gain ratio",
    "mutual_information": "mutual information (bits)",
    "gini": "decrease of the Gini index",
    "chi2": "chi-squared",
    "one_r": "share of rows that 1-R gets right",
    "variance_reduction": "variance reduction",
}
HEADS = {
    "gain_ratio": "ratio",
    "mutual_information": "information",
    "one_r": "right",
    "variance_reduction": "reduction",
}
SUFFIXES = (".txt", ".md", ".tex", ".html", ".svg", ".json")
BAR = 10
DIGITS = 6  # of a cut of arbitrary numbers
DRAWN = 40  # bars of a picture


@dataclass(frozen=True, slots=True)
class RankedColumn:
    """One column of a ranking.

    Parameters
    ----------
    name : str
        Its name.
    kind : {"numeric", "categorical"}
        What it holds.
    position : int
        Its place in the table.
    score : float
        What it is ranked by.
    figures : dict
        What the same division of the rows is worth by every measure.
    parts : int
        Into how many parts it divides the rows.
    cuts : tuple of float
        Where a numeric column is cut.
    missing : int
        Rows in which it has no value.
    p_value : float or None
        How often chance alone scores as much, where that was tested.
    about : Column or None, default=None
        How many digits its values have, for those who write its cuts.

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
class ColumnRanking:
    """Columns, best first, made by :func:`treewright.rank_columns`.

    Parameters
    ----------
    by : str
        The measure.
    target : str or None
        The name of the target.
    rows : int
        Rows of the table.
    columns : tuple of RankedColumn
        The columns; of equals the first in the table comes first.
    most : float
        The most that a column can tell: the entropy of the target, or its variance.
    remarks : tuple of str, default=()
        What was done to the target.

    Examples
    --------
    >>> from treewright import datasets, rank_columns
    >>> ranking = rank_columns(*datasets.play_tennis(), by="one_r")
    >>> ranking.names, len(ranking)
    (['Outlook', 'Humidity', 'Temperature', 'Wind'], 4)
    """

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
        """What a reader should know: a column of many values that wins for having them, and remarks."""
        return (*self.remarks, *self._deceived())

    def _deceived(self) -> Iterator[str]:
        if self.by not in ("gain", "mutual_information") or len(self.columns) < 2:
            return
        best = self.columns[0]
        fair = max(self.columns, key=lambda c: (c.figures["gain_ratio"], -c.position))
        if fair.name == best.name or fair.parts >= best.parts or not best.score:
            return
        yield (
            f'"{best.name}" has the largest gain, and {count(best.parts)} parts; by gain ratio '
            f'"{fair.name}" with {count(fair.parts)} is better ({fixed(fair.figures["gain_ratio"])} '
            f"against {fixed(best.figures['gain_ratio'])}): a column of many values gains by having them"
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

    def to_frame(self) -> Any:
        """Return the ranking as a pandas DataFrame, one row a column (needs pandas)."""
        import pandas as pd

        rows = [{**c.to_dict(), **c.figures} for c in self.columns]
        return pd.DataFrame(rows).drop(columns=["figures"])

    # ---- text

    def text(
        self, stream: Any = None, *, width: int | None = None, ascii: bool | None = None
    ) -> str:
        """Return the ranking as text that a stream can carry.

        Parameters
        ----------
        stream : text file, default=None
            Where it will be written; standard output where not given.
        width : int, default=None
            Columns of text; those of the terminal where not given. Lanes without room are left out.
        ascii : bool, default=None
            Whether to draw with ASCII signs; None asks the stream.
        """
        return self._text(PageFormat.of(stream, width=width, ascii=ascii))

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__

    def _text(self, paper: PageFormat) -> str:
        shown = self.columns[: max(1, paper.lines - 2)]
        lanes = self._lanes(shown, paper)
        while len(lanes) > 2 and grid.width(lanes) > paper.width:
            lanes = lanes[:-1]
        lines = [*grid.wrap_sentence(self._heading(paper), paper.width), *grid.align_columns(lanes)]
        if len(shown) < len(self.columns):
            more = plural(len(self.columns) - len(shown), "more column")
            lines.append(f"  {paper.glyphs.dots} {more}")
        return "\n".join(lines + [f"note: {visible(note)}" for note in self.notes])

    def _heading(self, paper: PageFormat) -> str:
        target = "" if self.target is None else f"{paper.name(self.target)}: "
        columns = plural(len(self.columns), "column")
        return f"{target}{columns} by {TITLES[self.by]}, {plural(self.rows, 'row')}"

    def _lanes(self, shown: tuple[RankedColumn, ...], paper: PageFormat) -> list[grid.TableColumn]:
        digits = self._digits(shown)
        lanes = [
            grid.TableColumn("column", [paper.name(c.name) for c in shown], left=True, gap=2),
            grid.TableColumn(
                HEADS.get(self.by, self.by), [fixed(c.score, digits) for c in shown], gap=2
            ),
        ]
        shares = [self._share(c) for c in shown]
        if self._is_share():
            lanes.append(
                grid.TableColumn("share of all", [_bar(s, paper) for s in shares], left=True, gap=2)
            )
        if self.by in ("gain", "mutual_information"):
            ratios = [fixed(c.figures["gain_ratio"]) for c in shown]
            lanes.append(grid.TableColumn("ratio", ratios, gap=2))
        if any(c.p_value is not None for c in shown):
            lanes.append(grid.TableColumn("p", [f"{c.p_value or 0:.3g}" for c in shown], gap=2))
        return [
            *lanes,
            grid.TableColumn("kind", [c.kind for c in shown], left=True, gap=2),
            grid.TableColumn("parts", [count(c.parts) for c in shown], gap=2),
            grid.TableColumn("missing", [count(c.missing) for c in shown], gap=2),
            *self._cuts(shown, paper),
        ]

    def _cuts(self, shown: tuple[RankedColumn, ...], paper: PageFormat) -> list[grid.TableColumn]:
        def written(column: RankedColumn) -> str:
            first = [_cut(cut, column.about, paper) for cut in column.cuts[:2]]
            return ", ".join([*first, *([paper.glyphs.dots] if len(column.cuts) > 2 else [])])

        if not any(column.cuts for column in shown):
            return []
        return [grid.TableColumn("cut at", [written(c) for c in shown], left=True, gap=2)]

    def _digits(self, shown: tuple[RankedColumn, ...]) -> int:
        if self.by not in ("chi2", "variance_reduction"):
            return 3
        return decimals(max((c.score for c in shown), default=0.0))

    def _is_share(self) -> bool:
        """Whether a score is a part of a whole: of the entropy, of the variance, of the rows."""
        return self.by in ("gain", "mutual_information", "variance_reduction", "one_r")

    def _share(self, column: RankedColumn) -> float:
        if self.by == "one_r":
            return column.score
        if self._is_share():
            return min(1.0, column.score / self.most) if self.most > 0 else 0.0
        best = max((c.score for c in self.columns), default=0.0)
        return column.score / best if best > 0 else 0.0

    # ---- other forms

    def to_markdown(self) -> str:
        """Return the ranking as a Markdown table."""
        notes = "".join(f"\n{grid.escape_markdown(note)}\n" for note in self.notes)
        return f"{grid.markdown(self._lanes(self.columns, FILE))}\n{notes}"

    def to_latex(self) -> str:
        """Return the ranking as a LaTeX table for ``booktabs``."""
        lanes = [lane for lane in self._lanes(self.columns, FILE) if lane.head != "share of all"]
        notes = "".join(f"\n{tex(note)}\n" for note in self.notes)
        return f"{grid.latex(lanes)}\n{notes}"

    def to_html(self) -> str:
        """Return the ranking as an HTML table without scripts, at most 100 KB."""
        return html.bounded(
            lambda room: grid.html(self._lanes(self.columns[:room], FILE)), len(self.columns)
        )

    def to_svg(self) -> str:
        """Return the ranking as a picture of bars; the best forty columns."""
        shown = self.columns[:DRAWN]
        digits = self._digits(shown)
        return bars.render(
            [bars.Bar(FILE.name(c.name), c.score, fixed(c.score, digits), c.kind) for c in shown],
            self._heading(FILE),
        )

    def save(self, path: str | Path) -> None:
        """Write the ranking to a file; its suffix says how: .txt, .md, .tex, .html, .svg or .json.

        Parameters
        ----------
        path : str or Path
            The file; it is replaced where it exists.
        """
        path = Path(path)
        writers: dict[str, Callable[[], str]] = {
            ".txt": lambda: self._text(FILE) + "\n",
            ".md": self.to_markdown,
            ".tex": self.to_latex,
            ".html": lambda: html.document(self._heading(FILE), self.to_html()),
            ".svg": lambda: self.to_svg() + "\n",
            ".json": lambda: json.dumps(self.to_dict(), indent=1, allow_nan=False) + "\n",
        }
        writer = writers.get(path.suffix.lower())
        if writer is None:
            raise UsageError(
                f'a ranking cannot be written as "{visible(path.name)}"',
                slug="show.suffix",
                hints=[f"endings that work: {' '.join(SUFFIXES)}"],
            )
        _atomic.write(path, writer().encode())

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self.to_html()}


FILE = PageFormat(width=160, lines=10_000, glyphs=UNICODE)


def _cut(cut: float, column: Column | None, paper: PageFormat) -> str:
    if column is None or not knows_digits(column):
        return shortened(cut, DIGITS, paper)
    return write_cut(cut, column)


def _bar(share: float, paper: PageFormat) -> str:
    full = round(share * BAR)
    glyphs = ASCII if paper.glyphs is ASCII else UNICODE
    return f"{glyphs.full * full}{glyphs.empty * (BAR - full)} {percent(share):>4}"
