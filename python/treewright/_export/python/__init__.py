"""A model as a Python module that needs nothing: ``predict(row)`` for a mapping of column names to values.

A small tree is written as nested ``if``, to be read; a large one, one that divides rows and a model of several as
tables with a loop over them (``tables``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from treewright._export.combined_model import CombinedModel
from treewright._export.identifiers import identifiers
from treewright._model.paths.ordered_tests import Above, Among, AtMost, OrderedTests, Test
from treewright._model.paths.outline import outline
from treewright._render.safe_text import visible
from treewright.schema import label

__all__ = ["FIND", "HEAD", "PREDICT", "SHARES", "VALUES", "dictionary", "docstring", "write"]

# What can be read as nested ifs; Python itself nests a hundred blocks.
NESTED, QUESTIONS = 20, 500

HEAD = '''\
"""{title}. Written by treewright.

predict(row) answers for one row: a mapping of column names to values, in which None, NaN and no entry at all mean that
the value is missing.
"""

from math import nan
'''
VALUES = """

def _number(value):
    return nan if value is None else value


def _category(value):
    return None if value is None or value != value else value
"""
FIND = '''

def find(row):
    """Return the number of the node where a row ends."""
'''
SHARES = '''

def predict_proba(row):
    """Return the share of each class, in the order of CLASSES."""
    return {shares}
'''
PREDICT = '''

def predict(row):
    """Return {what} of a row."""
{body}
'''


def write(model: CombinedModel) -> str:
    """Return the source of the module."""
    from treewright._export.python.tree import tables

    splits = model.trees[0]
    branches = int((splits.tree.n_children > 0).sum())
    readable = splits.tree.depth <= NESTED and branches <= QUESTIONS and not splits.has_surrogates
    head = HEAD.format(title=docstring(model.title))
    alone = readable and model.is_single_tree and not splits.divides
    body = _nested(model, splits) if alone else tables(model)
    return head + body


def _nested(model: CombinedModel, splits: OrderedTests) -> str:
    schema, tree = model.schema, splits.tree
    variables = identifiers(schema.names, taken=("row", "nan", "find", "predict"))
    asked = sorted({int(f) for f in tree.feature[tree.n_children > 0]})
    lines = []
    for i in asked:
        read = "_number" if schema.columns[i].kind == "numeric" else "_category"
        lines.append(f"    {variables[i]} = {read}(row.get({schema.names[i]!r}))")
    lines += _ifs(model, splits, variables)
    found = sorted(set(_ends(splits)))
    text = VALUES + FIND + "\n".join(lines) + "\n"
    if not schema.classes:
        values = dictionary((node, float(tree.value[node, 0])) for node in found)
        return f"\nVALUES = {values}\n{text}" + PREDICT.format(
            what="the number", body="    return VALUES[find(row)]"
        )
    answers = dictionary((node, tree.answer(node)) for node in found)
    shares = dictionary((node, tuple(tree.value[node].tolist())) for node in found)
    facts = f"\nCLASSES = {schema.classes!r}\nANSWERS = {answers}\nSHARES = {shares}\n"
    proba = SHARES.format(shares="SHARES[find(row)]")
    return (
        facts
        + text
        + proba
        + PREDICT.format(what="the class", body="    return ANSWERS[find(row)]")
    )


def _ends(splits: OrderedTests) -> Iterator[int]:
    return (step.node for step in outline(splits) if step.word == "end")


def _ifs(model: CombinedModel, splits: OrderedTests, variables: list[str]) -> Iterator[str]:
    """Give the lines of the ifs."""
    word = "if"
    for step in outline(splits):
        indent = "    " * (step.depth + 1)
        if step.word == "branch" and step.branches[0].tests:
            tests = " or ".join(_test(model, test, variables) for test in step.branches[0].tests)
            yield f"{indent}{word} {tests}:"
        elif step.word == "branch":
            yield f"{indent}else:"
        word = "elif" if step.word in ("end", "close") else "if"
        if step.word != "end":
            continue
        said = visible(label(splits.tree.answer(step.node)))[:60] if model.schema.classes else ""
        yield f"{indent}return {step.node}" + (f"  # {said}" if said.strip() else "")


def _test(model: CombinedModel, test: Test, variables: list[str]) -> str:
    x = variables[test.feature]
    match test:
        case AtMost(threshold=threshold):
            return f"{x} <= {threshold!r}"
        case Above(threshold=threshold):
            return f"{x} > {threshold!r}"
        case Among(codes=codes):
            levels = tuple(model.schema.columns[test.feature].levels[code] for code in codes)
            return f"{x} == {levels[0]!r}" if len(levels) == 1 else f"{x} in {levels!r}"
        case _:
            numeric = model.schema.columns[test.feature].kind == "numeric"
            return f"{x} != {x}" if numeric else f"{x} is None"


def dictionary(items: Any, levels: int = 0) -> str:
    """Write a dictionary, one entry a line."""
    indent = "    " * (levels + 1)
    lines = "".join(f"{indent}{key!r}: {value!r},\n" for key, value in items)
    return f"{{\n{lines}{'    ' * levels}}}" if lines else "{}"


def docstring(text: str) -> str:
    """Write a text that cannot end a docstring."""
    return visible(text).replace("\\", "\\\\").replace('"', "'")
