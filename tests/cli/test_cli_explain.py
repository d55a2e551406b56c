"""`treewright explain`: a row of a file or from words, forms, and slips."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from helpers.cli_run import TENNIS, run

SUNNY = ("Outlook=Sunny", "Temperature=Cool", "Humidity=High", "Wind=Strong")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("explain") / "tennis.tree"
    run("fit", "play-tennis", "-a", "id3", "-o", path)
    return path


def test_the_session_of_the_guide(model: Path) -> None:
    assert (
        run("explain", model, "--set", *SUNNY).stdout
        == """\
No.
  because  Outlook = Sunny  (node #0)
      and  Humidity = High  (node #1)
  3 training rows took this path, all "No" (95% interval: 43.9% to 100%)
smallest change to get "Yes":  Humidity High → Normal
other single change:           Outlook Sunny → Overcast
not used on this path:         Temperature, Wind
"""
    )


def test_a_row_of_a_file(model: Path, tmp_path: Path) -> None:
    path = tmp_path / "days.csv"
    path.write_text(TENNIS.replace("D4,Rain", "D4,Foggy"), "utf-8")
    assert run("explain", model, path).stdout.startswith("No.\n  because  Outlook = Sunny")
    assert "Outlook = Foggy, never seen" in run("explain", model, path, "--row", "4").stdout
    changed = run("explain", model, path, "--row", "4", "--set", "Outlook=Overcast").stdout
    assert changed.startswith("Yes.\n  because  Outlook = Overcast")
    assert "days.csv has no row 15" in run("explain", model, path, "--row", "15", code=3).stderr
    assert run("explain", model, "-", stdin=TENNIS).stdout.startswith("No.")


def test_forms(model: Path) -> None:
    record = json.loads(run("explain", model, "--set", *SUNNY, "--format", "json").stdout)
    assert record["answer"] == "No"
    assert record["changes"][0]["to"][0]["value"] == "Normal"
    assert run("explain", model, "--set", *SUNNY, "--format", "markdown").stdout.startswith("```")
    plain = run("explain", model, "--set", *SUNNY, "--ascii", "--width", "40").stdout
    assert plain.isascii()
    assert all(len(line) <= 40 for line in plain.splitlines())


def test_wishes(model: Path) -> None:
    text = run("explain", model, "--set", *SUNNY, "--fixed", "Humidity", "--want", "Yes").stdout
    assert 'smallest change to get "Yes":  Outlook Sunny → Overcast' in text
    assert "other" not in text


@pytest.mark.parametrize(
    ("words", "slug"),
    {
        (): "explain.no-row",
        ("--row", "1", "--set", "Outlook=Rain"): "usage",
        ("--set", "Outlok=Rain"): "explain.set",
        ("--set", "Outlook=Rain", "--want", "Maybe"): "explain.want",
        ("--set", "Outlook=Rain", "--fixed", "Out"): "data.no-such-column",
    }.items(),
)
def test_slips(model: Path, words: tuple[str, ...], slug: str) -> None:
    code = 3 if slug.startswith("data") else 2
    assert f"[{slug}]" in run("explain", model, *words, code=code).stderr


def test_numbers_are_read_as_numbers(tmp_path: Path) -> None:
    path = tmp_path / "golf.tree"
    run("fit", "golf", "-o", path)
    text = run("explain", path, "--set", "outlook=sunny", "humidity=7.5e1", "windy=").stdout
    assert "humidity = 75 ≤ 75" in text
    said = run("explain", path, "--set", "humidity=wet", code=2).stderr
    assert 'column "humidity" must be a number; got "wet"' in said
