"""Processes of a fit that are connected by functions of Python."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from treewright import _core
from treewright.errors import DataError, PeerLostError


def run_together(size: int, work: Callable[[_core.CallbackPeers], Any]) -> list[Any]:
    """Connect threads by a list that all write to and read from."""
    barrier = threading.Barrier(size, timeout=10)
    table = [b""] * size

    def run(rank: int) -> Any:
        def gather(data: bytes) -> list[bytes]:
            table[rank] = data
            barrier.wait()
            found = list(table)
            barrier.wait()
            return found

        try:
            return work(_core.CallbackPeers(rank, size, gather, barrier.abort))
        except Exception as error:
            return error

    with ThreadPoolExecutor(size) as pool:
        return list(pool.map(run, range(size)))


def test_all_processes_get_the_same() -> None:
    def work(peers: _core.CallbackPeers) -> Any:
        sums = peers.add(np.array([peers.rank, 2**64 - 1], dtype=np.uint64)).tolist()
        most = peers.max(np.array([peers.rank], dtype=np.uint64)).tolist()
        sent = peers.exchange([bytes([peers.rank, to]) for to in range(3)])
        assert sent == [bytes([other, peers.rank]) for other in range(3)]
        return sums, most, peers.gather(bytes([peers.rank]) * peers.rank)

    assert run_together(3, work) == [([3, 2**64 - 3], [2], [b"", b"\1", b"\2\2"])] * 3


def test_different_calls_are_an_error() -> None:
    def work(peers: _core.CallbackPeers) -> Any:
        return peers.add(np.zeros(2 + peers.rank, dtype=np.uint64))

    for error in run_together(2, work):
        assert isinstance(error, DataError)
        assert error.slug == "fit.peers"


def test_errors_of_the_function() -> None:
    left = []

    def lose(data: bytes) -> list[bytes]:
        raise PeerLostError("process 1 of the fit has ended", 1)

    peers = _core.CallbackPeers(0, 2, lose, lambda: left.append(True))
    with pytest.raises(PeerLostError, match="process 1") as caught:
        peers.gather(b"")
    assert caught.value.rank == 1
    assert left == [True]
    with pytest.raises(RuntimeError, match="cancelled"):
        peers.gather(b"")

    def fail(data: bytes) -> list[bytes]:
        raise OSError("no route")

    with pytest.raises(DataError, match="no route"):
        _core.CallbackPeers(0, 2, fail).gather(b"")
    with pytest.raises(ValueError, match="rank must be below"):
        _core.CallbackPeers(2, 2, fail)
