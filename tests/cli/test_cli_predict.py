"""``treewright predict``: answers in order, unseen values told, files whole or not there."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

import treewright
from helpers.cli_run import TENNIS, run
from treewright import C45Classifier, ID3Classifier, datasets, save

NEW = """\
Comment,Wind,Humidity,Outlook,Temperature
a,Weak,High,Sunny,Hot
=1+1,Weak,High,Foggy,Hot
-5,Gale,High,Rain,Freezing
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "tennis.tree"
    save(ID3Classifier().fit(*datasets.play_tennis()), path)
    return path


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_answers_are_those_of_the_model(model: Path, tmp_path: Path) -> None:
    path = tmp_path / "tennis.csv"
    path.write_text(TENNIS)
    table = treewright.read_csv(path)
    expected = treewright.load(model).predict(table.drop(["Day", "PlayTennis"])).tolist()
    result = run("predict", model, path)
    assert rows(result.stdout) == [["prediction"], *([answer] for answer in expected)]
    assert result.stderr == ""


def test_probabilities_columns_and_marks(model: Path) -> None:
    result = run("predict", model, "-", "--proba", "--keep-columns", "--unseen", "mark", stdin=NEW)
    assert rows(result.stdout) == [
        [
            *NEW.splitlines()[0].split(","),
            "prediction",
            "probability No",
            "probability Yes",
            "unseen",
        ],
        ["a", "Weak", "High", "Sunny", "Hot", "No", "1.0", "0.0", ""],
        ["=1+1", "Weak", "High", "Foggy", "Hot", "Yes", repr(5 / 14), repr(9 / 14), "Outlook"],
        ["-5", "Gale", "High", "Rain", "Freezing", "Yes", "0.4", "0.6", "Temperature; Wind"],
    ]
    assert "--unseen" not in result.stderr


def test_unseen_values_are_counted_and_told(model: Path) -> None:
    result = run("predict", model, "-", stdin=NEW + "b,Weak,High,Foggy,Hot\n" * 2)
    assert rows(result.stdout) == [["prediction"], ["No"], ["Yes"], ["Yes"], ["Yes"], ["Yes"]]
    assert result.stderr.splitlines() == [
        'note: 3 of 5 rows have a category of "Outlook" that was not seen in training ("Foggy" ×3). '
        "They get the majority class of node #0.",
        'note: 1 of 5 rows has a category of "Temperature" that was not seen in training ("Freezing" ×1). '
        "The column was not tested for these rows, so the predictions do not depend on it.",
        'note: 1 of 5 rows has a category of "Wind" that was not seen in training ("Gale" ×1). It gets the '
        "majority class of node #3. To stop instead: --unseen error. To mark these rows: --unseen mark",
    ]


def test_unseen_values_may_count_as_missing(tmp_path: Path) -> None:
    model = tmp_path / "c45.tree"
    save(C45Classifier().fit(*datasets.play_tennis()), model)
    new = NEW + "b,Gale,High,?,Hot\nb,Gale,High,Sunny,Hot\n"
    result = run("predict", model, "-", "--proba", "--unseen", "mark", stdin=new)
    # The last but one is divided at the root: a part of it meets the question about Wind.
    assert [row[-1] for row in rows(result.stdout)[2:]] == [
        "Outlook",
        "Temperature; Wind",
        "Wind",
        "Wind",
    ]
    assert result.stderr.splitlines() == [
        'note: 1 of 5 rows has a category of "Outlook" that was not seen in training ("Foggy" ×1). The '
        "category is treated as missing.",
        'note: 1 of 5 rows has a category of "Temperature" that was not seen in training ("Freezing" ×1). '
        "The column was not tested for these rows, so the predictions do not depend on it.",
        'note: 3 of 5 rows have a category of "Wind" that was not seen in training ("Gale" ×3). For 2 of '
        "them it is treated as missing.",
    ]


def test_unseen_values_can_be_refused(model: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    out.write_text("before")
    result = run("predict", model, "-", "--unseen", "error", "-o", out, stdin=NEW, code=3)
    assert result.stderr == (
        'error: standard input row 2: "Foggy" in column "Outlook" was not seen in training  '
        "[predict.unseen-value]\n"
        "  seen: Sunny, Overcast, Rain\n"
        "  try: --unseen stop   (use the node that tests the column)\n"
        "   or: --unseen mark   (and mark these rows)\n"
    )
    assert out.read_text() == "before"
    assert list(tmp_path.iterdir()) == [out]
    assert run("predict", model, "-", "--unseen", "error", stdin=NEW, code=3).stdout == ""


def test_a_file_is_replaced_whole_and_keeps_its_mode(model: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    out.write_text("before")
    out.chmod(0o640)
    link = tmp_path / "link.csv"
    link.symlink_to(out)
    result = run("predict", model, "-", "-o", link, stdin=NEW)
    assert result.stdout == ""
    assert out.read_text() == "prediction\nNo\nYes\nYes\n"
    assert out.stat().st_mode & 0o777 == 0o640
    assert link.is_symlink()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link.csv", "out.csv"]


def test_what_is_read_is_not_overwritten(model: Path, tmp_path: Path) -> None:
    path = tmp_path / "new.csv"
    path.write_text(NEW)
    for out in (path, model):
        before = out.read_bytes()
        assert (
            "would overwrite the input file"
            in run("predict", model, path, "-o", out, code=2).stderr
        )
        assert out.read_bytes() == before


def test_names_that_the_file_has_already(model: Path) -> None:
    args = ["predict", model, "-", "--keep-columns"]
    once = run(*args, stdin=NEW).stdout
    assert rows(run(*args, stdin=once).stdout)[0][-2:] == ["prediction", "prediction_"]


def test_an_error_halfway_leaves_nothing(model: Path, tmp_path: Path) -> None:
    path, out = tmp_path / "new.csv", tmp_path / "out.csv"
    path.write_text(NEW + "b,Weak,High,Sunny,Hot\n" * 70_000 + "ragged\n")
    result = run("predict", model, path, "-o", out, code=3)
    assert "[data.ragged-row]" in result.stderr
    assert list(tmp_path.iterdir()) == [path]
    assert (
        "1 row is dropped because the number of fields differs"
        in run("predict", model, path, "-o", out, "--ragged", "drop").stderr
    )
    assert len(out.read_text().splitlines()) == 70_004


def test_formulas_are_escaped_in_text_only_and_when_asked(model: Path) -> None:
    args = ["predict", model, "-", "--keep-columns"]
    plain = rows(run(*args, stdin=NEW).stdout)
    escaped = rows(run(*args, "--escape-formulas", stdin=NEW).stdout)
    assert [row[0] for row in plain] == ["Comment", "a", "=1+1", "-5"]
    assert [row[0] for row in escaped] == ["Comment", "a", "'=1+1", "-5"]


def test_no_rows_give_a_header(model: Path) -> None:
    assert run("predict", model, "-", "--proba", stdin=NEW.splitlines()[0] + "\n").stdout == (
        "prediction,probability No,probability Yes\n"
    )


def test_other_formats_and_built_in_tables(model: Path, tmp_path: Path) -> None:
    expected = run("predict", model, "-", stdin=TENNIS).stdout
    assert run("predict", model, "play-tennis").stdout == expected
    path = tmp_path / "t.jsonl"
    path.write_text(
        '{"Outlook": "Foggy", "Temperature": "Hot", "Humidity": "High", "Wind": "Weak"}\n'
    )
    result = run("predict", model, path)
    assert result.stdout == "prediction\nYes\n"
    assert 'a category of "Outlook" that was not seen in training ("Foggy" ×1)' in result.stderr


def test_a_missing_column_is_named(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("new.csv").write_text("Day,Comment,Outlook,Temperature,Wind\n1,a,Sunny,Hot,Weak\n")
    assert run("predict", model, "new.csv", code=3).stderr == (
        "error: new.csv lacks 1 of the 3 columns that this model uses  [predict.missing-column]\n"
        "  missing: Humidity      present but unused: Day, Comment, Temperature\n"
        "  the model reads columns by name; their order does not matter\n"
    )


def test_numbers(tmp_path: Path) -> None:
    table, model = tmp_path / "p.csv", tmp_path / "m.tree"
    table.write_text("a,price\nx,1.5\ny,2.5\nx,8\ny,0\n")
    run("fit", table, "-t", "price", "-a", "zero-r", "-o", model)
    assert run("predict", model, table).stdout == "prediction\n3\n3\n3\n3\n"
    assert (
        "--proba works only for class targets"
        in run("predict", model, table, "--proba", code=2).stderr
    )


def test_branches_of_numbers_know_them_however_written(tmp_path: Path) -> None:
    table, model = tmp_path / "n.csv", tmp_path / "m.tree"
    table.write_text("n,y\n1,p\n2,q\n1,p\n2,q\n")
    run("fit", table, "-t", "y", "-a", "id3", "-o", model)
    result = run("predict", model, "-", stdin="n\n1.0\n 2\n7\n")
    assert result.stdout == "prediction\np\nq\np\n"
    assert '("7" ×1)' in result.stderr


def test_cuts_of_numbers_take_every_number(tmp_path: Path) -> None:
    table, model = tmp_path / "n.csv", tmp_path / "m.tree"
    table.write_text("n,y\n1,p\n2,q\n1,p\n2,q\n")
    run("fit", table, "-t", "y", "-o", model)
    result = run("predict", model, "-", stdin="n\n1.0\n 2\n7\n-1e9\n")
    assert result.stdout == "prediction\np\nq\nq\np\n"
    assert result.stderr == ""
