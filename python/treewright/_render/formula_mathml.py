"""Formulas as MathML, which browsers draw by themselves."""

from __future__ import annotations

from html import escape

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

__all__ = ["math", "write"]

MARK = "<mo>†</mo>"
BLANK, SHORT = "_" * 11, "_" * 5  # letters of mathematics are narrow


def math(content: str, *, block: bool = False) -> str:
    """Return an element around formulas; each of them is a line of its own where it is a block."""
    display = ' display="block"' if block else ""
    return f'<math xmlns="http://www.w3.org/1998/Math/MathML"{display}>{content}</math>'


def write(formula: Formula) -> str:
    """Write a formula.

    Examples
    --------
    >>> write(Ratio("5", "14"))
    '<mfrac><mn>5</mn><mn>14</mn></mfrac>'
    """
    match formula:
        case Number(blank=True) | Name(blank=True):
            return f"<mtext>{BLANK}</mtext>"
        case Ratio(blank=True):
            return f"<mtext>{SHORT}</mtext><mo>/</mo><mtext>{SHORT}</mtext>"
        case Number(text):
            number = f"<mn>{escape(text.replace('-', '−'))}</mn>"
            return f"<msup>{number}{MARK}</msup>" if formula.differs else number
        case Name(text):
            kind = "mi" if len(text) == 1 else "mtext"
            return f"<{kind}>{escape(text)}</{kind}>"
        case Ratio(top, bottom):
            return f"<mfrac><mn>{escape(top)}</mn><mn>{escape(bottom)}</mn></mfrac>"
        case Log(base, of):
            word = "<mi>ln</mi>" if base == "e" else f"<msub><mi>log</mi><mn>{base}</mn></msub>"
            return f"<mrow>{word}{_grouped(of)}</mrow>"
        case Call(name, of):
            return f"<mrow><mi>{escape(name)}</mi>{_grouped(of)}</mrow>"
        case Parentheses(of):
            return _grouped(of)
        case Root(of):
            return f"<msqrt>{write(of.of if isinstance(of, Parentheses) else of)}</msqrt>"
        case Power(of, to):
            simple = isinstance(of, Name | Parentheses | Number)
            base = write(of) if simple else _grouped(of)
            return f"<msup>{base}{'<mn>2</mn>' if to is None else write(to)}</msup>"
        case Product(factors, wide):
            sign = "<mo>×</mo>" if wide else "<mo>·</mo>"
            return f"<mrow>{sign.join(map(write, factors))}</mrow>"
        case Quotient(top_, bottom_):
            return f"<mrow>{write(top_)}<mo>/</mo>{write(bottom_)}</mrow>"
        case Sum(terms):
            return f"<mrow>{_terms(terms)}</mrow>"
        case Equation(sides):
            written = write(sides[0])
            for sign, side in zip(formula.between, sides[1:], strict=True):
                written += f"<mo>{escape(sign)}</mo>{write(side)}"
            return f"<mrow>{written}</mrow>"


def _grouped(formula: Formula) -> str:
    inner = formula.of if isinstance(formula, Parentheses) else formula
    return f"<mrow><mo>(</mo>{write(inner)}<mo>)</mo></mrow>"


def _terms(terms: tuple[tuple[int, Formula], ...]) -> str:
    parts = []
    for i, (sign, term) in enumerate(terms):
        if sign < 0 or i:
            parts.append(f"<mo>{'−' if sign < 0 else '+'}</mo>")
        parts.append(write(term))
    return "".join(parts)
