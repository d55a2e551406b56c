"""Pages from documents at the root: changes, with those that wait for a release, and security."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

__all__ = ["setup"]

ROOT = Path(__file__).parents[2]
# Links that lead elsewhere on the site.
WAITING = "Changes that are not yet\nlisted here are in [changelog.d](changelog.d)."


def setup(app: Any) -> dict[str, bool]:
    """Register the pages."""
    app.connect("config-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write_pages(_app: Any, _config: Any) -> None:
    """Write ``generated/changes.md`` and ``generated/security.md``."""
    from reference_pages import write

    write("changes.md", collect_changes())
    security = (ROOT / "SECURITY.md").read_text("utf-8")
    write("security.md", security.replace("[CHANGELOG.md](CHANGELOG.md)", "[Changes](changes.md)"))


def collect_changes() -> str:
    """Return the changelog as it would be if the version of today were released now."""
    sys.path.insert(0, str(ROOT / "tests"))
    import treewright
    from helpers.collect_changelog import collect

    with TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(ROOT / "changelog.d", folder / "changelog.d")
        text = (ROOT / "CHANGELOG.md").read_text("utf-8")
        assert WAITING in text
        (folder / "CHANGELOG.md").write_text(text.replace(WAITING, "").rstrip() + "\n", "utf-8")
        return collect(folder, treewright.__version__, "unreleased")
