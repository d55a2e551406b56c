"""
Gain and gain ratio of every column
===================================

A column with a different value in every row has the largest gain. The gain ratio divides it by the split information.
"""

from treewright import datasets, rank_columns

X, y = datasets.play_tennis()
for measure in ("gain", "gain_ratio", "gini"):
    print(rank_columns(X, y, measure))

picture = rank_columns(X, y, "gain")
