"""``treewright``: the verbs, loaded when they are used.

Adding a verb is a file of its name with a ``command`` in it, and a line in ``VERBS``.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

import click

from treewright.cli.app.command import MANNERS
from treewright.cli.app.console import Console
from treewright.cli.app.exit_codes import guarded
from treewright.errors import UsageError

__all__ = ["cli"]

VERBS: dict[str, dict[str, str]] = {
    "Learn": {
        "fit": "learn a model from a table",
        "compare": "try several learners with the same folds",
        "prune": "shrink a tree; list or choose the pruning level",
    },
    "Read": {
        "show": "draw a model: tree, rules, table, summary",
        "work": "show the arithmetic behind a split",
        "explain": "why one row got its answer, and what would change it",
    },
    "Use": {
        "predict": "answers for new rows",
        "eval": "measure a model on a table",
        "export": "sql, python, c, onnx, pmml, json; svg, dot, mermaid, latex",
    },
    "Data": {
        "inspect": "how the columns will be read",
        "rank": "which columns tell something about the target",
        "data": "built-in teaching tables",
        "doctor": "versions, optional parts, threads",
    },
}
NAMES = tuple(name for group in VERBS.values() for name in group)
COMPLETE = "_TREEWRIGHT_COMPLETE"


class Treewright(click.Group):
    """The command; its verbs are imported by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the verbs."""
        return list(NAMES)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return a verb."""
        if name not in NAMES:
            return None
        command: click.Command = importlib.import_module(f"treewright.cli.verbs.{name}").command
        command.short_help = next(group[name] for group in VERBS.values() if name in group)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb; a file alone is inspected, or drawn where it is a model."""
        first = args[0]
        if first in NAMES or (first.startswith("-") and first != "-"):
            return super().resolve_command(ctx, args)
        if _is_file(first):
            verb = "show" if first.endswith(".tree") else "inspect"
            return verb, self.get_command(ctx, verb), args
        raise _no_such_verb(ctx, first)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help: the verbs first."""
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        self.format_commands(ctx, formatter)
        click.Command.format_options(self, ctx, formatter)
        self.format_epilog(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs by what they are for."""
        formatter.write("\n")
        for title, verbs in VERBS.items():
            for i, (name, what) in enumerate(verbs.items()):
                formatter.write(f"{'' if i else title:<11}{name:<11}{what}\n")

    def main(  # type: ignore[override]
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        **extra: Any,
    ) -> None:
        """Run the command line and end the process with its exit code."""
        words = list(sys.argv[1:] if args is None else args) or ["--help"]
        name = prog_name or "treewright"
        if COMPLETE in os.environ:
            from click.shell_completion import shell_complete

            sys.exit(shell_complete(self, {}, name, COMPLETE, os.environ[COMPLETE]))
        console = Console.of(words)

        def run() -> None:
            with self.make_context(name, words, obj=console) as ctx:
                self.invoke(ctx)

        sys.exit(guarded(run, console))


def _is_file(word: str) -> bool:
    return word == "-" or "." in word or os.sep in word or os.path.exists(word)


def _no_such_verb(ctx: click.Context, word: str) -> UsageError:
    close = get_close_matches(word, NAMES, n=1)
    hints = [f"did you mean {ctx.command_path} {match}?" for match in close]
    hints.append(f"commands: {', '.join(NAMES)}")
    return UsageError(f'there is no command and no file "{word}"', slug="usage", hints=hints)


def _version(ctx: click.Context, param: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        from treewright import __version__

        click.echo(f"treewright {__version__}")
        ctx.exit()


cli = Treewright(
    "treewright",
    help="Decision trees you can read. treewright FILE alone shows how its columns will be read.",
    epilog="treewright COMMAND --help tells more. Try: treewright fit play-tennis",
    subcommand_metavar="COMMAND [FILE] [OPTIONS]",
    options_metavar="",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    params=[
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_version,
            help="Print the version.",
        ),
        *MANNERS,
    ],
)
