"""What belongs to a tutorial: its table, a worksheet with its key, and the workbench at that step.

A tutorial says what it needs in a directive, and the files are made when the site is complete::

    ```{materials} Grow this tree in the workbench
    :table: play-tennis
    :worksheet: lesson play-tennis -a id3 --sheet
    :place: table=play-tennis&algo=id3&mode=lesson&screen=grow
    :lesson: play-tennis -a id3
    ```

``worksheet`` is a command of treewright without its output; ``place`` is an address inside the workbench; ``lesson``,
which may be left out, is what the command ``lesson`` makes a page of.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive, directives

__all__ = ["setup"]

BOX = """<div class="materials">
<p><strong>To work with</strong></p>
<ul>
<li>The table: <a href="{folder}/table.csv" download="{table}.csv">{table}.csv</a></li>
<li>A worksheet to print: <a href="{folder}/worksheet.html">page</a>,
<a href="{folder}/worksheet.tex" download>LaTeX</a></li>
<li>The worksheet with its key: <a href="{folder}/key.html">page</a>,
<a href="{folder}/key.tex" download>LaTeX</a></li>{lesson}
</ul>
<p><a class="sd-btn sd-btn-primary" href="../live/workbench.html#{place}">{label}</a></p>
<p>The worksheet was made by <code>treewright {command} -o worksheet.html</code>; with <code>--key</code> it has the
answers.</p>
</div>"""
LESSON = """
<li>A lesson to click through, with a quiz at the end: <a href="../live/lesson-{page}.html">page</a></li>"""


class Materials(Directive):
    """The box with the links."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec = dict.fromkeys(
        ("table", "worksheet", "place", "lesson"), directives.unchanged_required
    )

    def run(self) -> list[nodes.Node]:
        """Return the box as HTML."""
        page = Path(self.state.document.settings.env.docname).name
        html = BOX.format(
            folder=f"../materials/{page}",
            lesson=LESSON.format(page=page) if "lesson" in self.options else "",
            table=escape(self.options["table"]),
            command=escape(self.options["worksheet"]),
            place=escape(self.options["place"]),
            label=escape(self.arguments[0]),
        )
        return [nodes.raw("", html, format="html")]


def setup(app: Any) -> dict[str, bool]:
    """Register the directive, and the files that it links to."""
    app.add_directive("materials", Materials)
    app.connect("build-finished", write_materials)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write_materials(app: Any, error: Exception | None) -> None:
    """Write the files of every tutorial into ``materials/`` of the site, its lesson into ``live/``."""
    if error or app.builder.name != "html":
        return
    for source in sorted((Path(app.srcdir) / "tutorials").glob("*.md")):
        box = re.search(r"^```\{materials\}.*?\n(.*?)^```$", source.read_text("utf-8"), re.M | re.S)
        if not box:
            continue
        options = dict(re.findall(r"^:(\w+): (.*)$", box[1], re.M))
        folder = Path(app.outdir) / "materials" / source.stem
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "table.csv").write_text(run(f"data {options['table']}"), "utf-8")
        if "lesson" in options:
            path = shlex.quote(str(Path(app.outdir) / "live" / f"lesson-{source.stem}.html"))
            run(f"lesson {options['lesson']} -o {path}")
        for format in ("html", "tex"):
            for name, more in {"worksheet": "", "key": "--key"}.items():
                path = shlex.quote(str(folder / f"{name}.{format}"))
                run(f"{options['worksheet']} {more} -o {path}")


def run(command: str) -> str:
    """Run a command of treewright in this process, and return what it prints; an error ends the build."""
    from treewright.cli.main import cli

    with (
        contextlib.redirect_stdout(io.StringIO()) as output,
        contextlib.redirect_stderr(io.StringIO()) as notes,
    ):
        try:
            cli.main(shlex.split(command), prog_name="treewright")
        except SystemExit as end:  # the command line ends like this, also without an error
            code = end.code
    if code:
        raise RuntimeError(f"treewright {command}: {notes.getvalue()}")
    return output.getvalue()
