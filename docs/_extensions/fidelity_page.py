"""The page with trees of the original programs beside ours, which are fitted when the site is built."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

__all__ = ["setup"]

ROOT = Path(__file__).parents[2]
HEAD = """# Fidelity

Where an algorithm has an original program, treewright reproduces its trees. The numbers on this page are computed when
the site is built: the answers of the programs are in `tests/data`, the trees of treewright are fitted now. The tests
compare every node, not only the sizes.

Where mathematics leaves a choice open, for instance between two columns of exactly the same gain, a program decides by
the rounding of its own sums. treewright uses exact sums and takes the first column. `tests/agree/test_c45_golden.py`
and `tests/agree/test_rpart.py` list every node at which this happens: on the tables of this page, one node of labor
(C4.5 adds in single precision) and six of cpu (rpart).
"""


def setup(app: Any) -> dict[str, bool]:
    """Register the page."""
    app.connect("config-inited", write_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write_page(_app: Any, _config: Any) -> None:
    """Write ``generated/fidelity.md``."""
    from reference_pages import write

    sys.path.insert(0, str(ROOT / "tests"))
    parts = [HEAD, "## C4.5, release 8", "", *write_table(compare_c45())]
    parts += ["", "## J48 of Weka 3.6.14", "", *write_table(compare_j48())]
    parts += ["", "## rpart 4.1.19", "", *write_table(compare_rpart()), ""]
    write("fidelity.md", "\n".join(parts))


def write_table(rows: Iterator[tuple[str, ...]]) -> list[str]:
    """Return a Markdown table; its first row is the head."""
    head, *rest = rows
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return lines + ["| " + " | ".join(row) + " |" for row in rest]


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
            sizes = (
                original["unpruned_size"],
                grown.tree_.n_nodes,
                original["pruned_size"],
                pruned.tree_.n_nodes,
            )
            yield (
                name,
                " ".join(options) or "none",
                *map(str, (*sizes, original["pruned_errors"], errors)),
            )


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
            yield name, kind, str(size(facts(name)["j48"][kind]["tree"])), str(model.tree_.n_nodes)


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
            yield name, settings, str(len(original["node"])), str(model.tree_.n_nodes)
