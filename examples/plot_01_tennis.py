"""
Fourteen days of tennis
=======================

ID3 on Quinlan's table: the tree, its rules, and the calculation behind its first question.
"""

from treewright import ID3Classifier, datasets, show, work

X, y = datasets.play_tennis()
model = ID3Classifier().fit(X, y)
picture = show(model)

# %%
# The same tree as rules:
print(show(model, style="rules"))

# %%
# Why Outlook is asked first: the entropy of all rows, and what remains after each possible question.
print(work(model))
