"""``treewright prune`` and ``treewright compare``: lists, choices, files, and what they refuse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from helpers.cli_run import TENNIS, run
from treewright import C45Classifier, CARTRegressor, datasets, load, save

LIST = """\
   alpha  relative  leaves  impurity
       0    0.0000       5    0.0000
0.235071    0.2500       1    0.9403
"""


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("tennis.csv").write_text(TENNIS)
    save(C45Classifier(prune=None, min_cases=1).fit(*datasets.play_tennis()), "m.tree")
    return "m.tree"


def test_the_path_is_listed(model: str) -> None:
    assert run("prune", model).stdout == LIST
    document = json.loads(run("prune", model, "--format", "json").stdout)
    assert [row["leaves"] for row in document["prunings"]] == [5, 1]
    assert run("prune", model, "--format", "markdown").stdout.startswith("| alpha ")
    table = run("prune", model, "--format", "csv").stdout.splitlines()
    assert table[0].startswith("alpha,")
    assert len(table) == 3
    assert "\\begin{tabular}" in run("prune", model, "--format", "latex").stdout
    by_errors = run("prune", model, "--risk", "errors").stdout
    assert "errors" in by_errors


def test_with_rows_the_list_has_errors(model: str) -> None:
    said = run("prune", model, "tennis.csv", "-t", "PlayTennis", "--cv", "7").stdout
    assert "cross-validated" in said
    assert "within one standard error" in said
    document = json.loads(
        run(
            "prune", model, "tennis.csv", "-t", "PlayTennis", "--cv", "7", "--format", "json"
        ).stdout
    )
    assert document["one_se"] == 0
    assert run("prune", model, "play-tennis", "-t", "PlayTennis", "--cv", "7").stdout == said


@pytest.mark.parametrize(
    ("options", "leaves"),
    [
        (["--alpha", "0.3"], 1),
        (["--leaves", "4"], 1),
        (["--leaves", "5"], 5),
        (["--method", "pessimistic", "--confidence", "0.01"], 1),
        (["--method", "collapse"], 5),
        (["--method", "snip", "--nodes", "1", "3"], 3),
    ],
)
def test_a_choice_is_applied_and_saved(model: str, options: list[str], leaves: int) -> None:
    result = run("prune", model, *options, "-o", "small.tree")
    assert result.stdout.endswith(f"pruned from 5 to {leaves} leaves\n")
    assert result.stderr == "saved small.tree\n"
    assert load("small.tree").tree_.n_leaves == leaves
    assert load(model).tree_.n_leaves == 5


def test_rows_choose(model: str) -> None:
    rows = ["tennis.csv", "-t", "PlayTennis"]
    chosen = run("prune", model, *rows, "--choose", "1se", "--cv", "7").stdout
    assert chosen.endswith("pruned from 5 to 5 leaves\n")
    raised = run("prune", model, *rows, "--method", "pessimistic", "--trace").stdout
    assert "its largest branch in its place" in raised
    held = run(
        "prune", model, *rows, "--method", "reduced-error", "--holdout", "0.4", "--seed", "3"
    )
    assert "pruned from" in held.stdout
    same = run("prune", model, *rows, "--method", "reduced-error").stdout
    assert same.endswith("pruned from 5 to 5 leaves\n")


def test_rows_without_an_answer_are_left_out_and_strange_values_count_as_missing(
    model: str,
) -> None:
    Path("odd.csv").write_text(
        TENNIS.replace("D14,Rain,Mild,High,Strong,No", "D14,Fog,Mild,High,Strong,")
    )
    result = run("prune", model, "odd.csv", "-t", "PlayTennis", "--method", "reduced-error")
    assert result.stderr == 'note: 1 row is ignored because "PlayTennis" is missing.\n'


def test_numbers_are_pruned_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("n.csv").write_text("x,y\n" + "".join(f"{i}.5,{i // 10}.5\n" for i in range(40)))
    run("fit", "n.csv", "-t", "y", "-a", "cart", "--task", "regress", "-o", "n.tree")
    assert run("prune", "n.tree", "n.csv", "--leaves", "2").stdout.endswith("to 2 leaves\n")
    save(CARTRegressor().fit([[1], [2], [3]], [1.0, 2.0, 4.0]), "r.tree")
    assert "what" not in run("prune", "r.tree").stdout


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--alpha", "1", "--leaves", "2"], 2, "--alpha and --leaves cannot be combined"),
        (["--confidence", "0.1"], 2, "--confidence works only with --method pessimistic"),
        (["--nodes", "1"], 2, "--nodes works only with --method snip"),
        (["--choose", "1se"], 2, "--choose needs FILE, the training table"),
        (["--method", "reduced-error"], 2, "reduced-error pruning needs FILE, a validation table"),
        (["-o", "x.tree"], 2, "no pruning level chosen"),
        (["-o", "m.tree", "--leaves", "1"], 2, "would overwrite the input file"),
        (["--method", "snip", "--nodes", "77"], 2, "there is no node 77"),
        (["tennis.csv"], 3, 'has no column "PlayTennis"'),
        (["tennis.csv", "-t", "Day"], 3, 'column "Day" contains the class "D1"'),
        (["nothing.csv"], 3, "file not found: nothing.csv"),
    ],
)
def test_what_is_refused(model: str, options: list[str], code: int, words: str) -> None:
    if options == ["tennis.csv"]:
        Path("tennis.csv").write_text(TENNIS.replace("PlayTennis", "Play"))
        save(
            C45Classifier().fit(
                datasets.play_tennis()[0],
                datasets.load("play-tennis").table.column("PlayTennis"),
            ),
            "m.tree",
        )
    assert words in run("prune", model, *options, code=code).stderr


# ---- compare


def test_learners_are_compared_with_the_same_folds() -> None:
    result = run("compare", "play-tennis", "--cv", "7")
    lines = result.stdout.splitlines()
    assert lines[0] == "7-fold cross-validation"
    assert lines[2].split() == [
        "algorithm",
        "accuracy",
        "sd",
        "leaves",
        "fit",
        "time",
        "p",
        "vs.",
        "best",
    ]
    names = {line.split()[0] for line in lines[3:] if line}
    assert {"c45", "cart", "id3", "one-r", "rules", "zero-r"} <= names
    assert "hint" in result.stdout


def test_the_simplest_learners_are_always_there() -> None:
    result = run("compare", "play-tennis", "--cv", "3", "-a", "c45", "id3")
    names = {line.split()[0] for line in result.stdout.splitlines()[3:7]}
    assert names == {"c45", "id3", "one-r", "zero-r"}


def test_numbers_are_compared_by_their_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("n.csv").write_text("x,y\n" + "".join(f"{i}.5,{i // 10}.5\n" for i in range(40)))
    result = run("compare", "n.csv", "-t", "y", "--task", "regress", "--cv", "4", "-a", "cart")
    assert "RMSE" in result.stdout
    assert result.stdout.splitlines()[3].startswith("cart")


def test_other_forms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run("compare", "play-tennis", "--cv", "3", "-a", "id3", "--format", "json", "-o", "found.json")
    document = json.loads(Path("found.json").read_text())
    assert document["folds"] == 3
    assert "hint" in document["caveat"]
    markdown = run(
        "compare", "play-tennis", "--cv", "3", "-a", "id3", "--format", "markdown"
    ).stdout
    assert "\n| algorithm |" in markdown
    latex = run("compare", "play-tennis", "--cv", "3", "-a", "id3", "--format", "latex").stdout
    assert "\\begin{tabular}{lrrrrr}" in latex
    table = run("compare", "play-tennis", "--cv", "3", "-a", "id3", "--format", "csv").stdout
    head, *rows = table.splitlines()
    assert head == "name,mean,deviation,size,seconds,p_value"
    assert len(rows) == 3
    run("compare", "play-tennis", "--cv", "3", "-a", "id3", "-o", "found.txt")
    assert "3-fold cross-validation" in Path("found.txt").read_text()


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["-a", "oracle"], 2, 'unknown algorithm "oracle"'),
        (["--cv", "15"], 2, "--cv 15 needs at least 15 rows; there are 14"),
        (["-t", "Weather"], 3, 'has no column "Weather"'),
        (["--weight", "Mass"], 3, 'has no column "Mass"'),
    ],
)
def test_what_cannot_be_compared(options: list[str], code: int, words: str) -> None:
    assert words in run("compare", "play-tennis", *options, code=code).stderr


def test_the_target_is_never_guessed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tennis.csv").write_text(TENNIS)
    said = run("compare", "tennis.csv", code=2).stderr
    assert "no target given: name the column to predict" in said
    assert "try: treewright compare tennis.csv --target PlayTennis" in said


# ---- rules on the command line


def test_rules_are_fitted_shown_used_and_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tennis.csv").write_text(TENNIS)
    fitted = run("fit", "tennis.csv", "-t", "PlayTennis", "-a", "rules", "-o", "r.tree").stdout
    assert "Outlook = Overcast" in fitted
    assert "otherwise" in fitted
    assert "otherwise" in run("show", "r.tree").stdout
    answers = run("predict", "r.tree", "tennis.csv").stdout.split()
    assert answers[1:4] == ["No", "No", "Yes"]
    assert "14 of 14 (100%)" in run("eval", "r.tree", "tennis.csv").stdout
    strange = TENNIS.replace("D1,Sunny", "D1,Fog")
    told = run("predict", "r.tree", "-", stdin=strange).stderr
    assert "Rules that test this column do not match these rows." in told
    assert "list of rules" in run("show", "r.tree", "--as", "j48", code=2).stderr
    assert "no tree" in run("prune", "r.tree", code=2).stderr
    assert "rule 1 of 5 matched" in run("explain", "r.tree", "tennis.csv").stdout


def test_a_forest_has_no_single_tree_to_prune(tmp_path: Path) -> None:
    model = tmp_path / "f.tree"
    run("fit", "play-tennis", "-a", "forest", "--trees", "3", "-o", model)
    said = run("prune", model, code=2).stderr
    assert "this needs a single tree; RandomForestClassifier has 3 trees" in said
