"""The splits of a tree as plain values: ordered tests of a node, regions that a path leads to.

Exports write them in other languages; explanations compare a row with them. The core decides where a row goes.
"""

from treewright._model.paths.ends import ends
from treewright._model.paths.ordered_tests import (
    DIVIDED,
    Above,
    Among,
    AtMost,
    BranchTests,
    Missing,
    OrderedTests,
    Test,
)
from treewright._model.paths.outline import outline
from treewright._model.paths.regions import Codes, Interval, Region, Values, walk_regions

__all__ = [
    "DIVIDED",
    "Above",
    "Among",
    "AtMost",
    "BranchTests",
    "Codes",
    "Interval",
    "Missing",
    "OrderedTests",
    "Region",
    "Test",
    "Values",
    "ends",
    "outline",
    "walk_regions",
]
