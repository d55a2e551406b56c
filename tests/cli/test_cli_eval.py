"""``treewright eval``: figures, forms, requirements."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from helpers.cli_run import TENNIS, run
from treewright import ID3Classifier, datasets, save
from treewright._evaluate.prediction_scores import ClassScore, NumberScore
from treewright.measures import wilson

TEST = """\
Outlook,Temperature,Humidity,Wind,PlayTennis
Sunny,Hot,High,Weak,No
Sunny,Hot,High,Weak,Yes
Rain,Hot,High,Weak,Yes
Rain,Hot,High,Weak,Yes
Overcast,Hot,High,Weak,
"""
TEXT = """\
m.tree on standard input: 4 rows

  measure                      model     always "Yes"
  accuracy            3 of 4 (75.0%)   3 of 4 (75.0%)
  balanced accuracy            83.3%            50.0%
  macro precision              75.0%            75.0%
  F1 of "Yes"                  80.0%            85.7%
  AUC                          0.833            0.500
  log loss                     9.011            0.562
  Brier score                  0.250            0.188

  class   rows   predicted   correct   precision   recall
  No         1           2         1       50.0%     100%
  Yes        3           2         2        100%    66.7%

  actual \\ predicted   No   Yes
  No                    1     0
  Yes                   1     2

95% interval of the accuracy: 30.1% to 95.4%
For AUC, log loss and Brier score, the baseline predicts the class proportions of these rows.
"""


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    save(ID3Classifier().fit(*datasets.play_tennis()), "m.tree")
    return "m.tree"


def evaluate(model: str, *args: str, stdin: str = TEST, code: int = 0) -> str:
    return run("eval", model, "-", "-t", "PlayTennis", *args, stdin=stdin, code=code).stdout


def test_text(model: str) -> None:
    result = run("eval", model, "-", "-t", "PlayTennis", stdin=TEST)
    assert result.stdout == TEXT
    assert result.stderr == 'note: 1 row is ignored because "PlayTennis" is missing.\n'


def test_the_models_own_target_needs_no_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tennis.csv").write_text(TENNIS)
    run("fit", "tennis.csv", "-t", "PlayTennis", "-o", "m.tree")
    result = run("eval", "m.tree", "tennis.csv").stdout
    assert "accuracy            14 of 14 (100%)   9 of 14 (64.3%)" in result
    assert "95% interval of the accuracy: 78.5% to 100%" in result
    assert "14 of 14" in run("eval", "m.tree", "play-tennis").stdout


def test_json(model: str) -> None:
    found = json.loads(evaluate(model, "--format", "json"))
    assert found["accuracy"] == 0.75
    assert found["baseline"]["answer"] == "Yes"
    assert found["interval"] == pytest.approx(wilson(3, 4))
    assert found["confusion"] == {"classes": ["No", "Yes"], "matrix": [[1.0, 0.0], [1.0, 2.0]]}
    assert found["classes"][1] == {"class": "Yes", "precision": 1.0, "recall": 2 / 3}


def test_csv_and_markdown(model: str) -> None:
    rows = list(csv.reader(io.StringIO(evaluate(model, "--format", "csv"))))
    assert ["accuracy", "", "0.75"] in rows
    assert ["recall", "No", "1.0"] in rows
    shown = evaluate(model, "--format", "markdown")
    assert "| No | 1 | 2 | 1 | 50.0% | 100% |" in shown


def test_a_file_is_written(model: str) -> None:
    assert evaluate(model, "--format", "json", "-o", "e.json") == ""
    assert json.loads(Path("e.json").read_text())["rows"] == 4


@pytest.mark.parametrize(
    "text",
    [
        "accuracy>=0.75",
        "accuracy >= 75%",
        "error<0.3",
        "balanced-accuracy > 0.8",
        "accuracy=0.75",
        "f1=0.8",
        "auc=0.83",
        "brier=0.25",
    ],
)
def test_requirements_that_hold(model: str, text: str) -> None:
    evaluate(model, "--require", text)


def test_an_equals_sign_asks_for_at_least_or_at_most(model: str) -> None:
    args = [
        "eval",
        model,
        "-",
        "-t",
        "PlayTennis",
        "--require",
        "auc=0.9",
        "log-loss=0.4",
        "f1=0.5",
    ]
    result = run(*args, stdin=TEST, code=5)
    assert result.stderr.endswith(
        "error: requirement not met: auc is 0.8333, required >= 0.9  [eval.requirement]\n"
        "  log-loss is 9.011, required <= 0.4\n"
    )


def test_the_positive_class_can_be_chosen(model: str) -> None:
    shown = evaluate(model, "--positive", "No")
    assert '  F1 of "No"                   66.7%               0%\n' in shown
    found = json.loads(evaluate(model, "--positive", "No", "--format", "json"))
    assert (found["positive"], found["f1"]) == ("No", pytest.approx(2 / 3))
    wrong = run("eval", model, "-", "-t", "PlayTennis", "--positive", "Nay", stdin=TEST, code=2)
    assert 'the model has no class "Nay"  [evaluate.positive]\n  classes: No, Yes' in wrong.stderr


def test_calibration_lift_and_costs(model: str) -> None:
    shown = evaluate(model, "--calibration", "--lift", "--cost", "fp=1", "fn=5")
    assert "  0.000            2               0.0%      50.0%\n" not in shown
    assert "  0.000            2                 0%      50.0%\n" in shown
    assert "  top 50%    at least 1.000         66.7%   1.33\n" in shown
    assert "  always                 0.000                 1                 0      1\n" in shown
    found = json.loads(evaluate(model, "--cost", "fp=1", "fn=5", "--format", "json"))
    assert found["threshold"]["best"] == {
        "threshold": 0.0,
        "false_positives": 1.0,
        "false_negatives": 0.0,
        "cost": 1.0,
    }
    assert found["threshold"]["others"]["0.5"]["cost"] == 5.0
    for words in (["fp=x"], ["fp=1", "tn=2"], ["fp=-1"], ["3"]):
        wrong = run("eval", model, "-", "--cost", *words, stdin=TEST, code=2)
        assert f'cannot read --cost "{" ".join(words)}"  [usage]' in wrong.stderr
        assert "try: --cost fp=1 fn=5" in wrong.stderr


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], "false-positive rate"),
        (["--lift"], "fraction of the rows"),
        (["--cost", "fn=2"], "cost"),
    ],
)
def test_a_picture(model: str, options: list[str], words: str) -> None:
    assert evaluate(model, *options, "-o", "e.svg") == ""
    drawn = Path("e.svg").read_text()
    assert drawn.startswith("<svg")
    assert words in drawn


def test_the_curves_need_classes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.csv").write_text("a,price\nx,1.5\ny,2.5\nx,8\ny,0\n")
    run("fit", "p.csv", "-t", "price", "-a", "zero-r", "-o", "p.tree")
    wrong = run("eval", "p.tree", "p.csv", "--lift", code=2)
    assert "works only for class targets; this model predicts numbers  [usage]" in wrong.stderr
    Path("three.csv").write_text("a,c\n1,x\n2,y\n3,z\n1,x\n2,y\n3,z\n")
    run("fit", "three.csv", "-t", "c", "-a", "id3", "-o", "three.tree")
    wrong = run("eval", "three.tree", "three.csv", "--cost", "fn=2", code=2)
    assert "a threshold needs two classes; there are 3  [evaluate.classes]" in wrong.stderr
    shown = run("eval", "three.tree", "three.csv").stdout
    assert "\n  macro F1 " in shown
    wrong = run("eval", "three.tree", "-", "--lift", stdin="a,c\n1,x\n", code=2)
    assert 'no row has the class "z"  [evaluate.no-positive]' in wrong.stderr


def test_a_requirement_that_fails_is_exit_code_5(model: str) -> None:
    args = [
        "eval",
        model,
        "-",
        "-t",
        "PlayTennis",
        "--require",
        "accuracy>=0.9",
        "--require",
        "error<0.1",
    ]
    result = run(*args, stdin=TEST, code=5)
    assert result.stdout == TEXT
    assert result.stderr.endswith(
        "error: requirement not met: accuracy is 0.75, required >= 0.9  [eval.requirement]\n"
        "  error is 0.25, required < 0.1\n"
    )


@pytest.mark.parametrize(
    "text", ["accuracy", "accuracy==1", "acuracy>0.5", "rmse<1", "accuracy>=1.2.3", ""]
)
def test_requirements_that_mean_nothing(model: str, text: str) -> None:
    result = run("eval", model, "-", "-t", "PlayTennis", "--require", text, stdin=TEST, code=2)
    assert "[usage]" in result.stderr


def test_classes_that_the_model_does_not_know(model: str) -> None:
    shown = evaluate(model, stdin=TEST + "Rain,Hot,High,Weak,Perhaps\n")
    assert "Perhaps      1           0         0           ·       0%" in shown


def test_classes_however_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r.csv").write_text("a,r\nx,10\ny,2\nx,10\ny,2\n")
    run("fit", "r.csv", "-t", "r", "--task", "classify", "-o", "r.tree")
    assert "2 of 2 (100%)" in run("eval", "r.tree", "-", stdin="a,r\nx,10.0\ny, 2\n").stdout


def test_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.csv").write_text("a,price\nx,1.5\ny,2.5\nx,8\ny,0\n")
    run("fit", "p.csv", "-t", "price", "-a", "zero-r", "-o", "p.tree")
    result = run("eval", "p.tree", "-", "--require", "mae<=1", stdin="a,price\nx,4\ny,1\n", code=5)
    assert result.stdout == (
        "p.tree on standard input: 2 rows\n\n  measure     model   always 3\n"
        "  RMSE        1.581      1.581\n  MAE           1.5        1.5\n  R2        -0.1111    -0.1111\n"
    )
    wrong = run("eval", "p.tree", "-", stdin="a,price\nx,dear\n", code=3)
    assert 'column "price" contains "dear", but this model predicts numbers' in wrong.stderr
    assert "[eval.not-a-number]" in wrong.stderr
    found = json.loads(run("eval", "p.tree", "p.csv", "--format", "json").stdout)
    assert found["r2"] == 0


@pytest.mark.parametrize(
    ("stdin", "said"),
    [
        (
            "Outlook,Temperature,Humidity,Wind\na,b,c,d\n",
            'has no column "PlayTennis" with the true values',
        ),
        (TEST.splitlines()[0] + "\n", "has a header but no rows"),
        (
            TEST.splitlines()[0] + "\nRain,Hot,High,Weak,?\n",
            'the target "PlayTennis" is missing in every row',
        ),
    ],
)
def test_nothing_to_compare_with(model: str, stdin: str, said: str) -> None:
    assert said in run("eval", model, "-", "-t", "PlayTennis", stdin=stdin, code=3).stderr


def test_wilsons_interval_is_the_published_one() -> None:
    # 81 of 263: Newcombe (1998), table I, method 3: 0.2553 to 0.3662; 0 of 20: 0 to 0.1611.
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert wilson(0, 0) == (0.0, 1.0)


def test_scores_are_scikit_learns() -> None:
    from sklearn import metrics

    rng = np.random.RandomState(0)
    truth, said = rng.choice(list("abc"), 200), rng.choice(list("abc"), 200)
    score = ClassScore.of(truth.tolist(), said.tolist(), ("a", "b", "c"))
    assert score.matrix.tolist() == metrics.confusion_matrix(truth, said).tolist()
    measures = score.measures()
    assert measures["balanced-accuracy"] == pytest.approx(
        metrics.balanced_accuracy_score(truth, said)
    )
    assert measures["macro-precision"] == pytest.approx(
        metrics.precision_score(truth, said, average="macro")
    )
    x, y = rng.normal(size=50), rng.normal(size=50)
    numbers = NumberScore(x, y).measures()
    assert numbers["rmse"] == pytest.approx(metrics.root_mean_squared_error(x, y))
    assert numbers["mae"] == pytest.approx(metrics.mean_absolute_error(x, y))
    assert numbers["r2"] == pytest.approx(metrics.r2_score(x, y))


def test_counts_are_whole_numbers_in_json(tmp_path: Path) -> None:
    model, table = tmp_path / "m.tree", tmp_path / "t.csv"
    table.write_text(TENNIS)
    run("fit", table, "-t", "PlayTennis", "-o", model)
    text = run("eval", model, table, "--format", "json").stdout
    found = json.loads(text)
    assert '"rows": 14,' in text
    assert found["confusion"]["matrix"] == [[9, 0], [0, 5]] or found["right"] == 14
    assert all(type(n) is int for row in found["confusion"]["matrix"] for n in row)
    assert type(found["right"]) is int


def test_the_baseline_of_rules_is_the_most_frequent_class(tmp_path: Path) -> None:
    rows = ["x,y"]
    rows += [f"{i / 200:.3f},common" for i in range(200)]
    rows += [f"{2 + i / 60:.3f},rare" if i % 3 else ",rare" for i in range(60)]
    table, model = tmp_path / "t.csv", tmp_path / "m.tree"
    table.write_text("\n".join(rows) + "\n")
    learnt = run("fit", table, "-t", "y", "-a", "rules", "--cv", "3", "-o", model).stdout
    assert "otherwise" in learnt
    assert 'always "common"             200 of 260  (76.9%)' in learnt
    measured = run("eval", model, table).stdout
    assert 'always "common"' in measured
    assert "200 of 260 (76.9%)" in measured
    found = json.loads(run("eval", model, table, "--format", "json").stdout)
    assert found["baseline"]["answer"] == "common"


def test_values_never_seen_are_noted_once_for_the_file(tmp_path: Path) -> None:
    model, table = tmp_path / "m.tree", tmp_path / "t.csv"
    table.write_text(TENNIS)
    run("fit", table, "-t", "PlayTennis", "-a", "id3", "-o", model)
    table.write_text(TENNIS.replace("Overcast", "Foggy"))
    said = run("eval", model, table).stderr
    assert said.count("not seen in training") == 1
    assert '4 of 14 rows have a category of "Outlook" that was not seen in training' in said
