"""
A model where the data is: SQL
==============================

The exported query gives the same predictions as ``predict``.
"""

from treewright import CARTClassifier, datasets, export, show

X, y = datasets.golf()
model = CARTClassifier().fit(X, y)
picture = show(model)

# %%
# The same tree as a query:
query = export(model, "sql", table="days")
print(query)

# %%
# DuckDB runs it on the table, and agrees with Python on every row:
import duckdb

database = duckdb.connect()
days = X.to_pandas()
database.register("days", days)
predicted = [row[-1] for row in database.execute(query).fetchall()]
print(sum(a == b for a, b in zip(predicted, model.predict(X), strict=True)), "of", len(y))
