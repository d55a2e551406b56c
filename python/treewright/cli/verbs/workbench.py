"""``treewright workbench``: grow trees step by step in the browser."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Any

import click

from treewright.cli.app.command import Command, group, option
from treewright.cli.app.completion import TablePath
from treewright.cli.app.console import Console
from treewright.cli.app.options import (
    ColumnOptions,
    TextOptions,
    column_options,
    output_option,
    text_options,
)
from treewright.cli.app.output import check_output, write_output
from treewright.cli.tables.source import Source
from treewright.errors import Hint, UsageError

__all__ = ["command"]

ENGINES = ("page", "server", "auto")
MAX_UPLOAD = 500_000_000


@click.command(
    "workbench",
    cls=Command,
    examples=[
        "treewright workbench",
        "treewright workbench golf --mode lesson",
        "treewright workbench -o workbench.html",
    ],
)
@click.argument("file", required=False, type=TablePath())
@group(
    "Start",
    option("-t --target COL", "Column to predict.  [default: chosen in the page]"),
    option(
        "-a --algorithm NAME",
        "id3, c45 or cart.  [default: c45; cart for numbers]",
        click.Choice(["id3", "c45", "cart"]),
    ),
    option(
        "--mode MODE",
        "explore, lesson or quiz.  [default: explore]",
        click.Choice(["explore", "lesson", "quiz"]),
        default="explore",
    ),
    option(
        "--engine ENGINE",
        "What computes: page (up to 50 MB), server, or auto.  [default: auto]",
        click.Choice(ENGINES),
        default="auto",
    ),
    option(
        "--max-upload SIZE",
        "server: largest table to accept, up to 500MB.  [default: 50MB]",
        default="50MB",
    ),
    option("--no-browser", "Print the address instead of opening the browser."),
)
@column_options("Columns", without=("ordered", "dates"))
@text_options()
@output_option("Write the page to a file instead of opening it.")
@group("Output", option("--include-table", "With -o: put FILE into the page."))
@click.pass_obj
def command(
    console: Console,
    /,
    file: str | None,
    output: str | None,
    include_table: bool,
    no_browser: bool,
    **options: Any,
) -> None:
    """Grow a tree step by step in the browser, with every calculation beside it.

    The workbench is one HTML page that trains models inside the browser. It
    needs no network, and your table does not leave this computer. FILE is
    opened in the page; without FILE, choose a table there.

    FILE is a table file, "-" for standard input, or a built-in table. With -o
    the page can be copied to a website or handed out. It does not contain FILE
    unless --include-table is given.
    """
    from treewright._web.workbench import make_workbench, write_private

    server, max_upload = _chooses_server(options.pop("engine"), file), options.pop("max_upload")
    _check_output_options(output, include_table, no_browser, file)
    if server and output is None:
        limit = _read_limit(max_upload)
        _run_server(file, options, console, max_upload=limit, browser=not no_browser)
        return
    inside = output is None or include_table
    start = _read_start(file, options, console, inside=inside)
    page = make_workbench(start)
    if output is not None:
        write_output(page, output, *([file] if file else []))
        if output != "-":
            console.status(f"saved {output} ({round(len(page.encode()) / 1000):,} KB)")
        return
    path = write_private(page)
    address = Path(path).as_uri()
    if no_browser or not webbrowser.open(address):
        console.print(address)
    else:
        console.status(f"opened {path}")


def _run_server(
    file: str | None, options: dict[str, Any], console: Console, *, max_upload: int, browser: bool
) -> None:
    """Read the table, and answer the page until Ctrl-C."""
    try:
        from treewright._web.server.run import serve
        from treewright._web.server.workspace import Workspace
    except ImportError as error:
        raise UsageError(
            "the server needs starlette and uvicorn",
            slug="workbench.no-server",
            hints=["pip install treewright[workbench]", Hint(option="engine", value="page")],
        ) from error

    workspace = Workspace()
    text, columns = TextOptions.pop_from(options), ColumnOptions.pop_from(options | NO_COLUMNS)
    if file is not None:
        source = Source.open(file, text, console)
        decided = {name: kind for kind, names in columns.used().items() for name in names}
        reading = {name: value for name, value in text.settings().items() if value is not None}
        chosen = {"target": options["target"] or source.target, "columns": decided}
        if not source.is_text:
            reading = {}
        workspace.open(source.content, Path(source.label).name, {**reading, **chosen})

    def say(address: str) -> None:
        if not browser or not webbrowser.open(address):
            console.print(address)
        console.status("the workbench runs on this computer only; Ctrl-C stops it")

    serve(workspace, max_upload=max_upload, ready=say)


def _read_limit(text: str) -> int:
    from treewright._utils.file_size import read_size

    size = read_size(text, "max_upload")
    if size > MAX_UPLOAD:
        raise UsageError(
            "--max-upload is at most 500MB",
            slug="usage",
            hints=["treewright fit reads larger tables from a file"],
        )
    return size


def _chooses_server(engine: str, file: str | None) -> bool:
    """Whether the server computes: asked for, or the table is too large for a page."""
    from treewright._web.workbench import MAX_PAGE_TABLE

    if engine != "auto" or file is None:
        return engine == "server"
    path = Path(file.partition("::")[0])
    return path.is_file() and path.stat().st_size > MAX_PAGE_TABLE


def _check_output_options(
    output: str | None, include_table: bool, no_browser: bool, file: str | None
) -> None:
    """Raise an error for options that would have no effect."""
    if include_table and (output is None or file is None):
        missing = "-o" if output is None else "FILE"
        raise UsageError(f"--include-table has no effect without {missing}", slug="usage")
    if output is not None:
        if no_browser:
            raise UsageError("--no-browser has no effect with -o", slug="usage")
        if output != "-":
            check_output(output, *([file] if file else []))


def _read_start(
    file: str | None, options: dict[str, Any], console: Console, *, inside: bool
) -> Any:
    """Return what the page opens with; the table of a file is read only if it goes into the page."""
    from treewright._web.workbench import Start, with_columns

    text, columns = TextOptions.pop_from(options), ColumnOptions.pop_from(options | NO_COLUMNS)
    if file is None:
        unused = [*text.flags(), *columns.flags(), *(["--target"] if options["target"] else [])]
        if unused:
            raise UsageError(f"{', '.join(unused)} has no effect without FILE", slug="usage")
        return Start(algorithm=options["algorithm"], mode=options["mode"])
    source = Source.open(file, text, console)
    table = _page_table(source)
    target = options["target"]
    if not isinstance(table, str):
        table = with_columns(table, columns.used(), target)
        if not inside:
            console.note(
                f"the page does not contain {file}: whoever opens it chooses a table. "
                "To change it: --include-table"
            )
            table, target = None, None
    elif columns.used():
        flags = ", ".join(columns.flags())
        raise UsageError(f"{flags} has no effect on a built-in table", slug="usage")
    return Start(table, target, options["algorithm"], options["mode"])


NO_COLUMNS: dict[str, Any] = {"ordered": (), "dates": None}


def _page_table(source: Source) -> Any:
    """Return the table as text for the page, or the name of a built-in one."""
    from treewright._web.table_text import file_text, rows_text

    if source.target is not None:
        return source.label
    if not source.is_text:
        return rows_text(source.content, Path(source.label).name)
    label = "-" if isinstance(source.content, bytes) else source.label
    return file_text(source.content, label, source.text.settings())
