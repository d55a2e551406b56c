"""An explanation in words, a line a question. Long ways are told by what they ask of each column in the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treewright._draw import node_figures as facts
from treewright._draw.conditions import among, asked, asked_column, levels_in
from treewright._draw.conditions import words as condition_words
from treewright._explain.counterfactual import Change, To
from treewright._explain.decision_path import Step
from treewright._explain.wanted_class import BOUND
from treewright._input.short_numbers import write_beside, write_cut, write_value
from treewright._render.numbers import percent, plural, weights
from treewright._render.page_format import PageFormat
from treewright._render.safe_text import cells, pad, wrapped
from treewright.tree import Branch

if TYPE_CHECKING:
    from treewright._explain.explanation import Explanation, Part

__all__ = ["write"]

STEPS = 24  # questions told one by one
PARTS = 12
NAMES = 8
HANG = "          "
BOUNDS = {">": "more than", ">=": "at least", "<": "less than", "<=": "at most"}


def write(told: Explanation, paper: PageFormat) -> str:
    """Write an explanation."""
    lines = [f"{_answer(told, paper)}.", *_because(told, paper), *_support(told, paper)]
    lines += _parts(told, paper)
    said = _changes(told, paper)
    if told.unused:
        names = [paper.name(name) for name in told.unused[:NAMES]]
        more = [f"+{len(told.unused) - NAMES:,}"] if len(told.unused) > NAMES else []
        said.append(("not used on this path:", ", ".join([*names, *more])))
    wide = max((cells(head) for head, _ in said), default=0)
    lines += [f"{pad(head, wide, left=True)}  {body}".rstrip() for head, body in said]
    return "\n".join(part for line in lines for part in wrapped(line, max(paper.width, 20), HANG))


def _answer(told: Explanation, paper: PageFormat) -> str:
    tree = told.tree
    if not tree.schema.classes:
        return facts.mean(tree, told.node) if not told.parts else f"{told.says[0]:.6g}"
    answer = paper.level(told.answer)
    tied = not told.parts and tree.tied(told.node)
    return f"{answer} (a tie: the first class wins)" if tied else answer


def _because(told: Explanation, paper: PageFormat) -> list[str]:
    if not told.steps:
        return ["  because  the model asks no questions"]
    if len(told.steps) > STEPS:
        reasons = [(condition_words(c, paper), "") for c in asked(told.tree, told.node)]
        left = len(reasons) - STEPS
        reasons = reasons[:STEPS]
        if left > 0:
            reasons.append((f"{paper.glyphs.dots} {plural(left, 'more column')}", ""))
    else:
        reasons = [(_step(told, step, paper), f"(node #{step.node})") for step in told.steps]
    # A long reason must not push the node of a short one into the next line.
    room = paper.width - len("  because    ") - max(cells(where) for _, where in reasons)
    wide = min(room, max(cells(reason) for reason, _ in reasons))
    heads = ["  because", *["      and"] * (len(reasons) - 1)]
    return [
        f"{head}  {pad(reason, wide, left=True)}  {where}".rstrip()
        for head, (reason, where) in zip(heads, reasons, strict=True)
    ]


def _step(told: Explanation, step: Step, paper: PageFormat) -> str:
    """Write one question with its answer: ``Outlook = Sunny``, ``humidity = 70 ≤ 75``."""
    column = paper.name(step.column)
    if step.state == "known":
        value = "" if step.value is None else _value(told, step, paper)
        said = f"{column} = {value}{_beyond(told, step.branch, paper)}"
        return f"{said}, for which there is no branch" if step.ends == "stop" else said
    said = f"{column} is missing"
    if step.state == "unseen" and step.value is not None:
        said = f"{column} = {paper.level(step.value)}, never seen in training"
    if step.ends:
        what = "the row is divided" if step.ends == "divided" else "the path ends here"
        return f"{said}: {what}"
    if step.stand_in is not None:
        other = step.stand_in
        return (
            f"{said}; {paper.name(other.column)}{_beyond(told, other, paper, alone=True)} stands in"
        )
    return f"{said}, as if{_beyond(told, step.branch, paper, alone=True)}" if step.branch else said


def _value(told: Explanation, step: Step, paper: PageFormat) -> str:
    column, value = told.column(step.column), step.value
    assert value is not None
    if step.branch is not None and step.branch.op in ("<=", ">"):
        return paper.name(write_beside(value, step.branch.value, column))  # type: ignore[arg-type]
    return paper.name(write_value(value, column))


def _beyond(
    told: Explanation, branch: Branch | None, paper: PageFormat, *, alone: bool = False
) -> str:
    """Write what a branch adds to a value: nothing where it has but one level, or its bound, or its levels."""
    if branch is None or branch.op in ("missing", "known"):
        return ""
    if branch.op in ("<=", ">"):
        sign = paper.glyphs.at_most if branch.op == "<=" else ">"
        return f" {sign} {write_cut(branch.value, told.column(branch.column))}"  # type: ignore[arg-type]
    # A surrogate asks about another column than its node: none of its levels is known to be gone.
    own = branch.child > 0 and asked_column(told.tree, branch).name == branch.column
    levels = levels_in(branch, told.tree if own else None)
    if len(levels) == 1 and not alone:
        return ""
    return f" {among(levels, paper, 20)}"


def _support(told: Explanation, paper: PageFormat) -> list[str]:
    tree, node = told.tree, told.node
    if told.parts:
        return []
    weight, count = float(tree.weight[node]), int(tree.count[node])
    if not weight:
        return ["  no training row took this path: the prediction is that of the node above"]
    way = "came this far" if tree.n_children[node] else "took this path"
    took = f"{plural(count, 'training row')} {way}"
    if facts.weighted(tree):
        took += f" (weight {weights([weight])[0]})"
    if not tree.schema.classes:
        return [f"  {took}: mean {facts.mean(tree, node)}, sd {facts.spread(tree, node, paper)}"]
    answer = f'"{paper.level(told.answer)}"'
    right = weight - tree.errors(node)
    all_of, part = weights([weight, right])
    how = f"all {answer}" if right == weight else f"{part} of {all_of} {answer}"
    low, high = told.interval or (0.0, 1.0)
    return [f"  {took}, {how} (95% interval for {answer}: {percent(low)} to {percent(high)})"]


def _parts(told: Explanation, paper: PageFormat) -> list[str]:
    if not told.parts:
        return []
    tree = told.tree
    parts = sorted(told.parts, key=lambda part: -part.share)
    lines = [(percent(p.share), _way(told, p, paper), _end(told, p, paper)) for p in parts]
    shown = lines[:PARTS]
    wide = max(cells(way) for _, way, _ in shown)
    arrow = paper.glyphs.arrow
    text = [f"  {share:>4}  {pad(way, wide, left=True)} {arrow} {end}" for share, way, end in shown]
    if len(lines) > PARTS:
        text.append(f"        {paper.glyphs.dots} {plural(len(lines) - PARTS, 'more part')}")
    if tree.schema.classes:
        order = sorted(range(len(told.says)), key=lambda k: -told.says[k])[:4]
        shares = [f"{paper.level(tree.schema.classes[k])} {percent(told.says[k])}" for k in order]
        text.append(f"  together: {', '.join(shares)}")
    return text


def _way(told: Explanation, part: Part, paper: PageFormat) -> str:
    return ", ".join(
        f"{paper.name(branch.column)}{_beyond(told, branch, paper, alone=True)}"
        for branch in part.branches
    )


def _end(told: Explanation, part: Part, paper: PageFormat) -> str:
    return f"{facts.answer(told.tree, part.node, paper)} (node #{part.node})"


def _changes(told: Explanation, paper: PageFormat) -> list[tuple[str, str]]:
    goal = _goal(told, paper)
    if goal is None:
        return []
    columns = {1: "one column", 2: "two columns"}.get(told.most, f"{told.most} columns")
    if not told.changes:
        kept = ", ".join(paper.name(name) for name in told.fixed)
        but = f" without {kept}" if kept else ""
        return [(f"no change of {columns}{but} is enough to {goal}", "")]
    first, *others = told.changes
    heads = [f"smallest change to {goal}:"]
    single = "single change" if len(first.to) == 1 else "change"
    heads += [f"other {single}:"] * len(others)
    several = told.want is None and len(told.tree.schema.classes) > 2
    return [
        (head, _change(told, change, paper, several))
        for head, change in zip(heads, told.changes, strict=True)
    ]


def _goal(told: Explanation, paper: PageFormat) -> str | None:
    classes = told.tree.schema.classes
    if told.want is not None:
        if classes:
            return f'get "{paper.name(told.want)}"'
        sign, bound = BOUND.fullmatch(told.want).groups()  # type: ignore[union-attr]
        return f"predict {BOUNDS[sign]} {bound}"
    if not classes or len(classes) == 1:
        return None
    if len(classes) == 2:
        other = classes[1 - classes.index(told.answer)]
        return f'get "{paper.level(other)}"'
    return "get another prediction"


def _change(told: Explanation, change: Change, paper: PageFormat, several: bool) -> str:
    said = " and ".join(_to(told, to, paper) for to in change.to)
    return f'{said}  (gives "{paper.level(change.answer)}")' if several else said


def _to(told: Explanation, to: To, paper: PageFormat) -> str:
    name, arrow = paper.name(to.column), paper.glyphs.arrow
    column, now = told.column(to.column), told.value_of(to.column)
    if to.levels is not None:
        was = "missing" if now is None else paper.level(now)
        new = among(to.levels, paper, 20).removeprefix("= ").removeprefix("in ")
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
