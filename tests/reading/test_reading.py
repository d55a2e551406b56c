"""What is read, from where, and what is told about it."""

from __future__ import annotations

import builtins
import io
import json
import pathlib
from typing import Any

import numpy as np
import pandas as pd
import pytest

import treewright
from helpers import cli_run
from treewright._reading import Inspection, inspect, read_csv, read_table
from treewright.errors import DataError, UsageError
from treewright.table import Series, Table

TENNIS = cli_run.TENNIS.encode()


def report_of(found: Inspection, name: str) -> Any:
    return next(report for report in found.reports if report.name == name)


def test_the_report_of_the_specification() -> None:
    assert str(inspect(TENNIS, label="tennis.csv")) == (
        "tennis.csv: 14 rows, 6 columns, comma, header, UTF-8\n"
        "  column       read as      values                      missing  note\n"
        '  Day          identifier   14 different                      0  one value per row: ignored (keep=["Day"])\n'
        "  Outlook      categorical  Sunny 5, Rain 5, Overcast 4       0\n"
        "  Temperature  categorical  Mild 6, Hot 4, Cool 4             0\n"
        "  Humidity     categorical  High 7, Normal 7                  0\n"
        "  Wind         categorical  Weak 8, Strong 6                  0\n"
        "  PlayTennis   categorical  Yes 9, No 5                       0"
    )


def test_the_ragged_row_of_the_specification() -> None:
    header = b"age,name,income,children,home,job,state,note\n"
    good = b'38,"Smith, J",12000,3,own,yes,ok,\n'
    with pytest.raises(DataError) as caught:
        read_csv(named_file("loans.csv", header + good * 1202 + good.replace(b",\n", b",,\n")))
    assert str(caught.value) == (
        "loans.csv line 1,204 has 9 fields, the header has 8  [data.ragged-row]\n"
        '  1204 | 38,"Smith, J",12000,3,own,yes,ok,,\n'
        "  the last field is empty: a trailing comma?\n"
        '  try: ragged="drop"   (drops and counts such rows)'
    )


def test_the_mixed_column_of_the_specification() -> None:
    rows = ["12000.5"] * 32_000
    rows[400], rows[9115] = "n/k", "12k"
    with pytest.raises(DataError) as caught:
        read_csv("\n".join(["income", *rows]).encode())
    assert str(caught.value) == (
        '"income" is numeric in 31,998 rows but not in 2  [data.mixed-column]\n'
        '  line 402: "n/k"    line 9,117: "12k"\n'
        '  try: missing=["n/k", "12k"]   or: categorical=["income"]'
    )
    table = read_csv("\n".join(["income", *rows]).encode(), missing=["n/k", "12k"])
    assert np.isnan(table.column("income").data).sum() == 2


def test_the_leading_zeros_of_the_specification() -> None:
    found = inspect(b"zip,x\n07030,a\n08540,b\n00501,a\n07030,b\n")
    (note,) = found.notes
    said = '"zip" has leading zeros (07030, 08540, …): read as categorical.'
    assert (note.column, note.text) == ("zip", said)
    assert str(note) == f'{said} numeric=["zip"] reads it as numbers.'
    assert report_of(found, "zip").remark() == 'leading zeros (numeric=["zip"])'


def named_file(name: str, content: bytes) -> io.BytesIO:
    file = io.BytesIO(content)
    file.name = name  # type: ignore[attr-defined]
    return file


# ---- notes: every decision that nobody asked for


@pytest.mark.parametrize(
    ("file", "note"),
    [
        (b"x;y\n1.5;a\n", "separated by a semicolon"),
        (b"x\ty\n1.5\ta\n", "separated by a tab"),
        (b"x,y\n1.5,a\n\n2.5,b\n", "1 blank line left out"),
        (b"x,y\n1.5,?\n2.5,b\n?,?\n", '"?" is read as missing: 3 cells of 2 columns'),
        (b"x,y\n1.5, a\n2.5,b\n", "blanks around text left out: y"),
        (
            b"1,2\n1.5,a\n",
            "the first row (1, 2) looks like data and was read as names. header=False",
        ),
        (b"5.1,3.5,a\n4.9,3,a\n6,3,b\n", "(5.1, 3.5, a) looks like data"),
        (b"y,n,rep\nn,n,dem\ny,y,rep\n", "(y, n, rep) looks like data"),
        (b"a b\n1 x\n2 y\n", "the lines are separated by blanks. delimiter=... names another"),
        (
            b"x,y\n1.5,a\nNA,b\n-,NA\n",
            '"-", "NA" are read as missing: 3 cells of 2 columns. missing=[""] keeps',
        ),
        (b",y\n0,a\n1,b\n", 'called "index" and ignored. keep=["index"] uses it.'),
        (b"# made today\n1\n2\n", 'was read as a name. comment="#" leaves out such lines.'),
        (
            b"x,y\n1,None\n2,b\n3,b\n",
            '"y" holds "None" in 1 row: kept as text. missing=["None"] reads',
        ),
        (b"x\n0\n1\n0\n", '"x" holds only 0 and 1: read as categorical. numeric=["x"] reads it as'),
        (b"x\n+4915112345678\n+4915112345678\n", "start with + (+4915112345678)"),
        (b"x\n9007199254740993\n9007199254740993\n", "would lose digits (9007199254740993)"),
        (b"d\n31/01/2024\n01/02/2024\n", '"d" holds dates: ignored. dates="parts" uses year'),
        (b"d\n2024-01-31T10:00\nNA\n2024-01-31T10:00\n", '"d" holds dates: ignored.'),
        (b"x\na\nb\nc\n", '"x" has a different value in each of 3 rows: ignored. keep=["x"] uses'),
        (
            b"x\n" + b"".join(b"%d\n" % (3 * i) for i in range(20)),
            '"x" has a different whole number in each of 20 rows: ignored.',
        ),
        (b"id\n1\n7\n3\n", '"id" has a different whole number in each of 3 rows: ignored.'),
        (b"x,y\n?,a\n,b\n", '"x" is missing in every row: ignored.'),
        (b"x\na\na\na\n", '"x" has the same value in every row'),
        (b"x\n2.5\n2.5\n", '"x" has the same value in every row'),
        (
            b"c\nNA\nDE\nNA\n",
            '"c" holds "NA" in 2 rows: kept as text. missing=["NA"] reads it as missing.',
        ),
        (b"x\na\nb\n3\na\n", '"x" holds 1 number among text (3 texts): read as categorical.'),
        (
            b"x;y\n3,14;a\n2,71;b\n3,14;a\n",
            '"x" holds numbers written like "3,14": read as numbers',
        ),
        (b"first name\n007\n007\n", 'numeric=["first name"] reads it as numbers'),
    ],
)
def test_every_guess_is_told(file: bytes, note: str) -> None:
    assert any(note in str(said) for said in inspect(file).notes), inspect(file).notes


def test_a_note_says_what_it_is_about() -> None:
    found = inspect(b"x;odd \x1b;y\nr;?;a\ns;?;b\nt;?;a\n")
    assert [note.column for note in found.notes] == [None, None, "x", "odd \x1b"]


def test_nothing_is_told_where_nothing_was_guessed() -> None:
    assert inspect(b"x,y\n1.5,a\n2.5,b\n1.5,a\n").notes == ()


def test_what_is_asked_for_is_no_guess() -> None:
    file = b"id,zip,flag,d\n1,07030,0,2024-01-01\n2,08540,1,2024-01-02\n3,07030,1,2024-01-01\n"
    found = inspect(file, keep=["id", "d"], categorical=["zip"], numeric=["flag"])
    assert (found.notes, found.ignored) == ((), ())
    assert [r.read_as for r in found.reports] == [
        "numeric",
        "categorical",
        "numeric",
        "categorical",
    ]


def test_ignored_columns_stay_in_the_table_and_out_of_the_used_ones() -> None:
    found = inspect(TENNIS, ignore=["Wind"])
    assert found.ignored == ("Day", "Wind")
    assert "Day" in found.table.columns
    assert "Day" not in found.used.columns
    assert report_of(found, "Wind").note == "ignored as asked"


def test_ignored_columns_cannot_stop_the_reading() -> None:
    file = b"x,y,z\n" + b"".join(b"%d,v%d,1e999\n" % (i, i // 2) for i in range(2400)) + b"a,b,c\n"
    with pytest.raises(DataError):
        inspect(file)
    assert len(inspect(file, ignore=["x", "y", "z"]).table) == 2401


def test_identifiers_may_have_many_values_and_missing_text() -> None:
    rows = [f"u{i},{i},{'' if i % 7 == 0 else f'n{i}'}" for i in range(3000)]
    found = inspect("\n".join(["user,number,name", *rows]).encode())
    assert [r.read_as for r in found.reports] == ["identifier"] * 3
    assert [r.kind for r in found.reports] == ["categorical", "numeric", "categorical"]
    assert report_of(found, "user").summary == "3,000 different"


def test_fractions_are_never_identifiers() -> None:
    assert inspect(b"x\n1.5\n2.5\n3.5\n").ignored == ()


def test_one_row_has_no_identifiers() -> None:
    assert inspect(b"x,y\n1,a\n").ignored == ()


@pytest.mark.parametrize(
    ("values", "summary"),
    [
        ([64, 85, 70.5], "64 to 85, mean 73.2"),
        ([5.0, 5.0], "always 5"),
        ([0.00001, 1e20], "1e-05 to 1e+20, mean 5e+19"),
        ([1e308, 1.7e308], "1e+308 to 1.7e+308, mean 1.35e+308"),
        ([-1234567, 0.25], "-1,234,567 to 0.25, mean -617,283"),
        (["a"] * 3 + ["b"] * 5 + ["c"], "b 5, a 3, c 1"),
        (["e", "d", "c", "b", "a", "a"], "a 2, e 1, d 1, +2 others"),
        (["x\ny", "x\ny"], "x\\ny 2"),
    ],
)
def test_summaries(values: list[Any], summary: str) -> None:
    assert inspect(Table([Series.of("v", values)])).reports[0].summary == summary


def test_hostile_names_stay_on_their_line() -> None:
    found = inspect(b'"a\nb\x1b[31m",' + b"x" * 300 + b"\nu,v\nu,v\n", label="evil\nname.csv")
    lines = str(found).split("\n")
    assert [line.isprintable() for line in lines] == [True] * 4
    assert "a\\nb\\x1b[31m" in lines[2]
    assert len(lines[3]) < 150


# ---- where it comes from


def test_paths_bytes_and_files_give_the_same(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "tennis.csv"
    path.write_bytes(TENNIS)
    expected = read_csv(TENNIS).to_dict()
    with path.open("rb") as file, path.open("rb", buffering=0) as raw:
        for source in (
            path,
            str(path),
            bytearray(TENNIS),
            memoryview(TENNIS),
            file,
            raw,
            Drip(TENNIS),
        ):
            assert read_csv(source).to_dict() == expected
        assert not file.closed
    assert inspect(path).label == str(path)
    assert treewright.read_csv is read_csv


class Drip:
    """A file that gives a byte at a time."""

    def __init__(self, content: bytes) -> None:
        self.file = io.BytesIO(content)

    def read(self, size: int) -> bytes:
        return self.file.read(min(size, 1))


def test_a_slow_file_in_another_encoding() -> None:
    assert read_csv(Drip("a\nä\n".encode("utf-16")), encoding="utf-16").to_dict() == {"a": ["ä"]}


def test_sources_that_are_none(tmp_path: pathlib.Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_csv(tmp_path / "no.csv")
    with pytest.raises(FileNotFoundError):
        read_table(tmp_path / "no.parquet")
    with pytest.raises(IsADirectoryError):
        read_csv(tmp_path)
    with pytest.raises(UsageError, match="binary mode"):
        read_csv(io.StringIO("a\n1\n"))
    with pytest.raises(UsageError, match="cannot read a int"):
        read_csv(3)


def test_errors_of_the_file_are_its_own() -> None:
    class Broken:
        def read(self, size: int) -> bytes:
            raise OSError(5, "Input/output error")

    with pytest.raises(OSError, match="Input/output error"):
        read_csv(Broken())


def test_declared_levels_keep_their_order() -> None:
    table = read_csv(b"size\nL\nS\n", levels={"size": ["S", "M", "L"]})
    series = table.column("size")
    assert (series.levels, series.declared, series.data.tolist()) == (("S", "M", "L"), True, [2, 0])


def test_an_undeclared_level_is_found_far_away() -> None:
    file = b"size\n" + b"S\n" * 70_000 + b"XL\n"
    with pytest.raises(DataError, match='line 70,002: "XL" is not among the declared levels'):
        read_csv(file, levels={"size": ["S", "L"]})


def test_a_marker_that_no_file_can_hold() -> None:
    assert read_csv(b"x\n1.5\n?\n", missing=["\udcff", "?"]).to_dict() == {"x": [1.5, None]}


def test_levels_are_sorted_by_code_point() -> None:
    assert read_csv("x\nä\nb\nB\n10\n9\nb\n".encode()).column("x").levels == (
        "10",
        "9",
        "B",
        "b",
        "ä",
    )


def test_the_order_of_rows_does_not_change_levels() -> None:
    head, *rows = TENNIS.splitlines()
    back = read_csv(b"\n".join([head, *reversed(rows)]))
    assert [s.levels for s in back.series] == [s.levels for s in read_csv(TENNIS).series]


# ---- other formats


def test_json_lines(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "t.jsonl"
    rows = [
        {"n": 1, "wind": "weak", "b": True},
        {"wind": None, "n": 2.5},
        {"n": None, "wind": "weak"},
    ]
    path.write_bytes(b"\xef\xbb\xbf" + "\n\n".join(map(json.dumps, rows)).encode())
    assert read_table(path).to_dict() == {
        "n": [1, 2.5, None],
        "wind": ["weak", None, "weak"],
        "b": [True, None, None],
    }


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"a": 1}\n{"a": \n', "line 2 is not JSON"),
        (b'{"a": Infinity}\n', "Infinity is not JSON"),
        (b"[1, 2]\n", "line 1 is not an object"),
        (b'{"a": "\xff"}\n', "line 1 is not JSON"),
        (b"[" * 100_000, "line 1 is not JSON"),
    ],
)
def test_bad_json_lines(tmp_path: pathlib.Path, content: bytes, words: str) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(content)
    with pytest.raises(DataError) as caught:
        read_table(path)
    assert words in str(caught.value)
    assert caught.value.slug == "data.json"


@pytest.mark.parametrize("suffix", [".parquet", ".feather", ".arrow"])
@pytest.mark.parametrize("without", [(), ("pyarrow",)])
def test_typed_files(
    tmp_path: pathlib.Path, suffix: str, without: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = pd.DataFrame({"n": [1.5, None, 3], "wind": ["weak", "strong", None], "id": [3, 1, 2]})
    path = tmp_path / f"t{suffix}"
    frame.to_parquet(path) if suffix == ".parquet" else frame.to_feather(path)
    forbid(monkeypatch, without)
    found = inspect(path)
    assert found.table.to_dict() == {
        "n": [1.5, None, 3],
        "wind": ["weak", "strong", None],
        "id": [3, 1, 2],
    }
    assert found.label == str(path)
    assert ": 3 rows, 3 columns\n" in str(found)
    assert found.ignored == ("wind", "id")


def forbid(monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...]) -> None:
    import importlib

    real = importlib.import_module

    def import_module(name: str, package: str | None = None) -> Any:
        if name.split(".")[0] in names:
            raise ImportError(name)
        return real(name, package)

    monkeypatch.setattr("treewright._reading.file_formats.importlib.import_module", import_module)


def test_typed_files_need_a_library(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.parquet"
    path.write_bytes(b"PAR1")
    forbid(monkeypatch, ("pyarrow", "polars"))
    with pytest.raises(UsageError, match="needs pyarrow or Polars"):
        read_table(path)


@pytest.mark.parametrize("without", [(), ("pyarrow",)])
@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_damaged_typed_files(
    tmp_path: pathlib.Path, suffix: str, without: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"t{suffix}"
    path.write_bytes(b"PAR1 this is not it PAR1")
    forbid(monkeypatch, without)
    with pytest.raises(DataError) as caught:
        read_table(path)
    assert caught.value.slug == "data.unreadable"


def test_a_tsv_is_split_at_tabs_only(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_bytes(b"a,b,c\td\nx\ty\n")
    assert inspect(path).table.columns == ["a,b,c", "d"]
    assert not any("separated" in note.text for note in inspect(path).notes)


# ---- tables that somebody else typed


def test_a_table_gets_the_same_report() -> None:
    found = inspect(read_csv(TENNIS), label="tennis.csv")
    assert [r.read_as for r in found.reports] == [r.read_as for r in inspect(TENNIS).reports]
    assert inspect({"x": [1.5, 2.5], "y": ["a", "a"]}).reports[1].note == "one value"


def test_wishes_for_a_typed_table() -> None:
    table = Table([Series.of("x", [1, 2, 1]), Series.of("y", ["a", "b", "a"])])
    found = inspect(table, categorical=["x"], levels={"y": ["c", "b", "a"]})
    assert found.table.column("x").levels == (1.0, 2.0)
    assert found.table.column("y").levels == ("c", "b", "a")
    with pytest.raises(DataError, match="holds text, not numbers"):
        inspect(table, numeric=["y"])
    with pytest.raises(DataError, match="no rows"):
        inspect(table[:0])


def test_nothing_is_imported_that_is_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def no_frames(name: str, *rest: Any, **words: Any) -> Any:
        assert name.split(".")[0] not in ("pandas", "polars", "pyarrow")
        return real(name, *rest, **words)

    monkeypatch.setattr(builtins, "__import__", no_frames)
    assert len(read_csv(TENNIS)) == 14


# ---- numbers that are written in other ways, identifiers, dates, means


@pytest.mark.parametrize(
    ("cells", "numbers", "how"),
    [
        (["1,5", "2,5", "3,5", "4,5"], [1.5, 2.5, 3.5, 4.5], "a decimal comma"),
        (["$1,542.58", "$20.00", "-$3", "$7"], [1542.58, 20, -3, 7], "a decimal point"),
        (["$12,345", "$9,100", "($1,200)", "$5"], [12345, 9100, -1200, 5], "a decimal point"),
        (["5 %", "7.5%", "100%", "0%"], [5, 7.5, 100, 0], "a decimal point"),
        (["1 234,50 €", "17 €", "3 €", "1 €"], [1234.5, 17, 3, 1], "a decimal comma"),
        (["1'234", "2'500.5", "3'000", "7'100"], [1234, 2500.5, 3000, 7100], "a decimal point"),
        (["1.234,5", "12", "7", "1.000.000"], [1234.5, 12, 7, 1e6], "a decimal comma"),
    ],
)
def test_amounts_are_read_as_numbers_and_told(
    cells: list[str], numbers: list[float], how: str
) -> None:
    text = "\n".join(["a;y", *(f'"{cell}";{"xy"[i % 2]}' for i, cell in enumerate(cells))])
    frame = pd.DataFrame({"a": cells, "y": list("xyxy")})
    for source in (text.encode(), frame):
        found = inspect(source)
        report = report_of(found, "a")
        assert (report.read_as, report.ignored) == ("numeric", False)
        assert found.table["a"] == numbers
        [note] = [str(note) for note in found.notes if note.column == "a"]
        assert f"read as numbers with {how}" in note
        assert 'categorical=["a"] keeps the texts' in note
        assert inspect(source, numeric=["a"]).table["a"] == numbers
        assert inspect(source, categorical=["a"]).table["a"] == cells


@pytest.mark.parametrize("cells", [["12,345", "9,100", "7,001", "8,210"], ["1,000"] * 4])
def test_a_comma_that_may_be_decimal_or_separate_thousands_is_asked_about(cells: list[str]) -> None:
    for source in ("\n".join(["a;b", *(f"{c};1.5" for c in cells)]).encode(), {"a": cells}):
        found = inspect(source)
        assert report_of(found, "a").read_as == "categorical"
        first = next(str(note) for note in found.notes if note.column == "a")
        assert 'decimal="," reads' in first
        assert 'thousands="," as thousands' in first
    with pytest.raises(DataError, match=r'decimal=",".*thousands=","') as caught:
        inspect(b"a;b\n1,234;x\n2,345;y\n", numeric=["a"])
    assert "missing=" not in str(caught.value)


def test_numbers_among_amounts_are_read_with_them() -> None:
    found = inspect(b'x,y\n1.5,a\n2.5,b\n"1,234.5",a\n')
    assert found.table["x"] == [1.5, 2.5, 1234.5]


def test_measurements_in_a_short_table_are_no_identifiers() -> None:
    six = inspect({"x": [1, 2, 3, 4, 5, 6], "y": [1.5, 2, 3, 4, 5, 6.5]})
    assert (six.ignored, six.notes) == ((), ())
    assert inspect({"x": list(range(19))}).ignored == ()
    assert inspect({"x": list(range(20))}).ignored == ("x",)
    for name in ("id", "ID", "customer_id", "row", "Index"):
        assert inspect({name: [1, 2, 3], "y": [1.5, 2.5, 3.5]}).ignored == (name,)
    assert inspect({"width": [1, 2, 3], "idle": [4, 5, 7]}).ignored == ()
    assert inspect({"Day": ["D1", "D2", "D3"]}).ignored == ("Day",)


def test_trailing_zeros_of_whole_numbers_are_digits() -> None:
    report = report_of(inspect({"x": [0.0, 100.0, 3441.47]}), "x")
    assert report.summary == "0 to 3,441.47, mean 1,180"
    assert report_of(inspect({"x": [100.5, 119.6]}), "x").summary == "100.5 to 119.6, mean 110"
    assert report_of(inspect({"x": [1.25, 1.75]}), "x").summary == "1.25 to 1.75, mean 1.5"


DAYS = pd.date_range("2024-01-30", periods=4)


@pytest.mark.parametrize(
    "days",
    [
        DAYS,
        pd.Series(DAYS.date, dtype=object),
        pd.Series(DAYS.strftime("%Y-%m-%d %H:%M")),
        pd.Series([*DAYS[:3], pd.NaT]),
        pd.Series(DAYS.tz_localize("Europe/Berlin")),
    ],
)
def test_dates_in_a_frame_are_ignored_as_those_of_a_file(days: Any, tmp_path: Any) -> None:
    frame = pd.DataFrame({"n": [1.5, 2.5, 1.5, 2.5], "day": days, "y": list("aabb")})
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_feather(tmp_path / "t.feather")
    note = '"day" holds dates: ignored. dates="parts" uses year, month and weekday.'
    for source in (frame, *(tmp_path / f"t.{kind}" for kind in ("csv", "parquet", "feather"))):
        found = inspect(source)
        assert found.ignored == ("day",)
        assert report_of(found, "day").read_as == "date"
        assert note in [str(n) for n in found.notes]
        assert inspect(source, ignore=["day"]).ignored == ("day",)
        assert inspect(source, keep=["day"]).ignored == ()
    rows = [{"n": 1.5, "day": day} for day in DAYS.date]
    assert inspect(rows).ignored == ("day",)


def test_a_date_that_the_model_does_not_use_is_no_reason_to_refuse_a_row() -> None:
    X = {"n": [1.5, 2.5, 1.5, 2.5]}
    model = treewright.CARTClassifier().fit(X, list("abab"))
    dated = X | {"day": list(DAYS.date)}
    assert model.predict(dated).tolist() == list("abab")
    rows = [{"n": n, "day": day} for n, day in zip(X["n"], DAYS.date, strict=True)]
    assert model.predict(rows).tolist() == list("abab")


@pytest.mark.parametrize("target", [DAYS, DAYS.to_numpy(), list(DAYS.date), DAYS - DAYS[0]])
def test_a_target_of_dates_is_refused(target: Any) -> None:
    for learner in (treewright.CARTRegressor(), treewright.CARTClassifier()):
        with pytest.raises(DataError, match="the target holds dates or times") as caught:
            learner.fit([[1.0], [2.0], [3.0], [4.0]], target)
        assert caught.value.slug == "fit.date-target"


def test_levels_can_be_declared_for_numbers_of_any_container() -> None:
    rows = b"n,s\n1,a\n2,b\n3,a\n1,b\n"
    for source in (rows, {"n": [1, 2, 3, 1], "s": list("abab")}):
        series = inspect(source, ordered={"n": [3, 2, 1]}).table.column("n")
        assert (series.levels, series.ordered) == (("3", "2", "1"), True)
        assert series.data.tolist() == [2, 1, 0, 2]
