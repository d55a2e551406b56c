"""A fit that several processes run together: each reads its partitions and takes the same steps as the others.

An engine only has to start the processes and to connect them; nothing is decided outside of them. An error in one
process is raised in all, so that an engine does not take it for a lost process and begin again.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from treewright import _core
from treewright._cluster.divided_trees import fit_divided, is_divisible
from treewright._cluster.gathered_fits import FittedModel, fit_rows
from treewright._cluster.packed_rows import PackedRows, join_rows, pack_partition
from treewright._cluster.partitions import read_partition
from treewright._cluster.table_facts import TableFacts, describe_partition, merge_partitions
from treewright.errors import PeerLostError

__all__ = ["RawPartition", "agree", "fit_together"]

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class RawPartition:
    """A partition as an engine holds it, and its number among all partitions."""

    number: int
    X: Any
    y: Any
    sample_weight: Any = None


def fit_together(
    peers: _core.Peers, parts: Sequence[RawPartition], estimator: Any, classes: bool
) -> FittedModel:
    """Fit a local estimator to the rows of all processes; every process returns the same model.

    Parameters
    ----------
    peers : Peers
        The processes.
    parts : sequence of RawPartition
        The partitions that this process holds.
    estimator : estimator
        A local estimator with the parameters of the fit.
    classes : bool
        Whether the target holds classes; otherwise numbers.
    """
    facts, packed = read_together(peers, parts, classes)
    if is_divisible(estimator, facts):
        return fit_divided(peers, [rows for _, rows in packed], facts, estimator)
    # Only the first process needs the rows of the others.
    own = pickle.dumps(packed, protocol=5)
    sent = peers.exchange([own if rank == 0 else b"" for rank in range(peers.size)])

    def fit() -> FittedModel | None:
        if peers.rank > 0:
            return None
        pairs = [pair for data in sent for pair in pickle.loads(data)]
        rows = join_rows([rows for _, rows in sorted(pairs, key=lambda pair: pair[0])], facts)
        return fit_rows(estimator, rows, facts.is_named, 1)

    model = agree(peers, fit)[0]
    assert model is not None, "the first process fits"
    return model


def read_together(
    peers: _core.Peers, parts: Sequence[RawPartition], classes: bool
) -> tuple[TableFacts, list[tuple[int, PackedRows]]]:
    """Return what is known of the table, and the rows of this process: each partition with its number, coded."""
    read = agree_on_own(
        peers,
        lambda: [
            (each.number, read_partition(each.number, each.X, each.y, each.sample_weight, classes))
            for each in parts
        ],
    )
    described = agree(peers, lambda: [(number, describe_partition(part)) for number, part in read])
    ordered = sorted((pair for pairs in described for pair in pairs), key=lambda pair: pair[0])
    facts = merge_partitions([each for _, each in ordered])
    packed = agree_on_own(
        peers, lambda: [(number, pack_partition(number, part, facts)) for number, part in read]
    )
    return facts, packed


def agree(peers: _core.Peers, work: Callable[[], T]) -> list[T]:
    """Do something in every process; return what all got, or raise the first error of any."""
    value, error = _try(work)
    # Every process has proven that it belongs to this fit, so what it sends may be unpickled.
    answers = [pickle.loads(data) for data in peers.gather(pickle.dumps((value, error), 5))]
    _raise_first(error for _, error in answers)
    return [value for value, _ in answers]


def agree_on_own(peers: _core.Peers, work: Callable[[], T]) -> T:
    """Do something in every process whose result the others do not need; raise the first error of any."""
    value, error = _try(work)
    _raise_first(pickle.loads(data) for data in peers.gather(pickle.dumps(error, 5)))
    assert value is not None, "without an error there is a result"
    return value


def _try(work: Callable[[], T]) -> tuple[T | None, Exception | None]:
    try:
        return work(), None
    except PeerLostError:
        raise
    except Exception as error:
        return None, error


def _raise_first(errors: Any) -> None:
    for error in errors:
        if error is not None:
            raise error
