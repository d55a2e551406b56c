"""Rules, Weka's layout, the node table, and the summary."""

from __future__ import annotations

from textwrap import dedent

import pytest

from helpers import draw_trees
from treewright import ZeroRClassifier, datasets, show
from treewright._render.safe_text import cells
from treewright.schema import Column, Schema


def text(model: object, style: str, **how: object) -> str:
    return str(show(model, style, **({"width": 80, "lines": 60, "ascii": False} | how)))  # type: ignore[arg-type]


def block(expected: str) -> str:
    return dedent(expected).strip("\n")


def test_rules_of_the_tennis_tree() -> None:
    assert text(draw_trees.tennis(), "rules") == (
        "  #  if                                    then  rows  correct\n"
        "  1  Outlook = Overcast                    Yes      4        4\n"
        "  2  Outlook = Sunny and Humidity = High   No       3        3\n"
        "  3  Outlook = Rain  and Wind = Weak       Yes      3        3\n"
        "  4  Outlook = Sunny and Humidity = Normal Yes      2        2\n"
        "  5  Outlook = Rain  and Wind = Strong     No       2        2"
    )


def test_rules_merge_the_conditions_on_a_column() -> None:
    assert text(draw_trees.digits(), "rules") == (
        "  #  if           then     rows  correct\n"
        "  1  x > 7.25     9         440       90\n"
        "  2  0 < x ≤ 7.25 0 (tie)   100       10\n"
        "  3  x ≤ 0        0          10       10"
    )


def test_rules_about_numbers() -> None:
    assert text(draw_trees.prices(), "rules", ascii=True).splitlines()[1:] == [
        "  1  petal width > 0.8 and size in {A, B, C, +14} 180.00             110  4.47",
        "  2  petal width <= 0.8 or missing                100.50              80  4.00",
        "  3  petal width > 0.8 and size = R               250.00              10  0.00",
        "  4  petal width > 0.8 and size = S               186.80 (no rows)     0     -",
    ]


def test_rules_are_bounded_and_say_how_many_more() -> None:
    drawn = text(draw_trees.full(17), "rules", lines=3).splitlines()
    assert sum(line.lstrip()[0].isdigit() for line in drawn) == 3
    assert (
        drawn[-1]
        == '  … 65,533 more rules for 65,533 rows   show(model, style="rules", lines=65536)'
    )


def test_rules_that_are_too_wide_are_broken_between_conditions() -> None:
    drawn = text(draw_trees.full(9), "rules", lines=5, width=60).splitlines()
    assert max(map(cells, drawn[:-1])) <= 60
    assert any(line.startswith("     and ") for line in drawn)


def test_rules_take_a_part_of_the_tree() -> None:
    model = draw_trees.tennis()
    assert text(model, "rules", node=3).count("Outlook = Rain") == 2
    assert len(text(model, "rules", node=3).splitlines()) == 3
    assert len(text(model, "rules", min_rows=3).splitlines()) == 4
    assert text(model, "rules", depth=1).splitlines()[1:] == [
        "  1  Outlook = Sunny    No       5        3",
        "  2  Outlook = Rain     Yes      5        3",
        "  3  Outlook = Overcast Yes      4        4",
    ]


def test_a_tree_without_questions() -> None:
    model = ZeroRClassifier().fit(*datasets.play_tennis())
    assert text(model, "rules").splitlines()[1:] == ["  1  always Yes     14        9"]
    assert text(model, "j48").splitlines()[0] == ": Yes (14.0/5.0)"
    assert "It has no splits." in text(model, "summary")
    assert text(model, "plain").splitlines()[-1] == "always: Yes (14/5)"


def test_j48_of_the_tennis_tree() -> None:
    assert text(draw_trees.tennis(), "j48") == (
        "Outlook = Sunny\n"
        "|   Humidity = High: No (3.0)\n"
        "|   Humidity = Normal: Yes (2.0)\n"
        "Outlook = Overcast: Yes (4.0)\n"
        "Outlook = Rain\n"
        "|   Wind = Weak: Yes (3.0)\n"
        "|   Wind = Strong: No (2.0)\n"
        "\n"
        "Number of Leaves  : \t5\n"
        "\n"
        "Size of the tree : \t8"
    )


def test_j48_of_numbers_errors_and_parts_of_rows() -> None:
    schema = Schema(
        (Column("petalwidth", "numeric"), Column("c", "categorical", ("u", "v", "w"))),
        "class",
        ("Iris-setosa", "Iris-versicolor"),
    )
    tree = draw_trees.tree(
        schema,
        [
            ((0.5, 0.5), 100, 100.0, 50.0, 0, 0.6, 2, draw_trees.STOP),
            ((1.0, 0.0), 50, 0.0),
            ((0.5, 0.5), 50, 50.0, 5.0, 1, [0, 0, 1], 3, 2),
            ((1 / 3, 2 / 3), (30, 30.333), 25.0),
            ((0.25, 0.75), (20, 14.0), 9.0),
            ((0.0, 1.0), 0, 0.0),
        ],
    )
    assert text(tree, "j48").splitlines()[:5] == [
        "petalwidth <= 0.6: Iris-setosa (50.0)",
        "petalwidth > 0.6",
        "|   c in {u, v}: Iris-versicolor (30.33/10.11)",
        "|   c = w: Iris-versicolor (14.0/3.5)",
        "|   c = ?: Iris-versicolor (0.0)",
    ]


def test_j48_is_bounded() -> None:
    drawn = text(draw_trees.full(17), "j48", lines=5).splitlines()
    assert drawn[1] == '|   c1 <= 0.5: ... 32,767 nodes, 16,384 rows, mostly "good" (50.0%)'
    assert drawn[-1] == "Size of the tree : \t131071"


def test_the_node_table() -> None:
    assert text(draw_trees.tennis(), "table", lines=3) == block(
        """
        node   parent   depth   test        prediction   rows   Yes  No   entropy    gain   errors
        #0     ·            0   Outlook?    Yes            14     9   5     0.940   0.247        5
        #1     #0           1   Humidity?   No              5     2   3     0.971   0.971        2
        #2     #0           1   ·           Yes             4     4   0     0.000       ·        0
        … 5 more nodes   show(model, style="table", lines=8)
        """
    )


def test_the_summary() -> None:
    assert text(draw_trees.tennis(), "summary", width=200).splitlines() == [
        "PlayTennis by ID3 (information gain): 8 nodes, 5 leaves, depth 2, from 14 training rows.",
        "It tests 3 of 4 columns: Outlook (1 split), Humidity (1 split), Wind (1 split).",
        'It predicts 14 of the 14 training rows correctly (100%); baseline: always "Yes", 9 (64.3%).',
        "Largest leaves: Outlook = Overcast: Yes (4 rows, 28.6%); "
        "Outlook = Sunny, Humidity = High: No (3 rows, 21.4%); "
        "Outlook = Rain, Wind = Weak: Yes (3 rows, 21.4%); and 2 more.",
    ]


def test_the_summary_counts_rows_that_stop_at_a_branch() -> None:
    schema = Schema((Column("c", "categorical", ("u", "v")),), "class", ("p", "q"))
    tree = draw_trees.tree(
        schema,
        [
            ((0.6, 0.4), 10, 10.0, 5.0, 0, [0, 1], 2, draw_trees.STOP),
            ((1.0, 0.0), 4, 0.0),
            ((0.0, 1.0), 3, 0.0),
        ],
    )
    # Of the 3 rows without a value, which the root answers with p, 2 are p.
    assert "It predicts 9 of the 10 training rows correctly (90.0%)" in text(tree, "summary")


@pytest.mark.parametrize("style", ["rules", "j48", "plain", "table", "summary"])
def test_negative_zero_is_never_shown(style: str) -> None:
    assert "-0" not in text(draw_trees.digits(), style, ascii=True)
