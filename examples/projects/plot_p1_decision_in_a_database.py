"""
A decision that runs in the database
====================================

Which labor agreements are acceptable? Train on 57 agreements, check the tree, and let the database decide: the exported
query gives the prediction of every row, and the reason that a clerk can read.
"""

import sqlite3

from treewright import C45Classifier, datasets, explain, export, show

X, y = datasets.labor()
model = C45Classifier().fit(X, y)
picture = show(model)

# %%
# Is it better than no model at all? On rows that it has not seen:
from treewright import ZeroRClassifier, compare

print(compare({"C4.5": C45Classifier(), "always the majority": ZeroRClassifier()}, X, y))

# %%
# The table in a database (a file or a server would do as well), and the query:
database = sqlite3.connect(":memory:")
columns = ", ".join(f'"{name}"' for name in X.columns)
database.execute(f"create table agreements ({columns})")
rows = zip(*(X[name] for name in X.columns), strict=True)
database.executemany(f"insert into agreements values ({', '.join('?' * len(X.columns))})", rows)
query = export(model, "sql", table="agreements", dialect="sqlite")
print(query[:400], "...")

# %%
# The database and Python agree on every row:
predicted = [row[-1] for row in database.execute(query)]
print(predicted == model.predict(X).tolist(), len(predicted))

# %%
# The reason for the first row, in words:
print(explain(model, X[:1]))
