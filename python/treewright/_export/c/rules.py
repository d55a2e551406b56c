"""A rule set as C source that needs only the standard library: an ``if`` for each rule."""

from __future__ import annotations

import re
from collections.abc import Iterator

from treewright._export.c import comment, described, is_text, number, refuse_odd, texts
from treewright._export.rule_set import RuleSet, bounds
from treewright._model.paths.regions import Interval, Values
from treewright.errors import UsageError

__all__ = ["write"]

TEXT = """\
/* {title}. Written by treewright.
 *
 * int {prefix}_predict(const double *x) answers for one row of {columns} numbers, NAN where one is missing:
{described}
 * Do not compile with -ffast-math: it assumes that no number is NAN.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

enum {{ {upper}_COLUMNS = {columns}, {upper}_OUTPUTS = {outputs}, {upper}_RULES = {rules} }};

{texts}
static const int answers[] = {{{answers}}};
static const double shares[][{upper}_OUTPUTS] = {{
{shares}}};

/* The rule that answers a row; the last one is the default. */
int {prefix}_rule(const double *x) {{
    (void)x;
{ifs}    return {default};
}}

/* What the model says of a row: the share of each class. */
void {prefix}_says(const double *x, double *says) {{
    memcpy(says, shares[{prefix}_rule(x)], sizeof shares[0]);
}}

/* The class that the model predicts, a position in {prefix}_classes. */
int {prefix}_predict(const double *x) {{
    return answers[{prefix}_rule(x)];
}}
"""


def write(model: RuleSet, *, prefix: str = "treewright") -> str:
    """Return the source of the file."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,40}", prefix):
        raise UsageError(f"{prefix!r} is no prefix of names in C", slug="usage")
    named, classes = model.sum, model.schema.classes
    refuse_odd(named)
    names = {"prefix": prefix, "upper": prefix.upper()}
    *rules, _ = model.rules
    ifs = []
    for i, rule in enumerate(rules):
        tests = [
            t for feature, values in rule.region.items() for t in _tests(model, feature, values)
        ]
        ifs.append(f"    if ({' && '.join(tests) or '1'}) return {i};\n")
    shares = (f"    {{{', '.join(map(number, rule.shares))}}},\n" for rule in model.rules)
    return TEXT.format(
        **names,
        title=comment(model.title),
        columns=len(model.schema.columns),
        outputs=len(classes),
        rules=len(model.rules),
        described="\n".join(described(named, prefix)),
        texts="\n".join(texts(named, names)),
        answers=", ".join(str(classes.index(rule.answer)) for rule in model.rules),
        shares="".join(shares),
        ifs="".join(ifs),
        default=len(rules),
    )


def _tests(model: RuleSet, feature: int, values: Values) -> Iterator[str]:
    x = f"x[{feature}]"
    if isinstance(values, Interval):
        told = " && ".join(f"{x} {sign} {number(threshold)}" for sign, threshold in bounds(values))
        told = told or f"!isnan({x})"
    else:
        column = model.schema.columns[feature]
        codes = [code for code in range(len(column.levels)) if values.has(code)]
        known = [float(c) if is_text(column) else float(column.levels[c]) for c in codes]
        told = " || ".join(f"{x} == {number(value)}" for value in known) or "0"
        told = f"({told})" if len(known) > 1 else told
    yield f"({told} || isnan({x}))" if values.missing else told
