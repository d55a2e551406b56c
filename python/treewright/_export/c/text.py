"""The text of a C file: what every model has, the tables of trees, the functions of a rule set; numbers and strings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from treewright._render.safe_text import visible
from treewright.schema import Column, Schema

__all__ = ["FILE", "RULES", "TREES", "category_number", "comment", "describe_columns", "join"]
__all__ += ["number", "table", "write_categories"]

FILE = """\
/* {title}. Written by treewright.
 *
 * {result} {prefix}_predict(const double *x) predicts one row of {columns} numbers, NAN where one is missing:
{columns_described}
 * Do not compile with -ffast-math: it assumes that no number is NAN.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

enum {{ {upper}_COLUMNS = {columns}, {upper}_OUTPUTS = {outputs}, {upper}_{parts} = {n_parts} }};

{categories}
{body}"""

TREES = """\
enum {{ SUMS = {sums}, VALUES = {tree_outputs} }}; /* of the model before its link; of a tree */
enum {{ MISSING, AT_MOST, ABOVE, AMONG, OTHERWISE }};
enum {{ DIVIDED = {divided} }};

/* The tests of all nodes: a row goes where the first test of its node that holds says. */
static const struct {{ unsigned char word; int column; double threshold; int level, levels, goes; }} tests[] = {{
{tests}}};
static const double levels[] = {{{levels}}};
/* The first test of each node; those of the next node follow. A leaf has none. */
static const int first_test[] = {{{first_test}}};
static const int first_child[] = {{{first_child}}};
static const int children[] = {{{children}}};
static const double weights[] = {{{weights}}};
static const double values[][VALUES] = {{
{values}}};
static const int roots[] = {{{roots}}};
{constants}
{functions}static int goes(int node, const double *x) {{
    int i, k;
    for (i = first_test[node]; i < first_test[node + 1]; i++) {{
        const double value = x[tests[i].column];
        int holds = 0;
        switch (tests[i].word) {{
        case MISSING: holds = isnan(value); break;
        case AT_MOST: holds = value <= tests[i].threshold; break;
        case ABOVE: holds = value > tests[i].threshold; break;
        case AMONG:
            for (k = 0; k < tests[i].levels && !holds; k++) holds = value == levels[tests[i].level + k];
            break;
        default: holds = 1;
        }}
        if (holds) return tests[i].goes;
    }}
    return node;
}}

/* Adds the value of a tree for a row to the totals, times a factor: each part of a fractional row at its end. */
static void add(int root, double factor, const double *x, double *totals) {{
    struct {{ int node; double part; }} open[{max_parts}];
    int k, n = 1;
    open[0].node = root;
    open[0].part = 1.0;
    while (n > 0) {{
        const int node = open[--n].node, next = goes(node, x);
        const double part = open[n].part;
        if (next == DIVIDED) {{
            for (k = children[node] - 1; k >= 0; k--) {{
                const int child = first_child[node] + k;
                if (weights[child] <= 0.0) continue;
                open[n].node = child;
                open[n++].part = part * weights[child] / weights[node];
            }}
        }} else if (next == node) {{
            for (k = 0; k < VALUES; k++) {{
                volatile double product = part * factor;
                product *= values[node][k];
                totals[k] += product;
            }}
        }} else {{
            open[n].node = next;
            open[n++].part = part;
        }}
    }}
}}

/* The output of the model for a row: {outputs_are}. */
void {prefix}_says(const double *x, double *says) {{
{says}}}

{predict}"""

RULES = """\
static const int answers[] = {{{answers}}};
static const double shares[][{upper}_OUTPUTS] = {{
{shares}}};

/* The rule that predicts a row; the last one is the default. */
int {prefix}_rule(const double *x) {{
    (void)x;
{ifs}    return {default};
}}

/* The output of the model for a row: the probability of each class. */
void {prefix}_says(const double *x, double *says) {{
    memcpy(says, shares[{prefix}_rule(x)], sizeof shares[0]);
}}

/* The class that the model predicts, a position in {prefix}_classes. */
int {prefix}_predict(const double *x) {{
    return answers[{prefix}_rule(x)];
}}
"""

CODE = """\
static const char *const column_levels[] = {{{levels}NULL}};
static const int first_level[] = {{{first}}};

/* The number that stands for a category of a column: -1 if not seen in training{remark}, NAN for NULL. */
double {prefix}_code(int column, const char *text) {{
    int i;
    if (text == NULL) return NAN;
    for (i = first_level[column]; i < first_level[column + 1]; i++)
        if (strcmp(text, column_levels[i]) == 0) return i - first_level[column];
    return {unseen};
}}
"""


def describe_columns(schema: Schema, prefix: str) -> Iterator[str]:
    """Yield a line of a comment per column."""
    for i, column in enumerate(schema.columns):
        how = f" by {prefix}_code({i}, text)" if _is_text(column) else ""
        how = " as days since 1970-01-01" if column.is_date else how
        yield f" *   x[{i}]  {comment(column.name)}{how}"


def write_categories(schema: Schema, prefix: str) -> Iterator[str]:
    """Yield the classes, and the function that turns categories into numbers."""
    classes = schema.classes
    if classes and isinstance(classes[0], str):
        texts = ", ".join(_string(str(c)) for c in classes)
        yield f"const char *const {prefix}_classes[] = {{{texts}}};"
    elif classes:
        numbers = ", ".join(number(float(c)) for c in classes)
        yield f"const double {prefix}_classes[] = {{{numbers}}};"
    if any(map(_is_text, schema.columns)):
        levels = [
            [str(v) for v in c.levels or c.order] if _is_text(c) else [] for c in schema.columns
        ]
        unseen = "".join(_write_unseen(i, c) for i, c in enumerate(schema.columns)) + "-1.0"
        ordered = [column for column, c in enumerate(schema.columns) if c.order]
        yield CODE.format(
            prefix=prefix,
            unseen=unseen,
            remark=", NAN in an ordered column" if ordered else "",
            levels="".join(f"{_string(text)}, " for each in levels for text in each),
            first=join(np.cumsum([0, *map(len, levels)])),
        )


def _write_unseen(place: int, column: Column) -> str:
    """Write what an unseen category becomes, where it is not -1: missing, or the category of all others."""
    if column.order:
        return f"column == {place} ? NAN : "
    return f"column == {place} ? {len(column.levels) - 1}.0 : " if column.other else ""


def category_number(column: Column, code: int) -> float:
    """Return the number that stands for a level: its code if it is text, else itself."""
    return float(code) if _is_text(column) else float(column.levels[code])


def number(x: float) -> str:
    """Write a number that C reads as the same double."""
    return repr(float(x))


def join(numbers: Iterable[int] | Sequence[int]) -> str:
    """Write integers as the entries of an array."""
    return ", ".join(str(int(n)) for n in numbers)


def table(rows: Iterable[Iterable[float]]) -> str:
    """Write rows of numbers as the entries of an array of arrays."""
    return "".join(f"    {{{', '.join(map(number, row))}}},\n" for row in rows)


def comment(text: str) -> str:
    """Write a text that cannot end a comment."""
    safe = visible(text)[:200].encode("ascii", "backslashreplace").decode()
    return safe.replace("*/", "* /").replace("/*", "/ *").replace("??", "? ?")


def _is_text(column: Column) -> bool:
    return any(isinstance(level, str) for level in (*column.levels, *column.order))


def _string(text: str) -> str:
    """Write a C string: bytes that are not plain characters as octal numbers."""
    return '"' + "".join(chr(b) if _is_plain(b) else f"\\{b:03o}" for b in text.encode()) + '"'


def _is_plain(byte: int) -> bool:
    return 32 <= byte < 127 and chr(byte) not in '"\\?'  # "??" begins a trigraph
