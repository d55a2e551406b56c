"""Builds the core as WebAssembly for the pages: `make web` runs it where the target is installed.

The bytes depend on the sources and the compiler alone: paths of this machine are replaced, and nothing holds a time.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = "wasm32-unknown-unknown"
DESTINATION = ROOT / "python" / "treewright" / "_web" / "pages" / "engine.wasm.gz"
# The compiler that built the module, and a digest of the sources: other ones may give other bytes.
RECORD = ROOT / "web" / "engine_build.txt"
CRATES = ("treewright-core", "treewright-wasm")


def compiler() -> str:
    """Return the version of the compiler."""
    done = subprocess.run(
        ["rustc", "--version"], capture_output=True, text=True, cwd=ROOT, check=True
    )
    return done.stdout.strip()


def digest_sources() -> str:
    """Return a digest of every file that the module is built from."""
    paths = [ROOT / "Cargo.toml", ROOT / "Cargo.lock"]
    for crate in CRATES:
        folder = ROOT / "crates" / crate
        paths += [folder / "Cargo.toml", *folder.glob("src/**/*")]
    digest = hashlib.sha256()
    for path in sorted(path for path in paths if path.is_file()):
        # Line ends as Git stores them, whatever a checkout makes of them.
        text = path.read_bytes().replace(b"\r\n", b"\n")
        digest.update(f"{path.relative_to(ROOT).as_posix()} {len(text)}\n".encode() + text)
    return digest.hexdigest()


def is_target_installed() -> bool:
    """Return whether the compiler can build WebAssembly."""
    command = ["rustc", "--print", "target-libdir", "--target", TARGET]
    try:
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    except FileNotFoundError:
        return False
    return done.returncode == 0 and Path(done.stdout.strip()).is_dir()


def build_engine() -> bytes:
    """Build the module and return its bytes."""
    cargo_home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    paths = {str(ROOT): "/treewright", str(cargo_home): "/cargo"}
    flags = " ".join(f"--remap-path-prefix={path}={name}" for path, name in paths.items())
    command = f"cargo build --locked --quiet --profile web -p treewright-wasm --target {TARGET}"
    env = os.environ | {"RUSTFLAGS": flags}
    subprocess.run(command.split(), cwd=ROOT, env=env, check=True)
    folder = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return (folder / TARGET / "web" / "treewright_wasm.wasm").read_bytes()


def main() -> int:
    if not is_target_installed():
        print(f"the engine was not built: rustup target add {TARGET}")
        return 0
    module = build_engine()
    packed = gzip.compress(module, 9, mtime=0)
    DESTINATION.parent.mkdir(exist_ok=True)
    DESTINATION.write_bytes(packed)
    RECORD.write_text(f"{compiler()}\n{digest_sources()}\n", "utf-8")
    print(f"engine.wasm: {len(module):,} bytes, {len(packed):,} with gzip")
    return 0


if __name__ == "__main__":
    sys.exit(main())
