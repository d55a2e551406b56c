"""The documents for contributors agree with the repository: map, index, dependencies, decisions, fragments."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from helpers.generated_files import folders, readme_text
from promises.test_directions import LAYERS

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "python" / "treewright"
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def table_rows(heading: str) -> list[list[str]]:
    """Return the cells of all tables below a heading of CONTRIBUTING.md, without their head rows."""
    section = CONTRIBUTING.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows: list[list[str]] = []
    for line in section.splitlines():
        if line.startswith("| ---"):
            rows.pop()  # the head
        elif line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
    assert rows
    return rows


INDEX = table_rows("Index")


def test_the_index_answers_at_least_twenty_questions() -> None:
    assert len(INDEX) >= 20
    assert all(question.endswith("?") for question, _, _ in INDEX)


@pytest.mark.parametrize(("question", "files", "names"), INDEX, ids=[row[0] for row in INDEX])
def test_the_index_leads_to_the_name(question: str, files: str, names: str) -> None:
    """Each file of the answer exists and contains the name to look for."""
    paths = re.findall(r"`([^`]+)`", files)
    name = names.strip("`")
    assert paths
    for path in paths:
        place = ROOT if path.startswith("crates/") else PACKAGE
        assert name in (place / path).read_text("utf-8"), path


def test_the_map_has_the_layers_in_their_order() -> None:
    rows = [row for row in table_rows("Map") if len(row) == 3]
    mapped = [
        {name.strip("/").removesuffix(".py") for name in re.findall(r"`([^`]+)`", row[0])}
        for row in rows
    ]
    layers = [set(re.findall(r"\w+", line)) - {"_core"} for line in LAYERS.strip().splitlines()]
    assert mapped == layers


def test_the_map_names_what_exists() -> None:
    names = [name for row in table_rows("Map") for name in re.findall(r"^`([^`]+)`", row[0])]
    places = (PACKAGE, ROOT, ROOT / "crates/treewright-core/src")
    assert [n for n in names if not any((place / n).exists() for place in places)] == []


def test_the_map_of_the_core_has_its_folders_in_their_order() -> None:
    source = ROOT / "crates/treewright-core/src"
    text = (source / "lib.rs").read_text("utf-8")
    layers = [
        re.findall(r"\[`(\w+)`\]", row) for row in re.findall(r"^//! \| (\[.*?) \|", text, re.M)
    ]
    rows = [re.findall(r"`(\w+)(?:/|\.rs)`", row[0]) for row in table_rows("Map")]
    mapped = [
        row
        for row in rows
        if row and all((source / n).exists() or (source / f"{n}.rs").exists() for n in row)
    ]
    assert mapped == layers


def test_a_change_goes_to_files_that_exist() -> None:
    places = [
        PACKAGE,
        ROOT,
        ROOT / "crates/treewright-core/src",
    ]
    named = {
        name
        for _, steps in table_rows("Where a change goes")
        for name in re.findall(r"`([\w./]+/[\w./]*|_?\w+\.py)`", steps)
    }
    assert len(named) > 20
    assert [n for n in sorted(named) if not any((place / n).exists() for place in places)] == []


def test_every_dependency_has_its_reason() -> None:
    explained = set()
    for row in table_rows("Dependencies"):
        explained |= {name.split("(")[0].strip() for name in row[0].split(",")}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    groups = project["dependency-groups"]
    needed = [
        *project["project"]["dependencies"],
        *(name for names in project["project"]["optional-dependencies"].values() for name in names),
        *groups["test"],
        *groups["lint"],
        *groups["docs"],
        *(name for name in groups["dev"] if isinstance(name, str)),
    ]
    crates: set[str] = set()
    for path in sorted((ROOT / "crates").glob("*/Cargo.toml")):
        crates |= set(tomllib.loads(path.read_text("utf-8")).get("dependencies", {}))
    pages = json.loads((ROOT / "web" / "package.json").read_text("utf-8"))
    packages = {*pages["dependencies"], *pages["devDependencies"]}
    packages = {name for name in packages if not name.startswith("@types/")}
    crates = {name for name in crates if not name.startswith("treewright-")}
    names = {re.split(r"[<>=\[;]", name)[0] for name in needed} | crates
    assert explained == names | packages


def test_the_lock_file_pins_what_is_needed_and_names_no_host() -> None:
    lock = (ROOT / "requirements" / "dev.lock").read_text("utf-8")
    assert "://" not in lock
    pinned = set(re.findall(r"^([\w-]+)==", lock, re.M))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    needed = [*project["project"]["dependencies"], *project["dependency-groups"]["test"]]
    assert {re.split(r"[<>=\[;]", name)[0] for name in needed} <= pinned


def test_decisions_are_numbered_dated_and_listed() -> None:
    folder = ROOT / "docs" / "decisions"
    files = sorted(path for path in folder.glob("*.md") if path.name != "README.md")
    listed = re.findall(r"\]\(([^)]+)\)", (folder / "README.md").read_text("utf-8"))
    assert listed == [path.name for path in files]
    for number, path in enumerate(files, 1):
        text = path.read_text("utf-8")
        assert path.name.startswith(f"{number:04d}-"), path.name
        assert re.match(rf"# {number}\. .+\n\nDate: \d{{4}}-\d\d-\d\d\n", text), path.name


def test_changelog_fragments_have_a_kind_and_a_sentence() -> None:
    for path in sorted((ROOT / "changelog.d").iterdir()):
        if path.name == "README.md":
            continue
        assert re.fullmatch(r"[a-z0-9-]+\.(added|changed|fixed|removed)\.md", path.name), path.name
        assert path.read_text("utf-8").strip().endswith("."), path.name


@pytest.mark.parametrize("folder", folders(), ids=lambda f: f.relative_to(PACKAGE).as_posix())
def test_the_readme_of_a_folder_lists_its_files(folder: Path) -> None:
    """`make fix` writes the lists again."""
    readme = folder / "README.md"
    assert readme.exists()
    assert readme.read_text("utf-8") == readme_text(folder)
