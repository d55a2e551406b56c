"""The native module: growing, walking, reading and writing, without any policy."""

from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

__version__: str
MISSING: int
UNSEEN: int
STOP: int

@final
class Forest:
    """Trees over the same columns; frozen."""

    n_features: int
    n_outputs: int
    n_trees: int

    @staticmethod
    def from_tables(
        levels: Sequence[int | None], outputs: int, trees: Sequence[Mapping[str, NDArray[Any]]]
    ) -> Forest: ...
    @staticmethod
    def from_bytes(data: bytes) -> tuple[Forest, str]: ...
    def to_bytes(self, document: str) -> bytes: ...
    def tree(self, index: int) -> Tree: ...
    def apply(self, tree: int, columns: Sequence[NDArray[Any]]) -> NDArray[np.uint32]: ...
    def predict(self, columns: Sequence[NDArray[Any]]) -> NDArray[np.float64]: ...

@final
class Tree:
    """The node table of one tree as read-only arrays that share its memory."""

    n_nodes: int
    n_outputs: int
    first_child: NDArray[np.uint32]
    n_children: NDArray[np.uint16]
    feature: NDArray[np.uint32]
    threshold: NDArray[np.float64]
    route_start: NDArray[np.uint32]
    missing: NDArray[np.uint16]
    value: NDArray[np.float64]
    weight: NDArray[np.float64]
    count: NDArray[np.uint32]
    cost: NDArray[np.float64]
    gain: NDArray[np.float64]
    route: NDArray[np.uint16]

def grow(
    recipe: Mapping[str, Any],
    levels: Sequence[int | None],
    columns: Sequence[NDArray[Any]],
    target: NDArray[np.uint32],
    classes: int,
    weights: NDArray[np.float64] | None,
) -> Forest: ...
def words() -> dict[str, list[str]]: ...
