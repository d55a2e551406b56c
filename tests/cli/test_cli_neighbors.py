"""Neighbours on the command line: fit, show, explain, predict, eval, compare, and slips."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from helpers.cli_run import TENNIS, run
from treewright import load

SUNNY = ("Outlook=Sunny", "Temperature=Cool", "Humidity=High", "Wind=Weak")
SHOWN = """\
PlayTennis by k nearest neighbors (vote)   14 rows · 4 columns
prediction by the nearest 3: heom, weights 1/d²
  column       kind         values   weight
  Outlook      categorical  3             1
  Temperature  categorical  3             1
  Humidity     categorical  2             1
  Wind         categorical  2             1
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("knn") / "tennis.tree"
    vote = ("--vote", "squared-distance")
    shown = run("fit", "play-tennis", "-a", "knn", "--neighbors", "3", *vote, "-o", path).stdout
    assert shown.startswith(SHOWN)
    assert "accuracy on the training rows   14 of 14   (100%)" in shown
    return path


def test_a_saved_model_is_shown_in_every_form(model: Path, tmp_path: Path) -> None:
    assert run("show", model).stdout == SHOWN
    record = json.loads(run("show", model, "--format", "json").stdout)
    assert (record["n_neighbors"], record["metric"]) == (3, "heom")
    assert "| Outlook | categorical |" in run("show", model, "--format", "markdown").stdout
    assert "<table>" in run("show", model, "--format", "html").stdout
    assert run("show", model, "--ascii").stdout.isascii()
    run("show", model, "-o", tmp_path / "m.md")
    assert "Outlook" in (tmp_path / "m.md").read_text("utf-8")
    assert "[show.no-picture]" in run("show", model, "--format", "svg", code=2).stderr
    assert "[show.rules]" in run("show", model, "--node", "3", code=2).stderr


def test_auto_shows_its_curve(tmp_path: Path) -> None:
    path = tmp_path / "m.tree"
    shown = run("fit", "play-tennis", "-a", "knn", "--neighbors", "auto", "-o", path).stdout
    assert "prediction by the nearest 6, chosen by leave-one-out error" in shown
    assert "          6        0.357  least\n" in shown
    assert run("show", path, "--format", "svg").stdout.startswith("<svg")
    assert load(path).n_neighbors_ == 6


def test_numbers_are_answered_by_the_mean(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("size,price\n1,10\n2,20\n3,30\n10,100\n1,12\n")
    shown = run("fit", path, "-t", "price", "--task", "regress", "-a", "knn", "--neighbors", "2",
                "--metric", "manhattan", "--scale", "standard").stdout  # fmt: skip
    assert "prediction by the nearest 2: manhattan, equal weights" in shown
    assert "divided by 3.382" in shown
    assert "always 34.4" in shown


def test_answers_and_figures(model: Path) -> None:
    said = run("predict", model, "-", "--proba", stdin=TENNIS).stdout.splitlines()
    assert said[:2] == ["prediction,probability No,probability Yes", "No,1.0,0.0"]
    assert "14 of 14 (100%)" in run("eval", model, "-", stdin=TENNIS).stdout
    strange = run("predict", model, "-", stdin=TENNIS.replace("Overcast", "Foggy"))
    assert "It counts as different from every training row." in strange.stderr


def test_an_answer_is_explained(model: Path) -> None:
    text = run("explain", model, "--set", *SUNNY).stdout
    assert text.startswith("No: the votes of the nearest 3 rows (heom, weights 1/d²)\n")
    assert len(text.splitlines()) == 6
    record = json.loads(run("explain", model, "--set", *SUNNY, "--format", "json").stdout)
    assert [n["row"] for n in record["neighbours"]] == [1, 8, 9]
    assert "| 1 |" in run("explain", model, "--set", *SUNNY, "--format", "markdown").stdout
    narrow = run("explain", model, "--set", *SUNNY, "--width", "60", "--ascii").stdout
    assert narrow.isascii()
    assert "more column" in narrow
    assert all(len(line) <= 60 for line in narrow.splitlines()[2:])
    assert (
        "[explain.no-tree]"
        in run("explain", model, "--set", *SUNNY, "--want", "Yes", code=2).stderr
    )


def test_neighbours_are_compared(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(TENNIS)
    assert "knn" in run("compare", path, "-t", "PlayTennis", "--cv", "3").stdout
    weighted = TENNIS.replace("Day,", "W,").replace("\nD", "\n1")
    path.write_text(weighted)
    words = ("compare", path, "-t", "PlayTennis", "--cv", "3", "--weight", "W")
    assert "knn" not in run(*words).stdout
    assert "knn cannot predict classes with --weight" in run(*words, "-a", "knn", code=2).stderr


@pytest.mark.parametrize(
    "words",
    [
        ("--neighbors", "0"),
        ("--neighbors", "many"),
        ("--neighbors", "2.5"),
        ("--metric", "cosmic"),
        ("--vote", "loud"),
        ("--depth", "2"),
        ("--weight", "Wind"),
        ("--metric", "manhattan"),
    ],
)
def test_slips(words: tuple[str, ...]) -> None:
    said = run("fit", "play-tennis", "-a", "knn", *words, code=2).stderr
    assert "error:" in said


def test_other_learners_have_no_neighbours() -> None:
    said = run("fit", "play-tennis", "-a", "id3", "--neighbors", "3", code=2).stderr
    assert "--neighbors is not supported by id3" in said
    assert "supported by: knn" in said


def test_there_is_nothing_to_prune_or_to_export(model: Path) -> None:
    assert "[prune.no-tree]" in run("prune", model, code=2).stderr
    assert "error:" in run("export", model, "sql", code=2).stderr
