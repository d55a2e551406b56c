"""Models of many trees from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.cli_run import run
from treewright import load


@pytest.mark.parametrize(
    ("line", "limits"),
    [
        (
            "-a forest --trees 3 --max-features 2 --no-oob",
            {"n_estimators": 3, "max_features": 2, "oob_score": False},
        ),
        ("-a extra-trees --trees 2 --max-features 0.5", {"max_features": 0.5}),
        ("-a extra-trees --trees 2 --max-features log2", {"max_features": "log2"}),
        ("-a bagging --trees 2 --threads 1", {"n_estimators": 2, "n_jobs": 1}),
        ("-a adaboost --trees 4 --rate 0.5", {"n_estimators": 4, "learning_rate": 0.5}),
    ],
)
def test_words_reach_the_learner(tmp_path: Path, line: str, limits: dict[str, object]) -> None:
    model = tmp_path / "m.tree"
    run("fit", "play-tennis", *line.split(), "-o", model)
    made = load(model)
    assert limits.items() <= made.get_params().items()
    assert len(made.trees_) <= made.n_estimators


def test_out_of_bag_is_told(tmp_path: Path) -> None:
    result = run("fit", "play-tennis", "-a", "forest", "--oob")
    assert "accuracy out of bag" in result.stdout


@pytest.mark.parametrize("word", ["forest", "extra-trees", "bagging"])
def test_the_seed_reaches_learners_that_draw(tmp_path: Path, word: str) -> None:
    models = []
    for seed in ("0", "1", "1"):
        model = tmp_path / f"{len(models)}.tree"
        run("fit", "golf", "-a", word, "--trees", "5", "--seed", seed, "-o", model)
        models.append(load(model))
    assert [made.random_state for made in models] == [0, 1, 1]
    thresholds = [[tree.threshold.tolist() for tree in made.trees_] for made in models]
    assert str(thresholds[1]) == str(thresholds[2]) != str(thresholds[0])


def test_boosting_draws_columns_by_the_seed(tmp_path: Path) -> None:
    model = tmp_path / "m.tree"
    line = "-a boosting --trees 3 --max-features 2 --seed 7"
    run("fit", "golf", *line.split(), "-o", model)
    assert load(model).get_params()["random_state"] == 7
    assert load(model).get_params()["max_features"] == 2
    # The same number draws the rows of a trial.
    drawn = {run("fit", "golf", *line.split(), "--cv", "3").stdout for _ in range(2)}
    assert len(drawn) == 1
