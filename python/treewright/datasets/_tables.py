"""The built-in tables as text; nothing is computed before a table is loaded.

The first line of ``rows`` names the columns; the others hold one value per column, separated by blanks. ``levels``
declares the categories of a column in the order of branches and ties; a column without levels holds numbers. The
positive class of the target comes first. To add a table, add it here and to ``TABLES``; a table of more than a few rows
is a CSV file in ``tables/`` and a row of ``_table_files``.
"""

from __future__ import annotations

from itertools import product

from treewright.datasets._table_files import TABLE_FILES, UCI, TableText

__all__ = ["TABLES", "TableText"]


PLAY_TENNIS = TableText(
    title="Is it a day for tennis?",
    description=(
        "Fourteen days, the weather on each, and whether tennis was played: the table on which "
        "ID3 is usually explained. Day is a number, not a reason: its gain is the largest "
        "possible, and it says nothing about a new day."
    ),
    source="T. M. Mitchell, Machine Learning (1997), table 3.2; after J. R. Quinlan (1986)",
    license=UCI,
    target="PlayTennis",
    ignore=("Day",),
    levels={
        "Day": tuple(f"D{day}" for day in range(1, 15)),
        "Outlook": ("Sunny", "Overcast", "Rain"),
        "Temperature": ("Hot", "Mild", "Cool"),
        "Humidity": ("High", "Normal"),
        "Wind": ("Weak", "Strong"),
        "PlayTennis": ("Yes", "No"),
    },
    rows="""
        Day  Outlook   Temperature  Humidity  Wind    PlayTennis
        D1   Sunny     Hot          High      Weak    No
        D2   Sunny     Hot          High      Strong  No
        D3   Overcast  Hot          High      Weak    Yes
        D4   Rain      Mild         High      Weak    Yes
        D5   Rain      Cool         Normal    Weak    Yes
        D6   Rain      Cool         Normal    Strong  No
        D7   Overcast  Cool         Normal    Strong  Yes
        D8   Sunny     Mild         High      Weak    No
        D9   Sunny     Cool         Normal    Weak    Yes
        D10  Rain      Mild         Normal    Weak    Yes
        D11  Sunny     Mild         Normal    Strong  Yes
        D12  Overcast  Mild         High      Strong  Yes
        D13  Overcast  Hot          Normal    Weak    Yes
        D14  Rain      Mild         High      Strong  No
    """,
)

GOLF = TableText(
    title="Is it a day for golf?",
    description=(
        "The fourteen days of play-tennis with temperature and humidity as numbers, "
        "so that a learner has to find thresholds."
    ),
    source="J. R. Quinlan, C4.5: Programs for Machine Learning (1993); values as in Weka's copy",
    license=UCI,
    target="play",
    levels={
        "outlook": ("sunny", "overcast", "rainy"),
        "windy": ("TRUE", "FALSE"),
        "play": ("yes", "no"),
    },
    rows="""
        outlook   temperature  humidity  windy  play
        sunny     85           85        FALSE  no
        sunny     80           90        TRUE   no
        overcast  83           86        FALSE  yes
        rainy     70           96        FALSE  yes
        rainy     68           80        FALSE  yes
        rainy     65           70        TRUE   no
        overcast  64           65        TRUE   yes
        sunny     72           95        FALSE  no
        sunny     69           70        FALSE  yes
        rainy     75           80        FALSE  yes
        sunny     75           70        TRUE   yes
        overcast  72           90        TRUE   yes
        overcast  81           75        FALSE  yes
        rainy     71           91        TRUE   no
    """,
)

NEAR_COOL = TableText(
    title="Seven cases to work through by hand",
    description=(
        "Temp gains most. Where it is cold, outlook and routine then gain the same, "
        "and the tie goes to the first column."
    ),
    source="a classroom example",
    target="near-cool",
    levels={
        "outlook": ("sunny", "cloudy"),
        "temp": ("cold", "warm"),
        "routine": ("indoors", "outdoors"),
        "near-cool": ("Y", "N"),
    },
    rows="""
        outlook  temp  routine   near-cool
        sunny    cold  indoors   N
        sunny    warm  outdoors  N
        cloudy   warm  indoors   N
        sunny    warm  indoors   N
        cloudy   cold  indoors   Y
        cloudy   cold  outdoors  Y
        sunny    cold  outdoors  Y
    """,
)


def _truth_table() -> str:
    rows = (f"{a} {b} {c} {(a or b) and (a or c)}" for a, b, c in product((False, True), repeat=3))
    return "\n".join(("A B C result", *rows))


TRUTH_TABLE = TableText(
    title="(A or B) and (A or C)",
    description=(
        "All eight rows of a Boolean function. A tree needs no more than A or (B and C), "
        "which is the same function."
    ),
    source="computed from the function",
    target="result",
    levels=dict.fromkeys("ABC", ("False", "True")) | {"result": ("True", "False")},
    rows=_truth_table(),
)

TABLES = {
    "play-tennis": PLAY_TENNIS,
    "golf": GOLF,
    "near-cool": NEAR_COOL,
    "truth-table": TRUTH_TABLE,
    **TABLE_FILES,
}
