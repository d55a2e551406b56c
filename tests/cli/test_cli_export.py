"""`treewright export`: forms by name and by the ending of a file, and what it says where it cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.cli_run import run, start


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("export") / "tennis.tree"
    run("fit", "play-tennis", "-a", "id3", "-o", path)
    return path


@pytest.mark.parametrize(
    ("ending", "begins"),
    {
        "sql": "SELECT",
        "py": '"""PlayTennis by ID3',
        "c": "/* PlayTennis by ID3",
        "pmml": "<?xml",
        "json": '{"form"',
        "svg": "<svg",
        "dot": "digraph",
        "mmd": "flowchart",
        "tex": "% PlayTennis",
    }.items(),
)
def test_the_ending_says_the_form(model: Path, tmp_path: Path, ending: str, begins: str) -> None:
    pytest.importorskip("sqlglot", reason="sqlglot quotes names in SQL")
    path = tmp_path / f"tennis.{ending}"
    result = run("export", model, "-o", path)
    assert result.stdout == ""
    assert result.stderr == f"saved {path}\n"
    assert path.read_text("utf-8").startswith(begins)


def test_options_reach_the_form(model: Path) -> None:
    pytest.importorskip("sqlglot", reason="sqlglot quotes names in SQL")
    text = run("export", model, "--to", "sql", "--table", "days", "--proba").stdout
    assert 'FROM "days" AS t' in text
    assert '"probability Yes"' in text
    assert run("export", model, "--to", "dot", "--depth", "1").stdout.count("->") == 3
    said = run("export", model, "--to", "c", "--table", "days", code=2).stderr
    assert said == "error: \"c\" has no option 'table'  [export.option]\n  options: prefix\n"


@pytest.mark.slow
def test_what_is_not_text_goes_through_a_pipe(model: Path, tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx", reason="onnx writes the model")
    run("export", model, "-o", tmp_path / "tennis.onnx")
    piped = start("export", model, "--to", "onnx").stdout
    assert piped == (tmp_path / "tennis.onnx").read_bytes()
    assert len(onnx.load_from_string(piped).graph.input) == 4


def test_a_form_is_asked_for(model: Path, tmp_path: Path) -> None:
    said = run("export", model, code=2).stderr
    assert said.startswith("error: no format given  [export.no-form]\n")
    assert "try: --to sql" in said
    assert "[export.no-form]" in run("export", model, "-o", tmp_path / "m.txt", code=2).stderr
    assert "overwrite" in run("export", model, "--to", "json", "-o", model, code=2).stderr


def test_a_refusal_says_what_to_try(tmp_path: Path) -> None:
    path = tmp_path / "golf.tree"
    run("fit", "golf", "-o", path)
    said = run("export", path, "--to", "pmml", code=2).stderr
    assert "[export.refused]" in said
    assert "null" in said
    assert "nullPrediction" in run("export", path, "--to", "pmml", "--divided", "null").stdout
