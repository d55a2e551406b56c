"""`work` and the tree never contradict each other: choice, order of candidates, ties, sentences, reasons of leaves."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from helpers.soak import size
from treewright import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, work
from treewright._work.stopping import CODES

LEARNERS: dict[str, Any] = {
    "id3": lambda: ID3Classifier(),
    "id3 with a threshold": lambda: ID3Classifier(min_gain=0.2),
    "id3, pure enough": lambda: ID3Classifier(sufficient_majority=0.75),
    "c4.5": lambda: C45Classifier(prune=None, min_cases=1),
    "c4.5 of two cases": lambda: C45Classifier(prune=None),
    "c4.5 by gain": lambda: C45Classifier(prune=None, min_cases=1, criterion="gain"),
    "c4.5 with a threshold": lambda: C45Classifier(prune=None, min_cases=1, min_gain_ratio=0.3),
    "c4.5 of groups": lambda: C45Classifier(prune=None, min_cases=1, categorical="groups"),
    "j48": lambda: C45Classifier(prune=None, min_cases=1, variant="j48"),
    "pruned c4.5": lambda: C45Classifier(min_cases=1),
    "gini": lambda: CARTClassifier(),
    "entropy": lambda: CARTClassifier(criterion="entropy"),
    "branches": lambda: CARTClassifier(missing="branch", max_depth=2),
    "numbers": lambda: CARTRegressor(),
}


def tiny(rng: np.random.Generator, numbers: bool) -> tuple[dict[str, list[Any]], list[Any]]:
    """Return a table of few rows and values, in which ties are common."""
    rows = int(rng.integers(4, 12))
    table: dict[str, list[Any]] = {}
    for j in range(int(rng.integers(2, 6))):
        kind = rng.integers(0, 4)
        if kind == 0:
            table[f"n{j}"] = [float(x) for x in rng.integers(0, 5, rows)]
        else:
            levels = np.array(["a", "b", "c", "d"])[: rng.integers(2, 5)]
            values: list[Any] = rng.choice(levels, rows).tolist()
            if kind == 1 and rng.random() < 0.3:
                values[int(rng.integers(rows))] = None
            table[f"c{j}"] = values
    if numbers:
        return table, [float(x) for x in rng.integers(0, 4, rows)]
    return table, rng.choice(["p", "q", "r"][: rng.integers(2, 4)], rows).tolist()


def check_node(record: dict[str, Any], text: str) -> None:
    """Check that the parts of one page agree."""
    own = record["choices"][0]
    candidates = [c["column"] for c in record["candidates"]]
    best = own["chosen"]
    assert record["would_choose"][own["algorithm"]] == best
    moved = any("moved here by subtree raising" in note for note in record["notes"])
    if record["chosen"] is None:
        assert record["stop_reason"]["code"] in CODES
        assert "This node is a leaf: " in text
    else:
        assert record["stop_reason"] is None
        assert moved or record["chosen"] == best
        assert [c["verdict"] for c in record["candidates"]].count("chosen") == 1
    if best is None:
        return
    assert candidates[0] == best
    tied = own["tied"]
    assert tied == [] or (tied[0] == best and len(tied) > 1)
    assert candidates[: len(tied)] == tied  # tied columns stand together, in their own order
    scores = own["scores"]
    assert scores[best] >= max(scores.values()) - 1e-6
    for column in scores:
        assert (abs(scores[column] - scores[best]) <= 1e-9) <= (column in tied or column == best)
    competing = [scores[c] for c in candidates if c in scores]
    assert all(a >= b - 2e-6 for a, b in pairwise(competing))
    verdicts = {c["column"]: c["verdict"] for c in record["candidates"]}
    for column in tied[1:]:
        if not moved:
            assert verdicts[column] == "tie: the first column is chosen"


@pytest.mark.parametrize("name", LEARNERS)
def test_pages_agree_with_their_tree(name: str) -> None:
    """3,500 tables in the long run: 250 for each learner."""
    for seed in range(size(8, 250)):
        rng = np.random.default_rng(seed)
        table, y = tiny(rng, name == "numbers")
        model = LEARNERS[name]().fit(table, y)
        for node in range(model.tree_.n_nodes):
            page = work(model, node, width=200)
            check_node(page.to_dict(), str(page))


def root_of(model: Any) -> Any:
    return work(model, 0).to_dict()["choices"][0]["chosen"]


def test_other_algorithms_are_judged_by_their_own_rules() -> None:
    for seed in range(size(20, 500)):
        table, y = tiny(np.random.default_rng(seed), numbers=False)
        if len(set(y)) < 2:
            continue
        models = {"ID3": ID3Classifier(), "C4.5": C45Classifier(), "CART": CARTClassifier()}
        chosen = {name: root_of(model.fit(table, y)) for name, model in models.items()}
        for model in models.values():
            assert work(model, 0).to_dict()["would_choose"] == chosen
