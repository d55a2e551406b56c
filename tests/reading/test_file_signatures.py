"""What a file is, its first bytes say, whatever its name is: it is read so, or refused by name."""

from __future__ import annotations

import io
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from treewright import DataError, ID3Classifier, datasets, inspect, read_csv
from treewright.files import to_bytes

TEXT = b"a,b\n1,x\n2,y\n"


def array() -> bytes:
    content = io.BytesIO()
    np.save(content, np.arange(3))
    return content.getvalue()


REFUSED = {
    "an array of numpy": array(),
    "a model": to_bytes(ID3Classifier().fit(*datasets.play_tennis())),
    "a pickle": pickle.dumps({"a": [1, 2]}),
    "a PDF document": b"%PDF-1.7 table",
    "an Excel workbook of the old format": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100),
    "an HDF5 file": b"\x89HDF\r\n",
    "a 7z archive": b"7z\xbc\xaf\x27\x1c",
    "a picture": b"\x89PNG\r\n",
    "an HTML page": b"<!DOCTYPE html><html>",
}


@pytest.mark.parametrize("what", REFUSED)
def test_it_is_named(what: str, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(REFUSED[what])
    for source in (path, REFUSED[what], io.BytesIO(REFUSED[what])):
        with pytest.raises(DataError, match=f"is {what}, not delimited text") as caught:
            inspect(source)
        assert (caught.value.slug, len(caught.value.lines)) == ("data.other-format", 1)
    with pytest.raises(DataError, match=what):
        inspect(REFUSED[what], encoding="latin-1")


def test_a_pickle_is_not_opened() -> None:
    with pytest.raises(DataError, match="a pickle can run code when it is opened"):
        inspect(pickle.dumps(Path))


def test_content_wins_over_the_name(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": [1.5, 2], "b": ["x", "y"]})
    for extension in (".csv", ".tsv", ".xlsx", ".jsonl", ""):
        path = tmp_path / f"table{extension}"
        frame.to_parquet(path)
        assert inspect(path).table.to_dict() == {"a": [1.5, 2], "b": ["x", "y"]}
        with pytest.raises(DataError, match="is a Parquet file, not delimited text"):
            read_csv(path)


@pytest.mark.parametrize("name", ["t.parquet", "t.feather", "t.xlsx", "t.sqlite", "t.duckdb"])
def test_text_under_the_name_of_another_format(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(TEXT)
    with pytest.raises(DataError, match=r"is not a.*, although it is called so"):
        inspect(path)


@pytest.mark.parametrize(
    "text", [TEXT, b"[a],[b]\n1,2\n", b"{a},b\n1,2\n", b"PAR,b\n1,2\n", b"BZ,h\n1,2\n"]
)
def test_text_is_text(text: bytes) -> None:
    assert inspect(text).rows >= 1
