"""Every page of every tree is sound in every form, and so is its worksheet, whatever the rows and the names are."""

from __future__ import annotations

import contextlib
import json
import re
import xml.etree.ElementTree as ET
from typing import Any

import numpy as np
import pytest

from helpers.soak import size
from treewright import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, work
from treewright._render.formula import leaves
from treewright.errors import UsageError

NAMES = ["a_b|<c>$", "天气", "x&y\\{}", "größe 1/d²", "a\nb", "~^#%", "</script>"]
LEARNERS: dict[str, Any] = {
    "id3": lambda: ID3Classifier(),
    "c4.5": lambda: C45Classifier(min_cases=1),
    "groups": lambda: C45Classifier(prune=None, min_cases=1, categorical="groups"),
    "gini": lambda: CARTClassifier(),
    "branches": lambda: CARTClassifier(missing="branch", max_depth=2),
    "numbers": lambda: CARTRegressor(),
}


def strange_table(rng: np.random.Generator) -> tuple[dict[str, list[Any]], list[str], list[float]]:
    """Return few rows with names that no form may obey."""
    rows = int(rng.integers(2, 10))
    table: dict[str, list[Any]] = {}
    for name in rng.permutation(NAMES)[: rng.integers(1, 5)]:
        if rng.random() < 0.4:
            values: list[Any] = [float(x) for x in rng.integers(0, 5, rows)]
        else:
            values = rng.choice(NAMES[: rng.integers(2, 5)], rows).tolist()
        if rng.random() < 0.3:
            values[int(rng.integers(rows))] = None
        table[str(name)] = values
    labels = rng.choice(NAMES[: rng.integers(2, 4)], rows).tolist()
    return table, labels, rng.normal(size=rows).round(2).tolist()


def check_forms(result: Any) -> None:
    """Check that each form is what it should be."""
    ET.fromstring(result.to_html())
    ET.fromstring(result._repr_mimebundle_()["text/html"])
    latex = re.sub(r"\\[{}\\]", "", result.to_latex(standalone=True))
    assert latex.count("{") == latex.count("}")
    assert latex.count(r"\begin{") == latex.count(r"\end{")
    columns = 0
    for line in result.to_markdown().splitlines():
        here = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else 0
        assert not here or not columns or here == columns, line
        columns = here
    assert "\x1b" not in str(result)
    json.dumps(result.to_dict(), allow_nan=False)


def check_sheet(sheet: Any) -> None:
    """Check that nothing of the hidden stages is left in a worksheet, and all of it in the key."""
    document = sheet._pages()
    hidden = frozenset(sheet._stages(sheet.result._pages(worksheet=True)))
    for formula in document.formulas():
        for leaf in leaves(formula):
            assert leaf.stage not in hidden or not getattr(leaf, "text", ""), leaf
    assert all(block.chosen is None for block in document.blocks if hasattr(block, "chosen"))
    blanks = [leaf for formula in document.formulas() for leaf in leaves(formula) if leaf.blank]
    assert blanks
    both = json.loads(json.dumps(sheet.with_key().to_dict(), allow_nan=False))
    assert json.dumps(both["key"]).count('"blank": ') >= len(blanks)


@pytest.mark.slow
@pytest.mark.parametrize("learner", LEARNERS)
def test_pages_of_strange_tables(learner: str) -> None:
    rng = np.random.default_rng(0)
    for _ in range(size(4, 400)):
        table, labels, numbers = strange_table(rng)
        model = LEARNERS[learner]()
        model.fit(table, numbers if learner == "numbers" else labels)
        for node in range(min(4, model.tree_.n_nodes)):
            check_forms(work(model, node, column="all"))
            check_sheet(work(model, node, blank=True))
            check_forms(work(model, node, what="prune"))
        check_forms(work(model, 0, blank=True).with_key())
        check_forms(work(model, "all"))
        with contextlib.suppress(UsageError):  # rows that were divided cannot be counted
            check_forms(work(model, "all", blank=True).with_key())
