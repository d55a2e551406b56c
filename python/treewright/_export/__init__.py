"""``export``: a model in another language, exchange format or drawing.

To add a language, write a folder with a ``write(model, **options)`` and add its row to ``FORMATS``. A model that a
format cannot express exactly raises ``export.refused`` with the reason; nothing is approximated. Importing this module
is cheap: the command line reads ``FORMATS`` for its choices.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

from treewright.errors import Hint, UsageError

__all__ = ["FORMATS", "ExportFormat", "export", "format_by_extension"]


@dataclass(frozen=True)
class ExportFormat:
    """One row of the table of formats.

    Parameters
    ----------
    extensions : tuple of str
        File extensions, the usual one first; empty if the result is not a file.
    options : tuple of str, default=()
        Options of its ``write``. Drawings take those of ``show``.
    requires : str, default=""
        A library that must be installed, by the extra of the same name as the format.
    rules : bool, default=True
        Whether it can hold rule sets.
    drawing : bool, default=False
        Whether ``show`` writes it. All others are written by ``_export/<name>``.
    """

    extensions: tuple[str, ...]
    options: tuple[str, ...] = ()
    requires: str = ""
    rules: bool = True
    drawing: bool = False


FORMATS = {
    "c": ExportFormat((".c",), ("prefix",)),
    "dot": ExportFormat((".dot", ".gv"), drawing=True),
    "json": ExportFormat((".json",)),
    "latex": ExportFormat((".tex",), drawing=True),
    "mermaid": ExportFormat((".mmd",), drawing=True),
    "onnx": ExportFormat((".onnx",), ("missing", "name"), requires="onnx"),
    "pdf": ExportFormat((".pdf",), drawing=True),
    "pmml": ExportFormat((".pmml",), ("divided",)),
    "png": ExportFormat((".png",), drawing=True),
    "python": ExportFormat((".py",)),
    "sklearn": ExportFormat((), rules=False),
    "sql": ExportFormat((".sql",), ("dialect", "table", "name", "proba"), requires="sqlglot"),
    "svg": ExportFormat((".svg",), drawing=True),
}


def format_by_extension(extension: str) -> str | None:
    """Return the format of a file extension such as ".sql"; None if no format has it."""
    wanted = extension.lower()
    return next((name for name, form in FORMATS.items() if wanted in form.extensions), None)


def export(model: Any, to: str, **options: Any) -> Any:
    r"""Write a model in another language.

    The result predicts exactly as ``predict`` does, also at thresholds, for missing values and for unseen categories. A
    model that a language cannot express raises an error. Single trees, rule sets and ensembles (forests, bagging,
    boosting, AdaBoost) can be exported. In PMML, the last bit of a sum over several trees depends on the program that
    reads the file.

    Parameters
    ----------
    model : fitted estimator, Tree
        A model of this package.
    to : {"c", "dot", "json", "latex", "mermaid", "onnx", "pdf", "pmml", "png", "python", "sklearn", "sql", "svg"}
        The format: C source, a drawing for Graphviz, plain values (``schema/model.schema.json``), a drawing for LaTeX's
        forest package or for Mermaid, ONNX, PMML, a Python module without dependencies, scikit-learn's own tree, forest
        or boosting, a SQL query, or a picture: SVG, or PNG and PDF by matplotlib.
    **options : dict
        For "sql": ``dialect`` ("duckdb", "postgres" or "sqlite"), ``table``, ``name`` (of the new column), ``proba``.
        For "c": ``prefix`` of all names. For "onnx": ``missing``, the text that stands for a missing value, and
        ``name``. For "pmml": ``divided``, how rows that are split fractionally are handled ("null" or "weighted"). For
        drawings: the options of :func:`treewright.show`.

    Returns
    -------
    str, bytes or fitted estimator
        Text; bytes for "onnx", "pdf" and "png"; an estimator for "sklearn".

    Notes
    -----
    A database may return the rows of a query in any order. To match predictions with rows, keep a key column in the
    table (``SELECT t.*`` carries it) and join or sort by it; never compare by position.

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
    form = FORMATS.get(to)
    if form is None:
        hints = [f"formats: {', '.join(FORMATS)}"]
        raise UsageError(f"unknown export format {to!r}", slug="export.form", hints=hints)
    if form.drawing:
        return _draw(model, to, options)
    _check(to, form, options)
    if to == "json":
        return _write_json(model)
    from treewright._export.combined_model import CombinedModel, refuse
    from treewright._export.rule_set import RuleSet

    rules = RuleSet.of(model)
    if rules is not None and not form.rules:
        able = ", ".join(name for name, f in FORMATS.items() if f.rules and not f.drawing)
        raise refuse(to, "it is a list of rules", f"formats for rule sets: {able}")
    write = importlib.import_module(f"treewright._export.{to}").write
    return write(CombinedModel.of(model) if rules is None else rules, **options)


def _check(to: str, form: ExportFormat, options: dict[str, Any]) -> None:
    for name in options:
        if name not in form.options:
            known = f"options: {', '.join(form.options)}" if form.options else "it has none"
            raise UsageError(f'"{to}" has no option {name!r}', slug="export.option", hints=[known])
    if form.requires:
        try:
            importlib.import_module(form.requires)
        except ImportError:
            raise UsageError(
                f"this export needs {form.requires}, which is not installed",
                slug="export.extra",
                hints=[f"try: pip install 'treewright[{to}]'"],
            ) from None


def _write_json(model: Any) -> str:
    import json

    from treewright.files import to_json

    return json.dumps(to_json(model), ensure_ascii=False, allow_nan=False) + "\n"


def _draw(model: Any, to: str, options: dict[str, Any]) -> str | bytes:
    from treewright._export.combined_model import refuse
    from treewright._show import show

    refusal = refuse(to, "it has no drawing of this kind", Hint(call="show", arguments=("model",)))
    view = show(model, **options)
    write = view.forms()[f".{to}"] if to in ("pdf", "png") else getattr(view, f"to_{to}", None)
    if write is None:
        raise refusal
    try:
        content: str | bytes = write()
        return content if isinstance(content, bytes) else content.rstrip("\n") + "\n"
    except UsageError as error:
        if error.slug.endswith(".no-picture"):
            raise refusal from None
        raise
