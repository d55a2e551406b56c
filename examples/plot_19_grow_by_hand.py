"""
Take another question than the best
===================================

Grow a tree step by step: the teacher asks for Wind first, and the rest grows by itself.
"""

from treewright import Growing, ID3Classifier, datasets, show

X, y = datasets.play_tennis()
growing = Growing(ID3Classifier(), X, y)
growing = growing.split_on(0, "Wind").grow()

# %%
# Wind tells little, so the tree is larger than that of ID3, which begins with Outlook and has 8 nodes:
picture = show(growing.model())
