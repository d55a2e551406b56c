"""Learners of the page: from a specification to an estimator, and fitted models as the contract says."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from treewright._catalog import LEARNERS, import_public
from treewright._evaluate.model_comparison import compare
from treewright._input.unseen_values import unseen_unreported
from treewright._reading import RowReader
from treewright._reading.row_text import RowText
from treewright._web.server.held_table import HeldTable
from treewright._web.server.jobs import Watch
from treewright.errors import UsageError
from treewright.schema import label

__all__ = ["build_estimator", "compare_learners", "describe_fit", "describe_predictions"]

MAX_BATCH = 20_000
SIMPLE = (str, int, float, bool, type(None))


def build_estimator(table: HeldTable, spec: Mapping[str, Any]) -> Any:
    """Return the estimator of a specification; its names and values are checked."""
    name, params = spec.get("algorithm"), spec.get("params") or {}
    rows = [row for row in LEARNERS.values() if row.cli_name == name and row.task == table.task]
    if not rows:
        what = "classes" if table.task == "classify" else "numbers"
        raise UsageError(f"no algorithm {str(name)[:40]!r} predicts {what}", slug="server.request")
    if not isinstance(params, Mapping) or not all(isinstance(v, SIMPLE) for v in params.values()):
        raise UsageError("params are names with simple values", slug="server.request")
    estimator = import_public(rows[0].name)()
    known = estimator.get_params(deep=False)
    for param in params:
        if param not in known:
            raise UsageError(f"{name} has no parameter {str(param)[:40]!r}", slug="server.request")
    return estimator.set_params(**params)


def describe_fit(model: Any, table: HeldTable) -> dict[str, Any]:
    """Return the ``Fitted`` of the contract, without its number and specification."""
    predicted = model.predict(table.features)
    truth = table.target.values()
    if table.task == "classify":
        wrong = sum(label(p) != label(t) for p, t in zip(predicted.tolist(), truth, strict=True))
        error = wrong / len(truth)
    else:
        error = float(np.mean((np.asarray(predicted) - np.asarray(truth)) ** 2))
    trees = getattr(model, "_forest", None)
    return {"training_error": error} | ({} if trees is None else {"n_trees": trees.n_trees})


def describe_predictions(model: Any, table: HeldTable, rows: Any) -> list[dict[str, Any]]:
    """Predict rows of cells as the command line would predict them from a file."""
    width = len(table.inspection.reports)
    if not isinstance(rows, list) or len(rows) > MAX_BATCH:
        raise UsageError(f"rows are a list of at most {MAX_BATCH:,} rows", slug="server.request")
    if not all(isinstance(row, list) and len(row) == width for row in rows):
        raise UsageError(f"each row has {width} cells", slug="server.request")
    if not all(isinstance(cell, SIMPLE) for row in rows for cell in row):
        raise UsageError("cells are texts and numbers", slug="server.request")
    if not rows:
        return []
    header = [report.name for report in table.inspection.reports]
    with unseen_unreported():
        features = _read_cells(model, table, [header, *rows])
        predictions = model.predict(features).tolist()
        if table.task == "regress":
            return [{"prediction": value} for value in predictions]
        shares = model.predict_proba(features)[:, _class_order(model, table)].tolist()
    return [
        {"prediction": label(value), "probabilities": share}
        for value, share in zip(predictions, shares, strict=True)
    ]


def _class_order(model: Any, table: HeldTable) -> list[int]:
    """Return the columns of ``predict_proba`` in the order of the table's classes."""
    places = {label(name): i for i, name in enumerate(np.asarray(model.classes_).tolist())}
    return [places[label(name)] for name in table.schema.classes]


def _read_cells(model: Any, table: HeldTable, lines: Sequence[Sequence[Any]]) -> Any:
    """Return rows of cells as the table that the model reads."""
    kept = ("missing", "decimal", "thousands")
    options = {key: table.options[key] for key in kept if table.options.get(key) is not None}
    text = RowText(lines, "the rows").read(1 << 30)
    with RowReader(
        text, model.schema_, rows=len(lines), used=(), delimiter=",", **options
    ) as reader:
        return next(iter(reader)).table


def _baseline(name: str, spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return the specification of a baseline that `compare` added."""
    return {"table": spec.get("table"), "algorithm": LEARNERS[name].cli_name, "params": {}}


def compare_learners(
    table: HeldTable, specs: Sequence[Mapping[str, Any]], folds: int, watch: Watch
) -> dict[str, Any]:
    """Return the ``Comparison`` of the contract."""
    named = {f"{i}": build_estimator(table, spec) for i, spec in enumerate(specs)}
    comparison = compare(named, table.features, table.target, cv=folds, watch=watch)
    results = []
    for entry in comparison.entries:
        spec = specs[int(entry.name)] if entry.name in named else _baseline(entry.name, specs[0])
        errors = 1 - entry.scores if table.task == "classify" else entry.scores**2
        results.append(
            {
                "spec": dict(spec),
                "name": str(spec.get("algorithm")),
                "error": errors.tolist(),
                "mean": float(errors.mean()),
                "se": float(errors.std(ddof=1) / math.sqrt(len(errors))),
                "leaves": entry.size or 0,
                "seconds": entry.seconds,
            }
        )
    return {"folds": folds, "results": results}
