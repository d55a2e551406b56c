"""A model as C source that needs only the standard library. A row is an array of numbers, NAN where one is missing.

``..._code(column, text)`` turns categories into numbers. The splits are tables with a loop over them: no recursion, no
allocation, any depth. ``volatile`` makes the compiler round a product before it is added (some machines do both in one
step), so the sums are the same to the last bit everywhere.
"""

from __future__ import annotations

import re

from treewright._export.c.rules import write_rules
from treewright._export.c.text import FILE, comment, describe_columns, write_categories
from treewright._export.c.tree import write_trees
from treewright._export.combined_model import CombinedModel, refuse_mixed_types
from treewright._export.identifiers import cannot_be_c, refuse_texts, schema_texts
from treewright._export.rule_set import RuleSet
from treewright.errors import UsageError

__all__ = ["write"]


def write(model: CombinedModel | RuleSet, *, prefix: str = "treewright") -> str:
    """Return the source of the file."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,40}", prefix):
        raise UsageError(f"{prefix!r} is not a valid prefix for names in C", slug="usage")
    schema = model.schema
    refuse_mixed_types("C", schema)
    refuse_texts("C", schema_texts(schema, names=False), cannot_be_c)
    names = {"prefix": prefix, "upper": prefix.upper()}
    rules = isinstance(model, RuleSet)
    return FILE.format(
        **names,
        title=comment(model.title),
        result="int" if schema.classes else "double",
        columns=len(schema.columns),
        outputs=max(1, len(schema.classes)),
        parts="RULES" if rules else "TREES",
        n_parts=len(model.rules if isinstance(model, RuleSet) else model.trees),
        columns_described="\n".join(describe_columns(schema, prefix)),
        categories="\n".join(write_categories(schema, prefix)),
        body=write_rules(model, names) if isinstance(model, RuleSet) else write_trees(model, names),
    )
