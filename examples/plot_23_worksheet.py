"""
A worksheet with its key
========================

The calculation of a node with blanks to fill in, and the same page with the answers.
"""

from treewright import ID3Classifier, datasets, lesson

X, y = datasets.play_tennis()
page = lesson(ID3Classifier().fit(X, y), X, y, target="PlayTennis", width=90)
print(page.sheet())

# %%
# With the key, the answers follow the sheet. ``save("sheet.tex")`` and ``save("sheet.html")`` write pages to print:
print(page.sheet().with_key())
