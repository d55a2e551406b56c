"""
A worksheet with its key
========================

The calculation of a node with blanks to fill in, and the same page with the answers.
"""

from treewright import ID3Classifier, datasets, lesson, show

X, y = datasets.play_tennis()
model = ID3Classifier().fit(X, y)
page = lesson(model, X, y, target="PlayTennis", width=90)
print(page.sheet())

# %%
# The key. ``page.sheet().with_key().save("sheet.tex")`` writes both on pages to print, and so do ``.html`` and ``.md``:
print(page.sheet().key())

# %%
# At the end of the sheet, one draws the tree:
picture = show(model)
