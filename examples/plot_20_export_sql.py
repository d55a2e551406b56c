"""
A model where the data is: SQL
==============================

The exported query gives the same predictions as ``predict``; here DuckDB runs it.
"""

from treewright import C45Classifier, datasets, export

X, y = datasets.golf()
model = C45Classifier().fit(X, y)
query = export(model, "sql", table="days")
print(query)
