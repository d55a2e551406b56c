"""C4.5 with categories and missing values, grown on adult (22,792 rows)."""

import os
import sys

from timing import OURS, in_turn, report

from treewright import C45Classifier, read_csv

path = os.environ.get("TREEWRIGHT_ADULT")
if not path:
    print("left out: TREEWRIGHT_ADULT is not the path of adult.csv")
    sys.exit()
table = read_csv(path)
names = list(table.columns)
X, y = table.drop([names[-1]]), table[names[-1]]
seconds, fitted = in_turn({OURS: lambda: C45Classifier(prune=None).fit(X, y)})
report(
    "adult_c45",
    "C4.5 on adult, grown without pruning",
    seconds,
    {OURS: 0.3},
    rows=len(table),
    nodes=int(fitted[OURS].tree_.n_nodes),
)
