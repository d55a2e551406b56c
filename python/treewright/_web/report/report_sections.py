"""The sections of a report as blocks: what is read without JavaScript and on paper.

A section with a name in ``LIVE`` has a place where the page puts its interactive form; on paper the blocks here are
printed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from treewright._draw import ensemble_summary, html_tree, tree_picture
from treewright._draw.excerpt import Scope
from treewright._estimator.find import find_rules
from treewright._model.trees import Trees
from treewright._render.charts import Drawing
from treewright._render.document import Block, Heading, Note, Picture, Table, Text
from treewright._render.page_format import PageFormat
from treewright._render.words import footnote
from treewright._show.to_rules import to_rules
from treewright._web.report.report_accuracy import Accuracy, accuracy_blocks
from treewright._web.report.report_cautions import find_cautions
from treewright._web.report.report_columns import column_blocks, distribution_blocks
from treewright._web.report.report_importance import (
    Importance,
    dependence_blocks,
    importance_blocks,
)
from treewright._web.report.report_pruning import Prunings, pruning_blocks
from treewright._web.report.report_subject import Subject
from treewright._web.report.report_words import (
    glossary_blocks,
    parameter_blocks,
    reproduce_blocks,
    summary_sentences,
)
from treewright._work.node_work import Work

__all__ = ["LIVE", "Findings", "Section", "make_sections"]

SHORT_TITLES = {
    "calculation": "Calculation",
    "importance": "Importance",
    "dependence": "Dependence",
    "reproduce": "Reproduce",
}
# Sections with an interactive form.
LIVE = ("tree", "rules", "try", "pruning")
MAX_RULES = 60
MAX_OUTLINE = 500  # nodes
MAX_PICTURE = 31  # nodes of the picture of a larger tree
MAX_DISTRIBUTIONS = 6
RULES = PageFormat(width=10_000, lines=MAX_RULES)


@dataclass(frozen=True)
class Section:
    """A section: its anchor, its heading, and what is in it."""

    key: str
    title: str
    blocks: tuple[Block, ...]

    @property
    def short_title(self) -> str:
        """Its name in the list of sections."""
        return SHORT_TITLES.get(self.key, self.title)


@dataclass(frozen=True, eq=False)
class Findings:
    """What was measured for a report."""

    accuracy: Accuracy
    importance: Importance
    prunings: Prunings | None
    works: Mapping[int, Work]  # of the nodes with the most rows
    other_columns: tuple[str, ...]  # of the table, which the model does not read
    n_rows: int  # how many rows of the data the report holds
    date: str


def make_sections(subject: Subject, findings: Findings) -> list[Section]:
    """Return the sections of a report; those without content are left out."""
    blocks: dict[str, tuple[str, list[Block]]] = {
        "summary": ("Summary", _summary(subject, findings)),
        "accuracy": ("Accuracy", accuracy_blocks(subject, findings.accuracy)),
        "tree": ("Tree", _tree(subject)),
        "calculation": ("Calculation of the first split", _calculation(findings.works)),
        "rules": ("Rules", _rules(subject)),
        "try": ("Try a row", _try(subject)),
        "importance": ("Feature importance", importance_blocks(subject, findings.importance)),
        "dependence": ("Partial dependence", dependence_blocks(subject, findings.importance)),
        "pruning": ("Pruning", pruning_blocks(subject, findings.prunings)),
        "columns": ("Columns", _columns(subject, findings)),
        "cautions": ("Cautions", _cautions(subject, findings)),
        "reproduce": ("How to reproduce", reproduce_blocks(subject, findings.date)),
        "glossary": ("Glossary", glossary_blocks(subject)),
    }
    return [Section(key, title, tuple(own)) for key, (title, own) in blocks.items() if own]


def _summary(subject: Subject, findings: Findings) -> list[Block]:
    blocks: list[Block] = [Text(sentence) for sentence in summary_sentences(subject)[1:]]
    if findings.n_rows:
        blocks.append(
            Text(
                f"Privacy: this report contains {findings.n_rows:,} rows of the data. Share it only with people "
                "who may see them."
            )
        )
    else:
        blocks.append(
            Text(
                "This report contains no rows of the data, only sums and single values of columns."
            )
        )
    return [*blocks, Heading("Parameters"), *parameter_blocks(subject)]


def _tree(subject: Subject) -> list[Block]:
    """Return pictures and outlines: of a single tree, or of the first tree of many with a summary of all."""
    if not subject.trees:
        return []
    blocks: list[Block] = []
    if subject.n_trees > 1:
        trees = Trees(subject.model._forest, subject.schema)
        document = ensemble_summary.document(trees, subject.caption, PageFormat(width=100))
        blocks += [b for b in document.blocks if not isinstance(b, (Picture, Table, Note))]
        blocks.append(Heading("The first tree"))
    tree, caption = subject.trees[0], subject.caption
    small = tree.n_nodes <= tree_picture.MAX_NODES
    lines = tree.n_nodes if small else MAX_PICTURE
    picture = Drawing("tree", lambda: tree_picture.draw(tree, caption, Scope(), lines, None))
    outline = Drawing(
        "outline",
        lambda: tree_picture.draw(tree, caption, Scope(), lines, None),
        draw_html=lambda: html_tree.outline(tree, caption, Scope(), MAX_OUTLINE),
    )
    first = (
        [] if small else [Note(f"The picture shows the {MAX_PICTURE} nodes with the most rows.")]
    )
    return [*blocks, Picture(picture), *first, Picture(outline)]


def _calculation(works: Mapping[int, Work]) -> list[Block]:
    if 0 not in works or works[0].node.chosen is None:
        return []
    document = works[0]._pages()
    note = footnote(document)
    return [*document.blocks, *([Note(("† ", *note))] if isinstance(note, tuple) else [])]


def _rules(subject: Subject) -> list[Block]:
    rules = find_rules(subject.model) or (
        to_rules(subject.model) if subject.tree is not None else None
    )
    if rules is None:
        return []
    about = (
        "The first rule that matches a row predicts."
        if find_rules(subject.model) is not None
        else "One rule for each leaf, those with the most rows first. Exactly one matches a row."
    )
    intro = Text(
        f"{about} “Correct” counts training rows; the interval is Wilson's 95% interval of the precision; lift is "
        "how many times more frequent the class is among the rows of the rule than among all rows."
        if subject.schema.classes
        else f"{about} “sd” is the standard deviation of the target among the training rows of the rule."
    )
    return [intro, *rules._document(RULES).blocks]


def _try(subject: Subject) -> list[Block]:
    if not subject.trees:
        return []
    return [Note("To try a row, open this report in a browser with JavaScript.")]


def _columns(subject: Subject, findings: Findings) -> list[Block]:
    chosen = findings.importance.order()[:MAX_DISTRIBUTIONS]
    return [*column_blocks(subject, findings.other_columns), *distribution_blocks(subject, chosen)]


def _cautions(subject: Subject, findings: Findings) -> list[Block]:
    sentences = find_cautions(subject, findings.accuracy, findings.works)
    return [Text(sentence) for sentence in sentences] or [
        Text("None of the checks found a reason for caution.")
    ]
