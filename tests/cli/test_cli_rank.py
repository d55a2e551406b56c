"""``treewright rank`` and ``treewright inspect --target``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from helpers.cli_run import TENNIS, run

RANKED = """\
PlayTennis: 4 columns by information gain (bits), 14 rows
  column        gain  share of all      ratio  kind         parts  missing
  Outlook      0.247  ███░░░░░░░ 26.2%  0.156  categorical      3        0
  Humidity     0.152  ██░░░░░░░░ 16.1%  0.152  categorical      2        0
  Wind         0.048  █░░░░░░░░░  5.1%  0.049  categorical      2        0
  Temperature  0.029  ░░░░░░░░░░  3.1%  0.019  categorical      3        0
"""


def test_a_built_in_table_needs_no_target() -> None:
    result = run("rank", "play-tennis")
    assert result.stdout == RANKED
    assert 'column "Day" is ignored' in result.stderr
    assert "  Day          0.940" in run("rank", "play-tennis", "--keep", "Day").stdout


def test_inspect_shows_the_ranking(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(TENNIS)
    result = run("inspect", path, "--target", "PlayTennis")
    assert result.stdout.endswith(RANKED)
    assert "Outlook      categorical  Sunny 5" in result.stdout
    assert f"next: treewright fit {path} --target PlayTennis" in result.stderr
    assert 'column "Day" is ignored' not in result.stderr  # it stands in the table
    record = json.loads(run("inspect", path, "-t", "PlayTennis", "--format", "json").stdout)
    assert record["ranking"]["columns"][0]["name"] == "Outlook"
    assert "has no column" in run("inspect", path, "-t", "Play", code=3).stderr


def test_forms(tmp_path: Path) -> None:
    record = json.loads(run("rank", "play-tennis", "--by", "gini", "--format", "json").stdout)
    assert record["by"] == "gini"
    assert run("rank", "play-tennis", "--format", "svg").stdout.startswith("<svg")
    assert "\n| column |" in run("rank", "play-tennis", "--format", "markdown").stdout
    run("rank", "play-tennis", "-o", tmp_path / "r.html")
    assert "<table>" in (tmp_path / "r.html").read_text("utf-8")
    assert run("rank", "play-tennis", "--ascii").stdout.isascii()


def test_numbers_and_gaps(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("size,kind,price\n1,a,10.5\n2,a,20.5\n2,,20\n10,b,100\n11,b,110\n")
    said = run("rank", path, "-t", "price").stdout
    assert "2 columns by variance reduction, 5 rows" in said
    assert "cut at" in said
    told = run("rank", path, "-t", "kind", "--gaps", "known", code=3)
    assert "kind" in told.stderr
    words = ("rank", path, "-t", "price", "--by", "one-r")
    assert "[rank.target]" in run(*words, code=2).stderr
    cut = run("rank", path, "-t", "price", "--task", "regress", "--by", "mutual-information").stdout
    assert "note: the target was cut into" in cut


@pytest.mark.parametrize("words", [("--by", "luck"), ("--gaps", "drop"), ("--cuts", "many")])
def test_slips(words: tuple[str, str]) -> None:
    assert "[usage]" in run("rank", "play-tennis", *words, code=2).stderr


def test_a_target_is_never_guessed(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(TENNIS)
    said = run("rank", path, code=2).stderr
    assert "no target given: name the column to predict" in said
    assert "try: treewright rank" in said
