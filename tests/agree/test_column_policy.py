"""A file that the core opens alone, as a page does, has the features, classes, roles that `inspect` and `fit` see."""

from __future__ import annotations

import csv
import io
import warnings
from typing import Any

import numpy as np
import pytest
from tests.helpers import golden
from tests.helpers.messy_table import messy_frame

from helpers.random_csv import random_csv
from treewright import _core, datasets, inspect
from treewright._input.source_columns import prepare_training
from treewright._input.target import ClassTarget
from treewright._reading import read_header
from treewright._reading.target_column import as_classes, is_ambiguous
from treewright.errors import DataError
from treewright.table import Series, Table


def columns_of(table: Table) -> list[Any]:
    """Describe features as the core describes them, with their values."""
    return [
        (
            s.name,
            s.kind,
            list(s.levels),
            list(s.meaning.order) if s.meaning else [],
            (s.meaning.part, s.meaning.source, s.meaning.written) if s.meaning else ("", "", ""),
            s.meaning.other if s.meaning else "",
            s.data.tobytes(),
        )
        for s in table.series
    ]


def features_of(opened: dict[str, Any]) -> list[Any]:
    """Describe the features that the core found in the same way."""
    found = []
    for feature in opened["features"]:
        meaning = feature["meaning"] or {}
        numeric = feature["levels"] is None
        found.append(
            (
                feature["name"],
                "numeric" if numeric else "categorical",
                [] if numeric else feature["levels"],
                feature["order"],
                tuple(meaning.get(key, "") for key in ("part", "source", "written")),
                feature["other"] or "",
                feature["values"].tobytes(),
            )
        )
    return found


def classes_of(target: Series) -> tuple[Any, Any]:
    """Return the classes and codes, or the numbers, of a target without missing values."""
    if target.kind == "numeric" and not is_ambiguous(target):
        return None, target.data
    coded = ClassTarget.of(as_classes(target))
    return list(coded.levels), coded.codes


def refusal_of(call: Any, *arguments: Any, **options: Any) -> str | None:
    """Return the slug of the error that a call raises, if any."""
    try:
        call(*arguments, **options)
    except DataError as error:
        return error.slug
    return None


def compare(data: bytes, *, date_parts: bool = False, pooled: bool = True) -> None:
    """Check that both ways agree about a file; the last column is the target."""
    dates = "parts" if date_parts else "ignore"
    options = {"date_parts": date_parts, "pooled": pooled}
    unreadable = refusal_of(_core.open_table, data, "t", **options)
    if unreadable:  # it cannot be split into cells
        assert refusal_of(inspect, data) == unreadable
        return
    opened = _core.open_table(data, "t", **options)
    if isinstance(opened, tuple):
        names = read_header(data)
        assert refusal_of(inspect, data, dates=dates, keep=names[-1:]) == opened[0]
        return
    target = opened["target"]
    found = inspect(data, label="t", dates=dates, keep=[target])
    assert opened["roles"] == [(r.name, r.read_as, r.ignored, r.missing) for r in found.reports]
    assert opened["rows"] == found.rows
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # sentences, rare categories, many classes
        used = found.used.drop([target])
        prepared = prepare_training(used, pool=pooled) if used.columns else used
        assert features_of(opened) == columns_of(prepared)
        answer = found.table.column(target)
        if not answer.missing().any():
            classes, values = classes_of(answer)
            assert opened["classes"] == classes
            assert np.array_equal(opened["target_values"], values)
    # The core shortens long texts in its own way.
    texts = [note.text for note in found.notes]
    short = [i for i, text in enumerate(texts) if text.isascii() and "\\" not in text]
    assert len(opened["notes"]) == len(texts)
    assert [opened["notes"][i] for i in short] == [texts[i] for i in short]


def write_csv(table: Table) -> bytes:
    """Write a table as text."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(table.columns)
    columns = [["" if v is None else v for v in s.values()] for s in table.series]
    writer.writerows(zip(*columns, strict=True))
    return file.getvalue().encode()


@pytest.mark.parametrize("name", datasets.names())
def test_built_in_tables(name: str) -> None:
    compare(write_csv(datasets.load(name).table))


@pytest.mark.parametrize("name", golden.NAMES)
def test_golden_tables(name: str) -> None:
    table, target = golden.load(name)
    compare(write_csv(Table([*table.series, target])))


@pytest.mark.parametrize("date_parts", [False, True])
def test_a_table_as_people_bring_it(date_parts: bool) -> None:
    data = messy_frame().to_csv(index=False, na_rep="NA").encode()
    compare(data, date_parts=date_parts)


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_random_and_hostile_tables(first: int) -> None:
    for seed in range(first, first + 50):
        for date_parts in (False, True):
            compare(random_csv(seed), date_parts=date_parts, pooled=bool(seed % 2))


def test_the_page_can_decide_about_columns() -> None:
    data = b"zip;size;n\n07030;L;1,5\n08540;S;2\n07030;M;x\n"
    chosen = [
        ("zip", ("numbers", False, False, None, False)),
        ("size", ("free", False, False, ["S", "M", "L"], True)),
    ]
    settings = {"target": "zip", "task": "regression", "missing": ["x"], "decimal_comma": True}
    opened = _core.open_table(data, "t", choices=chosen, **settings)
    assert opened["target_values"].tolist() == [7030.0, 8540.0, 7030.0]
    assert opened["classes"] is None
    size, n = opened["features"]
    assert (size["order"], size["values"].tolist()) == (["S", "M", "L"], [2.0, 0.0, 1.0])
    assert n["values"].tolist()[:2] == [1.5, 2.0]
    assert opened["head"][1] == ["08540", "S", "2"]


@pytest.mark.parametrize(
    ("data", "slug", "said"),
    [
        (b"a,b\n", "data.no-rows", "t has no rows under its header"),
        (b"a,b\n1,x\n2,x\ny,z\n", "data.mixed-column", "is numeric in 2 rows but not in 1"),
    ],
)
def test_refusals_are_data(data: bytes, slug: str, said: str) -> None:
    found, message, _ = _core.open_table(data, "t")
    assert found == slug
    assert said in "".join(piece if isinstance(piece, str) else piece[0] for piece in message)
    slug, _, advice = _core.open_table(data, "t", target="c")
    assert (slug, advice) == ("data.no-such-column", [["columns: ", ("a",), ", ", ("b",)]])
