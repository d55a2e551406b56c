"""Formulas as small trees, and what they look like: text, LaTeX, MathML.

They are written for reading, in the order given: nothing is simplified. Numbers carry the digits that are shown, so a
formula can be evaluated as a reader would: from what is printed.

Glossary: a *term* of a sum has a sign of its own; a *ratio* is a small fraction such as 5/14.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from html import escape

from treewright.draw.tex import tex

__all__ = [
    "ASCII",
    "UNICODE",
    "Formula",
    "Log",
    "Name",
    "Number",
    "Power",
    "Product",
    "Quotient",
    "Ratio",
    "Signs",
    "Sum",
    "as_read",
    "latex",
    "mathml",
    "text",
]


@dataclass(frozen=True, slots=True)
class Name:
    """A symbol or a few words."""

    text: str


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it is printed."""

    text: str


@dataclass(frozen=True, slots=True)
class Ratio:
    """A small fraction of two printed numbers."""

    top: str
    bottom: str


@dataclass(frozen=True, slots=True)
class Log:
    """A logarithm to base 2, e or 10."""

    base: str
    of: Formula


@dataclass(frozen=True, slots=True)
class Power:
    """A square."""

    of: Formula


@dataclass(frozen=True, slots=True)
class Product:
    """Factors; ``wide`` writes the sign of multiplication between them."""

    factors: tuple[Formula, ...]
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Quotient:
    """A division on one line."""

    top: Formula
    bottom: Formula


@dataclass(frozen=True, slots=True)
class Sum:
    """Terms with their signs, 1 or -1."""

    terms: tuple[tuple[int, Formula], ...]


Formula = Name | Number | Ratio | Log | Power | Product | Quotient | Sum


@dataclass(frozen=True, slots=True)
class Signs:
    """The signs of text."""

    minus: str
    times: str
    dot: str
    square: str
    logs: tuple[str, str, str]


UNICODE = Signs("−", "×", "·", "²", ("log₂", "ln", "log₁₀"))
ASCII = Signs("-", "x", "*", "^2", ("log2", "ln", "log10"))
BASES = ("2", "e", "10")


def text(formula: Formula, signs: Signs = UNICODE) -> str:
    """Write a formula as text.

    Examples
    --------
    >>> half = Ratio("1", "2")
    >>> text(Sum(((-1, Product((half, Log("2", half)))), (1, Number("0.5")))))
    '−1/2·log₂(1/2) + 0.5'
    """
    match formula:
        case Name(said) | Number(said):
            return said
        case Ratio(top, bottom):
            return f"{top}/{bottom}"
        case Log(base, of):
            return f"{signs.logs[BASES.index(base)]}({text(of, signs)})"
        case Power(of):
            return f"({text(of, signs)}){signs.square}"
        case Product(factors, wide):
            return (f" {signs.times} " if wide else signs.dot).join(text(f, signs) for f in factors)
        case Quotient(top_, bottom_):
            return f"{text(top_, signs)} / {text(bottom_, signs)}"
        case Sum(terms):
            return _summed([(sign, text(term, signs)) for sign, term in terms], signs.minus)


def latex(formula: Formula) -> str:
    r"""Write a formula for LaTeX's mathematics.

    Examples
    --------
    >>> print(latex(Product((Ratio("9", "14"), Log("2", Ratio("9", "14"))))))
    \tfrac{9}{14}\log_2\tfrac{9}{14}
    """
    match formula:
        case Name(said):
            return said if len(said) == 1 and said.isalpha() else rf"\text{{{tex(said)}}}"
        case Number(said):
            return said.replace(",", "{,}")
        case Ratio(top, bottom):
            return rf"\tfrac{{{top}}}{{{bottom}}}"
        case Log(base, of):
            return {"2": r"\log_2", "e": r"\ln", "10": r"\log_{10}"}[base] + latex(of)
        case Power(of):
            return rf"\left({latex(of)}\right)^2"
        case Product(factors, wide):
            return (r"\cdot " if wide else "").join(map(latex, factors))
        case Quotient(top_, bottom_):
            return f"{latex(top_)} / {latex(bottom_)}"
        case Sum(terms):
            return _summed([(sign, latex(term)) for sign, term in terms], "-")


def mathml(formula: Formula) -> str:
    """Write a formula as MathML, which browsers draw without any help.

    Examples
    --------
    >>> mathml(Ratio("5", "14"))
    '<mfrac><mn>5</mn><mn>14</mn></mfrac>'
    """
    match formula:
        case Name(said):
            return f"<mi>{escape(said)}</mi>"
        case Number(said):
            return f"<mn>{escape(said)}</mn>"
        case Ratio(top, bottom):
            return f"<mfrac><mn>{escape(top)}</mn><mn>{escape(bottom)}</mn></mfrac>"
        case Log(base, of):
            word = "<mi>ln</mi>" if base == "e" else f"<msub><mi>log</mi><mn>{base}</mn></msub>"
            return f"<mrow>{word}<mo>(</mo>{mathml(of)}<mo>)</mo></mrow>"
        case Power(of):
            return f"<msup><mrow><mo>(</mo>{mathml(of)}<mo>)</mo></mrow><mn>2</mn></msup>"
        case Product(factors, wide):
            sign = "<mo>×</mo>" if wide else "<mo>·</mo>"
            return f"<mrow>{sign.join(map(mathml, factors))}</mrow>"
        case Quotient(top_, bottom_):
            return f"<mrow>{mathml(top_)}<mo>/</mo>{mathml(bottom_)}</mrow>"
        case Sum(terms):
            parts = []
            for first, (plus, term) in zip((True, *(False,) * len(terms)), terms, strict=False):
                if plus < 0 or not first:
                    parts.append(f"<mo>{'−' if plus < 0 else '+'}</mo>")
                parts.append(mathml(term))
            return f"<mrow>{''.join(parts)}</mrow>"


def as_read(formula: Formula) -> Fraction | None:
    """Return what a reader gets from the printed figures; None where a logarithm stands in the way.

    Examples
    --------
    >>> as_read(Sum(((1, Number("0.940")), (-1, Number("0.694")))))
    Fraction(123, 500)
    """
    match formula:
        case Number(said):
            return Fraction(said.replace(",", ""))
        case Ratio(top, bottom):
            return Fraction(top.replace(",", "")) / Fraction(bottom.replace(",", ""))
        case Power(of):
            base = as_read(of)
            return None if base is None else base * base
        case Product(factors):
            product = Fraction(1)
            for factor in factors:
                value = as_read(factor)
                if value is None:
                    return None
                product *= value
            return product
        case Quotient(top_, bottom_):
            above, below = as_read(top_), as_read(bottom_)
            return above / below if above is not None and below else None
        case Sum(terms):
            total = Fraction(0)
            for sign, term in terms:
                value = as_read(term)
                if value is None:
                    return None
                total += sign * value
            return total
        case _:
            return None


def _summed(terms: list[tuple[int, str]], minus: str) -> str:
    (sign, first), *others = terms
    said = (minus if sign < 0 else "") + first
    return said + "".join(f" {minus if sign < 0 else '+'} {term}" for sign, term in others)
