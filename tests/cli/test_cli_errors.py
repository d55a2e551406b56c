"""Bad input gets one clear sentence with its slug, its exit code and advice, and leaves nothing half-written.

Each case is a whole run in a folder of its own; {} in a text stands for anything.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from helpers.cli_run import TENNIS, run
from treewright import ID3Classifier, ModelFileError, datasets, load, save

FILES: dict[str, str | bytes] = {
    "tennis.csv": TENNIS,
    "empty.csv": "",
    "header.csv": "a,b\n",
    "one-row.csv": "a,b\nx,y\n",
    "one-class.csv": "a,b\nx,y\nz,y\nx,y\n",
    "no-answer.csv": "a,b\nx,y\nz,\nx,n\n",
    "ragged.csv": 'a,b\nx,"y, z"\nz,n,,\n',
    "latin.csv": b"a,b\nx,caf\xe9\nx,n\n",
    "twice.csv": "a,a,b\nx,1,y\nz,2,n\n",
    "hole.csv": "a,c,b\nx,,y\nz,,n\nx,?,y\n",
    "holes.csv": "a,b\n?,y\n,n\n?,y\n",
    "mixed.csv": "income,b\n1,y\n12k,n\n2,y\n3,n\nn/k,y\n",
    "rating.csv": "a,rating\nx,1\ny,2\nx,3\ny,1\n",
    "price.csv": "a,price\nx,1.5\ny,2\nx,3\ny,1\n",
    "ids.csv": "id,b\n1,y\n2,n\n3,y\n",
    "weights.csv": "a,w,v,b\nx,1,1,y\nz,-2,,n\nx,2,1,n\n",
    "zeros.csv": "a,w,b\nx,0,y\nz,0,n\nx,0,y\n",
    "many.csv": "a,b\n" + "".join(f"v{i},{'yn'[i % 2]}\nv{i},y\n" for i in range(1001)),
    "old.pkl": b"\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00",
    "new.csv": "Day,Outlook,Temperature,Wind\nD1,Sunny,Hot,Weak\n",
}

CASES: dict[str, tuple[int, str, str]] = {
    # the table
    "fit empty.csv -t b": (3, "data.empty", "empty.csv is empty"),
    "fit header.csv -t b": (3, "data.no-rows", "header.csv has no rows under its header"),
    "fit one-row.csv -t b": (
        3,
        "fit.one-row",
        "one-row.csv has only one row; at least two are needed",
    ),
    "fit one-class.csv -t b": (
        3,
        "fit.one-class",
        'the target "b" has only one class, "y", in one-class.csv',
    ),
    "fit no-answer.csv -t b": (
        3,
        "fit.missing-target",
        'no-answer.csv: the target "b" is missing in 1 of 3 rows\nthe first is row 2 under the header',
    ),
    "fit ragged.csv -t b": (
        3,
        "data.ragged-row",
        "ragged.csv line 3 has 4 fields, the header has 2\n3 | z,n,,\n{}try: --ragged drop{}",
    ),
    "fit latin.csv -t b": (
        3,
        "data.encoding",
        'latin.csv line 2, column "b" is not UTF-8: byte 0xE9{}\n{}\ntry: --encoding cp1252{}',
    ),
    "fit latin.csv -t b --encoding klingon": (
        2,
        "usage",
        "there is no text encoding called 'klingon'",
    ),
    "fit twice.csv -t b": (
        3,
        "data.duplicate-column",
        'twice.csv: columns 1 and 2 are both called "a"',
    ),
    "fit holes.csv -t b": (
        3,
        "fit.no-features",
        "holes.csv has no usable feature column\na: ignored",
    ),
    "fit ids.csv -t b": (
        3,
        "fit.no-features",
        "ids.csv has no usable feature column\nid: one value per row: ignored\ntry: --keep id",
    ),
    "fit mixed.csv -t b": (
        3,
        "data.mixed-column",
        '"income" is numeric in 3 rows but not in 2\nline 3: "12k"    line 6: "n/k"\n'
        "try: --missing 12k n/k   or: --categorical income",
    ),
    "fit many.csv -t b": (
        3,
        "data.too-many-categories",
        '"a" has 1,001 different values{}\n{}\ntry: --ignore a{}',
    ),
    # the target and other columns
    "fit tennis.csv": (
        2,
        "fit.no-target",
        "no target given: name the column to predict\ncolumns: Day, Outlook, "
        "Temperature, Humidity, Wind, PlayTennis\ntry: treewright fit tennis.csv --target PlayTennis",
    ),
    "fit tennis.csv -t play": (
        3,
        "data.no-such-column",
        'tennis.csv has no column "play"\ndid you mean "PlayTennis"?\ncolumns: Day, Outlook, '
        "Temperature, Humidity, Wind, PlayTennis",
    ),
    "fit tennis.csv -t PlayTennis --ignore Windd": (
        3,
        "data.no-such-column",
        'tennis.csv has no column "Windd"\ndid you mean "Wind"?\n{}',
    ),
    "inspect tennis.csv --numeric temperature": (
        3,
        "data.no-such-column",
        'tennis.csv has no column "temperature"\ndid you mean "Temperature"?\n{}',
    ),
    "fit tennis.csv -t Wind --ignore Wind": (
        2,
        "usage",
        '"Wind" cannot be both --target and --ignore',
    ),
    "fit tennis.csv -t Wind --weight Wind": (
        2,
        "usage",
        '"Wind" cannot be both --target and --weight',
    ),
    "fit tennis.csv -t Wind --numeric Day --categorical Day": (
        2,
        "usage",
        '"Day" cannot be both{}',
    ),
    "fit rating.csv -t rating": (
        2,
        "fit.ambiguous-task",
        'cannot tell whether the target "rating" is a class or a number\n'
        "it has 3 distinct whole numbers: 1 (2 rows), 2 (1), 3 (1)\n"
        "try: --task classify   (predict one of 3 classes)\n or: --task regress   (predict a number)",
    ),
    "fit rating.csv -t rating -a zero-r": (
        2,
        "fit.ambiguous-task",
        'cannot tell whether the target "rating" is {}\n or: --task regress   (predict a number)',
    ),
    "fit price.csv -t price -a id3": (
        2,
        "fit.task",
        'id3 cannot predict numbers, but the target "price" is numeric\n'
        "algorithms for numbers: adaboost, bagging, boosting, cart, extra-trees, forest, knn, optimal, zero-r\n"
        "try: --algorithm cart\n or: --task classify   (each of the 4 distinct numbers a class)",
    ),
    "fit rating.csv -t rating --task regress -a c45": (
        2,
        "fit.task",
        'c45 cannot predict numbers, but the target "rating" is numeric\n{}',
    ),
    "fit tennis.csv -t Wind --task regress -a zero-r": (
        3,
        "data.mixed-column",
        '"Wind" has no numeric values (14 rows of text){}',
    ),
    "fit weights.csv -t b --weight w": (
        3,
        "data.weights",
        '{}the weight "w" of row 2 is negative: -2{}',
    ),
    "fit weights.csv -t b --weight v": (
        3,
        "data.weights",
        '{}the weight "v" is missing in 1 row\n{}row 2{}',
    ),
    "fit zeros.csv -t b --weight w --numeric w": (3, "data.weights", "all sample weights are zero"),
    # the words
    "fit tennis.csv -t Wind -a c4.5": (
        2,
        "usage",
        'unknown algorithm "c4.5"\n{}algorithms: {}',
    ),
    "fit tennis.csv -t Wind -a id4": (
        2,
        "usage",
        'unknown algorithm "id4"\ndid you mean id3?\n{}',
    ),
    "fit tennis.csv -t Wind -a zero-r --min-gain 0.1": (
        2,
        "usage",
        "--min-gain is not supported by zero-r\n{}id3",
    ),
    "fit tennis.csv -t Wind --cv 15": (
        2,
        "usage",
        "--cv 15 needs at least 15 rows; there are 14\ntry: --loo",
    ),
    "fit tennis.csv -t Wind --cv 3 --loo": (2, "usage", "--cv and --loo cannot be combined"),
    "fit tennis.csv -t Wind --seed 1": (
        2,
        "usage",
        "--seed has no effect: nothing is random here\n{}",
    ),
    "fit tennis.csv -t Wind -a id3 --min-split 1": (
        2,
        "usage",
        "invalid value for '--min-split' / '--min-samples-split': 1 is not in the range x>=2{}",
    ),
    "fit tennis.csv -t Wind -a id3 --min-rows 2": (
        2,
        "usage",
        "--min-rows is not supported by id3\n"
        "supported by: boosting, c45, cart, extra-trees, forest, one-r, optimal, rules",
    ),
    "fit price.csv -t price --confidence 0.1": (
        2,
        "usage",
        "--confidence works only for class targets; the target is numeric",
    ),
    "fit tennis.csv -t Wind --leaves 3": (
        2,
        "usage",
        "--leaves is not supported by c45\n{}cart, extra-trees, forest",
    ),
    "fit tennis.csv -t Wind --criterion gini": (
        2,
        "usage",
        'criterion "gini" is not supported by c45 for classes\ncriteria of c45 for classes: gain-ratio, gain\n'
        "gini is supported by: cart, extra-trees, forest",
    ),
    "fit empty.csv -t Wind -a cart --criterion gain": (
        2,
        "usage",
        'criterion "gain" is not supported by cart{}',
    ),
    "fit empty.csv -t Wind -a cart": (3, "data.empty", "empty.csv is empty"),
    "fit tennis.csv -t Wind -a cart --criterion gain": (
        2,
        "usage",
        'criterion "gain" is not supported by cart\ncriteria of cart: gini, entropy, mse\n'
        "gain is supported by: c45, rules",
    ),
    "fit price.csv -t price -a cart --criterion gini": (
        2,
        "usage",
        'criterion "gini" is not supported by cart for numbers\ncriteria of cart for numbers: mse',
    ),
    "fit tennis.csv -t Wind --prune none --confidence 0.1": (
        2,
        "usage",
        "--confidence has no effect with --prune none",
    ),
    "fit tennis.csv -t Wind -a one-r --prune none": (
        2,
        "usage",
        "--prune is not supported by one-r\n{}c45, cart, id3",
    ),
    "fit tennis.csv -t Wind -a id3 --confidence 0.1": (
        2,
        "usage",
        "--confidence has no effect with --prune none",
    ),
    "fit tennis.csv -t Wind --prune pessimistic --alpha 0.1": (
        2,
        "usage",
        "--alpha has no effect with --prune pessimistic",
    ),
    "fit price.csv -t price --max-p-value 0.1": (
        2,
        "usage",
        "--max-p-value works only for class targets; the target is numeric",
    ),
    "fit tennis.csv -t Wind --delimiter ::": (2, "usage", "a delimiter is one ASCII character{}"),
    "fit play-tennis --delimiter ;": (2, "usage", "--delimiter has no effect on a built-in table"),
    # files
    "fit tenis.csv -t b": (
        3,
        "file.not-found",
        "file not found: tenis.csv\ndid you mean tennis.csv?",
    ),
    "fit play-tenis": (
        3,
        "file.not-found",
        'no file and no built-in table "play-tenis"\ndid you mean play-tennis?\nbuilt-in tables: {}',
    ),
    "fit . -t b": (3, "file.is-a-directory", ". is a directory, not a table"),
    "fit tennis.csv -t Wind -o nowhere/m.tree": (
        2,
        "file.no-directory",
        "cannot write {}: directory nowhere does not exist",
    ),
    "fit tennis.csv -t Wind -o .": (2, "file.is-a-directory", ". is a directory\n{}"),
    "fit tennis.csv -t Wind -o tennis.csv": (
        2,
        "usage",
        "-o tennis.csv would overwrite the input file\n{}",
    ),
    "predict m.tree tennis.csv -o nowhere/a.csv": (
        2,
        "file.no-directory",
        "cannot write {}: directory nowhere does not exist",
    ),
    "predict m.tree tennis.csv -o .": (2, "file.is-a-directory", ". is a directory\n{}"),
    "predict m.tree new.csv": (
        3,
        "predict.missing-column",
        "new.csv lacks 1 of the 3 columns that this model uses\n"
        "missing: Humidity      present but unused: Day, Temperature\n{}order does not matter",
    ),
    # models
    "show old.pkl": (
        4,
        "model.pickle",
        "old.pkl is a pickle file; treewright does not open pickles because they can run code\n"
        'in Python, where you trust the file:  treewright.save(model, "model.tree")',
    ),
    "predict tennis.csv m.tree": (
        4,
        "model.not-a-model",
        "tennis.csv is {}not a treewright model{}",
    ),
    "show empty.csv": (4, "{}", "empty.csv{}"),
    "show mm.tree": (4, "file.not-found", "file not found: mm.tree\ndid you mean m.tree?"),
    "show .": (4, "file.unreadable", ". cannot be read: {}directory{}"),
    "fit m.tree -t b": (3, "{}", "m.tree{}"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
    save(ID3Classifier().fit(*datasets.play_tennis()), "m.tree")
    return tmp_path


def like(text: str, pattern: str) -> bool:
    parts = (re.escape(part) for part in pattern.split("{}"))
    return re.fullmatch(".*".join(parts), text, re.DOTALL) is not None


@pytest.mark.parametrize("line", CASES)
def test_messages(folder: Path, line: str) -> None:
    code, slug, text = CASES[line]
    before = {path: path.read_bytes() for path in folder.iterdir()}
    result = run(*line.split(), "--errors", "json", code=code)
    said = json.loads(result.stderr.splitlines()[-1])
    assert (said["level"], said["exit_code"]) == ("error", code)
    assert like(said["slug"], slug)
    message = "\n".join([said["message"], *said["hints"]])
    first = text if "\n" in text else f"{text}{{}}"
    assert like(message, first) or like(message, f"{text}\n{{}}"), message
    assert result.stdout == ""
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
    # The same as text: the slug after the sentence, the advice below it.
    shown = run(*line.split(), code=code).stderr.splitlines()
    start = next(i for i, text in enumerate(shown) if text.startswith("error: "))
    assert shown[start].startswith(f"error: {said['message']}  [{said['slug']}]")
    assert len(shown) - start == 1 + len(said["hints"]) - ("did you mean" in shown[start])


def test_columns_missing_everywhere_are_told_and_ignored(folder: Path) -> None:
    result = run("fit", "hole.csv", "-t", "b")
    assert 'note: "c" is missing in every row: ignored.\n' in result.stderr
    assert "c?" not in result.stdout


def test_every_way_to_damage_a_model_is_noticed(folder: Path) -> None:
    whole = Path("m.tree").read_bytes()
    damaged = {
        "half": whole[: len(whole) // 2],
        "short": whole[:-1],
        "long": whole + b"\0",
        "flipped": whole[:-20] + bytes([whole[-20] ^ 1]) + whole[-19:],
        "start": bytes([whole[0] ^ 1]) + whole[1:],
    }
    for name, data in damaged.items():
        Path("bad.tree").write_bytes(data)
        with pytest.raises(ModelFileError):
            load("bad.tree")
        for verb in (["show"], ["predict"], ["eval"]):
            files = [] if verb == ["show"] else ["tennis.csv"]
            result = run(*verb, "bad.tree", *files, code=4)
            assert result.stderr.startswith("error: bad.tree"), name
            assert result.stdout == ""


@pytest.mark.skipif(
    os.name == "nt" or os.geteuid() == 0, reason="the superuser may read everything"
)
def test_files_that_may_not_be_read(folder: Path) -> None:
    for name in ("tennis.csv", "m.tree"):
        Path(name).chmod(0)
    assert "[file.permission]" in run("fit", "tennis.csv", "-t", "Wind", code=3).stderr
    assert "[file.unreadable]" in run("show", "m.tree", code=4).stderr


def test_hostile_names_are_shown_and_not_obeyed(folder: Path) -> None:
    name = "a\x1b[31m\u202eb"
    Path("evil.csv").write_text(f'"{name}",y\nx,p\nz,q\nx,p\n')
    for args in (["-t", "y"], ["-t", name], ["-t", "no\x1bsuch"], []):
        result = run(
            "fit",
            "evil.csv",
            *args,
            code=0 if len(args) == 2 and args[1] in ("y", name) else 2 + bool(args),
        )
        for text in (result.stdout, result.stderr):
            assert "\x1b" not in text
            assert "\u202e" not in text
