"""Formulas as text: in Unicode signs, or in ASCII."""

from __future__ import annotations

from dataclasses import dataclass

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

__all__ = ["ASCII", "BLANK", "UNICODE", "Signs", "write"]

BLANK = "________"  # wide enough to write in by hand
SHORT = "____"


@dataclass(frozen=True, slots=True)
class Signs:
    """The signs of text."""

    minus: str
    times: str
    dot: str
    square: str
    root: str
    mark: str
    logs: tuple[str, str, str]


UNICODE = Signs("−", "×", "·", "²", "√", "†", ("log₂", "ln", "log₁₀"))
ASCII = Signs("-", "x", "*", "^2", "sqrt", "*", ("log2", "ln", "log10"))
BASES = ("2", "e", "10")


def write(formula: Formula, signs: Signs = UNICODE) -> str:
    """Write a formula as text.

    Examples
    --------
    >>> half = Ratio("1", "2")
    >>> write(Sum(((-1, Product((half, Log("2", half)))), (1, Number("0.5")))))
    '−1/2·log₂(1/2) + 0.5'
    """

    def inner(part: Formula) -> str:
        return write(part, signs)

    match formula:
        case Number(blank=True) | Name(blank=True):
            return BLANK
        case Ratio(blank=True):
            return f"{SHORT}/{SHORT}"
        case Number(text):
            mark = f" {signs.mark}" if formula.differs else ""
            return text.replace("-", signs.minus) + mark
        case Name(text):
            return text
        case Ratio(top, bottom):
            return f"{top}/{bottom}"
        case Log(base, of):
            return f"{signs.logs[BASES.index(base)]}({_bare(of, signs)})"
        case Call(name, of):
            return f"{name}({_bare(of, signs)})"
        case Parentheses(of):
            return f"({inner(of)})"
        case Root(of):
            return f"{signs.root}({_bare(of, signs)})"
        case Power(of, to):
            base = inner(of)
            if not base.replace(".", "").replace(",", "").isalnum() and not base.startswith("("):
                base = f"({base})"
            if to is None:
                return f"{base}{signs.square}"
            up = inner(to)
            return f"{base}^{up}" if up.isalnum() or up.startswith("(") else f"{base}^({up})"
        case Product(factors, wide):
            return (f" {signs.times} " if wide else signs.dot).join(map(inner, factors))
        case Quotient(top_, bottom_):
            return f"{inner(top_)} / {inner(bottom_)}"
        case Sum(terms):
            return join_terms([(sign, inner(term)) for sign, term in terms], signs.minus)
        case Equation(sides):
            written = inner(sides[0])
            for sign, side in zip(formula.between, sides[1:], strict=True):
                written += f" {sign} {inner(side)}"
            return written


def _bare(formula: Formula, signs: Signs) -> str:
    """Write what stands in parentheses anyway."""
    return write(formula.of if isinstance(formula, Parentheses) else formula, signs)


def join_terms(terms: list[tuple[int, str]], minus: str) -> str:
    """Write terms one after the other, each with its sign."""
    (sign, first), *others = terms
    written = (minus if sign < 0 else "") + first
    return written + "".join(f" {minus if sign < 0 else '+'} {term}" for sign, term in others)
