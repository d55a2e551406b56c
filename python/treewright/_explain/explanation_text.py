"""The text of a tree's explanation: one line per test; a long path is summed up by its conditions on each column."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treewright._draw import node_figures as facts
from treewright._draw.conditions import (
    branch_levels,
    condition_text,
    conditions_of,
    tested_column,
    write_levels,
)
from treewright._explain.counterfactual import BOUND, Change, To
from treewright._explain.decision_path import Step
from treewright._input.short_numbers import write_beside, write_cut, write_value
from treewright._model.smoothing import name_smoothing
from treewright._render.numbers import percent, plural, weights
from treewright._render.page_format import PageFormat
from treewright._render.safe_text import cells, pad, wrapped
from treewright.tree import Branch

if TYPE_CHECKING:
    from treewright._explain.explanation import Explanation, Part

__all__ = ["write"]

MAX_STEPS = 24  # tests listed one by one
MAX_PARTS = 12
MAX_NAMES = 8
HANG = "          "
BOUNDS = {">": "more than", ">=": "at least", "<": "less than", "<=": "at most"}


def write(explanation: Explanation, page: PageFormat) -> str:
    """Write an explanation."""
    lines = [
        f"{_prediction(explanation, page)}.",
        *_reasons(explanation, page),
        *_support(explanation, page),
    ]
    lines += _parts(explanation, page)
    entries = _changes(explanation, page)
    if explanation.unused:
        names = [page.name(name) for name in explanation.unused[:MAX_NAMES]]
        more = (
            [f"+{len(explanation.unused) - MAX_NAMES:,}"]
            if len(explanation.unused) > MAX_NAMES
            else []
        )
        entries.append(("not used on this path:", ", ".join([*names, *more])))
    wide = max((cells(head) for head, _ in entries), default=0)
    lines += [f"{pad(head, wide, left=True)}  {body}".rstrip() for head, body in entries]
    return "\n".join(part for line in lines for part in wrapped(line, max(page.width, 20), HANG))


def _prediction(explanation: Explanation, page: PageFormat) -> str:
    tree = explanation.tree
    if not tree.schema.classes:
        return (
            facts.mean(tree, explanation.node)
            if not explanation.parts
            else f"{explanation.says[0]:.6g}"
        )
    answer = page.level(explanation.answer)
    tied = not explanation.parts and tree.tied(explanation.node)
    return f"{answer} (a tie: the first class wins)" if tied else answer


def _reasons(explanation: Explanation, page: PageFormat) -> list[str]:
    if not explanation.steps:
        return ["  because  the tree has no splits"]
    if len(explanation.steps) > MAX_STEPS:
        reasons = [
            (condition_text(c, page), "") for c in conditions_of(explanation.tree, explanation.node)
        ]
        left = len(reasons) - MAX_STEPS
        reasons = reasons[:MAX_STEPS]
        if left > 0:
            reasons.append((f"{page.glyphs.dots} {plural(left, 'more column')}", ""))
    else:
        reasons = [
            (_step(explanation, step, page), f"(node #{step.node})") for step in explanation.steps
        ]
    # A long reason must not push the node of a short one into the next line.
    room = page.width - len("  because    ") - max(cells(where) for _, where in reasons)
    wide = min(room, max(cells(reason) for reason, _ in reasons))
    heads = ["  because", *["      and"] * (len(reasons) - 1)]
    return [
        f"{head}  {pad(reason, wide, left=True)}  {where}".rstrip()
        for head, (reason, where) in zip(heads, reasons, strict=True)
    ]


def _step(explanation: Explanation, step: Step, page: PageFormat) -> str:
    """Write one test with the value of the row: ``Outlook = Sunny``, ``humidity = 70 ≤ 75``."""
    column = page.name(step.column)
    if step.state == "known":
        value = "" if step.value is None else _value(explanation, step, page)
        known = f"{column} = {value}{_write_branch(explanation, step.branch, page)}"
        return f"{known}, for which there is no branch" if step.ends == "stop" else known
    state = f"{column} is missing"
    if step.state == "unseen" and step.value is not None:
        state = f"{column} = {page.level(step.value)}, never seen in training"
    if step.ends:
        what = "the row is divided" if step.ends == "divided" else "the path ends here"
        return f"{state}: {what}"
    branch = step.branch if step.stand_in is None else step.stand_in
    if branch is None:
        return state
    condition = _write_branch(explanation, branch, page, alone=True)
    if step.stand_in is not None:
        return f"{state}; {page.name(branch.column)}{condition} stands in"
    return f"{state}, as if{condition}"


def _value(explanation: Explanation, step: Step, page: PageFormat) -> str:
    column, value = explanation.column(step.column), step.value
    assert value is not None
    if step.branch is not None and step.branch.op in ("<=", ">"):
        return page.name(write_beside(value, step.branch.value, column))  # type: ignore[arg-type]
    return page.name(write_value(value, column))


def _write_branch(
    explanation: Explanation, branch: Branch | None, page: PageFormat, *, alone: bool = False
) -> str:
    """Write what a branch adds to a value: its bound or its levels; nothing if it has a single level."""
    if branch is None or branch.op in ("missing", "known"):
        return ""
    if branch.op in ("<=", ">"):
        sign = page.glyphs.at_most if branch.op == "<=" else ">"
        return f" {sign} {write_cut(branch.value, explanation.column(branch.column))}"  # type: ignore[arg-type]
    # A surrogate split tests another column than its node, so no level of it is known to be excluded.
    own = branch.child > 0 and tested_column(explanation.tree, branch).name == branch.column
    levels = branch_levels(branch, explanation.tree if own else None)
    if len(levels) == 1 and not alone:
        return ""
    return f" {write_levels(levels, page, 20)}"


def _support(explanation: Explanation, page: PageFormat) -> list[str]:
    tree, node = explanation.tree, explanation.node
    if explanation.parts:
        return []
    weight, count = float(tree.weight[node]), int(tree.count[node])
    if not weight:
        return ["  no training row took this path: the prediction is that of the node above"]
    way = "came this far" if tree.n_children[node] else "took this path"
    took = f"{plural(count, 'training row')} {way}"
    if facts.weighted(tree):
        took += f" (weight {weights([weight])[0]})"
    if not tree.schema.classes:
        return [f"  {took}: mean {facts.mean(tree, node)}, sd {facts.spread(tree, node, page)}"]
    answer = f'"{page.level(explanation.answer)}"'
    right = weight - tree.errors(node)
    all_of, part = weights([weight, right])
    how = f"all {answer}" if right == weight else f"{part} of {all_of} {answer}"
    low, high = explanation.interval or (0.0, 1.0)
    lines = [f"  {took}, {how} (95% interval: {percent(low)} to {percent(high)})"]
    smoothing = tree.schema.smoothing
    if smoothing is not None:
        probability = percent(float(tree.outputs[node, tree.answers[node]]))
        lines.append(f"  probability of {answer}: {probability} ({name_smoothing(smoothing)})")
    return lines


def _parts(explanation: Explanation, page: PageFormat) -> list[str]:
    if not explanation.parts:
        return []
    tree = explanation.tree
    parts = sorted(explanation.parts, key=lambda part: -part.share)
    lines = [
        (percent(p.share), _part_conditions(explanation, p, page), _end(explanation, p, page))
        for p in parts
    ]
    listed = lines[:MAX_PARTS]
    width = max(cells(path) for _, path, _ in listed)
    arrow = page.glyphs.arrow
    text = [
        f"  {share:>4}  {pad(path, width, left=True)} {arrow} {end}" for share, path, end in listed
    ]
    if len(lines) > MAX_PARTS:
        text.append(f"        {page.glyphs.dots} {plural(len(lines) - MAX_PARTS, 'more part')}")
    if tree.schema.classes:
        order = sorted(range(len(explanation.says)), key=lambda k: -explanation.says[k])[:4]
        shares = [
            f"{page.level(tree.schema.classes[k])} {percent(explanation.says[k])}" for k in order
        ]
        text.append(f"  together: {', '.join(shares)}")
    return text


def _part_conditions(explanation: Explanation, part: Part, page: PageFormat) -> str:
    return ", ".join(
        f"{page.name(branch.column)}{_write_branch(explanation, branch, page, alone=True)}"
        for branch in part.branches
    )


def _end(explanation: Explanation, part: Part, page: PageFormat) -> str:
    return f"{facts.answer(explanation.tree, part.node, page)} (node #{part.node})"


def _changes(explanation: Explanation, page: PageFormat) -> list[tuple[str, str]]:
    goal = _goal(explanation, page)
    if goal is None:
        return []
    columns = {1: "one column", 2: "two columns"}.get(
        explanation.most, f"{explanation.most} columns"
    )
    if not explanation.changes:
        fixed = ", ".join(page.name(name) for name in explanation.fixed)
        but = f" without {fixed}" if fixed else ""
        return [(f"no change of {columns}{but} is enough to {goal}", "")]
    first, *others = explanation.changes
    heads = [f"smallest change to {goal}:"]
    single = "single change" if len(first.to) == 1 else "change"
    heads += [f"other {single}:"] * len(others)
    several = explanation.want is None and len(explanation.tree.schema.classes) > 2
    return [
        (head, _change(explanation, change, page, several))
        for head, change in zip(heads, explanation.changes, strict=True)
    ]


def _goal(explanation: Explanation, page: PageFormat) -> str | None:
    classes = explanation.tree.schema.classes
    if explanation.want is not None:
        if classes:
            return f'get "{page.name(explanation.want)}"'
        sign, bound = BOUND.fullmatch(explanation.want).groups()  # type: ignore[union-attr]
        return f"predict {BOUNDS[sign]} {bound}"
    if not classes or len(classes) == 1:
        return None
    if len(classes) == 2:
        other = classes[1 - classes.index(explanation.answer)]
        return f'get "{page.level(other)}"'
    return "get another prediction"


def _change(explanation: Explanation, change: Change, page: PageFormat, several: bool) -> str:
    columns = " and ".join(_to(explanation, to, page) for to in change.to)
    return f'{columns}  (gives "{page.level(change.answer)}")' if several else columns


def _to(explanation: Explanation, to: To, page: PageFormat) -> str:
    name, arrow = page.name(to.column), page.glyphs.arrow
    column, now = explanation.column(to.column), explanation.value_of(to.column)
    if to.levels is not None:
        was = "missing" if now is None else page.level(now)
        new = write_levels(to.levels, page, 20).removeprefix("= ").removeprefix("in ")
        return f"{name} {was} {arrow} {new}"
    low = [] if to.low is None else [f"more than {write_cut(to.low, column)}"]
    high = [] if to.high is None else [f"at most {write_cut(to.high, column)}"]
    # The nearer bound first: it is the one that must be crossed.
    below = to.low is not None and isinstance(now, float) and now <= to.low
    crossed = to.low if below else to.high
    was = "missing" if now is None else write_value(now, column)
    if now is not None and crossed is not None:
        was = write_beside(now, crossed, column)
    return f"{name} {was} {arrow} {', but '.join([*low, *high] if below else [*high, *low])}"
