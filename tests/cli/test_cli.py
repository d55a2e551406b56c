"""The command as a whole: its help, its verbs, what it makes of a slip."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from helpers.cli_run import TENNIS, run
from treewright.cli.app.console import Console
from treewright.cli.main import NAMES, cli


def test_help_lists_the_verbs_by_what_they_are_for() -> None:
    for args in ([], ["--help"], ["-h"]):
        shown = run(*args).stdout
        assert shown.startswith("Usage: treewright COMMAND [FILE] [OPTIONS]\n")
        assert "\nTrain:\n  fit        Train a model on a table.\n" in shown
        assert "\n  eval       Measure a model on a table with known target values.\n" in shown


def test_every_verb_exists_and_helps() -> None:
    for name in NAMES:
        shown = run(name, "--help").stdout
        assert shown.startswith(f"Usage: treewright {name} ")
        assert "--errors" in shown


def test_version() -> None:
    from treewright import __version__

    first, build = run("--version").stdout.splitlines()
    assert first == f"treewright {__version__}"
    assert re.match(r"kernels (avx512|avx2|neon|portable)", build)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (
            ["fti"],
            'error: unknown command or file "fti"  [usage]   did you mean treewright fit?\n',
        ),
        (
            ["xyzzy"],
            'error: unknown command or file "xyzzy"  [usage]\n  commands: fit, compare, ',
        ),
        (["--verson"], "error: unknown option --verson  [usage]\n  try: --version\n"),
        (
            ["fit", "--maxdepth", "3"],
            "error: unknown option --maxdepth  [usage]\n  try: --max-depth\n",
        ),
        (["fit"], "error: missing argument 'FILE'  [usage]\n  try: treewright fit --help\n"),
        (["fit", "x", "--depth", "deep"], "error: invalid value for '--depth' / '--max-depth'"),
        (["fit", "x", "--errors", "xml"], "error: invalid value for '--errors'"),
        (
            ["fit", "--ignore", "Day", "t.csv"],
            "error: FILE is missing: --ignore takes all the words after it, so the order is: "
            "treewright fit FILE --ignore VALUES  [usage]\n",
        ),
    ],
)
def test_slips_are_explained(args: list[str], said: str) -> None:
    result = run(*args, code=2)
    assert said in result.stderr
    assert result.stdout == ""


def test_a_file_alone_is_inspected(tmp_path: Path) -> None:
    path = tmp_path / "tennis.csv"
    path.write_text(TENNIS)
    result = run(path)
    assert "14 rows, 6 columns, comma, header, UTF-8\n" in result.stdout
    assert result.stderr == f"next: treewright fit {path} --target PlayTennis\n"
    assert run("-", stdin=TENNIS).stdout.startswith("standard input: 14 rows")


def test_a_model_alone_is_drawn(tmp_path: Path) -> None:
    run("fit", "play-tennis", "-o", tmp_path / "m.tree")
    assert run(tmp_path / "m.tree").stdout.startswith("PlayTennis by C4.5")
    assert run(tmp_path / "m.tree", "--as", "j48").stdout.startswith("Outlook = Sunny")


def test_a_verb_wins_over_a_file_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").write_text(TENNIS)
    assert run("data").stdout.startswith("table ")


def test_errors_as_json_also_where_nothing_is_understood() -> None:
    result = run("fit", "--maxdepth", "--errors=json", code=2)
    assert json.loads(result.stderr) == {
        "level": "error",
        "slug": "usage",
        "message": "unknown option --maxdepth",
        "hints": ["try: --max-depth"],
        "exit_code": 2,
    }


def test_notes_as_json() -> None:
    lines = run("fit", "play-tennis", "--errors", "json").stderr.splitlines()
    assert [json.loads(line)["level"] for line in lines] == ["note"]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("treewright f", ["plain", "fit", "Train a model on a table."]),
        ("treewright fit --max-d", ["plain", "--max-depth"]),
        ("treewright show --as su", ["plain", "summary"]),
        ("treewright fit tenn", ["file", "tenn"]),
    ],
)
def test_shells_can_complete(words: str, found: list[str]) -> None:
    env = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
    shown = run(code=0, _TREEWRIGHT_COMPLETE="zsh_complete", **env).stdout.split("\n")
    assert shown[: len(found)] == found


def test_options_of_several_values_take_them_all(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b,c,y\n1,x,n/a,p\n2,y,12k,q\n3,z,4,p\n3,z,4,p\n")
    args = ["--format", "json", "--missing", "n/a", "12k", "--ignore", "a", "b", "--keep", "c"]
    found = json.loads(run("inspect", path, *args).stdout)
    assert [c["ignored"] for c in found["columns"]] == [True, True, False, False]
    assert found["columns"][2]["missing"] == 2
    # The first value may look like an option.
    path.write_text("a,y\n-999,p\n2,q\n3,p\n2,q\n")
    found = json.loads(run("inspect", path, "--missing", "-999", "--format", "json").stdout)
    assert found["columns"][0]["missing"] == 1


def test_colour_is_asked_for_or_seen() -> None:
    assert run("fit", "x.csv", "--color", "always", code=3).stderr.startswith(
        "\x1b[1;31merror:\x1b[0m"
    )
    assert run("fit", "x.csv", "--color=never", code=3).stderr.startswith("error:")
    assert run("fit", "x.csv", code=3).stderr.startswith("error:")
    assert not Console().uses_color(None)


def test_manners_come_before_or_after_the_verb() -> None:
    for args in (["--ascii", "fit", "play-tennis"], ["fit", "play-tennis", "--ascii"]):
        result = run(*args)
        assert "|-- Sunny: Humidity?" in result.stdout
        assert result.stdout.isascii()
        assert result.stderr.isascii()


def test_an_unexpected_error_is_our_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> None:
        raise KeyError("what\x1b[31m")

    monkeypatch.setattr("treewright.datasets.load", broken)
    result = run("data", "golf", code=1)
    assert result.stderr == (
        "error: an error in treewright itself, not in your data: KeyError: 'what\\x1b[31m'  [internal]\n"
        "  please report it, with the command and the output of: treewright doctor\n"
        "  --debug prints a traceback\n"
    )


def test_debug_shows_where(monkeypatch: pytest.MonkeyPatch) -> None:
    from click.testing import CliRunner

    def broken(name: str) -> None:
        raise KeyError("what")

    monkeypatch.setattr("treewright.datasets.load", broken)
    result = CliRunner().invoke(cli, ["data", "golf", "--debug"])
    assert result.exit_code == 1
    assert "Traceback" in result.stderr
    assert "in broken" in result.stderr


@pytest.mark.parametrize(
    ("error", "code"),
    [(KeyboardInterrupt(), 130), (MemoryError(), 3), (OSError(5, "broken", "disk"), 3)],
)
def test_other_ends(monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int) -> None:
    def ends(name: str) -> None:
        raise error

    monkeypatch.setattr("treewright.datasets.load", ends)
    result = run("data", "golf", code=code)
    assert len(result.stderr.splitlines()) == 1
