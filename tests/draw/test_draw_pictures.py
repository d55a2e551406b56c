"""Drawings as text for other programs: Graphviz, Mermaid, LaTeX."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from helpers import draw_trees
from helpers.tex_run import compile_tex, needs
from treewright import UsageError, show
from treewright._draw import latex_forest as forest
from treewright._render.latex_text import tex

TREES = {
    "tennis": draw_trees.tennis,
    "prices": draw_trees.prices,
    "hostile": draw_trees.hostile,
    "large": lambda: draw_trees.full(12),
    "chain": lambda: draw_trees.chain(3000),
    "fan": lambda: draw_trees.fan(300),
}
each_tree = pytest.mark.parametrize("name", TREES)
DOT_STRING = r'"(?:[^"\\\n]|\\["\\n])*"'
DOT_LINE = (
    rf"digraph tree \{{|\}}|  label={DOT_STRING};|  node \[shape=box, style=rounded\];"
    rf"|  n\d+ \[label={DOT_STRING}(?:, style=(?:filled|dashed))?\];"
    rf"|  n\d+ -> n\d+ \[label={DOT_STRING}\];"
)
MERMAID_LINE = (
    r'flowchart TD|  %%[^{}%\n]*|  n\d+(?:\["[^"\n]*"\]|\(\["[^"\n]*"\]\))'
    r'|  n\d+ -->\|"[^"\n]+"\| n\d+'
)


@each_tree
def test_graphviz_gets_lines_that_it_can_read(name: str) -> None:
    text = show(TREES[name]()).to_dot()
    assert all(re.fullmatch(DOT_LINE, line) for line in text.split("\n"))
    assert text.count("->") == text.count("[label=") - text.count("->") - 1
    assert len(text) < 50_000


@each_tree
def test_mermaid_gets_lines_that_it_can_read(name: str) -> None:
    text = show(TREES[name]()).to_mermaid()
    assert all(re.fullmatch(MERMAID_LINE, line) for line in text.split("\n"))
    inside = re.sub(r"<br/>", "", "".join(re.findall(r'"[^"]*"', text)))
    assert not re.search(r"[<>`|\[\]{}$\\]", inside)
    assert len(text) < 50_000


@each_tree
def test_latex_is_balanced(name: str) -> None:
    text = show(TREES[name]()).to_latex()
    body = text.partition("\n")[2]
    bare = re.sub(r"\\[{}$&#_%]", "", body)
    assert bare.count("{") == bare.count("}")
    brackets = re.sub(r"\{\[\}|\{\]\}|node\[[^\]]*\]", "", bare)
    assert brackets.count("[") == brackets.count("]")
    assert bare.count("$") % 2 == 0
    assert "%" not in bare
    assert len(text) < 100_000


def test_the_textbook_tree_in_latex() -> None:
    lines = show(draw_trees.tennis(), depth=1).to_latex().splitlines()
    assert (
        lines[1] == r"\begin{forest} for tree={align=center, inner sep=2pt, s sep=14pt, l sep=26pt}"
    )
    assert lines[2].startswith(r"[{Outlook? \\ \footnotesize \#0 \textperiodcentered{} 14 rows \\")
    assert lines[4].startswith(r"  [{\textbf{Yes} \\ \footnotesize \#2")
    assert lines[4].endswith(r"font=\footnotesize]{Overcast}}]")


@pytest.mark.parametrize("style", ["rules", "table", "summary", "j48", "plain"])
def test_other_styles_are_tables_or_lines(style: str) -> None:
    text = show(draw_trees.hostile(), style=style).to_latex()
    assert (r"\toprule" in text) == (style in ("rules", "table"))
    assert (r"\texttt{" in text.replace(r"\texttt{U+", "")) == (style not in ("rules", "table"))
    assert "</script>" not in text
    with pytest.raises(UsageError, match="a picture shows the tree"):
        show(draw_trees.tennis(), style=style).to_dot()


def test_files_by_their_endings(tmp_path: Path) -> None:
    for ending, start in {
        ".dot": "digraph",
        ".mmd": "flowchart",
        ".tex": r"\documentclass",
    }.items():
        path = tmp_path / f"tree{ending}"
        show(draw_trees.tennis()).save(path)
        assert path.read_text("utf-8").startswith(start)


def test_every_character_is_printed() -> None:
    assert tex("50% of {a} & \\b") == r"50\% of \{a\} \& \textbackslash{}b"
    assert tex("--") == "-{}-{}"
    assert tex("\x1b") == r"\texttt{U+001B}"


@pytest.mark.slow
@needs("pdflatex")
@pytest.mark.parametrize("name", ["tennis", "hostile"])
def test_latex_compiles(name: str, tmp_path: Path) -> None:
    view = show(TREES[name]())
    tables = [show(TREES[name](), style=s).to_latex() for s in ("rules", "table", "summary")]
    text = forest.document("\n\n".join([view.to_latex(), *tables]))
    compile_tex(text, tmp_path, fits=False)
