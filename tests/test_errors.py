"""Errors and their hints: what they say in Python and on the command line, and that they survive a pickle."""

from __future__ import annotations

import ast
import pickle
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers.cli_run import run
from treewright import DataError, UsageError, datasets, inspect
from treewright.errors import SEPARATOR, Hint, hint_lines, hints_written_by

ROOT = Path(__file__).parents[1]
SLUG = r"[a-z]+\.[a-z]+(?:-[a-z]+)*"


def slugs_of_python() -> Iterator[str]:
    """Every slug that an error of the package may have: those that are given as `slug=`, and those of results."""
    trees = [ast.parse(path.read_text("utf-8")) for path in (ROOT / "python").rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    areas = {
        node.value.value
        for node in nodes
        if isinstance(node, (ast.Assign, ast.AnnAssign))
        and ast.unparse(node).startswith("_area")
        and isinstance(node.value, ast.Constant)
    }
    for node in nodes:
        if isinstance(node, ast.keyword) and node.arg == "slug":
            if isinstance(node.value, ast.Constant):
                yield node.value.value
        elif isinstance(node, ast.JoinedStr) and ast.unparse(node).startswith("f'{self._area}."):
            ending = ast.unparse(node).removeprefix("f'{self._area}.").rstrip("'")
            yield from (f"{area}.{ending}" for area in areas)
        elif isinstance(node, ast.Constant) and node.value in LISTED:  # handed on by position
            yield node.value


def slugs_of_rust(areas: set[str]) -> Iterator[str]:
    for path in (ROOT / "crates").rglob("*.rs"):
        if path.name != "tests.rs" and "tests" not in path.parts:
            literals = re.findall(f'"({SLUG})"', path.read_text("utf-8"))
            yield from (slug for slug in literals if slug.partition(".")[0] in areas)


def slugs_of_pages() -> Iterator[str]:
    for path in (ROOT / "web" / "src").rglob("*.ts"):
        yield from re.findall(f"slug: '({SLUG})'", path.read_text("utf-8"))


LISTED = re.findall(
    r"^\| `([a-z.-]+)` \| [A-Z].*\. \|$", (ROOT / "docs" / "errors.md").read_text("utf-8"), re.M
)


@pytest.mark.slow
def test_every_slug_is_listed_once() -> None:
    """A slug is never renamed and never lost: `docs/errors.md` has a line for each, in both languages."""
    assert sorted(set(LISTED)) == LISTED
    used = {*slugs_of_python(), *slugs_of_pages()}
    used |= set(slugs_of_rust({slug.partition(".")[0] for slug in [*LISTED, *used]}))
    assert used - set(LISTED) == set(), "a new slug needs a line in docs/errors.md"
    assert set(LISTED) - used == set(), "a slug must not disappear"


def test_a_hint_is_written_as_python() -> None:
    assert str(Hint(option="numeric", value=["zip"])) == 'numeric=["zip"]'
    assert str(Hint(option="missing", value=['a"b', "é"])) == 'missing=["a\\"b", "é"]'
    assert str(Hint(option="raising", value=False)) == "raising=False"
    call = Hint(call="prune", arguments=("model",), option="method", value="cost_complexity")
    assert str(call) == 'prune(model, method="cost_complexity")'
    assert str(Hint(call="work", arguments=("model", "X=row"))) == "work(model, X=row)"
    assert str(Hint(option="round")) == "round=..."


def test_hints_without_notes_share_a_line_and_others_do_not() -> None:
    one, other = Hint(option="a", value=1), Hint(option="b", value=2, note="slower")
    assert hint_lines([one, one]) == ("try: a=1   or: a=1",)
    assert hint_lines(["seen: x", one, other, "or wait"]) == (
        "seen: x",
        "try: a=1",
        " or: b=2   (slower)",
        "or wait",
    )


def test_a_hint_that_the_reader_cannot_follow_is_left_out() -> None:
    with hints_written_by(lambda hint: None if hint.option == "a" else "--b"):
        assert hint_lines([Hint(option="a"), Hint(option="b")]) == ("try: --b",)
        error = UsageError("no", slug="usage", hints=[Hint(option="a")])
    assert (str(error), error.lines) == ("no  [usage]", ())
    assert str(Hint(option="a", value=1)) == "a=1"


def test_the_core_sends_hints_as_data() -> None:
    line = SEPARATOR.join(["", "missing", "n/a", "if it is one"])
    error = DataError(f"no number\n  3 | x\n{line}", slug="data.x")
    assert error.hints == ("3 | x", Hint(option="missing", value=["n/a"], note="if it is one"))
    with pytest.raises(DataError) as caught:
        inspect(b"a,b\n1,2,3\n")
    assert caught.value.hints[-1] == Hint(
        option="ragged", value="drop", note="drops and counts such rows"
    )


def test_an_error_survives_a_pickle() -> None:
    error = DataError("no", slug="data.x", hints=["seen", Hint(option="target")])
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.slug, again.hints) == (str(error), error.slug, error.hints)


def test_the_same_error_in_both_languages(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(str(tmp_path))
    with open("a.csv", "w") as file:
        file.write("a,b\nx,1\ny,2,3\n")
    with pytest.raises(DataError, match=r'try: ragged="drop"'):
        inspect("a.csv")
    assert "try: --ragged drop" in run("inspect", "a.csv", code=3).stderr
    # What Python calls a call of work is a command, and it works.
    run("fit", "play-tennis", "-a", "forest", "--trees", "3", "-o", "f.tree")
    said = run("show", "f.tree", "--node", "1", code=2).stderr
    assert "try: treewright show f.tree --tree 0" in said
    run("show", "f.tree", "--tree", "0", "--node", "0")


def test_a_comment_above_the_header_is_no_ragged_table(tmp_path: object) -> None:
    with pytest.raises(DataError, match="a comment") as caught:
        inspect(b"# made by hand\na,b\n1,2\n3,4\n")
    assert "ragged" not in str(caught.value).partition("[data.ragged-row]")[2]


def test_slips_are_understood_and_strangers_are_not(tmp_path: object) -> None:
    del tmp_path
    assert "try: --depth\n" in run("fit", "play-tennis", "--dept", "3", code=2).stderr
    assert "try: --" not in run("fit", "play-tennis", "--shape", "3", code=2).stderr
    said = run("fit", "play-tennis", "-t", "PlayTennis", "--ignore", "nosuch", code=3).stderr
    assert "try:" not in said
    assert "columns: Day" in said
    assert datasets.names()
