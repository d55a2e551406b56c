"""A document as HTML without scripts or outside references: a page of its own, or a fragment for a notebook.

Formulas are MathML, pictures SVG. The style is scoped to the class of the root element, follows light and dark, and
has rules for printing.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from treewright._render import formula_mathml
from treewright._render.charts import Drawing
from treewright._render.document import (
    Block,
    Cell,
    Column,
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
    plain,
)
from treewright._render.formula import Formula, Name, Number
from treewright._render.svg_frame import inline
from treewright._render.words import footnote, has_blanks, join_pieces, title_of

__all__ = ["elements", "fragment", "page"]

ROOT = "treewright-document"
# A notebook has its own colors, whatever the system prefers: lines and shades are transparent and fit light and dark.
STYLE = (
    """
.R{--ink:currentColor;--paper:transparent;--line:rgba(128,128,128,.45);--soft:rgba(128,128,128,.09);
--mark:rgba(255,193,7,.28);--edge:#b7791f;
color:var(--ink);background:var(--paper);font:15px/1.5 system-ui,sans-serif;text-align:left;padding:.25em 0}
.R h1{font-size:1.35em;line-height:1.25;margin:.2em 0 .8em;color:inherit}
.R h2{font-size:1.08em;margin:1.4em 0 .4em;color:inherit;break-after:avoid}
.R p{margin:.45em 0;max-width:46em}
.R .scroll{overflow-x:auto;margin:.9em 0}
.R table{border-collapse:collapse;font-variant-numeric:tabular-nums;color:inherit;background:none;margin:0}
.R caption{text-align:left;font-weight:600;padding:.2em 0 .4em;caption-side:top;color:inherit}
.R th,.R td{padding:.28em .8em;border:0;border-bottom:1px solid var(--line);text-align:right;
white-space:nowrap;color:inherit;background:none;vertical-align:baseline}
.R thead th{border-bottom:2px solid var(--ink);font-weight:600}
.R th.l,.R td.l{text-align:left}
.R td.l{white-space:normal;max-width:28em}
.R tbody tr:nth-child(even) td{background:var(--soft)}
.R tbody tr.chosen td{background:var(--mark);font-weight:600}
.R tbody tr.chosen td:first-child{box-shadow:inset 4px 0 var(--edge)}
.R tfoot td{border-top:2px solid var(--ink);font-weight:600}
.R.R .fill td{padding-top:.6em;padding-bottom:.6em}
.R .formulas{display:grid;grid-template-columns:max-content auto;gap:.35em 1.2em;margin:.6em 0;
align-items:center;justify-content:start;overflow-x:auto;overflow-y:hidden;padding:.2em 0}
.R .formulas math{text-align:left;font-size:1.08em}
.R .formulas .wide{grid-column:1/-1}
.R .blank{display:inline-block;min-width:5.5em;border-bottom:1px solid var(--ink);height:1.1em}
.R p:has(.blank){line-height:2.2}
.R .fields{display:flex;gap:2em;margin:.5em 0 1.5em}
.R .fields span{flex:1;border-bottom:1px solid var(--ink)}
.R pre{font:13px/1.35 ui-monospace,monospace;overflow-x:auto;color:inherit;background:none}
.R figure{margin:1em 0;max-width:46em}
.R figure svg{max-width:100%;height:auto}
.R .note{font-size:.92em}
.R .notes{border-top:1px solid var(--line);margin-top:1.4em;padding-top:.5em;font-size:.92em}
.R .break{break-before:page;border-top:1px dashed var(--line);margin-top:2.5em;padding-top:1em}
@media print{.R tfoot{display:table-row-group}.R table{break-inside:avoid}
.R{--line:#999;--soft:transparent;--mark:#eee;--edge:#000;font-size:11pt}
.R .scroll,.R .formulas{overflow:visible}.R tr,.R figure,.R .formulas>*{break-inside:avoid}
.R th,.R td{white-space:normal;padding:.25em .5em}.R .break{border:0;margin:0;padding:0}
.R tbody tr.chosen td{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
""".strip()
    .replace(".R", f".{ROOT}")
    .replace("\n", "")
)
PAGE = (
    "html{color-scheme:light dark}body{margin:0}"
    f".{ROOT}.page{{--ink:#1b1f24;--paper:#fff;--line:#c9ced6;--soft:#f3f5f8;--mark:#fff3c4;"
    "max-width:62em;margin:0 auto;padding:1.5em;box-sizing:border-box}"
    "@media (prefers-color-scheme:dark){html{background:#16191d}"
    f".{ROOT}.page{{--ink:#e6e8eb;--paper:#16191d;--line:#454c56;--soft:#1f242a;--mark:#4a3b10;--edge:#f0b429}}}}"
    f"@media print{{@page{{margin:18mm}}html{{background:#fff}}.{ROOT}.page{{--ink:#000;--paper:#fff;"
    "--line:#999;--soft:#fff;--mark:#eee;--edge:#000;max-width:none;padding:0}}"
)


def elements(blocks: Iterable[Block], level: int = 2) -> str:
    """Write blocks as elements without a style, for a page that has its own; ``level`` is that of their headings.

    Examples
    --------
    >>> elements([Text("a < b")])
    '<p><bdi>a &lt; b</bdi></p>'
    """
    return "".join(_block(block, level) for block in blocks)


def fragment(document: Document, *, kind: str = "", styled: bool = True) -> str:
    """Write a document as an element for a notebook or another page, with its own style unless the page has one."""
    parts = [elements(document.blocks)]
    note = footnote(document)
    parts += [] if note is None else [f'<p class="notes">† {_words(note)}</p>']
    title = _words(title_of(document, " · "))
    head = f"<h1>{title}</h1>" if title else ""
    names = f"{ROOT} {kind}".strip()
    style = f"<style>{_safe(STYLE)}</style>" if styled else ""
    return f'<div class="{names}">{style}{head}{"".join(parts)}</div>'


def page(document: Document) -> str:
    """Write a document as a whole page; it is well-formed XML, too."""
    title = escape(plain(title_of(document, " · ")) or document.name)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
        '<meta name="color-scheme" content="light dark"/>'
        f"<title>{title}</title><style>{_safe(PAGE)}</style></head>\n"
        f"<body>{fragment(document, kind='page')}</body></html>\n"
    )


def _safe(style: str) -> str:
    # A page that is read as XML must not find a sign of markup in it; HTML reads the same text.
    assert "<" not in style
    assert "&" not in style
    return style


def _block(block: Block, level: int) -> str:
    match block:
        case Heading(words):
            return f"<h{level}>{_words(words)}</h{level}>"
        case Text(words):
            return f"<p>{_words(words)}</p>"
        case Note(words):
            return f'<p class="note">{_words(words)}</p>'
        case Equations(rows):
            return f'<div class="formulas">{"".join(_row(*row) for row in rows)}</div>'
        case Table():
            return _table(block)
        case Verbatim(text):
            return f"<pre>{escape(text)}</pre>"
        case Picture(chart):
            if isinstance(chart, Drawing) and chart.draw_html is not None:
                return f'<div class="scroll">{chart.draw_html()}</div>'
            return f"<figure>{inline(chart.svg())}</figure>"
        case Fields(names):
            content = "".join(f"<span>{escape(name)}:</span>" for name in names)
            return f'<div class="fields">{content}</div>'
        case PageBreak():
            return '<div class="break"></div>'


def _row(label: str, formula: Formula) -> str:
    drawn = formula_mathml.math(formula_mathml.write(formula))
    if not label:
        return f'<div class="wide">{drawn}</div>'
    return f"<div><bdi>{escape(label)}</bdi></div><div>{drawn}</div>"


def _table(table: Table) -> str:
    columns = [column for column in table.columns if not column.drawn]
    sides = [' class="l"' if c.left else "" for c in columns]
    head = "".join(
        f'<th scope="col"{side}>{_words(c.head)}</th>'
        for side, c in zip(sides, columns, strict=True)
    )
    size = len(columns[0].cells)
    rows = [_cells(columns, sides, i, i == table.chosen) for i in range(size)]
    body, foot = (rows[:-1], rows[-1]) if table.total else (rows, "")
    caption = f"<caption>{_words(table.title)}</caption>" if table.title else ""
    name = ' class="fill"' if has_blanks(table) else ""
    end = f"<tfoot>{foot}</tfoot>" if foot else ""
    return (
        f'<div class="scroll"><table{name}>{caption}<thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody>{end}</table></div>"
    )


def _cells(columns: list[Column], sides: list[str], i: int, chosen: bool) -> str:
    cells = "".join(
        f"<td{side}>{_words(column.cells[i])}</td>"
        for side, column in zip(sides, columns, strict=True)
    )
    mark = ' class="chosen"' if chosen else ""
    return f"<tr{mark}>{cells}</tr>"


def _words(words: Cell) -> str:
    return join_pieces(words, _text, _formula)


def _text(text: str) -> str:
    # Names keep their own direction of writing.
    return f"<bdi>{escape(text)}</bdi>" if text.strip() else escape(text)


def _formula(formula: Formula) -> str:
    match formula:
        case Number(blank=True) | Name(blank=True):
            return '<span class="blank"></span>'
        case Number(text):
            return escape(text.replace("-", "−")) + ("<sup>†</sup>" if formula.differs else "")
        case Name(text):
            return _text(text)
        case _:
            return formula_mathml.math(formula_mathml.write(formula))
