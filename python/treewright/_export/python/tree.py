"""A small tree in Python: nested ``if`` statements, to be read."""

from __future__ import annotations

from collections.abc import Iterator

from treewright._export.combined_model import CombinedModel
from treewright._export.python.text import (
    PREDICT,
    SHARES,
    class_comment,
    dictionary,
    variables,
    write_find,
)
from treewright._input.short_numbers import write_cut
from treewright._model.paths import Above, Among, AtMost, Test, outline
from treewright._render.safe_text import visible

__all__ = ["is_readable", "write_ifs"]

MAX_DEPTH, MAX_SPLITS = 20, 500  # Python itself nests at most a hundred blocks


def is_readable(model: CombinedModel) -> bool:
    """Whether a model is one small tree without fractional rows and surrogates."""
    splits = model.trees[0]
    small = splits.tree.depth <= MAX_DEPTH and (splits.tree.n_children > 0).sum() <= MAX_SPLITS
    return small and model.is_single_tree and not (splits.divides or splits.has_surrogates)


def write_ifs(model: CombinedModel) -> str:
    """Write the module below its head."""
    schema, [splits] = model.schema, model.trees
    tree = splits.tree
    tested = sorted({int(f) for f in tree.feature[tree.n_children > 0]})
    find = write_find(schema, tested, _ifs(model), "the node where a row ends")
    ends = sorted({step.node for step in outline(splits) if step.word == "end"})
    if not schema.classes:
        values = dictionary((node, float(tree.outputs[node, 0])) for node in ends)
        body = "    return VALUES[find(row)]"
        return f"\nVALUES = {values}\n{find}" + PREDICT.format(what="the number", body=body)
    answers = dictionary((node, tree.answer(node)) for node in ends)
    shares = dictionary((node, tuple(tree.outputs[node].tolist())) for node in ends)
    return (
        f"\nCLASSES = {schema.classes!r}\nANSWERS = {answers}\nSHARES = {shares}\n{find}"
        + SHARES.format(shares="SHARES[find(row)]")
        + PREDICT.format(what="the class", body="    return ANSWERS[find(row)]")
    )


def _ifs(model: CombinedModel) -> Iterator[str]:
    word, [splits] = "if", model.trees
    names = variables(model.schema)
    for step in outline(splits):
        indent = "    " * (step.depth + 1)
        if step.word == "branch" and step.branches[0].tests:
            written = step.branches[0].tests
            tests = " or ".join(_test(model, test, names) for test in written)
            yield f"{indent}{word} {tests}:{_cut_comment(model, written)}"
        elif step.word == "branch":
            yield f"{indent}else:"
        word = "elif" if step.word in ("end", "close") else "if"
        if step.word == "end":
            classes = model.schema.classes
            comment = class_comment(splits.tree.answer(step.node)) if classes else ""
            yield f"{indent}return {step.node}{comment}"


def _cut_comment(model: CombinedModel, tests: tuple[Test, ...]) -> str:
    """Write a comment with the category or the date of a threshold."""
    for test in tests:
        column = model.schema.columns[test.feature]
        if isinstance(test, (AtMost, Above)) and column.in_words:
            sign = "<=" if isinstance(test, AtMost) else ">"
            return f"  # {sign} {visible(write_cut(test.threshold, column))}"
    return ""


def _test(model: CombinedModel, test: Test, names: list[str]) -> str:
    x = names[test.feature]
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
