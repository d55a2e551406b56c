"""Sockets between the processes of a fit: right sums, whatever else connects, and errors instead of wrong sums."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpers.certificates import make_certificates, needs_openssl
from helpers.load import seconds
from helpers.mesh_processes import QUICK, SECRET, go_between, run_together
from treewright import _core
from treewright.errors import DataError, PeerLostError

# Bytes of the greeting that the connecting side sends before its first message: a hello and a proof.
GREETING = 76 + 32
HEADER = 64


def words(count: int, value: int) -> Any:
    return np.full(count, value, dtype=np.uint64)


def add_ranks(count: int) -> Callable[[_core.Mesh], Any]:
    return lambda mesh: mesh.add(words(count, mesh.rank + 1))


@pytest.mark.parametrize("size", [1, 2, 3, 5])
@pytest.mark.parametrize("whole_bytes", [0, 1 << 30])
def test_all_processes_get_the_same(size: int, whole_bytes: int) -> None:
    def work(mesh: _core.Mesh) -> Any:
        sums = mesh.add(words(1000, mesh.rank + 1)).tolist()
        most = mesh.max(words(3, mesh.rank)).tolist()
        lists = mesh.gather(bytes([mesh.rank]) * mesh.rank)
        sent = mesh.exchange([bytes([mesh.rank, to]) for to in range(size)])
        assert sent == [bytes([other, mesh.rank]) for other in range(size)]
        return sums, most, lists

    expected = (
        [size * (size + 1) // 2] * 1000,
        [size - 1] * 3,
        [bytes([rank]) * rank for rank in range(size)],
    )
    assert run_together(size, work, whole_bytes=whole_bytes) == [expected] * size


@pytest.mark.parametrize("count", [7_169, 5_000_000], ids=["57 KB", "40 MB"])
def test_sizes_of_messages(count: int) -> None:
    results = run_together(2, add_ranks(count))
    assert all((result == 3).all() for result in results)


def test_ipv6() -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6 loopback")
    results = run_together(3, add_ranks(10), host="::1")
    assert all((result == 6).all() for result in results)


def test_counters() -> None:
    def work(mesh: _core.Mesh) -> Any:
        mesh.add(words(100, 1))
        return mesh.counters

    first, second = run_together(2, work)
    for counters in (first, second):
        assert counters["calls"] == 1
        assert counters["bytes_sent"] == counters["bytes_received"] == 800 + HEADER
        assert 0 <= counters["seconds_waited"] < 20


@pytest.mark.parametrize(
    ("secret", "fit", "attempt"),
    [(bytes(32), "a fit", 0), (SECRET, "an old fit", 0), (SECRET, "a fit", 1)],
    ids=["wrong secret", "old fit", "old attempt"],
)
def test_others_are_refused_and_do_not_disturb(secret: bytes, fit: str, attempt: int) -> None:
    listeners = [_core.MeshListener() for _ in range(3)]
    real = [listeners[0].address, listeners[1].address]
    outcome: list[Any] = [None] * 3

    def run(place: int, rank: int, secret: bytes, fit: str, attempt: int, wait: float) -> None:
        settings = QUICK | {"connect_timeout": wait}
        try:
            mesh = listeners[place].connect(rank, real, secret, fit, attempt, **settings)
            outcome[place] = mesh.add(words(1, rank + 1)).tolist()
        except PeerLostError as error:
            outcome[place] = error

    guest = threading.Thread(target=run, args=(2, 1, secret, fit, attempt, 0.3))
    first = threading.Thread(target=run, args=(0, 0, SECRET, "a fit", 0, 20.0))
    second = threading.Thread(target=run, args=(1, 1, SECRET, "a fit", 0, 20.0))
    for thread in (guest, first):
        thread.start()
    guest.join()
    second.start()
    first.join()
    second.join()
    assert outcome[:2] == [[3], [3]]
    assert isinstance(outcome[2], PeerLostError)
    assert outcome[2].rank == 0


def test_garbage_silence_and_half_greetings_before_and_during_a_call() -> None:
    stop = threading.Event()
    listeners = [_core.MeshListener() for _ in range(2)]
    known = [listener.address for listener in listeners]
    kept: list[socket.socket] = []

    def flood() -> None:
        host, port = known[0].rsplit(":", 1)
        number = 0
        while not stop.is_set():
            with contextlib.suppress(OSError):
                guest = socket.create_connection((host, int(port)), timeout=0.05)
                guest.sendall(
                    [b"GET / HTTP/1.1\r\n\r\n", os.urandom(500), b"", b"twmesh"][number % 4]
                )
                kept.append(guest)
            number += 1
            time.sleep(0.001)

    def run(rank: int, results: list[Any]) -> None:
        mesh = listeners[rank].connect(rank, known, SECRET, "a fit", **QUICK)
        results.extend(int(mesh.add(words(1000, rank + 1)).sum()) for _ in range(200))

    results: list[Any] = []
    flooding = threading.Thread(target=flood)
    flooding.start()
    first = threading.Thread(target=run, args=(0, results))
    first.start()
    time.sleep(0.2)
    second = threading.Thread(target=run, args=(1, results))
    second.start()
    first.join()
    second.join()
    stop.set()
    flooding.join()
    for guest in kept:
        guest.close()
    assert results == [3000] * 400


def disturbed(change: Callable[[bytes], bytes], work: Callable[[_core.Mesh], Any]) -> list[Any]:
    """Run two processes; what process 1 sends to process 0 is changed on the way."""
    with contextlib.ExitStack() as stack:

        def addresses(rank: int, known: list[str]) -> list[str]:
            return (
                known
                if rank == 0
                else [stack.enter_context(go_between(known[0], change)), known[1]]
            )

        return run_together(2, work, addresses=addresses, timeout=3.0)


def after_greeting(change: Callable[[bytes, int], bytes]) -> Callable[[bytes], bytes]:
    """Change only what comes after the greeting; the second argument says where the bytes begin in the messages."""
    seen = 0

    def one(data: bytes) -> bytes:
        nonlocal seen
        begin, seen = seen, seen + len(data)
        return data if seen <= GREETING else change(data, begin - GREETING)

    return one


def test_one_byte_at_a_time() -> None:
    with contextlib.ExitStack() as stack:

        def addresses(rank: int, known: list[str]) -> list[str]:
            return (
                known
                if rank == 0
                else [stack.enter_context(go_between(known[0], chunk=1)), known[1]]
            )

        results = run_together(2, add_ranks(30), addresses=addresses)
    assert all((result == 3).all() for result in results)


def test_half_a_message() -> None:
    def work(mesh: _core.Mesh) -> Any:
        try:
            mesh.add(words(10_000, 1))  # process 1 may have its sum already
        except PeerLostError as error:
            return error
        return mesh.add(words(1, 1))

    first, second = disturbed(after_greeting(lambda data, begin: b""), work)
    assert isinstance(first, PeerLostError)
    assert isinstance(second, PeerLostError)
    assert (first.rank, second.rank) == (1, 0)


@pytest.mark.parametrize("place", [0, 20, 47, 63, 64, 800], ids=lambda place: f"byte {place}")
def test_a_changed_bit_is_never_a_wrong_sum(place: int) -> None:
    def flip(data: bytes, begin: int) -> bytes:
        if begin <= place < begin + len(data):
            changed = bytearray(data)
            changed[place - begin] ^= 4
            return bytes(changed)
        return data

    first, second = disturbed(after_greeting(flip), add_ranks(1000))
    assert isinstance(first, PeerLostError)
    assert "damaged" in str(first)
    assert isinstance(second, PeerLostError) or (second == 3).all()


def test_a_process_that_stops_reading() -> None:
    noticed = threading.Event()

    def work(mesh: _core.Mesh) -> bool:
        if mesh.rank == 1:
            return noticed.wait(60)
        with pytest.raises(PeerLostError, match="nothing for"):
            mesh.add(words(5_000_000, 1))
        noticed.set()
        return True

    assert run_together(2, work, timeout=0.5) == [True, True]


def test_different_calls() -> None:
    first, second = run_together(2, lambda mesh: mesh.add(words(3 + mesh.rank, 1)))
    assert any(
        isinstance(error, DataError) and error.slug == "fit.peers" for error in (first, second)
    )
    assert all(isinstance(error, DataError | PeerLostError) for error in (first, second))


def test_closing_wakes_a_call() -> None:
    def work(mesh: _core.Mesh) -> Any:
        if mesh.rank == 1:
            time.sleep(0.5)
            return None
        threading.Timer(0.1, mesh.close).start()
        start = time.monotonic()
        with pytest.raises(RuntimeError, match="cancelled"):
            mesh.add(words(1, 1))
        return time.monotonic() - start

    assert run_together(2, work)[0] < 1


CHILD = """
import sys, numpy as np
from treewright import _core
listener = _core.MeshListener()
print(listener.address, flush=True)
known = sys.stdin.readline().split()
mesh = listener.connect(int(sys.argv[1]), known, bytes(range(32)), "a fit")
print("connected", flush=True)
for _ in range(int(sys.argv[2])):
    sums = mesh.add(np.ones(7169, np.uint64))
assert (sums == len(known)).all()
if int(sys.argv[1]) == 0:
    try:
        mesh.add(np.ones(1, np.uint64))
    except KeyboardInterrupt:
        print("interrupted", flush=True)
else:
    sys.stdin.readline()
"""


def start_children(size: int, calls: int) -> list[subprocess.Popen[str]]:
    command = [sys.executable, "-c", CHILD]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    children = [
        subprocess.Popen([*command, str(rank), str(calls)], **pipes) for rank in range(size)
    ]
    known = " ".join(read_line(child) for child in children)
    for child in children:
        write_line(child, known)
    assert [read_line(child) for child in children] == ["connected"] * size
    return children


def read_line(child: subprocess.Popen[str]) -> str:
    assert child.stdout is not None
    return child.stdout.readline().strip()


def write_line(child: subprocess.Popen[str], line: str) -> None:
    assert child.stdin is not None
    child.stdin.write(line + "\n")
    child.stdin.flush()


def ports_of(process: int) -> list[str]:
    """Return the local addresses at which a process listens, in hexadecimal digits."""
    sockets = set()
    for entry in Path(f"/proc/{process}/fd").iterdir():
        with contextlib.suppress(OSError):
            sockets.add(os.readlink(entry))
    found = []
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{process}/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in sockets:
                found.append(fields[1].split(":")[0])
    return found


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="only Linux lists sockets in /proc")
def test_processes_listen_on_loopback_until_they_are_connected_and_hear_ctrl_c() -> None:
    listener = _core.MeshListener()
    assert ports_of(os.getpid()) == ["0100007F"]
    listener.close()
    assert ports_of(os.getpid()) == []
    children = start_children(2, 20)
    try:
        assert [ports_of(child.pid) for child in children] == [[], []]
        time.sleep(0.5)  # process 0 waits for a sum that process 1 does not join
        start = time.monotonic()
        children[0].send_signal(signal.SIGINT)
        assert read_line(children[0]) == "interrupted"
        assert time.monotonic() - start < seconds(1, busy=3)
    finally:
        for child in children:
            child.kill()
            child.communicate()


@pytest.mark.slow
def test_a_killed_process_is_noticed() -> None:
    children = start_children(2, 1)
    try:
        children[1].kill()
        start = time.monotonic()
        assert children[0].wait(5) == 1
        assert time.monotonic() - start < 5
    finally:
        for child in children:
            child.kill()
            child.communicate()


@needs_openssl
def test_encryption(tmp_path: Path) -> None:
    certificates = make_certificates(tmp_path, "authority")
    seen = bytearray()

    def work(mesh: _core.Mesh) -> Any:
        large = mesh.add(words(300_000, mesh.rank + 1))
        assert (
            mesh.gather(b"plain text, if nobody encrypts it")
            == [b"plain text, if nobody encrypts it"] * 2
        )
        return large

    def watch(data: bytes) -> bytes:
        seen.extend(data)
        return data

    with contextlib.ExitStack() as stack:

        def addresses(rank: int, known: list[str]) -> list[str]:
            return (
                known if rank == 0 else [stack.enter_context(go_between(known[0], watch)), known[1]]
            )

        results = run_together(2, work, addresses=addresses, certificates=certificates)
    assert all((result == 3).all() for result in results)
    assert len(seen) > 2_400_000
    assert b"plain text" not in seen


@needs_openssl
def test_certificates_of_another_authority_or_none_are_refused(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    own = make_certificates(tmp_path, "authority")
    for other in (make_certificates(tmp_path / "other", "stranger"), None):
        listeners = [_core.MeshListener() for _ in range(2)]
        known = [listener.address for listener in listeners]
        outcome: list[Any] = []

        def run(
            rank: int,
            certificates: Any,
            listeners: Any = listeners,
            known: Any = known,
            outcome: Any = outcome,
        ) -> None:
            settings = QUICK | {"connect_timeout": 0.5, "certificates": certificates}
            try:
                listeners[rank].connect(rank, known, SECRET, "a fit", **settings)
            except PeerLostError as error:
                outcome.append(error.rank)

        threads = [
            threading.Thread(target=run, args=(0, own)),
            threading.Thread(target=run, args=(1, other)),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(outcome) == [0, 1]


def test_settings_are_checked() -> None:
    def connect(secret: bytes = SECRET, **settings: Any) -> None:
        _core.MeshListener().connect(0, ["127.0.0.1:1"], secret, "a fit", **settings)

    connect()
    with pytest.raises(ValueError, match="32 bytes"):
        connect(b"short")
    with pytest.raises(ValueError, match="seconds"):
        connect(timeout=-1.0)
    with pytest.raises(ValueError, match="unknown setting"):
        connect(patience=1)
    with pytest.raises(ValueError, match="certificate cannot be used"):
        connect(certificates=(b"nothing", b"nothing", b"nothing"))
    with pytest.raises(OSError, match="cannot listen"):
        _core.MeshListener("192.0.2.1")
    listener = _core.MeshListener()
    listener.close()
    with pytest.raises(RuntimeError, match="used or closed"):
        listener.connect(0, ["127.0.0.1:1"], SECRET, "a fit")
    with pytest.raises(DataError, match="cannot take part"):
        _core.MeshListener().connect(2, ["127.0.0.1:1"], SECRET, "a fit")
