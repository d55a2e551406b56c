"""Screens 7 to 10 and 12 of a lesson as a document: growth, the finished tree, overfitting, pruning, and the quiz."""

from __future__ import annotations

from typing import Any

from treewright._lesson.lesson_words import LessonWords
from treewright._render.document import Block, Cell, Equations, Heading, Table, Text, Verbatim
from treewright._render.formula import Name, Number
from treewright._render.formula_values import formula_from_values
from treewright._render.numbers import weights
from treewright._work.work_result import NAMES

__all__ = [
    "overfitting_blocks",
    "path_blocks",
    "pruning_blocks",
    "quiz_blocks",
    "split_blocks",
    "tree_lines",
]

Values = dict[str, Any]
ANSWER = "choice"  # the stage of the answers of a quiz
MAX_DRAWN = 200  # nodes of a drawing


def split_blocks(words: LessonWords, screen: Values) -> list[Block]:
    """Return screen 7: for each split, which rows go where."""
    blocks: list[Block] = []
    for turn in screen["order"]:
        children = turn["children"]
        names = (NAMES.name(child["branch"]) for child in children)
        columns = (
            words.column("word.branch", names, left=True),
            words.column("word.rows", (words.rows(child["rows"]) for child in children), left=True),
        )
        blocks.append(Heading(f"{words.node(turn['node'])} · {words.feature(turn['feature'])}?"))
        blocks.append(Table(columns))
        (errors,) = weights([turn["error"]])
        if words.table["classes"] is None:
            errors = words.number(turn["error"]).text
        leaves = f"{words.word('word.leaves')}: {turn['leaves']}"
        blocks.append(Text(f"{leaves}; {words.word('word.errors')}: {errors}"))
    return blocks


def path_blocks(words: LessonWords, screen: Values) -> list[Block]:
    """Return screen 8: the tree, and the path of one row."""
    path = screen["paths"][screen["row"]]
    end = words.lesson["nodes"][path["nodes"][-1]]
    steps = [words.condition(step) for step in end["path"]]
    row = f"{words.word('word.row')} {screen['row'] + 1}"
    text = f"{row}: {' → '.join([*steps, words.answer(path['prediction'])])}"
    return [Verbatim("\n".join(tree_lines(words))), Text(text, apart=True)]


def tree_lines(words: LessonWords) -> list[str]:
    """Return the tree as lines of text."""
    nodes = words.lesson["nodes"]
    lines: list[str] = []

    def draw(place: int, label: str, indent: str, mark: str, below: str) -> None:
        if len(lines) >= MAX_DRAWN:
            return
        node = nodes[place]
        if node["children"]:
            feature = nodes[node["children"][0]]["path"][-1]["feature"]
            what = f"{words.feature(feature)}?"
        else:
            (rows,) = weights([node["group"]["weight"]])
            what = f"{words.answer(node['prediction'])} ({rows})"
        lines.append(f"{indent}{mark}{label}{what}")
        last = len(node["children"]) - 1
        for i, child in enumerate(node["children"]):
            branch = NAMES.name(nodes[child]["path"][-1]["branch"])
            ends = i == last
            draw(
                child,
                f"{branch}: ",
                indent + below,
                "└─ " if ends else "├─ ",
                "   " if ends else "│  ",
            )

    draw(0, "", "", "", "")
    return lines if len(lines) < MAX_DRAWN else [*lines, "…"]


def overfitting_blocks(words: LessonWords, screen: Values) -> list[Block]:
    """Return screen 9: the error of every pruning."""
    curve = screen["curve"]
    table = Table(
        (
            words.column("word.leaves", words.counts(curve["leaves"])),
            words.column("word.training", map(words.number, curve["training"])),
            words.column("word.new_rows", map(words.number, curve["validation"])),
            words.column("word.standard_error", map(words.number, curve["se"])),
        ),
        chosen=curve["best"],
    )
    return [table]


def pruning_blocks(words: LessonWords, screen: Values) -> list[Block]:
    """Return screen 10: each decision with its calculation."""
    blocks: list[Block] = []
    for step in screen["steps"]:
        name = words.word("word.node", node=f"#{step['node']}")
        rows = tuple(
            (words.word(f"pruning.label.{each['label']}"), formula_from_values(each["formula"]))
            for each in step["formulas"]
        )
        blocks += [Heading(name), *([Equations(rows)] if rows else [])]
        blocks.append(Text(words.sentence(step["sentence"])))
    return blocks


def quiz_blocks(words: LessonWords, screen: Values) -> list[Block]:
    """Return screen 12: the questions with their answers, which a quiz hides."""
    blocks: list[Block] = []
    by_node: dict[int, list[Values]] = {}
    for blank in screen["blanks"]:
        by_node.setdefault(blank["node"], []).append(blank)
    for node, blanks in by_node.items():
        answers: list[Cell] = [
            Name(NAMES.name(blank["text"]), ANSWER)
            if blank["quantity"] == "choice"
            else Number(blank["text"], ANSWER, blank["expected"])
            for blank in blanks
        ]
        questions = [words.sentence(blank["question"]) for blank in blanks]
        columns = (
            words.column("word.question", questions, left=True),
            words.column("word.answer", answers),
        )
        blocks += [Heading(words.node(node)), Table(columns, key="quiz")]
    return blocks
