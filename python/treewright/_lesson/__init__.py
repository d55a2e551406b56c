"""``lesson``: a small table and its tree as a lesson in twelve screens, as data, text and page.

``training`` holds the tree with its rows. The steps as data are made by ``baseline_steps``, ``node_steps``,
``choice_steps``, ``growth_steps``, ``pruning_steps``, ``other_steps``, ``neighbor_steps`` and ``quiz``; ``build`` puts
them together. ``lesson_result`` writes them: ``node_blocks``, ``tree_blocks``, ``other_blocks`` and ``sheet`` are
documents, whose words come from ``texts/`` in the language of the lesson.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from treewright._estimator.model import Model
from treewright._input.containers import as_table
from treewright._lesson.build import build_lesson
from treewright._lesson.lesson_result import Lesson
from treewright._lesson.training import Training
from treewright._pruning.pruning_rows import read_labeled
from treewright._utils.choices import LANGUAGES, LESSON_STEPS, ROUNDING
from treewright._utils.validation import check_choice, check_integer
from treewright._work.criteria import unit_of
from treewright._work.lecture_rounding import Rounding
from treewright._work.node_builder import Method, method_of
from treewright.errors import DataError, Hint, UsageError
from treewright.table import Series

__all__ = ["lesson"]

MAX_DIGITS = 12


def lesson(
    model: Any,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    nodes: str | Sequence[int] = "all",
    steps: Sequence[str] | None = None,
    quiz: bool = False,
    unit: str = "bits",
    digits: int = 3,
    rounding: str = "exact",
    language: str = "en",
    title: str | None = None,
    target: str | None = None,
    max_rows: int = 1000,
    width: int | None = None,
    ascii: bool | None = None,
) -> Lesson:
    """Turn a small table and its tree into a lesson of up to twelve screens, with a quiz.

    One screen shows one idea: the table; what 0-R and 1-R make of it; how mixed a node is; the candidates; thresholds
    of numbers; the choice; the growing tree; the finished tree and the paths of rows; overfitting; pruning; neighbors,
    AdaBoost and a forest on the same table; the quiz. Page, text, Markdown and LaTeX tell the same story.

    Parameters
    ----------
    model : fitted estimator
        An ID3, C4.5 or CART tree.
    X, y, sample_weight : table, array-like, array-like, optional
        Its training table.
    nodes : "all" or list of int, default="all"
        The nodes whose splits are calculated.
    steps : list of str, default=None
        The screens: "table", "baselines", "impurity", "candidates", "thresholds", "choice", "split", "path",
        "overfitting", "pruning", "others", "quiz". None is all that apply.
    quiz : bool, default=False
        Whether to begin with the results hidden.
    unit : {"bits", "nats", "hartleys"}, default="bits"
        The unit of entropies.
    digits : int, default=3
        The number of decimals.
    rounding : {"exact", "lecture", "truncate"}, default="exact"
        Round numbers when they are printed, or at every step, or cut off digits at every step.
    language : {"en", "de", "zh"}, default="en"
        The language of the sentences.
    title : str, default=None
        The title; None is the name of the target.
    target : str, default=None
        The name of the target, where ``y`` has none.
    max_rows : int, default=1000
        Stop with an error if the table has more rows.
    width : int, default=None
        The width of the text; None is the width of the terminal.
    ascii : bool, default=None
        Whether to write ASCII characters only; None does so if the terminal cannot show others.

    Returns
    -------
    Lesson
        ``steps`` are the screens as data; ``save("lesson.html")`` writes the page; ``sheet()`` is an exercise sheet.

    Notes
    -----
    The data (``to_dict()``) has the keys ``settings``, ``model``, ``table`` (features, rows, target, classes), ``tree``
    (its node table by columns), ``nodes`` (for each node its rows, its impurity term by term, its candidates with their
    branches, thresholds and formulas, and how one was chosen) and ``screens``. Every screen has an ``id``, a ``title``,
    ``sentences`` and the data that it shows; the quiz has ``blanks``, each with its ``expected`` value, its
    ``tolerance``, its ``stage`` and its ``formula``. A sentence is a key of the table of texts with arguments.
    ``web/src/lesson/steps.ts`` describes every field.

    See Also
    --------
    work : The calculation of one node.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, lesson
    >>> X, y = datasets.play_tennis()
    >>> result = lesson(ID3Classifier().fit(X, y), X, y, target="PlayTennis")
    >>> choice = result.to_dict()["nodes"][0]["choice"]["algorithms"][0]
    >>> choice["algorithm"], choice["ranking"][0]["feature"], round(choice["ranking"][0]["score"], 3)
    ('ID3', 0, 0.247)
    """
    method = _check_model(model)
    check_integer("digits", digits, minimum=0, maximum=MAX_DIGITS)
    check_choice("language", language, LANGUAGES)
    mode = Rounding(digits, check_choice("rounding", rounding, ROUNDING))
    screens = (
        LESSON_STEPS
        if steps is None
        else [check_choice("steps", each, LESSON_STEPS) for each in steps]
    )
    X, y, sample_weight = _drop_weightless(X, y, sample_weight)
    rows = read_labeled(model, X, y, sample_weight)
    check_integer("max_rows", max_rows, minimum=1)
    if len(rows.target) > max_rows:
        raise DataError(
            f"the table has {len(rows.target):,} rows, and a lesson shows at most {max_rows:,}",
            slug="lesson.too-many-rows",
            hints=[Hint(option="max_rows", value=len(rows.target))],
        )
    name = target or model.schema_.target or "target"
    table = (_select_columns(model, X), y, sample_weight)
    training = Training(model, rows, table, name, method, unit_of(unit), mode)
    chosen = None if nodes == "all" else _check_nodes(model, nodes)
    document = build_lesson(training, title or name, title or name, chosen, screens, language, quiz)
    return Lesson(document, width, ascii)


def _drop_weightless(X: Any, y: Any, sample_weight: Any) -> tuple[Any, Any, Any]:
    """Return the rows without those of weight 0: no fit has seen them."""
    weights = None if sample_weight is None else np.asarray(sample_weight)
    if weights is None or weights.ndim != 1 or not (weights == 0).any():
        return X, y, sample_weight
    from sklearn.utils import _safe_indexing

    places = np.flatnonzero(weights)
    answers = y.take(places) if isinstance(y, Series) else _safe_indexing(y, places)
    return as_table(X)[places], answers, weights[places]


def _select_columns(model: Any, X: Any) -> Any:
    """Return the table without columns that the model does not read: other algorithms would learn from them."""
    table = as_table(X)
    sources = {column.source for column in model.schema_.columns}
    names = [name for name in table.columns if name in sources]
    return table.select(names) if 0 < len(names) < len(table.columns) else X


def _check_model(model: Any) -> Method:
    method = None
    if isinstance(model, Model):
        method = method_of(type(model).__name__, model.get_params(deep=False))
    if method is None:
        raise UsageError(
            f"lesson does not support {type(model).__name__}",
            slug="lesson.no-tree",
            hints=[
                "it supports fitted ID3, C4.5 and CART trees; other algorithms are its last part"
            ],
        )
    return method


def _check_nodes(model: Any, nodes: str | Sequence[int]) -> list[int]:
    size = model.tree_.n_nodes
    if isinstance(nodes, str):
        raise UsageError(
            f'nodes must be "all" or a list of nodes; got {nodes!r}', slug="usage.parameter"
        )
    return [check_integer("nodes", node, minimum=0, maximum=size - 1) for node in nodes]
