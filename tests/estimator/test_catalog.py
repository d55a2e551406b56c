"""The catalog agrees with the classes and the type stub; titles follow the criterion, also of subclasses."""

from __future__ import annotations

from pathlib import Path

import pytest
from sklearn.base import is_classifier
from sklearn.utils.validation import has_fit_parameter

import treewright
from helpers.generated_files import type_stub
from treewright import C45Classifier, CARTClassifier, ID3Classifier, datasets, show
from treewright._catalog import HOMES, LEARNERS, title_and_unit
from treewright._estimator.model import Model


@pytest.mark.parametrize("name", LEARNERS)
def test_the_first_is_the_default(name: str) -> None:
    params = getattr(treewright, name)().get_params()
    assert params.get("criterion", "") == next(iter(LEARNERS[name].titles))


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
    assert title_and_unit("CARTClassifier", {"criterion": criterion}) == (
        "CART (Gini index)",
        "gini",
    )
    assert title_and_unit("Oracle", {"criterion": criterion}) == ("", "")


@pytest.mark.parametrize("name", LEARNERS)
def test_the_kind_and_the_task_are_those_of_the_class(name: str) -> None:
    learner, model = LEARNERS[name], getattr(treewright, name)()
    assert model._kind == learner.kind
    assert is_classifier(model) == (learner.task == "classify")
    assert set(learner.options.values()) <= set(model.get_params())
    assert has_fit_parameter(model, "sample_weight") == learner.weighted
    assert has_fit_parameter(model, "callback") >= learner.has_callback


def test_every_learner_is_in_the_catalog() -> None:
    classes = {c for c in subclasses(Model) if c.__module__ == "treewright"}
    assert {c.__name__ for c in classes} == set(LEARNERS)


def subclasses(base: type) -> set[type]:
    for name in HOMES:
        getattr(treewright, name)
    own = set(base.__subclasses__())
    return own.union(*map(subclasses, own))


def test_the_type_stub_is_written_from_the_catalog() -> None:
    stub = Path(treewright.__file__).with_suffix(".pyi")
    assert stub.read_text("utf-8") == type_stub()
