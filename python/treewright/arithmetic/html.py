"""The work of a node as HTML without scripts: tables, and formulas as MathML, which browsers draw by themselves."""

from __future__ import annotations

from html import escape

from treewright.arithmetic.formula import Formula, mathml
from treewright.arithmetic.model import Split
from treewright.arithmetic.page import Page
from treewright.arithmetic.pen import Figure
from treewright.draw import grid
from treewright.draw.grid import Lane

__all__ = ["write"]


def write(page: Page) -> str:
    """Write the page as a fragment."""
    work = page.work
    title = f"{page.title()}, " if page.title() else ""
    heading = f"Node {work.node}: {title}{page.rows(work.group)} ({page.held(work.group)})"
    steps, last = page.pen.own(work.group)
    parts = [
        f"<h4><bdi>{escape(heading)}</bdi></h4>",
        _equation(work.law.symbol, [*steps, last.formula], last),
    ]
    for split in page.detail:
        parts += _split(page, split)
    if work.splits:
        parts.append(_candidates(page))
    parts += [
        f"<p>{escape(said)}</p>" for said in (*page.rules(), *page.closing(), *page.footnotes())
    ]
    return f"<div>{''.join(parts)}</div>"


def _split(page: Page, split: Split) -> list[str]:
    pen, law = page.pen, page.work.law
    lanes = [
        Lane(
            page.candidate(split),
            [*(page.group(g) for g in split.groups), law.remaining],
            left=True,
        )
    ]
    lanes += [Lane(head, [*body, ""]) for head, body in page.table(split.groups)]
    products = [*(pen.part(g).result for g in split.groups), pen.remaining(split)]
    lanes.append(Lane(f"weight × {law.noun}", products))
    told: list[tuple[str, Figure]] = [(law.gain, pen.gain(split))]
    if split.price:
        told.append((f"{law.short} less price", pen.net(split)))
    if page.shows_ratio and split.split_info is not None:
        told += [("split information", pen.information(split)), ("gain ratio", pen.ratio(split))]
    return [grid.html(lanes), *(_equation(name, [f.formula], f) for name, f in told)]


def _candidates(page: Page) -> str:
    pen, splits = page.pen, page.work.splits
    gains = [(pen.net(s) if s.price else pen.gain(s)).result for s in splits]
    lanes = [
        Lane("candidate", [page.candidate(s) for s in splits], left=True),
        Lane(page.work.law.short, gains),
    ]
    if page.shows_ratio:
        infos = [pen.information(s).result if s.split_info is not None else "" for s in splits]
        ratios = [pen.ratio(s).result if s.ratio is not None else "" for s in splits]
        lanes += [Lane("split information", infos), Lane("gain ratio", ratios)]
    lanes.append(Lane("", [page.verdict(s) for s in splits], left=True))
    return grid.html(lanes)


def _equation(name: str, steps: list[Formula], figure: Figure) -> str:
    result = f"<mn>{escape(figure.result)}</mn>"
    if figure.differs:
        result = f"<msup>{result}<mo>†</mo></msup>"
    equals = "<mo>=</mo>".join([f"<mi>{escape(name)}</mi>", *map(mathml, steps), result])
    return f'<p><math xmlns="http://www.w3.org/1998/Math/MathML" display="block"><mrow>{equals}</mrow></math></p>'
