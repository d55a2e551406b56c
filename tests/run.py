"""All checks and tests, part by part: `make test` is this program, `make lint` and `make check` are shorter forms.

It stops at the first part that fails and names it. Few failed Python tests are run again, by themselves. The last line
counts the tests that passed and failed, Rust and Python together. The tools of pyproject.toml's `dev` group must be
installed for the Python that runs it; without `--check` also the package. This file does not know the tests.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent

# "python" is the one that runs this program.
PYTHON_LINT = {
    "ruff check": "python -m ruff check .",
    "ruff format": "python -m ruff format --check .",
    "spelling": "python -m codespell_lib .",
    "mypy": "python -m mypy",
}
LINT = {
    "rustfmt": "cargo fmt --all --check",
    **PYTHON_LINT,
    "clippy": "cargo clippy --locked --workspace --all-targets -- -D warnings",
}
# The fast tests, on the files in python/ whatever is installed. Properties and comparisons take a minute more.
CHECK = PYTHON_LINT | {
    "Python": "python -m pytest -q -n auto -c pyproject.toml -m 'not slow'"
    " --ignore=tests/laws --ignore=tests/agree tests",
}
# The core for other processors, where their libraries are installed (rustup target add ...): it must compile.
OTHER_TARGETS = ("wasm32-unknown-unknown", "aarch64-unknown-linux-gnu")
TEST = {
    "stubtest": "python -m mypy.stubtest treewright._core",
    # The binding has no logic of its own: the Python tests are its tests.
    "Rust": "cargo test --locked --workspace --exclude treewright-py",
    # --pyargs: the doctests are those of the installed package.
    "Python": "python -m pytest -n 2 -c pyproject.toml --doctest-modules --pyargs treewright tests",
}
# Tests that start processes or watch the clock can fail only because others run beside them. Up to so many failed tests
# are run again, alone: one that fails again fails the run, one that passes now is named as unsteady.
MAX_UNSTEADY = 3
# Names the tests that pass.
FAILED_AGAIN = " -n 0 -rA --last-failed --last-failed-no-failures none"
# CLOSING does not know the control sequences of colors.
ENV = {"PYO3_PYTHON": sys.executable, "PY_COLORS": "0", "CARGO_TERM_COLOR": "never"}
# The closing lines of cargo test (one for each test program) and of pytest.
CLOSING = re.compile(r"test result: .*|(=+ )?\d+ .* in \d+(\.\d+)?s.*")
COUNT = re.compile(r"(\d+) (passed|failed|error|skipped|ignored)")


def main() -> int:
    if "--check" in sys.argv[1:]:
        ENV["PYTHONPATH"] = str(ROOT / "python")
        parts = CHECK
    else:
        parts = LINT if "--lint" in sys.argv[1:] else LINT | other_targets() | TEST
    counts: dict[str, Counter[str]] = {}
    for name, command in parts.items():
        code, counts[name] = run(name, command)
        if name == "Python" and 0 < counts[name]["failed"] <= MAX_UNSTEADY:
            code, counts[name] = run_failed_again(command, counts[name])
        nothing_ran = name in ("Rust", "Python") and not counts[name]["passed"]
        if code or nothing_ran:
            counts[name]["failed"] = max(1, counts[name]["failed"])
            print(f"FAILED: {name}" + (" (no test ran)" if nothing_ran else ""))
            break
    print(closing(counts))
    return 1 if any(c["failed"] for c in counts.values()) else 0


def other_targets() -> dict[str, str]:
    """Return a part for each other target; say which ones are left out."""
    parts = {}
    for target in OTHER_TARGETS:
        command = ["rustc", "--print", "target-libdir", "--target", target]
        folder = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        if Path(folder).is_dir():
            # Both crates bring the core with them. The engine of the pages is for one target.
            crate = "treewright-wasm" if target.startswith("wasm32") else "treewright-optimal"
            parts[target] = f"cargo check --locked -p {crate} --target {target}"
        else:
            print(
                f"--- {target}: skipped, because it is not installed (rustup target add {target})"
            )
    return parts


def run(name: str, command: str) -> tuple[int, Counter[str]]:
    """Run one part, print its output, and count the tests that it reports."""
    print(f"--- {name}: {command}", flush=True)
    program, *arguments = shlex.split(command)
    start = time.monotonic()
    counts: Counter[str] = Counter()
    with subprocess.Popen(
        [sys.executable if program == "python" else program, *arguments],
        cwd=ROOT,
        env=os.environ | ENV,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            if CLOSING.fullmatch(line.strip()):
                counts.update({word: int(n) for n, word in COUNT.findall(line)})
    print(f"    {name}: {time.monotonic() - start:.1f} s", flush=True)
    return process.returncode, counts


def run_failed_again(command: str, first: Counter[str]) -> tuple[int, Counter[str]]:
    """Run the failed tests of pytest alone, and count a test that passes now as passed."""
    print(f"--- {first['failed']} failed beside other tests: run again, alone", flush=True)
    code, again = run("Python, again", command + FAILED_AGAIN)
    if code == 0 and again["passed"] == first["failed"]:
        print(f"unsteady: {again['passed']} passed alone only (named above); mend them")
        return 0, first + Counter(passed=again["passed"]) - Counter(failed=first["failed"])
    return code or 1, first


def closing(counts: dict[str, Counter[str]]) -> str:
    """Count the tests that passed, failed and were skipped; a part without tests that fails counts as one failure."""
    total = sum(counts.values(), Counter())
    failed = total["failed"] + total["error"]
    skipped = total["skipped"] + total["ignored"]
    each = ", ".join(f"{name} {c['passed']}" for name, c in counts.items() if c["passed"])
    line = f"{total['passed']} passed, {failed} failed, {skipped} skipped"
    return f"{line} ({each})" if each else line


if __name__ == "__main__":
    sys.exit(main())
