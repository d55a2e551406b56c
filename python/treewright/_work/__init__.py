"""``work``: the arithmetic behind a node, a round, a row or a rule, as a document that every form is written from.

``dispatch`` finds which kind of work is asked for. Of a node, ``node_report`` gets the numbers from the core,
``node_builder`` gives them names and verdicts (``node_model``), and ``node_work`` makes the page. Pruning is
``pruning_work``, boosting ``adaboost_work`` and ``boosted_row``, neighbors ``neighbor_vote``, 0-R and 1-R
``baseline_work``; ``impurity_curves`` and ``column_distribution`` are pictures, ``whole_tree`` is all nodes, and
``worksheet`` is any of it with blanks.
"""

from __future__ import annotations

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
    what: str = "split",
    round: int | None = None,
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
    r"""Show the arithmetic behind a node: its impurity, every candidate, and why one of them was chosen.

    Parameters
    ----------
    model : fitted estimator or PruneTrace
        An ID3, C4.5 or CART model, or the ``pruning_`` of one, whose work is about the tree before the pruning; or a
        neighbour or a boosted model, whose work is that of the row which is given as X: its vote, or what each tree
        adds; or an AdaBoost model, whose work is that of a round; or 0-R and 1-R, whose work is the errors of their
        rules.
    node : int or "all", default=0
        The node; the numbers are those of drawings. All of them are a page for each question of the tree.
    X, y, sample_weight : table, array-like, array-like, optional
        The rows that the model was fitted to. Others are used too, and the work says so. Without rows the work is
        what a small model kept of its training (see ``keep_work`` of the learners).
    what : {"split", "prune", "curves", "distribution", "round"}, default="split"
        How the node's question was chosen. Or whether pruning keeps it: by expected errors, or by the price of a leaf
        where the model is pruned so or predicts numbers. Or the curves of entropy and Gini's index, with the node and
        its branches on them. Or the distribution of a numeric column in the node, with its cut. Only the first one and
        that need rows. Or a round of AdaBoost: its error and vote, and with rows how their weights change.
    round : int, default=None
        Which round, counted from 0; the first where not given. Of AdaBoost only.
    column : str, default=None
        The candidate that is written out; the chosen one where not given, ``"all"`` for every one. The column whose
        distribution is drawn.
    unit : {"bits", "nats", "hartleys"}, default="bits"
        The unit of entropies.
    digits : int, default=3
        The decimals that are shown.
    rounding : {"exact", "lecture", "truncate"}, default="exact"
        Round once, when a figure is printed, or at every step, as on a blackboard; or cut off at every step. Halves go
        up.
    cuts : int, default=100
        The most cuts of a numeric column that are listed; of more, those that gain most.
    blank : bool, default=False
        Make a worksheet: blanks in place of the figures. ``key()`` of it has the answers, ``with_key()`` is both.
    stop_at : str, default=None
        Make a worksheet that shows the figures up to a stage: of a split "counts", "cut", "entropy", "remainder",
        "gain" or "ratio"; of pruning "counts" or "cost"; of a round "error" or "vote"; of a boosted row "adds" or
        "sum"; of neighbours "distance" or "weight"; of 0-R and 1-R "counts" or "errors"; of curves and distributions
        "counts".
    width : int, default=None
        Columns of text; those of the terminal where not given.
    ascii : bool, default=None
        Write with ASCII signs only; None does so where the terminal cannot show others.

    Returns
    -------
    Work, TreeWork, PruneWork, ImpurityCurves, Distribution, VoteWork, BoostWork, RoundWork, RuleWork or Worksheet
        Text by ``str()``, plain values by ``to_dict()``, a file by ``save()``.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, work
    >>> X, y = datasets.play_tennis()
    >>> shown = work(ID3Classifier().fit(X, y), 0, rounding="lecture")
    >>> print(*str(shown).splitlines()[17:22], sep="\n")
    All candidates   remaining    gain   split info   ratio   Gini decrease
      Outlook            0.694   0.246        1.577   0.156           0.116   ◀ chosen
      Humidity           0.789   0.151        1.000   0.151           0.092
      Wind               0.892   0.048        0.985   0.049           0.031
      Temperature        0.911   0.029        1.557   0.019           0.019
    """
    options = {"node": node, "round": round, "column": column, "unit": unit, "rounding": rounding}
    page = {"digits": digits, "width": width, "ascii": ascii}
    request = Request(model, (X, y, sample_weight), what, options | {"cuts": cuts}, page)
    result = request.result()
    return request.worksheet(result, stop_at) if blank or stop_at is not None else result
