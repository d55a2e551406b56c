"""Whatever is typed, the command ends with one of its exit codes and never with a traceback."""

from __future__ import annotations

import os
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from treewright import ID3Classifier, ZeroRRegressor, datasets, save
from treewright.cli.main import NAMES, cli

# Real words, so that some lines are understood, and anything at all; no slash, so that nothing is written elsewhere.
WORDS = [
    *NAMES,
    *(
        "t.csv",
        "m.tree",
        "bad.tree",
        "golf",
        "play-tennis",
        "-",
        "--",
        ".",
        "y",
        "a",
        "Outlook",
        "w",
    ),
    *(
        "-t",
        "--target",
        "-a",
        "--task",
        "--keep",
        "--ignore",
        "--missing",
        "--weight",
        "--cv",
        "--loo",
    ),
    *(
        "--holdout",
        "--seed",
        "--test",
        "--depth",
        "--min-rows",
        "--min-split",
        "--min-gain",
        "--criterion",
        "--prune",
        "-o",
        "out",
        "--as",
    ),
    *("--node", "--format", "--width", "--proba", "--unseen", "--require", "--errors", "--ascii"),
    *(
        "--plain",
        "--numeric",
        "--categorical",
        "--delimiter",
        "--encoding",
        "--ragged",
        "--keep-columns",
    ),
    *(
        "json",
        "rules",
        "j48",
        "svg",
        "mark",
        "error",
        "drop",
        "classify",
        "regress",
        "zero-r",
        "one-r",
    ),
    *("0", "1", "2", "0.5", "-1", "1e9", "utf-16", "accuracy>=0.5", "ascii", ",", "--help"),
]
words = st.sampled_from(WORDS) | st.text(
    st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), max_size=6
)
CODES = {0, 2, 3, 4, 5}


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> object:
    before, place = Path.cwd(), tmp_path_factory.mktemp("laws")
    os.chdir(place)
    save(ID3Classifier().fit(*datasets.play_tennis()), "m.tree")
    Path("bad.tree").write_bytes(Path("m.tree").read_bytes()[:100])
    Path("t.csv").write_text("a,w,y\nx,1,p\nz,2,q\nx,2,p\nz,0,q\n,3,q\n")
    save(ZeroRRegressor().fit({"a": ["x", "z"]}, [1.0, 2.0]), "n.tree")
    yield
    os.chdir(before)


def mostly(known: list[str]) -> st.SearchStrategy[str]:
    return st.integers(0, 9).flatmap(lambda n: words if n == 0 else st.sampled_from(known))


def values(param: click.Parameter) -> list[str]:
    if isinstance(param.type, click.Choice):
        return list(param.type.choices)
    if isinstance(param.type, (click.IntRange, click.FloatRange)):
        return ["1", "2", "3", "0.5"]
    return {"word": ["c45", "cart", "id3", "one-r", "zero-r"], "output": ["out.txt"]}.get(
        param.name or "", ["a", "w", "y", "t.csv", "play", "windy"]
    )


@st.composite
def lines(draw: st.DrawFn) -> list[str]:
    """Draw a line that is nearly right: a verb, its files, some of its options with some values."""
    verb = draw(st.sampled_from(NAMES))
    command = cli.get_command(click.Context(cli), verb)
    assert command is not None
    line = [verb]
    for param in command.params:
        if isinstance(param, click.Argument):
            files = (
                ["m.tree", "n.tree"]
                if param.name == "model"
                else ["t.csv", "golf", "play-tennis", "-"]
            )
            line.append(draw(mostly(files)))
        elif param.name == "target" or draw(st.integers(0, 11)) == 0:
            line.append(draw(st.sampled_from(param.opts)))
            if not param.is_flag:  # type: ignore[attr-defined]
                line.append(draw(mostly(["y", *values(param)])))
    return line


@pytest.mark.slow
@settings(max_examples=300)
@given(
    line=lines() | st.lists(words, max_size=6),
    stdin=st.binary(max_size=40) | st.just(b"a,y\nx,p\nz,q\n"),
    encoding=st.sampled_from(["utf-8", "cp1252", "ascii"]),
)
def test_every_line_ends_with_an_exit_code(line: list[str], stdin: bytes, encoding: str) -> None:
    result = CliRunner(charset=encoding).invoke(cli, line, input=stdin)
    said = result.stdout_bytes + result.stderr_bytes
    assert result.exit_code in CODES, (said, result.exc_info)
    assert b"Traceback" not in said
    assert isinstance(result.exception, SystemExit | None)
    if result.exit_code:
        assert b"error" in result.stderr_bytes
    assert {"m.tree", "bad.tree", "t.csv"} <= set(os.listdir())
