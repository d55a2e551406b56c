"""Large trees and ensembles in Python: the splits of all trees as tables, a walk over them, and how they are combined.

The steps are those of the core, in its order: each part of a row at each end of each tree, then the link.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from treewright._export.combined_model import CombinedModel
from treewright._export.exact_exp import PYTHON_TEXT
from treewright._export.python.source_columns import read_sources, write_sources
from treewright._export.python.text import PREDICT, SHARES, VALUES, dictionary
from treewright._model.decision import EQUAL
from treewright._model.paths import DIVIDED, Above, Among, AtMost, BranchTests, OrderedTests

__all__ = ["write_tables"]

WALK = '''

def _goes(tests, row):
    """Return the node that a row goes to, or DIVIDED: that of the first test that holds."""
    for word, column, value, node in tests:
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
    """Yield the nodes of a tree where the parts of a row end, each with its fraction of the row."""
    parts = [(0, 1.0)]
    while parts:
        node, part = parts.pop()
        goes = _goes(nodes[node], row) if node in nodes else node
        if goes == DIVIDED:
            children = weights[node]
            total = children[node]
            parts += [(c, part * w / total) for c, w in reversed(children.items()) if c != node]
        elif goes == node:
            yield node, part
        else:
            parts.append((goes, part))
'''
TREE_OUTPUT = '''

def _tree_output(tree, row):
    """Return the output of one tree for a row."""
    nodes, values, weights = tree
    output = [0.0] * OUTPUTS
    for node, part in _ends(nodes, weights, row):
        output = [total + part * value for total, value in zip(output, values[node])]
    return output
'''
SAYS = '''

def says(row):
    """Return the output of the model for a row: a list of numbers."""
{prepare}    known = {{column: read(row.get(column)) for column, read in COLUMNS.items()}}
{body}
'''
MEAN = """    sums = [0.0] * OUTPUTS
    for nodes, values, weights in TREES:
        for node, part in _ends(nodes, weights, known):
            for i, value in enumerate(values[node]):
                sums[i] += part * value
    return [total / len(TREES) for total in sums]"""
SUM = """    sums = list(BASE)
    for (nodes, values, weights), scale, target in zip(TREES, SCALES, TARGETS):
        for node, part in _ends(nodes, weights, known):
            for i, value in enumerate(values[node], target):
                sums[i] += part * scale * value
"""
VOTE = """    votes = [0.0] * OUTPUTS
    for tree, scale in zip(TREES, SCALES):
        output = _tree_output(tree, known)
        votes[output.index(max(output))] += scale
    total, others = {total!r}, OUTPUTS - 1.0
    sums = [(vote - (total - vote) / others) / total for vote in votes]
"""
MEDIAN = """    outputs = sorted((_tree_output(tree, known)[0], i) for i, tree in enumerate(TREES))
    reached = 0.0
    steps = []
    for value, i in outputs:
        reached += SCALES[i]
        steps.append((value, reached))
    return [next(value for value, step in steps if step >= 0.5 * reached)]"""
LINKS = {
    "identity": "    return sums",
    "exp": "    return [_exp(total) for total in sums]",
    "logistic": """    share = 1.0 / (1.0 + _exp(-sums[0]))
    return [1.0 - share, share]""",
    "softmax": """    top = max(sums)
    shares = [_exp((total - top) / {divisor!r}) for total in sums]
    total = 0.0
    for share in shares:
        total += share
    return [share / total for share in shares]""",
}
MOST_PROBABLE = """    shares = predict_proba(row)
    return CLASSES[shares.index(max(shares))]"""
LEAST_COST = """    shares = predict_proba(row)
    expected = [sum(s * COSTS[i][j] for i, s in enumerate(shares)) for j in range(len(CLASSES))]
    least = min(expected) * {slack!r}
    return next(c for c, cost in zip(CLASSES, expected) if cost <= least)"""


def write_tables(model: CombinedModel) -> str:
    """Write the module below its head."""
    schema = model.schema
    read = {"numeric": "_number", "categorical": "_category"}
    columns = "".join(f"    {c.name!r}: {read[c.kind]},\n" for c in schema.columns)
    trees = ",\n".join(_tree(model, splits) for splits in model.trees)
    text = (
        f"{VALUES}{write_sources(schema)}\n\n"
        f"DIVIDED = {DIVIDED}  # the row goes to every child, in proportion to their weights\n"
        f"OUTPUTS = {model.tree_outputs}\n{_constants(model)}COLUMNS = {{\n{columns}}}\n"
        "# For each tree: the tests of its nodes (test, column, value, node), the values of its nodes, and where\n"
        "# rows are divided the weights of the children of a node and its own.\n"
        f"TREES = [\n{trees},\n]\n{WALK}{_says(model)}"
    )
    if model.link != "identity":
        imports = "from math import copysign, inf, ldexp\n"
        text = PYTHON_TEXT + text
    else:
        imports = ""
    if not schema.classes:
        return imports + text + PREDICT.format(what="the number", body="    return says(row)[0]")
    classes = f"\nCLASSES = {schema.classes!r}\n"
    costs = f"COSTS = {schema.costs!r}\n" if schema.costs else ""
    body = LEAST_COST.format(slack=1 + EQUAL) if schema.costs else MOST_PROBABLE
    proba = SHARES.format(shares="says(row)")
    return imports + classes + costs + text + proba + PREDICT.format(what="the class", body=body)


def _constants(model: CombinedModel) -> str:
    """Write what the model holds besides its trees."""
    n = len(model.trees)
    if model.how == "mean":
        return ""
    scales = f"SCALES = {tuple(model.scale(i) for i in range(n))!r}\n"
    if model.how != "sum":
        return scales
    return f"BASE = {model.base!r}\n{scales}TARGETS = {model.targets or (0,) * n!r}\n"


def _says(model: CombinedModel) -> str:
    """Write the function that combines the trees and applies the link."""
    prepare = read_sources(model.schema)
    if model.how == "mean":
        return SAYS.format(prepare=prepare, body=MEAN)
    if model.how == "median":
        return TREE_OUTPUT + SAYS.format(prepare=prepare, body=MEDIAN)
    link = LINKS[model.link].format(divisor=model.softmax_divisor)
    if model.how == "sum":
        return SAYS.format(prepare=prepare, body=SUM + link)
    return TREE_OUTPUT + SAYS.format(prepare=prepare, body=VOTE.format(total=model.total) + link)


def _tree(model: CombinedModel, splits: OrderedTests) -> str:
    tree = splits.tree
    nodes, weights, values = [], [], []
    for node in range(tree.n_nodes):
        values.append((node, tuple(tree.outputs[node].tolist())))
        if not tree.n_children[node]:
            continue
        branches = splits.of(node)
        nodes.append((node, [entry for branch in branches for entry in _entries(model, branch)]))
        if any(branch.goes == DIVIDED for branch in branches):
            first, n = int(tree.first_child[node]), int(tree.n_children[node])
            shared = [child for child in range(first, first + n) if tree.weight[child] > 0]
            weights.append((node, {i: float(tree.weight[i]) for i in [*shared, node]}))
    tables = "".join(f"        {dictionary(items, 2)},\n" for items in (nodes, values, weights))
    return f"    (\n{tables}    )"


def _entries(model: CombinedModel, branch: BranchTests) -> Iterator[tuple[Any, ...]]:
    """Yield the tests of a branch as entries of a table: (test, column, value, node)."""
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
