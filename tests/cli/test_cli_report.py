"""``treewright report``: the file that it writes, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.cli_run import run
from treewright._web.page_file import read_shell


@pytest.fixture(autouse=True)
def pages() -> None:
    """Skip where the page was not built."""
    try:
        read_shell("report")
    except FileNotFoundError:
        pytest.skip("the page of reports is not built: make web")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "golf.tree"
    assert run("fit", "golf", "-o", str(path)).exit_code == 0
    return path


def test_a_report_without_and_with_rows(model: Path, tmp_path: Path) -> None:
    out = tmp_path / "golf.html"
    result = run("report", str(model), "-o", str(out))
    assert result.exit_code == 0
    assert "saved" in result.stderr
    assert "training rows" in out.read_text("utf-8")
    result = run("report", str(model), "golf", "-o", str(out), "--title", "Golf & <co>")
    page = out.read_text("utf-8")
    assert result.exit_code == 0
    assert "<title>Golf &amp; &lt;co&gt;</title>" in page
    assert "treewright fit golf -t play -a c45 -o golf.tree" in page
    assert str(tmp_path) not in page
    assert "treewright report golf.tree golf -o report.html" in page
    assert "Not read by the model: play." in page.replace("<bdi>", "").replace("</bdi>", "")


def test_training_and_other_rows(model: Path, tmp_path: Path) -> None:
    other = tmp_path / "test.csv"
    lines = run("data", "golf").stdout.splitlines()
    other.write_text("\n".join(lines[:6]), "utf-8")
    out = tmp_path / "r.html"
    result = run("report", str(model), str(other), "--training", "golf", "-o", str(out))
    assert result.exit_code == 0, result.stderr
    page = out.read_text("utf-8")
    assert "held-out rows" in page
    assert "cross-validation" in page


def test_standard_output_gets_the_page(model: Path) -> None:
    result = run("report", str(model), "-o", "-")
    assert result.exit_code == 0
    assert result.stdout.startswith("<!doctype html>")


def test_a_file_is_required_and_the_model_is_never_overwritten(model: Path, tmp_path: Path) -> None:
    result = run("report", str(model), code=2)
    assert result.exit_code == 2
    assert "--output report.html" in result.stderr
    before = model.read_bytes()
    result = run("report", str(model), "-o", str(model), code=2)
    assert result.exit_code == 2
    assert "would overwrite" in result.stderr
    assert model.read_bytes() == before


def test_a_limit_leaves_no_file(model: Path, tmp_path: Path) -> None:
    out = tmp_path / "r.html"
    result = run("report", str(model), "golf", "-o", str(out), "--max-size", "5KB", code=2)
    assert result.exit_code == 2
    assert "[report.too-large]" in result.stderr
    assert "--max-size" in result.stderr
    assert not out.exists()
