"""What a column is, numeric or categorical: the rules for text, applied to whole columns.

=================================================  ============================================================
every cell is a number                             numeric
a leading zero, a telephone number, beyond 2^53    categorical: as a number it would lose information
only 0 and 1                                       categorical
currency or percent signs, thousands separators,   numeric, if only one decimal mark makes numbers of all cells;
decimal commas (``$1,542.58``)                     otherwise categorical
more numbers than text                             an error: a word for "missing", or a typing mistake
anything else                                      categorical; ``TRUE`` and ``Yes`` stay the text they are
=================================================  ============================================================

What the user asked for wins. Every other decision becomes a note. Which columns are used as features is decided in
``column_roles``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._input.amounts import read_amounts
from treewright._input.columns import to_levels
from treewright._reading.cell_shapes import CellShapes
from treewright._reading.column_overrides import ColumnOverrides
from treewright._reading.quoting import list_some, quote
from treewright._render.numbers import count, plural
from treewright.errors import DataError, Hint
from treewright.schema import Level, Meaning, label
from treewright.table import MISSING, Series

__all__ = [
    "Guess",
    "Line",
    "TypedColumn",
    "declare_levels",
    "type_container_column",
    "type_text_column",
]

# What to type where a comma may be a decimal mark or separate thousands.
MARKS = (Hint(option="decimal", value=","), Hint(option="thousands", value=","))

Line = Callable[[int], str]  # writes where a row is


@dataclass(frozen=True, slots=True)
class Guess:
    """A decision that the user did not make: in a few words, as a sentence, and how to change it.

    ``effect`` says what the hint does, as the rest of a sentence that begins with it.
    """

    short: str
    sentence: str
    hint: Hint | None = None
    effect: str = ""


@dataclass(frozen=True, slots=True)
class TypedColumn:
    """A column with its kind and the decisions behind it."""

    series: Series
    guesses: tuple[Guess, ...] = ()
    date: bool = False
    floats: bool = False  # some numbers have a decimal point or an exponent
    amounts: bool = False  # most texts are numbers with a comma, a currency or a percent sign


def type_text_column(
    name: str,
    values: NDArray[Any],
    levels: Sequence[str] | None,
    shapes: CellShapes,
    overrides: ColumnOverrides,
) -> TypedColumn:
    """Decide what a column of text is; ``levels`` is None if the core could read numbers."""
    form = overrides.form(name)
    free = form == "free"
    words = tuple(_missing_words(shapes))
    if levels is not None and form != "codes" and shapes.all_amounts:
        amounts = _read_as_numbers(name, values, levels, shapes)
        if amounts is not None:
            return replace(amounts, guesses=(*words, *amounts.guesses) if free else words)
    if name not in overrides.ignore and form != "codes":
        _refuse(name, shapes, free=free)
    if levels is not None:
        series = Series(name, "categorical", values, tuple(levels))
        guesses = (*words, *(_guesses(name, shapes) if free else ()))
        return TypedColumn(
            series, guesses, free and shapes.are_dates, amounts=free and shapes.are_amounts
        )
    series = Series(name, "numeric", values)
    if free and shapes.integers == shapes.numbers > 0 and _are_zero_one(values):
        coded = to_levels(series)
        series = Series(name, "categorical", coded.data, tuple(map(label, coded.levels)))
        guess = _categorical(name, "two values", "holds only 0 and 1")
        return TypedColumn(series, (*words, guess))
    return TypedColumn(series, words, floats=shapes.integers < shapes.numbers)


def _read_as_numbers(
    name: str, codes: NDArray[np.uint32], levels: Sequence[str], shapes: CellShapes
) -> TypedColumn | None:
    """Read texts such as ``$1,542.58`` as numbers; None if two decimal marks are possible."""
    read = read_amounts(levels)
    if read is None:
        return None
    numbers, mark = read
    data = np.array([*numbers, np.nan])[np.minimum(codes, len(levels))]
    series = Series(name, "numeric", data, meaning=Meaning(written=mark))
    example = quote(next(text for _, text in shapes.seen("amount", "comma")))
    decimals = "a decimal comma" if mark == "," else "a decimal point"
    sentence = (
        f"{quote(name)} holds numbers written like {example}: read as numbers with {decimals}."
    )
    guess = Guess(
        f"numbers like {example}",
        sentence,
        Hint(option="categorical", value=[name]),
        "keeps the texts",
    )
    return TypedColumn(series, (guess,), floats=True)


def _are_zero_one(values: NDArray[np.float64]) -> bool:
    return bool(np.all((values == 0) | (values == 1) | np.isnan(values)))


def type_container_column(series: Series, overrides: ColumnOverrides) -> TypedColumn:
    """Take a column with the type of its container, unless the user asked for something else."""
    name = series.name
    if name in overrides.categorical or (series.are_dates and overrides.mentions(name)):
        return TypedColumn(replace(to_levels(series), meaning=None))
    if series.are_dates:
        return TypedColumn(series, date=True)
    if name in overrides.numeric and series.kind == "categorical":
        numbers = _read_levels(series, CellShapes.of_texts(list(map(label, series.levels))))
        if numbers is not None:
            return replace(numbers, guesses=())
        values = [label(level) for level in series.levels]
        raise DataError(
            f"{quote(name)} holds text, not numbers",
            slug="data.mixed-column",
            hints=[f"values: {list_some(values[:4], more=len(values) > 4)}"],
        )
    if overrides.mentions(name) or series.declared or not _is_text(series):
        return TypedColumn(series)
    shapes = CellShapes.of_texts([str(level) for level in series.levels])
    if shapes is None:
        return TypedColumn(series)
    numbers = _read_levels(series, shapes)
    if numbers is not None:
        return numbers
    amounts = tuple(_amounts(name, shapes)) if shapes.are_amounts else ()
    return TypedColumn(series, amounts, shapes.are_dates, amounts=shapes.are_amounts)


def _read_levels(series: Series, shapes: CellShapes | None) -> TypedColumn | None:
    if shapes is None or not shapes.all_amounts:
        return None
    return _read_as_numbers(series.name, series.data, list(map(label, series.levels)), shapes)


def _is_text(series: Series) -> bool:
    return series.kind == "categorical" and all(isinstance(level, str) for level in series.levels)


def declare_levels(
    typed: TypedColumn, levels: Sequence[Level], line: Line, *, ordered: bool = False
) -> TypedColumn:
    """Give a column its declared levels, in their order."""
    series = typed.series
    order = {label(level): i for i, level in enumerate(levels)}
    if len(order) < len(levels):
        raise DataError(f"{quote(series.name)} declares a level twice", slug="data.levels")
    codes = [*(order.get(label(level), MISSING) for level in series.levels), MISSING]
    data = np.array(codes, dtype=np.uint32)[np.minimum(series.data, len(series.levels))]
    lost = np.flatnonzero((data == MISSING) & ~series.missing())
    if len(lost):
        row = int(lost[0])
        value = label(series.levels[int(series.data[row])])
        raise DataError(
            f"{line(row)}: {quote(value)} is not among the declared levels of {quote(series.name)}",
            slug="data.levels",
            hints=[f"levels: {list_some(list(order)[:20], more=len(order) > 20)}"],
        )
    return TypedColumn(
        Series(series.name, "categorical", data, tuple(order), declared=True, ordered=ordered)
    )


def _refuse(name: str, shapes: CellShapes, *, free: bool) -> None:
    """Raise an error for a column that is neither numbers nor text."""
    texts = shapes.texts
    if texts and shapes.counts["overflow"] == texts:
        seen = shapes.seen("overflow")
        raise DataError(
            f"{quote(name)} holds a number too large to compute with",
            slug="data.number-too-large",
            hints=[_lines(seen), *_advice(name, seen, shapes, free=free)],
        )
    if texts == 0 or (free and shapes.numbers <= texts):
        return
    seen = shapes.seen("date", "comma", "amount", "word", "text", "overflow")[:4]
    hints: list[str | Hint] = [_lines(seen)]
    if texts == 1 and seen[0][0] == 2:
        hints.append("line 2 is the first row: a second header?")
    if shapes.counts["comma"] + shapes.counts["amount"]:
        hints += [*MARKS, *([Hint(option="categorical", value=[name])] if free else [])]
    elif (
        texts <= shapes.numbers
    ):  # with more texts, the advice would make most of the column missing
        hints += _advice(name, seen, shapes, free=free)
    what = f"is numeric in {plural(shapes.numbers, 'row')} but not in {count(texts)}"
    if not shapes.numbers:
        what = f"has no numeric values ({plural(texts, 'row')} of text)"
    raise DataError(f"{quote(name)} {what}", slug="data.mixed-column", hints=hints)


def _lines(seen: Iterable[tuple[int, str]]) -> str:
    return "    ".join(f"line {count(line)}: {quote(text)}" for line, text in seen)


def _advice(
    name: str, seen: Iterable[tuple[int, str]], shapes: CellShapes, *, free: bool
) -> list[Hint]:
    missing = _missing((text for _, text in seen), shapes)
    return [missing, Hint(option="categorical", value=[name])] if free else [missing]


def _categorical(name: str, short: str, why: str) -> Guess:
    hint = Hint(option="numeric", value=[name])
    sentence = f"{quote(name)} {why}: read as categorical."
    return Guess(short, sentence, hint, "reads it as numbers")


def _guesses(name: str, shapes: CellShapes) -> Iterable[Guess]:
    """Yield the decisions about a text column of which the user said nothing."""
    numbers, texts = shapes.numbers, shapes.texts
    if texts == 0:
        for shape, short, why in (
            ("zeros", "leading zeros", "has leading zeros"),
            ("phone", "telephone numbers", "holds numbers that start with +"),
            ("large", "beyond 2^53", "holds whole numbers that would lose digits"),
        ):
            if shapes.counts[shape]:
                yield _categorical(name, short, f"{why} ({_few(shapes, shape)})")
                return
    if numbers:
        short = f"{plural(numbers, 'number')} among text"
        yield Guess(
            short, f"{quote(name)} holds {short} ({count(texts)} texts): read as categorical."
        )
    if shapes.are_amounts:
        yield from _amounts(name, shapes)
    if shapes.counts["word"]:
        yield _word(name, shapes)


def _amounts(name: str, shapes: CellShapes) -> Iterable[Guess]:
    """Yield the decision about numbers that are written in a way that is not read as numbers."""
    signs = shapes.counts["amount"] > shapes.counts["comma"]
    how = "a currency or percent sign, or thousands apart" if signs else "a comma"
    few = _few(shapes, "amount" if signs else "comma")
    yield Guess(
        f"numbers with {'a sign' if signs else how}: decimal mark or thousands?",
        f"{quote(name)} holds numbers with {how} ({few}); it is not clear which mark is decimal: kept as text.",
        MARKS[0],
        f"reads them as decimals, {MARKS[1]} as thousands",
    )


def _few(shapes: CellShapes, shape: str) -> str:
    texts = [text for _, text in shapes.seen(shape)]
    return list_some(texts[:2], more=len(texts) > 2)


def _word(name: str, shapes: CellShapes) -> Guess:
    words = list(dict.fromkeys(text for _, text in shapes.seen("word")))
    texts, rows = " and ".join(map(quote, words)), plural(shapes.counts["word"], "row")
    sentence = f"{quote(name)} holds {texts} in {rows}: kept as text."
    return Guess(f"{texts} kept", sentence, _missing(words, shapes), "reads it as missing")


def _missing(texts: Iterable[str], shapes: CellShapes) -> Hint:
    """Return the option that reads texts as missing, besides those that are missing in the file already."""
    return Hint(option="missing", value=list(dict.fromkeys((*texts, *shapes.file_words))))


def _missing_words(shapes: CellShapes) -> Iterable[Guess]:
    """Yield the words that are missing in a column; the note on the file says how to change it."""
    if shapes.words:
        words = ", ".join(f"{quote(word)} {count(n)}" for word, n in shapes.words)
        yield Guess(f"missing: {words}", "")
