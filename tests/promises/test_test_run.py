"""The program of `make test`: tests that fail only beside others are run again and named; a real failure stays one."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

PROGRAM = Path(__file__).parents[1] / "run.py"
STEADY = "def test_steady():\n    pass\n"
UNSTEADY = """
from pathlib import Path

def test_unsteady():
    mark = Path(__file__).with_name("mark")
    ran_before = mark.exists()
    mark.touch()
    assert ran_before
"""
BROKEN = "def test_broken():\n    assert False\n"


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """Return tests/run.py as a module whose only part is a small folder of tests."""
    spec = importlib.util.spec_from_file_location("run_of_tests", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (tmp_path / "pytest.ini").write_text("[pytest]\n", "utf-8")
    (tmp_path / "test_steady.py").write_text(STEADY, "utf-8")
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "LINT", {})
    monkeypatch.setattr(module, "other_targets", dict)
    monkeypatch.setattr(module, "TEST", {"Python": "python -m pytest"})
    monkeypatch.setattr("sys.argv", ["run.py"])
    return module


@pytest.mark.slow
def test_an_unsteady_test_is_named_and_does_not_fail_the_run(
    program: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "test_unsteady.py").write_text(UNSTEADY, "utf-8")
    assert program.main() == 0
    output = capsys.readouterr().out
    assert "PASSED test_unsteady.py::test_unsteady" in output
    assert "unsteady: 1 passed alone only" in output
    assert output.splitlines()[-1] == "2 passed, 0 failed, 0 skipped (Python 2)"


@pytest.mark.slow
def test_a_broken_test_fails_the_run(
    program: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "test_unsteady.py").write_text(UNSTEADY, "utf-8")
    (tmp_path / "test_broken.py").write_text(BROKEN, "utf-8")
    assert program.main() == 1
    assert "FAILED: Python" in capsys.readouterr().out


@pytest.mark.slow
def test_many_failed_tests_are_not_run_again(
    program: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(program.MAX_UNSTEADY + 1):
        (tmp_path / f"test_broken_{number}.py").write_text(BROKEN, "utf-8")
    assert program.main() == 1
    output = capsys.readouterr().out
    assert "run again" not in output
    assert output.splitlines()[-1] == "1 passed, 4 failed, 0 skipped (Python 1)"
