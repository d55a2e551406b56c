"""``show``, ``inspect``, ``data`` and ``doctor``."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from helpers.cli_run import TENNIS, run
from treewright import ID3Classifier, datasets, save, show


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    save(ID3Classifier().fit(*datasets.play_tennis()), "m.tree")
    return "m.tree"


def test_show_draws_every_style(model: str) -> None:
    fitted = ID3Classifier().fit(*datasets.play_tennis())
    for style in ("tree", "rules", "j48", "table", "summary", "plain"):
        expected = show(fitted, style, width=100).text()
        assert run("show", model, "--as", style, "--width", "100").stdout == expected + "\n"
    assert run("show", model, "--plain").stdout == run("show", model, "--as", "plain").stdout


def test_show_draws_a_part(model: str) -> None:
    assert "Outlook" not in run("show", model, "--node", "1").stdout.split("\n", 3)[3]
    cut = run("show", model, "--depth", "0").stdout
    assert "8 nodes" in cut
    assert run("show", model, "--lines", "4").stdout.count("treewright show m.tree --node") == 2
    assert (
        "2 branches" in run("show", model, "--min-rows", "5").stdout
        or run("show", model, "--min-rows", "5").stdout != run("show", model).stdout
    )


def test_show_writes_every_form(model: str) -> None:
    assert json.loads(run("show", model, "--format", "json").stdout)["style"] == "tree"
    assert run("show", model, "--format", "markdown", "--as", "rules").stdout.startswith(
        "| \\# | if |"
    )
    assert "<svg" in run("show", model, "--format", "html").stdout
    ElementTree.fromstring(run("show", model, "--format", "svg").stdout)
    assert run("show", model, "--format", "text").stdout == run("show", model).stdout


def test_show_writes_files_by_their_ending(model: str) -> None:
    result = run("show", model, "-o", "t.svg")
    assert (result.stdout, result.stderr) == ("", "saved t.svg\n")
    ElementTree.fromstring(Path("t.svg").read_text())
    assert "[show.suffix]" in run("show", model, "-o", "t.docx", code=2).stderr
    assert not Path("t.docx").exists()
    run("show", model, "-o", "t.svg", "--format", "svg")
    assert (
        "cannot be combined" in run("show", model, "-o", "t.svg", "--format", "json", code=2).stderr
    )


def test_show_refuses_what_is_not_there(model: str) -> None:
    assert "[show.no-such-node]" in run("show", model, "--node", "99", code=2).stderr
    assert (
        "[show.no-picture]" in run("show", model, "--as", "rules", "--format", "svg", code=2).stderr
    )


def test_inspect_is_the_report_and_a_suggestion(model: str) -> None:
    Path("tennis.csv").write_text(TENNIS)
    result = run("inspect", "tennis.csv")
    assert (
        result.stdout
        == """\
tennis.csv: 14 rows, 6 columns, comma, header, UTF-8
  column       read as      values                      missing  note
  Day          identifier   14 different                      0  one value per row: ignored (--keep Day)
  Outlook      categorical  Sunny 5, Rain 5, Overcast 4       0
  Temperature  categorical  Mild 6, Hot 4, Cool 4             0
  Humidity     categorical  High 7, Normal 7                  0
  Wind         categorical  Weak 8, Strong 6                  0
  PlayTennis   categorical  Yes 9, No 5                       0
"""
    )
    assert result.stderr == "next: treewright fit tennis.csv --target PlayTennis\n"
    built_in = run("inspect", "play-tennis")
    assert built_in.stdout == result.stdout.replace("tennis.csv", "play-tennis")
    assert built_in.stderr == "next: treewright fit play-tennis\n"


def test_inspect_tells_what_the_table_does_not() -> None:
    result = run("inspect", "-", stdin="a;b\nx;?\ny;2\ny;3\n")
    assert result.stderr.splitlines() == [
        "note: the first line is separated by a semicolon: so are the others. --delimiter CHAR names "
        "another delimiter.",
        'note: "?" is read as missing: 1 cell of 1 column.',
        "next: treewright fit - --target b",
    ]


def test_inspect_as_json() -> None:
    found = json.loads(run("inspect", "play-tennis", "--format", "json").stdout)
    assert (found["rows"], found["delimiter"], found["encoding"]) == (14, ",", "utf-8")
    assert found["columns"][0]["read_as"] == "identifier"
    said = '"Day" has a different value in each of 14 rows: ignored.'
    assert found["notes"] == [{"column": "Day", "text": said, "hint": {"keep": ["Day"]}}]


def test_data_lists_and_prints() -> None:
    shown = run("data").stdout
    for name in datasets.names():
        assert f"\n{name} " in shown
        table = run("data", name).stdout
        assert len(table.splitlines()) == len(datasets.load(name).table) + 1
    assert run("data", "play-tennis").stdout == TENNIS
    assert [
        t["name"] for t in json.loads(run("data", "--format", "json").stdout)
    ] == datasets.names()
    assert "did you mean" in run("data", "gulf", code=3).stderr


def test_data_writes_a_file(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    assert run("data", "play-tennis", "-o", path).stdout == ""
    assert path.read_text() == TENNIS
    assert "[usage]" in run("data", "-o", path, code=2).stderr
    assert "[usage]" in run("data", "golf", "--format", "json", code=2).stderr


def test_doctor_tells_versions_and_nothing_private() -> None:
    shown = run("doctor").stdout
    assert (
        "self-test    passed: play-tennis trained, saved and loaded (8 nodes, 14 of 14 correct)\n"
        in shown
    )
    assert "_TREEWRIGHT_COMPLETE=bash_source" in shown
    found = json.loads(run("doctor", "--format", "json").stdout)
    assert found["threads"] >= 1
    assert all(found["needed"].values())
    assert str(Path.home()) not in shown


def test_doctor_tells_also_where_nothing_works(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise ImportError("no core")

    monkeypatch.setattr("treewright.datasets.play_tennis", broken)
    result = run("doctor", code=1)
    assert "self-test    FAILED: ImportError: no core\n" in result.stdout
    assert "numpy " in result.stdout


def test_latex_and_what_has_no_picture(tmp_path: Path) -> None:
    tree, rules = tmp_path / "c.tree", tmp_path / "r.tree"
    run("fit", "play-tennis", "-o", tree)
    run("fit", "play-tennis", "-a", "rules", "-o", rules)
    assert "\\begin{forest}" in run("show", tree, "--format", "latex").stdout
    assert "\\begin{tabular}" in run("show", rules, "--format", "latex").stdout
    said = run("show", rules, "--format", "svg", code=2).stderr
    assert "[show.no-picture]" in said
