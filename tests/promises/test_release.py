"""What a release needs: one version everywhere, workflows that a host can read, fragments that become a changelog."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
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
    text = collect(tmp_path, "9.9.9", "2031-02-03")
    part = text[text.index("## 9.9.9") : text.index("## 0.1.0")]
    assert part.split("\n") == [
        "## 9.9.9 (2031-02-03)",
        "",
        "### Added",
        "",
        "- An export to Julia.",
        "",
        "### Fixed",
        "",
        "- Ties are told.",
        "",
        "",
    ]
    assert [path.name for path in (tmp_path / "changelog.d").iterdir()] == ["README.md"]


def test_a_release_that_waits_gets_its_date(tmp_path: Path) -> None:
    (tmp_path / "changelog.d").mkdir()
    (tmp_path / "changelog.d" / "julia.added.md").write_text("An export to Julia.\n")
    waiting = "# Changes\n\n## 1.2.0 (unreleased)\n\nIts best.\n\n### First builds\n\n- Trees.\n"
    (tmp_path / "CHANGELOG.md").write_text(waiting)
    text = collect(tmp_path, "1.2.0", "2031-02-03")
    assert "unreleased" not in text
    places = [
        text.index(words) for words in ("## 1.2.0 (2031", "Its best", "Julia", "First builds")
    ]
    assert places == sorted(places)


@pytest.mark.skipif(sys.platform == "win32", reason="the workflow runs on Linux")
def test_the_notes_of_a_release_are_its_part_of_the_changelog(tmp_path: Path) -> None:
    release = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
    (command,) = re.findall(r"awk .*CHANGELOG.md", release)
    text = "# Changes\n\n## 1.2.0 (2031-02-03)\n\n- New.\n\n## 1.1.0 (2030-02-03)\n\n- Old.\n"
    (tmp_path / "CHANGELOG.md").write_text(text)
    for version, notes in {"1.2.0": "- New.", "1.1.0": "- Old."}.items():
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=tmp_path,
            env=os.environ | {"TAG": f"v{version}"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == notes
