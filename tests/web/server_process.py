"""A server of the workbench on a thread, and requests by raw sockets: what a browser would never send."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from treewright._web.server.run import Server
from treewright._web.server.workspace import Workspace


@dataclass
class Answer:
    """An answer of the server."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Client:
    """Sends requests to a running server."""

    server: Server

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Send a request as the page does."""
        content = json.dumps(body).encode() if isinstance(body, (dict, list)) else body
        kind = "application/json" if isinstance(body, (dict, list)) else "text/csv"
        given = {"Authorization": f"Bearer {self.server.token}"}
        if content is not None:
            given |= {"Content-Type": kind, "Content-Length": str(len(content))}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        lines = [f"Host: 127.0.0.1:{self.server.port}", *(f"{n}: {v}" for n, v in given.items())]
        return self.raw(f"{method} {path} HTTP/1.1", lines, content or b"")

    def raw(self, first: str, lines: list[str], body: bytes = b"") -> Answer:
        """Send these bytes and read the answer until the server closes the connection."""
        head = "\r\n".join([first, *lines, "Connection: close", "", ""]).encode(
            "utf-8", "surrogateescape"
        )
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=20) as stream:
            stream.settimeout(20)
            # The server may answer and close before it has read everything.
            with contextlib.suppress(OSError):
                stream.sendall(head + body)
            received = b""
            try:
                while part := stream.recv(1 << 16):
                    received += part
            except ConnectionError:
                pass
        return _parse(received)


def _parse(received: bytes) -> Answer:
    head, _, body = received.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    pairs = (line.partition(": ") for line in lines)
    headers = {name.lower(): value for name, _, value in pairs}
    if headers.get("transfer-encoding") == "chunked":
        body = _unchunk(body)
    return Answer(int(first.split()[1]) if received else 0, headers, body)


def _unchunk(body: bytes) -> bytes:
    whole = b""
    while body:
        size, _, rest = body.partition(b"\r\n")
        length = int(size, 16)
        whole, body = whole + rest[:length], rest[length + 2 :]
        if not length:
            break
    return whole


@contextmanager
def running_server(max_upload: int = 50_000_000, **settings: Any) -> Iterator[Client]:
    """Run a server until the block ends."""
    server = Server(Workspace(), max_upload, **settings)
    ready = threading.Event()
    thread = threading.Thread(target=server.run, args=(ready.set,), daemon=True)
    thread.start()
    assert ready.wait(10)
    try:
        yield Client(server)
    finally:
        server.workspace.on_quit()
        thread.join(10)
        assert not thread.is_alive()
