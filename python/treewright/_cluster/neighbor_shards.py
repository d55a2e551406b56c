"""Nearest neighbors among rows in several places: each place names its nearest rows, and the nearest of all are kept.

Among rows at the same distance the one with the smaller number is nearer, as in one table, so the neighbors do not
depend on the partitions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._cluster.merged_schema import MergedSchema, encode_part
from treewright._cluster.packed_rows import PackedRows, align
from treewright._cluster.table_facts import TableFacts
from treewright._learners.neighbors.metric import Space, SpaceRows
from treewright._learners.neighbors.search_index import SearchIndex
from treewright._learners.neighbors.votes import check_weights, weigh

__all__ = ["NeighborShard", "Shortlist", "build_shard", "search_shard", "vote"]


@dataclass(eq=False)
class NeighborShard:
    """The training rows of one partition, with an index that is built where they lie."""

    space: Space
    rows: SpaceRows
    labels: NDArray[Any]
    start: int
    index: SearchIndex | None = None

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"index": None}

    def built(self, threads: int) -> SearchIndex:
        """Return the index of the rows."""
        if self.index is None:
            self.rows = _align_rows(self.rows)
            self.index = SearchIndex(self.space, self.rows, threads)
        return self.index


@dataclass(frozen=True, eq=False)
class Shortlist:
    """The nearest rows of some queries: numbers, distances and labels, nearest first."""

    rows: NDArray[np.int64]
    distances: NDArray[np.float64]
    labels: NDArray[Any]


def build_shard(
    part: PackedRows, facts: TableFacts, merged: MergedSchema, space: Space, start: int
) -> NeighborShard:
    """Return the rows of a partition in the space of the model."""
    columns = encode_part(part, facts, merged)
    if isinstance(columns, np.ndarray):
        columns = [np.ascontiguousarray(column, dtype=np.float64) for column in columns.T]
    return NeighborShard(space, space.arrange(columns), part.target, start)


def _align_rows(rows: SpaceRows) -> SpaceRows:
    return SpaceRows(align(rows.numbers), [align(codes) for codes in rows.codes])


def search_shard(
    shard: NeighborShard, queries: SpaceRows | None, k: int, threads: int
) -> Shortlist | None:
    """Return the nearest rows of one partition; None for no queries."""
    if queries is None:
        return None
    index = shard.built(threads).built()
    queries = _align_rows(queries)
    near, distances = index.search(queries.numbers, queries.codes, k, threads)
    return Shortlist(near.astype(np.int64) + shard.start, distances, shard.labels[near])


def merge_shortlists(lists: Sequence[Shortlist], k: int) -> Shortlist:
    """Return the nearest rows of all: by distance, then by number."""
    rows = np.concatenate([each.rows for each in lists], axis=1)
    distances = np.concatenate([each.distances for each in lists], axis=1)
    labels = np.concatenate([each.labels for each in lists], axis=1)
    order = np.lexsort((rows, distances), axis=1)[:, :k]
    return Shortlist(
        np.take_along_axis(rows, order, axis=1),
        np.take_along_axis(distances, order, axis=1),
        np.take_along_axis(labels, order, axis=1),
    )


def vote(model: Any, lists: Sequence[Shortlist]) -> NDArray[np.float64]:
    """Return what a neighbor model predicts from the nearest rows of its partitions."""
    best = merge_shortlists(lists, model.n_neighbors_)
    count = len(best.rows)
    places = np.arange(best.rows.size).reshape(best.rows.shape)
    weights = weigh(best.distances, check_weights(model.weights))
    voter = object.__new__(type(model))  # copy.copy would leave out what a pickle leaves out
    voter.__dict__.update(vars(model))
    voter._forest = SimpleNamespace(target=best.labels.ravel())
    voter._find_neighbors = lambda _: (count, iter([(slice(0, count), places, weights)]))
    values: NDArray[np.float64] = voter._predict_values(None)
    return values
