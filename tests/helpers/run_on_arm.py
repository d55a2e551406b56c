"""Run the tests of the kernels as on an ARM processor, in an emulator: `make arm`.

The NEON kernels must give the bits of their portable twins. The emulator shows that they do, not how fast they are.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
TARGET = "aarch64-unknown-linux-gnu"
LINKER, EMULATOR, LIBRARIES = "aarch64-linux-gnu-gcc", "qemu-aarch64", "/usr/aarch64-linux-gnu"
INSTALL = "apt-get install qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross"
# What has kernels, by crate: whole trees take minutes in an emulator.
TESTS = {
    "treewright-core": ["simd::", "kernels::", "neighbors::", "codes::"],
    "treewright-optimal": [],
}


def main() -> int:
    reason = _reason_not_to()
    if reason:
        print(f"arm: not run, because {reason}")
        return 0
    name = f"CARGO_TARGET_{TARGET.upper().replace('-', '_')}"
    settings = {f"{name}_LINKER": LINKER, f"{name}_RUNNER": f"{EMULATOR} -L {LIBRARIES}"}
    for crate, filters in TESTS.items():
        command = ["cargo", "test", "--locked", "-p", crate, "--lib", "--target", TARGET]
        done = subprocess.run([*command, "--", *filters], cwd=ROOT, env=os.environ | settings)
        if done.returncode:
            return done.returncode
    return 0


def _reason_not_to() -> str:
    """Return what is missing and how to get it, or an empty string."""
    command = ["rustc", "--print", "target-libdir", "--target", TARGET]
    folder = subprocess.run(command, capture_output=True, text=True, cwd=ROOT).stdout.strip()
    if not Path(folder).is_dir():
        return f"the target is not installed\ntry: rustup target add {TARGET}"
    missing = [program for program in (LINKER, EMULATOR) if shutil.which(program) is None]
    return f"{' and '.join(missing)} is not installed\ntry: {INSTALL}" if missing else ""


if __name__ == "__main__":
    sys.exit(main())
