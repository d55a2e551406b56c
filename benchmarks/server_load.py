"""The server of the workbench under load: predictions of single rows at a steady rate, beside slow uploads.

Prints the share of errors, the percentiles of the answer times, and the growth of memory after the first part. It is
not in the table of `run.py`, because there is no other library to compare with.

    python benchmarks/server_load.py --seconds 300 --rate 200
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

SERVER = """
import sys
from treewright._web.server.run import Server
from treewright._web.server.workspace import Workspace
server = Server(Workspace(), 50_000_000)
server.run(lambda: print(server.port, server.token, flush=True))
"""
CONNECTIONS = 8
SLOW_UPLOADS = 60


class Connection:
    """One kept connection, with requests one after the other."""

    def __init__(self, port: int, token: str) -> None:
        self.port, self.token = port, token

    async def open(self) -> Connection:
        """Connect."""
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        return self

    async def call(
        self, method: str, path: str, body: bytes = b"", kind: str = "application/json"
    ) -> bytes:
        """Send a request and return the body of its answer."""
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nAuthorization: Bearer {self.token}\r\n"
        head += f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
        self.writer.write(head.encode() + body)
        status = int((await self.reader.readline()).split()[1])
        length, chunked = 0, False
        while (line := await self.reader.readline()) != b"\r\n":
            name, _, value = line.decode().partition(":")
            length = int(value) if name.lower() == "content-length" else length
            chunked = chunked or (name.lower() == "transfer-encoding" and "chunked" in value)
        content = await self._chunks() if chunked else await self.reader.readexactly(length)
        if status >= 300:
            raise RuntimeError(f"{status}: {content[:200]!r}")
        return content

    async def _chunks(self) -> bytes:
        whole = b""
        while size := int(await self.reader.readline(), 16):
            whole += await self.reader.readexactly(size)
            await self.reader.readline()
        await self.reader.readline()
        return whole


def memory_of(process: int) -> int:
    """Return the resident memory of a process in KB."""
    status = Path(f"/proc/{process}/status").read_text("utf-8")
    return int(status.partition("VmRSS:")[2].split()[0])


def make_table(rows: int) -> tuple[bytes, list[list[str]]]:
    """Return a table as CSV, and its rows as cells."""
    rng = np.random.default_rng(0)
    numbers, letters = (
        rng.normal(size=(rows, 6)).round(3),
        rng.choice(list("abcdef"), size=(rows, 4)),
    )
    target = np.where(numbers[:, 0] + (letters[:, 0] == "a") > 0.3, "yes", "no")
    cells = [
        [*map(str, n), *t, y]
        for n, t, y in zip(numbers.tolist(), letters.tolist(), target.tolist(), strict=True)
    ]
    header = [*(f"n{i}" for i in range(6)), *(f"c{i}" for i in range(4)), "y"]
    return "\n".join(",".join(line) for line in [header, *cells]).encode(), cells


async def load(port: int, token: str, process: int, seconds: float, rate: float) -> None:
    """Run the load and print what came of it."""
    first = await Connection(port, token).open()
    table, cells = make_table(5000)
    number = json.loads(await first.call("POST", "/api/tables?name=load.csv", table, "text/csv"))[
        "id"
    ]
    spec = json.dumps({"table": number, "algorithm": "c45", "params": {}}).encode()
    model = json.loads((await first.call("POST", "/api/models", spec)).splitlines()[-1])["result"][
        "id"
    ]
    slow = [await slow_upload(port, token) for _ in range(SLOW_UPLOADS)]
    connections = [await Connection(port, token).open() for _ in range(CONNECTIONS)]
    times: list[float] = []
    errors, start, early = 0, time.perf_counter(), 0

    async def worker(which: int) -> None:
        nonlocal errors, early
        for i in range(which, int(seconds * rate), CONNECTIONS):
            due = start + i / rate
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            body = json.dumps({"rows": [cells[i % len(cells)]]}).encode()
            try:
                await connections[which].call("POST", f"/api/models/{model}/predict", body)
            except RuntimeError:
                errors += 1
            # From when it was due: a request that had to wait for the one before counts as slow.
            times.append(time.perf_counter() - due)
            if not early and time.perf_counter() - start > seconds / 5:
                early = memory_of(process)

    await asyncio.gather(*(worker(i) for i in range(CONNECTIONS)))
    took = time.perf_counter() - start
    p50, p99, worst = (1000 * float(np.quantile(times, q)) for q in (0.5, 0.99, 1))
    print(
        f"{len(times):,} predictions in {took:.0f} s ({len(times) / took:.0f} a second), {errors} errors"
    )
    print(
        f"answer after {p50:.1f} ms (median), {p99:.1f} ms (99%), {worst:.0f} ms (longest), "
        f"beside {len(slow)} slow uploads"
    )
    ticks = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    busy = (int(ticks[11]) + int(ticks[12])) / os.sysconf("SC_CLK_TCK")
    print(
        f"{1000 * busy / len(times):.2f} ms of CPU time a prediction, the start of the server included"
    )
    print(
        f"memory {early / 1000:.1f} MB after a fifth of the time, {memory_of(process) / 1000:.1f} MB at the end"
    )


async def slow_upload(port: int, token: str) -> asyncio.StreamWriter:
    """Begin an upload that never ends."""
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    head = (
        f"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n"
    )
    writer.write(
        (head + "Content-Type: text/csv\r\nContent-Length: 40000000\r\n\r\na,b\n").encode()
    )
    return writer


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--rate", type=float, default=200)
    options = parser.parse_args()
    with subprocess.Popen(
        [sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        port, token = process.stdout.readline().split()
        try:
            asyncio.run(load(int(port), token, process.pid, options.seconds, options.rate))
        finally:
            process.terminate()


if __name__ == "__main__":
    main()
