import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from treewright import datasets, measures
from treewright.errors import DataError, UsageError

COIN = ["H", "T", "T", "H", "T"]


def tennis(measure):
    X, y = datasets.play_tennis()
    return [round(measure(X[name], y), 3) for name in X]


def raised(call, *args, **kwargs):
    with pytest.raises((DataError, UsageError)) as caught:
        call(*args, **kwargs)
    return caught.value


@pytest.mark.parametrize(
    ("counts", "bits"),
    [
        ([50, 5], 0.4394969869),
        ([30, 25], 0.9940302115),
        ([0.8, 0.2], 0.7219280949),
        ([1] * 8, 3),
        ([0.6, 0.4], 0.9709505945),
        ([0.9, 0.1], 0.4689955936),
        ([9, 5], 0.9402859587),
        ([7, 0, 0], 0),
    ],
)
def test_entropy_of_known_distributions(counts, bits):
    assert measures.entropy(counts) == pytest.approx(bits, abs=1e-10)


def test_units_are_the_bases_of_the_logarithm():
    assert measures.entropy([1, 1], unit="bits") == 1
    assert measures.entropy([1, 1], unit="nats") == math.log(2)
    assert measures.entropy([1, 1], unit="hartleys") == math.log10(2)
    assert measures.self_information(0.01, unit="hartleys") == 2


def test_four_tosses_and_their_run_length_code():
    heads = 0.8**4
    assert measures.expected_code_length([heads, 1 - heads], [1, 5]) == pytest.approx(3.3616)
    tosses = [math.prod(p) for p in np.array(np.meshgrid(*[[0.8, 0.2]] * 4)).reshape(4, -1).T]
    assert measures.entropy(tosses) == pytest.approx(2.8877, abs=1e-4)
    assert measures.entropy(tosses) == pytest.approx(4 * measures.entropy([0.8, 0.2]))


def test_the_columns_of_play_tennis():
    def left(x, y):
        return measures.conditional_entropy(y, given=x)

    assert tennis(left) == [0.694, 0.911, 0.788, 0.892]
    assert tennis(measures.information_gain) == [0.247, 0.029, 0.152, 0.048]
    assert tennis(measures.mutual_information) == [0.247, 0.029, 0.152, 0.048]
    assert tennis(lambda x, y: measures.split_information(x)) == [1.577, 1.557, 1.0, 0.985]
    assert tennis(measures.gain_ratio) == [0.156, 0.019, 0.152, 0.049]
    assert tennis(measures.gini_gain) == [0.116, 0.019, 0.092, 0.031]


def test_the_day_gains_all_there_is():
    tennis = datasets.load("play-tennis")
    day = tennis.table["Day"]
    assert measures.information_gain(day, tennis.labels) == pytest.approx(
        measures.entropy_of(tennis.labels)
    )
    assert measures.gain_ratio(day, tennis.labels) == pytest.approx(0.940286 / math.log2(14), 1e-5)


def test_mean_information_is_the_conditional_entropy_of_a_table_of_counts():
    X, y = datasets.play_tennis()
    counts = [[2, 3], [4, 0], [3, 2]]
    expected = measures.conditional_entropy(y, given=X["Outlook"])
    assert measures.mean_information(counts) == expected
    assert measures.mean_information([*counts, [0, 0]]) == expected
    assert measures.mean_information(np.array(counts)) == expected


def test_self_information_of_the_impossible_and_the_certain():
    assert measures.self_information(0) == math.inf
    assert str(measures.self_information(1)) == "0.0"


@pytest.mark.parametrize("unit", ["bits", "nats", "hartleys"])
def test_no_result_is_the_negative_zero(unit):
    one = ["a", "a", "a"]
    results = [
        measures.self_information(1, unit=unit),
        measures.entropy([5], unit=unit),
        measures.entropy([1, 0], unit=unit),
        measures.entropy_of(one, unit=unit),
        measures.joint_entropy(one, one, unit=unit),
        measures.conditional_entropy(one, given=one, unit=unit),
        measures.mean_information([[3, 0]], unit=unit),
        measures.information_gain(one, one, unit=unit),
        measures.split_information(one, unit=unit),
        measures.gain_ratio(one, one),
        measures.gini([5]),
        measures.gini_gain(one, one),
        measures.variance([2, 2]),
        measures.variance_reduction(one, [2, 2, 2]),
        measures.expected_code_length([1], [0]),
    ]
    assert [str(result) for result in results] == ["0.0"] * len(results)


def test_rounding_does_not_make_a_gain_negative():
    x, y = [i % 5 for i in range(15)], [i // 5 for i in range(15)]
    assert measures.entropy_of(y) < measures.conditional_entropy(y, given=x)
    assert str(measures.information_gain(x, y)) == "0.0"


def test_a_column_with_one_value_has_no_ratio():
    assert measures.gain_ratio(["a", "a"], [0, 1]) == 0


def test_variance_and_its_reduction():
    assert measures.variance([2, 4, 4, 4, 5, 5, 7, 9]) == 4
    assert measures.variance([0, 10], sample_weight=[3, 1]) == pytest.approx(18.75)
    groups, values = ["a", "b", "a", "b"], [0, 10, 2, 12]
    assert measures.variance_reduction(groups, values) == 25
    assert measures.variance_reduction(groups, values, sample_weight=[1, 0, 1, 0]) == 0


def test_variance_of_equal_numbers_is_exactly_zero():
    assert measures.variance([0.1] * 3) == 0
    assert measures.variance([0.0, 0.1, 0.1, 0.1], sample_weight=[0, 1, 1, 1]) == 0


@pytest.mark.parametrize("scale", [5e-324, 1e-200, 1e-3, 1e300, 8.9e307])
def test_amounts_matter_only_in_proportion(scale):
    assert measures.entropy([scale, scale]) == 1
    assert measures.gini([scale, scale]) == 0.5
    assert measures.entropy_of([0, 1, 1], sample_weight=[2 * scale, scale, scale]) == 1
    assert measures.variance([0, 1], sample_weight=[scale, scale]) == 0.25
    assert measures.mean_information([[scale, scale], [scale, scale]]) == 1


def test_amounts_too_small_to_matter_do_not():
    assert measures.entropy([5e-324, 1, 1]) == pytest.approx(1)
    # Here 5e-324 survives the scaling, and vanishes when it is divided by the sum.
    assert measures.entropy([5e-324, 0.75, 0.75, 0.75, 0.75]) == pytest.approx(2)
    assert measures.conditional_entropy([0, 1], given="aa", sample_weight=[5e-324, 1]) == 0


@pytest.mark.parametrize(
    "container",
    [
        list,
        tuple,
        iter,
        np.array,
        lambda values: np.array(values, dtype=object),
        pd.Series,
        pd.Categorical,
        pl.Series,
        lambda values: pl.Series(values, dtype=pl.Categorical),
        pa.array,
        lambda values: pa.chunked_array([values[:2], values[2:]]),
    ],
)
def test_any_container_gives_the_same_figures(container):
    x, y = list("aabbb"), COIN
    assert measures.entropy_of(container(y)) == measures.entropy([2, 3])
    assert measures.information_gain(container(x), container(y)) == measures.information_gain(x, y)


@pytest.mark.parametrize("container", [iter, np.array, pd.Series, pl.Series, pa.array])
def test_any_container_holds_numbers(container):
    counts, weights = container([9, 5]), container([1.0, 1.0, 2.0])
    assert measures.entropy(counts) == measures.entropy([9, 5])
    assert measures.variance([1, 2, 3], sample_weight=weights) == measures.variance([1, 2, 3, 3])


def test_values_of_different_types_are_different():
    assert measures.entropy_of([1, "1"]) == 1
    assert measures.entropy_of([(1, 2), "x", frozenset(), b"x"]) == 2


@pytest.mark.parametrize("unit", ["bit", "", "Bits", None])
def test_an_unknown_unit(unit):
    for call in (
        lambda: measures.entropy([1], unit=unit),
        lambda: measures.self_information(0, unit=unit),
        lambda: measures.information_gain([1], [1], unit=unit),
    ):
        error = raised(call)
        assert isinstance(error, UsageError)
        assert error.slug == "usage.unit"
        assert error.hints == ("units: bits, nats, hartleys",)


@pytest.mark.parametrize(
    ("counts", "slug"),
    [
        ([], "data.empty"),
        ([0, 0], "data.empty"),
        ([3, -1], "data.negative"),
        ([math.nan, 1], "data.not-finite"),
        ([math.inf, 1], "data.not-finite"),
        ([None, 1], "data.not-finite"),
        (["yes", "no"], "data.not-numeric"),
        (["1", "2"], "data.not-numeric"),
        (np.array(["1", 2], dtype=object), "data.not-numeric"),
        ([pd.NA, 1], "data.not-numeric"),
        ([1j], "data.not-numeric"),
        ([10**5000], "data.too-large"),
        (3, "data.not-a-column"),
        ([[1, 2], [3]], "data.not-a-column"),
        (np.ones((2, 2)), "data.not-a-column"),
    ],
)
def test_counts_that_cannot_be_counts(counts, slug):
    for measure in (measures.entropy, measures.gini):
        assert raised(measure, counts).slug == slug


def test_labels_given_as_counts_are_pointed_to_the_right_function():
    error = raised(measures.entropy, ["yes", "no"])
    assert error.message == "counts must hold numbers; it holds 'yes'"
    assert error.hints == ("for labels: entropy_of, gini_of",)


@pytest.mark.parametrize("missing", [None, math.nan, pd.NA, pd.NaT, np.datetime64("NaT", "D")])
def test_missing_values_are_refused(missing):
    error = raised(measures.entropy_of, ["a", "b", missing])
    assert (error.slug, error.message) == ("data.missing", "labels has a missing value in row 2")
    assert raised(measures.gini_gain, ["a", "b", "c"], ["a", missing, "b"]).slug == "data.missing"
    error = raised(measures.conditional_entropy, ["a", "b"], given=[missing, "b"])
    assert error.message == "given has a missing value in row 0"


@pytest.mark.parametrize(
    "missing", [pd.Series([1, None], dtype="Int64"), pl.Series([1, None]), pa.array(["a", None])]
)
def test_missing_values_of_frames_are_refused(missing):
    assert raised(measures.entropy_of, missing).slug == "data.missing"


def test_lengths_that_differ():
    error = raised(measures.information_gain, [1, 2], [1, 2, 3])
    assert error.slug == "data.lengths"
    assert error.message == "the lengths differ (x: 2, y: 3)"
    for call in (
        lambda: measures.entropy_of([1, 2], sample_weight=[1]),
        lambda: measures.gini_gain([1, 2], [1, 2], sample_weight=[1]),
        lambda: measures.variance([1, 2], sample_weight=[1]),
        lambda: measures.variance_reduction([1], [1, 2]),
        lambda: measures.expected_code_length([0.5, 0.5], [1]),
        lambda: measures.mean_information([[1, 2], [1]]),
    ):
        assert raised(call).slug == "data.lengths"


@pytest.mark.parametrize("frame", [pd.DataFrame({"a": [1]}), pl.DataFrame({"a": [1]}), [[1], [2]]])
def test_a_table_is_not_a_column(frame):
    assert raised(measures.entropy_of, frame).slug == "data.not-a-column"


def test_other_values_that_make_no_sense():
    for probability in (-0.1, 1.1):
        assert raised(measures.self_information, probability).slug == "data.probability"
    assert raised(measures.self_information, math.nan).slug == "data.not-finite"
    assert raised(measures.entropy_of, []).slug == "data.empty"
    assert raised(measures.mean_information, []).slug == "data.empty"
    assert raised(measures.mean_information, [[0, 0]]).slug == "data.empty"
    assert raised(measures.mean_information, [[1, 2], [3, -4]]).message == (
        "children[1][1] is -4; it must not be negative"
    )
    assert raised(measures.gini_of, [1, 2], sample_weight=[1, -1]).slug == "data.negative"
    assert raised(measures.gini_of, [1, 2], sample_weight=[0, 0]).slug == "data.empty"
    assert raised(measures.expected_code_length, [1], [-1]).slug == "data.negative"
    assert raised(measures.variance, [1e200, -1e200]).slug == "data.too-large"
