"""Any name of a column, a level or a target passes through rankings and neighbours: shown, never obeyed."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from helpers.cli_run import run
from helpers.draw_trees import HOSTILE
from helpers.hostile_text import read, unsafe
from treewright import KNeighborsClassifier, explain_neighbors, rank_columns, show

NAMES = (*(name for name in HOSTILE if name not in ("", "\ud800")), "a_b|<c>$</script>")
CELLS = ["</script><i>", "x\x1b[2J", "a|b", "\u202ey"]
ANSWERS = ["<b>", "no|", "<b>", "no|"]


def table() -> dict[str, list[str]]:
    """Return columns of all hostile names, one of which tells all."""
    return {name: CELLS if i % 2 else ["a", "b", "a", "b"] for i, name in enumerate(NAMES)}


def tame(html: str) -> None:
    """Check that a page holds what we put there, and names as text alone."""
    reader = read(html)
    assert reader.elements.isdisjoint({"script", "b", "i"})
    assert not any(name.startswith("on") for name in reader.attributes)
    assert "onclick" in " ".join(reader.text)
    assert unsafe(html) == []


def test_a_ranking_in_every_form(tmp_path: Path) -> None:
    ranking = rank_columns(table(), ANSWERS)
    assert ranking.names[0] in NAMES
    assert unsafe(str(ranking)) == []
    assert len(str(ranking).splitlines()) == len(NAMES) + 2
    tame(ranking.to_html())
    picture = ranking.to_svg()
    ElementTree.fromstring(picture)
    assert "<b" not in picture.replace("<bdi", "")
    assert unsafe(picture) == []
    shown = [line for line in ranking.to_markdown().splitlines() if line.startswith("|")]
    bars = {len(line.replace("\\|", "").split("|")) for line in shown}
    assert len(shown) == len(NAMES) + 2
    assert len(bars) == 1
    assert {c["name"] for c in json.loads(json.dumps(ranking.to_dict()))["columns"]} == set(NAMES)
    for suffix in (".txt", ".md", ".html", ".svg", ".json"):
        ranking.save(tmp_path / f"r{suffix}")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a file with hostile names and cells."""
    text = io.StringIO()
    writer = csv.writer(text)
    names = [name for name in NAMES if name.strip() == name]
    writer.writerow([*names, "is</script>"])
    columns = table()
    for i, answer in enumerate(ANSWERS * 3):
        writer.writerow([*(columns[name][i % 4] for name in names), answer])
    made = tmp_path / "t.csv"
    made.write_text(text.getvalue(), "utf-8")
    return made


@pytest.mark.parametrize("words", [("rank",), ("inspect",)])
def test_the_command_line(words: tuple[str, ...], path: Path) -> None:
    told = run(*words, path, "--target", "is</script>")
    assert unsafe(told.stdout) == []
    assert unsafe(told.stderr) == []
    assert "</script><b onclick" in told.stdout
    told = run(*words, path, "--target", "is</script>", "--format", "json")
    record = json.loads(told.stdout)
    ranking = record if words == ("rank",) else record["ranking"]
    assert "a_b|<c>$</script>" in {column["name"] for column in ranking["columns"]}
    if words == ("rank",):
        tame(run(*words, path, "--target", "is</script>", "--format", "html").stdout)
        ElementTree.fromstring(run(*words, path, "-t", "is</script>", "--format", "svg").stdout)


def test_neighbours_and_their_explanation() -> None:
    rows = table()
    model = KNeighborsClassifier("auto").fit(
        {name: values * 3 for name, values in rows.items()}, ANSWERS * 3
    )
    told = explain_neighbors(model, {name: values[0] for name, values in rows.items()})
    assert unsafe(str(told)) == []
    assert unsafe(told.to_markdown()) == []
    assert "</script>" not in told.to_markdown().replace("\\<", "<\\")
    assert json.loads(json.dumps(told.to_dict()))
    view = show(model)
    assert unsafe(str(view)) == []
    tame(view.to_html())
    picture = view.to_svg()
    ElementTree.fromstring(picture)
    assert unsafe(picture) == []


def test_a_model_of_hostile_names_on_the_command_line(path: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.tree"
    told = run("fit", path, "-t", "is</script>", "-a", "knn", "--neighbors", "3", "-o", model)
    assert unsafe(told.stdout) == []
    told = run("explain", model, path, "--row", "1")
    assert unsafe(told.stdout) == []
    assert unsafe(told.stderr) == []
