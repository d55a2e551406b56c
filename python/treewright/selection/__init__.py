"""Which columns predict the target? Ranking them, and keeping the best.

``_column_splits`` asks the core how each column splits the rows, ``_measures`` rates the splits, ``_rank`` puts the
columns in order, ``_ranking`` is the result, ``transformer`` keeps the best columns, and ``scores`` are functions for
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
