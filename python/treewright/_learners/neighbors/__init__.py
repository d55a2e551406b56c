"""The nearest rows, and what they say: ``nearest``, and the estimators that answer with them.

``space`` says what near means and brings rows into the form that the core searches; ``votes`` turns neighbours into
answers; ``choice`` finds how many of them to ask; ``explanation`` shows the work. Finding them is the core's.
"""

from treewright._learners.neighbors.k_neighbors import KNeighborsClassifier, KNeighborsRegressor
from treewright._learners.neighbors.nearest import Nearest, nearest
from treewright._learners.neighbors.neighbor_explanation import (
    Neighbour,
    NeighbourExplanation,
    explain_neighbors,
)
from treewright._learners.neighbors.neighbors_summary import NeighbourView

__all__ = [
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "Nearest",
    "Neighbour",
    "NeighbourExplanation",
    "NeighbourView",
    "explain_neighbors",
    "nearest",
]
