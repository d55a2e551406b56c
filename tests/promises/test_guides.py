"""The guides in docs/ are true: their examples run, and the names in their tables exist."""

from __future__ import annotations

import doctest
import re
import sys
from pathlib import Path

import click
import pytest

import treewright
from helpers.documents import check_commands, find_blocks
from treewright._catalog import LEARNERS, import_public
from treewright.cli.main import cli

DOCS = Path(__file__).parents[2] / "docs"
WRITTEN = sorted(
    path
    for path in DOCS.rglob("*.md")
    if path.relative_to(DOCS).parts[0] not in ("generated", "gallery")
)
GUIDES = [path for path in WRITTEN if ">>> " in path.read_text("utf-8")]
CONSOLE = [
    pytest.param(text, id=f"{path.stem}: {text.splitlines()[0][2:50]}")
    for path in WRITTEN
    for language, text in find_blocks(path)
    if language == "console"
]


# Blocks that no test runs, by their first line: what opens a browser, a second computer, Spark, a diagram.
NOT_RUN = {
    "$ treewright workbench play-tennis -a id3          # opens the browser",
    "$ treewright workbench large.csv -t default --engine server",
    "server$ treewright workbench loans.csv -t default --include-table -o loans.html",
    "server$ treewright workbench large.csv -t default --engine server --no-browser",
    "from treewright.spark import GradientBoostingClassifier",
    "fit       Model.fit → _input: container → Table → codes, target, weights → recipe → _core.grow → node table"
    " → _pruning",
}


def test_no_example_is_left_out_silently() -> None:
    """A block of another language, with other indentation or without a prompt would not be run."""
    left_out = set()
    for path in WRITTEN:
        text = path.read_text("utf-8")
        blocks = find_blocks(path)
        directives = re.findall(r"^```\{\w+\}.*\n(?:.*\n)*?```$", text, re.M)
        assert text.count("```") == 2 * (len(blocks) + len(directives)), path.name
        for language, block in blocks:
            runs = {"console": block.startswith("$ "), "python": block.startswith(">>> ")}
            if not runs.get(language, False):
                left_out.add(block.split("\n")[0])
    assert left_out == NOT_RUN


def test_commands_in_sentences_have_these_options() -> None:
    """Also in blocks that are not run; commands in console blocks are run anyway."""
    context = click.Context(cli)
    commands = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    general = {"--help", "--version", "--errors", "--color", "--ascii", "--debug", "-h"}
    checked, unknown = 0, []
    for path in [*WRITTEN, DOCS.parent / "README.md"]:
        for name, rest in re.findall(r"\btreewright (\w+)\b([^`|]*)", path.read_text("utf-8")):
            if not (command := commands.get(name)):
                continue
            known = general | {word for option in command.params for word in option.opts}
            call = rest.split("\n\n")[0] if "$ treewright" not in rest else rest.split("\n")[0]
            options = re.findall(r"(?<=\s)--?[a-z][\w-]*", call.split("#")[0])
            checked += len(options)
            unknown += [f"{path.name}: {name} {word}" for word in options if word not in known]
    assert checked > 50
    assert unknown == []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the commands are written for a POSIX shell")
@pytest.mark.parametrize("block", CONSOLE)
def test_commands_print_what_the_guide_says(block: str, tmp_path: Path) -> None:
    check_commands(block, tmp_path)


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: str(path.relative_to(DOCS)))
def test_links_lead_to_files(path: Path) -> None:
    targets = re.findall(r"\]\(([^)#]+)", path.read_text("utf-8"))
    made = {
        f"{name}.md" for name in ("api", "commands", "benchmarks", "fidelity", "security")
    }  # by make docs
    lost = [t for t in targets if "://" not in t and not (path.parent / t).exists()]
    assert [t for t in lost if not ("generated/" in t and Path(t).name in made)] == []


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.name)
def test_examples_print_what_the_guide_says(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```$", path.read_text("utf-8"), re.M | re.S)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, path.name, None, 0)
    report: list[str] = []
    options = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    results = doctest.DocTestRunner(optionflags=options).run(test, out=report.append)
    assert results.attempted > 2
    assert not results.failed, "".join(report)


MIGRATIONS = [path for path in WRITTEN if path.stem.startswith("coming-from-")]


@pytest.mark.parametrize("path", MIGRATIONS, ids=lambda path: path.stem)
def test_the_guides_for_users_of_other_programs_name_what_exists(path: Path) -> None:
    rows = re.findall(r"^\| (.*?) \| (.*) \|$", path.read_text("utf-8"), re.M)[2:]
    assert len(rows) > 8
    known = set(treewright.__all__)
    for estimator in map(import_public, LEARNERS):
        known |= set(dir(estimator)) | set(estimator._get_param_names())
    known |= {"best_params_", "trees_", "tree_", "oob_curve_", "estimators_samples_"}
    known |= {"callback", "eval_set", "ice", "sample_weight"}  # parameters of methods
    known |= {"treewright"}  # the command
    for _, ours in rows:
        for name in re.findall(r"`(\w+)", ours):
            assert name in known or not name.isidentifier(), name


def test_the_picture_of_the_readme_is_that_of_today(tmp_path: Path) -> None:
    X, y = treewright.datasets.iris()
    model = treewright.CARTClassifier(max_depth=2).fit(X, y)
    treewright.show(model, X=X, y=y).save(tmp_path / "tree.svg")
    assert (DOCS / "_static" / "iris-tree.svg").read_bytes() == (tmp_path / "tree.svg").read_bytes()


def test_the_table_of_algorithms_is_that_of_the_catalog() -> None:
    """A row has the classifier and the regressor of one algorithm, and says whether they take sample weights."""
    text = (DOCS / "algorithms.md").read_text("utf-8")
    rows = [line.strip("|").split("|") for line in re.findall(r"^\| `.*\|$", text, re.M)]
    table = {tuple(re.findall(r"`(\w+)`", row[0])): row[4].strip() == "yes" for row in rows}
    algorithms: dict[str, list[str]] = {}
    for learner in LEARNERS.values():
        algorithms.setdefault(learner.cli_name, []).append(learner.name)
    expected = {tuple(names): LEARNERS[names[0]].weighted for names in algorithms.values()}
    assert table == expected


def test_the_commands_are_those_of_the_help() -> None:
    section = (DOCS / "features.md").read_text("utf-8").split("## Commands")[1]
    named = re.findall(r"`(\w+)`", section)
    assert sorted(named) == sorted(cli.list_commands(click.Context(cli)))


@pytest.mark.parametrize("name", ["reliability.md", "cluster-protocol.md"])
def test_the_tests_that_a_page_names_exist(name: str) -> None:
    named = re.findall(r"`((?:tests|crates)/[\w./-]+)`", (DOCS / name).read_text("utf-8"))
    assert named
    assert [path for path in named if not (DOCS.parent / path).exists()] == []
