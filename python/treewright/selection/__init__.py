"""Which columns tell something about the target? Ranking them, and keeping the best.

``division`` asks the core what each column makes of the rows, ``figures`` measures that, ``rank`` puts columns in
order, ``ranking`` holds what came of it, ``transformer`` keeps some of them, and ``scores`` are functions for
scikit-learn's ``SelectKBest``.
"""

from treewright.selection._rank import rank_columns
from treewright.selection._ranking import ColumnRanking, RankedColumn
from treewright.selection.scores import (
    chi2_score,
    gain_ratio_score,
    gain_score,
    gini_score,
    mutual_information_score,
    one_r_score,
    variance_reduction_score,
)
from treewright.selection.transformer import SelectColumns

__all__ = [
    "ColumnRanking",
    "RankedColumn",
    "SelectColumns",
    "chi2_score",
    "gain_ratio_score",
    "gain_score",
    "gini_score",
    "mutual_information_score",
    "one_r_score",
    "rank_columns",
    "variance_reduction_score",
]
