"""A model as a SQL query: ``SELECT t.*, CASE ... END AS "prediction" FROM "data" AS t``.

``words`` quotes and writes tests, ``walk`` writes the way of a row through a tree, ``divided`` what is said of a row
that C4.5 divides among branches, ``answer`` puts them together. ``NULL`` is missing, and so is NaN where a database
tells the two apart.
"""

from __future__ import annotations

from treewright._export.combined_model import CombinedModel
from treewright._export.identifiers import no_text_of_c, refuse_texts
from treewright._export.sql.prediction import answer, says
from treewright._export.sql.text import DIALECTS, Words, finished, shifted
from treewright.errors import UsageError
from treewright.schema import label

__all__ = ["DIALECTS", "write"]


def write(
    model: CombinedModel,
    *,
    dialect: str = "duckdb",
    table: str = "data",
    name: str = "prediction",
    proba: bool = False,
) -> str:
    """Return the query."""
    words = Words(model.schema, dialect)
    refuse_texts("SQL", (table, name), no_text_of_c)
    columns = [(answer(model, words), name)]
    if proba and not model.schema.classes:
        raise UsageError("this model predicts numbers: it has no probabilities", slug="usage")
    if proba:
        columns += [
            (says(model, words, k), f"probability {label(c)}")
            for k, c in enumerate(model.schema.classes)
        ]
    listed = "".join(f",\n  {shifted(text)} AS {words.name(alias)}" for text, alias in columns)
    return finished(f"SELECT\n  t.*{listed}\nFROM {words.table(table)} AS t\n")
