"""
Which customers have left?
==========================

A shop that sells CDs sees who orders, but nobody says goodbye. Of 2,357 customers who ordered for the first time in the
winter of 1997, 1,673 never ordered again from October on. Who has left, and whom is it worth writing to?

The table ``customers.csv`` has one row for each customer, with what was known on the last day of September. It is made
from the orders of CDNOW that Peter Fader and Bruce Hardie published; ``status`` says what happened in the nine months
after it.
"""

import numpy as np
from sklearn.model_selection import train_test_split

from treewright import (
    CARTClassifier,
    GradientBoostingClassifier,
    RandomForestClassifier,
    ZeroRClassifier,
    choose_threshold,
    compare,
    explain,
    inspect,
    lift_curve,
    read_csv,
    show,
)

table = read_csv("customers.csv")
print(inspect(table))

# %%
# Three parts: one to train on, one to choose a threshold, and one that takes part in neither.
X, y = table.drop(["status"]), np.array(table.column("status").values())
rest, test = train_test_split(range(len(y)), test_size=0.3, random_state=0, stratify=list(y))
train, check = train_test_split(rest, test_size=0.4, random_state=0, stratify=list(y[rest]))

# %%
# **A tree that can be read.** It asks first how long ago the last order was, then how much was spent:
tree = CARTClassifier(max_depth=3, min_samples_leaf=30).fit(X[train], y[train])
picture = show(tree)

# %%
# **Which algorithm?** Accuracy is a poor measure here, because "everybody has left" is right for 71%. The AUC says how
# well a model puts those who stay before those who leave:
print(
    compare(
        {
            "the tree": CARTClassifier(max_depth=3, min_samples_leaf=30),
            "forest": RandomForestClassifier(min_samples_leaf=10, random_state=0),
            "boosting": GradientBoostingClassifier(n_estimators=50, max_leaf_nodes=4),
            "all have left": ZeroRClassifier(),
        },
        X[rest],
        y[rest],
        measures=["auc", "accuracy"],
    )
)

# %%
# **What do errors cost?** Say that a letter costs 2 dollars, and that a customer who would stay, but gets no letter, is
# a loss of 10. Then the threshold that costs least is far below one half:
model = GradientBoostingClassifier(n_estimators=50, max_leaf_nodes=4).fit(X[train], y[train])
choice = choose_threshold(model, X[check], y[check], positive="stays", fp=2, fn=10)
print(choice)

# %%
# The cost at every threshold:
picture = choice

# %%
# **What will it cost?** Only the customers who took part in neither step can tell:
probability = model.predict_proba(X[test])[:, list(model.classes_).index("stays")]
stays = y[test] == "stays"
for name, threshold in [
    ("chosen", choice.threshold),
    ("0.5", 0.5),
    ("to all", 0),
    ("to nobody", 2),
]:
    letter = probability >= threshold
    cost = 2 * (letter & ~stays).sum() + 10 * (~letter & stays).sum()
    print(f"{name:10} {letter.sum():3} letters to {len(test)} customers, cost {cost:5} dollars")

# %%
# A letter to everybody would cost 130 dollars more, and the usual threshold of 0.5 even 306.
#
# **Whom first?** If there is money for some letters only, the order is what counts. The fraction of all who stay among
# the customers with the highest probability:
picture = lift_curve(model, X[test], y[test], positive="stays")

# %%
# **Why this customer?** The first of them, and what each column contributes:
first = test[int(probability.argmax())]
print(explain(model, X[first : first + 1]))
