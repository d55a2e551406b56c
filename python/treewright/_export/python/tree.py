"""Models that are not read but run: the questions of all trees as tables, a walk over them, and what becomes of it.

The steps are those of the core, in its order: every part of a row at every end of every tree, then the link.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from treewright._export.combined_model import CombinedModel
from treewright._export.exact_exp import PYTHON_TEXT
from treewright._export.python import PREDICT, SHARES, VALUES, dictionary
from treewright._model.decision import EQUAL
from treewright._model.paths.ordered_tests import (
    DIVIDED,
    Above,
    Among,
    AtMost,
    BranchTests,
    OrderedTests,
)

__all__ = ["tables"]

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


def _ends(nodes, weights, row):
    """Give the nodes of a tree where the parts of a row end, each with its share of the row."""
    parts = [(0, 1.0)]
    while parts:
        node, part = parts.pop()
        goes = _goes(nodes[node], row) if node in nodes else node
        if goes == DIVIDED:
            children = weights[node]
            whole = children[node]
            parts += [(c, part * w / whole) for c, w in reversed(children.items()) if c != node]
        elif goes == node:
            yield node, part
        else:
            parts.append((goes, part))
'''
SAID = '''

def _said(tree, row):
    """Return what one tree says of a row."""
    nodes, values, weights = tree
    said = [0.0] * OUTPUTS
    for node, part in _ends(nodes, weights, row):
        said = [total + part * value for total, value in zip(said, values[node])]
    return said
'''
SAYS = '''

def says(row):
    """Return what the model says of a row, one number for each output."""
    known = {{column: read(row.get(column)) for column, read in COLUMNS.items()}}
{body}
'''
MEAN = """    sums = [0.0] * OUTPUTS
    for nodes, values, weights in TREES:
        for node, part in _ends(nodes, weights, known):
            for i, value in enumerate(values[node]):
                sums[i] += part * value
    return [total / len(TREES) for total in sums]"""
ADDED = """    sums = list(BASE)
    for (nodes, values, weights), scale, target in zip(TREES, SCALES, TARGETS):
        for node, part in _ends(nodes, weights, known):
            for i, value in enumerate(values[node], target):
                sums[i] += part * scale * value
"""
VOTED = """    votes = [0.0] * OUTPUTS
    for tree, scale in zip(TREES, SCALES):
        said = _said(tree, known)
        votes[said.index(max(said))] += scale
    total, others = {total!r}, OUTPUTS - 1.0
    sums = [(vote - (total - vote) / others) / total for vote in votes]
"""
MIDDLE = """    said = sorted((_said(tree, known)[0], i) for i, tree in enumerate(TREES))
    reached = 0.0
    steps = []
    for value, i in said:
        reached += SCALES[i]
        steps.append((value, reached))
    return [next(value for value, step in steps if step >= 0.5 * reached)]"""
LINKS = {
    "identity": "    return sums",
    "exp": "    return [_exp(total) for total in sums]",
    "logistic": """    share = 1.0 / (1.0 + _exp(-sums[0]))
    return [1.0 - share, share]""",
    "softmax": """    top = max(sums)
    shares = [_exp((total - top) / {part!r}) for total in sums]
    whole = 0.0
    for share in shares:
        whole += share
    return [share / whole for share in shares]""",
}
LARGEST = """    shares = predict_proba(row)
    return CLASSES[shares.index(max(shares))]"""
CHEAPEST = """    shares = predict_proba(row)
    expected = [sum(s * COSTS[i][j] for i, s in enumerate(shares)) for j in range(len(CLASSES))]
    least = min(expected) * {slack!r}
    return next(c for c, cost in zip(CLASSES, expected) if cost <= least)"""


def tables(model: CombinedModel) -> str:
    """Return the module below its head."""
    schema = model.schema
    read = {"numeric": "_number", "categorical": "_category"}
    columns = "".join(f"    {c.name!r}: {read[c.kind]},\n" for c in schema.columns)
    trees = ",\n".join(_tree(model, splits) for splits in model.trees)
    text = (
        f"{VALUES}\n\nDIVIDED = {DIVIDED}  # the row goes to every child, by their weight\n"
        f"OUTPUTS = {model.tree_outputs}\n{_combined(model)}COLUMNS = {{\n{columns}}}\n"
        "# For each tree: what the branches ask (test, column, value, node), what the nodes say, and the\n"
        "# weights of the children of a branch, and its own, where rows are divided.\n"
        f"TREES = [\n{trees},\n]\n{WALK}{_says(model)}"
    )
    linked = "" if model.link == "identity" else "from math import copysign, inf, ldexp\n"
    text = (PYTHON_TEXT if linked else "") + text
    if not schema.classes:
        return linked + text + PREDICT.format(what="the number", body="    return says(row)[0]")
    body = CHEAPEST.format(slack=1 + EQUAL) if schema.costs else LARGEST
    facts = f"\nCLASSES = {schema.classes!r}\n" + (
        f"COSTS = {schema.costs!r}\n" if schema.costs else ""
    )
    proba = SHARES.format(shares="says(row)")
    return linked + facts + text + proba + PREDICT.format(what="the class", body=body)


def _combined(model: CombinedModel) -> str:
    """Write what the trees have besides their nodes."""
    n = len(model.trees)
    scales = f"SCALES = {tuple(model.scale(i) for i in range(n))!r}\n"
    if model.how == "mean":
        return ""
    if model.how != "sum":
        return scales
    return f"BASE = {model.base!r}\n{scales}TARGETS = {model.targets or (0,) * n!r}\n"


def _says(model: CombinedModel) -> str:
    """Write the function that asks all trees."""
    if model.how == "mean":
        return SAYS.format(body=MEAN)
    if model.how == "median":
        return SAID + SAYS.format(body=MIDDLE)
    part = model.sums - 1.0 if model.how == "vote" else 1.0
    link = LINKS[model.link].format(part=part)
    if model.how == "sum":
        return SAYS.format(body=ADDED + link)
    return SAID + SAYS.format(body=VOTED.format(total=model.total) + link)


def _tree(model: CombinedModel, splits: OrderedTests) -> str:
    tree = splits.tree
    nodes, weights, values = [], [], []
    for node in range(tree.n_nodes):
        values.append((node, tuple(tree.value[node].tolist())))
        if not tree.n_children[node]:
            continue
        asked = splits.of(node)
        nodes.append((node, [entry for branch in asked for entry in _entries(model, branch)]))
        if any(branch.goes == DIVIDED for branch in asked):
            first = int(tree.first_child[node])
            shared = [
                c for c in range(first, first + int(tree.n_children[node])) if tree.weight[c] > 0
            ]
            weights.append((node, {n: float(tree.weight[n]) for n in [*shared, node]}))
    written = "".join(f"        {dictionary(items, 2)},\n" for items in (nodes, values, weights))
    return f"    (\n{written}    )"


def _entries(model: CombinedModel, branch: BranchTests) -> Iterator[tuple[Any, ...]]:
    """Give an branch as entries of a table: (test, column, value, node)."""
    if not branch.tests:
        yield "else", None, None, branch.goes
    for test in branch.tests:
        column = model.schema.columns[test.feature]
        match test:
            case AtMost(threshold=threshold):
                yield "<=", column.name, threshold, branch.goes
            case Above(threshold=threshold):
                yield ">", column.name, threshold, branch.goes
            case Among(codes=codes):
                yield "in", column.name, tuple(column.levels[code] for code in codes), branch.goes
            case _:
                yield "missing", column.name, None, branch.goes
