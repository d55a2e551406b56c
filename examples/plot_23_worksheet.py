"""
A worksheet with its key
========================

The calculation of a node with blanks to fill in, and the same page with the answers.
"""

from treewright import ID3Classifier, datasets, lesson

X, y = datasets.play_tennis()
sheet = lesson(ID3Classifier().fit(X, y), X, y, target="PlayTennis", width=90).sheet()
print(sheet)
