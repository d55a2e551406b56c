"""``treewright effect``, and intervals and losses on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from helpers.cli_run import run
from treewright import CARTRegressor, load, partial_dependence, read_csv, save

ROWS = "area,town,price\n" + "".join(
    f"{area},{town},{area * 3.5 + (50.25 if town == 'B' else 0.25)}\n"
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


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize("algorithm", ["forest", "extra-trees", "boosting"])
def test_intervals_are_fitted_and_predicted(algorithm: str) -> None:
    fit = ("fit", "houses.csv", "--target", "price", "-a", algorithm, "--trees", "5")
    run(*fit, "--interval", "0.8", "-o", "wide.tree")
    lines = run("predict", "wide.tree", "houses.csv", "--interval", "0.8").output.splitlines()
    assert lines[0] == "prediction,low,high"
    ends = load("wide.tree").predict_interval(read_csv("houses.csv"), 0.8)
    assert [float(line.split(",")[1]) for line in lines[1:]] == ends[:, 0].tolist()
    record = json.loads(
        run("predict", "wide.tree", "houses.csv", "--interval", "0.8", "--format", "json").output
    )[0]
    assert record["low"] == ends[0, 0]
    if algorithm == "boosting":
        words = ("predict", "wide.tree", "houses.csv", "--interval", "0.9")
        assert "intervals of level 0.8" in run(*words, code=2).stderr


@pytest.mark.usefixtures("model")
def test_losses_and_missing_intervals() -> None:
    fit = ("fit", "houses.csv", "-a", "boosting", "--trees", "3")
    run(*fit, "--target", "price", "--loss", "gamma", "-o", "gamma.tree")
    assert load("gamma.tree").loss == "gamma"
    run(*fit, "--target", "price", "--loss", "quantile", "--quantile", "0.2", "-o", "low.tree")
    assert load("low.tree").quantile == 0.2
    assert (
        "only for numeric targets"
        in run(*fit, "--target", "town", "--loss", "gamma", code=2).stderr
    )
    words = ("houses.csv", "--interval", "0.9")
    assert "fitted without --interval" in run("predict", "gamma.tree", *words, code=2).stderr
    assert "works only for" in run("predict", "price.tree", *words, code=2).stderr
