"""The link in SQL, with the exponential function of the core: those of databases differ in the last bits.

The function is a chain of plain arithmetic, so it also works in databases without ``exp``.

Glossary of columns: ``x0`` is the number to exponentiate, ``e0`` the exponential; ``k0``, ``h0``, ``b0``,
``r0``, ``q0`` and ``c0`` are the steps between.
"""

from __future__ import annotations

from collections.abc import Sequence

from treewright._export import exact_exp as e
from treewright._export.combined_model import CombinedModel
from treewright._export.sql.ctes import Ctes
from treewright._export.sql.text import Dialect

__all__ = ["add_link"]

INFINITE = {"duckdb": "'inf'::DOUBLE", "postgres": "'Infinity'::float8", "sqlite": "9e999"}
EXPONENT_BITS = 10  # of 2**(k/2) for k <= 1024


def add_link(ctes: Ctes, model: CombinedModel, sql: Dialect) -> None:
    """Add expressions that turn the sums into the outputs of the model."""
    if model.link == "identity":
        return
    sums = range(model.sums)
    if model.link == "logistic":
        _exp(ctes, sql, ["-s0"])
        one = sql.number(1)
        ctes.add([f"{one} / ({one} + e0) AS s1"])
        ctes.add([f"{one} - s1 AS s0", "s1"])
        return
    if model.link == "exp":
        _exp(ctes, sql, [f"s{k}" for k in sums])
        ctes.add([f"e{k} AS s{k}" for k in sums])
        return
    ctes.add([*(f"s{k}" for k in sums), f"{_write_largest(model.sums)} AS top"])
    divisor = f" / {sql.number(model.softmax_divisor)}" if model.how == "vote" else ""
    _exp(ctes, sql, [f"(s{k} - top){divisor}" for k in sums])
    total = " + ".join(f"e{k}" for k in sums)
    ctes.add([*(f"e{k}" for k in sums), f"{total} AS total"])
    ctes.add([f"e{k} / total AS s{k}" for k in sums])


def _write_largest(n: int) -> str:
    whens = [
        f"WHEN {' AND '.join(f's{k} >= s{j}' for j in range(n) if j != k)} THEN s{k}"
        for k in range(n - 1)
    ]
    return f"CASE {' '.join(whens)} ELSE s{n - 1} END"


def _exp(ctes: Ctes, sql: Dialect, numbers: Sequence[str]) -> None:
    """Add expressions of which the last one has the exponential of each number."""
    number, each = sql.number, range(len(numbers))
    ctes.add([f"{x} AS x{i}" for i, x in enumerate(numbers)])
    truncate = "CAST({} AS INTEGER)" if sql.dialect == "sqlite" else "TRUNC({})"
    powers = []
    for i in each:
        half = f"CASE WHEN x{i} < {number(0)} THEN {number(-0.5)} ELSE {number(0.5)} END"
        near = truncate.format(f"{number(e.LOG2_E)} * x{i} + {half}")
        inside = (
            f"x{i} < {number(e.SMALL)} AND x{i} > {number(-e.SMALL)}"
            f" OR x{i} > {number(e.HUGE)} OR x{i} < {number(e.VANISHING)}"
        )
        powers.append(
            f"CASE WHEN {inside} THEN {truncate.format(number(0))} ELSE {near} END AS k{i}"
        )
    ctes.add([*(f"x{i}" for i in each), *powers])
    carried = [name for i in each for name in (f"x{i}", f"k{i}")]
    reduced = []
    for i in each:
        reduced.append(f"x{i} - k{i} * {number(e.LN2_HI)} AS h{i}")
        reduced.append(f"k{i} * {number(e.LN2_LO)} AS b{i}")
    ctes.add([*carried, *reduced])
    carried += [name for i in each for name in (f"h{i}", f"b{i}")]
    ctes.add([*carried, *(f"h{i} - b{i} AS r{i}" for i in each)])
    carried += [f"r{i}" for i in each]
    ctes.add([*carried, *(f"{_write_square(sql, i)} AS q{i}" for i in each)])
    ctes.add([*carried, *(f"r{i} - q{i} * {_write_series(sql, i)} AS c{i}" for i in each)])
    ctes.add([f"{_write_exp(sql, i)} AS e{i}" for i in each])


def _write_square(sql: Dialect, i: int) -> str:
    """Write the square of the remainder; 0 if the exponential overflows or vanishes."""
    outside = f"x{i} > {sql.number(e.HUGE)} OR x{i} < {sql.number(e.VANISHING)}"
    return f"CASE WHEN {outside} THEN {sql.number(0)} ELSE r{i} * r{i} END"


def _write_series(sql: Dialect, i: int) -> str:
    text = sql.number(e.SERIES[0])
    for factor in e.SERIES[1:]:
        text = f"({sql.number(factor)} + q{i} * {text})"
    return text


def _write_exp(sql: Dialect, i: int) -> str:
    """Write the exponential from its parts; 2**k is two factors, because one could overflow."""
    number = sql.number
    one, two, x = number(1), number(2), f"x{i}"
    near_one = f"({one} + (r{i} * c{i} / ({two} - c{i}) - b{i} + h{i}))"
    if sql.dialect == "sqlite":
        halves = [f"(k{i} / 2)", f"(k{i} - k{i} / 2)"]
        powers = [_write_power(sql, half) for half in halves]
    else:
        first = f"TRUNC(k{i} / {two})"
        powers = [f"POWER({two}, {first})", f"POWER({two}, k{i} - {first})"]
    return (
        f"CASE WHEN {x} > {number(e.HUGE)} THEN {INFINITE[sql.dialect]}"
        f" WHEN {x} < {number(e.VANISHING)} THEN {number(0)}"
        f" WHEN {x} < {number(e.TINY)} AND {x} > {number(-e.TINY)} THEN {one} + {x}"
        f" ELSE {near_one} * {powers[0]} * {powers[1]} END"
    )


def _write_power(sql: Dialect, k: str) -> str:
    """Write a power of 2 by the bits of its exponent: SQLite may lack a function for it."""
    size = f"ABS({k})"
    bits = [
        f"CASE WHEN {size} & {1 << bit} THEN {sql.number(2.0 ** (1 << bit))} ELSE 1.0 END"
        for bit in range(EXPONENT_BITS)
    ]
    product = " * ".join(bits)
    return f"CASE WHEN {k} < 0 THEN 1.0 / ({product}) ELSE {product} END"
