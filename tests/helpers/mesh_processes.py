"""Threads that stand for the processes of a fit, connected by real sockets, and a go-between that disturbs them."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from treewright import _core

SECRET = bytes(range(32))
# Nothing in a test waits for long.
QUICK: dict[str, Any] = {"timeout": 20.0, "connect_timeout": 20.0}


def run_together(
    size: int,
    work: Callable[[_core.Mesh], Any],
    host: str = "127.0.0.1",
    addresses: Callable[[int, list[str]], Sequence[str]] = lambda rank, all: all,
    **settings: Any,
) -> list[Any]:
    """Do the same in each process; return the result or the exception of each, in the order of ranks."""
    listeners = [_core.MeshListener(host) for _ in range(size)]
    known = [listener.address for listener in listeners]

    def run(rank: int) -> Any:
        try:
            mesh = listeners[rank].connect(
                rank, addresses(rank, known), SECRET, "a fit", **QUICK | settings
            )
            return work(mesh)
        except Exception as error:
            return error

    with ThreadPoolExecutor(size) as pool:
        return list(pool.map(run, range(size)))


def forward(
    source: socket.socket, target: socket.socket, change: Callable[[bytes], bytes], chunk: int
) -> None:
    """Forward bytes until one side is closed; an empty answer of `change` closes both."""
    with contextlib.suppress(OSError):
        while data := source.recv(chunk):
            changed = change(data)
            if not changed:
                break
            target.sendall(changed)
    for end in (source, target):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def go_between(
    target: str, change: Callable[[bytes], bytes] = bytes, chunk: int = 1 << 16
) -> Iterator[str]:
    """Give an address that leads to another one; what the connecting side sends is changed on the way."""
    server = socket.create_server(("127.0.0.1", 0))
    sockets: list[socket.socket] = []
    threads: list[threading.Thread] = []

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = server.accept()
                host, port = target.rsplit(":", 1)
                other = socket.create_connection((host, int(port)))
                sockets.extend((client, other))
                for end in (client, other):
                    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                for arguments in [(client, other, change, chunk), (other, client, bytes, chunk)]:
                    threads.append(threading.Thread(target=forward, args=arguments))
                    threads[-1].start()

    serving = threading.Thread(target=serve)
    serving.start()
    try:
        yield "{}:{}".format(*server.getsockname())
    finally:
        server.shutdown(socket.SHUT_RDWR)
        server.close()
        serving.join()
        for end in sockets:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        for thread in threads:
            thread.join()
        for end in sockets:
            end.close()
