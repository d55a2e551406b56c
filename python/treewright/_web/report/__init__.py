"""``report``: a model as one HTML file that opens anywhere, without a network, and can be printed.

``subject`` is what the report is about. The other modules measure one thing each and write it as blocks; ``sections``
puts the blocks in order, ``document`` holds the data of the interactive parts, ``page`` joins both to one file.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from treewright._input.containers import as_table, is_named
from treewright._utils.file_size import read_size
from treewright._utils.validation import check_integer
from treewright._web.report.report_accuracy import measure
from treewright._web.report.report_importance import find_importance
from treewright._web.report.report_page import Report, make_page
from treewright._web.report.report_pruning import find_prunings
from treewright._web.report.report_sections import Findings
from treewright._web.report.report_subject import FileNames, Subject, subject_of
from treewright._web.report.report_words import title_of
from treewright._web.report.report_works import find_works

__all__ = ["Report", "report"]

MAX_ROWS = 5000


def report(
    model: Any,
    X: Any = None,
    y: Any = None,
    path: str | Path | None = None,
    sample_weight: Any = None,
    *,
    test: tuple[Any, Any] | None = None,
    title: str | None = None,
    include_rows: int = 0,
    trees: int = 10,
    max_size: int | str = "20MB",
    date: Any = None,
    files: FileNames | None = None,
    other_columns: Sequence[str] | None = None,
) -> Report:
    """Write an HTML report about a model: one file that needs no network, can be printed, and read without JavaScript.

    It has the accuracy beside a baseline, the tree, the calculation of its splits, rules, a form to try a row,
    importances, partial dependence, the pruning curve, the columns, cautions, and how to reproduce all of it. It
    contains no rows of the data unless they are asked for.

    Parameters
    ----------
    model : fitted estimator
        A model of this package, or a Pipeline or search that ends in one.
    X, y : table and array-like, optional
        Rows with known target values. A model of one tree recognizes its training rows; all others are held-out rows.
    path : str or Path, optional
        The file to write.
    sample_weight : array-like, optional
        Weights of the rows.
    test : pair of table and array-like, optional
        Held-out rows and their true values; X and y are then the training rows.
    title : str, optional
        The title; by default target and algorithm.
    include_rows : int, default=0
        Rows of the data that the report contains, at most 5,000.
    trees : int, default=10
        Ensembles: number of trees to look at.
    max_size : int or str, default="20MB"
        Stop with an error if the file would be larger.
    date : str or date, optional
        The date to print; without it, the same input gives the same bytes.
    files : FileNames, optional
        The files of a command, for the lines that make the report again.
    other_columns : sequence of str, optional
        Columns of the table that the model does not read; by default those of X.

    Returns
    -------
    Report
        The report, with ``html``, ``document`` and ``save()``.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, report
    >>> X, y = datasets.play_tennis()
    >>> result = report(ID3Classifier().fit(X, y), X, y)
    >>> result.title, len(result.html) < 250_000
    ('ID3 (information gain)', True)
    """
    n_rows = int(check_integer("include_rows", include_rows, minimum=0, maximum=MAX_ROWS))
    n_trees = int(check_integer("trees", trees, minimum=1))
    limit = read_size(max_size)
    subject = subject_of(
        model, (X, y, sample_weight), test, trees=n_trees, files=files or FileNames()
    )
    rows = 0 if subject.described is None else min(n_rows, len(subject.described.X))
    findings = Findings(
        accuracy=measure(subject),
        importance=find_importance(subject),
        prunings=find_prunings(subject),
        works=find_works(subject),
        other_columns=_other_columns(subject, X) if other_columns is None else tuple(other_columns),
        n_rows=rows,
        date="" if date is None else str(date),
    )
    result = make_page(subject, findings, title or title_of(subject), limit)
    if path is not None:
        result.save(path)
    return result


def _other_columns(subject: Subject, X: Any) -> tuple[str, ...]:
    if X is None or subject.is_step or not is_named(X):
        return ()
    known = {*subject.schema.names, *(column.source for column in subject.schema.columns)}
    return tuple(name for name in as_table(X).columns if name not in known)
