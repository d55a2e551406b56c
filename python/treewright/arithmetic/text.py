"""The work of a node as text: aligned, for terminals and for diffs."""

from __future__ import annotations

from treewright.arithmetic.formula import ASCII, UNICODE, Formula, Signs, text
from treewright.arithmetic.model import Split
from treewright.arithmetic.page import Page
from treewright.arithmetic.pen import Figure
from treewright.draw import glyphs, grid
from treewright.draw.figures import plural
from treewright.draw.grid import Lane
from treewright.draw.names import cells
from treewright.schema import label

__all__ = ["write"]

HEAD = 22


def write(page: Page) -> str:
    """Write the page."""
    said = "\n".join(_Writer(page).lines()).rstrip()
    if page.paper.glyphs is glyphs.ASCII:
        for sign, plain in {"≤": "<=", "≥": ">=", "τ": "tau"}.items():
            said = said.replace(sign, plain)
    return said


class _Writer:
    """One page in the making; remembers which results a reader would not get."""

    def __init__(self, page: Page) -> None:
        self.page, self.pen, self.work = page, page.pen, page.work
        plain = page.paper.glyphs is glyphs.ASCII
        self.signs: Signs = ASCII if plain else UNICODE
        self.mark, self.arrow = ("*", "<- ") if plain else ("†", "◀ ")
        self.footnotes: list[str] = []

    def lines(self) -> list[str]:
        """Return all lines."""
        lines = [*self.heading(), "", *self.own()]
        for split in self.page.detail:
            lines += ["", *self.split(split)]
        if self.work.splits:
            lines += ["", *self.candidates()]
        for split in self.work.splits:
            if split.cuts and len(split.cuts) > 1:
                lines += ["", *self.cuts(split)]
        closing = self.page.closing()
        lines += ["", *closing] if closing else []
        notes = [line for note in self.footnotes for line in self.wrapped(note)]
        return [*lines, *([""] if notes else []), *notes]

    def heading(self) -> list[str]:
        """Write the node and what it holds."""
        group = self.work.group
        title = f"   {self.page.title()}" if self.page.title() else ""
        said = f"Node #{self.work.node}{title}   {self.page.rows(group)}: {self.page.held(group)}"
        return grid.told(said, self.page.paper.width)

    def own(self) -> list[str]:
        """Write the impurity of the node."""
        law, group = self.work.law, self.work.group
        unit = (
            f" in {self.work.unit.name}"
            if law.key == "entropy" and self.work.unit.base != "2"
            else ""
        )
        steps, last = self.pen.own(group)
        said = " = ".join([law.symbol, *map(self.formula, steps), self.figure(last)])
        head = law.noun[0].upper() + law.noun[1:]
        return [f"{head} of this node{unit}", *self.wrapped(f"  {said}")]

    def split(self, split: Split) -> list[str]:
        """Write one candidate out."""
        page, law = self.page, self.work.law
        groups = split.groups
        lanes = [
            Lane(
                f"Split on {page.candidate(split)}",
                [f"  {page.group(g)}" for g in groups],
                left=True,
                gap=0,
            )
        ]
        lanes += [Lane(head, body, gap=2) for head, body in page.table(groups)]
        zero = page.zero(groups)
        parts = []
        for k, group in enumerate(groups):
            said = self.figure(self.pen.part(group))
            parts.append(f"{said}   (0{self.signs.dot}log 0 = 0)" if k == zero else said)
        lanes.append(Lane(f"weight {self.signs.times} {law.noun}", parts, left=True))
        filled = self.filled(lanes, law.remaining, self.pen.remaining(split))
        lines = grid.rows(filled, page.paper.width)
        if split.unknown is not None:
            lines.append(f"  {self.page.rows(split.unknown)} cannot answer and are left out")
        told = [(law.gain, self.figure(self.pen.gain(split)))]
        if split.price:
            told.append((f"price of {plural(split.tries, 'cut')}", self.price(split)))
            told.append((f"{law.short} less price", self.figure(self.pen.net(split))))
        if page.shows_ratio and split.split_info is not None:
            told.append(("split information", self.figure(self.pen.information(split))))
            told.append(("gain ratio", self.figure(self.pen.ratio(split))))
        return [
            *lines,
            *(line for head, body in told for line in self.wrapped(f"  {head:<{HEAD}}  {body}")),
        ]

    def price(self, split: Split) -> str:
        """Write the price of choosing among cuts."""
        logs, whole = (
            self.signs.logs[("2", "e", "10").index(self.work.unit.base)],
            self.work.group.weight,
        )
        shown = self.pen.write("gain", self.pen.rounding.shown(split.price))
        return f"{logs}({split.tries}) / {whole:g} = {shown}"

    def filled(self, lanes: list[Lane], head: str, figure: str) -> list[Lane]:
        """Add a last row with a figure below the last column."""
        first, *middle, last = lanes
        return [
            Lane(first.head, [*first.body, f"  {head}"], left=True, gap=0),
            *(Lane(lane.head, [*lane.body, ""], lane.left, lane.gap) for lane in middle),
            Lane(last.head, [*last.body, figure], left=True),
        ]

    def candidates(self) -> list[str]:
        """Write the table of all candidates, and how one of them is chosen."""
        page, pen, law, splits = self.page, self.pen, self.work.law, self.work.splits
        lanes = [
            Lane("All candidates", [f"  {page.candidate(s)}" for s in splits], left=True, gap=0),
            Lane("remaining", [pen.remaining(s) if s.groups else self.none for s in splits]),
            Lane(
                law.short, [pen.gain(s).result if s.groups or s.cuts else self.none for s in splits]
            ),
        ]
        if any(s.price for s in splits):
            prices = [
                pen.write("gain", pen.rounding.shown(s.price)) if s.price else self.none
                for s in splits
            ]
            nets = [pen.net(s).result if s.groups or s.cuts else self.none for s in splits]
            nets = [net.replace("-", self.signs.minus) for net in nets]
            lanes += [Lane("price", prices), Lane("net", nets)]
        if page.shows_ratio:
            infos = [
                pen.information(s).result if s.split_info is not None else self.none for s in splits
            ]
            ratios = [pen.ratio(s).result if s.ratio is not None else self.none for s in splits]
            ginis = [
                pen.write("gain", pen.rounding.shown(s.gini)) if s.gini is not None else self.none
                for s in splits
            ]
            lanes += [
                Lane("split info", infos),
                Lane("ratio", ratios),
                Lane("Gini decrease", ginis),
            ]
        verdicts = [self.verdict(s) for s in splits]
        lanes.append(Lane("", verdicts, left=True))
        lines = grid.rows(lanes, page.paper.width)
        return [*lines, *(part for rule in page.rules() for part in self.wrapped(f"  {rule}"))]

    @property
    def none(self) -> str:
        """The sign for no figure."""
        return self.page.paper.glyphs.none

    def verdict(self, split: Split) -> str:
        """Write what became of a candidate."""
        said = self.page.verdict(split)
        return f"{self.arrow}{said}" if said == "chosen" else said

    def cuts(self, split: Split) -> list[str]:
        """Write the best cuts of a numeric column."""
        shown, law = split.cuts, self.work.law
        name = self.page.name(split.column)
        between = [f"  {label(c.below)} to {label(c.above)}" for c in shown]
        lanes = [Lane(f"Cuts of {name}", between, left=True, gap=0)]
        middle = [label((c.below + c.above) / 2) for c in shown]
        compared = [label(c.threshold) for c in shown]
        lanes.append(Lane("midpoint", middle))
        if compared != middle:
            lanes.append(Lane("compares with", compared))
        gains = [self.pen.write("gain", self.pen.rounding.shown(c.gain)) for c in shown]
        lanes.append(Lane(law.short, gains))
        rest = split.n_cuts - len(shown)
        more = [f"  {self.page.paper.glyphs.dots} {plural(rest, 'more cut')}"] if rest > 0 else []
        return [*grid.rows(lanes, self.page.paper.width), *more]

    def figure(self, figure: Figure) -> str:
        """Write a calculation with its result, marked where a reader gets another one."""
        said = f"{self.formula(figure.formula)} = {figure.result}"
        if not figure.differs:
            return said
        if not self.footnotes:
            self.footnotes.append(f"{self.mark} from unrounded values:")
        again = f"  {self.formula(figure.formula)} evaluates to {figure.differs}, as its figures were rounded"
        if again not in self.footnotes:
            self.footnotes.append(again)
        return f"{said} {self.mark}"

    def formula(self, formula: Formula) -> str:
        """Write a formula."""
        return text(formula, self.signs)

    def wrapped(self, line: str) -> list[str]:
        """Break a long line before its signs."""
        width = max(40, self.page.paper.width)
        if cells(line) <= width:
            return [line]
        start = len(line) - len(line.lstrip())
        lines, current = [], ""
        for word in line.lstrip().split(" "):
            if current and cells(current) + 1 + cells(word) > width - start - 4:
                lines.append(current)
                current = "    " + word
            else:
                current = f"{current} {word}" if current else word
        return [" " * start + part for part in [*lines, current]]
