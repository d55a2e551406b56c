"""``treewright workbench`` and ``workbench()``: the file that they write, and what it holds."""

from __future__ import annotations

import base64
import gzip
import json
import os
import re
import stat
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import treewright
from helpers.cli_run import run
from treewright import datasets
from treewright._web import page_file, table_text
from treewright._web import workbench as workbench_page

CSV = "a,b,c\n1,x,yes\n2,y,no\n"


@pytest.fixture(autouse=True)
def pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip where the pages were not built."""
    try:
        page_file.read_shell("workbench")
        page_file.read_engine()
    except FileNotFoundError as error:
        pytest.skip(f"{error.filename} is not built: make web")


def embedded(path: Path, name: str) -> Any:
    """Return what the page holds under a name."""
    page = path.read_text("utf-8")
    found = re.search(rf'<script type="([^"]*)" id="{name}">(.*?)</script>', page, re.S)
    if found is None:
        return None
    if found[1] == "application/json":
        return json.loads(found[2])
    return gzip.decompress(base64.b64decode(found[2]))


def write(folder: Path, text: str | bytes, name: str = "loans.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_the_page_without_a_table_is_small(tmp_path: Path) -> None:
    out = tmp_path / "workbench.html"
    result = run("workbench", "-o", str(out))
    assert "saved" in result.stderr
    assert out.stat().st_size < 2_000_000
    start = embedded(out, "workbench")
    assert start["table"] is None
    assert not start["embedded"]
    assert [table["name"] for table in start["built_in"]] == datasets.names()
    assert embedded(out, "table") is None
    assert len(embedded(out, "engine")) > 100_000


def test_a_table_is_in_the_page_only_if_asked(tmp_path: Path) -> None:
    csv, out = write(tmp_path, CSV), tmp_path / "w.html"
    result = run("workbench", str(csv), "-t", "c", "-o", str(out))
    assert "--include-table" in result.stderr
    assert embedded(out, "table") is None
    assert embedded(out, "workbench")["table"] is None

    run("workbench", str(csv), "-t", "c", "-o", str(out), "--include-table")
    start = embedded(out, "workbench")
    assert embedded(out, "table") == CSV.encode()
    assert (start["table"], start["target"], start["embedded"]) == ("loans.csv", "c", True)
    assert str(tmp_path) not in out.read_text("utf-8")


def test_options_of_the_file_go_along(tmp_path: Path) -> None:
    csv, out = write(tmp_path, "a;b\n1,5;Ä\n".encode("latin-1")), tmp_path / "w.html"
    words = ["--delimiter", ";", "--decimal", ",", "--encoding", "latin-1", "--missing", "none"]
    more = ["--no-header", "--ignore", "c1", "-o", str(out), "--include-table"]
    run("workbench", str(csv), *words, *more)
    assert embedded(out, "table").decode() == "a;b\n1,5;Ä\n"
    assert embedded(out, "workbench")["options"] == {
        "delimiter": ";",
        "missing": ["", "none"],
        "header": False,
        "decimal": ",",
        "columns": {"c1": "ignore"},
    }


def test_other_formats_become_csv(tmp_path: Path) -> None:
    lines = write(tmp_path, '{"a": 1.5, "b": "x"}\n{"a": 2, "b": null}\n', "t.jsonl")
    out = tmp_path / "w.html"
    run("workbench", str(lines), "-o", str(out), "--include-table")
    assert embedded(out, "table") == b"a,b\n1.5,x\n2,\n"
    options = embedded(out, "workbench")["options"]
    assert options["columns"] == {"a": "numeric", "b": "categorical"}
    assert options["missing"] == [""]


def test_compressed_text_is_unpacked(tmp_path: Path) -> None:
    packed, out = write(tmp_path, gzip.compress(CSV.encode()), "t.csv.gz"), tmp_path / "w.html"
    run("workbench", str(packed), "-o", str(out), "--include-table")
    assert embedded(out, "table") == CSV.encode()


def test_without_a_browser_the_private_file_is_named(tmp_path: Path) -> None:
    csv = write(tmp_path, CSV)
    result = run("workbench", str(csv), "-t", "c", "-a", "cart", "--mode", "quiz", "--no-browser")

    path = Path(result.stdout.strip().removeprefix("file://"))
    try:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        start = embedded(path, "workbench")
        assert (start["algorithm"], start["mode"]) == ("cart", "quiz")
    finally:
        path.unlink()


@pytest.mark.parametrize(
    ("words", "slug"),
    [
        (["--include-table"], "usage"),
        (["-t", "c"], "usage"),
        (["--delimiter", ";"], "usage"),
        (["golf", "--ignore", "windy", "-o", "x.html"], "usage"),
        (["nothing.csv"], "file.not-found"),
        (["golf", "-o", "x.html", "--no-browser"], "usage"),
        (["golf", "-o", "no/such/folder/x.html"], "file.no-directory"),
    ],
)
def test_errors(words: list[str], slug: str) -> None:
    result = run("workbench", *words, code=None)
    assert f"[{slug}]" in result.stderr


def test_a_misspelled_target_is_named(tmp_path: Path) -> None:
    csv = write(tmp_path, CSV)
    result = run("workbench", str(csv), "-t", "cc", "-o", str(tmp_path / "w.html"), code=3)
    assert "[data.no-such-column]" in result.stderr
    assert not (tmp_path / "w.html").exists()


def test_a_large_table_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbench_page, "MAX_PAGE_TABLE", 10)
    csv = write(tmp_path, CSV)
    result = run("workbench", csv, "-o", tmp_path / "w.html", "--include-table", code=3)
    assert "[workbench.too-large]" in result.stderr
    assert not (tmp_path / "w.html").exists()


def test_python_opens_tables_in_memory(tmp_path: Path) -> None:
    out = tmp_path / "w.html"
    X = {"size": [1.5, 2.0, np.nan], "color": ["red", None, "a,b"]}
    assert treewright.workbench(X, np.array(["p", "q", "p"]), path=out) == str(out)
    assert embedded(out, "table") == b'size,color,target\n1.5,red,p\n2,,q\n,"a,b",p\n'
    start = embedded(out, "workbench")
    assert start["target"] == "target"
    assert start["options"]["columns"]["size"] == "numeric"


def test_the_order_of_categories_goes_along(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    sizes = pandas.Categorical(["M", "S"], categories=["S", "M", "L"])
    out = tmp_path / "w.html"
    treewright.workbench(pandas.DataFrame({"size": sizes, "n": [1, 2]}), path=out)
    assert embedded(out, "workbench")["options"]["levels"] == {"size": ["S", "M", "L"]}
    tables = {table["name"]: table for table in embedded(out, "workbench")["built_in"]}
    assert tables["golf"]["levels"]["play"] == ["yes", "no"]
    assert tables["play-tennis"]["columns"] == {"Day": "ignore"}
    assert tables["breast-cancer"]["columns"] == {"deg-malig": "categorical"}


def test_hostile_names_and_cells_stay_data(tmp_path: Path) -> None:
    hostile = "</script><svg onload=alert(1)>"
    csv = write(tmp_path, f"a,{hostile}\n1,{hostile}\n", "x</script><b>.csv".replace("/", "∕"))
    out = tmp_path / "w.html"
    run("workbench", str(csv), "-t", hostile, "-o", str(out), "--include-table")
    page = out.read_text("utf-8")
    assert hostile not in page
    assert "<b>" not in page.split("<body>")[1].split('<script type="module"')[0]
    assert embedded(out, "workbench")["target"] == hostile


def test_a_table_without_rows_keeps_its_header() -> None:
    empty = datasets.load("golf").table[:0]
    assert table_text.rows_as_csv(empty) == "outlook,temperature,humidity,windy,play\n"


def test_the_browser_opens_what_was_written(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: bool(opened.append(address)) or True)
    path = treewright.workbench("golf", mode="lesson")
    try:
        assert opened == [Path(path).as_uri()]
    finally:
        os.unlink(path)
