"""Who may talk to the server of the workbench: the row "Web workbench" of the threats, by raw sockets."""

from __future__ import annotations

import itertools
import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("uvicorn")

from server_process import Client, running_server


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with running_server(max_upload=100_000) as client:
        yield client


def host_variants(port: int) -> list[str]:
    """Names that are not this server's, as attackers write them."""
    names = [
        "evil.com",
        "127.0.0.1.evil.com",
        "localhost.evil.com",
        "evil.com@127.0.0.1",
        "0x7f000001",
        "2130706433",
    ]
    names += [
        "127.1",
        "127.0.0.2",
        "0.0.0.0",
        "[::]",
        "[::ffff:127.0.0.1]",
        "localhost.",
        "127.0.0.1.",
        "LOCALHOST",
    ]
    names += [
        "local\tхost",
        "localhost%00",
        "127。0。0。1",
        "[::1%25lo]",
        "",
        "user:pass@localhost",
        "localhost,evil.com",
    ]
    ports = [str(port), "80", "", str(port + 1), f"0{port}", f"{port} ", f"{port}/x"]
    pairs = [f"{name}:{p}" if p else name for name, p in itertools.product(names, ports)]
    return [
        *pairs,
        "127.0.0.1",
        "localhost",
        f"127.0.0.1:{port + 1}",
        f"127.0.0.1:{port}, evil.com",
    ]


def test_only_its_own_names_are_answered(client: Client) -> None:
    port = client.server.port
    for name in ("127.0.0.1", "localhost", "[::1]"):
        assert client.raw("GET / HTTP/1.1", [f"Host: {name}:{port}"]).status == 200
    for name in host_variants(port):
        answer = client.raw("GET / HTTP/1.1", [f"Host: {name}"])
        assert answer.status in (400, 421), name
    assert client.raw("GET / HTTP/1.1", []).status in (400, 421)
    twice = [f"Host: 127.0.0.1:{port}", "Host: evil.com"]
    assert client.raw("GET / HTTP/1.1", twice).status in (400, 421)
    absolute = client.raw("GET http://evil.com/ HTTP/1.1", ["Host: evil.com"])
    assert absolute.status in (400, 421)


def test_without_the_token_nothing_is_told(client: Client) -> None:
    host = f"Host: 127.0.0.1:{client.server.port}"
    token = client.server.token
    wrong = [
        "",
        "Bearer",
        "Bearer ",
        f"Bearer {token}x",
        f"Bearer {token[:-1]}",
        f"bearer {token}",
        token,
    ]
    wrong += [f"Basic {token}", f"Bearer {token.swapcase()}", f"Bearer  {token}"]
    for path, given in itertools.product(
        ("/api/tables", "/api/quit", "/api/trees/1", "/api/nothing"), wrong
    ):
        answer = client.raw(f"GET {path} HTTP/1.1", [host, f"Authorization: {given}"])
        assert answer.status == 401, given
        assert token.encode() not in answer.body
    twice = [host, f"Authorization: Bearer {token}", "Authorization: Bearer x"]
    assert client.raw("GET /api/tables HTTP/1.1", twice).status == 401
    assert client.raw(f"GET /api/tables?token={token} HTTP/1.1", [host]).status == 401
    assert client.raw("GET /api/tables HTTP/1.1", [host, f"Cookie: token={token}"]).status == 401
    assert client.call("GET", "/api/tables").status == 200


def test_pages_of_other_sites_change_nothing(client: Client) -> None:
    port = client.server.port
    origins = [
        "http://evil.com",
        "null",
        f"https://127.0.0.1:{port}",
        "http://127.0.0.1",
        "",
        f"http://localhost:{port}",
    ]
    sites = ["cross-site", "same-site", "nonsense"]
    methods = ["GET", "POST", "PATCH", "DELETE", "PUT", "OPTIONS", "HEAD"]
    for method, origin in itertools.product(methods, origins):
        answer = client.call(method, "/api/tables", b"a,b\n1,x\n2,y\n", Origin=origin)
        assert answer.status in (403, 405), (method, origin)
        assert not [name for name in answer.headers if name.startswith("access-control")]
    for method, site in itertools.product(methods, sites):
        answer = client.call(method, "/api/tables", b"a,b\n1,x\n2,y\n", Sec_Fetch_Site=site)
        assert answer.status in (403, 405), (method, site)
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        assert client.call("POST", "/api/tables", b"a,b\n1,x\n", Content_Type=kind).status == 415
    assert client.call("GET", "/api/tables").json == []


def test_every_answer_forbids_frames_scripts_and_guessing_of_types(client: Client) -> None:
    for answer in (
        client.call("GET", "/"),
        client.call("GET", "/api/tables"),
        client.call("GET", "/x"),
        client.call("GET", "/api/x", Authorization="no"),
    ):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["x-frame-options"] == "DENY"
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert "server" not in answer.headers
    page = client.call("GET", "/").body.decode()
    assert client.server.token not in page
    assert "connect-src 'self'" in page


@pytest.mark.parametrize(
    "path",
    [
        "/../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/assets/..%2f..%2fetc/passwd",
        "/..\\..\\x",
        "//etc/passwd",
        "/%00",
        "/" + "a" * 5000,
    ],
)
def test_no_path_reaches_a_file(client: Client, path: str) -> None:
    answer = client.call("GET", path)
    assert answer.status in (400, 404), answer.status
    assert b"root:" not in answer.body


def test_a_body_that_is_too_large_is_refused(client: Client) -> None:
    host = f"Host: 127.0.0.1:{client.server.port}"
    own = [host, f"Authorization: Bearer {client.server.token}", "Content-Type: text/csv"]
    told = client.raw("POST /api/tables HTTP/1.1", [*own, "Content-Length: 100001"], b"x" * 1000)
    assert told.status == 413
    assert told.json["slug"] == "server.too-large"
    chunk = b"%x\r\n" % 60_000 + b"x" * 60_000 + b"\r\n"
    untold = client.raw(
        "POST /api/tables HTTP/1.1", [*own, "Transfer-Encoding: chunked"], chunk * 3
    )
    assert untold.status == 413
    for length in ("-1", "1, 2", "0x10", "99999999999999999999999"):
        answer = client.raw(
            "POST /api/tables HTTP/1.1", [*own, f"Content-Length: {length}"], b"a,b\n"
        )
        assert answer.status in (400, 413), length


def test_websockets_are_refused(client: Client) -> None:
    upgrade = [
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: eA==",
    ]
    answer = client.raw(
        "GET /api/tables HTTP/1.1", [f"Host: 127.0.0.1:{client.server.port}", *upgrade]
    )
    assert answer.status != 101


def test_it_listens_on_the_loopback_interface_only(client: Client) -> None:
    others = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for address in others - {"127.0.0.1"}:
        if address.startswith("127."):
            continue
        with (
            pytest.raises((ConnectionError, TimeoutError)),
            socket.create_connection((address, client.server.port), timeout=2),
        ):
            pass


def test_slow_uploads_block_nobody(client: Client) -> None:
    host = f"127.0.0.1:{client.server.port}"
    head = f"POST /api/tables HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {client.server.token}\r\n"
    head += "Content-Type: text/csv\r\nContent-Length: 5000\r\n\r\n"
    slow = [socket.create_connection(("127.0.0.1", client.server.port)) for _ in range(60)]
    try:
        for stream in slow:
            stream.sendall(head.encode() + b"a,b\n")
        times = []
        for _ in range(30):
            start = time.perf_counter()
            assert client.call("GET", "/api/tables").status == 200
            times.append(time.perf_counter() - start)
            slow[0].sendall(b"1")
        assert sorted(times)[-2] < 0.5
    finally:
        for stream in slow:
            stream.close()


def test_requests_that_are_no_requests(client: Client) -> None:
    bodies: list[Any] = [
        b"",
        b"[]",
        b"{",
        b"\xff\xfe",
        b'{"table": "x"}',
        b'{"table": 1e99}',
        b"[" * 5000,
        b"null",
    ]
    for path, body in itertools.product(
        ("/api/trees", "/api/models", "/api/compare", "/api/models/1/predict"), bodies
    ):
        answer = client.call("POST", path, body, Content_Type="application/json")
        last = answer.body.decode().splitlines()[-1]
        assert answer.status in (200, 400, 404), (path, body)
        assert '"internal"' not in last, (path, body, last)
        assert "Traceback" not in last
