"""
Take another question than the best
===================================

Grow a tree step by step: the teacher asks for Wind first, and the rest grows by itself.
"""

from treewright import Growing, ID3Classifier, datasets, show

X, y = datasets.play_tennis()
growing = Growing(ID3Classifier(), X, y)
growing.split_on(0, "Wind")
growing.grow()
picture = show(growing.model())
