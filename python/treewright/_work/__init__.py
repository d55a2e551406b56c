"""``work``: the arithmetic behind a node, a round, a row or a rule, as a document that every form is written from.

``dispatch`` finds which kind of work is asked for. Of a node, ``node_report`` gets the numbers from the core,
``node_builder`` gives them names and verdicts (``node_model``), and ``node_work`` makes the page. Pruning is
``pruning_work``; boosting is ``adaboost_work``, ``weighted_vote`` and ``boosted_row``, a forest ``forest_work``,
neighbors ``neighbor_vote``, 0-R and 1-R ``baseline_work``, counts ``measure_work``; ``impurity_curves`` and
``column_distribution`` are pictures, ``whole_tree`` is all nodes, and ``worksheet`` is any of it with blanks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from treewright._work.dispatch import Request

__all__ = ["work"]


def work(
    model: Any,
    node: int | str = 0,
    X: Any = None,
    y: Any = None,
    sample_weight: Any = None,
    *,
    nodes: Iterable[int] | None = None,
    what: str = "split",
    round: int | None = None,
    tree: int | None = None,
    column: str | None = None,
    unit: str = "bits",
    digits: int = 3,
    rounding: str = "exact",
    cuts: int = 100,
    blank: bool = False,
    stop_at: str | None = None,
    width: int | None = None,
    ascii: bool | None = None,
) -> Any:
    r"""Show the calculation behind a node: its impurity, every candidate split, and why one of them was chosen.

    Parameters
    ----------
    model : fitted estimator, PruneTrace or list of numbers
        A tree (ID3, C4.5, CART), or its ``pruning_``, whose nodes are those before pruning. For AdaBoost the work is
        that of a round, or with X alone the vote of that row; for gradient boosting and nearest neighbors that of the
        row passed as X; for forests the samples of their trees and the out-of-bag votes; for 0-R and 1-R the errors of
        their rules. Counts of classes, ``[50, 5]``, give a measure such as their entropy.
    node : int or "all", default=0
        The node, numbered as in drawings; ``"all"`` is a page for each split of the tree.
    X, y, sample_weight : table, array-like, array-like, optional
        The training table. Another table is used, too, with a note. Without a table, the work comes from the training
        record of a small model (see ``keep_work`` of the estimators).
    nodes : iterable of int, default=None
        Several nodes, a page for each; all are computed in one pass.
    what : {"split", "prune", "curves", "distribution", "round"} or a measure, default="split"
        How the split of the node was chosen; or whether pruning keeps its subtree; or the curves of entropy and Gini
        index with the node on them; or the distribution of a column in the node; or a round of AdaBoost with
        its error, the weight of its learner and, with the training table, the new weights of the rows. Of counts:
        "entropy" (default), "gini", "information", "code-length"; of the counts of each branch,
        ``[[2, 3], [4, 0]]``: "gain" (default), "gain-ratio", "split-information", "gini-gain".
    round : int, default=None
        The round of AdaBoost, counted from 0; None is the first.
    tree : int, default=None
        The tree of a forest, counted from 0; None is a page about all of them.
    column : str, default=None
        The candidate that is written out: None is the chosen one, ``"all"`` is every one. For a distribution, the
        column that is drawn.
    unit : {"bits", "nats", "hartleys"}, default="bits"
        The unit of entropies.
    digits : int, default=3
        The number of decimals.
    rounding : {"exact", "lecture", "truncate"}, default="exact"
        Round numbers when they are printed, or at every step, as on a blackboard, or cut off digits at every step.
        Halves are rounded up.
    cuts : int, default=100
        The maximum number of thresholds that are listed for a numeric column: those with the largest gains.
    blank : bool, default=False
        Return a worksheet with blanks in place of the numbers. Its ``key()`` is the answer key, its ``with_key()``
        has both.
    stop_at : str, default=None
        Return a worksheet with the numbers up to a stage: for a split "counts", "cut", "entropy", "remainder", "gain"
        or "ratio"; for pruning "counts" or "cost"; for a round "error" or "vote"; for gradient boosting "adds" or
        "sum"; for the vote of AdaBoost "prediction" or "sum"; for forests "sample" or "votes"; for measures "entropy",
        "remainder" or "gain"; for nearest neighbors "distance" or "weight"; for 0-R and 1-R "counts" or "errors"; for
        curves and
        distributions "counts".
    width : int, default=None
        The width of the text; None is the width of the terminal.
    ascii : bool, default=None
        Whether to write ASCII characters only; None does so if the terminal cannot show others.

    Returns
    -------
    WorkResult
        Work, TreeWork, PruneWork, ImpurityCurves, Distribution, VoteWork, BoostWork, RoundWork, WeightedVote,
        ForestWork, MeasureWork, RuleWork, or a Worksheet of one of them.
        Text by ``str()``, plain values by ``to_dict()``, Markdown, LaTeX, HTML and files.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, work
    >>> X, y = datasets.play_tennis()
    >>> result = work(ID3Classifier().fit(X, y), 0, rounding="lecture")
    >>> print(*str(result).splitlines()[17:22], sep="\n")
    All candidates   entropy after    gain   split info   ratio   Gini decrease
      Outlook                0.694   0.246        1.577   0.156           0.116   ◀ chosen
      Humidity               0.789   0.151        1.000   0.151           0.092
      Wind                   0.892   0.048        0.985   0.049           0.031
      Temperature            0.911   0.029        1.557   0.019           0.019
    """
    options = {
        "node": node,
        "nodes": None if nodes is None else list(nodes),
        "round": round,
        "tree": tree,
        "column": column,
        "unit": unit,
        "rounding": rounding,
    }
    page = {"digits": digits, "width": width, "ascii": ascii}
    request = Request(model, (X, y, sample_weight), what, options | {"cuts": cuts}, page)
    result = request.result()
    return request.worksheet(result, stop_at) if blank or stop_at is not None else result
