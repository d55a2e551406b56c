"""Hostile dumps of XGBoost and LightGBM (huge counts, cycles, NaN, missing keys, deep nesting) are clear errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treewright as tw
from treewright.errors import ModelFileError, TreewrightError

FOLDER = Path(__file__).parents[1] / "data" / "interchange"
DOCUMENTS = [path.read_text("utf-8") for path in sorted(FOLDER.glob("xgboost-*.json"))]
TEXTS = [path.read_text("utf-8") for path in sorted(FOLDER.glob("lightgbm-*.txt"))]
NUMBERS = st.sampled_from([-1, 0, 2**31, 2**63, -(2**63), 1e308, 10**400, 0.5])
VALUES: Any = st.one_of(
    NUMBERS,
    st.none(),
    st.booleans(),
    st.sampled_from(["", "x", "nan", "1e999", "9" * 5000]),
    st.sampled_from([[], {}, [[]], {"a": 1}, [1] * 50]),
)
WORDS = st.sampled_from(
    ["", "-1", "nan", "inf", "1e999", "9" * 20, "2147483648", "x", "0 0", "9" * 4500, "é", "\x00"]
)


def outcome(convert: Any, source: str) -> str:
    """Return the slug of the error, or of a model that is drawn."""
    try:
        model = convert(source)
    except TreewrightError as error:
        return error.slug
    return "interchange." if str(tw.show(model)) else "empty"


def descend(data: Any, document: Any) -> tuple[Any, Any]:
    """Draw a place in a document: a dictionary or list, and a key or index of it."""
    part, key = document, "learner"
    while isinstance(part[key], (dict, list)) and len(part[key]) and data.draw(st.integers(0, 6)):
        part = part[key]
        keys = sorted(part) if isinstance(part, dict) else range(len(part))
        key = data.draw(st.sampled_from(keys))
    return part, key


@pytest.mark.slow
@settings(max_examples=50)
@given(st.data())
def test_documents_of_xgboost(data: Any) -> None:
    document = json.loads(data.draw(st.sampled_from(DOCUMENTS)))
    for _ in range(data.draw(st.integers(1, 3))):
        part, key = descend(data, document)
        if isinstance(part, dict) and key != "learner" and data.draw(st.booleans()):
            del part[key]
        else:
            part[key] = data.draw(VALUES)
            break
    assert outcome(tw.from_xgboost, json.dumps(document)).startswith("interchange.")


@pytest.mark.slow
@settings(max_examples=80)
@given(st.data())
def test_texts_of_lightgbm(data: Any) -> None:
    lines = data.draw(st.sampled_from(TEXTS)).split("\nparameters:")[0].split("\n")
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        name, mark, values = lines[at].partition("=")
        words = values.split(" ")
        words[data.draw(st.integers(0, len(words) - 1))] = data.draw(WORDS)
        lines[at] = data.draw(st.sampled_from(["", name + mark + " ".join(words), values]))
    assert outcome(tw.from_lightgbm, "\n".join(lines) + "\n").startswith("interchange.")


def change(**figures: Any) -> str:
    document = json.loads((FOLDER / "xgboost-regression.json").read_text("utf-8"))
    learner = document["learner"]
    tree = learner["gradient_booster"]["model"]["trees"][0]
    for name, value in figures.items():
        if name == "num_feature":
            learner["learner_model_param"][name] = value
            learner["feature_names"] = learner["feature_types"] = []
        else:
            tree[name][1] = value
    return json.dumps(document)


@pytest.mark.parametrize(
    "text",
    [
        change(num_feature="4000000000"),
        change(num_feature="-1"),
        change(left_children=0),
        change(right_children=2**62),
        change(split_indices=2**63),
        change(split_conditions=float("nan")),
        '{"learner":' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"learner":' + '{"a":' * 50_000 + "1" + "}" * 50_000 + "}",
    ],
    ids=["columns", "no columns", "cycle", "child", "column", "nan", "lists", "objects"],
)
def test_dumps_that_no_training_writes(text: str) -> None:
    with pytest.raises(ModelFileError) as caught:
        tw.from_xgboost(text)
    assert caught.value.slug == "interchange.damaged"
