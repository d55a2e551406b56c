"""The tree as text: the layouts that users know, every special case, and bounds that always hold."""

from __future__ import annotations

import time
from textwrap import dedent

import pytest

from helpers import draw_trees
from treewright import show
from treewright._render.safe_text import cells
from treewright.schema import Column, Schema


def text(model: object, **how: object) -> str:
    return str(show(model, **({"width": 80, "lines": 60, "ascii": False} | how)))  # type: ignore[arg-type]


def block(expected: str) -> str:
    return dedent(expected).strip("\n")


TENNIS = block(
    """
    PlayTennis by ID3 (information gain)   14 rows · 8 nodes · 5 leaves · depth 2

                          node  rows   Yes  No   entropy    gain   share of Yes
    Outlook?              #0      14     9   5     0.940   0.247   █████░░░ 64.3%
    ├─ Sunny: Humidity?   #1       5     2   3     0.971   0.971   ███░░░░░ 40.0%
    │  ├─ High → No       #4       3     0   3     0.000       ·   ░░░░░░░░    0%
    │  └─ Normal → Yes    #5       2     2   0     0.000       ·   ████████  100%
    ├─ Overcast → Yes     #2       4     4   0     0.000       ·   ████████  100%
    └─ Rain: Wind?        #3       5     3   2     0.971   0.971   █████░░░ 60.0%
       ├─ Weak → Yes      #6       3     3   0     0.000       ·   ████████  100%
       └─ Strong → No     #7       2     0   2     0.000       ·   ░░░░░░░░    0%
    """
)


def test_the_tennis_tree() -> None:
    assert text(draw_trees.tennis()) == TENNIS


def test_it_needs_78_columns_for_bars() -> None:
    assert text(draw_trees.tennis(), width=78) == TENNIS
    narrower = text(draw_trees.tennis(), width=77)
    assert "█" not in narrower
    assert "└─ Rain: Wind?        #3       5     3   2     0.971   0.971\n" in narrower


def test_ascii() -> None:
    assert text(draw_trees.tennis(), ascii=True) == block(
        """
        PlayTennis by ID3 (information gain)   14 rows, 8 nodes, 5 leaves, depth 2

                                node  rows   Yes  No   entropy    gain   share of Yes
        Outlook?                #0      14     9   5     0.940   0.247   #####... 64.3%
        |-- Sunny: Humidity?    #1       5     2   3     0.971   0.971   ###..... 40.0%
        |   |-- High => No      #4       3     0   3     0.000       -   ........    0%
        |   `-- Normal => Yes   #5       2     2   0     0.000       -   ########  100%
        |-- Overcast => Yes     #2       4     4   0     0.000       -   ########  100%
        `-- Rain: Wind?         #3       5     3   2     0.971   0.971   #####... 60.0%
            |-- Weak => Yes     #6       3     3   0     0.000       -   ########  100%
            `-- Strong => No    #7       2     0   2     0.000       -   ........    0%
        """
    )


def test_narrow_papers_get_sentences() -> None:
    expected = block(
        """
        PlayTennis by ID3 (information gain)
        14 rows · 8 nodes · 5 leaves · depth 2
        Outlook = Sunny, Humidity = High: No (3/0)
        Outlook = Sunny, Humidity = Normal: Yes (2/0)
        Outlook = Overcast: Yes (4/0)
        Outlook = Rain, Wind = Weak: Yes (3/0)
        Outlook = Rain, Wind = Strong: No (2/0)
        """
    )
    assert text(draw_trees.tennis(), width=59) == expected
    assert text(draw_trees.tennis(), width=59, style="plain") == expected
    # Between conditions, where that is not enough within one.
    assert text(draw_trees.tennis(), width=30).splitlines()[3:7] == [
        "Outlook = Sunny,",
        "  Humidity = High: No (3/0)",
        "Outlook = Sunny,",
        "  Humidity = Normal: Yes (2/0)",
    ]
    assert "Outlook?" in text(draw_trees.tennis(), width=60)


def test_a_subtree_says_where_it_begins() -> None:
    assert text(draw_trees.tennis(), node=1) == block(
        """
        PlayTennis by ID3 (information gain)   14 rows · 8 nodes · 5 leaves · depth 2
        from node #1: Outlook = Sunny   5 rows · 3 nodes · 2 leaves · depth 1

                          node  rows   Yes  No   entropy    gain   share of Yes
        Humidity?         #1       5     2   3     0.971   0.971   ███░░░░░ 40.0%
        ├─ High → No      #4       3     0   3     0.000       ·   ░░░░░░░░    0%
        └─ Normal → Yes   #5       2     2   0     0.000       ·   ████████  100%
        """
    )


def test_what_is_cut_says_how_to_open_it() -> None:
    drawn = text(draw_trees.tennis(), depth=1).splitlines()[4:]
    assert drawn == [
        '├─ Sunny: … 3 nodes, 5 rows, mostly "No" (60.0%)   show(model, node=1)',
        "├─ Overcast → Yes   #2       4     4   0     0.000       ·   ████████  100%",
        '└─ Rain: … 3 nodes, 5 rows, mostly "Yes" (60.0%)   show(model, node=3)',
    ]
    command = text(draw_trees.tennis(), depth=1, command="treewright show m.tree", width=100)
    assert command.endswith("(60.0%)   treewright show m.tree --node 3")


def test_the_root_alone_can_be_cut() -> None:
    for how in ({"depth": 0}, {"lines": 1}):
        assert text(draw_trees.tennis(), **how).splitlines()[2:] == [
            '… 8 nodes, 14 rows, mostly "Yes" (64.3%)   show(model, node=0)'
        ]


def test_hints_that_do_not_fit_stand_once_at_the_end() -> None:
    drawn = text(draw_trees.full(10), lines=9, width=70).splitlines()
    cut = [line for line in drawn if "…" in line]
    assert len(cut) > 2
    assert all(line.split()[-1].startswith("#") for line in cut)
    number = cut[0].split("#")[-1]
    assert drawn[-1] == f"open a subtree by its number: show(model, node={number})"


def test_small_branches_are_folded() -> None:
    assert text(draw_trees.fan(10), min_rows=7).splitlines()[2:] == [
        "               node  rows   odd  even    cost    gain   share of odd",
        "town?          #0      45    25    20   1.000   0.022   ████░░░░ 55.6%",
        "├─ t7 → odd    #8       7     7     0   0.000       ·   ████████  100%",
        "├─ t8 → even   #9       8     0     8   0.000       ·   ░░░░░░░░    0%",
        "├─ t9 → odd    #10      9     9     0   0.000       ·   ████████  100%",
        '└─ … 7 more branches, 7 nodes, 21 rows, mostly "even" (57.1%)',
    ]


def test_numbers() -> None:
    assert text(draw_trees.prices()) == block(
        """
        price   200 rows · 6 nodes · 4 leaves · depth 2

                                           node  rows     mean     sd   gain
        petal width ≤ 0.8?                 #0     200   152.25   9.00   30.0
        ├─ yes or missing → 100.50         #1      80   100.50   4.00      ·
        └─ no: size?                       #2     120   186.80   6.32   12.0
           ├─ in {A, B, C, +14} → 180.00   #3     110   180.00   4.47      ·
           ├─ R → 250.00                   #4      10   250.00   0.00      ·
           └─ S → 186.80 (no rows)         #5       0   186.80      ·      ·
        """
    )


def test_many_classes_and_no_negative_zero() -> None:
    assert text(draw_trees.digits()) == block(
        """
        digit   550 rows · 5 nodes · 3 leaves · depth 2

                                  node  rows   classes                            cost
        x ≤ 0?                    #0     550   9: 100, 8: 90, 7: 80, 280 other   3.000
        ├─ yes → 0                #1      10   0: 10                             0.000
        └─ no: x ≤ 7.25?          #2     540   9: 100, 8: 90, 7: 80, 270 other   2.000
           ├─ yes → 0 (tie)       #3     100   0: 10, 1: 10, 2: 10, 70 other     3.250
           └─ no or missing → 9   #4     440   9: 90, 8: 80, 7: 70, 200 other    2.500
        """
    )


def test_weights_stand_beside_rows() -> None:
    schema = Schema((Column("x", "numeric"),), None, ("a", "b"))
    weighted = draw_trees.tree(
        schema,
        [
            ((0.5, 0.5), (10, 2.5), 2.5, 1.0, 0, 1e-7, 2, draw_trees.STOP),
            ((1.0, 0.0), (4, 1.25), 0.0),
            ((0.0, 1.0), (6, 1.25), 0.0),
        ],
    )
    assert text(weighted) == block(
        """
        tree   10 rows · 3 nodes · 2 leaves · depth 1

                     node  rows   weight      a     b    cost    gain   share of a
        x ≤ 1e-07?   #0      10     2.50   1.25  1.25   1.000   0.400   ████░░░░ 50.0%
        ├─ yes → a   #1       4     1.25   1.25  0      0.000       ·   ████████  100%
        └─ no → b    #2       6     1.25   0     1.25   0.000       ·   ░░░░░░░░    0%
        """
    )


def test_classes_of_equal_weight_stand_in_their_own_order() -> None:
    schema = Schema((Column("x", "numeric"),), None, ("b", "a"))
    even = draw_trees.tree(schema, [((0.5, 0.5), 4, 4.0)])
    assert text(even).splitlines()[2:] == [
        "            node  rows   b  a    cost   gain   share of b",
        "→ b (tie)   #0       4   2  2   1.000      ·   ████░░░░ 50.0%",
    ]


def test_a_category_called_missing_is_not_a_missing_value() -> None:
    column = Column("x", "categorical", ("missing", "other"))
    schema = Schema((column,), None, ("a", "b"))
    leaf = ((1.0, 0.0), 1, 0.0)
    root = ((1.0, 0.0), 3, 0.0, 0.0, 0, [0, 1], 3, 2)
    labels = [
        line.split("#")[0].strip()
        for line in text(draw_trees.tree(schema, [root, leaf, leaf, leaf])).splitlines()
    ]
    assert labels[4:] == ['├─ "missing" → a', "├─ other → a", "└─ missing → a"]


@pytest.mark.parametrize("width", [60, 66, 72, 80, 100, 200])
@pytest.mark.parametrize("ascii", [True, False])
@pytest.mark.parametrize("make", ["digits", "prices", "hostile", "full", "chain", "fan"], ids=str)
def test_no_line_is_wider_than_the_paper(make: str, width: int, ascii: bool) -> None:
    size = {"full": (9,), "chain": (300,), "fan": (300,)}.get(make, ())
    model = getattr(draw_trees, make)(*size)
    drawn = text(model, width=width, ascii=ascii)
    assert max(map(cells, drawn.splitlines())) <= width


def test_figures_stand_under_their_headings_beside_wide_characters() -> None:
    drawn = text(draw_trees.hostile(), width=120).splitlines()
    heading = next(line for line in drawn if " node " in line)
    at = heading.index("node")
    for line in drawn[drawn.index(heading) + 1 :]:
        before, number = line.split("#", 1)
        assert cells(before) == at, line
        assert number.split()[0].isdigit()


def test_a_huge_tree_is_drawn_at_once() -> None:
    model = draw_trees.full(17)
    started = time.process_time()
    drawn = text(model, lines=72)
    assert time.process_time() - started < 1.0
    assert "65,536 rows · 131,071 nodes · 65,536 leaves · depth 16" in drawn
    assert 60 <= len(drawn.splitlines()) <= 80


def test_a_chain_of_any_length_is_drawn() -> None:
    model = draw_trees.chain(100_000)
    started = time.process_time()
    for style in ("tree", "plain", "rules", "j48", "table", "summary"):
        assert len(text(model, style=style).splitlines()) <= 80
    assert time.process_time() - started < 3.0
    assert "depth 100,000" in text(model)


def test_a_root_of_many_branches_shows_the_largest() -> None:
    drawn = text(draw_trees.fan(5000), lines=12).splitlines()
    assert [line.split()[1] for line in drawn[4:14]] == [f"t{i}" for i in range(4990, 5000)]
    assert "… 4,990 more branches, 4,990 nodes, 12,447,555 rows" in drawn[14]
    assert drawn[15:] == ["", "show more branches: show(model, lines=5001)"]
