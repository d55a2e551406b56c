"""A model as C source that needs only the standard library: a row is an array of numbers, NaN where one is missing.

Texts become numbers by ``..._code(column, text)``. The questions are tables with a loop over them: no recursion, no
memory asked for, and any depth. ``volatile`` keeps a product from being added before it is rounded, which some machines
do in one step: the sums are the same to the last bit everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from treewright._export.c.text import CHEAPEST, CLASS, CODE, LINKS, NUMBER, SAYS, TEXT
from treewright._export.combined_model import CombinedModel, refuse
from treewright._export.exact_exp import C_TEXT
from treewright._export.identifiers import no_text_of_c, refuse_texts
from treewright._model.decision import EQUAL
from treewright._model.paths.ordered_tests import (
    DIVIDED,
    Above,
    Among,
    AtMost,
    BranchTests,
    OrderedTests,
)
from treewright._render.safe_text import visible
from treewright.errors import UsageError
from treewright.schema import Column

__all__ = ["comment", "described", "is_text", "number", "refuse_odd", "texts", "write"]

WORDS = ("MISSING", "AT_MOST", "ABOVE", "AMONG", "OTHERWISE")


def write(model: CombinedModel, *, prefix: str = "treewright") -> str:
    """Return the source of the file."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,40}", prefix):
        raise UsageError(f"{prefix!r} is no prefix of names in C", slug="usage")
    refuse_odd(model)
    names = {"prefix": prefix, "upper": prefix.upper()}
    predict = NUMBER if not model.schema.classes else CHEAPEST if model.schema.costs else CLASS
    return TEXT.format(
        **names,
        **_nodes(model),
        title=comment(model.title),
        result="int" if model.schema.classes else "double",
        columns=len(model.schema.columns),
        outputs=model.outputs,
        trees=len(model.trees),
        sums=model.sums,
        tree_outputs=model.tree_outputs,
        words=", ".join(WORDS),
        divided=DIVIDED,
        described="\n".join(described(model, prefix)),
        outputs_are="the share of each class" if model.schema.classes else "one number",
        texts="\n".join(texts(model, names)),
        facts=_facts(model),
        functions="" if model.link == "identity" else C_TEXT + "\n",
        says=_says(model, names),
        most_open=max(_most_open(splits) for splits in model.trees),
        predict=predict.format(**names, slack=repr(1 + EQUAL)),
    )


def described(model: CombinedModel, prefix: str) -> Iterator[str]:
    """Give a line for each column."""
    for i, column in enumerate(model.schema.columns):
        name = comment(column.name)
        how = f" by {prefix}_code({i}, text)" if is_text(column) else ""
        yield f" *   x[{i}]  {name}{how}"


def texts(model: CombinedModel, names: dict[str, str]) -> Iterator[str]:
    """Give the classes, and the function that makes numbers of texts."""
    classes = model.schema.classes
    if classes and isinstance(classes[0], str):
        listed = ", ".join(_string(str(c)) for c in classes)
        yield f"const char *const {names['prefix']}_classes[] = {{{listed}}};"
    elif classes:
        listed = ", ".join(number(float(c)) for c in classes)
        yield f"const double {names['prefix']}_classes[] = {{{listed}}};"
    if any(map(is_text, model.schema.columns)):
        known = [[str(v) for v in c.levels] if is_text(c) else [] for c in model.schema.columns]
        yield CODE.format(
            prefix=names["prefix"],
            levels="".join(f"{_string(text)}, " for each in known for text in each),
            first=_listed(np.cumsum([0, *map(len, known)])),
        )


def _nodes(model: CombinedModel) -> dict[str, str]:
    """Write the node tables of all trees, end to end, so that a node has one number in the whole model."""
    tests: list[str] = []
    levels: list[float] = []
    first_test = [0]
    first_child: list[int] = []
    roots = []
    for splits in model.trees:
        tree, start = splits.tree, len(first_child)
        roots.append(start)
        for node in range(tree.n_nodes):
            asked = splits.of(node) if tree.n_children[node] else []
            for branch in asked:
                tests += _tests(model, branch, start, levels)
            first_test.append(len(tests))
            first_child.append(start + int(tree.first_child[node]))
    trees = [splits.tree for splits in model.trees]
    values = np.concatenate([tree.value for tree in trees])
    rows = (f"    {{{', '.join(map(number, row))}}},\n" for row in values.tolist())
    return {
        "tests": "".join(tests) or "    {0},\n",
        "levels": ", ".join(map(number, levels)) or "0.0",
        "first_test": _listed(first_test),
        "first_child": _listed(first_child),
        "children": _listed(np.concatenate([tree.n_children for tree in trees])),
        "weights": ", ".join(map(number, np.concatenate([tree.weight for tree in trees]).tolist())),
        "values": "".join(rows),
        "roots": _listed(roots),
    }


def _tests(
    model: CombinedModel, branch: BranchTests, start: int, levels: list[float]
) -> Iterator[str]:
    goes = branch.goes if branch.goes == DIVIDED else start + branch.goes
    if not branch.tests:
        yield f"    {{OTHERWISE, 0, 0.0, 0, 0, {goes}}},\n"
    for test in branch.tests:
        word, threshold, at, n = "MISSING", 0.0, 0, 0
        match test:
            case AtMost(threshold=threshold):
                word = "AT_MOST"
            case Above(threshold=threshold):
                word = "ABOVE"
            case Among(codes=codes):
                column = model.schema.columns[test.feature]
                word, at, n = "AMONG", len(levels), len(codes)
                levels += [float(c) if is_text(column) else float(column.levels[c]) for c in codes]
        yield f"    {{{word}, {test.feature}, {number(threshold)}, {at}, {n}, {goes}}},\n"


def _most_open(splits: OrderedTests) -> int:
    """Return how many parts of a row may wait at one time."""
    tree = splits.tree
    if not splits.divides:
        return 1
    waiting = np.ones(tree.n_nodes, dtype=np.int64)
    for node in range(1, tree.n_nodes):
        parent = int(tree.parents[node])
        waiting[node] = waiting[parent] + int(tree.n_children[parent]) - 1
    return int(waiting.max())


def _facts(model: CombinedModel) -> str:
    """Write what the model has besides its trees."""
    facts = []
    if model.how == "sum":
        facts.append(f"static const double base[] = {{{', '.join(map(number, model.base))}}};")
        targets = model.targets or (0,) * len(model.trees)
        facts.append(f"static const int targets[] = {{{_listed(targets)}}};")
    if model.how != "mean":
        scales = ", ".join(number(model.scale(i)) for i in range(len(model.trees)))
        facts.append(f"static const double scales[] = {{{scales}}};")
    if model.schema.costs:
        rows = ", ".join(f"{{{', '.join(map(number, row))}}}" for row in model.schema.costs)
        n = model.outputs
        facts.append(f"static const double costs[{n}][{n}] = {{{rows}}};")
    return "".join(f"{fact}\n" for fact in facts)


def _says(model: CombinedModel, names: dict[str, str]) -> str:
    """Write how one answer comes of many, and the link."""
    text = SAYS[model.how].format(**names, total=number(model.total))
    if model.how in ("mean", "median"):
        return text
    part = model.sums - 1.0 if model.how == "vote" else 1.0
    return text + LINKS[model.link].format(part=number(part))


def refuse_odd(model: CombinedModel) -> None:
    """Refuse names that C cannot hold."""
    schema = model.schema
    for column in schema.columns:
        if len({isinstance(level, str) for level in column.levels}) > 1:
            raise refuse("C", f'its column "{column.name}" mixes text and numbers')
    if len({isinstance(c, str) for c in schema.classes}) > 1:
        raise refuse("C", "its classes mix text and numbers")
    levels = [level for column in schema.columns for level in column.levels]
    refuse_texts("C", (t for t in (*levels, *schema.classes) if isinstance(t, str)), no_text_of_c)


def is_text(column: Column) -> bool:
    """Whether a column holds texts."""
    return any(isinstance(level, str) for level in column.levels)


def number(x: float) -> str:
    """Write a number that C reads as the very same double."""
    return repr(float(x))


def _listed(numbers: Iterable[int] | Sequence[int]) -> str:
    return ", ".join(str(int(n)) for n in numbers)


def _string(text: str) -> str:
    """Write a text as a C string: bytes that are not plain letters as octal numbers."""
    return '"' + "".join(chr(b) if _plain(b) else f"\\{b:03o}" for b in text.encode()) + '"'


def _plain(byte: int) -> bool:
    return 32 <= byte < 127 and chr(byte) not in '"\\?'  # "??" begins a trigraph


def comment(text: str) -> str:
    """Write a text that cannot end a comment."""
    shown = visible(text)[:200].encode("ascii", "backslashreplace").decode()
    return shown.replace("*/", "* /").replace("/*", "/ *").replace("??", "? ?")
