"""Screens 1 to 6 of a lesson as a document: the table, baselines, impurity, candidates, thresholds, and the choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from treewright._input.short_numbers import write_value
from treewright._lesson.lesson_words import LessonWords
from treewright._render.document import Block, Cell, Column, Equations, Heading, Note, Table, Text
from treewright._render.formula import Name, Number
from treewright._render.formula_values import formula_from_values
from treewright._work.work_result import NAMES

__all__ = [
    "baseline_blocks",
    "candidate_blocks",
    "choice_blocks",
    "choice_table",
    "impurity_blocks",
    "table_block",
    "table_blocks",
    "threshold_blocks",
]

Values = dict[str, Any]
MAX_ROWS = 60
MAX_CUTS = 30


def table_blocks(words: LessonWords, screen: Values) -> list[Block]:
    """Return screen 1."""
    left = len(words.table["rows"]) - MAX_ROWS
    more = [Note(words.word("word.more", n=left))] if left > 0 else []
    return [table_block(words), *more]


def table_block(words: LessonWords) -> Table:
    """Return the rows of the table, numbered from 1."""
    table = words.table
    rows, targets = table["rows"][:MAX_ROWS], table["target_values"][:MAX_ROWS]
    columns = [words.column("word.row", words.counts(range(1, len(rows) + 1)))]
    for place, feature in enumerate(table["features"]):
        cells = tuple(words.cell(row[place]) for row in rows)
        text = feature["kind"] == "categorical" or "ordered" in feature or "date" in feature
        columns.append(Column(words.feature(place), cells, left=text))
    if table["weights"] is not None:
        columns.append(words.column("word.weight", words.amounts(table["weights"][:MAX_ROWS])))
    answers: list[Cell] = [words.answer(value) for value in targets]
    if table["classes"] is None:
        answers = [Number(write_value(float(value))) for value in targets]
    head = words.target_name()
    return Table((*columns, Column(head, tuple(answers), left=table["classes"] is not None)))


def baseline_blocks(words: LessonWords, screen: Values) -> list[Block]:
    """Return screen 2."""
    if screen["one_r"] is None:
        return []
    parts = [
        (rule, part, place)
        for rule in screen["one_r"]["columns"]
        for place, part in enumerate(rule["parts"])
    ]
    classes = words.table["classes"]
    columns = [
        words.column(
            "word.column",
            ("" if place else words.feature(rule["feature"]) for rule, _, place in parts),
            left=True,
        ),
        words.column(
            "word.branch",
            (NAMES.name(part["branch"]) for _, part, _ in parts),
            left=True,
        ),
    ]
    for code, name in enumerate(classes):
        amounts = words.amounts([part["class_weights"][code] for _, part, _ in parts])
        columns.append(Column(NAMES.name(name, 12), tuple(amounts)))
    tie = f" ({words.word('word.tie')})"
    predicted = (
        words.answer(part["prediction"]) + (tie if part["tied"] else "") for _, part, _ in parts
    )
    columns.append(words.column("word.prediction", predicted, left=True))
    columns.append(words.column("word.errors", words.amounts([p["errors"] for _, p, _ in parts])))
    rules = screen["one_r"]["columns"]
    totals = words.amounts([rule["errors"] for rule in rules])
    places = [rule["feature"] for rule in rules]
    chosen = screen["one_r"]["chosen"]
    summary = Table(
        (
            words.column("word.column", map(words.feature, places), left=True),
            words.column("word.errors", totals),
        ),
        chosen=places.index(chosen) if chosen in places else None,
    )
    return [Table(tuple(columns)), summary]


def impurity_blocks(words: LessonWords, screen: Values) -> list[Block]:
    """Return screen 3."""
    rows = tuple(
        (words.node(node), formula_from_values(words.lesson["nodes"][node]["formula"]))
        for node in screen["nodes"]
    )
    return [Equations(rows)]


def candidate_blocks(words: LessonWords, screen: Values) -> list[Block]:
    """Return screen 4: all candidates of the first node, of others the chosen one."""
    blocks: list[Block] = []
    for turn, place in enumerate(screen["nodes"]):
        node = words.lesson["nodes"][place]
        blocks.append(Heading(words.node(place)))
        chosen = node["work"]["chosen"]
        places = range(len(node["candidates"])) if turn == 0 or chosen is None else [chosen]
        for candidate in places:
            blocks += one_candidate(words, node, candidate)
    return blocks


def one_candidate(words: LessonWords, node: Values, place: int) -> list[Block]:
    """Return the branches of a candidate and its calculation."""
    steps, candidate = node["candidates"][place], node["work"]["candidates"][place]
    children = candidate["children"]
    names = (NAMES.name(branch) for branch in steps["branches"])
    impurities = [words.number(child["impurity"]) for child in children]
    columns = [
        Column(words.feature(steps["feature"]), tuple(names), left=True),
        *words.contents(children),
        words.column(f"word.{words.criterion}", impurities),
    ]
    rows = [("", formula_from_values(formula)) for formula in steps["impurity"]]
    criterion = words.criterion
    labels = {
        "remaining": f"word.after.{criterion}",
        "gain": f"word.gain.{criterion}",
        "price": "word.penalty",
        "net": "word.net",
        "split_information": "word.split_information",
        "gain_ratio": "word.gain_ratio",
    }
    for key, label in labels.items():
        if key in steps:
            rows.append((words.word(label), formula_from_values(steps[key])))
    return [Table(tuple(columns)), Equations(tuple(rows))]


def threshold_blocks(words: LessonWords, screen: Values) -> list[Block]:
    """Return screen 5: the thresholds of each numeric column of the first node, and of chosen ones."""
    blocks: list[Block] = []
    first = screen["columns"][0]["node"]
    for column in screen["columns"]:
        node = words.lesson["nodes"][column["node"]]
        places = [c["feature"] for c in node["candidates"]]
        place = places.index(column["feature"])
        if column["node"] != first and node["work"]["chosen"] != place:
            continue
        name = f"{words.node(column['node'])} · {words.feature(column['feature'])}"
        blocks += [Heading(name), *_cuts(words, node["work"]["candidates"][place])]
        blocks += [] if column["note"] is None else [Text(words.sentence(column["note"]))]
    return blocks


def _cuts(words: LessonWords, candidate: Values) -> list[Block]:
    all_ = candidate["cuts"]
    cuts = all_[:MAX_CUTS]
    if not cuts:
        return []
    rule = candidate["split"].get("threshold")
    places = [cut["threshold"] for cut in cuts]
    between = [f"{write_value(c['below'])} … {write_value(c['above'])}" for c in cuts]
    columns = [words.column("word.between", between)]
    for side, head in enumerate(("word.at_most", "word.above")):
        cells = [_side(words, cut["sides"][side]) if cut["sides"] else "" for cut in cuts]
        columns.append(words.column(head, cells, left=True))
    gains = (words.number(cut["gain"]) for cut in cuts)
    columns.append(words.column(f"word.gain.{words.criterion}", gains))
    table = Table(tuple(columns), chosen=places.index(rule) if rule in places else None)
    left = len(all_) - len(cuts)
    return [table, *([Note(words.word("word.more", n=left))] if left else [])]


def _side(words: LessonWords, group: Values) -> str:
    classes = words.table["classes"]
    if classes is None:
        return f"{group['rows']} · {words.number(group['value'][0]).text}"
    amounts = words.amounts(group["value"])
    present = zip(amounts, classes, group["value"], strict=True)
    return ", ".join(f"{n.text} {NAMES.name(name, 12)}" for n, name, x in present if x > 0)


def choice_blocks(words: LessonWords, screen: Values) -> list[Block]:
    """Return screen 6."""
    blocks: list[Block] = []
    for place in screen["nodes"]:
        node = words.lesson["nodes"][place]
        order = range(len(node["candidates"]))
        blocks += [Heading(words.node(place)), choice_table(words, node, order)]
        blocks += words.texts(node["choice"]["sentences"])
        blocks += [] if node["leaf"] is None else [Text(words.sentence(node["leaf"]))]
    return blocks


def choice_table(
    words: LessonWords, node: Values, order: Sequence[int], *, nameless: bool = False
) -> Table:
    """Return all candidates of a node; ``nameless`` hides which columns they are, too."""
    candidates = [node["work"]["candidates"][i] for i in order]
    names = [words.feature(node["candidates"][i]["feature"]) for i in order]
    heads: list[Cell] = [Name(name, "choice") for name in names] if nameless else list(names)
    criterion = words.criterion
    columns = [
        words.column("word.column", heads, left=True),
        _numbers(words, f"word.after.{criterion}", "remainder", candidates, "remaining"),
    ]
    gains = [c["gain"] + c.get("price", 0.0) for c in candidates]
    cells = [words.number(gain, "gain") for gain in gains]
    columns.append(words.column(f"word.gain.{criterion}", cells))
    if any(c.get("price") for c in candidates):
        penalties = (words.number(c.get("price", 0.0), "gain") for c in candidates)
        columns.append(words.column("word.penalty", penalties))
    if criterion == "entropy":
        columns.append(
            _numbers(words, "word.split_information", "ratio", candidates, "split_information")
        )
        columns.append(_numbers(words, "word.gain_ratio", "ratio", candidates, "gain_ratio"))
    verdicts = [words.word(f"verdict.{c['verdict']}") for c in candidates]
    columns.append(Column("", tuple(Name(v, "choice", vanishes=True) for v in verdicts), left=True))
    chosen = node["work"]["chosen"]
    return Table(tuple(columns), chosen=list(order).index(chosen) if chosen in order else None)


def _numbers(
    words: LessonWords, head: str, stage: str, candidates: list[Values], key: str
) -> Column:
    cells: list[Cell] = []
    for candidate in candidates:
        known = key != "gain_ratio" or candidate["admissible"]
        cells.append(words.number(candidate[key], stage) if known else None)
    return words.column(head, cells)
