"""A rule set as a SQL query: a ``CASE`` with a ``WHEN`` for each rule."""

from __future__ import annotations

from collections.abc import Callable

from treewright._export.identifiers import no_text_of_c, refuse_texts
from treewright._export.rule_set import RegionRule, RuleSet
from treewright._export.sql.text import Words, finished, shifted
from treewright.schema import label

__all__ = ["write"]


def write(
    model: RuleSet,
    *,
    dialect: str = "duckdb",
    table: str = "data",
    name: str = "prediction",
    proba: bool = False,
) -> str:
    """Return the query."""
    words = Words(model.schema, dialect)
    refuse_texts("SQL", (table, name), no_text_of_c)
    columns = [(_case(model, words, lambda rule: words.value(rule.answer)), name)]
    for k, c in enumerate(model.schema.classes if proba else ()):
        said = _case(model, words, lambda rule, k=k: words.number(rule.shares[k]))  # type: ignore[misc]
        columns.append((said, f"probability {label(c)}"))
    listed = "".join(f",\n  {shifted(text)} AS {words.name(alias)}" for text, alias in columns)
    return finished(f"SELECT\n  t.*{listed}\nFROM {words.table(table)} AS t\n")


def _case(model: RuleSet, words: Words, say: Callable[[RegionRule], str]) -> str:
    *rules, last = model.rules
    if not rules:
        return say(last)
    whens = "".join(f"  WHEN {_when(rule, words)} THEN {say(rule)}\n" for rule in rules)
    return f"CASE\n{whens}  ELSE {say(last)}\nEND"


def _when(rule: RegionRule, words: Words) -> str:
    tests = (words.within(feature, values) for feature, values in rule.region.items())
    return " AND ".join(test for test in tests if test) or "TRUE"
