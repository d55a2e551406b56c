"""Strangers at the ports of a running fit, ports outside of the machine, and clusters with certificates."""

from __future__ import annotations

import contextlib
import os
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import treewright
from helpers.certificates import make_certificates, needs_openssl
from helpers.dask_cluster import make_rows, model_bytes, start_cluster
from treewright import _core
from treewright.errors import PeerLostError

pytestmark = pytest.mark.slow

pytest.importorskip("dask.array")

from treewright import dask as on_dask  # noqa: E402
from treewright.dask import boosting_attempts  # noqa: E402

WAIT = (
    4.0  # seconds in which the first process of a fit waits for the last one, and hears strangers
)


@contextlib.contextmanager
def at_the_ports(
    client: Any, monkeypatch: pytest.MonkeyPatch, come: Callable[[Any], Any], wait: float = WAIT
) -> Iterator[None]:
    """Do something when the ports of a fit have been opened; the last worker has other work for a while."""
    meet = boosting_attempts._meet
    work: list[Any] = []

    def meet_strangers(*arguments: Any) -> Any:
        meeting = meet(*arguments)
        work.append(client.submit(time.sleep, wait, workers=[meeting.workers[-1]], pure=False))
        come(meeting)
        return meeting

    with monkeypatch.context() as patch:
        patch.setattr(boosting_attempts, "_meet", meet_strangers)
        yield


def fit_both(rounds: int = 10) -> tuple[Any, Any]:
    """Return the models of a cluster and of this process."""
    X, y = make_rows(3_500)
    model = on_dask.GradientBoostingClassifier(n_estimators=rounds).fit(X, y)
    local = treewright.GradientBoostingClassifier(n_estimators=rounds)
    return model, local.fit(X.compute(), y.compute())


def split(port: str) -> tuple[str, int]:
    host, _, number = port.rpartition(":")
    return host, int(number)


def listening() -> set[tuple[str, int]]:
    """Return the addresses at which this process listens."""
    import psutil

    connections = psutil.Process().net_connections(kind="inet")
    return {tuple(each.laddr) for each in connections if each.status == psutil.CONN_LISTEN}


@pytest.fixture(scope="module")
def default_client() -> Iterator[Any]:
    """Give the client of a cluster as Dask starts it by default, but without its fixed port."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster,
        Client(cluster) as client,
    ):
        yield client


def test_a_default_cluster_gets_ports_on_loopback_only(
    default_client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = default_client.run(listening)

    seen: list[tuple[str, int]] = []

    def look(_: Any) -> None:
        now = default_client.run(listening)
        seen.extend(port for worker in now for port in now[worker] - before[worker])

    with at_the_ports(default_client, monkeypatch, look, wait=0):
        model, local = fit_both()
    assert model_bytes(model) == model_bytes(local)
    assert len(seen) == 2
    assert {host for host, _ in seen} <= {"127.0.0.1", "::1"}
    # Afterwards none is open.
    assert default_client.run(listening) == before


class Strangers:
    """Connections from outside of a fit: silent ones, garbage, half a greeting, wrong secrets."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.sockets: list[socket.socket] = []
        self.refused: list[str] = []

    def come(self, meeting: Any) -> None:
        """Knock until the fit ends, and try to take part."""
        fits = [
            (bytes(32), meeting.fit, meeting.attempt),
            (meeting.secret, "another fit", meeting.attempt),
            (meeting.secret, meeting.fit, meeting.attempt + 1),
        ]
        self.threads = [threading.Thread(target=self.pretend, args=(meeting, *fit)) for fit in fits]
        self.threads.append(threading.Thread(target=self.knock, args=(meeting,)))
        for thread in self.threads:
            thread.start()

    def knock(self, meeting: Any) -> None:
        """Open connections, say something, and leave them open."""
        words = [
            b"",
            b"twmesh",
            b"GET / HTTP/1.1\r\n\r\n",
            os.urandom(500),
            bytes(76),
            b"\xff" * 9000,
        ]
        number = 0
        while not self.stop.is_set():
            for port in meeting.ports:
                with contextlib.suppress(OSError):
                    guest = socket.create_connection(split(port), timeout=0.2)
                    self.sockets.append(guest)
                    guest.sendall(words[number % len(words)])
                number += 1
            time.sleep(0.002)

    def pretend(self, meeting: Any, secret: bytes, fit: str, attempt: int) -> None:
        """Try to take the place of the last process."""
        rank = len(meeting.ports) - 1
        try:
            _core.MeshListener().connect(
                rank, list(meeting.ports), secret, fit, attempt, connect_timeout=WAIT
            )
        except PeerLostError as error:
            self.refused.append(str(error))

    def leave(self) -> None:
        """Close everything."""
        self.stop.set()
        for thread in self.threads:
            thread.join()
        for guest in self.sockets:
            guest.close()


def test_strangers_disturb_nothing(default_client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    strangers = Strangers()
    with at_the_ports(default_client, monkeypatch, strangers.come):
        try:
            model, local = fit_both()
        finally:
            strangers.leave()
    assert model_bytes(model) == model_bytes(local)
    assert model.fit_report_.restarts == []
    assert model.fit_report_.connection == "sockets"
    assert len(strangers.sockets) > 20
    assert len(strangers.refused) == 3


@needs_openssl
def test_a_cluster_with_certificates_encrypts_and_refuses_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distributed import Client
    from distributed.security import Security

    make_certificates(tmp_path, "authority")
    names = {"cert": str(tmp_path / "worker.pem"), "key": str(tmp_path / "worker.key")}
    parts = ("client", "worker", "scheduler")
    files = {f"tls_{part}_{name}": path for part in parts for name, path in names.items()}
    authority = str(tmp_path / "authority.pem")
    security = Security(tls_ca_file=authority, require_encryption=True, **files)

    answers: list[str] = []

    def shake_hands(port: str) -> None:
        context = ssl.create_default_context(cafile=authority)
        context.check_hostname = False
        context.load_cert_chain(names["cert"], names["key"])
        with (
            socket.create_connection(split(port), timeout=2 * WAIT) as guest,
            context.wrap_socket(guest) as encrypted,
        ):
            answers.append(str(encrypted.version()))

    threads: list[threading.Thread] = []

    def come(meeting: Any) -> None:
        threads.append(threading.Thread(target=shake_hands, args=(meeting.ports[0],)))
        attempt = lambda: answers.append(try_without_certificate(meeting))  # noqa: E731
        threads.append(threading.Thread(target=attempt))
        for thread in threads:
            thread.start()

    X, y = make_rows(3_500)
    with (
        start_cluster(2, security=security, protocol="tls") as cluster,
        Client(cluster, security=security) as client,
        at_the_ports(client, monkeypatch, come),
    ):
        model = on_dask.GradientBoostingClassifier(n_estimators=10).fit(X, y)
        for thread in threads:
            thread.join()
    local = treewright.GradientBoostingClassifier(n_estimators=10).fit(X.compute(), y.compute())
    assert model_bytes(model) == model_bytes(local)
    assert model.fit_report_.connection == "sockets"
    assert model.fit_report_.restarts == []
    assert sorted(answers) == ["TLSv1.3", "refused"]


def try_without_certificate(meeting: Any) -> str:
    """Try to take part with the secret of the fit, but without a certificate."""
    rank = len(meeting.ports) - 1
    try:
        _core.MeshListener().connect(
            rank,
            list(meeting.ports),
            meeting.secret,
            meeting.fit,
            meeting.attempt,
            connect_timeout=2.0,
        )
    except PeerLostError:
        return "refused"
    return "accepted"
