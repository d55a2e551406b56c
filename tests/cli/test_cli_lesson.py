"""`treewright lesson` and `treewright measure`: what users type, what they get, and what they are told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from helpers.cli_run import TENNIS, run


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "tennis.csv"
    path.write_text(TENNIS, "utf-8")
    return path


def test_a_lesson_from_a_table(table: Path, tmp_path: Path) -> None:
    out = tmp_path / "lesson.json"
    run("lesson", table, "-t", "PlayTennis", "-a", "id3", "-o", out)
    document = json.loads(out.read_text("utf-8"))
    assert document["title"] == "tennis"
    assert document["table"]["target"] == "PlayTennis"
    assert document["model"]["algorithm"] == "ID3"
    assert len(document["screens"]) == 11


def test_the_same_from_a_model(table: Path, tmp_path: Path) -> None:
    run("fit", table, "-t", "PlayTennis", "-a", "id3", "-o", tmp_path / "m.tree")
    for name, words in (
        ("a", [table, "-t", "PlayTennis", "-a", "id3"]),
        ("b", [tmp_path / "m.tree", table]),
    ):
        run("lesson", *words, "--title", "x", "-o", tmp_path / f"{name}.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_every_form(tmp_path: Path) -> None:
    for ending in ("html", "tex", "md", "txt", "json"):
        run("lesson", "play-tennis", "-a", "id3", "-o", tmp_path / f"x.{ending}")
        run("lesson", "golf", "--sheet", "--key", "-o", tmp_path / f"s.{ending}")
    assert "\\documentclass" in (tmp_path / "x.tex").read_text("utf-8")
    assert "Answers" in (tmp_path / "s.txt").read_text("utf-8")


def test_wishes(tmp_path: Path) -> None:
    out = tmp_path / "x.txt"
    words = ["--language", "de", "--rounding", "truncate", "--digits", "2", "--unit", "nats"]
    run(
        "lesson",
        "play-tennis",
        "-a",
        "id3",
        *words,
        "--depth",
        "1",
        "--steps",
        "table",
        "choice",
        "-o",
        out,
    )
    text = out.read_text("utf-8")
    assert "1. Die Tabelle" in text
    assert "2. Die Wahl" in text
    assert "0.17" in text
    run("lesson", "golf", "--quiz", "--steps", "quiz", "--node", "0", "-o", out)
    assert "________" in out.read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "slug"),
    [
        (["play-tennis"], "lesson.no-output"),
        (["play-tennis", "-o", "x.docx"], "lesson.suffix"),
        (["play-tennis", "-o", "x.html", "--key"], "usage"),
        (["play-tennis", "-o", "x.html", "--sheet", "--quiz"], "usage"),
        (["play-tennis", "-o", "x.html", "--node", "one"], "usage"),
        (["play-tennis", "-o", "x.html", "-a", "forest"], "lesson.no-tree"),
        (["iris", "-o", "x.html", "--max-rows", "100"], "lesson.too-many-rows"),
    ],
)
def test_slips(
    words: list[str], slug: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("lesson", *words, code=None)
    assert f"[{slug}]" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_model_alone_is_not_enough(tmp_path: Path) -> None:
    run("fit", "play-tennis", "-o", tmp_path / "m.tree")
    result = run("lesson", tmp_path / "m.tree", "-o", tmp_path / "x.html", code=None)
    assert "[lesson.no-rows]" in result.stderr


# ---- measure


def test_measures() -> None:
    assert "= 0.940" in run("measure", "entropy", "9", "5").stdout
    assert "= 0.247" in run("measure", "gain", "2,3", "4,0", "3,2").stdout
    assert "= 3.000" in run("measure", "information", "1/8").stdout
    assert "0.970" in run("measure", "entropy", "3", "2", "--rounding", "truncate").stdout
    record = json.loads(run("measure", "gini", "9", "5", "--format", "json").stdout)
    assert record["numbers"] == [[9.0, 5.0]]
    assert run("measure", "entropy", "9", "5", "--ascii").stdout.isascii()


def test_measures_as_worksheets() -> None:
    sheet = run("measure", "entropy", "9", "5", "--blank").stdout
    assert "0.940" not in sheet
    assert "0.940" in run("measure", "entropy", "9", "5", "--blank", "--key").stdout


@pytest.mark.parametrize("form", ["markdown", "latex", "html", "json", "csv"])
def test_measures_in_every_form(form: str) -> None:
    assert run("measure", "gain-ratio", "2,3", "4,0", "--format", form).stdout


@pytest.mark.parametrize(
    ("words", "slug"),
    [
        (["entropi", "9", "5"], "measure.unknown"),
        (["entropy", "a"], "measure.numbers"),
        (["entropy", "1/0"], "measure.numbers"),
        (["gain", "2,3", "4"], "measure.numbers"),
        (["entropy", "9", "5", "--key"], "usage"),
        (["entropy"], "usage"),
    ],
)
def test_wrong_measures(words: list[str], slug: str) -> None:
    assert f"[{slug}]" in run("measure", *words, code=None).stderr


# ---- work of ensembles


def test_work_of_ensembles(tmp_path: Path) -> None:
    run("fit", "play-tennis", "-a", "forest", "--trees", "4", "-o", tmp_path / "f.tree")
    assert "Out-of-bag votes" in run("work", tmp_path / "f.tree", "play-tennis").stdout
    assert (
        "Tree 1 (of 0 to 3)"
        in run("work", tmp_path / "f.tree", "play-tennis", "--tree", "1").stdout
    )
    assert "[work.no-rows]" in run("work", tmp_path / "f.tree", code=None).stderr
    run("fit", "play-tennis", "-a", "adaboost", "--trees", "3", "-o", tmp_path / "a.tree")
    assert (
        "the vote of 3 rounds"
        in run("work", tmp_path / "a.tree", "play-tennis", "--row", "2").stdout
    )
