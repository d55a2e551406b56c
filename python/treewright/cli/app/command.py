"""Commands and options: groups of options in the help, options with several values, global options.

Glossary: an option is *several* when one mention takes many values (``--ignore Day Comment``) and may be repeated. An
*alias* is another name of an option; it works, but the help does not list it.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import click

from treewright.cli.app.completion import ColumnName
from treewright.errors import hints_written_by

__all__ = ["GLOBAL_OPTIONS", "Command", "Option", "group", "normalize", "option"]

Decorator = Callable[[Any], Any]
Settings = dict[str, Any]

LAST_OPTION = "treewright.last_option"
HELP_WIDTH = 80
HELP_COLUMN = 25  # where the descriptions of options begin
GENERAL = "General options"
# "tree     a description": the description goes on below itself, not below the word.
DEFINITION = re.compile(r"([^.\[]{1,16}?)(\s{2,})(?!\[)")
# A default is not broken into two lines, unless it is long.
DEFAULT = re.compile(r"\[default: [^]]{1,40}\]$")


def normalize(name: str) -> str:
    """Return the name of an option or a choice with dashes: scikit-learn's users type underscores."""
    return name.replace("_", "-")


class Option(click.Option):
    """An option with its place in the help.

    Parameters
    ----------
    group : str
        The heading of the help page under which it stands.
    aliases : sequence of str
        Further names, which the help does not list.
    several : bool
        Whether one mention takes all the values that follow it.
    """

    def __init__(
        self,
        names: Sequence[str] | None = None,
        *,
        group: str = GENERAL,
        aliases: Sequence[str] = (),
        several: bool = False,
        **settings: Any,
    ) -> None:
        if several:
            settings["multiple"] = True
        super().__init__([*(names or ()), *aliases], **settings)
        self.group, self.aliases, self.several = group, tuple(aliases), several

    def title(self) -> str:
        """Return the names and the value as the help shows them."""
        names = [name for name in self.opts if name not in self.aliases] + self.secondary_opts
        metavar = "" if self.is_flag or self.count else f" {self.metavar or str(self.name).upper()}"
        return ", ".join(sorted(names, key=lambda name: name.startswith("--"))) + metavar


def option(spec: str, help: str, type: Any = None, *, name: str = "", **settings: Any) -> Settings:
    """Describe an option as the help shows it.

    Parameters
    ----------
    spec : str
        The names and the value: ``"-t --target COL"``. Aliases stand behind a name: ``"--depth|--max-depth N"``.
        Without a value it is a flag; a value that ends in dots takes several words.
    help : str
        Its description.
    type : click.ParamType, optional
        What the value may be.
    name : str, default=""
        The parameter of the command; otherwise the first long name.
    **settings : dict
        Further settings of click.

    Examples
    --------
    >>> settings = option("-n --depth|--max-depth N", "Maximum depth.")
    >>> settings["names"], settings["aliases"], settings["metavar"]
    (['-n', '--depth'], ['--max-depth'], 'N')
    """
    words = spec.split()
    flags = [word.split("|") for word in words if word.startswith("-")]
    metavar = " ".join(word for word in words if not word.startswith("-"))
    settings |= {"help": help, "several": metavar.endswith("...")}
    if type is None and metavar.startswith("COL"):
        type = ColumnName()
    settings |= {"metavar": metavar, "type": type} if metavar else {"is_flag": True}
    names = [names[0] for names in flags]
    aliases = [alias for names in flags for alias in names[1:]]
    return {"names": [*names, *([name] if name else [])], "aliases": aliases, **settings}


def group(title: str, *options: Settings) -> Decorator:
    """Declare options of a command under one heading of its help, in their order."""

    def declare(command: Any) -> Any:
        for settings in reversed(options):
            names = settings["names"]
            others = {key: value for key, value in settings.items() if key != "names"}
            command = click.option(*names, cls=Option, group=title, **others)(command)
        return command

    return declare


# The console reads these from the arguments before anything else is parsed; here they are only checked and listed.
GLOBAL_OPTIONS = tuple(
    Option(settings.pop("names"), expose_value=False, **settings)
    for settings in (
        option(
            "--color WHEN",
            "auto, always or never; NO_COLOR is honored.  [default: auto]",
            click.Choice(["auto", "always", "never"]),
        ),
        option("--ascii", "Use ASCII characters only."),
        option(
            "--errors FORMAT",
            "Notes and errors as text or json.  [default: text]",
            click.Choice(["text", "json"]),
        ),
        option("--debug", "Print a traceback for unexpected errors."),
    )
)


class Command(click.Command):
    """A command; its help has examples, and options under headings.

    Parameters
    ----------
    examples : sequence of str
        Command lines for the help.
    usage : str
        A second way to call it, for the help.
    words : mapping, optional
        Words that an argument may be, with their meaning, by heading of the help.
    """

    def __init__(
        self,
        *args: Any,
        examples: Sequence[str] = (),
        usage: str = "",
        words: Mapping[str, Mapping[str, str]] | None = None,
        **settings: Any,
    ) -> None:
        settings.setdefault("context_settings", {})["token_normalize_func"] = normalize
        super().__init__(*args, **settings)
        self.params = [*self.params, *GLOBAL_OPTIONS]
        self.examples, self.other_usage = tuple(examples), usage
        self.words = words or {}

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Name the files first: an option of several values would take them for its own."""
        return [*self._files(ctx), "[OPTIONS]"]

    def _files(self, ctx: click.Context) -> list[str]:
        arguments = [p for p in self.params if isinstance(p, click.Argument)]
        return [piece for p in arguments for piece in p.get_usage_pieces(ctx)]

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help: usage, description, examples, options by group."""
        width = min(HELP_WIDTH, max(formatter.width, 2 * HELP_COLUMN))
        self.format_usage(ctx, formatter)
        if self.other_usage:
            formatter.write(f"       {self.other_usage}\n")
        for part in (self.help or "").split("\n\n"):
            text = " ".join(part.split())
            lines = textwrap.wrap(text, width - 2, break_on_hyphens=False, break_long_words=False)
            formatter.write("\n" + "".join(f"  {line}\n" for line in lines))
        for title, words in self.words.items():
            lines = [f"  {word:<{HELP_COLUMN - 4}}  {text}\n" for word, text in words.items()]
            formatter.write(f"\n{title}:\n" + "".join(lines))
        if self.examples:
            formatter.write("\nExamples:\n" + "".join(f"  {line}\n" for line in self.examples))
        options = [p for p in self.params if isinstance(p, Option) and not p.hidden]
        for group in dict.fromkeys(p.group for p in options if p.group != GENERAL):
            formatter.write(f"\n{group}:\n")
            formatter.write(option_lines([p for p in options if p.group == group], width))
        formatter.write(f"\n{GENERAL}:\n")
        formatter.write("  --color, --ascii, --errors, --debug, -h: see treewright --help\n")
        if self.epilog:
            lines = textwrap.wrap(self.epilog, width - 2, break_on_hyphens=False)
            formatter.write("\n" + "".join(f"  {line}\n" for line in lines))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments."""
        ctx.meta[LAST_OPTION] = self._last_option(args)
        if ctx.resilient_parsing and args and args[-1].startswith("-"):
            args = args[:-1]  # the value is being typed; click would give up on all arguments
        try:
            return super().parse_args(ctx, self._repeat_names(args))
        except click.MissingParameter as error:
            self._explain_missing_file(error, ctx, args)
            raise

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Return completions; those of an option of several values, if one takes the next word."""
        last: Option | None = ctx.meta[LAST_OPTION]
        if last is None or incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        return last.shell_complete(ctx, incomplete)

    def _last_option(self, args: Sequence[str]) -> Option | None:
        """Return the option of several values that takes a word after these arguments."""
        last = next((word for word in reversed(args) if word.startswith("-")), None)
        options = (p for p in self.params if isinstance(p, Option) and p.several)
        return next((p for p in options if last is not None and normalize(last) in p.opts), None)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command: hints name its options, and warnings become notes."""
        from treewright.cli.app.console import warnings_as_notes
        from treewright.cli.app.hints import hint_writer

        with hints_written_by(hint_writer(ctx)), warnings_as_notes(ctx.obj):
            return super().invoke(ctx)

    def _repeat_names(self, args: Sequence[str]) -> list[str]:
        """Repeat the name of an option before each of its values: click reads one value per mention."""
        names = {
            name for p in self.params if isinstance(p, Option) and p.several for name in p.opts
        }
        repeated: list[str] = []
        current, is_first = "", False
        for i, word in enumerate(args):
            if word == "--":
                return [*repeated, *args[i:]]
            if is_first:  # the first value may look like an option: --missing -999
                is_first = False
            elif normalize(word) in names:
                current, is_first = word, True
            elif word.startswith("-"):
                current = ""
            elif current:
                repeated.append(current)
            repeated.append(word)
        return repeated

    def _explain_missing_file(
        self, error: click.MissingParameter, ctx: click.Context, args: Sequence[str]
    ) -> None:
        """Raise a clearer error where an option of several values has taken the name of the file."""
        several = [p.opts[0] for p in self.params if isinstance(p, Option) and p.several]
        takers = [name for name in several if name in args]
        if isinstance(error.param, click.Argument) and takers:
            order = " ".join([ctx.command_path, *self._files(ctx), takers[0]])
            raise click.UsageError(
                f"{' '.join(error.param.get_usage_pieces(ctx))} is missing: {takers[0]} takes all the "
                f"words after it, so the order is: {order} VALUES",
                ctx,
            ) from error


def option_lines(options: Sequence[Option], width: int) -> str:
    """Write options below each other: names at the left, descriptions at the right."""
    lines: list[str] = []
    for each in options:
        title, text = f"  {each.title()}", list(wrap_help(each.help or "", width - HELP_COLUMN))
        if len(title) > HELP_COLUMN - 2:
            lines.append(title)
        else:
            text[0] = f"{title:<{HELP_COLUMN}}{text[0]}"
            lines.append(text.pop(0))
        lines += [f"{'':<{HELP_COLUMN}}{line}" for line in text]
    return "".join(f"{line}\n" for line in lines)


def wrap_help(text: str, width: int) -> Iterator[str]:
    """Break the description of an option into lines; its own line breaks stay.

    Examples
    --------
    >>> list(wrap_help("tree   a tree with counts" + chr(10) + "rules  rules", 18))
    ['tree   a tree with', '       counts', 'rules  rules']
    """
    for line in text.split("\n"):
        definition = DEFINITION.match(line)
        indent = " " * (definition.end() if definition else 0)
        glued = DEFAULT.sub(lambda default: default[0].replace(" ", "\xa0"), line)
        lines = textwrap.wrap(
            glued, width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
        )
        yield from (each.replace("\xa0", " ") for each in lines)
