"""`--format` of every verb: each form is read back by a parser of its own, also where names are hostile."""

from __future__ import annotations

import csv
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from helpers.cli_run import TENNIS, run
from helpers.tex_run import compile_tex
from treewright._draw.latex_forest import document

NASTY = 'a_b|<c>$</script>"\\%&~^{}\u202e\x1b[31m'
LONG = "n" * 10_000
BREAK = "two\nlines"


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A table with hostile names, and models of it."""
    folder = tmp_path_factory.mktemp("formats")
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([NASTY, BREAK, LONG, "\U0001f600 target`"])
    for i in range(40):
        level = [NASTY, "plain, with comma", BREAK][i % 3]
        writer.writerow(
            [level, i / 4, ["x", LONG][i % 2], ["yes```", NASTY][(i // 2 + i % 3) % 3 == 0]]
        )
    paths = {"table": str(folder / "t;able'.csv")}
    Path(paths["table"]).write_text(text.getvalue(), "utf-8")
    for word in ("c45", "cart", "forest", "boost", "adaboost", "rules"):
        paths[word] = str(folder / f"{word}.tree")
        run("fit", paths["table"], "-t", "\U0001f600 target`", "-a", word, "-o", paths[word])
    return paths


VERBS = {
    "show": ("c45", "forest", "boost", "rules"),
    "rules": ("c45",),
    "nodes": ("c45",),
    "plain": ("c45",),
    "work": ("c45", "cart", "adaboost"),
    "prune": ("c45",),
    "explain": ("c45", "forest", "boost"),
    "predict": ("c45", "boost"),
    "eval": ("c45",),
}


def words(verb: str, paths: dict[str, str], model: str) -> list[str]:
    table, tree = paths["table"], paths[model]
    return {
        "show": ["show", tree],
        "rules": ["show", tree, "--as", "rules"],
        "nodes": ["show", tree, "--as", "table"],
        "plain": ["show", tree, "--as", "plain"],
        "work": ["work", tree, *(["--what", "round"] if model == "adaboost" else [])],
        "prune": ["prune", tree, table],
        "explain": ["explain", tree, table],
        "predict": ["predict", tree, table, "--keep-columns"],
        "eval": ["eval", tree, table],
        "inspect": ["inspect", table],
        "rank": ["rank", table, "-t", "\U0001f600 target`"],
        "compare": ["compare", table, "-t", "\U0001f600 target`", "--cv", "2", "-a", "cart"],
    }[verb]


CASES = [(verb, model) for verb, models in VERBS.items() for model in models]
CASES += [("inspect", "c45"), ("rank", "c45"), ("compare", "c45")]


@pytest.mark.parametrize(("verb", "model"), CASES)
def test_every_form_of_every_verb_can_be_read(
    verb: str, model: str, paths: dict[str, str], tmp_path: Path
) -> None:
    said = words(verb, paths, model)
    forms = {}
    for form in ("text", "json", "markdown", "latex", "csv", "html", "svg"):
        result = run(*said, "--format", form, code=None)
        if result.exit_code == 0:
            forms[form] = result.stdout
        else:
            assert "is not one of" in result.stderr or "[" in result.stderr, result.stderr
    assert {"json"} < set(forms)
    assert "text" in forms or verb == "predict"
    json.loads(forms["json"])
    if "csv" in forms:
        rows = list(csv.reader(io.StringIO(forms["csv"])))
        assert len({len(row) for row in rows}) == 1
        assert len(rows) > 1
    if "svg" in forms:
        ElementTree.fromstring(forms["svg"])
    if "html" in forms:
        tags = Tags()
        tags.feed(forms["html"])
        assert not tags.seen & {"script", "b", "c", "img", "a"}
    if "markdown" in forms:
        assert "<c>" not in forms["markdown"].replace(r"\<c\>", "") or "```" in forms["markdown"]
    for form in ("text", "markdown"):
        assert "\x1b" not in forms.get(form, "")
        assert "\u202e" not in forms.get(form, "")


class Tags(HTMLParser):
    """The elements of a page, as a browser would find them."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.add(tag)


@pytest.mark.slow
def test_latex_of_every_verb_compiles(paths: dict[str, str], tmp_path: Path) -> None:
    pages = []
    for verb, model in CASES:
        result = run(*words(verb, paths, model), "--format", "latex", code=None)
        if result.exit_code == 0:
            pages.append(result.stdout)
    assert len(pages) >= 12
    # XeTeX cannot hold a table that is as wide as three hundred letters, twice.
    page = re.sub("n{100,}", "n" * 60, "\n\n\\clearpage\n".join(pages))
    compile_tex(document(page), tmp_path, fits=False)


def test_json_of_answers_has_numbers(paths: dict[str, str]) -> None:
    told = json.loads(
        run("predict", paths["c45"], paths["table"], "--proba", "--format", "json").stdout
    )
    assert len(told) == 40
    assert all(isinstance(row[f"probability {NASTY}"], float) for row in told)
    marked = run("predict", paths["c45"], paths["table"], "--unseen", "mark", "--format", "json")
    assert json.loads(marked.stdout)[0]["unseen"] == ""


def test_the_work_of_a_table(tmp_path: Path) -> None:
    kept = run("work", "play-tennis", "-a", "id3", "--format", "csv").stdout
    assert kept.splitlines()[1].startswith("Outlook,0.69")
    table = tmp_path / "days.csv"
    table.write_text(run("data", "play-tennis").stdout, "utf-8")
    day = run("work", table, "-t", "PlayTennis", "--keep", "Day", "-a", "id3", "--format", "csv")
    assert day.stdout.splitlines()[1].startswith("Day,0.0,0.940")
    assert "[fit.no-target]" in run("work", table, code=2).stderr
    assert "[data.no-such-column]" in run("work", table, "-t", "Play", code=3).stderr
    model = tmp_path / "m.tree"
    run("fit", table, "-t", "PlayTennis", "-o", model)
    assert "works only with a table" in run("work", model, "-a", "id3", code=2).stderr


@pytest.mark.parametrize(
    "verb",
    [
        *(
            # A narrow tree is a sentence a leaf, which is never broken.
            "show m.tree --as rules",
            "show m.tree --as table",
            "show m.tree --as j48",
        ),
        *("work m.tree", "work m.tree --what curves", "explain m.tree t.csv", "inspect t.csv"),
        *("rank t.csv -t PlayTennis", "eval m.tree t.csv", "prune m.tree t.csv", "data"),
        *("compare t.csv -t PlayTennis --cv 2 -a cart", "show f.tree", "explain f.tree t.csv"),
    ],
)
def test_forty_columns_are_enough(
    verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text(TENNIS, "utf-8")
    run("fit", "t.csv", "-t", "PlayTennis", "-o", "m.tree")
    run("fit", "t.csv", "-t", "PlayTennis", "-a", "forest", "--trees", "3", "-o", "f.tree")
    monkeypatch.setenv("COLUMNS", "40")
    wide = [line for line in run(*verb.split(), COLUMNS="40").stdout.split("\n") if len(line) > 40]
    assert not wide, wide
