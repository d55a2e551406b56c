import ast
import inspect
import itertools
import sys

import pytest

from treewright import datasets, measures, reference
from treewright.reference import Node, id3, nested, predict


def rows_of(table):
    columns = table.to_dict()
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def levels_of(table):
    return {series.name: series.levels for series in table.series}


def learned(name, **options):
    data = datasets.load(name)
    rows, labels = rows_of(data.features), data.labels.tolist()
    levels = levels_of(data.features)
    return rows, labels, id3(rows, labels, levels=levels, classes=data.classes, **options)


def leaf(answer, cases, errors=0):
    return {"class": answer, "cases": cases, "errors": errors}


def question(attribute, **branches):
    ways = [[{"=": value}, node] for value, node in branches.items()]
    return {"attribute": attribute, "branches": ways}


def test_it_needs_nothing_but_the_standard_library():
    tree = ast.parse(inspect.getsource(reference))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    modules |= {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    assert {module.split(".")[0] for module in modules} <= sys.stdlib_module_names


def test_play_tennis():
    rows, labels, tree = learned("play-tennis")
    assert nested(tree) == question(
        "Outlook",
        Sunny=question("Humidity", High=leaf("No", 3), Normal=leaf("Yes", 2)),
        Overcast=leaf("Yes", 4),
        Rain=question("Wind", Weak=leaf("Yes", 3), Strong=leaf("No", 2)),
    )
    assert [predict(tree, row) for row in rows] == labels


def test_a_tie_in_gain_goes_to_the_first_column():
    rows, labels, tree = learned("near-cool")
    cold = question(
        "outlook",
        sunny=question("routine", indoors=leaf("N", 1), outdoors=leaf("Y", 1)),
        cloudy=leaf("Y", 2),
    )
    assert nested(tree) == question("temp", cold=cold, warm=leaf("N", 3))
    swapped = [{name: row[name] for name in ("routine", "temp", "outlook")} for row in rows]
    assert id3(swapped, labels).branches["cold"].attribute == "routine"


def test_the_truth_table_is_learned_in_full():
    rows, labels, tree = learned("truth-table")
    assert tree.attribute == "A"
    assert tree.branches["True"] == Node({"True": 4, "False": 0}, 4)
    assert [predict(tree, row) for row in rows] == labels


@pytest.mark.parametrize("width", [2, 3, 4])
def test_parity_is_solved_though_no_first_question_gains(width):
    rows = [
        {f"x{i}": bit for i, bit in enumerate(bits)}
        for bits in itertools.product((0, 1), repeat=width)
    ]
    labels = [sum(row.values()) % 2 for row in rows]
    tree = id3(rows, labels)
    assert tree.attribute == "x0"
    assert [predict(tree, row) for row in rows] == labels
    assert nested(id3(rows, labels, min_gain=0)) == leaf(0, 2**width, 2 ** (width - 1))


def test_gains_that_rounding_alone_tells_apart_are_tied():
    # Every class has each pair of values once, so both gains are 0; rounding makes b's larger.
    rows = [{"a": i % 2, "b": i // 2 % 3} for i in range(30)]
    labels = [i // 6 for i in range(30)]
    assert reference.gain(rows, labels, "a") < reference.gain(rows, labels, "b") < reference.TIE
    assert id3(rows, labels).attribute == "a"
    assert id3(rows, labels, min_gain=0).attribute is None


def test_min_gain_must_be_exceeded():
    rows, labels, _ = learned("play-tennis")
    outlook = measures.information_gain([row["Outlook"] for row in rows], labels)
    assert learned("play-tennis", min_gain=outlook - 1e-6)[2].attribute == "Outlook"
    assert nested(learned("play-tennis", min_gain=outlook)[2]) == leaf("Yes", 14, 5)


def test_gain_is_that_of_the_measures():
    rows, labels, _ = learned("play-tennis")
    for name in rows[0]:
        expected = measures.information_gain([row[name] for row in rows], labels)
        assert reference.gain(rows, labels, name) == pytest.approx(expected, abs=1e-12)


def test_limits():
    assert nested(learned("play-tennis", max_depth=0)[2]) == leaf("Yes", 14, 5)
    _, _, stump = learned("play-tennis", max_depth=1)
    assert nested(stump) == question(
        "Outlook", Sunny=leaf("No", 5, 2), Overcast=leaf("Yes", 4), Rain=leaf("Yes", 5, 2)
    )
    assert learned("play-tennis", min_samples_split=6)[2] == stump
    assert learned("play-tennis", min_samples_split=5)[2] == learned("play-tennis")[2]


def test_a_branch_without_rows_answers_what_its_parent_answers():
    rows = [{"a": "x"}, {"a": "x"}, {"a": "y"}]
    tree = id3(rows, ["no", "no", "yes"], levels={"a": ["z", "y", "x"]})
    assert list(tree.branches) == ["z", "y", "x"]
    assert tree.branches["z"] == Node({"no": 2, "yes": 1}, 0)
    assert nested(tree) == question("a", z=leaf("no", 0), y=leaf("yes", 1), x=leaf("no", 2))
    assert predict(tree, {"a": "z"}) == "no"


def test_values_seen_elsewhere_in_the_table_have_a_branch_too():
    # Where a is 0, c is never 2; the table as a whole says that it can be.
    rows = [{"a": 0, "c": c} for c in (0, 0, 1, 1, 1)] + [{"a": 1, "c": c} for c in (0, 1, 2) * 2]
    tree = id3(rows, ["n", "n", "n", "n", "y"] + ["y"] * 6)
    assert nested(tree.branches[0]) == {
        "attribute": "c",
        "branches": [
            [{"=": 0}, leaf("n", 2)],
            [{"=": 1}, leaf("n", 3, 1)],
            [{"=": 2}, leaf("n", 0)],
        ],
    }


def test_majority_ties_go_to_the_first_class():
    rows = [{"a": 0}, {"a": 0}, {"a": 1}]
    labels = ["yes", "no", "yes"]
    assert id3(rows, labels).branches[0].answer == "no"
    assert id3(rows, labels, classes=["yes", "no"]).branches[0].answer == "yes"
    assert nested(id3(rows[:2], labels[:2])) == leaf("no", 2, 1)


def test_missing_is_a_value_of_its_own_and_the_last():
    rows = [{"a": None}, {"a": "x"}, {"a": "y"}]
    tree = id3(rows, ["m", "n", "n"])
    assert list(tree.branches) == ["x", "y", None]
    assert nested(tree)["branches"][2] == [{"missing": True}, leaf("m", 1)]
    assert predict(tree, {"a": None}) == predict(tree, {}) == "m"


def test_missing_has_a_branch_wherever_the_column_is_asked_about():
    # Nothing is missing where a is 0; the table as a whole says that it can be.
    rows = [{"a": 0, "b": b} for b in (0, 1)] + [{"a": 1, "b": b} for b in (None, 0, 1)]
    tree = id3(rows, ["n", "y", "y", "y", "y"], levels={"a": [0, 1]}, max_depth=2)
    below = tree.branches[0]
    assert (tree.attribute, below.attribute) == ("a", "b")
    assert list(below.branches) == [0, 1, None]
    assert nested(below)["branches"][2] == [{"missing": True}, leaf("n", 0)]


def test_without_missing_values_in_training_a_missing_one_stops():
    _, _, tree = learned("play-tennis")
    assert predict(tree, {}) == "Yes"
    assert predict(tree, {"Outlook": "Sunny"}) == "No"


def test_unseen_values_stop_at_the_node():
    _, _, tree = learned("play-tennis")
    assert predict(tree, {"Outlook": "Foggy", "Humidity": "High", "Wind": "Strong"}) == "Yes"
    assert predict(tree, {"Outlook": "Sunny", "Humidity": "Dripping"}) == "No"


def test_columns_that_have_one_value_are_never_asked_about():
    rows = [{"one": "x", "none": None, "two": i % 2} for i in range(4)]
    labels = ["n", "y", "y", "n"]
    tree = id3(rows, labels)
    assert tree.attribute == "two"
    assert {branch.attribute for branch in tree.branches.values()} == {None}
    # With a second level declared, even an empty one, there is something to ask.
    assert id3(rows, labels, levels={"one": ["x", "y"]}).attribute == "one"


def test_an_attribute_is_used_once_on_a_path():
    rows = [{"a": 0}, {"a": 0}, {"a": 1}, {"a": 1}]
    tree = id3(rows, ["n", "y", "y", "y"])
    assert nested(tree)["branches"][0] == [{"=": 0}, leaf("n", 2, 1)]


def test_one_class_and_one_row():
    assert nested(id3([{"a": 0}, {"a": 1}], ["n", "n"])) == leaf("n", 2)
    assert nested(id3([{}], ["n"])) == leaf("n", 1)


def test_what_cannot_be_learned_from_is_refused():
    with pytest.raises(ValueError, match="not 0 and 0"):
        id3([], [])
    with pytest.raises(ValueError, match="not 1 and 2"):
        id3([{"a": 1}], ["n", "y"])
    with pytest.raises(ValueError, match=r"\['z'\] not among the possible values \['x'\]"):
        id3([{"a": "x"}, {"a": "z"}], ["n", "y"], levels={"a": ["x"]})
    with pytest.raises(ValueError, match=r"\['y'\] not among the possible values \['n'\]"):
        id3([{"a": "x"}, {"a": "z"}], ["n", "y"], classes=["n"])
