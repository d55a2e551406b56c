"""``treewright``: the commands, loaded when they are used.

A new command is a file of its name in ``verbs/`` with a ``command`` in it, and a line in ``COMMANDS``.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from treewright.cli.app.command import GENERAL, GLOBAL_OPTIONS, Option, normalize, option_lines
from treewright.cli.app.console import Console
from treewright.cli.app.exit_codes import run_command
from treewright.errors import UsageError

__all__ = ["cli"]

COMMANDS: dict[str, dict[str, str]] = {
    "Train": {
        "fit": "Train a model on a table.",
        "compare": "Cross-validate several algorithms on the same folds.",
        "prune": "Prune a tree, or list its pruning levels.",
        "gap": "Compare a tree with the best tree of the same depth.",
    },
    "Read": {
        "show": "Show a model as a tree, rules, a table or a summary.",
        "work": "Show the calculation behind a split.",
        "explain": "Explain one prediction, and what would change it.",
        "effect": "Show how predictions depend on a column.",
        "report": "Write an HTML report about a model.",
    },
    "Use": {
        "predict": "Predict the rows of a table.",
        "eval": "Measure a model on a table with known target values.",
        "import": "Convert a model of LightGBM or XGBoost to a model file.",
        "export": "Convert a model to SQL, Python, C, ONNX, PMML, JSON or a diagram.",
    },
    "Teach": {
        "lesson": "Turn a table into a step-by-step lesson with a quiz.",
        "measure": "Calculate entropy, Gini index or gain from counts.",
        "workbench": "Grow a tree step by step in the browser.",
    },
    "Data": {
        "inspect": "Show how the columns of a table are read.",
        "rank": "Rank columns by how well each predicts the target.",
        "data": "List or print the built-in tables.",
        "doctor": "Check the installation.",
    },
}
NAMES = tuple(name for group in COMMANDS.values() for name in group)
COMPLETE = "_TREEWRIGHT_COMPLETE"


class Treewright(click.Group):
    """The command line; its commands are imported by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(NAMES)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return a command."""
        if name not in NAMES:
            return None
        command: click.Command = importlib.import_module(f"treewright.cli.verbs.{name}").command
        command.short_help = next(group[name] for group in COMMANDS.values() if name in group)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; a file without a command is inspected, or shown where it is a model."""
        first = args[0]
        if first in NAMES or (first.startswith("-") and first != "-"):
            return super().resolve_command(ctx, args)
        if _is_file(first):
            name = "show" if first.endswith(".tree") else "inspect"
            return name, self.get_command(ctx, name), args
        raise _unknown_command(ctx, first)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help: usage, commands by group, general options."""
        self.format_usage(ctx, formatter)
        formatter.write(f"\n  {self.help}\n\n")
        formatter.write(
            "  treewright FILE, without a command, shows how the columns of FILE are read.\n"
        )
        for title, commands in COMMANDS.items():
            formatter.write(f"\n{title}:\n")
            for name, text in commands.items():
                formatter.write(f"  {name:<9}  {text}\n")
        options = [p for p in self.get_params(ctx) if isinstance(p, Option)]
        help_option = Option(["-h", "--help"], is_flag=True, help="Show this message and exit.")
        formatter.write(f"\n{GENERAL}:\n{option_lines([*options, help_option], 80)}")
        formatter.write(f"\n  {self.epilog}\n")

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

        sys.exit(run_command(run, console))


def _is_file(word: str) -> bool:
    return word == "-" or "." in word or os.sep in word or os.path.exists(word)


def _unknown_command(ctx: click.Context, word: str) -> UsageError:
    from difflib import get_close_matches

    close = get_close_matches(word, NAMES, n=1)
    hints = [f"did you mean {ctx.command_path} {match}?" for match in close]
    hints.append(f"commands: {', '.join(NAMES)}")
    return UsageError(f'unknown command or file "{word}"', slug="usage", hints=hints)


def _print_version(ctx: click.Context, param: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        from treewright import __version__
        from treewright._utils.build_info import describe_build

        click.echo(f"treewright {__version__}\n{describe_build()}")
        ctx.exit()


cli = Treewright(
    "treewright",
    help="Decision trees you can read.",
    epilog="treewright COMMAND --help describes a command. Try: treewright fit play-tennis",
    subcommand_metavar="COMMAND [FILE] [OPTIONS]",
    options_metavar="",
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 80,
        "token_normalize_func": normalize,
    },
    params=[
        Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_print_version,
            help="Print the version and exit.",
        ),
        *GLOBAL_OPTIONS,
    ],
)
