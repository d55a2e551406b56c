"""A report as one file: the static part, the data, and the shell of the page; its size and what is left out for it."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from treewright._catalog import public
from treewright._render.html import elements
from treewright._render.numbers import percent, plural
from treewright._render.safe_text import visible
from treewright._utils import atomic_write
from treewright._utils.user_warnings import warn_user
from treewright._web.page_file import embed_json, fill_page, read_shell
from treewright._web.report.report_document import STEPS, Detail, report_document
from treewright._web.report.report_sections import LIVE, Findings, Section, make_sections
from treewright._web.report.report_subject import Subject
from treewright._web.report.report_words import summary_sentences
from treewright.errors import Hint, UsageError

__all__ = ["Report", "make_page"]

COMFORTABLE, LARGE = (
    2_000_000,
    5_000_000,
)  # above the first things are left out, above the second there is a warning
MAX_NODES = 60_000  # of all trees together, for a page that predicts


@public
@dataclass(frozen=True, eq=False)
class Report:
    """A report, made by :func:`treewright.report`.

    Parameters
    ----------
    title : str
        Its title.
    html : str
        The page.
    document : dict
        The data of its interactive parts.
    notes : tuple of str
        What was left out because the file would have been too large.

    Examples
    --------
    >>> from treewright import CARTClassifier, datasets, report
    >>> report(CARTClassifier(max_depth=2).fit(*datasets.golf())).notes
    ()
    """

    title: str
    html: str = field(repr=False)
    document: dict[str, Any] = field(repr=False)
    notes: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """The size of the file in bytes."""
        return len(self.html.encode())

    @property
    def size_text(self) -> str:
        """The size of the file in words."""
        return write_size(self.size)

    def save(self, path: str | Path) -> None:
        """Write the report to a file; it is replaced where it exists.

        Parameters
        ----------
        path : str or Path
            The file.
        """
        atomic_write.write(path, self.html.encode())

    def __str__(self) -> str:
        return f"report: {visible(self.title)} ({self.size_text})"


def write_size(size: int) -> str:
    """Write a size with three digits.

    Examples
    --------
    >>> write_size(186_400), write_size(5_210_000)
    ('186 KB', '5.21 MB')
    """
    return f"{size / 1e3:.3g} KB" if size < 999_500 else f"{size / 1e6:.3g} MB"


def make_page(subject: Subject, findings: Findings, title: str, limit: int) -> Report:
    """Return the report; what is too large is left out in a fixed order, and the rest is an error."""
    sections = make_sections(subject, findings)
    detail, notes = _full_detail(subject, findings), list[str]()
    for step in (None, *STEPS):
        smaller = detail if step is None else step(detail)
        if step is not None and smaller == detail:
            continue
        detail = smaller
        document = report_document(subject, findings.works, findings.prunings, detail)
        notes = _notes(subject, findings, detail)
        page = _write(subject, findings, title, sections, document, notes)
        if len(page.encode()) <= COMFORTABLE:
            break
    result = Report(title, page, document, tuple(notes))
    if result.size > limit:
        raise UsageError(
            f"the report would have {write_size(result.size)}, more than {write_size(limit)}",
            slug="report.too-large",
            hints=[
                Hint(option="max_size", value=f"{result.size // 10**6 + 1}MB"),
                "or prune the model",
            ],
        )
    if result.size > LARGE:
        warn_user(f"the report has {write_size(result.size)}; browsers may open it slowly")
    return result


def _full_detail(subject: Subject, findings: Findings) -> Detail:
    nodes = 0
    if subject.trees:
        forest = subject.model._forest
        nodes = sum(forest.tree(i).n_nodes for i in range(forest.n_trees))
    predicts = 0 < nodes <= MAX_NODES or subject.n_trees == 1
    return Detail(len(findings.works), findings.n_rows, max(1, len(subject.trees)), predicts)


def _notes(subject: Subject, findings: Findings, detail: Detail) -> list[str]:
    """Return what is left out because of its size, one sentence each."""
    notes = []
    if detail.works < len(findings.works):
        notes.append(f"The calculation of {plural(detail.works, 'node')} is included.")
    if detail.rows < findings.n_rows:
        notes.append(f"Only {plural(detail.rows, 'row')} of the data are included.")
    if subject.trees and not detail.predicts:
        notes.append(
            "The ensemble is too large to be included as a whole, so the page cannot try a row."
        )
    if detail.trees < len(subject.trees):
        notes.append(f"Only {plural(detail.trees, 'tree')} can be looked at.")
    return notes


def _write(
    subject: Subject,
    findings: Findings,
    title: str,
    sections: list[Section],
    document: dict[str, Any],
    notes: list[str],
) -> str:
    static = _static(subject, findings, title, sections, notes)
    return fill_page(
        read_shell("report"), visible(title), [embed_json("document", document)], static
    )


def _static(
    subject: Subject, findings: Findings, title: str, sections: list[Section], notes: list[str]
) -> str:
    """Return the part that is read without JavaScript and printed."""
    links = "".join(f'<a href="#{s.key}">{html.escape(s.short_title)}</a>' for s in sections)
    lead = html.escape(summary_sentences(subject)[0])
    kind = "" if subject.schema.classes else " of-numbers"
    left_out = "".join(f"<p>{html.escape(note)}</p>" for note in notes)
    return (
        f'<header class="top"><h1><bdi>{html.escape(visible(title))}</bdi></h1><p><bdi>{lead}</bdi></p>'
        f"{_facts(findings)}</header>"
        f'<nav class="sections" aria-label="Sections">{links}</nav><main class="report{kind}">'
        + "".join(_section(section) for section in sections)
        + (f'<div class="left-out">{left_out}</div>' if left_out else "")
        + "</main>"
    )


def _facts(findings: Findings) -> str:
    """Return the figures at the top: accuracy, baseline."""
    main = findings.accuracy.main
    if main is None:
        return ""
    if main.right is None:
        pairs = {"RMSE": f"{main.value:.4g}", "baseline": f"{main.baseline:.4g}"}
    else:
        low, high = main.interval or (0.0, 1.0)
        pairs = {
            "accuracy": percent(main.value),
            "95% interval": f"{percent(low)} to {percent(high)}",
            "baseline": percent(main.baseline),
        }
    pairs |= {"measured on": f"{main.rows:,.6g} {main.title.removeprefix('the ')}"}
    items = "".join(
        f"<div><dt>{html.escape(k)}</dt><dd>{html.escape(v)}</dd></div>" for k, v in pairs.items()
    )
    return f'<dl class="facts">{items}</dl>'


def _section(section: Section) -> str:
    live = f'<div class="live" data-live="{section.key}"></div>' if section.key in LIVE else ""
    return (
        f'<section id="{section.key}"><h2>{html.escape(section.title)}</h2>{live}'
        f'<div class="static">{elements(section.blocks, level=3)}</div></section>'
    )
