"""Who may talk to the server: requests of this machine's own page, with the token, to the server's own name.

Every request passes here first. A page of another site cannot read or change anything: the ``Host`` header must name
the loopback interface (no DNS rebinding), ``Origin`` must be this server, and every call carries a token that only
the person who started the server has. There are no cookies and no CORS headers.
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any

from treewright._web.server.failures import failure_body
from treewright.errors import UsageError

__all__ = ["Guard", "TooLargeError", "new_token"]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

BODY_TYPES = {b"application/json", b"text/csv", b"application/octet-stream"}
UNSAFE = {"POST", "PATCH", "PUT", "DELETE"}
METHODS = {"GET", "HEAD", *UNSAFE}
# Headers of every answer. The page's own policy is stricter and in its head; this one is for everything else.
SAFETY = [
    (b"cache-control", b"no-store"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
]
NOTHING = b"default-src 'none'; frame-ancestors 'none'"


def new_token() -> str:
    """Return a token of 256 random bits."""
    import secrets

    return secrets.token_urlsafe(32)


class TooLargeError(UsageError):
    """The body of a request is larger than the server accepts."""

    status = 413

    def __init__(self, limit: int) -> None:
        super().__init__(_too_large(limit), slug="server.too-large")


@dataclass(frozen=True)
class Guard:
    """An ASGI application that checks a request before it hands it on.

    Parameters
    ----------
    app : ASGI application
        What answers the requests that pass.
    token : str
        What every call of the interface must carry.
    port : int
        The port of the server: a part of its name.
    max_body : int
        The largest body in bytes.
    """

    app: App
    token: str
    port: int
    max_body: int

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # a WebSocket: nothing here speaks it
            await send({"type": "websocket.close", "code": 1008})
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            await _answer(send, *refusal)
            return
        await self.app(scope, _limited(receive, self.max_body), _with_safety(send))

    def _refusal(self, scope: Scope) -> tuple[int, str, str] | None:
        """Return the status, slug and message of a request that is not answered, or None."""
        headers: list[tuple[bytes, bytes]] = scope["headers"]
        if not self._is_own_name(_only(headers, b"host")):
            return 421, "server.host", "this server answers only to the address that it printed"
        if scope["method"] not in METHODS:
            return 405, "server.method", f"the method {scope['method'][:20]!a} is not allowed"
        if not str(scope["raw_path"][:1], "latin-1").startswith("/"):
            return 400, "server.path", "the request must name a path of this server"
        if not self._is_same_origin(headers):
            return 403, "server.origin", "this request comes from a page of another site"
        if scope["path"].startswith("/api") and not self._has_token(headers):
            return (
                401,
                "server.token",
                "the token is missing or wrong: open the address that was printed",
            )
        return self._body_refusal(scope["method"], headers)

    def _is_own_name(self, host: bytes | None) -> bool:
        names = (f"{name}:{self.port}" for name in ("127.0.0.1", "localhost", "[::1]"))
        return host is not None and host in {name.encode() for name in names}

    def _is_same_origin(self, headers: list[tuple[bytes, bytes]]) -> bool:
        origins = [value for name, value in headers if name == b"origin"]
        sites = [value for name, value in headers if name == b"sec-fetch-site"]
        own = [b"http://" + (_only(headers, b"host") or b"")]
        return origins in ([], own) and sites in ([], [b"same-origin"], [b"none"])

    def _has_token(self, headers: list[tuple[bytes, bytes]]) -> bool:
        sent = _only(headers, b"authorization") or b""
        return hmac.compare_digest(sent, b"Bearer " + self.token.encode())

    def _body_refusal(
        self, method: str, headers: list[tuple[bytes, bytes]]
    ) -> tuple[int, str, str] | None:
        if method not in UNSAFE:
            return None
        length = _only(headers, b"content-length")
        if length is not None and (not length.isdigit() or int(length[:20]) > self.max_body):
            return 413, "server.too-large", _too_large(self.max_body)
        kind = (_only(headers, b"content-type") or b"").partition(b";")[0].strip().lower()
        has_body = length not in (None, b"0") or _only(headers, b"transfer-encoding") is not None
        if has_body and kind not in BODY_TYPES:
            return 415, "server.content-type", "the body must be application/json or text/csv"
        return None


def _only(headers: list[tuple[bytes, bytes]], name: bytes) -> bytes | None:
    """Return the value of a header that stands there exactly once."""
    values = [value for key, value in headers if key == name]
    return values[0] if len(values) == 1 else None


def _limited(receive: Receive, limit: int) -> Receive:
    """Count the bytes of a body, because its length may not have been told or not be true."""
    seen = 0

    async def counted() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > limit:
            raise TooLargeError(limit)
        return message

    return counted


def _with_safety(send: Send) -> Send:
    async def safe(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", []))
            own = {name.lower() for name, _ in headers}
            policy = [(b"content-security-policy", NOTHING)]
            headers += [pair for pair in [*SAFETY, *policy] if pair[0] not in own]
            message = {**message, "headers": headers}
        await send(message)

    return safe


async def _answer(send: Send, status: int, slug: str, message: str) -> None:
    body = failure_body(slug, message)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    safe = _with_safety(send)
    await safe(
        {
            "type": "http.response.start",
            "status": status,
            "headers": [*headers, (b"connection", b"close")],
        }
    )
    await safe({"type": "http.response.body", "body": body})


def _too_large(limit: int) -> str:
    return (
        f"the table is larger than {limit // 1_000_000:,} MB: start the workbench with --max-upload"
    )
