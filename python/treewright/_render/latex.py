"""A document for LaTeX: a fragment, or a file that compiles. Tables and formulas are made to fit the line.

A fragment needs ``amsmath``, ``booktabs`` and ``graphicx``, and ``tikz`` where it has pictures.
"""

from __future__ import annotations

import re

from treewright._render import formula_latex
from treewright._render.charts import Chart, Drawing
from treewright._render.document import (
    Block,
    Cell,
    Document,
    Equations,
    Fields,
    Heading,
    Note,
    PageBreak,
    Picture,
    Table,
    Text,
    Verbatim,
)
from treewright._render.formula import Equation, Formula, Name, Number
from treewright._render.latex_text import document as file_around
from treewright._render.latex_text import engine_note, tex
from treewright._render.safe_text import cells
from treewright._render.words import (
    blank_in,
    footnote,
    has_blanks,
    join_pieces,
    split_rows,
    title_of,
)

__all__ = ["write", "write_file"]

MAX_LINE = 62  # characters of a formula in one line
MAX_LEFT = 26  # characters before an equals sign
MAX_ROWS = 38  # of a table on one page
MAX_BLANK_ROWS = 26
PACKAGES = "amsmath,booktabs,graphicx,tikz"
FIELD_WIDTH = {"Date": "3cm"}
TYPEWRITER_EM = 0.525  # the width of a typewriter character


def write(document: Document) -> str:
    """Write a document as a fragment."""
    body = _body(document)
    return engine_note(body) + body


def write_file(document: Document) -> str:
    """Write a document as a file that compiles."""
    pictures = [block.chart for block in document.blocks if isinstance(block, Picture)]
    extra = {name: None for p in pictures if isinstance(p, Drawing) for name in p.latex_packages}
    return file_around(_body(document), ",".join([PACKAGES, *extra]))


def _body(document: Document) -> str:
    title = _words(title_of(document, " · "))
    parts = [rf"\subsection*{{{title}}}"] if title else []
    for block in document.blocks:
        parts += _block(block)
    note = footnote(document)
    if note is not None:
        parts.append(rf"\par\medskip\noindent \dag{{}} {_words(note)}\par")
    return "\n".join(parts) + "\n"


def _block(block: Block) -> list[str]:
    match block:
        case Heading(words):
            return [rf"\subsubsection*{{{_words(words)}}}"]
        case Text(words, apart):
            space = r"\medskip" if apart else ""
            strut = r"\rule{0pt}{3.2ex}" if blank_in(words) else ""
            return [rf"\par{space}\noindent {strut}{_words(words)}\par"]
        case Note(words):
            return [rf"\par\noindent {_words(words)}\par"]
        case Equations(rows):
            return [_equations(rows)]
        case Table():
            return [_table(part) for part in _parts(block)]
        case Verbatim(text):
            return [_verbatim(text)]
        case Picture(chart):
            return _picture(chart)
        case Fields(names):
            return [_fields(names)]
        case PageBreak():
            return [r"\newpage"]


def _picture(chart: Chart) -> list[str]:
    drawn = chart.latex()
    if drawn:
        return [f"\\begin{{center}}\n{_shrink_to_fit(drawn)}\n\\end{{center}}"]
    return [] if chart.text is None else [_verbatim(chart.text)]


def _equations(rows: tuple[tuple[str, Formula], ...]) -> str:
    lines = []
    for label, formula in rows:
        start = rf"\text{{{tex(label)}}} &= " if label else ""
        broken = _break_formula(formula)
        if not label:
            broken = _align(formula, broken)
        room = "[1.4ex]" if blank_in(formula) else ""  # to write in
        lines.append(start + f"\\\\{room}\n  &\\quad ".join(broken))
    room = "[1.4ex]" if any(blank_in(formula) for _, formula in rows) else ""
    return "\\begin{align*}\n" + f"\\\\{room}\n".join(lines) + "\n\\end{align*}"


def _align(formula: Formula, broken: list[str]) -> list[str]:
    """Align lines at the first equals sign; a long left side has a line of its own."""
    if not isinstance(formula, Equation):
        return [f"&{broken[0]}", *broken[1:]]
    left = formula_latex.write(formula.sides[0])
    rest = Equation((Name(""), *formula.sides[1:]), formula.signs)
    if _count_characters(left) > MAX_LEFT:
        return [f"&{left}", *_break_formula(rest)]
    first, *others = _break_formula(formula)
    return [f"{left} &{first.removeprefix(left).lstrip()}", *others]


def _break_formula(formula: Formula) -> list[str]:
    """Return a formula in lines that fit."""
    lines, room = [""], MAX_LINE
    for chunk in formula_latex.chunks(formula):
        size = _count_characters(chunk)
        if lines[-1] and size > room:
            lines.append("")
            room = MAX_LINE
        lines[-1] += f" {chunk}" if lines[-1] else chunk
        room -= size + 1
    return lines


def _count_characters(text: str) -> int:
    """Estimate the width of a printed formula in characters."""
    text = text.replace(formula_latex.BLANK, "0" * 8).replace(formula_latex.SHORT, "0" * 4)
    text = re.sub(r"\\tfrac\{([^{}]*)\}\{([^{}]*)\}", lambda m: max(m.groups(), key=len), text)
    text = re.sub(r"\\(text|operatorname|log|left|right|cdot|quad)\b", "", text)
    return len(re.sub(r"[{}^\\_$]", "", text))


def _parts(table: Table) -> list[Table]:
    return split_rows(table, MAX_BLANK_ROWS if has_blanks(table) else MAX_ROWS)


def _table(table: Table) -> str:
    columns = [column for column in table.columns if not column.drawn]
    sides = "".join("l" if c.left else "r" for c in columns)
    size = len(columns[0].cells)
    rows = []
    for i in range(size):
        cells = [_words(column.cells[i]) for column in columns]
        if i == table.chosen:
            cells = [rf"\textbf{{{cell}}}" if cell else cell for cell in cells]
        rule = "\\midrule\n" if table.total and i == size - 1 and size > 1 else ""
        rows.append(f"{rule}{' & '.join(cells)} \\\\\n")
    heads = " & ".join(_words(column.head) for column in columns)
    stretch = r"\renewcommand{\arraystretch}{1.7}" if has_blanks(table) else ""
    drawn = (
        f"{stretch}\\begin{{tabular}}{{{sides}}}\n\\toprule\n{heads} \\\\\n\\midrule\n"
        f"{''.join(rows)}\\bottomrule\n\\end{{tabular}}"
    )
    title = ""
    if table.title:
        title = (
            rf"\par\medskip\noindent\textbf{{{_words(table.title)}}}\par\nobreak\smallskip" + "\n"
        )
    return f"{title}\\noindent {_shrink_to_fit(drawn)}\\par\\medskip"


def _shrink_to_fit(content: str) -> str:
    """Return a box that is shrunk where it is wider than the line."""
    return (
        f"{{\\setbox0\\hbox{{{content}}}%\n"
        r"\ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\box0}\else\box0\fi}"
    )


def _verbatim(text: str) -> str:
    lines = ["".join(map(_typewriter, line)) or "~" for line in text.split("\n")]
    body = "\\\\\n".join(rf"\texttt{{{line}}}" for line in lines)
    table = f"\\begin{{tabular}}{{@{{}}l@{{}}}}\n{body}\n\\end{{tabular}}"
    return f"\\par\\medskip\\noindent {{\\footnotesize {_shrink_to_fit(table)}}}\\par"


def _typewriter(c: str) -> str:
    """Write a character with the width of the typewriter font."""
    if c.isascii():
        return "~" if c == " " else tex(c)
    return rf"\hbox to {TYPEWRITER_EM * cells(c):g}em{{\hss{tex(c)}\hss}}"


def _fields(names: tuple[str, ...]) -> str:
    content = r"\qquad ".join(
        rf"{tex(name)}: \underline{{\hspace{{{FIELD_WIDTH.get(name, '6cm')}}}}}" for name in names
    )
    return rf"\par\noindent {content}\par\bigskip"


def _words(words: Cell) -> str:
    return join_pieces(words, tex, _formula)


def _formula(formula: Formula) -> str:
    match formula:
        case Name(text, blank=False):
            return tex(text)
        case Number(text, blank=False):
            return (
                f"${formula_latex.write(formula)}$" if "-" in text or formula.differs else tex(text)
            )
        case _:  # a fraction in a line of words or figures is written with a slash
            return f"${formula_latex.write(formula, flat=True)}$"
