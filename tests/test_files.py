"""Models to bytes, to files, to JSON, and back."""

from __future__ import annotations

import errno
import io
import json
import os
import pickle
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from treewright import (
    CARTRegressor,
    ID3Classifier,
    ModelFileError,
    OneRClassifier,
    ZeroRClassifier,
    ZeroRRegressor,
    datasets,
    load,
    save,
    show,
)
from treewright.files import from_bytes, sketch, to_bytes, to_json

SCHEMA = json.loads((Path(__file__).parents[1] / "schema" / "model.schema.json").read_text("utf-8"))
NUMBERS = {"n": [1.5, 2.0, None, 4.0, 9.0, 2.0], "b": [True, False, True, None, False, True]}
NAMES = {
    'Größe "x"\n\u2028': ["a", "b", "\\", "", "\x00", "日本"],
    "": ["0", "1", "1.0", "true", "null", "{}"],
}


SIX = ["x", "y", "x", "y", "y", "x"]
LABELS = {
    dtype: np.array([1, 0, 1, 0, 0, 1], dtype=dtype)
    for dtype in ("bool", "int8", "int64", "uint16", "float32", "float64", "str")
} | {"object": np.array(SIX, dtype=object)}


def on_tennis(model: Any) -> tuple[Any, Any]:
    X, y = datasets.play_tennis()
    return model.fit(X, y), X


# A fitted model of every kind, and rows to try it on.
CASES: dict[str, Callable[[], tuple[Any, Any]]] = {
    "id3": lambda: on_tennis(ID3Classifier()),
    "id3 with parameters": lambda: on_tennis(ID3Classifier(min_gain=0.1, max_depth=1)),
    "id3 of numbers": lambda: (ID3Classifier().fit(NUMBERS, SIX), NUMBERS),
    "id3 of odd names": lambda: (ID3Classifier().fit(NAMES, SIX), NAMES),
    "0-r": lambda: on_tennis(ZeroRClassifier()),
    "0-r of numbers": lambda: (ZeroRRegressor().fit(NUMBERS, range(6)), NUMBERS),
    "1-r": lambda: on_tennis(OneRClassifier()),
    "1-r of numbers": lambda: (OneRClassifier(min_bucket=1).fit(NUMBERS, SIX), NUMBERS),
    "without names": lambda: (ID3Classifier().fit(np.arange(12.0).reshape(6, 2), SIX), np.eye(2)),
    "one class": lambda: (ID3Classifier().fit(NUMBERS, ["x"] * 6), NUMBERS),
} | {
    f"labels of {dtype}": lambda y=y: (ID3Classifier().fit(NUMBERS, y), NUMBERS)  # type: ignore[misc]
    for dtype, y in LABELS.items()
}


@pytest.fixture(scope="module", params=CASES)
def case(request: pytest.FixtureRequest) -> tuple[Any, Any]:
    return CASES[request.param]()


@pytest.fixture(scope="module")
def tennis() -> Any:
    return ID3Classifier().fit(*datasets.play_tennis())


@pytest.mark.parametrize("seed", range(5))
def test_every_digit_of_a_number_survives_a_file(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(60, 2)), rng.normal(size=60) * 10.0 ** rng.integers(-3, 4)
    data = to_bytes(CARTRegressor().fit(X, y))
    assert to_bytes(from_bytes(data)) == data


def test_a_saved_model_gives_the_same_answers(case: tuple[Any, Any], tmp_path: Path) -> None:
    model, X = case
    path = tmp_path / "m.tree"
    save(model, path)
    again = load(path)
    assert type(again) is type(model)
    assert again.get_params() == model.get_params()
    assert again.schema_ == model.schema_
    assert again.n_features_in_ == model.n_features_in_
    assert hasattr(again, "feature_names_in_") == hasattr(model, "feature_names_in_")
    assert again.tree_.nested() == model.tree_.nested()
    np.testing.assert_array_equal(again.apply(X), model.apply(X))
    answers = again.predict(X)
    assert answers.dtype == model.predict(X).dtype
    np.testing.assert_array_equal(answers, model.predict(X))
    if hasattr(model, "classes_"):
        assert again.classes_.dtype == model.classes_.dtype
        np.testing.assert_array_equal(again.classes_, model.classes_)
        np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    else:
        assert not hasattr(again, "classes_")


def test_one_model_has_one_byte_string(case: tuple[Any, Any], tmp_path: Path) -> None:
    model, _ = case
    data = to_bytes(model)
    assert to_bytes(model) == data
    assert to_bytes(from_bytes(data)) == data
    assert to_bytes(pickle.loads(pickle.dumps(model))) == data
    save(model, tmp_path / "m.tree")
    assert (tmp_path / "m.tree").read_bytes() == data
    assert pickle.dumps(model) == pickle.dumps(from_bytes(data))


def test_any_buffer_and_any_path_will_do(tennis: Any, tmp_path: Path) -> None:
    data = to_bytes(tennis)
    for buffer in (data, bytearray(data), memoryview(data), np.frombuffer(data, np.uint8).data):
        assert to_bytes(from_bytes(buffer)) == data
    for path in (tmp_path / "plain", str(tmp_path / "m.model")):
        save(tennis, path)
        assert to_bytes(load(path)) == data
    for wrong in ("text", None, 3):
        with pytest.raises(TypeError):
            from_bytes(wrong)  # type: ignore[arg-type]


def test_what_is_not_a_fitted_model_is_not_saved(tennis: Any, tmp_path: Path) -> None:
    path = tmp_path / "m.tree"
    with pytest.raises(NotFittedError):
        save(ID3Classifier(), path)
    for wrong in (None, [1], tennis.tree_, ID3Classifier):
        with pytest.raises(TypeError, match="expected a fitted model of treewright, got"):
            save(wrong, path)
    assert not path.exists()


class Derived(ID3Classifier):
    """An estimator that no file can name, since files name only those of the package."""


def test_what_could_not_be_loaded_is_not_saved(tmp_path: Path) -> None:
    path = tmp_path / "m.tree"
    with pytest.raises(TypeError, match="Derived is not an estimator of treewright"):
        save(Derived().fit(*datasets.play_tennis()), path)
    for value in (float("inf"), [float("nan")], {1: len}):
        model = ID3Classifier().fit(*datasets.play_tennis()).set_params(min_gain=value)
        with pytest.raises(ModelFileError, match="a parameter of the model cannot be written"):
            save(model, path)
    assert not path.exists()


def test_half_characters_are_named(tmp_path: Path) -> None:
    model = ID3Classifier().fit({"a\ud800b": ["x", "y"]}, ["no", "yes"])
    with pytest.raises(ModelFileError, match="half a character") as caught:
        save(model, tmp_path / "m.tree")
    assert caught.value.slug == "model.surrogate"
    assert not list(tmp_path.iterdir())


def zipped() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("schema.json", "{}")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "slug", "words"),
    [
        (b"", "model.not-a-model", "is empty"),
        (pickle.dumps({"a": 1}), "model.pickle", "can run code"),
        (pickle.dumps(list(range(10_000)), protocol=2), "model.pickle", "can run code"),
        (zipped(), "model.not-a-model", "is a zip archive"),
        (b'{"estimator": "ID3Classifier"}', "model.not-a-model", "is JSON"),
        (b"Outlook,Play\nSunny,No\n" * 1000, "model.not-a-model", "is text"),
        (bytes(range(256)) * 100, "model.not-a-model", "holds something else"),
    ],
)
def test_other_files_are_refused_by_name(
    tmp_path: Path, data: bytes, slug: str, words: str
) -> None:
    path = tmp_path / "odd \x1b[31m name.tree"
    path.write_bytes(data)
    with pytest.raises(ModelFileError, match=words) as caught:
        load(path)
    assert caught.value.slug == slug
    assert caught.value.message.startswith(f"{tmp_path}{os.sep}odd \\x1b[31m name.tree is ") or (
        "something else" in words
    )
    assert "\x1b" not in str(caught.value)


def test_a_damaged_file_says_so(tennis: Any, tmp_path: Path) -> None:
    data = to_bytes(tennis)
    path = tmp_path / "m.tree"
    for i, damaged in enumerate(
        [data[:-1], data[:100], data + b"\0", data[:500] + b"?" + data[501:], data * 3]
    ):
        path.write_bytes(damaged)
        with pytest.raises(ModelFileError) as caught:
            load(path)
        assert caught.value.slug == "model.damaged", i
        assert caught.value.message == (
            f"{path} is damaged: its {len(damaged)} bytes do not agree with its checksum"
        )
        assert caught.value.hints


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and devices of POSIX")
def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, number in [
        (tmp_path, errno.EISDIR),
        (tmp_path / "pipe", errno.EINVAL),
        (Path("/dev/zero"), errno.EINVAL),
        (tmp_path / "missing.tree", errno.ENOENT),
    ]:
        with pytest.raises(OSError, match=str(path)) as caught:
            load(path)
        assert caught.value.errno == number


def forge(model: Any, **changes: Any) -> bytes:
    """Return a sealed file whose document has other values; None removes a key."""
    document = json.loads(model._document()) | changes
    document = {key: value for key, value in document.items() if value is not None}
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    data: bytes = model._forest.to_bytes(text)
    return data


@pytest.mark.parametrize("name", ["os.system", "Model", "Table", "datasets", "__builtins__", ""])
def test_only_estimators_of_the_package_can_be_named(tennis: Any, name: str) -> None:
    with pytest.raises(ModelFileError) as caught:
        from_bytes(forge(tennis, estimator=name))
    assert caught.value.slug == "model.unknown-estimator"


def test_a_document_that_no_model_has_is_refused(tennis: Any) -> None:
    regression = ZeroRRegressor().fit(NUMBERS, range(6))
    text = tennis._document()
    schema = json.loads(text)["schema"]
    forged = [
        forge(tennis, estimator="ZeroRRegressor"),
        forge(regression, estimator="ZeroRClassifier"),
        forge(tennis, classes_dtype="int64"),
        forge(tennis, classes_dtype="float16"),
        forge(tennis, schema=schema | {"classes": ["No", 10**400]}, classes_dtype="object"),
        forge(tennis, schema=schema | {"classes": ["No", 1]}, classes_dtype="object"),
        tennis._forest.to_bytes(text.replace(",", ", ")),
        tennis._forest.to_bytes(text.replace('"No"', '"\\u004eo"')),
        tennis._forest.to_bytes(text.replace('"max_depth":null', '"max_depth":1.0e0')),
        tennis._forest.to_bytes(text.replace('"Weak"', "1e999")),
        tennis._forest.to_bytes(text.replace('"Weak"', "9" * 5000)),
        tennis._forest.to_bytes(text.replace('"max_depth":null', '"max_depth":1,"max_depth":null')),
        tennis._forest.to_bytes(
            text.replace('"named":true,', "").replace('"estimator"', '"named":true,"estimator"')
        ),
    ]
    for i, data in enumerate(forged):
        with pytest.raises(ModelFileError) as caught:
            from_bytes(data)
        assert caught.value.slug == "model.document", i
        assert caught.value.message.startswith("the description of the model is wrong: "), i


def test_a_sketch_is_drawn_like_the_model(case: tuple[Any, Any], tmp_path: Path) -> None:
    model, _ = case
    path = tmp_path / "m.tree"
    save(model, path)
    for style in ("tree", "rules", "table"):
        assert str(show(sketch(path), style)) == str(show(load(path), style))


def test_a_sketch_is_as_careful_as_a_model(tennis: Any, tmp_path: Path) -> None:
    path = tmp_path / "m.tree"
    text = tennis._document()
    for slug, data in (
        ("model.unknown-estimator", forge(tennis, estimator="Oracle")),
        ("model.document", forge(tennis, estimator="ZeroRRegressor")),
        ("model.document", tennis._forest.to_bytes(text.replace(",", ", "))),
        ("model.not-a-model", b"sketch"),
    ):
        path.write_bytes(data)
        with pytest.raises(ModelFileError) as caught:
            sketch(path)
        assert caught.value.slug == slug
        assert caught.value.message.startswith(str(path))


def test_an_error_names_the_file_once(tennis: Any, tmp_path: Path) -> None:
    path = tmp_path / "m.tree"
    path.write_bytes(forge(tennis, estimator="Oracle"))
    with pytest.raises(ModelFileError) as caught:
        load(path)
    assert caught.value.message.startswith(f"{path}: ")


def test_the_readable_form_is_what_the_schema_says(case: tuple[Any, Any]) -> None:
    model, _ = case
    validator = jsonschema.Draft202012Validator(SCHEMA)
    validator.check_schema(SCHEMA)
    form = json.loads(json.dumps(to_json(model), allow_nan=False))
    validator.validate(form)
    tree = form["trees"][0]
    table = model.tree_
    assert tree["first_child"] == table.first_child.tolist()
    assert tree["value"] == table.value.tolist()
    assert [np.nan if t is None else t for t in tree["threshold"]] == pytest.approx(
        table.threshold.tolist(), abs=0, rel=0, nan_ok=True
    )
    document = {key: form[key] for key in form if key not in ("form", "trees")}
    assert document == json.loads(model._document())


def test_the_schema_refuses_other_forms(tennis: Any) -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)
    tree = to_json(tennis)["trees"][0]
    wrong: list[dict[str, Any]] = [
        {"form": 2},
        {"trees": []},
        {"code": "print()"},
        {"trees": [tree | {"missing": [70_000]}]},
        {"trees": [tree | {"value": [0.5]}]},
        {"trees": [tree | {"more": []}]},
        {"trees": [{k: v for k, v in tree.items() if k != "gain"}]},
        {"classes_dtype": "S9"},
        {"schema": {"columns": [{"name": "a", "kind": "numeric", "levels": []}], "target": None}},
        {"schema": {"columns": [{"name": "a", "kind": "categorical"}], "target": None}},
        {"schema": {"columns": [], "target": None, "classes": [None]}},
        {"schema": {"columns": [], "target": None}},
    ]
    assert validator.is_valid(to_json(tennis))
    for i, change in enumerate(wrong):
        assert not validator.is_valid(to_json(tennis) | change), i
