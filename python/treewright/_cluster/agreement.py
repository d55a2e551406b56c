"""Steps that all processes of a fit take together: an error in one is raised in all, so that none waits for another."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from treewright import _core
from treewright._cluster.packed_rows import PackedRows
from treewright.errors import PeerLostError

__all__ = [
    "Numbered",
    "agree",
    "agree_on_first",
    "agree_on_own",
    "gather_in_first",
    "gather_rows",
    "send_to_first",
]

T = TypeVar("T")

# A partition with its number, coded by the table.
Numbered = tuple[int, PackedRows]


def agree(peers: _core.Peers, work: Callable[[], T]) -> list[T]:
    """Do something in every process; return what all got, or raise the first error of any."""
    value, error = _try(work)
    # Every process has proven that it belongs to this fit, so what it sends may be unpickled.
    answers = [pickle.loads(data) for data in peers.gather(pickle.dumps((value, error), 5))]
    _raise_first(error for _, error in answers)
    return [value for value, _ in answers]


def agree_on_first(peers: _core.Peers, work: Callable[[], T]) -> T:
    """Do something in the first process; return what it got in all of them, or raise its error in all."""
    value = agree(peers, lambda: work() if peers.rank == 0 else None)[0]
    assert value is not None, "without an error there is a result"
    return value


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


def gather_in_first(peers: _core.Peers, packed: Sequence[Numbered]) -> list[PackedRows]:
    """Return the rows of all processes in the order of the partitions; nothing but in the first process."""
    return _in_order(send_to_first(peers, list(packed)))


def gather_rows(peers: _core.Peers, packed: Sequence[Numbered]) -> list[PackedRows]:
    """Return the rows of all processes in the order of the partitions, in every process."""
    own = pickle.dumps(list(packed), protocol=5)
    return _in_order([pickle.loads(data) for data in peers.gather(own)])


def send_to_first(peers: _core.Peers, value: T) -> list[T]:
    """Return what each process gives, in the order of ranks; nothing but in the first process."""
    own = pickle.dumps(value, protocol=5)
    sent = peers.exchange([own if rank == 0 else b"" for rank in range(peers.size)])
    return [] if peers.rank > 0 else [pickle.loads(data) for data in sent]


def _in_order(sent: Sequence[Sequence[Numbered]]) -> list[PackedRows]:
    pairs = [pair for pairs in sent for pair in pairs]
    return [rows for _, rows in sorted(pairs, key=lambda pair: pair[0])]
