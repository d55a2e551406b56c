"""``treewright effect``: partial dependence on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from helpers.cli_run import run
from treewright import CARTRegressor, partial_dependence, read_csv, save

ROWS = "area,town,price\n" + "".join(
    f"{area},{town},{area * 3 + (50 if town == 'B' else 0)}\n"
    for area in (10, 20, 30, 40)
    for town in "AB"
)


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)
    Path("houses.csv").write_text(ROWS)
    table = read_csv("houses.csv")
    fitted = CARTRegressor(max_depth=2).fit(table.drop("price"), table["price"])
    save(fitted, "price.tree")
    return fitted


def test_text_and_values_are_those_of_the_function(model: Any) -> None:
    result = run("effect", "price.tree", "houses.csv", "area")
    assert result.output.startswith("partial dependence on area, average of 8 rows\n")
    plain = json.loads(run("effect", "price.tree", "houses.csv", "area", "--format", "json").output)
    table = read_csv("houses.csv").drop("price")
    assert plain == json.loads(json.dumps(partial_dependence(model, table, "area").to_dict()))


@pytest.mark.usefixtures("model")
def test_pictures_and_two_columns() -> None:
    run("effect", "price.tree", "houses.csv", "area", "--ice", "-o", "a.svg")
    assert Path("a.svg").read_text().startswith("<svg")
    result = run("effect", "price.tree", "houses.csv", "town", "area", "--format", "csv")
    assert result.output.splitlines()[0] == "town,area,prediction"


@pytest.mark.usefixtures("model")
def test_errors_say_what_to_type() -> None:
    words = ("effect", "price.tree", "houses.csv")
    assert "did you mean 'town'?" in run(*words, "tow", code=3).stderr
    assert "single column" in run(*words, "town", "area", "--ice", code=2).stderr
