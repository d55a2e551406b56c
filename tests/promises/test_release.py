"""What a release needs: one version everywhere, workflows that a host can read, fragments that become a changelog."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path

import pytest

from helpers.collect_changelog import collect

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_the_version_is_the_same_everywhere() -> None:
    version = tomllib.loads((ROOT / "Cargo.toml").read_text("utf-8"))["workspace"]["package"][
        "version"
    ]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"\n## {version}" in (ROOT / "CHANGELOG.md").read_text("utf-8")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_give_no_rights_that_they_do_not_need(path: Path) -> None:
    yaml = pytest.importorskip("yaml")
    workflow = yaml.safe_load(path.read_text("utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    for name, job in workflow["jobs"].items():
        assert job["timeout-minutes"]
        assert name != "publish" or job["environment"]
        for step in job["steps"]:
            # What strangers can name must not be pasted into a shell.
            assert "${{ github.event" not in step.get("run", "")
            # A tag can be moved to other code, a commit cannot.
            assert "uses" not in step or re.search(r"@[0-9a-f]{40}$", step["uses"])


def test_fragments_become_a_changelog(tmp_path: Path) -> None:
    (tmp_path / "changelog.d").mkdir()
    shutil.copyfile(ROOT / "CHANGELOG.md", tmp_path / "CHANGELOG.md")
    (tmp_path / "changelog.d" / "README.md").write_text("How to write one.")
    (tmp_path / "changelog.d" / "julia.added.md").write_text("An export to\nJulia.\n")
    (tmp_path / "changelog.d" / "ties.fixed.md").write_text("Ties are told.\n")
    text = collect(tmp_path, "9.9.9")
    part = text[text.index("## 9.9.9") : text.index("## 0.1.0")]
    assert part.split() == (
        [
            "##",
            "9.9.9",
            "###",
            "Added",
            "-",
            "An",
            "export",
            "to",
            "Julia.",
            "###",
            "Fixed",
            "-",
            "Ties",
            "are",
            "told.",
        ]
    )
    assert [path.name for path in (tmp_path / "changelog.d").iterdir()] == ["README.md"]
