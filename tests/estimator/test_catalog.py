"""What learners are called: every public one, whatever its criterion, and a child of it like its parent."""

from __future__ import annotations

import pytest

import treewright
from treewright import C45Classifier, CARTClassifier, ID3Classifier, datasets, show
from treewright._catalog import ESTIMATORS, TITLES, described


def test_every_learner_has_a_name() -> None:
    assert set(TITLES) == set(ESTIMATORS)


@pytest.mark.parametrize("name", TITLES)
def test_the_first_is_the_default(name: str) -> None:
    params = getattr(treewright, name)().get_params()
    assert params.get("criterion", "") == next(iter(TITLES[name]))


def test_the_criterion_is_told() -> None:
    X, y = datasets.play_tennis()
    drawn = str(show(CARTClassifier(criterion="entropy").fit(X, y), width=120))
    assert drawn.startswith("CART (entropy)   14 rows")
    assert " entropy " in drawn
    assert " gini " not in drawn
    drawn = str(show(C45Classifier(criterion="gain").fit(X, y), width=80))
    assert drawn.startswith("C4.5 (information gain)   14 rows")


def test_a_learner_of_somebody_else_is_called_like_ours() -> None:
    class Mine(ID3Classifier):
        pass

    assert "ID3 (information gain)" in str(show(Mine().fit(*datasets.play_tennis())))


@pytest.mark.parametrize("criterion", [None, [], {}, 1, "", "beauty"])
def test_odd_criteria_in_a_file_do_no_harm(criterion: object) -> None:
    assert described("CARTClassifier", {"criterion": criterion}) == ("CART (Gini index)", "gini")
    assert described("Oracle", {"criterion": criterion}) == ("", "")
