"""The work of a node for LaTeX, with ``amsmath`` and ``booktabs``: a fragment; ``view`` makes a whole file of it."""

from __future__ import annotations

from treewright.arithmetic.formula import Formula, Number, Product, Sum, latex
from treewright.arithmetic.model import Split
from treewright.arithmetic.page import Page
from treewright.arithmetic.pen import BOX, Figure
from treewright.draw.tex import tex

__all__ = ["write"]

BLANK = r"\underline{\hphantom{0.000}}"
ROW = r"\\" + "\n"


def write(page: Page) -> str:
    """Write the page as a fragment."""
    work = page.work
    heading = rf"\paragraph{{Node {work.node}.}} $|S| = {_number(work.group.weight)}$: {tex(page.held(work.group))}."
    parts = [heading, _aligned(page)]
    if work.splits:
        parts.append(_candidates(page))
    parts += [tex(said) for said in (*page.rules(), *page.closing(), *page.footnotes())]
    return "\n".join(parts[:2]) + "\n" + "\n\n".join(parts[2:])


def _aligned(page: Page) -> str:
    steps, last = page.pen.own(page.work.group)
    symbol = page.work.law.symbol
    lines = [f"{symbol}(S) &= " + " = ".join([*map(_latex, steps), _equation(last)])]
    for split in page.detail:
        lines += _split(page, split)
    return "\\begin{align*}\n" + ROW.join(lines) + "\n\\end{align*}"


def _split(page: Page, split: Split) -> list[str]:
    pen, symbol = page.pen, page.work.law.symbol
    name = tex(page.candidate(split))
    word = r"\operatorname{Gain}" if page.work.law.key == "entropy" else r"\operatorname{Decrease}"
    whole = split.unknown is None
    before = f"{symbol}(S)" if whole else f"{symbol}(S_{{\\text{{known}}}})"
    terms, figures = [before], [_latex(Number(pen.impurity(split.known)))]
    for group in split.groups:
        share = pen.part(group).formula
        assert isinstance(share, Product)
        terms.append(f"{latex(share.factors[0])}{symbol}(S_{{\\text{{{tex(page.group(group))}}}}})")
        figures.append(f"{latex(share.factors[0])}\\cdot {_latex(share.factors[1])}")
    if not whole:
        first = pen.gain(split).formula
        assert isinstance(first, Sum)
        known = first.terms[0][1]
        assert isinstance(known, Product)
        terms[0] = latex(known.factors[0]) + terms[0]
        figures[0] = f"{latex(known.factors[0])}\\cdot {figures[0]}"
    gain = pen.gain(split)
    lines = [
        f"{word}(S,\\text{{{name}}})\n  &= " + " - ".join(terms),
        "  &= " + " - ".join(figures) + f" = {_marked(gain)}",
    ]
    if split.price:
        lines.append(rf"\text{{less price}} &= {_equation(pen.net(split))}")
    if page.shows_ratio and split.split_info is not None:
        lines.append(
            f"\\operatorname{{SplitInfo}}(S,\\text{{{name}}})\n  &= {_equation(pen.information(split))}"
        )
        lines.append(
            f"\\operatorname{{GainRatio}}(S,\\text{{{name}}}) &= {_equation(pen.ratio(split))}"
        )
    return lines


def _candidates(page: Page) -> str:
    pen, splits = page.pen, page.work.splits
    heads = ["Candidate", page.work.law.short.capitalize()]
    heads += ["Split information", "Gain ratio"] if page.shows_ratio else []
    rows = []
    for split in splits:
        gain = (pen.net(split) if split.price else pen.gain(split)).result
        cells = [tex(page.candidate(split)), _boxed(gain)]
        if page.shows_ratio:
            cells.append(
                _boxed(pen.information(split).result) if split.split_info is not None else ""
            )
            cells.append(_boxed(pen.ratio(split).result) if split.ratio is not None else "")
        if page.verdict(split) == "chosen":
            cells = [
                rf"\textbf{{{cells[0]}}}",
                *(f"\\textbf{{{c}}}" if i != 1 else c for i, c in enumerate(cells[1:])),
            ]
        rows.append(" & ".join([*cells, tex(page.verdict(split))]))
    body = "".join(row + ROW for row in rows)
    sides = "l" + "r" * (len(heads) - 1) + "l"
    return (
        f"\\begin{{tabular}}{{{sides}}}\n\\toprule\n{' & '.join([*heads, ''])}{ROW}\\midrule\n{body}"
        "\\bottomrule\n\\end{tabular}"
    )


def _equation(figure: Figure) -> str:
    return f"{_latex(figure.formula)} = {_marked(figure)}"


def _marked(figure: Figure) -> str:
    """Write a result, marked where a reader who calculates gets another one."""
    return _boxed(figure.result) + (r"^{\dagger}" if figure.differs else "")


def _latex(formula: Formula) -> str:
    return latex(formula).replace(BOX, BLANK)


def _boxed(figure: str) -> str:
    return BLANK if figure == BOX else figure.replace(",", "{,}")


def _number(x: float) -> str:
    return f"{x:g}"
