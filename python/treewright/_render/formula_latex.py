"""Formulas for LaTeX's mathematics."""

from __future__ import annotations

from treewright._render.formula import (
    Call,
    Equation,
    Formula,
    Log,
    Name,
    Number,
    Parentheses,
    Power,
    Product,
    Quotient,
    Ratio,
    Root,
    Sum,
)
from treewright._render.formula_text import join_terms
from treewright._render.latex_text import tex

__all__ = ["BLANK", "chunks", "write"]

BLANK = r"\underline{\hspace{4em}}"
SHORT = r"\underline{\hspace{2em}}"
LOGS = {"2": r"\log_2", "e": r"\ln", "10": r"\log_{10}"}
SYMBOLS = {"α": r"\alpha", "β": r"\beta", "τ": r"\tau", "Σ": r"\textstyle\sum", "ȳ": r"\bar{y}"}
RELATIONS = {"≤": r"\leq", "≥": r"\geq", "≈": r"\approx", "<": "<", ">": ">", "=": "="}
FUNCTIONS = ("exp", "ln", "max", "min")


def write(formula: Formula, *, flat: bool = False) -> str:
    r"""Write a formula; ``flat`` writes small fractions with a slash.

    Examples
    --------
    >>> print(write(Product((Ratio("9", "14"), Log("2", Ratio("9", "14"))))))
    \tfrac{9}{14}\log_2\tfrac{9}{14}
    """

    def inner(part: Formula) -> str:
        return write(part, flat=flat)

    def bare(part: Formula) -> str:
        return inner(part.of if isinstance(part, Parentheses) else part)

    match formula:
        case Number(blank=True) | Name(blank=True):
            return BLANK
        case Ratio(blank=True):
            return f"{SHORT}/{SHORT}"
        case Number(text):
            return _number(text) + (r"^{\dagger}" if formula.differs else "")
        case Name(text):
            return _name(text)
        case Ratio(top, bottom):
            above, below = _number(top), _number(bottom)
            return f"{above}/{below}" if flat else rf"\tfrac{{{above}}}{{{below}}}"
        case Log(base, of):
            written = inner(of)
            return LOGS[base] + (written if written.startswith(r"\tfrac") else f"({bare(of)})")
        case Call(name, of):
            word = rf"\{name}" if name in FUNCTIONS else rf"\operatorname{{{tex(name)}}}"
            return rf"{name if len(name) == 1 else word}({bare(of)})"
        case Parentheses(of):
            return rf"\left({inner(of)}\right)"
        case Root(of):
            return rf"\sqrt{{{bare(of)}}}"
        case Power(of, to):
            simple = isinstance(of, Name | Parentheses) or (isinstance(of, Number) and not of.blank)
            base = inner(of) if simple else rf"\left({inner(of)}\right)"
            return f"{base}^{{{'2' if to is None else inner(to)}}}"
        case Product(factors, wide):
            return (r"\cdot " if wide else "").join(map(inner, factors))
        case Quotient(top_, bottom_):
            return f"{inner(top_)} / {inner(bottom_)}"
        case Sum(terms):
            return join_terms([(sign, inner(term)) for sign, term in terms], "-")
        case Equation(sides):
            written = inner(sides[0])
            for sign, side in zip(formula.between, sides[1:], strict=True):
                written += f" {RELATIONS[sign]} {inner(side)}"
            return written


def chunks(formula: Formula) -> list[str]:
    """Return a formula in parts between which a line may be broken."""
    match formula:
        case Equation(sides):
            parts = chunks(sides[0])
            for sign, side in zip(formula.between, sides[1:], strict=True):
                first, *others = chunks(side)
                parts += [f"{RELATIONS[sign]} {first}", *others]
            return parts
        case Sum(terms):
            return [
                (("-" if sign < 0 else "") if i == 0 else "- " if sign < 0 else "+ ") + write(term)
                for i, (sign, term) in enumerate(terms)
            ]
        case Quotient(Parentheses(Sum() as inner), bottom):
            first, *middle = chunks(inner)
            parts = [f"({first}", *middle]
            return [*parts[:-1], f"{parts[-1]}) / {write(bottom)}"]
        case _:
            return [write(formula)]


def _number(text: str) -> str:
    if text.replace(",", "").replace(".", "").replace("-", "").isdigit():
        return text.replace(",", "{,}")
    return rf"\text{{{tex(text)}}}"


def _name(text: str) -> str:
    if not text:
        return ""
    if text in SYMBOLS:
        return SYMBOLS[text]
    if text == "…":
        return r"\cdots"
    return (
        text if len(text) == 1 and text.isascii() and text.isalpha() else rf"\text{{{tex(text)}}}"
    )
