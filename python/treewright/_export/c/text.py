"""The text of a C file: what every model has, and the pieces of those that average, add up, vote or take the middle."""

from __future__ import annotations

__all__ = ["CHEAPEST", "CLASS", "CODE", "LINKS", "NUMBER", "SAYS", "TEXT"]

TEXT = """\
/* {title}. Written by treewright.
 *
 * {result} {prefix}_predict(const double *x) answers for one row of {columns} numbers, NAN where one is missing:
{described}
 * Do not compile with -ffast-math: it assumes that no number is NAN.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

enum {{ {upper}_COLUMNS = {columns}, {upper}_OUTPUTS = {outputs}, {upper}_TREES = {trees} }};
enum {{ SUMS = {sums}, VALUES = {tree_outputs} }}; /* of the model before its link; of a tree */
enum {{ {words} }};
enum {{ DIVIDED = {divided} }};

{texts}
/* What the nodes of all trees ask: the first test of a node that holds says where a row goes. */
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
{facts}
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

/* Adds what a tree says of a row to the totals: each part of it at its end, times a factor. */
static void add(int root, double factor, const double *x, double *totals) {{
    struct {{ int node; double part; }} open[{most_open}];
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

/* What the model says of a row: {outputs_are}. */
void {prefix}_says(const double *x, double *says) {{
{says}}}

{predict}"""

SAYS = {
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
    double sums[SUMS], said[VALUES];
    int tree, k, best;
    for (k = 0; k < SUMS; k++) sums[k] = 0.0;
    for (tree = 0; tree < {upper}_TREES; tree++) {{
        for (k = 0; k < VALUES; k++) said[k] = 0.0;
        add(roots[tree], 1.0, x, said);
        for (best = 0, k = 1; k < VALUES; k++) if (said[k] > said[best]) best = k;
        sums[best] += scales[tree];
    }}
    for (k = 0; k < SUMS; k++) sums[k] = (sums[k] - ({total} - sums[k]) / (SUMS - 1.0)) / {total};
""",
    "median": """\
    double said[{upper}_TREES], weight[{upper}_TREES], reached = 0.0;
    int tree, k;
    for (tree = 0; tree < {upper}_TREES; tree++) {{
        double value = 0.0;
        add(roots[tree], 1.0, x, &value);
        for (k = tree; k > 0 && said[k - 1] > value; k--) {{
            said[k] = said[k - 1];
            weight[k] = weight[k - 1];
        }}
        said[k] = value;
        weight[k] = scales[tree];
    }}
    for (tree = 0; tree < {upper}_TREES; tree++) weight[tree] = reached += weight[tree];
    for (k = 0; weight[k] < 0.5 * reached; k++) {{}}
    says[0] = said[k];
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
        double top = sums[0], whole = 0.0;
        for (k = 1; k < SUMS; k++) if (sums[k] > top) top = sums[k];
        for (k = 0; k < SUMS; k++) whole += says[k] = own_exp((sums[k] - top) / {part});
        for (k = 0; k < SUMS; k++) says[k] /= whole;
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
CLASS = """\
/* The class that the model predicts, a position in {prefix}_classes. */
int {prefix}_predict(const double *x) {{
    double says[{upper}_OUTPUTS];
    int k, best = 0;
    {prefix}_says(x, says);
    for (k = 1; k < {upper}_OUTPUTS; k++) if (says[k] > says[best]) best = k;
    return best;
}}
"""
CHEAPEST = """\
/* The class that costs least to be wrong with, a position in {prefix}_classes. */
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
CODE = """\
static const char *const column_levels[] = {{{levels}NULL}};
static const int first_level[] = {{{first}}};

/* The number that stands for a text in a column: -1 for one never seen in training, NAN for NULL. */
double {prefix}_code(int column, const char *text) {{
    int i;
    if (text == NULL) return NAN;
    for (i = first_level[column]; i < first_level[column + 1]; i++)
        if (strcmp(text, column_levels[i]) == 0) return i - first_level[column];
    return -1.0;
}}
"""
