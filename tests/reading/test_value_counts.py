"""Values of columns as data in an inspection."""

from __future__ import annotations

import json

from treewright import inspect


def test_levels_are_counted() -> None:
    found = inspect(b"wind,size,x\nweak,1,a\nstrong,2,\nweak,,b\nweak,4.5,a\n")
    values = {c["name"]: c["values"] for c in found.to_dict()["columns"]}
    assert values["wind"] == {
        "distinct": 2,
        "levels": [{"value": "weak", "rows": 3}, {"value": "strong", "rows": 1}],
    }
    assert values["size"] == {"distinct": 3, "min": 1.0, "max": 4.5, "mean": 2.5}
    assert values["x"]["levels"][0] == {"value": "a", "rows": 2}
    assert json.loads(json.dumps(found.to_dict(), default=str))
    assert "values" not in found.to_csv_rows()[0]
