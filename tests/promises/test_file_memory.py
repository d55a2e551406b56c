"""Loading a malicious file needs at most twice its length plus 16 MiB of memory, whatever its metadata contain.

Each file is loaded in a process of its own, which measures its peak memory.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from helpers.soak import size
from treewright import CARTRegressor, ID3Classifier, RandomForestRegressor, datasets
from treewright.files import to_bytes

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="getrusage is POSIX's")

LENGTH = size(6_000_000, 40_000_000)
MEBI = 1 << 20

LOAD = """
import os, resource, sys
from treewright import ModelFileError, load
small, *hostile = sys.argv[1:]
load(small)  # imports and other one-time allocations are not counted
for path in hostile:
    child = os.fork()
    if child == 0:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        try:
            load(path)
            slug = "accepted"
        except ModelFileError as error:
            slug = error.slug
        taken = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        print(taken, slug, flush=True)
        os._exit(0)
    os.waitpid(child, 0)
"""


def measured(small: Path, hostile: list[Path]) -> list[tuple[int, str]]:
    """Return the peak memory of loading each file, in a process of its own, and the outcome."""
    words = [sys.executable, "-c", LOAD, str(small), *map(str, hostile)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    unit = 1 if sys.platform == "darwin" else 1024
    lines = [line.split() for line in done.stdout.splitlines()]
    return [(int(taken) * unit, slug) for taken, slug in lines]


def forged(model: Any, part: str, text: str) -> bytes:
    """Return a model file with a valid checksum in which a part of the metadata is replaced by a text."""
    document = json.loads(model._document()) | {part: 0}
    written = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    data: bytes = model._forest.to_bytes(written.replace(f'"{part}":0', f'"{part}":{text}'))
    return data


def many(text: str) -> str:
    """Return a text repeated to the length of the file."""
    return ",".join([text] * (LENGTH // (len(text) + 1)))


TENNIS = ID3Classifier().fit(*datasets.play_tennis())
NUMBERS = CARTRegressor(max_depth=2).fit([[float(i)] for i in range(20)], range(20))
FOREST = RandomForestRegressor(3, random_state=0).fit([[float(i)] for i in range(20)], range(20))
ONE_KEY = '{"oob_curve_":[%s]}'
ONE_TEXT = '{"oob_score_":"%s"}'

# Functions, because all texts together would not fit in memory.
HOSTILE: dict[str, tuple[Any, str, Callable[[], str]]] = {
    "work of empty lists": (TENNIS, "work", lambda: f"[{many('[]')}]"),
    "work of zeros": (TENNIS, "work", lambda: f"[{many('0')}]"),
    "one long entry of work": (TENNIS, "work", lambda: f"[[{many('[]')}]{',0' * 7}]"),
    "ranges": (NUMBERS, "ranges", lambda: f"[{many('[0.0,0.0]')}]"),
    "ranges of nothing": (NUMBERS, "ranges", lambda: f"[{many('[null,null]')}]"),
    "kept zeros": (FOREST, "kept", lambda: ONE_KEY % many("0")),
    "kept numbers": (FOREST, "kept", lambda: ONE_KEY % many("0.5")),
    "kept lists": (FOREST, "kept", lambda: ONE_KEY % many("[]")),
    "kept objects": (FOREST, "kept", lambda: ONE_KEY % many("{}")),
    "kept names": (FOREST, "kept", lambda: f"{{{numbered()}}}"),
    "kept text": (FOREST, "kept", lambda: ONE_TEXT % ("x" * LENGTH)),
    "wide text": (FOREST, "kept", lambda: ONE_TEXT % ("x" * LENGTH + "😀")),
    "params": (TENNIS, "params", lambda: f'{{"min_gain":[{many("0.5")}]}}'),
    "params of lists": (TENNIS, "params", lambda: f'{{"min_gain":[{many("[]")}]}}'),
    "member": (FOREST, "member", lambda: '{"estimator":[%s]}' % many('""')),  # noqa: UP031
}


def numbered() -> str:
    return ",".join(f'"{i:07}":0' for i in range(LENGTH // 12))


@pytest.mark.slow
def test_a_hostile_document_buys_no_memory(tmp_path: Path) -> None:
    paths = [tmp_path / f"{i}.tree" for i in range(len(HOSTILE))]
    for path, (model, part, text) in zip(paths, HOSTILE.values(), strict=True):
        path.write_bytes(forged(model, part, text()))
    (tmp_path / "small.tree").write_bytes(to_bytes(TENNIS))
    found = measured(tmp_path / "small.tree", paths)
    assert len(found) == len(HOSTILE)
    for name, path, (taken, slug) in zip(HOSTILE, paths, found, strict=True):
        length = path.stat().st_size
        assert length > LENGTH * 3 // 4, name
        sizes = f"{name}: {taken / MEBI:.1f} MiB for {length / MEBI:.1f}"
        print(sizes, slug)
        assert taken <= 2 * length + 16 * MEBI, sizes
        assert slug == "model.document" or name == "one long entry of work", (name, slug)
