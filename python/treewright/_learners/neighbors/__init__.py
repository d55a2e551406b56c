"""The nearest rows and predictions from them: ``nearest`` and the k-neighbors models.

``metric`` defines the distance and converts rows to the form that the core searches; ``votes`` turns neighbors into
predictions; ``choose_k`` chooses their number; ``neighbor_explanation`` shows the calculation. The core searches.
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
