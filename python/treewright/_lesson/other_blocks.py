"""Screen 11 of a lesson as a document: neighbors, AdaBoost, and a forest."""

from __future__ import annotations

from typing import Any

from treewright._lesson.lesson_words import LessonWords
from treewright._render.document import Block, Cell, Equations, Heading, Table, Text
from treewright._render.formula import Equation, Sum
from treewright._render.formula_values import formula_from_values

__all__ = ["other_blocks"]

Values = dict[str, Any]
MAX_ROWS = 20


def other_blocks(words: LessonWords, screen: Values) -> list[Block]:
    """Return screen 11."""
    blocks: list[Block] = []
    makers = {"neighbors": _neighbors, "adaboost": _adaboost, "forest": _forest}
    for name, make in makers.items():
        steps = screen[name]
        if steps is not None:
            blocks += [words.heading(f"{name}.title"), *words.texts(steps["sentences"])]
            blocks += make(words, steps)
    return blocks


def _neighbors(words: LessonWords, steps: Values) -> list[Block]:
    rows = steps["rows"][:MAX_ROWS]
    calculations: list[Cell] = [
        "" if row["formula"] is None else formula_from_values(row["formula"]) for row in rows
    ]
    columns = (
        words.column("word.row", words.counts([row["row"] + 1 for row in rows])),
        words.column("word.distance", calculations, left=True),
        words.column("word.weight", (words.number(row["weight"]) for row in rows)),
        words.column("word.actual", (words.answer(row["target"]) for row in rows), left=True),
    )
    row = f"{words.word('word.row')} {steps['row'] + 1}"
    return [Text(f"{row} → {words.answer(steps['prediction'])}"), Table(columns)]


def _adaboost(words: LessonWords, steps: Values) -> list[Block]:
    blocks: list[Block] = []
    for number, turn in enumerate(steps["rounds"]):
        blocks.append(Heading(f"{words.word('word.round')} {number + 1}: {_stump(words, turn)}"))
        formulas = [formula_from_values(turn["formulas"][name]) for name in ("error", "alpha")]
        blocks.append(Equations(tuple(("", formula) for formula in formulas)))
        size = min(MAX_ROWS, len(turn["before"]))
        columns = (
            words.column("word.row", words.counts(range(1, size + 1))),
            words.column("word.predicted", map(words.answer, turn["prediction"][:size]), left=True),
            words.column("word.errors", ("×" if wrong else "" for wrong in turn["wrong"][:size])),
            words.column("word.before", map(words.number, turn["before"][:size])),
            words.column("word.after", map(words.number, turn["after"][:size])),
        )
        blocks.append(Table(columns))
    return [*blocks, *_vote(words, steps["vote"])]


def _stump(words: LessonWords, turn: Values) -> str:
    """Write the split of a stump: the column that it asks about."""
    tree = turn["stump"]["tree"]
    if not tree["n_children"][0]:
        return words.answer(turn["prediction"][0])
    return f"{words.feature(tree['feature'][0])}?"


def _vote(words: LessonWords, vote: Values) -> list[Block]:
    """Return the sum of the weights of the rounds for each class."""
    rows = []
    for code, total in enumerate(vote["sums"]):
        terms = [turn["alpha"] for turn in vote["rounds"] if turn["prediction"] == code]
        sides = [Sum(tuple((1, words.number(alpha)) for alpha in terms))] if len(terms) > 1 else []
        rows.append((words.answer(code), Equation((*sides, words.number(total)))))
    row = f"{words.word('word.row')} {vote['row'] + 1}"
    text = f"{row} → {words.answer(vote['prediction'])}"
    return [Equations(tuple(rows)), Text(text)]


def _forest(words: LessonWords, steps: Values) -> list[Block]:
    trees = steps["trees"]
    drawn = [_drawn(words, tree["drawn"]) for tree in trees]
    columns = [
        words.column("word.tree", words.counts(range(len(trees)))),
        words.column("word.drawn", drawn, left=True),
        words.column("word.out_of_bag", (words.rows(t["out_of_bag"]) for t in trees), left=True),
    ]
    if all(tree["columns"] for tree in trees):
        roots = [", ".join(map(words.feature, tree["columns"][0]["drawn"])) for tree in trees]
        columns.append(words.column("word.root_columns", roots, left=True))
    votes = steps["votes"][:MAX_ROWS]
    predictions: list[Cell] = [
        None if vote["prediction"] is None else words.answer(vote["prediction"]) for vote in votes
    ]
    by_tree = [
        ", ".join(f"{each['tree']}: {words.answer(each['prediction'])}" for each in vote["trees"])
        for vote in votes
    ]
    table = Table(
        (
            words.column("word.row", words.counts([vote["row"] + 1 for vote in votes])),
            words.column("word.vote", by_tree, left=True),
            words.column("word.prediction", predictions, left=True),
        )
    )
    return [Table(tuple(columns)), table]


def _drawn(words: LessonWords, times: list[int]) -> str:
    """Write the drawn rows, each with how often where that is more than once."""
    parts = [f"{row + 1}" if n == 1 else f"{row + 1} (×{n})" for row, n in enumerate(times) if n]
    left = len(parts) - MAX_ROWS
    more = [words.word("word.more", n=left)] if left > 0 else []
    return ", ".join([*parts[:MAX_ROWS], *more])
