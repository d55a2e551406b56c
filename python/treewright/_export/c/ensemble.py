"""How trees are combined in C: mean, sum, vote or median, then the link, then the predicted class or number."""

from __future__ import annotations

from treewright._export.c.text import join, number
from treewright._export.combined_model import CombinedModel
from treewright._model.decision import EQUAL

__all__ = ["write_constants", "write_outputs", "write_prediction"]

COMBINE = {
    "mean": """\
    int tree, k;
    for (k = 0; k < SUMS; k++) says[k] = 0.0;
    for (tree = 0; tree < {upper}_TREES; tree++) add(roots[tree], 1.0, x, says);
    for (k = 0; k < SUMS; k++) says[k] /= {upper}_TREES;
""",
    "sum": """\
    double sums[SUMS];
    int tree, k;
    for (k = 0; k < SUMS; k++) sums[k] = base[k];
    for (tree = 0; tree < {upper}_TREES; tree++) add(roots[tree], scales[tree], x, sums + targets[tree]);
""",
    "vote": """\
    double sums[SUMS], output[VALUES];
    int tree, k, best;
    for (k = 0; k < SUMS; k++) sums[k] = 0.0;
    for (tree = 0; tree < {upper}_TREES; tree++) {{
        for (k = 0; k < VALUES; k++) output[k] = 0.0;
        add(roots[tree], 1.0, x, output);
        for (best = 0, k = 1; k < VALUES; k++) if (output[k] > output[best]) best = k;
        sums[best] += scales[tree];
    }}
    for (k = 0; k < SUMS; k++) sums[k] = (sums[k] - ({total} - sums[k]) / (SUMS - 1.0)) / {total};
""",
    "median": """\
    double output[{upper}_TREES], weight[{upper}_TREES], reached = 0.0;
    int tree, k;
    for (tree = 0; tree < {upper}_TREES; tree++) {{
        double value = 0.0;
        add(roots[tree], 1.0, x, &value);
        for (k = tree; k > 0 && output[k - 1] > value; k--) {{
            output[k] = output[k - 1];
            weight[k] = weight[k - 1];
        }}
        output[k] = value;
        weight[k] = scales[tree];
    }}
    for (tree = 0; tree < {upper}_TREES; tree++) weight[tree] = reached += weight[tree];
    for (k = 0; weight[k] < 0.5 * reached; k++) {{}}
    says[0] = output[k];
""",
}
LINKS = {
    "identity": "    for (k = 0; k < SUMS; k++) says[k] = sums[k];\n",
    "exp": "    for (k = 0; k < SUMS; k++) says[k] = own_exp(sums[k]);\n",
    "logistic": """\
    says[1] = 1.0 / (1.0 + own_exp(-sums[0]));
    says[0] = 1.0 - says[1];
""",
    "softmax": """\
    {{
        double top = sums[0], total = 0.0;
        for (k = 1; k < SUMS; k++) if (sums[k] > top) top = sums[k];
        for (k = 0; k < SUMS; k++) total += says[k] = own_exp((sums[k] - top) / {divisor});
        for (k = 0; k < SUMS; k++) says[k] /= total;
    }}
""",
}
NUMBER = """\
/* The number that the model predicts. */
double {prefix}_predict(const double *x) {{
    double says[{upper}_OUTPUTS];
    {prefix}_says(x, says);
    return says[0];
}}
"""
MOST_PROBABLE = """\
/* The class that the model predicts, a position in {prefix}_classes. */
int {prefix}_predict(const double *x) {{
    double says[{upper}_OUTPUTS];
    int k, best = 0;
    {prefix}_says(x, says);
    for (k = 1; k < {upper}_OUTPUTS; k++) if (says[k] > says[best]) best = k;
    return best;
}}
"""
LEAST_COST = """\
/* The class with the least expected cost, a position in {prefix}_classes. */
int {prefix}_predict(const double *x) {{
    double says[{upper}_OUTPUTS], expected[{upper}_OUTPUTS], least = INFINITY;
    int i, k;
    {prefix}_says(x, says);
    for (k = 0; k < {upper}_OUTPUTS; k++) {{
        expected[k] = 0.0;
        for (i = 0; i < {upper}_OUTPUTS; i++) expected[k] += says[i] * costs[i][k];
        if (expected[k] < least) least = expected[k];
    }}
    for (k = 0; expected[k] > least * {slack}; k++) {{}}
    return k;
}}
"""


def write_constants(model: CombinedModel) -> str:
    """Write what the model holds besides its trees."""
    lines = []
    if model.how == "sum":
        lines.append(f"static const double base[] = {{{', '.join(map(number, model.base))}}};")
        targets = model.targets or (0,) * len(model.trees)
        lines.append(f"static const int targets[] = {{{join(targets)}}};")
    if model.how != "mean":
        scales = ", ".join(number(model.scale(i)) for i in range(len(model.trees)))
        lines.append(f"static const double scales[] = {{{scales}}};")
    if model.schema.costs:
        rows = ", ".join(f"{{{', '.join(map(number, row))}}}" for row in model.schema.costs)
        n = model.outputs
        lines.append(f"static const double costs[{n}][{n}] = {{{rows}}};")
    return "".join(f"{line}\n" for line in lines)


def write_outputs(model: CombinedModel, names: dict[str, str]) -> str:
    """Write the body of the function that combines the trees and applies the link."""
    text = COMBINE[model.how].format(**names, total=number(model.total))
    if model.how in ("mean", "median"):
        return text
    return text + LINKS[model.link].format(divisor=number(model.softmax_divisor))


def write_prediction(model: CombinedModel, names: dict[str, str]) -> str:
    """Write the function that predicts a class or a number."""
    if not model.schema.classes:
        return NUMBER.format(**names)
    return (LEAST_COST if model.schema.costs else MOST_PROBABLE).format(
        **names, slack=repr(1 + EQUAL)
    )
