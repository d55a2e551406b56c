"""Help pages: 80 columns, groups of options, examples that can be typed; names with underscores, and aliases."""

from __future__ import annotations

import importlib
import shlex
from pathlib import Path

import pytest

from helpers.cli_run import TENNIS, run
from treewright import load
from treewright.cli.app.command import GENERAL, Command, Option
from treewright.cli.main import NAMES

COMMANDS = {name: importlib.import_module(f"treewright.cli.verbs.{name}").command for name in NAMES}


@pytest.mark.parametrize("name", ["", *NAMES])
def test_a_page_fits_80_columns(name: str) -> None:
    lines = run(*name.split(), "--help", COLUMNS="200").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert not any("INTEGER" in line or " TEXT\n" in line for line in lines)


@pytest.mark.parametrize("name", NAMES)
def test_every_option_has_a_group_and_a_sentence(name: str) -> None:
    page = run(name, "--help").stdout
    for param in COMMANDS[name].params:
        if isinstance(param, Option) and param.group != GENERAL:
            assert f"\n{param.group}:\n" in page
            assert f"  {param.title()}" in page
            assert param.help
            assert param.help[-1] in ".])" or "\n" in param.help


@pytest.mark.parametrize(
    "line", [line for command in COMMANDS.values() for line in command.examples]
)
def test_examples_can_be_typed(line: str) -> None:
    treewright, name, *args = shlex.split(line.partition(" > ")[0])
    assert treewright == "treewright"
    command = COMMANDS[name]
    assert isinstance(command, Command)
    command.make_context(name, args)


@pytest.mark.parametrize("name", NAMES)
def test_no_two_options_share_a_name(name: str) -> None:
    names = [n for p in COMMANDS[name].params for n in (*p.opts, *p.secondary_opts)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    "options",
    [
        "--min_samples_leaf 3 --max_depth 2 -a cart",
        "--min-samples-leaf 3 --max-depth 2 -a cart",
        "--min_rows 3 --depth 2 -a cart",
        "--min-leaf=3 --max_depth=2 -a cart",
    ],
)
def test_dashes_and_underscores_are_alike(options: str, tmp_path: Path) -> None:
    model = tmp_path / "m.tree"
    run("fit", "play-tennis", *options.split(), "-o", model)
    params = load(model).get_params()
    assert (params["min_samples_leaf"], params["max_depth"]) == (3, 2)


def test_choices_may_have_underscores() -> None:
    fit = ["fit", "play-tennis", "-a", "cart", "--prune"]
    assert run(*fit, "cost_complexity").stdout == run(*fit, "cost-complexity").stdout


@pytest.mark.parametrize(
    ("options", "name", "value"),
    [
        ("-a forest --random_state 7 --n_estimators 3 --n_jobs 1", "random_state", 7),
        ("-a cart --ccp_alpha 0.1", "ccp_alpha", 0.1),
        ("-a cart --class_weight balanced", "class_weight", "balanced"),
        ("-a forest --trees 3 --class-weight Yes=2 No=1", "class_weight", {"Yes": 2.0, "No": 1.0}),
        ("-a boosting --trees 3 --class-weight balanced", "class_weight", "balanced"),
        ("-a knn --n_neighbors 3 --weights uniform", "n_neighbors", 3),
    ],
)
def test_scikit_learns_names_work(options: str, name: str, value: object, tmp_path: Path) -> None:
    model = tmp_path / "m.tree"
    run("fit", "play-tennis", *options.split(), "-o", model)
    assert load(model).get_params()[name] == value


@pytest.mark.parametrize("text", ["Yes", "Yes=much", "balanced Yes=1"])
def test_class_weights_that_cannot_be_read(text: str) -> None:
    line = ["fit", "play-tennis", "-a", "cart", "--class-weight", *text.split()]
    assert "neither CLASS=WEIGHT nor balanced" in run(*line, code=2).stderr


def test_old_names_still_work(tmp_path: Path) -> None:
    table, model = tmp_path / "t.csv", tmp_path / "m.tree"
    table.write_text(TENNIS)
    run("fit", table, "-t", "PlayTennis", "-a", "cart", "-o", model)
    for old, new in [
        (["explain", model, table, "--most", "1"], ["explain", model, table, "--max-changes", "1"]),
        (["rank", "golf", "--gaps", "value"], ["rank", "golf", "--missing-values", "category"]),
        (["rank", "golf", "--cuts", "mdl"], ["rank", "golf", "--thresholds", "mdl"]),
        (["export", model, "--to", "dot", "--lines", "3"], ["export", model, "--to", "dot", "--max-nodes", "3"]),
        (["prune", model, table, "--choose", "least"], ["prune", model, table, "--choose", "min"]),
        (["show", model, "--style", "rules"], ["show", model, "--as", "rules"]),
    ]:  # fmt: skip
        assert run(*old).stdout == run(*new).stdout


def test_the_metric_minkowski_is_on_the_command_line(tmp_path: Path) -> None:
    table, model = tmp_path / "t.csv", tmp_path / "m.tree"
    table.write_text("a,b,y\n1.5,2,p\n2.5,1,q\n3.5,4,p\n4.5,1,q\n")
    run(
        "fit",
        table,
        "-t",
        "y",
        "-a",
        "knn",
        "--metric",
        "minkowski",
        "--neighbors",
        "1",
        "-o",
        model,
    )
    assert load(model).get_params()["metric"] == "minkowski"
