"""The work of a node as Markdown with formulas between dollars: for GitHub, notebooks and Quarto."""

from __future__ import annotations

from treewright.arithmetic.formula import Formula, latex
from treewright.arithmetic.model import Split
from treewright.arithmetic.page import Page
from treewright.arithmetic.pen import BOX, Figure
from treewright.draw import grid
from treewright.draw.grid import Lane

__all__ = ["write"]


def write(page: Page) -> str:
    """Write the page."""
    work, pen = page.work, page.pen
    title = f"{page.title()}, " if page.title() else ""
    heading = f"Node {work.node}: {title}{page.rows(work.group)} ({page.held(work.group)})"
    steps, last = pen.own(work.group)
    own = " = ".join(
        [f"{work.law.symbol}(S)", *map(_latex, steps), _latex(last.formula), _marked(last)]
    )
    parts = [f"#### {grid.escaped(heading)}", f"$${own}$$"]
    parts += [_split(page, split) for split in page.detail]
    if work.splits:
        parts.append(_candidates(page))
    said = [*page.rules(), *page.closing(), *page.footnotes()]
    return "\n\n".join([*parts, *map(grid.escaped, said)]) + "\n"


def _split(page: Page, split: Split) -> str:
    symbol = page.work.law.symbol
    lanes = [Lane(page.candidate(split), [page.group(g) for g in split.groups], left=True)]
    lanes += [Lane(head, body) for head, body in page.table(split.groups)]
    lanes.append(Lane("", [page.pen.part(g).result for g in split.groups]))
    table = grid.markdown(lanes).split("\n")
    # The heads of the last two columns are formulas, which must not be escaped.
    heads = [f"${symbol}(S_v)$", rf"$\frac{{\lvert S_v\rvert}}{{\lvert S\rvert}}{symbol}(S_v)$"]
    first = table[0].removesuffix(" |").split(" | ")
    table[0] = " | ".join([*first[:-2], *heads]) + " |"
    blank = " | " * (len(lanes) - 2)
    table.append(f"| **remaining** {blank}| **{page.pen.remaining(split)}** |")
    lines = []
    gain = page.pen.gain(split)
    lines.append(rf"\text{{Gain}} = {_latex(gain.formula)} = {_marked(gain)}")
    if split.price:
        net = page.pen.net(split)
        lines.append(rf"\text{{Gain less price}} = {_latex(net.formula)} = {_marked(net)}")
    if page.shows_ratio and split.split_info is not None:
        info, ratio = page.pen.information(split), page.pen.ratio(split)
        lines.append(rf"\text{{SplitInfo}} = {_latex(info.formula)} = {_boxed(info.result)}")
        lines.append(rf"\text{{GainRatio}} = {_latex(ratio.formula)} = {_marked(ratio)}")
    formulas = "\n\n".join(f"$${line}$$" for line in lines)
    return "\n".join(table) + f"\n\n{formulas}"


def _candidates(page: Page) -> str:
    pen, splits = page.pen, page.work.splits
    gains = [pen.net(s).result if s.price else pen.gain(s).result for s in splits]
    lanes = [
        Lane("candidate", [page.candidate(s) for s in splits], left=True),
        Lane(page.work.law.short, gains),
    ]
    if page.shows_ratio:
        infos = [pen.information(s).result if s.split_info is not None else "" for s in splits]
        ratios = [pen.ratio(s).result if s.ratio is not None else "" for s in splits]
        lanes += [Lane("split information", infos), Lane("gain ratio", ratios)]
    lanes.append(Lane("", [page.verdict(s) for s in splits], left=True))
    table = grid.markdown(lanes).split("\n")
    for i, split in enumerate(splits):
        if page.verdict(split) == "chosen":
            cells = table[i + 2].removeprefix("| ").split(" | ")
            for place in (0, 1, 3) if page.shows_ratio else (0, 1):  # the name, the gain, the ratio
                cells[place] = f"**{cells[place]}**"
            table[i + 2] = "| " + " | ".join(cells)
    return "\n".join(table)


def _latex(formula: Formula) -> str:
    return latex(formula).replace(BOX, r"\square")


def _marked(figure: Figure) -> str:
    """Write a result, marked where a reader who calculates gets another one."""
    return _boxed(figure.result) + (r"^{\dagger}" if figure.differs else "")


def _boxed(figure: str) -> str:
    return r"\square" if figure == BOX else figure.replace(",", "{,}")
