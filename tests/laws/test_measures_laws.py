"""What must hold of the measures on any columns, not only on the worked examples."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright import measures
from treewright.measures import (
    conditional_entropy,
    entropy,
    entropy_of,
    gini,
    gini_gain,
    gini_of,
    information_gain,
    joint_entropy,
    mean_information,
    mutual_information,
    split_information,
    variance,
    variance_reduction,
)

counts = st.lists(st.integers(0, 10**6), min_size=1, max_size=12).filter(any)
amounts = st.lists(st.floats(0, 1e12), min_size=1, max_size=12).filter(any)
rows = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from("abc"), st.integers(1, 4)), min_size=1, max_size=40
)
numbers = st.floats(-1e6, 1e6)


def near(value):
    return pytest.approx(value, rel=1e-9, abs=1e-9)


def columns(table):
    x, y, weights = zip(*table, strict=True)
    return list(x), list(y), list(weights)


def repeated(column, weights):
    return [value for value, n in zip(column, weights, strict=True) for _ in range(n)]


@given(counts | amounts)
def test_entropy_lies_between_none_and_that_of_equal_shares(parts):
    possible = sum(part > 0 for part in parts)
    assert 0 <= entropy(parts) <= math.log2(possible) + 1e-12
    assert 0 <= gini(parts) <= 1 - 1 / possible + 1e-12
    assert math.copysign(1, entropy(parts)) == math.copysign(1, gini(parts)) == 1


@given(counts)
def test_counts_and_probabilities_say_the_same(parts):
    shares = [part / sum(parts) for part in parts]
    assert entropy(shares) == near(entropy(parts))
    assert gini(shares) == near(gini(parts))
    assert gini(parts) == near(1 - sum(share**2 for share in shares))


@given(counts, st.randoms(use_true_random=False))
def test_neither_order_nor_absent_classes_matter(parts, random):
    shuffled = [*parts, 0]
    random.shuffle(shuffled)
    assert entropy(shuffled) == entropy(parts)
    assert gini(shuffled) == gini(parts)


@given(counts)
def test_units_differ_by_a_constant(parts):
    bits = entropy(parts)
    assert entropy(parts, unit="nats") == near(bits * math.log(2))
    assert entropy(parts, unit="hartleys") == near(bits * math.log10(2))


@given(rows)
def test_every_measure_in_information_scales_with_the_unit(table):
    x, y, weights = columns(table)
    for measure in (
        lambda unit: entropy_of(y, sample_weight=weights, unit=unit),
        lambda unit: joint_entropy(x, y, unit=unit),
        lambda unit: conditional_entropy(y, given=x, unit=unit),
        lambda unit: information_gain(x, y, unit=unit),
        lambda unit: mutual_information(x, y, unit=unit),
        lambda unit: split_information(x, unit=unit),
        lambda unit: mean_information([weights, weights], unit=unit),
    ):
        assert measure("nats") == near(measure("bits") * math.log(2))
        assert measure("hartleys") == near(measure("bits") * math.log10(2))


@given(counts, counts)
def test_grouping_first_and_then_within_loses_nothing(one, other):
    width = max(len(one), len(other))
    groups = [parts + [0] * (width - len(parts)) for parts in (one, other)]
    between = entropy([sum(one), sum(other)])
    assert entropy(one + other) == near(between + mean_information(groups))


@given(rows)
def test_the_chain_rule(table):
    x, y, weights = columns(table)
    both = joint_entropy(x, y, sample_weight=weights)
    alone = entropy_of(x, sample_weight=weights)
    assert both == near(alone + conditional_entropy(y, given=x, sample_weight=weights))


@given(rows)
def test_gain_is_mutual_information_is_what_entropy_loses(table):
    x, y, weights = columns(table)
    gain = information_gain(x, y, sample_weight=weights)
    before = entropy_of(y, sample_weight=weights)
    assert gain == near(before - conditional_entropy(y, given=x, sample_weight=weights))
    assert gain == near(mutual_information(x, y, sample_weight=weights))
    assert gain == near(mutual_information(y, x, sample_weight=weights))
    joint = joint_entropy(x, y, sample_weight=weights)
    assert gain == near(before + entropy_of(x, sample_weight=weights) - joint)


@given(rows)
def test_no_gain_exceeds_what_either_column_holds(table):
    x, y, _ = columns(table)
    gain = information_gain(x, y)
    assert 0 <= gain <= min(entropy_of(x), entropy_of(y)) + 1e-12
    assert 0 <= gini_gain(x, y) <= gini_of(y) + 1e-12
    assert measures.gain_ratio(x, y) * split_information(x) == near(gain)
    assert 0 <= measures.gain_ratio(x, y) <= 1 + 1e-12


@given(rows)
def test_a_column_tells_all_about_itself_and_nothing_about_a_constant(table):
    x, y, _ = columns(table)
    assert information_gain(y, y) == near(entropy_of(y))
    assert gini_gain(y, y) == near(gini_of(y))
    assert information_gain(x, ["same"] * len(x)) == 0
    assert information_gain(["same"] * len(y), y) == 0


@given(counts, counts)
def test_independent_columns_share_nothing(one, other):
    cells = [(i, j, a * b) for i, a in enumerate(one) for j, b in enumerate(other)]
    x, y, weights = zip(*cells, strict=True)
    assert information_gain(x, y, sample_weight=weights) == near(0)
    assert gini_gain(x, y, sample_weight=weights) == near(0)


@given(rows)
def test_finer_questions_never_gain_less(table):
    x, y, weights = columns(table)
    finer = list(zip(x, weights, strict=True))
    assert information_gain(finer, y) >= information_gain(x, y) - 1e-12
    assert gini_gain(finer, y) >= gini_gain(x, y) - 1e-12


@given(rows)
def test_a_weight_is_a_number_of_repeats(table):
    x, y, weights = columns(table)
    many_x, many_y = repeated(x, weights), repeated(y, weights)
    for measure in (joint_entropy, information_gain, measures.gain_ratio, gini_gain):
        assert measure(x, y, sample_weight=weights) == measure(many_x, many_y)
    for measure in (entropy_of, split_information, gini_of):
        assert measure(y, sample_weight=weights) == measure(many_y)
    assert conditional_entropy(y, given=x, sample_weight=weights) == conditional_entropy(
        many_y, given=many_x
    )
    # Here the numbers themselves are multiplied by the weights, so the last digits may differ.
    assert variance(x, sample_weight=weights) == near(variance(many_x))
    assert variance_reduction(y, x, sample_weight=weights) == near(
        variance_reduction(many_y, many_x)
    )


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 2), numbers, st.floats(1e-3, 1e3)),
        min_size=1,
        max_size=40,
    ),
    st.randoms(use_true_random=False),
)
def test_the_order_of_rows_changes_no_digit(table, random):
    shuffled = list(table)
    random.shuffle(shuffled)

    def figures(table):
        x, y, z, weights = zip(*table, strict=True)
        return [
            *(
                measure(x, y, sample_weight=weights)
                for measure in (joint_entropy, information_gain, measures.gain_ratio, gini_gain)
            ),
            conditional_entropy(y, given=x, sample_weight=weights),
            variance(z, sample_weight=weights),
            variance_reduction(x, z, sample_weight=weights),
        ]

    assert figures(table) == figures(shuffled)


@given(st.lists(numbers, min_size=1, max_size=40), st.floats(-1e6, 1e6), st.floats(-100, 100))
def test_variance_ignores_a_shift_and_squares_a_factor(values, shift, factor):
    spread = variance(values)
    assert spread == pytest.approx(np.var(values), rel=1e-9, abs=1e-9)
    assert variance([value + shift for value in values]) == pytest.approx(
        spread, rel=1e-6, abs=1e-6
    )
    assert variance([value * factor for value in values]) == pytest.approx(
        spread * factor**2, rel=1e-6, abs=1e-6
    )


@given(st.lists(st.tuples(st.integers(0, 3), numbers), min_size=1, max_size=40))
def test_variance_reduction_is_the_variance_of_the_group_means(table):
    x, values = zip(*table, strict=True)
    groups = [[value for key, value in table if key == group] for group in x]
    means = [math.fsum(group) / len(group) for group in groups]
    assert 0 <= variance_reduction(x, values) <= variance(values)
    assert variance_reduction(x, values) == pytest.approx(variance(means), rel=1e-6, abs=1e-3)


@given(counts)
def test_no_code_beats_the_entropy_and_a_good_one_is_within_a_bit(parts):
    used = [part for part in parts if part]
    lengths = [math.ceil(measures.self_information(part / sum(used)) - 1e-12) for part in used]
    length = measures.expected_code_length(used, lengths)
    assert entropy(used) - 1e-9 <= length <= entropy(used) + 1
