"""The page with trees of the original programs beside ours, which are fitted when the site is built."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

__all__ = ["setup"]

ROOT = Path(__file__).parents[2]
HEAD = """# Fidelity

Where an algorithm has an original program, treewright reproduces its trees. The numbers on this page are computed when
the site is built: the answers of the programs are in `tests/data`, the trees of treewright are fitted now. The tests
compare every node, not only the sizes. A number of treewright that is not that of the program is bold.

Where mathematics leaves a choice open, for instance between two columns of exactly the same gain, a program decides by
the rounding of its own sums. treewright uses exact sums and takes the first column. `tests/agree/test_c45_golden.py`
and `tests/agree/test_rpart.py` list every node at which this happens: on the tables of this page, one node of labor
(C4.5 adds in single precision) and six of cpu (rpart).
"""
BESIDE = """## A tree beside the original

The golf table by C4.5 (release 8), with the rows and the errors of each leaf as the program printed them, and by
treewright:
"""
DIFFERENCES = """### Where C4.5 and treewright differ

Every node of the unpruned trees at which the two part. Below it nothing is compared.
"""


def setup(app: Any) -> dict[str, bool]:
    """Register the page."""
    app.connect("config-inited", write_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write_page(_app: Any, _config: Any) -> None:
    """Write ``generated/fidelity.md``."""
    from reference_pages import write

    sys.path.insert(0, str(ROOT / "tests"))
    parts = [HEAD, BESIDE, *write_beside("golf"), ""]
    parts += ["## C4.5, release 8", "", *write_table(compare_c45())]
    parts += ["", DIFFERENCES, *write_table(list_differences())]
    parts += ["", "## J48 of Weka 3.6.14", "", *write_table(compare_j48())]
    parts += ["", "## rpart 4.1.19", "", *write_table(compare_rpart()), ""]
    write("fidelity.md", "\n".join(parts))


def write_table(rows: Iterator[tuple[str, ...]]) -> list[str]:
    """Return a Markdown table; its first row is the head."""
    head, *rest = rows
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return lines + ["| " + " | ".join(row) + " |" for row in rest]


def mark(theirs: int, ours: int) -> str:
    """Return our number, bold if it is another one."""
    return str(ours) if ours == theirs else f"**{ours}**"


def compare_c45() -> Iterator[tuple[str, ...]]:
    """Yield nodes and training errors of both programs, for every table and option."""
    from helpers import golden
    from helpers.c45_facts import NAMES, OPTIONS, run
    from treewright import C45Classifier

    yield (
        "table",
        "options",
        "nodes, unpruned",
        "treewright",
        "nodes, pruned",
        "treewright",
        "errors",
        "treewright",
    )
    for name in NAMES:
        if name in golden.OUTSIDE:
            continue
        X, y = golden.load(name)
        for options, parameters in OPTIONS.items():
            original = run(name, options)["training"]
            grown = C45Classifier(prune=None, **parameters).fit(X, y)
            pruned = C45Classifier(**parameters).fit(X, y)
            errors = int((pruned.predict(X) != y.values()).sum())
            pairs = (
                (original["unpruned_size"], grown.tree_.n_nodes),
                (original["pruned_size"], pruned.tree_.n_nodes),
                (original["pruned_errors"], errors),
            )
            cells = (cell for theirs, ours in pairs for cell in (str(theirs), mark(theirs, ours)))
            yield name, " ".join(options) or "none", *cells


def write_beside(name: str) -> list[str]:
    """Return the tree of C4.5 and ours in two columns."""
    from helpers import golden
    from helpers.c45_facts import run, short
    from treewright import C45Classifier

    left = ["C4.5", "", *write_tree(run(name, ())["pruned"])]
    right = ["treewright", "", *write_tree(short(C45Classifier().fit(*golden.load(name))))]
    rows = zip_longest(left, right, fillvalue="")
    return ["```text", *(f"{one:<36}{other}".rstrip() for one, other in rows), "```"]


def write_tree(tree: Any, indent: str = "") -> list[str]:
    """Return the lines of a tree, as C4.5 prints it: `test: class (rows/errors)`."""
    lines = []
    ((column, branches),) = tree.items()
    for how, value, node in branches:
        test = f"{indent}{column} {how} {value:g}" if how != "=" else f"{indent}{column} = {value}"
        if isinstance(node, list):
            lines.append(f"{test}: {write_leaf(node)}")
        else:
            lines += [f"{test}:", *write_tree(node, f"{indent}|   ")]
    return lines


def write_leaf(leaf: list[Any]) -> str:
    """Return the class of a leaf, its rows and, if there are some, its errors."""
    label, rows, errors = leaf
    return f"{label} ({rows:.1f}{f'/{errors:.1f}' if errors > 0.05 else ''})"


def list_differences() -> Iterator[tuple[str, ...]]:
    """Yield the nodes at which an unpruned tree of C4.5 and ours part."""
    from helpers import golden
    from helpers.c45_facts import NAMES, OPTIONS, differences, run, short
    from treewright import C45Classifier

    yield "table", "options", "C4.5", "treewright"
    for name in NAMES:
        for options, parameters in OPTIONS.items():
            if name in golden.OUTSIDE or (original := run(name, options)["unpruned"]) is None:
                continue
            ours = short(C45Classifier(prune=None, **parameters).fit(*golden.load(name)))
            for one, other in differences(ours, original, 0.0501, errors=True):
                yield name, " ".join(options) or "none", write_node(other), write_node(one)


def write_node(node: Any) -> str:
    """Return what a node is: a leaf, or a split on a column."""
    if isinstance(node, list):
        return f"leaf: {write_leaf(node)}"
    return f"split on {next(iter(node)) if isinstance(node, dict) else node}"


def compare_j48() -> Iterator[tuple[str, ...]]:
    """Yield the nodes of J48's trees and of ours."""
    from helpers import golden
    from helpers.c45_facts import NAMES, facts, size
    from treewright import C45Classifier

    kinds = {"J48 unpruned": None, "J48": "pessimistic", "J48 reduced-error": "reduced_error"}
    yield "table", "setting", "nodes", "treewright"
    for name in NAMES:
        if name in golden.OUTSIDE:
            continue
        for kind, prune in kinds.items():
            model = C45Classifier(variant="j48", prune=prune).fit(*golden.load(name))
            theirs = size(facts(name)["j48"][kind]["tree"])
            yield name, kind, str(theirs), mark(theirs, model.tree_.n_nodes)


def compare_rpart() -> Iterator[tuple[str, ...]]:
    """Yield the nodes of rpart's trees and of ours, with their settings."""
    from agree.test_rpart import SETTINGS, fit
    from helpers import golden

    yield "table", "setting", "nodes", "treewright"
    for name in golden.NAMES:
        if name in golden.OUTSIDE:
            continue
        for setting in SETTINGS:
            model, original = fit(name, setting)
            settings = "defaults" if setting == 0 else original["options"]
            theirs = len(original["node"])
            yield name, settings, str(theirs), mark(theirs, model.tree_.n_nodes)
