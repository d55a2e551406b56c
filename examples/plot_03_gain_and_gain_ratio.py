"""
Gain and gain ratio of every column
===================================

How much does each column of the tennis table tell about the class? A column with many categories has a large gain
because its branches are small. The gain ratio divides the gain by the split information.
"""

from treewright import datasets, rank_columns

X, y = datasets.play_tennis()
for measure in ("gain", "gain_ratio", "gini"):
    print(rank_columns(X, y, measure))

# %%
# The same as a picture. Outlook comes first by all three measures:
picture = rank_columns(X, y, "gain")
