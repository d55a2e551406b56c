"""A formula as plain values, for pages that write it themselves."""

from __future__ import annotations

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

__all__ = ["formula_values"]


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
