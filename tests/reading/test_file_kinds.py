"""The same table from every kind of file: the same columns and the same model."""

from __future__ import annotations

import bz2
import datetime
import gzip
import io
import json
import lzma
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pytest
import zstandard

from treewright import C45Classifier, DataError, UsageError, inspect, read_csv, read_table
from treewright._reading import compression
from treewright.files import to_bytes

FRAME = pd.DataFrame(
    {
        "price": [1.5, None, 3.25, 4.0, 1.5, 7.75] * 5,
        "size": ["S", "M", None, "L", "S", "XL"] * 5,
        "rooms": [2, 3, 4, 2, 5, 3] * 5,
        "sold": ["yes", "no", "no", "yes", "yes", "no"] * 5,
    }
)
TEXT = FRAME.to_csv(index=False).encode()


def zipped(files: dict[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return content.getvalue()


def write_sqlite(path: Path, *, table: str = "sales") -> None:
    connection = sqlite3.connect(path)
    FRAME.to_sql(table, connection, index=False)
    connection.close()


def write_duckdb(path: Path, *, table: str = "sales") -> None:
    with duckdb.connect(str(path)) as connection:
        connection.register("frame", FRAME)
        quoted = table.replace('"', '""')
        connection.execute(f'CREATE TABLE "{quoted}" AS SELECT * FROM frame')


def write_stream(path: Path) -> None:
    table = pa.Table.from_pandas(FRAME, preserve_index=False)
    with pa.ipc.new_stream(path, table.schema) as stream:
        stream.write_table(table)


def records(**options: Any) -> bytes:
    return str(FRAME.to_json(orient="records", **options)).encode()


WRITERS: dict[str, Callable[[Path], object]] = {
    "t.csv": lambda path: path.write_bytes(TEXT),
    "t.csv.gz": lambda path: path.write_bytes(gzip.compress(TEXT)),
    "t.csv.bz2": lambda path: path.write_bytes(bz2.compress(TEXT)),
    "t.csv.xz": lambda path: path.write_bytes(lzma.compress(TEXT)),
    "t.csv.zst": lambda path: path.write_bytes(zstandard.compress(TEXT)),
    "t.tsv.gz": lambda path: path.write_bytes(
        gzip.compress(FRAME.to_csv(index=False, sep="\t").encode())
    ),
    "t.zip": lambda path: path.write_bytes(zipped({"t.csv": TEXT, "__MACOSX/t.csv": b"x"})),
    "t.xlsx": lambda path: FRAME.to_excel(path, index=False),
    "t.jsonl": lambda path: path.write_bytes(records(lines=True)),
    "t.jsonl.gz": lambda path: path.write_bytes(gzip.compress(records(lines=True))),
    "t.json": lambda path: path.write_bytes(records()),
    "t.parquet": lambda path: FRAME.to_parquet(path),
    "t.feather": lambda path: FRAME.to_feather(path),
    "t.arrow": write_stream,
    "t.sqlite": write_sqlite,
    "t.duckdb": write_duckdb,
}


def model_bytes(source: Any, **options: Any) -> bytes:
    table = inspect(source, **options).used
    return to_bytes(C45Classifier().fit(table.drop(["sold"]), table["sold"]))


@pytest.mark.parametrize("name", WRITERS)
def test_every_kind_gives_the_same_model(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    WRITERS[name](path)
    expected = model_bytes(TEXT)
    assert model_bytes(path) == expected
    assert model_bytes(str(path)) == expected
    assert model_bytes(FRAME) == expected
    assert read_table(path).to_dict() == read_csv(TEXT).to_dict()


STREAMS = [name for name in WRITERS if not name.endswith(("sqlite", "duckdb", "tsv.gz"))]


class Pipe:
    """What standard input is: it cannot go back, and gives what it has."""

    def __init__(self, data: bytes) -> None:
        self._file = io.BytesIO(data)

    def read(self, size: int = -1) -> bytes:
        return self._file.read(min(size, 1000) if size >= 0 else -1)


@pytest.mark.parametrize("name", STREAMS)
def test_bytes_and_pipes_are_read_alike(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    WRITERS[name](path)
    expected = model_bytes(TEXT)
    assert model_bytes(path.read_bytes()) == expected
    assert model_bytes(Pipe(path.read_bytes())) == expected


# ---- compressed files


def test_pieces_of_compressed_text_are_put_together() -> None:
    halves = TEXT[:50], TEXT[50:]
    for pack in (gzip.compress, bz2.compress, lzma.compress, zstandard.compress):
        assert model_bytes(b"".join(map(pack, halves))) == model_bytes(TEXT)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zstandard.compress])
def test_a_file_that_is_cut_short_is_no_table(pack: Callable[[bytes], bytes]) -> None:
    packed = pack(TEXT * 100)
    for damaged in (packed[:-9], packed[: len(packed) // 2], packed[:20] + b"x" * 30):
        with pytest.raises(DataError) as caught:
            inspect(damaged)
        assert caught.value.slug == "data.damaged-archive"


def test_a_damaged_zip_is_no_table() -> None:
    packed = zipped({"t.csv": TEXT * 100})
    for damaged in (packed[:-30], packed[:60] + b"xxxx" + packed[64:]):
        with pytest.raises(DataError) as caught:
            inspect(damaged)
        assert caught.value.slug == "data.damaged-archive"


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zstandard.compress])
def test_a_bomb_is_stopped(pack: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "ALWAYS_ALLOWED", 1 << 18)
    monkeypatch.setattr(compression, "MAX_RATIO", 100)
    bomb = pack(b"a,b\n" + b"1,x\n" * 200_000)
    with pytest.raises(DataError, match="expands to more than 100 times its size") as caught:
        inspect(bomb)
    assert caught.value.slug == "data.expands-too-much"


def test_archives_in_archives_are_refused() -> None:
    for inner in (gzip.compress(TEXT), zipped({"t.csv": TEXT}), zstandard.compress(TEXT)):
        with pytest.raises(DataError, match="the content of the table is a"):
            inspect(gzip.compress(inner))


def test_a_zip_with_several_files(tmp_path: Path) -> None:
    path = tmp_path / "t.zip"
    path.write_bytes(zipped({"a.csv": TEXT, "in/b.tsv": TEXT.replace(b",", b"\t")}))
    with pytest.raises(DataError, match="holds 2 files: name one of them") as caught:
        inspect(path)
    assert caught.value.lines == ("files: a.csv, in/b.tsv", f"try: {path}::a.csv")
    assert model_bytes(f"{path}::in/b.tsv") == model_bytes(TEXT)
    with pytest.raises(DataError, match=r'holds no file "c\.csv"'):
        inspect(f"{path}::c.csv")


def test_only_files_with_parts_have_parts(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(TEXT)
    with pytest.raises(DataError, match="has no parts"):
        inspect(f"{tmp_path}/t.csv::x")
    (tmp_path / "t::x.csv").write_bytes(TEXT)
    assert inspect(tmp_path / "t::x.csv").rows == len(FRAME)


# ---- workbooks


def workbook(path: Path, **sheets: list[list[Any]]) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def test_a_sheet_by_its_name(tmp_path: Path) -> None:
    path = workbook(tmp_path / "t.xlsx", One=[["a"], [1]], Two=[["a"], [2]], Empty=[])
    assert read_table(f"{path}::Two").to_dict() == {"a": [2.0]}
    with pytest.raises(DataError, match="holds 2 sheets: name one") as caught:
        inspect(path)
    assert caught.value.lines == ("sheets: One, Two", f"try: {path}::One")
    with pytest.raises(DataError, match='holds no sheet "Three"'):
        inspect(f"{path}::Three")


def test_cells_of_a_sheet_are_read_by_the_rules_for_text(tmp_path: Path) -> None:
    day = datetime.datetime(2024, 3, 1)
    rows = [
        [None, None],
        ["zip", "n", "when", "ok", "who"],
        ["07030", 1, day, True, "a\nb"],
        ["08540", "NA", day.replace(hour=10), False, '"c", d'],
        [],
        ["07030", 2.5, None, True, "e"],
    ]
    found = inspect(workbook(tmp_path / "t.xlsx", Sheet=rows))
    assert found.table.to_dict() == {
        "zip": ["07030", "08540", "07030"],
        "n": [1.0, None, 2.5],
        "when": ["2024-03-01", "2024-03-01 10:00:00", None],
        "ok": ["TRUE", "FALSE", "TRUE"],
        "who": ["a\nb", '"c", d', "e"],
    }
    assert [report.read_as for report in found.reports][2] == "date"
    assert found.delimiter is None
    assert found.encoding is None


def test_a_sheet_without_a_header(tmp_path: Path) -> None:
    path = workbook(tmp_path / "t.xlsx", Sheet=[[1, "x"], [2, "y"]])
    assert inspect(path, header=False).table.to_dict() == {"c1": [1, 2], "c2": ["x", "y"]}


def test_a_sheet_has_no_end(tmp_path: Path) -> None:
    path = workbook(tmp_path / "t.xlsx", Sheet=[["a", "b", None], [1, 2, None], [3, 4, 5]])
    with pytest.raises(DataError, match="line 3 has 3 fields, the header has 2"):
        inspect(path)


def test_a_damaged_workbook(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    path.write_bytes(zipped({"[Content_Types].xml": b"x", "xl/workbook.xml": b"<x"}))
    with pytest.raises(DataError, match="cannot be read as an Excel workbook"):
        inspect(path)


# ---- databases


@pytest.mark.parametrize("write", [write_sqlite, write_duckdb])
def test_a_table_by_its_name(write: Callable[..., None], tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    write(path)
    write(path, table='odd "name" :: x')
    assert model_bytes(f"{path}::sales") == model_bytes(TEXT)
    assert model_bytes(f'{path}::odd "name" :: x') == model_bytes(TEXT)
    with pytest.raises(DataError, match="holds 2 tables: name one") as caught:
        inspect(path)
    assert "sales" in caught.value.lines[0]
    with pytest.raises(DataError, match='holds no table "nosuch"'):
        inspect(f"{path}::nosuch")
    with pytest.raises(UsageError, match="read only from a file"):
        inspect(path.read_bytes())


@pytest.mark.parametrize("write", [write_sqlite, write_duckdb])
def test_a_database_is_only_read(write: Callable[..., None], tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    write(path)
    before = path.read_bytes()
    path.chmod(0o444)
    inspect(path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["t.db"]


def test_a_view_of_a_strange_database_reads_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_bytes(TEXT)
    with duckdb.connect(str(tmp_path / "t.duckdb")) as connection:
        connection.execute(f"CREATE VIEW v AS SELECT * FROM read_csv('{tmp_path}/secret.csv')")
    with pytest.raises(DataError, match="cannot be read as a DuckDB database"):
        inspect(tmp_path / "t.duckdb")


def test_sqlite_cells_have_types_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE t (n, b)")
    connection.executemany("INSERT INTO t VALUES (?, ?)", [(1.5, "x"), ("NA", "y"), (3, None)])
    connection.commit()
    assert inspect(path).table.to_dict() == {"n": [1.5, None, 3], "b": ["x", "y", None]}
    connection.execute("UPDATE t SET b = x'00ff'")
    connection.commit()
    connection.close()
    with pytest.raises(DataError, match="contains bytes") as caught:
        inspect(path)
    assert caught.value.slug == "data.bytes"


@pytest.mark.parametrize("magic", [b"SQLite format 3\0", b"12345678DUCK"])
def test_a_damaged_database(magic: bytes, tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    path.write_bytes(magic + b"x" * 5000)
    with pytest.raises(DataError, match="cannot be read as a") as caught:
        inspect(path)
    assert caught.value.slug == "data.unreadable"


# ---- JSON


def test_objects_inside_rows_become_columns(tmp_path: Path) -> None:
    rows = [{"a": {"b": 1, "c": {"d": "x"}}, "tags": ["p", "q"]}, {"a": None, "tags": []}]
    assert read_table_of(rows) == {
        "a.b": [1.0, None],
        "a.c.d": ["x", None],
        "tags": ['["p", "q"]', "[]"],
        "a": [None, None],
    }
    with pytest.raises(DataError, match=r'"a\.b" occurs twice'):
        read_table_of([{"a": {"b": 1}, "a.b": 2}])


def read_table_of(rows: Any) -> dict[str, list[Any]]:
    return inspect(json.dumps(rows).encode()).table.to_dict()


def test_large_whole_numbers_keep_their_digits() -> None:
    large = 2**53 + 1
    assert read_table_of([{"id": large}, {"id": 5}]) == {"id": [str(large), "5"]}
    assert read_table_of([{"x": large}, {"x": 0.5}]) == {"x": [float(large), 0.5]}


def test_nan_is_missing_in_json() -> None:
    assert inspect(b'[{"a": NaN}, {"a": 1}]').table.to_dict() == {"a": [None, 1.0]}


@pytest.mark.parametrize("content", [b'[{"a": 1}, 2]', b'[{"a": 1}', b'{"a": [1, 2]\n'])
def test_json_that_is_no_table(content: bytes) -> None:
    with pytest.raises(DataError) as caught:
        inspect(content)
    assert caught.value.slug == "data.json"


# ---- addresses, and packages that are not installed


def test_an_address_is_refused_with_what_to_type() -> None:
    with pytest.raises(UsageError, match="files are not downloaded") as caught:
        inspect("https://example.org/a.csv")
    assert caught.value.slug == "file.url"
    assert caught.value.lines == ("try: curl -sL https://example.org/a.csv | treewright inspect -",)


@pytest.mark.parametrize(
    ("name", "package", "advice"),
    [
        ("t.xlsx", "openpyxl", "treewright[excel]"),
        ("t.csv.zst", "zstandard", "treewright[zstd]"),
        ("t.duckdb", "duckdb", "pip install duckdb"),
    ],
)
def test_a_package_that_is_needed(
    name: str, package: str, advice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    WRITERS[name](path)
    import sys

    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setitem(sys.modules, "compression.zstd", None)
    with pytest.raises(UsageError, match="needs") as caught:
        inspect(path)
    assert advice in str(caught.value)


def test_duckdb_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    write_duckdb(tmp_path / "t.duckdb")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert model_bytes(tmp_path / "t.duckdb") == model_bytes(TEXT)
