"""A model as a Python module without dependencies: ``predict(row)`` for a mapping of column names to values.

A small tree is written as nested ``if`` statements, to be read. Large trees, trees with fractional rows or surrogates,
and ensembles are written as tables with a loop over them.
"""

from __future__ import annotations

from treewright._export.combined_model import CombinedModel
from treewright._export.python.ensemble import write_tables
from treewright._export.python.rules import write_rules
from treewright._export.python.text import HEAD, docstring
from treewright._export.python.tree import is_readable, write_ifs
from treewright._export.rule_set import RuleSet

__all__ = ["write"]


def write(model: CombinedModel | RuleSet) -> str:
    """Return the source of the module."""
    head = HEAD.format(title=docstring(model.title))
    if isinstance(model, RuleSet):
        return head + write_rules(model)
    return head + (write_ifs if is_readable(model) else write_tables)(model)
