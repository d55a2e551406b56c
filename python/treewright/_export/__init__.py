"""``export``: a model in other languages. Each form is a module with a ``write``; the tests run all of them.

What a form cannot express exactly is refused with the reason (``export.refused``), never approximated.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from typing import Any

from treewright._export.combined_model import CombinedModel, refuse
from treewright._export.rule_set import RULED, RuleSet, refused
from treewright.errors import Hint, UsageError

__all__ = ["FORMS", "export"]

# The forms that are written from the questions of the trees, and those that are drawn.
WRITTEN = ("c", "onnx", "pmml", "python", "sklearn", "sql")
DRAWN = {"dot": ".dot", "latex": ".tex", "mermaid": ".mmd", "svg": ".svg"}
FORMS = tuple(sorted(("json", *WRITTEN, *DRAWN)))


def export(model: Any, to: str, **options: Any) -> Any:
    r"""Write a model in another language.

    The result answers exactly as ``predict`` does, also at thresholds, for missing values and for values never seen in
    training; what a language cannot express is refused. That holds for single trees, rule sets, and for models of many:
    forests, bagging, boosting, AdaBoost. In PMML the last bit of a sum of many is the reading program's.

    Parameters
    ----------
    model : fitted estimator, Tree
        A model of this package.
    to : {"c", "dot", "json", "latex", "mermaid", "onnx", "pmml", "python", "sklearn", "sql", "svg"}
        The form: C source, a drawing for Graphviz, plain values (``schema/model.schema.json``), a drawing for LaTeX's
        forest or for Mermaid, ONNX, PMML, a Python module that needs nothing, scikit-learn's own tree, forest or
        boosting, a query, or a picture.
    **options : dict
        For "sql": ``dialect`` ("duckdb", "postgres" or "sqlite"), ``table``, ``name`` (of the new column), ``proba``.
        For "c": ``prefix`` of all names. For "onnx": ``missing``, the text that means missing, and ``name``. For
        "pmml": ``divided``, what becomes of rows that are divided among branches ("null" or "weighted"). For drawings
        those of :func:`treewright.show`.

    Returns
    -------
    str, bytes or fitted estimator
        Text; bytes for "onnx"; an estimator for "sklearn".

    Notes
    -----
    A query has no order: a database may return its rows in any. To put the predictions beside the rows they belong to,
    carry a key column through the query (``SELECT t.*`` keeps it) and join or sort by it; never compare by position.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, export
    >>> clf = ID3Classifier(max_depth=1).fit(*datasets.play_tennis())
    >>> body = export(clf, "python").partition("def find(row):\n")[2].partition("\n\n")[0]
    >>> print(body.partition("\n")[2])
        Outlook = _category(row.get('Outlook'))
        if Outlook == 'Sunny':
            return 1  # No
        elif Outlook == 'Overcast':
            return 2  # Yes
        elif Outlook == 'Rain':
            return 3  # Yes
        else:
            return 0  # Yes
    """
    if to not in FORMS:
        raise UsageError(
            f"there is no form {to!r}", slug="export.form", hints=[f"forms: {', '.join(FORMS)}"]
        )
    if to == "json":
        return _call(_json, to, model, options)
    if to in DRAWN:
        return _drawn(model, to, options)
    rules = RuleSet.of(model)
    if rules is not None and to not in RULED:
        raise refused(to)
    place = f"treewright._export.{to}" if rules is None else f"treewright._export.{to}.rules"
    write: Callable[..., Any] = importlib.import_module(place).write
    return _call(write, to, CombinedModel.of(model) if rules is None else rules, options)


def _call(write: Callable[..., Any], to: str, model: Any, options: dict[str, Any]) -> Any:
    known = [name for name in inspect.signature(write).parameters if name != "model"]
    for name in options:
        if name not in known:
            has = f"options: {', '.join(known)}" if known else "it has none"
            raise UsageError(f'"{to}" has no option {name!r}', slug="export.option", hints=[has])
    return write(model, **options)


def _json(model: Any) -> str:
    import json

    from treewright.files import to_json

    return json.dumps(to_json(model), ensure_ascii=False, allow_nan=False) + "\n"


def _drawn(model: Any, to: str, options: dict[str, Any]) -> str:
    from treewright._show import show

    drawn = show(model, **options).written(DRAWN[to])
    if drawn is None:
        raise refuse(to, "it has no drawing of this kind", Hint(call="show", arguments=("model",)))
    return drawn
