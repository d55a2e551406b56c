"""What a column is, numeric or categorical: the rules for text, applied to whole columns.

=================================================  ============================================================
every cell is a number                             numeric
a leading zero, a telephone number, beyond 2^53    categorical: as a number it would lose something
only 0 and 1                                       categorical
more numbers than text                             an error: a word for "missing", or a slip of the pen
anything else                                      categorical; ``TRUE`` and ``Yes`` stay the text they are
=================================================  ============================================================

What the user asked for wins. Every other decision becomes a guess that is told. Which columns are learned from is
decided in ``roles``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._input.containers import to_levels
from treewright._reading.cell_shapes import Facts
from treewright._reading.column_overrides import Wishes
from treewright._reading.quoting import named, some
from treewright._render.numbers import count, plural
from treewright.errors import DataError, Hint
from treewright.schema import Level, label
from treewright.table import MISSING, Series

__all__ = ["Guess", "Line", "Typed", "declare", "of_series", "of_text"]

REWRITE = "write them with a decimal point, without thousands separators and signs, to use them as numbers"

Line = Callable[[int], str]  # where a row stands, in words


@dataclass(frozen=True, slots=True)
class Guess:
    """A decision that was not asked for: in a few words, as a sentence, and how to decide otherwise.

    ``effect`` says what the hint does, as the rest of a sentence that begins with it.
    """

    short: str
    sentence: str
    hint: Hint | None = None
    effect: str = ""


@dataclass(frozen=True, slots=True)
class Typed:
    """A column with its kind, and how that came about."""

    series: Series
    guesses: tuple[Guess, ...] = ()
    date: bool = False
    floats: bool = False  # some numbers are written with a point or an exponent
    amounts: bool = False  # most texts are numbers with a comma, a currency or a percent sign


def of_text(
    name: str, values: NDArray[Any], levels: Sequence[str] | None, facts: Facts, wishes: Wishes
) -> Typed:
    """Decide what a column of text is; ``levels`` is None where the core could read numbers."""
    form = wishes.form(name)
    free = form == "free"
    if name not in wishes.ignore and form != "codes":
        _refuse(name, facts, free=free)
    if levels is not None:
        series = Series(name, "categorical", values, tuple(levels))
        guesses = tuple(_guesses(name, facts)) if free else ()
        return Typed(series, guesses, free and facts.are_dates, amounts=free and facts.are_amounts)
    series = Series(name, "numeric", values)
    if free and facts.whole == facts.numbers > 0 and _are_zero_one(values):
        coded = to_levels(series)
        series = Series(name, "categorical", coded.data, tuple(map(label, coded.levels)))
        return Typed(series, (_categorical(name, "two values", "holds only 0 and 1"),))
    return Typed(series, floats=facts.whole < facts.numbers)


def _are_zero_one(values: NDArray[np.float64]) -> bool:
    return bool(np.all((values == 0) | (values == 1) | np.isnan(values)))


def of_series(series: Series, wishes: Wishes) -> Typed:
    """Take a column as its container typed it, unless the user asked for something else."""
    name = series.name
    if name in wishes.categorical:
        return Typed(to_levels(series))
    if name in wishes.numeric and series.kind == "categorical":
        values = [label(level) for level in series.levels]
        raise DataError(
            f"{named(name)} holds text, not numbers",
            slug="data.mixed-column",
            hints=[f"values: {some(values[:4], more=len(values) > 4)}"],
        )
    if wishes.stated(name) or series.declared or not _is_text(series):
        return Typed(series)
    facts = Facts.of_texts([str(level) for level in series.levels])
    if facts is None:
        return Typed(series)
    amounts = tuple(_amounts(name, facts)) if facts.are_amounts else ()
    return Typed(series, amounts, facts.are_dates, amounts=facts.are_amounts)


def _is_text(series: Series) -> bool:
    return series.kind == "categorical" and all(isinstance(level, str) for level in series.levels)


def declare(typed: Typed, levels: Sequence[Level], line: Line) -> Typed:
    """Give a column its declared levels, in their order."""
    series = typed.series
    order = {label(level): i for i, level in enumerate(levels)}
    if len(order) < len(levels):
        raise DataError(f"{named(series.name)} declares a level twice", slug="data.levels")
    codes = [*(order.get(label(level), MISSING) for level in series.levels), MISSING]
    data = np.array(codes, dtype=np.uint32)[np.minimum(series.data, len(series.levels))]
    lost = np.flatnonzero((data == MISSING) & ~series.missing())
    if len(lost):
        row = int(lost[0])
        value = label(series.levels[int(series.data[row])])
        raise DataError(
            f"{line(row)}: {named(value)} is not among the declared levels of {named(series.name)}",
            slug="data.levels",
            hints=[f"levels: {some(list(order)[:20], more=len(order) > 20)}"],
        )
    return Typed(Series(series.name, "categorical", data, tuple(order), declared=True))


def _refuse(name: str, facts: Facts, *, free: bool) -> None:
    """Stop where a column is neither numbers nor text."""
    texts = facts.texts
    if texts and facts.counts["overflow"] == texts:
        seen = facts.seen("overflow")
        raise DataError(
            f"{named(name)} holds a number too large to compute with",
            slug="data.number-too-large",
            hints=[_lines(seen), *_advice(name, seen, free=free)],
        )
    if texts == 0 or (free and facts.numbers <= texts):
        return
    seen = facts.seen("date", "comma", "amount", "word", "text", "overflow")[:4]
    hints: list[str | Hint] = [_lines(seen)]
    if texts == 1 and seen[0][0] == 2:
        hints.append("line 2 is the first row: a second header?")
    if facts.counts["comma"] + facts.counts["amount"]:
        hints += [REWRITE, *([Hint(option="categorical", value=[name])] if free else [])]
    elif (
        texts <= facts.numbers
    ):  # a few words among numbers; otherwise it would declare the whole column missing
        hints += _advice(name, seen, free=free)
    what = f"is numeric in {plural(facts.numbers, 'row')} but not in {count(texts)}"
    if not facts.numbers:
        what = f"has no numeric values ({plural(texts, 'row')} of text)"
    raise DataError(f"{named(name)} {what}", slug="data.mixed-column", hints=hints)


def _lines(seen: Iterable[tuple[int, str]]) -> str:
    return "    ".join(f"line {count(line)}: {named(text)}" for line, text in seen)


def _advice(name: str, seen: Iterable[tuple[int, str]], *, free: bool) -> list[Hint]:
    missing = Hint(option="missing", value=list(dict.fromkeys(text for _, text in seen)))
    return [missing, Hint(option="categorical", value=[name])] if free else [missing]


def _categorical(name: str, short: str, why: str) -> Guess:
    hint = Hint(option="numeric", value=[name])
    sentence = f"{named(name)} {why}: read as categorical."
    return Guess(short, sentence, hint, "reads it as numbers")


def _guesses(name: str, facts: Facts) -> Iterable[Guess]:
    """Give the notes of a text column that nobody asked about."""
    numbers, texts = facts.numbers, facts.texts
    if texts == 0:
        for shape, short, why in (
            ("zeros", "leading zeros", "has leading zeros"),
            ("phone", "telephone numbers", "holds numbers that start with +"),
            ("large", "beyond 2^53", "holds whole numbers that would lose digits"),
        ):
            if facts.counts[shape]:
                yield _categorical(name, short, f"{why} ({_few(facts, shape)})")
                return
    if numbers:
        short = f"{plural(numbers, 'number')} among text"
        yield Guess(
            short, f"{named(name)} holds {short} ({count(texts)} texts): read as categorical."
        )
    if facts.are_amounts:
        yield from _amounts(name, facts)
    if facts.counts["word"]:
        yield _word(name, facts)


def _amounts(name: str, facts: Facts) -> Iterable[Guess]:
    """Give the note of a column of numbers that are written in a way that is not read as numbers."""
    signs = facts.counts["amount"] > facts.counts["comma"]
    how = "a currency or percent sign, or thousands apart" if signs else "a comma"
    few = _few(facts, "amount" if signs else "comma")
    rest = REWRITE[0].upper() + REWRITE[1:]
    yield Guess(
        f"numbers with {'a sign' if signs else how}; write plain numbers",
        f"{named(name)} holds numbers with {how} ({few}), which are not read as numbers. {rest}.",
    )


def _few(facts: Facts, shape: str) -> str:
    texts = [text for _, text in facts.seen(shape)]
    return some(texts[:2], more=len(texts) > 2)


def _word(name: str, facts: Facts) -> Guess:
    words = list(dict.fromkeys(text for _, text in facts.seen("word")))
    said, rows = " and ".join(map(named, words)), plural(facts.counts["word"], "row")
    sentence = f"{named(name)} holds {said} in {rows}: kept as text."
    return Guess(
        f"{said} kept", sentence, Hint(option="missing", value=words), "reads it as missing"
    )
