"""The exercise sheet of a lesson: the table, a line for a name, and blanks for every result; and its answer key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from treewright._lesson.lesson_words import LessonWords
from treewright._lesson.node_blocks import choice_table, table_block
from treewright._lesson.tree_blocks import tree_lines
from treewright._render.document import (
    CHOICE,
    Block,
    Cell,
    Column,
    Document,
    Equations,
    Heading,
    PageBreak,
    Table,
    Text,
    Verbatim,
)
from treewright._render.formula import Equation, Name
from treewright._render.formula_values import formula_from_values
from treewright._work.split_formulas import STAGES
from treewright._work.work_result import NAMES, WorkResult

__all__ = ["Exercises", "sheet_data"]

Values = dict[str, Any]


def sheet_data(lesson: Values) -> Table:
    """Return the table to count in."""
    return table_block(LessonWords(lesson))


@dataclass(frozen=True, slots=True, repr=False)
class Exercises(WorkResult):
    """The exercises of a lesson: every number and every decision belongs to a stage that a sheet hides."""

    lesson: Values

    def to_dict(self) -> dict[str, Any]:
        """Return the nodes of the lesson as plain values."""
        return {"nodes": self.lesson["nodes"]}

    def _pages(self, *, worksheet: bool = False) -> Document:
        words = LessonWords(self.lesson)
        covered = self._covered()
        blocks: list[Block] = []
        for turn, place in enumerate(covered):
            node = self.lesson["nodes"][place]
            blocks += [PageBreak()] if turn else []
            blocks += _first_node(words, node) if turn == 0 else _sketch(words, node)
        if len(covered) > 1 or self.lesson["nodes"][covered[0]]["children"]:
            blocks.append(words.heading("path.title"))
            blocks.append(Text(words.word("sheet.draw")))
            blocks.append(Verbatim("\n".join(tree_lines(words)), CHOICE))
        title = (NAMES.name(self.lesson["title"]), words.word("word.exercises"))
        return Document(title, tuple(blocks), STAGES)

    def _covered(self) -> list[int]:
        by_name = {screen["id"]: screen for screen in self.lesson["screens"]}
        nodes: list[int] = by_name.get("choice", {"nodes": [0]})["nodes"]
        return nodes or [0]


def _first_node(words: LessonWords, node: Values) -> list[Block]:
    """Return all calculations of a node, its candidates in the order of the columns."""
    blocks: list[Block] = [Heading(words.node(node["node"])), _impurity(words, node)]
    if node["work"] is None:  # nothing could be asked
        return [*blocks, Text(Name(words.sentence(node["leaf"]), CHOICE, vanishes=True))]
    for place in _by_column(node):
        blocks += _candidate(words, node, place)
    return [*blocks, choice_table(words, node, _by_column(node)), *_decision(words, node)]


def _impurity(words: LessonWords, node: Values) -> Equations:
    """Return the impurity of a node without its terms, whose number would show how many classes are left."""
    formula = formula_from_values(node["formula"])
    assert isinstance(formula, Equation)
    return Equations(((words.word(f"word.{words.criterion}"), _short(formula)),))


def _short(equation: Equation) -> Equation:
    return Equation((equation.sides[0], equation.sides[-1]))


def _candidate(words: LessonWords, node: Values, place: int) -> list[Block]:
    steps, candidate = node["candidates"][place], node["work"]["candidates"][place]
    children = candidate["children"]
    stage = "cut" if "threshold" in candidate["split"] else "counts"
    names: list[Cell] = []
    for branch in steps["branches"]:
        text = NAMES.name(branch)
        is_answer = stage == "cut" or ", " in branch
        names.append(Name(text, "cut") if is_answer else text)
    impurities = [words.number(child["impurity"], "entropy") for child in children]
    columns = (
        Column(words.feature(steps["feature"]), tuple(names), left=True),
        *words.contents(children, stage),
        words.column(f"word.{words.criterion}", impurities),
    )
    rows = [(words.word(f"word.after.{words.criterion}"), formula_from_values(steps["remaining"]))]
    rows.append((words.word(f"word.gain.{words.criterion}"), formula_from_values(steps["gain"])))
    return [Table(columns), Equations(tuple(rows))]


def _sketch(words: LessonWords, node: Values) -> list[Block]:
    """Return a later node: even its path is an answer."""
    path = ", ".join(words.condition(step) for step in node["path"])
    reached = (f"{words.word('sheet.reached')} ", Name(path, CHOICE))
    (rows,) = words.counts([node["group"]["rows"]], "counts")
    counted = (f"{words.word('word.rows')}: ", rows)
    blocks: list[Block] = [Heading(words.word("word.node", node=f"#{node['node']}"))]
    blocks += [Text(reached), Text(counted), _impurity(words, node)]
    table = choice_table(words, node, _by_column(node), nameless=True)
    return [*blocks, table, *_decision(words, node)]


def _decision(words: LessonWords, node: Values) -> list[Block]:
    """Return the line for the choice, and the sentences that the key adds."""
    own = node["choice"]["algorithms"][0]
    chosen = words.word("word.leaf") if own["chosen"] is None else words.feature(own["chosen"])
    if node["leaf"] is not None:
        chosen = words.word("word.leaf")
    line = (f"{words.word('quiz.choice', algorithm=own['algorithm'])} ", Name(chosen, CHOICE))
    sentences = [words.sentence(sentence) for sentence in node["choice"]["sentences"]]
    sentences += [] if node["leaf"] is None else [words.sentence(node["leaf"])]
    return [Text(line), *(Text(Name(text, CHOICE, vanishes=True)) for text in sentences)]


def _by_column(node: Values) -> list[int]:
    """Return the candidates in the order of the columns, which gives nothing away."""
    features = [candidate["feature"] for candidate in node["candidates"]]
    return sorted(range(len(features)), key=features.__getitem__)
