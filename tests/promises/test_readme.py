"""Every command and example of the README runs, and prints what the README shows.

A console block runs in an empty folder. Each line after "$ " is a command; the lines after it are its output,
standard output and standard error together. The Python examples run as one doctest. `pip install .` and `make test`
are left out, because this test runs inside them.
"""

from __future__ import annotations

import doctest
import re
import runpy
import sys
from pathlib import Path

import pytest

from helpers.documents import check_commands, commands, find_blocks

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = find_blocks(ROOT / "README.md")
CONSOLE = [text for language, text in BLOCKS if language == "console"]
SNIPPETS = [text for language, text in BLOCKS if language == "python"]
ALREADY_RUN = r"pip install \.( && )?|make test"


def test_the_readme_has_only_blocks_that_are_run() -> None:
    assert {language for language, _ in BLOCKS} == {"console", "python"}
    assert README.count("```") == 2 * len(BLOCKS)


def test_its_figures_are_those_of_the_results() -> None:
    made = runpy.run_path(str(ROOT / "benchmarks" / "readme_table.py"))
    assert made["readme_with_figures"](README) == README, "make fix writes them"


def test_it_opens_with_the_two_commands() -> None:
    first = [command for block in CONSOLE for command, _ in commands(block)]
    assert first[0] == "pip install . && treewright fit play-tennis"
    assert "make test" in first


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the commands are written for a POSIX shell")
@pytest.mark.parametrize("block", CONSOLE, ids=lambda block: block.split("\n")[0][2:])
def test_commands_print_what_it_says(block: str, tmp_path: Path) -> None:
    check_commands(block, tmp_path, ALREADY_RUN)


def test_snippets_are_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest("\n".join(SNIPPETS), {}, "README.md", None, 0)
    report: list[str] = []
    results = doctest.DocTestRunner().run(test, out=report.append)
    assert results.attempted > 5
    assert results.failed == 0, "".join(report)


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "SECURITY.md"])
def test_links_lead_to_files(name: str) -> None:
    targets = re.findall(r"\]\(([^)#]+)", (ROOT / name).read_text("utf-8"))
    own = [target for target in targets if "://" not in target]
    assert own
    assert [target for target in own if not (ROOT / target).exists()] == []
