"""`treewright work`: the arithmetic of a node from a model and its table, in every form."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli_run import TENNIS, run


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
        "  Outlook            0.694   0.247        1.577   0.156           0.116   ◀ chosen" in text
    )
    assert "Note" not in text


def test_forms_and_wishes(paths: tuple[Path, Path]) -> None:
    record = json.loads(run("work", *paths, "--node", "3", "--format", "json").stdout)
    assert (record["node"], record["chosen"], record["asked_above"]) == (3, "Humidity", ["Outlook"])
    assert run("work", *paths, "--format", "markdown").stdout.startswith("#### Node 0")
    latex = run("work", *paths, "--format", "latex", "--standalone").stdout
    assert latex.startswith("\\documentclass")
    assert "<math" in run("work", *paths, "--format", "html").stdout
    assert "0.246" in run("work", *paths, "--rounding", "lecture").stdout
    assert run("work", *paths, "--ascii").stdout.isascii()
    sheet = run("work", *paths, "--blank", "--key").stdout
    assert sheet.count("All candidates") == 2
    assert "____" in sheet


def test_a_built_in_table_knows_its_target(paths: tuple[Path, Path]) -> None:
    assert "9 Yes, 5 No" in run("work", paths[0], "play-tennis").stdout


def test_slips(paths: tuple[Path, Path]) -> None:
    assert "[work.no-such-node]" in run("work", *paths, "--node", "99", code=2).stderr
    assert "[data.no-such-column]" in run("work", *paths, "-t", "Play", code=3).stderr
    assert "[usage]" in run("work", *paths, "--key", code=2).stderr
