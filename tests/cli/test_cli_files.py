"""Every command reads every kind of file, also from standard input, and says what it made of it."""

from __future__ import annotations

import gzip
import json
import re
import sqlite3
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from helpers.cli_run import TENNIS, run

FRAME = pd.DataFrame(
    [line.split(",") for line in TENNIS.splitlines()[1:]], columns=TENNIS.split("\n")[0].split(",")
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the same table in several kinds of files, in which commands run."""
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text(TENNIS)
    Path("t.csv.gz").write_bytes(gzip.compress(TENNIS.encode()))
    FRAME.to_excel("t.xlsx", sheet_name="Days", index=False)
    FRAME.to_parquet("t.parquet")
    with zipfile.ZipFile("t.zip", "w") as archive:
        archive.writestr("t.csv", TENNIS)
    connection = sqlite3.connect("t.sqlite")
    FRAME.to_sql("days", connection, index=False)
    connection.close()
    return tmp_path


FILES = ["t.csv.gz", "t.xlsx", "t.xlsx::Days", "t.zip", "t.parquet", "t.sqlite::days"]


@pytest.mark.parametrize("file", FILES)
def test_every_command_reads_it(file: str, folder: Path) -> None:
    target = ["-t", "PlayTennis"]
    fitted = run("fit", "t.csv", *target, "-o", "csv.tree").stdout
    assert run("fit", file, *target, "-o", "other.tree").stdout == fitted
    assert Path("other.tree").read_bytes() == Path("csv.tree").read_bytes()
    for command in (
        ["predict", "csv.tree", "{}", "--proba", "--keep-columns"],
        ["eval", "csv.tree", "{}", "--format", "json"],
        ["explain", "csv.tree", "{}", "--row", "3"],
        ["rank", "{}", *target],
        ["compare", "{}", *target, "-a", "c45", "--cv", "2", "--format", "json"],
        ["work", "{}", *target],
        ["fit", "t.csv", *target, "--test", "{}"],
    ):
        shown = run(*(word.format(file) for word in command)).stdout.replace(file, "t.csv")
        expected = run(*(word.format("t.csv") for word in command)).stdout
        assert _without_times(shown) == _without_times(expected), command


def _without_times(text: str) -> str:
    return re.sub(r'"seconds": [0-9.e-]+| ', "", text)


@pytest.mark.parametrize("file", ["t.csv.gz", "t.xlsx", "t.zip", "t.parquet"])
def test_standard_input(file: str, folder: Path) -> None:
    data = Path(file).read_bytes()
    run("fit", "-", "-t", "PlayTennis", "-o", "m.tree", stdin=data)
    expected = run("predict", "m.tree", "t.csv").stdout
    assert run("predict", "m.tree", "-", stdin=data).stdout == expected
    shown = run("eval", "m.tree", "-", stdin=data).stdout
    assert shown.startswith("m.tree on standard input: 14 rows")


def test_options_of_text_have_no_effect_on_other_files(folder: Path) -> None:
    shown = run("inspect", "t.xlsx", "--delimiter", ";", code=2).stderr
    assert "--delimiter has no effect on an Excel workbook" in shown
    shown = run("inspect", "t.parquet", "--no-header", code=2).stderr
    assert "--no-header has no effect on a Parquet file" in shown
    run("inspect", "t.xlsx", "--no-header", "--missing", "Weak")


def test_the_part_is_named(folder: Path) -> None:
    with pd.ExcelWriter("t.xlsx", mode="a") as book:
        FRAME.to_excel(book, sheet_name="More days")
    shown = run("fit", "t.xlsx", "-t", "PlayTennis", code=3).stderr
    assert shown.splitlines() == [
        "error: t.xlsx holds 2 sheets: name one of them  [data.no-such-part]",
        "  sheets: Days, More days",
        "  try: t.xlsx::Days",
    ]
    assert "file not found: u.xlsx" in run("fit", "u.xlsx::x", code=3).stderr


def test_an_address_is_refused() -> None:
    shown = run("fit", "https://example.org/t.csv", code=2).stderr
    assert "curl -sL https://example.org/t.csv | treewright inspect -" in shown


def test_ways_to_write_text(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("# from the machine\n1.234,5;x\n0,5;y\n-;x\n")
    options = ["--comment", "#", "--no-header", "--decimal", ",", "--thousands", "."]
    result = run("inspect", path, *options)
    assert result.stdout.splitlines()[2:] == [
        '  c1      numeric      0.5 to 1,234.5, mean 618       1  missing: "-" 1',
        "  c2      categorical  x 2, y 1                       0",
    ]
    assert "1 comment line left out." in result.stderr
    assert "--no-header --decimal , --thousands . --comment '#' --target c2" in result.stderr
    run("fit", path, "-t", "c2", *options, "-o", tmp_path / "m.tree")
    path.write_text("#\n1.000,5;x\n0,5;x\n")
    shown = run("predict", tmp_path / "m.tree", path, *options).stdout
    assert shown.splitlines()[1:] == ["x", "x"]


def test_true_values_are_read_in_the_same_way(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a;y\n" + "".join(f"{i % 4},5;{i},25\n" for i in range(30)))
    run("fit", path, "-t", "y", "--decimal", ",", "-o", tmp_path / "m.tree")
    shown = run("eval", tmp_path / "m.tree", path, "--decimal", ",").stdout
    assert "RMSE" in shown
    path.write_text("a;y\n0,5;many\n")
    shown = run("eval", tmp_path / "m.tree", path, "--decimal", ",", code=3).stderr
    assert "[eval.not-a-number]" in shown


def test_missing_replaces_the_usual_words(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("country,n,y\nNA,1,a\nGermany,-999,b\nNA,2,a\n,3,b\n")
    usual = json.loads(run("inspect", path, "--format", "json").stdout)["columns"]
    assert [column["missing"] for column in usual] == [3, 0, 0]
    args = ["--missing", "-999", "--format", "json"]
    own = json.loads(run("inspect", path, *args).stdout)["columns"]
    assert [column["missing"] for column in own] == [1, 1, 0]


def test_words_are_missing_among_amounts_and_dates(tmp_path: Path) -> None:
    path, model = tmp_path / "t.csv", tmp_path / "m.tree"
    rows = [f'"${i},000.50",2024-01-{i:02d},{"pq"[i > 9]}' for i in range(1, 20)]
    path.write_text("\n".join(["price,when,y", "NA,-,p", "None,null,q", *rows, ""]))
    found = json.loads(run("inspect", path, "--format", "json").stdout)["columns"]
    assert [(column["read_as"], column["missing"]) for column in found[:2]] == [
        ("numeric", 2),
        ("date", 2),
    ]
    assert found[0]["note"].startswith('missing: "NA" 1, "None" 1')
    run("fit", path, "-t", "y", "--dates", "parts", "-o", model)
    path.write_text('price,when\n"$1,000.50",2024-01-05\nNA,-\nnull,nan\n')
    assert len(run("predict", model, path).stdout.splitlines()) == 4


def test_a_hint_with_a_dash_can_be_typed(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,y\n-,p\nNone,q\nu,p\nNA,q\nu,q\n")
    shown = run("inspect", path).stdout
    assert '(--missing "-" None NA)' in shown
    found = json.loads(
        run("inspect", path, "--missing", "None", "--missing", "-", "--format", "json").stdout
    )
    assert found["columns"][0]["missing"] == 2


def test_rows_without_a_target_are_dropped(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,y\nu,p\nv,\nu,p\nv,q\nv,NA\nv,q\n")
    shown = run("fit", path, "-t", "y", code=3).stderr
    assert 'the target "y" is missing in 2 of 6 rows' in shown
    assert "try: --drop-missing-target" in shown
    for command in ("fit", "compare", "rank"):
        options = ["--cv", "2"] if command == "compare" else []
        result = run(command, path, "-t", "y", "--drop-missing-target", *options)
        assert 'note: 2 rows are ignored because "y" is missing.' in result.stderr
    path.write_text("a,y\nu,\nv,\n")
    shown = run("fit", path, "-t", "y", "--drop-missing-target", code=3).stderr
    assert "missing in every row" in shown


# ---- what Tab completes


def completions(words: str) -> list[str]:
    env = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split(" ")) - 1)}
    shown = run(code=0, _TREEWRIGHT_COMPLETE="bash_complete", **env).stdout
    return [line.partition(",")[2] for line in shown.splitlines() if line]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("treewright fit t.csv -a c", ["c45", "cart"]),
        ("treewright compare t.csv -a cart b", ["bagging", "boosting"]),
        ("treewright data pl", ["play-tennis"]),
        ("treewright fit pl", ["pl", "play-tennis"]),
        ("treewright fit t.csv -t W", ["Wind"]),
        ("treewright fit t.csv.gz --ignore D", ["Day"]),
        ("treewright fit t.xlsx --ignore Day W", ["Wind"]),
        ("treewright fit t.parquet -t Pl", ["PlayTennis"]),
        ("treewright fit t.sqlite --target Ou", ["Outlook"]),
        ("treewright rank play-tennis -t T", ["Temperature"]),
        (
            "treewright fit t.csv --delimiter ; -t D",
            ["Day,Outlook,Temperature,Humidity,Wind,PlayTennis"],
        ),
        ("treewright fit nosuch.csv -t D", []),
        ("treewright fit t.csv --task c", ["classify"]),
    ],
)
def test_tab_completes(words: str, expected: list[str], folder: Path) -> None:
    assert completions(words) == expected
