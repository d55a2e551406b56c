"""Id3, OneR and ZeroR agree with Weka's: trees, columns, cuts, answers and errors.

Weka's Id3 stops where the best gain is not above 0, and has no answer (null) in a branch without rows.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from helpers import golden
from treewright import ID3Classifier, OneRClassifier, ZeroRClassifier

CLASSIFIED = [name for name in golden.NAMES if name not in ("cpu", "abalone")]
NOMINAL = ["tennis", "contact-lenses", "monk1"]  # no numbers, nothing missing
TESTED = ["crx", "hypothyroid", "monk1", "adult"]


def errors(model: Any, name: str, *, test: bool = False) -> int:
    X, y = golden.load(name, test=test)
    return int((model.predict(X) != np.array(y.values())).sum())


def like_weka(tree: dict[str, Any]) -> Any:
    """Return a tree of either program without counts; null in a branch that no row took."""
    if "class" in tree:
        return None if tree.get("cases") == 0 or tree["class"] in (None, "null") else tree["class"]
    return tree["attribute"], [(test, like_weka(node)) for test, node in tree["branches"]]


@pytest.mark.parametrize("name", NOMINAL)
def test_id3_learns_the_same_tree(name: str) -> None:
    facts = golden.answers(name, "weka")["Id3"]
    clf = ID3Classifier(min_gain=0).fit(*golden.load(name))
    assert like_weka(clf.tree_.nested()) == like_weka(facts["tree"])
    assert errors(clf, name) == facts["training_errors"]


def test_id3_errs_on_the_same_new_rows() -> None:
    facts = golden.answers("monk1", "weka")["Id3"]
    clf = ID3Classifier(min_gain=0).fit(*golden.load("monk1"))
    X, y = golden.load("monk1", test=True)
    answered = clf.tree_.count[clf.apply(X)] > 0  # Weka counts rows without an answer apart
    wrong = clf.predict(X) != np.array(y.values())
    assert int((wrong & answered).sum()) == facts["test_errors"]


def test_the_sets_are_those_that_id3_can_learn() -> None:
    found = [name for name in CLASSIFIED if name not in golden.OUTSIDE]
    able = [name for name in found if "Id3" in golden.answers(name, "weka")]
    assert able == [name for name in NOMINAL if name in found]


@pytest.mark.parametrize("name", CLASSIFIED)
def test_one_r_finds_the_same_rule(name: str) -> None:
    facts = golden.answers(name, "weka")["OneR"]
    clf = OneRClassifier().fit(*golden.load(name))
    column, *lines = facts["model"][:-1]
    assert f"{clf.column_}:" == column
    rule = [line.strip("\t").split("\t-> ") for line in lines]
    cuts = sorted(cut for cut in clf.tree_.threshold.tolist() if not math.isnan(cut))
    assert cuts == [float(test[2:]) for test, _ in rule if test.startswith("< ")]
    for value, answer in probes(rule, cuts):
        row = dict.fromkeys(clf.schema_.names) | {clf.column_: value}
        assert clf.predict([row]).tolist() == [answer], (value, answer)


def probes(rule: list[list[str]], cuts: list[float]) -> list[tuple[Any, str]]:
    """Return a value that meets each line of Weka's rule, with its answer."""
    if not cuts:
        return [(None if test == "?" else test, answer) for test, answer in rule]
    inside = [
        cuts[0] - 1,
        *((a + b) / 2 for a, b in pairwise(cuts)),
        cuts[-1] + 1,
    ]
    values = [*inside, None] if rule[-1][0] == "?" else inside
    assert len(values) == len(rule)
    return [(value, answer) for value, (_, answer) in zip(values, rule, strict=True)]


@pytest.mark.parametrize("name", CLASSIFIED)
def test_one_r_makes_as_many_errors(name: str) -> None:
    facts = golden.answers(name, "weka")["OneR"]
    clf = OneRClassifier().fit(*golden.load(name))
    assert errors(clf, name) == facts["training_errors"]
    assert clf.tree_.cost[clf.tree_.n_children == 0].sum() == facts["training_errors"]
    if name in TESTED:
        assert errors(clf, name, test=True) == facts["test_errors"]


@pytest.mark.parametrize("name", CLASSIFIED)
def test_zero_r_gives_the_same_answer(name: str) -> None:
    facts = golden.answers(name, "weka")["ZeroR"]
    clf = ZeroRClassifier().fit(*golden.load(name))
    assert facts["model"] == [f"ZeroR predicts class value: {clf.tree_.answer(0)}"]
    assert errors(clf, name) == clf.tree_.errors(0) == facts["training_errors"]
    if name in TESTED:
        assert errors(clf, name, test=True) == facts["test_errors"]
