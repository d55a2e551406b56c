"""The link in SQL, with the exponential function of the core: those of databases differ from it in the last bits.

The function is a few layers of plain arithmetic, so it also works where a database has no ``exp``.

Glossary of columns: ``x0`` is the number whose exponential is wanted, ``e0`` the exponential; ``k0``, ``h0``, ``b0``,
``r0``, ``q0`` and ``c0`` are the steps between.
"""

from __future__ import annotations

from collections.abc import Sequence

from treewright._export import exact_exp as e
from treewright._export.combined_model import CombinedModel
from treewright._export.sql.ctes import Layers
from treewright._export.sql.text import Words

__all__ = ["link"]

INFINITE = {"duckdb": "'inf'::DOUBLE", "postgres": "'Infinity'::float8", "sqlite": "9e999"}
BITS = 10  # of half of the largest power of 2


def link(layers: Layers, model: CombinedModel, words: Words) -> None:
    """Add layers that turn the sums into what the model says."""
    if model.link == "identity":
        return
    sums = range(model.sums)
    if model.link == "logistic":
        _exp(layers, words, ["-s0"])
        one = words.number(1)
        layers.add([f"{one} / ({one} + e0) AS s1"])
        layers.add([f"{one} - s1 AS s0", "s1"])
        return
    if model.link == "exp":
        _exp(layers, words, [f"s{k}" for k in sums])
        layers.add([f"e{k} AS s{k}" for k in sums])
        return
    # The largest of the sums.
    layers.add([*(f"s{k}" for k in sums), f"{_largest(model.sums)} AS top"])
    part = f" / {words.number(model.sums - 1)}" if model.how == "vote" else ""
    _exp(layers, words, [f"(s{k} - top){part}" for k in sums])
    whole = " + ".join(f"e{k}" for k in sums)
    layers.add([*(f"e{k}" for k in sums), f"{whole} AS whole"])
    layers.add([f"e{k} / whole AS s{k}" for k in sums])


def _largest(n: int) -> str:
    whens = [
        f"WHEN {' AND '.join(f's{k} >= s{j}' for j in range(n) if j != k)} THEN s{k}"
        for k in range(n - 1)
    ]
    return f"CASE {' '.join(whens)} ELSE s{n - 1} END"


def _exp(layers: Layers, words: Words, numbers: Sequence[str]) -> None:
    """Add layers of which the last one has the exponential of each number."""
    number, each = words.number, range(len(numbers))
    layers.add([f"{x} AS x{i}" for i, x in enumerate(numbers)])
    whole = "CAST({} AS INTEGER)" if words.dialect == "sqlite" else "TRUNC({})"
    powers = []
    for i in each:
        half = f"CASE WHEN x{i} < {number(0)} THEN {number(-0.5)} ELSE {number(0.5)} END"
        near = whole.format(f"{number(e.LOG2_E)} * x{i} + {half}")
        inside = (
            f"x{i} < {number(e.SMALL)} AND x{i} > {number(-e.SMALL)}"
            f" OR x{i} > {number(e.HUGE)} OR x{i} < {number(e.VANISHING)}"
        )
        powers.append(f"CASE WHEN {inside} THEN {whole.format(number(0))} ELSE {near} END AS k{i}")
    layers.add([*(f"x{i}" for i in each), *powers])
    kept = [name for i in each for name in (f"x{i}", f"k{i}")]
    reduced = []
    for i in each:
        reduced.append(f"x{i} - k{i} * {number(e.LN2_HI)} AS h{i}")
        reduced.append(f"k{i} * {number(e.LN2_LO)} AS b{i}")
    layers.add([*kept, *reduced])
    kept += [name for i in each for name in (f"h{i}", f"b{i}")]
    layers.add([*kept, *(f"h{i} - b{i} AS r{i}" for i in each)])
    kept += [f"r{i}" for i in each]
    layers.add([*kept, *(f"{_bounded(words, i)} AS q{i}" for i in each)])
    layers.add([*kept, *(f"r{i} - q{i} * {_series(words, i)} AS c{i}" for i in each)])
    layers.add([f"{_finished(words, i)} AS e{i}" for i in each])


def _bounded(words: Words, i: int) -> str:
    """Write the square; that of a number that is too large for an exponential is not needed."""
    outside = f"x{i} > {words.number(e.HUGE)} OR x{i} < {words.number(e.VANISHING)}"
    return f"CASE WHEN {outside} THEN {words.number(0)} ELSE r{i} * r{i} END"


def _series(words: Words, i: int) -> str:
    text = words.number(e.SERIES[0])
    for factor in e.SERIES[1:]:
        text = f"({words.number(factor)} + q{i} * {text})"
    return text


def _finished(words: Words, i: int) -> str:
    """Write the exponential from its parts; 2 to the k is two factors, each of which a double holds."""
    number = words.number
    one, two, x = number(1), number(2), f"x{i}"
    near = f"({one} + (r{i} * c{i} / ({two} - c{i}) - b{i} + h{i}))"
    if words.dialect == "sqlite":
        halves = [f"(k{i} / 2)", f"(k{i} - k{i} / 2)"]
        powers = [_power(words, half) for half in halves]
    else:
        first = f"TRUNC(k{i} / {two})"
        powers = [f"POWER({two}, {first})", f"POWER({two}, k{i} - {first})"]
    return (
        f"CASE WHEN {x} > {number(e.HUGE)} THEN {INFINITE[words.dialect]}"
        f" WHEN {x} < {number(e.VANISHING)} THEN {number(0)}"
        f" WHEN {x} < {number(e.TINY)} AND {x} > {number(-e.TINY)} THEN {one} + {x}"
        f" ELSE {near} * {powers[0]} * {powers[1]} END"
    )


def _power(words: Words, k: str) -> str:
    """Write a power of 2 by the bits of its exponent: SQLite need not have a function for it."""
    size = f"ABS({k})"
    bits = [
        f"CASE WHEN {size} & {1 << bit} THEN {words.number(2.0 ** (1 << bit))} ELSE 1.0 END"
        for bit in range(BITS)
    ]
    grown = " * ".join(bits)
    return f"CASE WHEN {k} < 0 THEN 1.0 / ({grown}) ELSE {grown} END"
