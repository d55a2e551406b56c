"""The connections of a fit, seen from one worker: sockets where they can be opened, else Dask's own messages.

The port of a worker is bound to the address at which the worker itself listens, so a cluster on loopback has no port
outside of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import socket
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treewright import _core
from treewright.errors import PeerLostError

__all__ = ["Meeting", "ask_to_close", "can_reach", "close_connections", "connect", "open_port"]

TRY_SECONDS = 5.0  # to reach another worker's port
WAIT_SECONDS = 60.0  # for the tasks of all workers to begin
SILENCE_SECONDS = 30.0  # of another worker


@dataclass(frozen=True)
class Meeting:
    """Where the processes of one attempt of a fit meet: their workers, ports, secret, and how they connect."""

    fit: str
    attempt: int
    workers: tuple[str, ...]
    ports: tuple[str, ...]
    secret: bytes
    by_sockets: bool

    @property
    def key(self) -> str:
        """The name of the attempt."""
        return f"{self.fit}-{self.attempt}"


class _Open:
    """What a worker process has open, by fit and worker: several workers may share a process."""

    listeners: dict[tuple[str, str], Any]
    peers: dict[tuple[str, str], Any]
    mailboxes: dict[tuple[str, str], _Mailbox]

    def __init__(self) -> None:
        self.listeners, self.peers, self.mailboxes = {}, {}, {}
        self.lock = threading.Lock()


OPEN = _Open()


def open_port(key: str, dask_worker: Any = None) -> str:
    """Open a port for a fit where the worker listens, and return its address; run on each worker."""
    host = _host(dask_worker.address)
    listener = _core.MeshListener(host)
    with OPEN.lock:
        OPEN.listeners[key, dask_worker.address] = listener
        OPEN.mailboxes[key, dask_worker.address] = _Mailbox()
    dask_worker.handlers.setdefault("treewright_message", _receive)
    return str(listener.address)


def _host(address: str) -> str:
    """Return the host of a worker's address; loopback for a worker in this process."""
    from distributed.comm import get_address_host

    return "127.0.0.1" if address.startswith("inproc://") else str(get_address_host(address))


def can_reach(ports: Sequence[str]) -> bool:
    """Whether this worker can open a connection to all ports; run on each worker."""
    for port in ports:
        host, _, number = port.rpartition(":")
        try:
            socket.create_connection((host.strip("[]"), int(number)), TRY_SECONDS).close()
        except OSError:
            return False
    return True


def connect(meeting: Meeting, rank: int, worker: Any) -> tuple[Any, Callable[[], int]]:
    """Return the processes of a fit as the core adds up over them, and a function that counts the bytes sent.

    It waits until all have come.
    """
    place = (meeting.key, worker.address)
    with OPEN.lock:
        listener = OPEN.listeners.pop(place, None)
    if listener is None:
        raise PeerLostError("the port of this worker is closed", rank)
    peers: Any
    if meeting.by_sockets:
        peers = listener.connect(
            rank,
            list(meeting.ports),
            meeting.secret,
            meeting.fit,
            meeting.attempt,
            connect_timeout=WAIT_SECONDS,
            silence=SILENCE_SECONDS,
            certificates=_certificates(worker),
        )
        count = lambda: int(peers.counters["bytes_sent"])  # noqa: E731
    else:
        listener.close()
        with OPEN.lock:
            mailbox = OPEN.mailboxes[place]
        exchange = _Exchange(meeting, rank, worker, mailbox)
        peers = _core.CallbackPeers(rank, len(meeting.workers), exchange.gather, exchange.leave)
        count = lambda: exchange.sent  # noqa: E731
    with OPEN.lock:
        OPEN.peers[place] = peers
    return peers, count


def _certificates(worker: Any) -> tuple[bytes, bytes, bytes] | None:
    """Return certificate, key and authority of a worker of an encrypted cluster, as PEM texts."""
    if not worker.address.startswith("tls://"):
        return None
    security = worker.security
    names = ("tls_worker_cert", "tls_worker_key", "tls_ca_file")
    texts = [getattr(security, name) for name in names]
    cert, key, ca = (
        text.encode() if "\n" in text else Path(text).read_bytes() for text in map(str, texts)
    )
    return cert, key, ca


def close_connections(key: str, dask_worker: Any = None) -> None:
    """Close what a worker has open for a fit, so that nobody waits; run on each worker."""
    place = (key, dask_worker.address)
    with OPEN.lock:
        listener, peers = OPEN.listeners.pop(place, None), OPEN.peers.pop(place, None)
        mailbox = OPEN.mailboxes.pop(place, None)
    for each in (peers, mailbox):
        if each is not None:
            each.leave()
    if listener is not None:
        with contextlib.suppress(Exception):
            listener.close()


async def ask_to_close(key: str, dask_worker: Any = None) -> None:
    """Close what a worker has open for a fit; the client need not wait for it."""
    close_connections(key, dask_worker)


class _Mailbox:
    """Messages of other workers, by their rank and number."""

    def __init__(self) -> None:
        self._messages: queue.Queue[tuple[int, int, bytes] | None] = queue.Queue()
        self._early: dict[tuple[int, int], bytes] = {}

    def put(self, rank: int, number: int, data: bytes) -> None:
        """Add a message."""
        self._messages.put((rank, number, data))

    def take(self, rank: int, number: int) -> bytes:
        """Return a message; waits for it."""
        while (rank, number) not in self._early:
            try:
                message = self._messages.get(timeout=WAIT_SECONDS)
            except queue.Empty:
                message = None
            if message is None:
                raise PeerLostError(f"process {rank} of the fit has not answered", rank)
            self._early[message[0], message[1]] = message[2]
        return self._early.pop((rank, number))

    def leave(self) -> None:
        """Wake whoever waits."""
        self._messages.put(None)


async def _receive(
    comm: Any = None, key: str = "", to: str = "", rank: int = 0, number: int = 0, data: Any = b""
) -> str:
    """Take a message of another worker: a handler of Dask."""
    with OPEN.lock:
        mailbox = OPEN.mailboxes.get((key, to))
    if mailbox is None:
        return "closed"
    mailbox.put(rank, number, bytes(data))
    return "OK"


class _Exchange:
    """The processes of a fit, connected by messages of Dask: slow, but they go wherever Dask's own go."""

    def __init__(self, meeting: Meeting, rank: int, worker: Any, mailbox: _Mailbox) -> None:
        self._meeting, self._rank, self._worker = meeting, rank, worker
        self._mailbox, self._number = mailbox, 0
        self.sent = 0

    def gather(self, data: bytes) -> list[bytes]:
        """Send bytes to all processes, and return those of all."""
        self._number += 1
        others = [r for r in range(len(self._meeting.workers)) if r != self._rank]
        sending = asyncio.run_coroutine_threadsafe(
            self._send_all(others, data), self._worker.loop.asyncio_loop
        )
        parts = {rank: self._mailbox.take(rank, self._number) for rank in others}
        parts[self._rank] = data
        sending.result(WAIT_SECONDS)
        self.sent += len(data) * len(others)
        return [parts[rank] for rank in range(len(self._meeting.workers))]

    async def _send_all(self, others: Sequence[int], data: bytes) -> None:
        await asyncio.gather(*(self._send(rank, data) for rank in others))

    async def _send(self, rank: int, data: bytes) -> None:
        address = self._meeting.workers[rank]
        try:
            answer = await self._worker.rpc(address).treewright_message(
                key=self._meeting.key, to=address, rank=self._rank, number=self._number, data=data
            )
        except OSError as error:
            self._mailbox.leave()
            raise PeerLostError(f"worker {address} cannot be reached", rank) from error
        if answer != "OK":
            self._mailbox.leave()
            raise PeerLostError(f"worker {address} has left the fit", rank)

    def leave(self) -> None:
        """Wake whoever waits here."""
        self._mailbox.leave()
