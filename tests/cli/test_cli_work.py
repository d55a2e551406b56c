"""`treewright work`: the arithmetic of a node from a model and its table, in every form."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from helpers.cli_run import TENNIS, run


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("work")
    table, model = folder / "tennis.csv", folder / "tennis.tree"
    table.write_text(TENNIS, "utf-8")
    run("fit", table, "-t", "PlayTennis", "-a", "id3", "-o", model)
    return model, table


def test_the_root_in_words(paths: tuple[Path, Path]) -> None:
    text = run("work", *paths).stdout
    assert text.startswith("Node #0   PlayTennis   14 rows: 9 Yes, 5 No\n")
    assert (
        "  Outlook                0.694   0.247        1.577   0.156           0.116   ◀ chosen"
        in text
    )
    assert "Note" not in text


def test_forms_and_wishes(paths: tuple[Path, Path]) -> None:
    record = json.loads(run("work", *paths, "--node", "3", "--format", "json").stdout)
    assert (record["node"], record["chosen"], record["asked_above"]) == (3, "Humidity", ["Outlook"])
    assert run("work", *paths, "--format", "markdown").stdout.startswith("#### Node \\#0")
    latex = run("work", *paths, "--format", "latex", "--standalone").stdout
    assert latex.startswith("\\documentclass")
    assert "<math" in run("work", *paths, "--format", "html").stdout
    assert "0.246" in run("work", *paths, "--rounding", "lecture").stdout
    assert run("work", *paths, "--ascii").stdout.isascii()
    sheet = run("work", *paths, "--blank", "--key").stdout
    assert sheet.count("All candidates") == 2
    assert "____" in sheet


def test_a_small_model_needs_no_table(paths: tuple[Path, Path]) -> None:
    model, table = paths
    for node in range(8):
        alone = run("work", model, "--node", str(node)).stdout
        assert alone == run("work", model, table, "--node", str(node)).stdout
    assert "need a table" in run("work", model, "-t", "PlayTennis", code=2).stderr


def test_other_rows_are_told(paths: tuple[Path, Path], tmp_path: Path) -> None:
    lines = TENNIS.splitlines()
    swapped = tmp_path / "other.csv"
    swapped.write_text(
        "\n".join([*lines[:-1], lines[-1].replace("Strong", "Weak")]) + "\n", "utf-8"
    )
    assert "this is not the training table" in run("work", paths[0], swapped).stdout
    turned = tmp_path / "turned.csv"
    turned.write_text("\n".join([lines[0], *lines[:0:-1]]) + "\n", "utf-8")
    assert "Note" not in run("work", paths[0], turned).stdout


def test_a_built_in_table_knows_its_target(paths: tuple[Path, Path]) -> None:
    assert "9 Yes, 5 No" in run("work", paths[0], "play-tennis").stdout


def test_slips(paths: tuple[Path, Path]) -> None:
    assert "[work.no-such-node]" in run("work", *paths, "--node", "99", code=2).stderr
    assert "[data.no-such-column]" in run("work", *paths, "-t", "Play", code=3).stderr
    assert "[usage]" in run("work", *paths, "--key", code=2).stderr
    assert "neither the number" in run("work", *paths, "--node", "x", code=2).stderr
    assert "[usage.parameter]" in run("work", *paths, "--round", "1", code=2).stderr
    assert "[work.stage]" in run("work", *paths, "--stop-at", "vote", code=2).stderr
    assert "[usage]" in run("work", *paths, "--standalone", code=2).stderr
    assert "[work.no-picture]" in run("work", *paths, "--format", "svg", code=2).stderr
    needs = run("work", paths[0], "--node", "all", "--blank", code=2).stderr
    assert "try: treewright work" in needs
    assert "--row works only for" in run("work", *paths, "--row", "1", code=2).stderr


def test_files_by_their_endings(paths: tuple[Path, Path], tmp_path: Path) -> None:
    starts = {
        ".txt": "Node #0   PlayTennis",
        ".md": "#### Node",
        ".tex": "\\documentclass",
        ".html": "<!DOCTYPE html>",
        ".csv": "column,remaining,gain,",
        ".json": "{",
    }
    for ending, start in starts.items():
        path = tmp_path / f"work{ending}"
        assert f"saved {path}" in run("work", *paths, "-o", path).stderr
        assert path.read_text("utf-8").startswith(start)
    run("work", *paths, "-o", tmp_path / "same.html", "--format", "html")
    run("work", paths[0], "--what", "curves", "-o", tmp_path / "curves.svg")
    assert "[work.suffix]" in run("work", *paths, "-o", tmp_path / "x.docx", code=2).stderr
    said = run("work", *paths, "-o", tmp_path / "x.md", "--format", "html", code=2).stderr
    assert "cannot be combined" in said
    assert (
        "would overwrite" in run("work", *paths, "-o", paths[1], "--format", "csv", code=2).stderr
    )


def test_a_worksheet_with_its_key_is_one_document(paths: tuple[Path, Path], tmp_path: Path) -> None:
    both = json.loads(run("work", *paths, "--blank", "--key", "--format", "json").stdout)
    assert set(both) == {"worksheet", "key"}
    latex = run("work", *paths, "--blank", "--key", "--format", "latex", "--standalone").stdout
    assert latex.count("\\documentclass") == latex.count("\\end{document}") == 1
    assert "\\newpage" in latex
    rows = run("work", *paths, "--blank", "--format", "csv").stdout.splitlines()
    assert rows[1] == "Outlook,,,,,,"
    assert [row.split(",")[0] for row in rows[1:]] == ["Outlook", "Temperature", "Humidity", "Wind"]
    whole = run("work", *paths, "--node", "all", "--blank").stdout
    assert whole.count("Node #") == 3
    exact = run("work", *paths, "--format", "csv").stdout.splitlines()
    assert exact[1].startswith("Outlook,0.6935")


def test_the_work_of_a_row(tmp_path: Path) -> None:
    table, query = tmp_path / "t.csv", tmp_path / "q.csv"
    table.write_text("x1,x2,y\n1,1,A\n2,1,A\n3,4,B\n5,2,A\n3,0,B\n", "utf-8")
    query.write_text("x1,x2\n3,2\n1,1\n", "utf-8")
    for algorithm in ("knn", "boosting"):
        model = tmp_path / f"{algorithm}.tree"
        run("fit", table, "-t", "y", "-a", algorithm, "-o", model)
        first, second = (run("work", model, query, "--row", n).stdout for n in "12")
        assert first != second
        assert first == run("work", model, query).stdout
        assert "[work.no-rows]" in run("work", model, code=2).stderr
        assert "rows: 1 to 2" in run("work", model, query, "--row", "3", code=3).stderr
        assert "________" in run("work", model, query, "--blank").stdout
