"""Files that are not delimited text are named for what they are, whatever their names are."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from treewright import DataError, ID3Classifier, datasets, inspect
from treewright.files import to_bytes

TEXT = b"a,b\n1,x\n2,y\n"


def zipped(*names: str) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name in names:
            archive.writestr(name, "content")
    return content.getvalue()


def parquet() -> bytes:
    content = io.BytesIO()
    pd.DataFrame({"a": [1, 2]}).to_parquet(content)
    return content.getvalue()


def array() -> bytes:
    content = io.BytesIO()
    np.save(content, np.arange(3))
    return content.getvalue()


FILES = {
    "a gzip archive": gzip.compress(TEXT),
    "a bzip2 archive": bz2.compress(TEXT),
    "an xz archive": lzma.compress(TEXT),
    "a zip archive": zipped("a.csv"),
    "an Excel workbook": zipped("[Content_Types].xml", "xl/workbook.xml"),
    "a Parquet file": parquet(),
    "an array of numpy": array(),
    "a model": to_bytes(ID3Classifier().fit(*datasets.play_tennis())),
    "a JSON array": json.dumps([{"a": 1}], indent=1).encode(),
    "JSON": json.dumps({"a": [1]}).encode(),
}


@pytest.mark.parametrize("what", FILES)
def test_it_is_named(what: str, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(FILES[what])
    for source in (path, FILES[what], io.BytesIO(FILES[what])):
        with pytest.raises(DataError, match=f"is {what}.*, not delimited text") as caught:
            inspect(source)
        assert (caught.value.slug, len(caught.value.lines)) == ("data.other-format", 1)
    with pytest.raises(DataError, match=what):
        inspect(FILES[what], encoding="latin-1")


@pytest.mark.parametrize(
    "text", [TEXT, b"[a],[b]\n1,2\n", b"{a},b\n1,2\n", b"PAR,b\n1,2\n", b"BZ,h\n1,2\n"]
)
def test_text_is_text(text: bytes) -> None:
    assert inspect(text).rows >= 1
