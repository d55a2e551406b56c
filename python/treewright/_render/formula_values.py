"""A formula as plain values, for pages that write it themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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

__all__ = ["formula_from_values", "formula_values"]


def formula_values(formula: Formula) -> dict[str, Any]:
    """Return a formula as nested dictionaries; ``is`` names the kind of each part.

    Examples
    --------
    >>> formula_values(Equation((Name("H"), Number("0.940", "entropy", 0.9403))))["sides"][1]
    {'is': 'number', 'text': '0.940', 'stage': 'entropy', 'value': 0.9403}
    """
    inner = formula_values
    match formula:
        case Name(text, stage):
            return _leaf("name", {"text": text}, stage)
        case Number(text, stage, value, differs):
            record = _leaf("number", {"text": text}, stage)
            record |= {} if value is None else {"value": value}
            return record | ({"differs": differs} if differs else {})
        case Ratio(top, bottom, stage):
            return _leaf("ratio", {"top": top, "bottom": bottom}, stage)
        case Log(base, of):
            return {"is": "log", "base": base, "of": inner(of)}
        case Power(of, to):
            return {"is": "power", "of": inner(of)} | ({} if to is None else {"to": inner(to)})
        case Root(of):
            return {"is": "root", "of": inner(of)}
        case Call(name, of):
            return {"is": "call", "name": name, "of": inner(of)}
        case Parentheses(of):
            return {"is": "parentheses", "of": inner(of)}
        case Product(factors, wide):
            return {"is": "product", "factors": [inner(f) for f in factors], "wide": wide}
        case Quotient(top_, bottom_):
            return {"is": "quotient", "top": inner(top_), "bottom": inner(bottom_)}
        case Sum(terms):
            return {"is": "sum", "terms": [{"sign": s, "of": inner(of)} for s, of in terms]}
        case Equation(sides):
            signs = list(formula.between)
            return {"is": "equation", "sides": [inner(side) for side in sides], "signs": signs}


def _leaf(kind: str, texts: dict[str, str], stage: str) -> dict[str, Any]:
    return {"is": kind, **texts} | ({"stage": stage} if stage else {})


def formula_from_values(values: Mapping[str, Any]) -> Formula:
    """Return a formula from :func:`formula_values`.

    Examples
    --------
    >>> formula = Sum(((1, Number("0.940")), (-1, Ratio("5", "14"))))
    >>> formula_from_values(formula_values(formula)) == formula
    True
    """
    inner, stage = formula_from_values, values.get("stage", "")
    match values["is"]:
        case "name":
            return Name(values["text"], stage)
        case "number":
            return Number(values["text"], stage, values.get("value"), values.get("differs", ""))
        case "ratio":
            return Ratio(values["top"], values["bottom"], stage)
        case "log":
            return Log(values["base"], inner(values["of"]))
        case "power":
            return Power(inner(values["of"]), inner(values["to"]) if "to" in values else None)
        case "root":
            return Root(inner(values["of"]))
        case "call":
            return Call(values["name"], inner(values["of"]))
        case "parentheses":
            return Parentheses(inner(values["of"]))
        case "product":
            return Product(tuple(map(inner, values["factors"])), values["wide"])
        case "quotient":
            return Quotient(inner(values["top"]), inner(values["bottom"]))
        case "sum":
            return Sum(tuple((term["sign"], inner(term["of"])) for term in values["terms"]))
        case _:
            sides = tuple(map(inner, values["sides"]))
            signs = tuple(values["signs"])
            return Equation(sides, () if set(signs) <= {"="} else signs)
