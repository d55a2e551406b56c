"""Tables as text files, of columns as people bring them and worse: for tests of how columns are read."""

from __future__ import annotations

import csv
import io
import random

__all__ = ["random_csv"]

WORDS = ("NA", "n/a", "None", "null", "-", "nan", "?", "", "N/A", "–")
HOSTILE = (
    *("\u202eabc", "a\x1b[31m", "</script>", "x" * 90, "é\u0301", "日本語", "0x1F", "1e999", "inf"),
    *("1.2.3", "--1", "٣٤", "½", "1_000", "+", "e5", "''", "\u00a0", "\u2009x", "a\x1cb"),
)
AMOUNTS = ("$1,542.58", "$20", "3,5", "12,25 %", "1,234", "1.234,5", "($ 5)", "-$7", "1 234", "5%")
DATES = (
    *("2024-01-31", "2024-02-29 14:30", "2023-12-24T10:00:05.25Z", "31/01/2024", "1/31/2024"),
    *("3/4/2024", "31.12.2024", "2024-02-30", "2024-13-01", "2024/1/5", "0001-01-01"),
)


def random_csv(seed: int) -> bytes:
    """Return a table of random columns; the same for the same seed."""
    draw = random.Random(seed)
    rows = draw.choice([1, 2, 3, 5, 19, 20, 25, 40, 120, 300])
    width = draw.choice([1, 2, 3, 4, 6])
    columns = [_column(draw, rows) for _ in range(width)]
    names = draw.sample(
        ["id", "n", "zip", "Customer_ID", "#x", "2019", "2020", "5", "a b", "é", "signup", "note"],
        width,
    )
    if draw.random() < 0.1:
        names[0] = ""
    if draw.random() < 0.1:
        names = [column[0] or f"c{i}" for i, column in enumerate(columns)]
        names = [f"{name}{i}" if names.count(name) > 1 else name for i, name in enumerate(names)]
    file = io.StringIO()
    writer = csv.writer(file, delimiter=draw.choice(",,,;\t|"), lineterminator="\n")
    writer.writerow(names)
    writer.writerows(zip(*columns, strict=True))
    if draw.random() < 0.1:
        file.write("\n\n")
    return file.getvalue().encode()


def _column(draw: random.Random, rows: int) -> list[str]:
    kind = draw.randrange(14)
    make = {
        0: lambda i: str(draw.randrange(10)),
        1: lambda i: f"{draw.gauss(0, 10):.2f}",
        2: lambda i: draw.choice("abc"),
        3: lambda i: str(i + 1),
        4: lambda i: f"v{i}",
        5: lambda i: f"{draw.randrange(9):05}",
        6: lambda i: draw.choice("01"),
        7: lambda i: draw.choice(AMOUNTS[: draw.choice([2, 4, 10])]),
        8: lambda i: draw.choice(DATES[:3]),
        9: lambda i: draw.choice(DATES),
        10: lambda i: f"the parcel {draw.randrange(500)} came very late again",
        11: lambda i: draw.choice(HOSTILE),
        12: lambda i: f"v{draw.randrange(max(1, rows // 3))}",
        13: lambda i: "same",
    }[kind]
    column = [make(i) for i in range(rows)]
    share = draw.choice([0, 0, 0, 0.1, 0.4, 1.0 if draw.random() < 0.1 else 0])
    words = draw.sample(WORDS, draw.choice([1, 2]))
    column = [draw.choice(words) if draw.random() < share else cell for cell in column]
    if draw.random() < 0.1:
        column = [f" {cell} " for cell in column]
    if draw.random() < 0.05:
        column[draw.randrange(rows)] = draw.choice((*AMOUNTS, *DATES, *HOSTILE))
    return column
