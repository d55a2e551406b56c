"""A model as a SQL query: ``SELECT t.*, CASE ... END AS "prediction" FROM "data" AS t``.

``NULL`` is missing, and so is NaN in databases that distinguish the two.
"""

from __future__ import annotations

from treewright._export.combined_model import CombinedModel
from treewright._export.identifiers import cannot_be_c, refuse_texts
from treewright._export.rule_set import RuleSet
from treewright._export.sql import ensemble, rules
from treewright._export.sql.text import Dialect, indent, restore_line_breaks
from treewright.errors import UsageError
from treewright.schema import label

__all__ = ["write"]


def write(
    model: CombinedModel | RuleSet,
    *,
    dialect: str = "duckdb",
    table: str = "data",
    name: str = "prediction",
    proba: bool = False,
) -> str:
    """Return the query."""
    sql = Dialect(model.schema, dialect)
    refuse_texts("SQL", (table, name), cannot_be_c)
    classes = model.schema.classes
    if proba and not classes:
        raise UsageError("this model predicts numbers: it has no probabilities", slug="usage")
    if isinstance(model, RuleSet):
        columns = [rules.write_prediction(model, sql)]
        columns += [rules.write_output(model, sql, k) for k in range(len(classes) if proba else 0)]
    else:
        columns = [ensemble.write_prediction(model, sql)]
        columns += [
            ensemble.write_output(model, sql, k) for k in range(len(classes) if proba else 0)
        ]
    names = [name, *(f"probability {label(c)}" for c in classes)]
    aliased = (
        f",\n  {indent(text)} AS {sql.name(alias)}"
        for text, alias in zip(columns, names, strict=False)
    )
    return restore_line_breaks(f"SELECT\n  t.*{''.join(aliased)}\nFROM {sql.table(table)} AS t\n")
