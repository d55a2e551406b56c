"""
A lecture from one table
========================

Lesson page, exercise sheet with key, and the first calculation on a slide, from seven rows.
"""

from pathlib import Path
from tempfile import mkdtemp

from treewright import ID3Classifier, datasets, lesson, show, work

X, y = datasets.near_cool()
model = ID3Classifier().fit(X, y)
picture = show(model)

# %%
# The files of the lecture:
folder = Path(mkdtemp())
page = lesson(model, X, y, quiz=True, width=90)
page.save(str(folder / "lesson.html"))
page.sheet().save(str(folder / "sheet.tex"))
page.sheet().with_key().save(str(folder / "key.tex"))
print(sorted(path.name for path in folder.iterdir()))

# %%
# The calculation of the first question, rounded at every step as on a blackboard:
print(work(model, rounding="lecture"))
