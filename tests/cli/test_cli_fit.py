"""``treewright fit``: the tree, the figures beside it, the notes, the model file."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from helpers.cli_run import TENNIS, run
from treewright import load

TREE = """\
PlayTennis by C4.5 (gain ratio)   14 rows · 8 nodes · 5 leaves · depth 2

                      node  rows   Yes  No   entropy    gain   share of Yes
Outlook?              #0      14     9   5     0.940   0.247   █████░░░ 64.3%
├─ Sunny: Humidity?   #1       5     2   3     0.971   0.971   ███░░░░░ 40.0%
│  ├─ High → No       #4       3     0   3     0.000       ·   ░░░░░░░░    0%
│  └─ Normal → Yes    #5       2     2   0     0.000       ·   ████████  100%
├─ Overcast → Yes     #2       4     4   0     0.000       ·   ████████  100%
└─ Rain: Wind?        #3       5     3   2     0.971   0.971   █████░░░ 60.0%
   ├─ Weak → Yes      #6       3     3   0     0.000       ·   ████████  100%
   └─ Strong → No     #7       2     0   2     0.000       ·   ░░░░░░░░    0%
"""
FIGURES = (
    "accuracy on the training rows   14 of 14   (100%)\n"
    "accuracy by leave-one-out        7 of 14  (50.0%)\n"
    'baseline: always "Yes"           9 of 14  (64.3%)\n'
)
NOTE = (
    'note: column "Day" is ignored because every row has a different value. It would separate the '
    "training rows perfectly (gain 0.940) but cannot help with new rows. To use it: --keep Day\n"
)


@pytest.fixture
def tennis(tmp_path: Path) -> Path:
    path = tmp_path / "tennis.csv"
    path.write_text(TENNIS)
    return path


def figures(*args: str | Path, **settings: str) -> str:
    """Return the lines below the tree in one line, with single spaces."""
    lines = run("fit", *args, **settings).stdout.splitlines()
    scores = [line for line in lines if line.startswith(("accuracy", "RMSE", "R2", "baseline"))]
    return " | ".join(" ".join(line.split()) for line in scores)


def test_a_built_in_table_needs_nothing_else() -> None:
    result = run("fit", "play-tennis")
    assert result.stdout == TREE + FIGURES
    assert result.stderr == NOTE


def test_a_file_gives_the_same_figures_and_a_model(tennis: Path) -> None:
    model = tennis.with_name("m.tree")
    result = run("fit", tennis, "-t", "PlayTennis", "--loo", "-o", model)
    assert result.stdout.endswith(FIGURES)
    assert result.stderr == f"{NOTE}saved {model} (6 KB)\n"
    assert load(model).tree_.n_nodes == 8


def test_id3_learns_the_same_tree_and_is_named(tennis: Path) -> None:
    header = "PlayTennis by ID3 (information gain)   14 rows · 8 nodes · 5 leaves · depth 2"
    line = FIGURES.replace(" 7 of 14  (50.0%)", "11 of 14  (78.6%)")
    built_in = run("fit", "play-tennis", "-a", "id3").stdout
    assert built_in == "\n".join([header, *(TREE + line).splitlines()[1:], ""])
    from_file = run("fit", tennis, "-t", "PlayTennis", "-a", "id3", "--loo").stdout
    assert from_file.startswith(header)
    assert from_file.endswith(line)


def test_standard_input(tennis: Path) -> None:
    assert run("fit", "-", "-t", "PlayTennis", stdin=TENNIS).stdout.endswith(FIGURES)


def test_the_target_of_a_built_in_table_can_be_another() -> None:
    result = run("fit", "play-tennis", "--target", "Wind")
    assert result.stdout.startswith("Wind by C4.5")
    assert "PlayTennis" in result.stdout


def test_keeping_an_identifier_shows_why_it_is_worthless() -> None:
    result = run("fit", "play-tennis", "--keep", "Day", "-a", "id3")
    assert "Day?" in result.stdout
    assert "by leave-one-out        9 of 14" in result.stdout
    assert "ignored" not in result.stderr


def test_ignored_columns_are_not_asked() -> None:
    shown = run("fit", "play-tennis", "--ignore", "Outlook", "Wind").stdout
    assert "Outlook" not in shown
    assert "Wind" not in shown


@pytest.mark.parametrize("verb", ["fit", "work", "compare"])
def test_what_the_user_ignores_needs_no_note(verb: str) -> None:
    assert "Day" in run(verb, "play-tennis", "-a", "id3").stderr
    assert run(verb, "play-tennis", "-a", "id3", "--ignore", "Day").stderr == ""


def test_numbers_become_branches_and_a_note_says_so() -> None:
    note = (
        "note: id3 does not use thresholds, so every distinct number becomes a branch: "
        "temperature (12 values), humidity (10 values). For thresholds: --algorithm c45\n"
    )
    assert run("fit", "golf", "-a", "id3").stderr == note
    numbers = ["--ignore", "temperature", "humidity"]
    assert run("fit", "golf", "-a", "id3", *numbers).stderr == ""
    for word in ("c45", "cart", "one-r"):
        assert run("fit", "golf", "-a", word).stderr == ""


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (
            ["-a", "zero-r"],
            "accuracy on the training rows 9 of 14 (64.3%) | accuracy by leave-one-out 9 of 14 (64.3%) | "
            'baseline: always "Yes" 9 of 14 (64.3%)',
        ),
        (
            ["-a", "one-r", "--cv", "14"],
            "accuracy on the training rows 10 of 14 (71.4%) | accuracy by 14-fold cross-validation 4 of 14 (28.6%) | "
            'baseline: always "Yes" 9 of 14 (64.3%)',
        ),
        (
            ["-a", "id3", "--holdout", "0.2"],
            "accuracy on the training rows 14 of 14 (100%) | accuracy on the held-out 20% 2 of 3 (66.7%) | "
            'baseline: always "Yes" 2 of 3 (66.7%)',
        ),
        (
            ["--test", "play-tennis"],
            "accuracy on the training rows 14 of 14 (100%) | accuracy on play-tennis 14 of 14 (100%) | "
            'baseline: always "Yes" 9 of 14 (64.3%)',
        ),
    ],
)
def test_figures(args: list[str], line: str) -> None:
    assert figures("play-tennis", *args) == line


def test_leaving_out_is_scikit_learns(tennis: Path) -> None:
    from sklearn.model_selection import LeaveOneOut, cross_val_score

    from treewright import C45Classifier, CARTClassifier, ID3Classifier, datasets

    X, y = datasets.play_tennis()
    learners = {"c45": C45Classifier(), "cart": CARTClassifier(), "id3": ID3Classifier()}
    for word, learner in learners.items():
        right = int(cross_val_score(learner, X, y, cv=LeaveOneOut()).sum())
        assert f"by leave-one-out {right} of 14 " in figures(tennis, "-t", "PlayTennis", "-a", word)


def test_random_rows_follow_the_seed() -> None:
    lines = {figures("play-tennis", "--cv", "3", "--seed", str(seed)) for seed in range(6)}
    assert len(lines) > 1
    assert figures("play-tennis", "--cv", "3") == figures("play-tennis", "--cv", "3", "--seed", "0")


def test_large_tables_are_not_left_out_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "large.csv"
    path.write_text("a,y\n" + "x,p\ny,q\n" * 501)
    assert "leave-one-out" not in figures(path, "-t", "y")
    assert (
        figures(path, "-t", "y")
        == 'accuracy on the training rows 1,002 of 1,002 (100%) | baseline: always "p" 501 of 1,002 (50.0%)'
    )


@pytest.mark.parametrize(
    ("line", "limits"),
    [
        (
            "-a id3 --max-depth 1 --min-split 3 --min-gain 0.1",
            {"max_depth": 1, "min_samples_split": 3, "min_gain": 0.1},
        ),
        (
            "--depth 1 --min-rows 3 --criterion gain --prune pessimistic --confidence 1",
            {"max_depth": 1, "min_cases": 3, "criterion": "gain", "confidence": 1.0},
        ),
        (
            "--min-samples-leaf 1 --depth 1 --criterion gain-ratio --prune none",
            {"min_cases": 1, "criterion": "gain_ratio", "prune": None},
        ),
        (
            "-a id3 --depth 1 --alpha 0 --max-p-value 1",
            {"prune": "cost_complexity", "ccp_alpha": 0.0, "max_p_value": 1.0},
        ),
        ("-a cart --depth 1 --prune cost-complexity --alpha 0.01", {"ccp_alpha": 0.01}),
        ("-a one-r --min-leaf 2", {"min_bucket": 2}),
        (
            "-a cart --depth 1 --min-rows 2 --min-split 3 --min-gain 0.01 --criterion entropy",
            {
                "max_depth": 1,
                "min_samples_leaf": 2,
                "min_samples_split": 3,
                "min_gain": 0.01,
                "criterion": "entropy",
            },
        ),
        ("-a cart --max-leaf-nodes 2 --threads 1", {"max_leaf_nodes": 2, "n_jobs": 1}),
    ],
)
def test_limits_reach_the_learner(tmp_path: Path, line: str, limits: dict[str, object]) -> None:
    model = tmp_path / "m.tree"
    run("fit", "play-tennis", *line.split(), "-o", model)
    assert limits.items() <= load(model).get_params().items()
    assert load(model).tree_.depth == 1


def test_weights_count_like_repeated_rows(tmp_path: Path) -> None:
    weighted, repeated = tmp_path / "w.csv", tmp_path / "r.csv"
    weighted.write_text("a,w,y\nx,2,p\ny,1,q\ny,0,p\ny,3,q\n")
    repeated.write_text("a,y\nx,p\nx,p\ny,q\ny,q\ny,q\ny,q\n")
    result = run("fit", weighted, "-t", "y", "--weight", "w")
    assert "note: 1 row with weight 0 is ignored.\n" in result.stderr
    line = figures(weighted, "-t", "y", "--weight", "w")
    assert line.startswith(
        "accuracy on the training rows weight 6 of 6 (100%) | accuracy by leave-one-out weight "
    )
    assert line.endswith('always "q" weight 4 of 6 (66.7%)')
    assert figures(repeated, "-t", "y").endswith('always "q" 4 of 6 (66.7%)')


def test_numbers_as_classes_keep_their_order(tmp_path: Path) -> None:
    path, model = tmp_path / "r.csv", tmp_path / "m.tree"
    path.write_text("a,r\nx,10\ny,2\nx,10\ny,2\nz,1.5\n")
    result = run("fit", path, "-t", "r", "--task", "classify", "-o", model)
    assert load(model).schema_.classes == ("1.5", "2", "10")
    assert "accuracy on the training rows   5 of 5   (100%)\n" in result.stdout


def test_a_target_of_numbers_is_learnt_by_cart(tmp_path: Path) -> None:
    path, model = tmp_path / "p.csv", tmp_path / "p.tree"
    path.write_text("a,price\n" + "x,7.5\ny,2.5\nx,8\ny,0\n" * 2)
    assert (
        run("fit", path, "-t", "price", "-o", model).stdout
        == """\
price by CART (squared error)   8 rows · 3 nodes · 2 leaves · depth 1

              node  rows   mean     sd     [min–max]   gain
a?            #0       8   4.50   3.37   [0.00–8.00]   10.6
├─ x → 7.75   #1       4   7.75   0.25   [7.50–8.00]      ·
└─ y → 1.25   #2       4   1.25   1.25   [0.00–2.50]      ·
pruned by cost complexity from 2 to 2 leaves (the full tree: --prune none)
RMSE on the training rows   0.9014
RMSE by leave-one-out        1.202
baseline: always 4.5         3.373
"""
    )
    assert run("predict", model, "-", stdin="a\ny\n").stdout == "prediction\n1.25\n"


def test_a_tree_of_numbers_is_pruned_until_it_does_not_lose_to_the_mean(tmp_path: Path) -> None:
    rng, path = random.Random(0), tmp_path / "n.csv"
    rows = [f"{rng.random():.3f},{rng.random():.3f},{rng.gauss(0, 1):.9f}" for _ in range(120)]
    path.write_text("\n".join(["a,b,y", *rows, ""]))
    pruned = run("fit", path, "-t", "y").stdout
    assert "120 rows · 1 node · 1 leaf" in pruned
    assert "pruned by cost complexity from 120 to 1 leaf (the full tree: --prune none)" in pruned
    assert "RMSE by 10-fold cross-validation" in pruned  # each fit grows eleven trees
    assert json.loads(run("fit", path, "-t", "y", "--format", "json").stdout)["pruning"] == {
        "method": "cost_complexity",
        "leaves_before": 120,
        "leaves": 1,
    }
    full = run("fit", path, "-t", "y", "--prune", "none").stdout
    assert "120 leaves" in full
    assert "pruned" not in full
    compared = run("compare", path, "-t", "y", "-a", "cart", "--cv", "3", "--format", "json").stdout
    means = {entry["name"]: entry["mean"] for entry in json.loads(compared)["learners"]}
    assert means["cart"] <= 1.02 * means["zero-r"]


@pytest.mark.parametrize("algorithm", ["adaboost", "bagging", "boosting", "forest", "knn"])
def test_the_baseline_of_numbers_is_the_mean_of_the_rows(algorithm: str, tmp_path: Path) -> None:
    rng, path = random.Random(1), tmp_path / "n.csv"
    rows = [f"{i},{rng.expovariate(0.1):.2f}" for i in rng.choices(range(1, 9), k=40)]
    path.write_text("\n".join(["a,y", *rows, ""]))
    mean = sum(float(row.split(",")[1]) for row in rows) / 40
    shown = run("fit", path, "-t", "y", "-a", algorithm, "--holdout", "0.5").stdout
    assert float(shown.split("baseline: always ")[1].split()[0]) == pytest.approx(mean, rel=1e-3)


def test_whole_numbers_are_what_the_user_says(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("a,r\n" + "x,1\ny,2\nx,3\ny,2\n" * 2)
    numbers = run("fit", path, "-t", "r", "--task", "regress", "--criterion", "mse")
    assert numbers.stdout.startswith("r by CART (squared error)")
    assert run("fit", path, "-t", "r", "--task", "classify").stdout.startswith("r by C4.5")
    assert run("fit", path, "-t", "r", "-a", "c45").stdout.startswith("r by C4.5")


def test_regression(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("a,price\nx,1.5\ny,2.5\nx,8\ny,0\n")
    assert figures(path, "-t", "price", "-a", "zero-r") == (
        "RMSE on the training rows 3.021 | RMSE by leave-one-out 4.028 | baseline: always 3 3.021"
    )


def test_a_zero_one_target_can_be_a_number(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("a,y\nx,0\ny,1\nx,1\ny,0\n")
    assert figures(path, "-t", "y", "-a", "zero-r", "--task", "regress").startswith("RMSE")
    assert figures(path, "-t", "y", "-a", "zero-r").startswith("accuracy")


@pytest.mark.slow
def test_a_large_tree_says_how_to_see_more(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    rows = [f"v{i},w{i % 7},{'p' if i * i % 5 else 'q'}" for i in range(300)]
    path.write_text("\n".join(["a,b,y", *rows, *rows]) + "\n")
    shown = run(
        "fit", path, "-t", "y", "--min-split", "1000", "-a", "id3", "-o", tmp_path / "m.tree"
    ).stdout
    assert "1 node" in shown
    shown = run("fit", path, "-t", "y", "-a", "id3", "-o", tmp_path / "m.tree").stdout
    assert f"treewright show {tmp_path / 'm.tree'} --lines" in shown


def test_other_formats(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"a": "x", "y": "p"}\n{"a": "z", "y": "q"}\n{"a": "x", "y": "p"}\n')
    assert figures(path, "-t", "y", "-a", "id3").startswith(
        "accuracy on the training rows 3 of 3 (100%)"
    )
    tsv = tmp_path / "t.tsv"
    tsv.write_text("a\tb,c\ty\nx\t1,2\tp\nz\t1,2\tq\nx\t3,4\tp\n")
    assert figures(tsv, "-t", "y", "-a", "id3").startswith(
        "accuracy on the training rows 3 of 3 (100%)"
    )


def test_a_file_wins_over_a_built_in_table_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("golf").write_text("a,y\nx,p\nz,q\nx,p\n")
    result = run("fit", "golf", "-t", "y")
    assert result.stderr.startswith('note: reading the file "golf", not the built-in table')
    assert "3 rows" in result.stdout


def test_narrow_terminals_get_sentences() -> None:
    shown = run("fit", "play-tennis", COLUMNS="40").stdout
    assert "Outlook = Sunny, Humidity = High: No\n  (3/0)" in shown


# ---- warnings, targets of too many classes, forms


def test_warnings_become_notes_without_paths(tmp_path: Path) -> None:
    table = tmp_path / "few.csv"
    table.write_text("x,y\n" + "".join(f"{i % 3},c{i}\n" for i in range(42)))
    said = run("fit", table, "-t", "y", "--task", "classify", "-a", "zero-r").stderr
    assert said.count("note: The number of unique classes") == 1
    assert "site-packages" not in said
    assert ".py:" not in said


def test_a_forest_measured_out_of_bag_says_nothing_for_each_row() -> None:
    result = run("fit", "play-tennis", "-a", "forest", "--trees", "3", "--oob")
    assert "accuracy out of bag" in result.stdout
    assert result.stderr.count("do not have OOB scores") == 1
    assert ".py:" not in result.stderr


def test_a_target_with_a_class_for_every_row_stops(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text(
        "name;n;spend\n" + "".join(f"v{i};{i % 7};{i + 1},{i % 9}05\n" for i in range(60))
    )
    named = run("fit", table, "-t", "name", code=3).stderr
    assert 'the target "name" has 60 classes in 60 rows: too many to learn' in named
    assert "try: --target COL   (another column)" in named
    assert " or: --task classify   (use each value as a class)" in named
    spend = run("fit", table, "-t", "spend", code=3).stderr
    assert "it is not clear which mark is decimal" in spend
    run("fit", table, "-t", "name", "--task", "classify", "-a", "zero-r")


def test_fit_has_forms() -> None:
    found = json.loads(run("fit", "play-tennis", "--format", "json").stdout)
    assert (found["training"]["right"], found["training"]["rows"]) == (14, 14)
    assert found["trial"]["title"] == "leave-one-out"
    assert found["trial"]["baseline"]["answer"] == "Yes"
    assert found["model"]["drawn"][0]["asks"] == "Outlook"
    markdown = run("fit", "play-tennis", "--format", "markdown", "--cv", "3").stdout
    assert "3\\-fold cross\\-validation" in markdown
    assert run("export", "--help").stdout.count("--to FORMAT") == 1


def test_a_short_table_of_measurements_can_be_fitted(tmp_path: Path) -> None:
    table = tmp_path / "six.csv"
    table.write_text("x,y\n" + "".join(f"{i},{i}.5\n" for i in range(1, 7)))
    result = run("fit", table, "-t", "y")
    assert "x ≤" in result.stdout
    assert "ignored" not in result.stderr
