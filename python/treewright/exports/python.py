"""A model as a Python module that needs nothing: ``predict(row)`` for a mapping of column names to values.

A small tree is written as nested ``if``, to be read; a large one, one that divides rows and a sum of several as tables
with a loop over them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from treewright._decide import EQUAL
from treewright.draw.names import visible
from treewright.exports.names import identifiers
from treewright.exports.sums import Sum
from treewright.paths.arms import DIVIDED, Above, Among, Arm, Arms, AtMost, Test
from treewright.paths.outline import outline
from treewright.schema import label

__all__ = ["FIND", "HEAD", "PREDICT", "SHARES", "VALUES", "docstring", "write"]

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
WALK = '''

def _goes(asked, row):
    """Return the node that a row goes to, or DIVIDED: that of the first test that holds."""
    for word, column, value, node in asked:
        x = row.get(column)
        if (
            (word == "<=" and x <= value)
            or (word == ">" and x > value)
            or (word == "in" and x in value)
            or (word == "missing" and (x is None or x != x))
            or word == "else"
        ):
            return node


def says(row):
    """Return what the model says of a row, one number for each output."""
    known = {column: read(row.get(column)) for column, read in COLUMNS.items()}
    sums = [0.0] * OUTPUTS
    for nodes, values, weights in TREES:
        parts = [(0, 1.0)]
        while parts:
            node, part = parts.pop()
            goes = _goes(nodes[node], known) if node in nodes else node
            if goes == DIVIDED:
                children = weights[node]
                whole = children[node]
                parts += [(c, part * w / whole) for c, w in reversed(children.items()) if c != node]
            elif goes == node:
                for i, value in enumerate(values[node]):
                    sums[i] += part * value
            else:
                parts.append((goes, part))
    return [total / len(TREES) for total in sums]
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
LARGEST = """    shares = predict_proba(row)
    return CLASSES[shares.index(max(shares))]"""
CHEAPEST = """    shares = predict_proba(row)
    expected = [sum(s * COSTS[i][j] for i, s in enumerate(shares)) for j in range(OUTPUTS)]
    least = min(expected) * {slack!r}
    return next(c for c, cost in zip(CLASSES, expected) if cost <= least)"""


def write(model: Sum) -> str:
    """Return the source of the module."""
    [arms, *more] = model.trees
    branches = int((arms.tree.n_children > 0).sum())
    readable = arms.tree.depth <= NESTED and branches <= QUESTIONS and not arms.substitutes
    head = HEAD.format(title=docstring(model.title))
    body = _nested(model, arms) if readable and not more and not arms.divides else _tables(model)
    return head + body


def _nested(model: Sum, arms: Arms) -> str:
    schema, tree = model.schema, arms.tree
    variables = identifiers(schema.names, taken=("row", "nan", "find", "predict"))
    asked = sorted({int(f) for f in tree.feature[tree.n_children > 0]})
    lines = []
    for i in asked:
        read = "_number" if schema.columns[i].kind == "numeric" else "_category"
        lines.append(f"    {variables[i]} = {read}(row.get({schema.names[i]!r}))")
    lines += _ifs(model, arms, variables)
    found = sorted(set(_ends(arms)))
    text = VALUES + FIND + "\n".join(lines) + "\n"
    if not schema.classes:
        values = _dictionary((node, float(tree.value[node, 0])) for node in found)
        return f"\nVALUES = {values}\n{text}" + PREDICT.format(
            what="the number", body="    return VALUES[find(row)]"
        )
    answers = _dictionary((node, tree.answer(node)) for node in found)
    shares = _dictionary((node, tuple(tree.value[node].tolist())) for node in found)
    facts = f"\nCLASSES = {schema.classes!r}\nANSWERS = {answers}\nSHARES = {shares}\n"
    proba = SHARES.format(shares="SHARES[find(row)]")
    return (
        facts
        + text
        + proba
        + PREDICT.format(what="the class", body="    return ANSWERS[find(row)]")
    )


def _ends(arms: Arms) -> Iterator[int]:
    return (step.node for step in outline(arms) if step.word == "end")


def _ifs(model: Sum, arms: Arms, variables: list[str]) -> Iterator[str]:
    """Give the lines of the ifs."""
    word = "if"
    for step in outline(arms):
        indent = "    " * (step.depth + 1)
        if step.word == "arm" and step.arms[0].tests:
            tests = " or ".join(_test(model, test, variables) for test in step.arms[0].tests)
            yield f"{indent}{word} {tests}:"
        elif step.word == "arm":
            yield f"{indent}else:"
        word = "elif" if step.word in ("end", "close") else "if"
        if step.word != "end":
            continue
        said = visible(label(arms.tree.answer(step.node)))[:60] if model.schema.classes else ""
        yield f"{indent}return {step.node}" + (f"  # {said}" if said.strip() else "")


def _test(model: Sum, test: Test, variables: list[str]) -> str:
    x = variables[test.feature]
    match test:
        case AtMost(cut=cut):
            return f"{x} <= {cut!r}"
        case Above(cut=cut):
            return f"{x} > {cut!r}"
        case Among(codes=codes):
            levels = tuple(model.schema.columns[test.feature].levels[code] for code in codes)
            return f"{x} == {levels[0]!r}" if len(levels) == 1 else f"{x} in {levels!r}"
        case _:
            numeric = model.schema.columns[test.feature].kind == "numeric"
            return f"{x} != {x}" if numeric else f"{x} is None"


def _tables(model: Sum) -> str:
    schema = model.schema
    read = {"numeric": "_number", "categorical": "_category"}
    columns = "".join(f"    {c.name!r}: {read[c.kind]},\n" for c in schema.columns)
    trees = ",\n".join(_tree(model, arms) for arms in model.trees)
    text = (
        f"{VALUES}\n\nDIVIDED = {DIVIDED}  # the row goes to every child, by their weight\n"
        f"OUTPUTS = {model.outputs}\nCOLUMNS = {{\n{columns}}}\n"
        "# For each tree: what the branches ask (test, column, value, node), what the nodes say, and the\n"
        "# weights of the children of a branch, and its own, where rows are divided.\n"
        f"TREES = [\n{trees},\n]\n{WALK}"
    )
    if not schema.classes:
        return text + PREDICT.format(what="the number", body="    return says(row)[0]")
    body = CHEAPEST.format(slack=1 + EQUAL) if schema.costs else LARGEST
    facts = f"\nCLASSES = {schema.classes!r}\n" + (
        f"COSTS = {schema.costs!r}\n" if schema.costs else ""
    )
    proba = SHARES.format(shares="says(row)")
    return facts + text + proba + PREDICT.format(what="the class", body=body)


def _tree(model: Sum, arms: Arms) -> str:
    tree = arms.tree
    nodes, weights, values = [], [], []
    for node in range(tree.n_nodes):
        values.append((node, tuple(tree.value[node].tolist())))
        if not tree.n_children[node]:
            continue
        asked = arms.of(node)
        nodes.append((node, [entry for arm in asked for entry in _entries(model, arm)]))
        if any(arm.goes == DIVIDED for arm in asked):
            first = int(tree.first_child[node])
            shared = [
                c for c in range(first, first + int(tree.n_children[node])) if tree.weight[c] > 0
            ]
            weights.append((node, {n: float(tree.weight[n]) for n in [*shared, node]}))
    tables = "".join(f"        {_dictionary(items, 2)},\n" for items in (nodes, values, weights))
    return f"    (\n{tables}    )"


def _entries(model: Sum, arm: Arm) -> Iterator[tuple[Any, ...]]:
    """Give an arm as entries of a table: (test, column, value, node)."""
    if not arm.tests:
        yield "else", None, None, arm.goes
    for test in arm.tests:
        column = model.schema.columns[test.feature]
        match test:
            case AtMost(cut=cut):
                yield "<=", column.name, cut, arm.goes
            case Above(cut=cut):
                yield ">", column.name, cut, arm.goes
            case Among(codes=codes):
                yield "in", column.name, tuple(column.levels[code] for code in codes), arm.goes
            case _:
                yield "missing", column.name, None, arm.goes


def _dictionary(items: Any, levels: int = 0) -> str:
    indent = "    " * (levels + 1)
    lines = "".join(f"{indent}{key!r}: {value!r},\n" for key, value in items)
    return f"{{\n{lines}{'    ' * levels}}}" if lines else "{}"


def docstring(text: str) -> str:
    """Write a text that cannot end a docstring."""
    return visible(text).replace("\\", "\\\\").replace('"', "'")
