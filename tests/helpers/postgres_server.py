"""A PostgreSQL of the tests' own: a fresh data directory, no network, gone afterwards.

PostgreSQL refuses to run as the superuser; there it runs as the user that its package makes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

__all__ = ["connected"]

USER = "postgres"


def programs() -> Path:
    """Return where the server's programs are; skip where there are none."""
    found = shutil.which("initdb")
    # Debian keeps them out of the path, one directory a version.
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found is None and not places:
        pytest.skip("there is no PostgreSQL")
    return Path(found).parent if found is not None else places[-1].parent


@contextmanager
def connected() -> Iterator[Any]:
    """Yield a connection to a server that lives as long as the context."""
    psycopg = pytest.importorskip("psycopg", reason="the driver of PostgreSQL")
    bin_ = programs()
    home = Path(tempfile.mkdtemp(prefix="tw-pg-"))
    as_user = []
    if os.geteuid() == 0:
        if shutil.which("runuser") is None:
            pytest.skip("PostgreSQL does not run as the superuser")
        shutil.chown(home, USER)
        as_user = ["runuser", "-u", USER, "--"]

    def run(*command: object) -> None:
        subprocess.run(
            [*as_user, *map(str, command)],
            check=True,
            timeout=60,
            cwd=home,
            stdout=subprocess.DEVNULL,
        )

    data = home / "data"
    try:
        run(bin_ / "initdb", "-D", data, "-U", USER, "-A", "trust", "-E", "UTF8", "--no-sync")
        options = f"-c listen_addresses= -c unix_socket_directories={home} -c fsync=off"
        run(bin_ / "pg_ctl", "-D", data, "-w", "-o", options, "-l", home / "log", "start")
        try:
            with psycopg.connect(host=str(home), user=USER, dbname=USER, autocommit=True) as found:
                yield found
        finally:
            run(bin_ / "pg_ctl", "-D", data, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(home, ignore_errors=True)
