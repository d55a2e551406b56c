"""Files that are written from others; run as a program, it writes them again (`make fix` does).

The list of files in the README of each folder comes from the first sentence of each file; the text above the list is
written by hand and stays. `__init__.pyi` comes from the catalog.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

from treewright._catalog import HOMES, SUBMODULES

__all__ = ["folders", "readme_text", "type_stub"]

PACKAGE = Path(__file__).parents[2] / "python" / "treewright"
HEADING = "## Files\n\n"


def folders() -> list[Path]:
    """Return every folder of the package that holds code, without the package itself."""
    return sorted({path.parent for path in PACKAGE.rglob("*.py")} - {PACKAGE})


def readme_text(folder: Path) -> str:
    """Return what the README of a folder should be: its own words, and the list of files."""
    path = folder / "README.md"
    text = path.read_text("utf-8") if path.exists() else f"# {folder.name}\n\n"
    lines = [f"- `{name}`: {summary}" for name, summary in _summaries(folder)]
    return text.partition(HEADING)[0] + HEADING + "\n".join(lines) + "\n"


def _summaries(folder: Path) -> list[tuple[str, str]]:
    modules = sorted(path for path in folder.glob("*.py") if path.name != "__init__.py")
    packages = sorted(path for path in folder.glob("*/__init__.py"))
    init = folder / "__init__.py"
    own = [("__init__.py", init)] if len(init.read_text("utf-8").splitlines()) > 5 else []
    return [
        *((name, _first_sentence(path)) for name, path in own),
        *((path.name, _first_sentence(path)) for path in modules),
        *((f"{path.parent.name}/", _first_sentence(path)) for path in packages),
    ]


def _first_sentence(path: Path) -> str:
    docstring = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    paragraph = " ".join(docstring.split("\n\n")[0].split()).replace("``", "`")
    return re.split(r"(?<=[.!?])\s", paragraph)[0]


def type_stub() -> str:
    """Return the text of ``__init__.pyi``: the public names for type checkers."""
    lines = [f"from treewright import {name} as {name}" for name in SUBMODULES]
    for module, name in sorted((f"treewright.{module}", name) for name, module in HOMES.items()):
        line = f"from {module} import {name} as {name}"
        wrapped = f"from {module} import (\n    {name} as {name},\n)"
        lines.append(line if len(line) <= 100 else wrapped)
    return "\n".join([*lines, "", "__version__: str", ""])


if __name__ == "__main__":
    (PACKAGE / "__init__.pyi").write_text(type_stub(), "utf-8")
    for folder in folders():
        (folder / "README.md").write_text(readme_text(folder), "utf-8")
