"""The engine of the pages in Node.js: calls of the contract in `web/src/contract.ts`, for tests."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

NODE = shutil.which("node")
ROOT = Path(__file__).parents[2]
PACKED = ROOT / "python" / "treewright" / "_web" / "pages" / "engine.wasm.gz"


class EngineError(Exception):
    """A failure that the engine answered."""

    def __init__(self, failure: dict[str, Any]) -> None:
        super().__init__(f"{failure['message']} [{failure['slug']}]")
        self.failure = failure


class EngineTrapError(Exception):
    """The module stopped in the middle of a call: a defect."""


class NodeEngine:
    """A process of Node.js that holds the module."""

    def __init__(self, folder: Path, packed: Path = PACKED) -> None:
        self.folder, self.last = folder, 0
        self.seconds, self.memory, self.told = 0.0, 0, 0
        program = Path(__file__).with_name("engine_process.mjs")
        self.process = subprocess.Popen(
            [str(NODE), "--stack-trace-limit=40", str(program), str(packed)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def close(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def call(self, name: str, /, *, file: bytes | None = None, **arguments: Any) -> Any:
        """Make a call; a failure is raised."""
        message: dict[str, Any] = {"request": {"call": name, **arguments}}
        if file is not None:
            path = self.folder / "file.bin"
            path.write_bytes(file)
            message["file"] = str(path)
        return self._send(message)

    def break_module(self) -> None:
        """Make the module read memory that it does not have, as a defect would."""
        self._send({"broken": True})

    def _send(self, message: dict[str, Any]) -> Any:
        message["to"] = str(self.folder / "answer.bin")
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        reply = json.loads(self.process.stdout.readline())
        self.seconds, self.memory, self.told = reply["seconds"], reply["memory"], reply["told"]
        if "trap" in reply:
            raise EngineTrapError(reply["trap"])
        if "failure" in reply:
            raise EngineError(reply["failure"])
        return reply["document"]

    def create(self, name: str, /, **arguments: Any) -> Any:
        """Make a call whose result the engine keeps."""
        self.last += 1
        return self.call(name, **{"as": self.last}, **arguments)

    def open(self, text: str | bytes, name: str = "table.csv", **options: Any) -> Any:
        """Open a table."""
        content = text.encode() if isinstance(text, str) else text
        return self.create("open", file=content, name=name, options=options)

    def start(self, table: Any, algorithm: str, **params: Any) -> Any:
        """Start a tree."""
        spec = {"table": table["id"], "algorithm": algorithm, "params": params}
        return self.create("start", spec=spec)

    def fit(self, table: Any, algorithm: str, **params: Any) -> Any:
        """Fit a learner."""
        spec = {"table": table["id"], "algorithm": algorithm, "params": params}
        return self.create("fit", spec=spec)

    def model_file(self, model: int) -> bytes:
        """Return a model file."""
        self.call("model_file", model=model)
        return (self.folder / "answer.bin").read_bytes()
