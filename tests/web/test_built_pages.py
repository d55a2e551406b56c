"""The pages in the package are those that the sources in web/ give: built anew, byte by byte.

Pages are committed so that an installation needs no Node.js. This test needs it, and the packages of the lock file.
"""

from __future__ import annotations

import gzip
import importlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.soak import size

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
PAGES = ROOT / "python" / "treewright" / "_web" / "pages"
NAMES = ("workbench.html", "lesson.html", "report.html")


def npm(*arguments: str) -> None:
    done = subprocess.run(
        ["npm", *arguments],
        cwd=WEB,
        capture_output=True,
        text=True,
        timeout=300,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


@pytest.fixture(scope="module")
def packages() -> None:
    """Skip where the pages cannot be built."""
    if shutil.which("npm") is None:
        pytest.skip("there is no Node.js on this machine")
    if not (WEB / "node_modules").exists():
        pytest.skip("the packages of web/ are not installed: make page-tools")


@pytest.mark.slow
@pytest.mark.usefixtures("packages")
def test_types_are_right() -> None:
    npm("run", "--silent", "check")


@pytest.mark.slow
@pytest.mark.usefixtures("packages")
def test_pages_are_those_of_the_sources() -> None:
    npm("run", "--silent", "build")
    for name in NAMES:
        built = (WEB / "dist" / name).read_bytes()
        assert (PAGES / name).read_bytes() == built, f"{name} is not of these sources: run make web"


@pytest.mark.slow
def test_the_engine_is_that_of_the_sources() -> None:
    """The same sources and compiler give the same bytes; it is built only where the sources are not the recorded ones.

    `make soak` builds it always.
    """
    sys.path.insert(0, str(WEB))
    build_engine = importlib.import_module("build_engine")
    compiler, digest = build_engine.RECORD.read_text("utf-8").splitlines()
    if digest == build_engine.digest_sources() and not size(0, 1):
        return
    if not build_engine.is_target_installed():
        pytest.skip(f"the target is not installed: rustup target add {build_engine.TARGET}")
    if build_engine.compiler() != compiler:
        pytest.skip("the engine was built by another compiler")
    packed = (PAGES / "engine.wasm.gz").read_bytes()
    assert gzip.decompress(packed) == build_engine.build_engine(), "run make web"


def test_the_lock_file_names_no_host() -> None:
    assert "resolved" not in (WEB / "package-lock.json").read_text("utf-8")
