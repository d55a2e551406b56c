"""Formulas as small trees. They are written for reading, in the order given: nothing is simplified.

A number carries the digits that are printed, so a formula can be evaluated as a reader would, and the *stage* of the
calculation that it belongs to, so a worksheet can leave a blank in its place.

Glossary: a *term* of a sum has a sign of its own; a *ratio* is a small fraction such as 5/14; a *blank* is a place to
write in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

__all__ = [
    "Call",
    "Equation",
    "Formula",
    "Log",
    "Name",
    "Number",
    "Parentheses",
    "Power",
    "Product",
    "Quotient",
    "Ratio",
    "Root",
    "Sum",
    "as_read",
    "hide",
    "leaves",
]


@dataclass(frozen=True, slots=True)
class Name:
    """A symbol or a few words; ``vanishes`` says that nothing stands in their place on a worksheet."""

    text: str
    stage: str = ""
    vanishes: bool = False
    blank: bool = False


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it is printed; ``differs`` is what a reader gets who calculates with the printed figures."""

    text: str
    stage: str = ""
    value: float | None = None
    differs: str = ""
    blank: bool = False


@dataclass(frozen=True, slots=True)
class Ratio:
    """A small fraction of two printed numbers."""

    top: str
    bottom: str
    stage: str = ""
    blank: bool = False


@dataclass(frozen=True, slots=True)
class Log:
    """A logarithm to base 2, e or 10."""

    base: str
    of: Formula


@dataclass(frozen=True, slots=True)
class Power:
    """A power; a square where no exponent is given."""

    of: Formula
    to: Formula | None = None


@dataclass(frozen=True, slots=True)
class Root:
    """A square root."""

    of: Formula


@dataclass(frozen=True, slots=True)
class Call:
    """A function of one value: exp, max, a name."""

    name: str
    of: Formula


@dataclass(frozen=True, slots=True)
class Parentheses:
    """A formula in parentheses."""

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


@dataclass(frozen=True, slots=True)
class Equation:
    """Formulas that are equal, or otherwise related: one sign fewer than sides; equal where none is given."""

    sides: tuple[Formula, ...]
    signs: tuple[str, ...] = ()

    @property
    def between(self) -> tuple[str, ...]:
        """The signs between the sides."""
        return self.signs or ("=",) * (len(self.sides) - 1)

    @property
    def result(self) -> Number | None:
        """The number that it ends with."""
        last = self.sides[-1]
        return last if isinstance(last, Number) else None


Formula = (
    Name
    | Number
    | Ratio
    | Log
    | Power
    | Root
    | Call
    | Parentheses
    | Product
    | Quotient
    | Sum
    | Equation
)


def change_leaves(formula: Formula, change: Callable[[Formula], Formula]) -> Formula:
    """Return the formula with its names and numbers changed."""

    def inner(part: Formula) -> Formula:
        return change_leaves(part, change)

    match formula:
        case Name() | Number() | Ratio():
            return change(formula)
        case Power(of, to):
            return Power(inner(of), None if to is None else inner(to))
        case Log() | Root() | Call() | Parentheses():
            return replace(formula, of=inner(formula.of))
        case Product(factors):
            return replace(formula, factors=tuple(map(inner, factors)))
        case Quotient(top, bottom):
            return Quotient(inner(top), inner(bottom))
        case Sum(terms):
            return Sum(tuple((sign, inner(term)) for sign, term in terms))
        case Equation(sides):
            return replace(formula, sides=tuple(map(inner, sides)))


def leaves(formula: Formula) -> Iterator[Name | Number | Ratio]:
    """Give the names and numbers of a formula, in reading order."""
    collected: list[Name | Number | Ratio] = []

    def note(leaf: Formula) -> Formula:
        assert isinstance(leaf, Name | Number | Ratio)
        collected.append(leaf)
        return leaf

    change_leaves(formula, note)
    yield from collected


def hide(formula: Formula, stages: frozenset[str]) -> Formula:
    """Return the formula with blanks in place of what belongs to some stages: nothing of it is left behind.

    Examples
    --------
    >>> hide(Number("0.940", "entropy", 0.94), frozenset({"entropy"}))
    Number(text='', stage='entropy', value=None, differs='', blank=True)
    """

    def change(leaf: Formula) -> Formula:
        match leaf:
            case Number(_, stage) if stage in stages:
                return Number("", stage, blank=True)
            case Name(_, stage, vanishes) if stage in stages:
                return Name("", stage, vanishes, blank=not vanishes)
            case Ratio(_, _, stage) if stage in stages:
                return Ratio("", "", stage, blank=True)
        return leaf

    return change_leaves(formula, change)


def as_read(formula: Formula) -> Fraction | None:
    """Return what a reader gets from the printed figures; None where a function or a name stands in the way.

    Examples
    --------
    >>> as_read(Sum(((1, Number("0.940")), (-1, Number("0.694")))))
    Fraction(123, 500)
    """
    match formula:
        case Number(text):
            return _printed(text)
        case Ratio(top, bottom):
            above, below = _printed(top), _printed(bottom)
            return above / below if above is not None and below else None
        case Parentheses(of):
            return as_read(of)
        case Power(of, None):
            base = as_read(of)
            return None if base is None else base * base
        case Product(factors):
            values = [as_read(factor) for factor in factors]
            product = Fraction(1)
            for value in values:
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


def _printed(text: str) -> Fraction | None:
    try:
        return Fraction(text.replace(",", "").replace("−", "-"))
    except ValueError:  # such as the three dots of terms that are left out
        return None
