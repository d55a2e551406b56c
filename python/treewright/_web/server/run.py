"""Starting and stopping the server: a socket on the loopback interface, an address with a token, an end after hours.

The token stands in the fragment of the address: browsers send no fragment to any server and no log shows it.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import uvicorn

from treewright._web.server.guard import Guard, new_token
from treewright._web.server.routes import build_app
from treewright._web.server.workspace import Workspace

__all__ = ["Server", "serve"]

LOOPBACK = "127.0.0.1"
IDLE_SECONDS = 2 * 60 * 60
CHECK_SECONDS = 5
# Connections that may be open at once. A page needs a few; the rest is for slow uploads that must block nobody.
MAX_CONNECTIONS = 256


@dataclass
class Server:
    """A server that is about to run.

    Parameters
    ----------
    workspace : Workspace
        The tables and trees.
    max_upload : int
        The largest table in bytes.
    port : int, default=0
        The port; 0 is one that is free.
    idle_seconds : float, default=7200
        It stops after so long without a request.
    """

    workspace: Workspace
    max_upload: int
    port: int = 0
    idle_seconds: float = IDLE_SECONDS

    def __post_init__(self) -> None:
        self.token = new_token()
        # With the protocol named, asyncio switches Nagle's algorithm off: answers of two parts wait 40 ms otherwise.
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind((LOOPBACK, self.port))
        self.port = self._socket.getsockname()[1]
        self._last_request = time.monotonic()

    @property
    def address(self) -> str:
        """The address to open, with the token in its fragment."""
        return f"http://{LOOPBACK}:{self.port}/#token={self.token}"

    def run(self, ready: Callable[[], None] = lambda: None) -> None:
        """Answer requests until somebody stops it; ``ready`` is called once it listens."""
        try:
            asyncio.run(self._run(ready))
        finally:
            self._socket.close()

    async def _run(self, ready: Callable[[], None]) -> None:
        app = build_app(self.workspace)
        guard = Guard(self._noticed(app), self.token, self.port, self.max_upload)
        config = uvicorn.Config(
            guard,
            log_config=None,
            access_log=False,  # a log would be one more place for names of tables
            server_header=False,
            proxy_headers=False,
            date_header=False,
            lifespan="off",
            ws="none",
            http="h11",
            limit_concurrency=MAX_CONNECTIONS,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=2,
        )
        server = uvicorn.Server(config)
        self.workspace.on_quit = lambda: setattr(server, "should_exit", True)
        watcher = asyncio.create_task(self._watch(server, ready))
        try:
            await server.serve(sockets=[self._socket])
        finally:
            watcher.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await watcher
            self.workspace.close()

    def _noticed(self, app: Any) -> Any:
        """Remember when the last request came that passed the guard."""

        async def noticed(scope: Any, receive: Any, send: Any) -> None:
            self._last_request = time.monotonic()
            await app(scope, receive, send)

        return noticed

    async def _watch(self, server: Any, ready: Callable[[], None]) -> None:
        """Say when the server listens; stop it when nobody has asked for anything for long."""
        while not server.started:
            await asyncio.sleep(0.01)
        ready()
        while not server.should_exit:
            await asyncio.sleep(min(CHECK_SECONDS, self.idle_seconds))
            if time.monotonic() - self._last_request > self.idle_seconds:
                server.should_exit = True


def serve(
    workspace: Workspace, *, max_upload: int, ready: Callable[[str], None], port: int = 0
) -> None:
    """Run a server until Ctrl-C, the page or a long silence stops it; ``ready`` gets its address."""
    server = Server(workspace, max_upload, port)
    server.run(lambda: ready(server.address))
