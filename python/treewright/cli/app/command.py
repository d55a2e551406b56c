"""What every verb has in common: its manners, options with several values, and a helpful word for a slip.

Glossary: an option is *several* when one mention takes many values (``--ignore Day Comment``) and may be repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from treewright.errors import hints_written_by

__all__ = ["MANNERS", "Verb", "several"]

F = TypeVar("F", bound=Callable[..., Any])

# The console reads these from the arguments before anything else is understood; here they are only checked and listed.
MANNERS: tuple[click.Option, ...] = (
    click.Option(
        ["--color"],
        type=click.Choice(["auto", "always", "never"]),
        expose_value=False,
        help="Colour on standard error; NO_COLOR is honoured.  [default: auto]",
    ),
    click.Option(
        ["--ascii"], is_flag=True, expose_value=False, help="Draw with ASCII characters only."
    ),
    click.Option(
        ["--errors"],
        type=click.Choice(["text", "json"]),
        expose_value=False,
        help="How notes and errors are written to standard error.  [default: text]",
    ),
    click.Option(
        ["--debug"],
        is_flag=True,
        expose_value=False,
        help="Show where an unexpected error happened.",
    ),
)


class _Several(click.Option):
    """An option whose mention takes all the values that follow it."""


def several(*names: str, **settings: Any) -> Callable[[F], F]:
    """Declare an option that takes one or more values and may be repeated."""
    return click.option(*names, cls=_Several, multiple=True, **settings)


class Verb(click.Command):
    """A sub-command."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params = [*self.params, *MANNERS]

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Name the files first: an option of several values would take them for its own."""
        return [*self._files(ctx), "[OPTIONS]"]

    def _files(self, ctx: click.Context) -> list[str]:
        arguments = [p for p in self.params if isinstance(p, click.Argument)]
        return [piece for p in arguments for piece in p.get_usage_pieces(ctx)]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Understand the arguments."""
        try:
            return super().parse_args(ctx, self._spread(args))
        except click.MissingParameter as error:
            self._explain_greed(error, ctx, args)
            raise

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command: hints are written in its words, and warnings become notes."""
        from treewright.cli.app.hints import writer
        from treewright.cli.app.warning_notes import warnings_as_notes

        with hints_written_by(writer(ctx)), warnings_as_notes(ctx.obj):
            return super().invoke(ctx)

    def _spread(self, args: Sequence[str]) -> list[str]:
        """Repeat the name of an option before each of its values: the parser knows one value a mention."""
        names = {name for p in self.params if isinstance(p, _Several) for name in p.opts}
        spread: list[str] = []
        current, fresh = "", False
        for i, word in enumerate(args):
            if word == "--":
                return [*spread, *args[i:]]
            if fresh:  # the first value may look like anything: --missing -999
                spread.append(word)
                fresh = False
            elif word in names:
                current, fresh = word, True
                spread.append(word)
            elif word.startswith("-"):
                current = ""
                spread.append(word)
            elif current:
                spread += [current, word]
            else:
                spread.append(word)
        return spread

    def _explain_greed(
        self, error: click.MissingParameter, ctx: click.Context, args: Sequence[str]
    ) -> None:
        taking = [p.opts[0] for p in self.params if isinstance(p, _Several) and p.opts[0] in args]
        if isinstance(error.param, click.Argument) and taking:
            order = " ".join([ctx.command_path, *self._files(ctx), taking[0]])
            raise click.UsageError(
                f"{' '.join(error.param.get_usage_pieces(ctx))} is missing: {taking[0]} takes all the "
                f"words after it, so the order is: {order} VALUES",
                ctx,
            ) from error
