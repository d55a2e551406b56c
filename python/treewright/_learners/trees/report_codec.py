"""Reports on nodes as a model file holds them.

Glossary: a *report* is what the core says of a node (see ``_core.study``), *packed* as a file holds it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from treewright._learners.trees.node_details import best_cuts
from treewright._learners.trees.other_algorithms import ALGORITHMS, Candidate
from treewright.schema import Schema

__all__ = ["Report", "pack", "trim_pure", "unpack"]

MAX_CUTS = 5  # of a numeric column in a file: their numbers are cells of the table
LARGEST = 1e150  # number in a file
Report = dict[str, Any]


def trim_pure(report: Report) -> Report:
    """Return the report on a pure node without candidates; any other as it is."""
    if report["node"]["cost"] > 0:
        return report
    return {**report, "columns": [], "chosen": None, "others": {}}


def pack(report: Report, *, sides: bool = True) -> dict[str, Any]:
    """Return a report as a file holds it: statistics as short lists, without what the file holds elsewhere.

    A numeric column has its best cuts, with or without the statistics on either side. Target numbers are cells of the
    table and stay out.

    Examples
    --------
    >>> node = {"weight": 2.0, "count": 2, "cost": 0.0, "value": [1.0, 0.0]}
    >>> packed = pack({"node": node, "chosen": None, "columns": [], "same": True})
    >>> packed, unpack(json.dumps(packed), Schema((), None, ("a", "b")))["node"] == node
    ({'node': [2.0, 2, 0.0, 1.0, 0.0], 'chosen': None, 'columns': []}, True)
    """
    columns = [_pack_column(column, report["node"], sides) for column in report["columns"]]
    packed = {"node": _pack_group(report["node"]), "chosen": report["chosen"], "columns": columns}
    if report.get("others"):
        packed["others"] = {
            name: [_pack_candidate(candidate) for candidate in candidates]
            for name, candidates in report["others"].items()
        }
    return packed


def _pack_candidate(candidate: Candidate) -> list[Any]:
    feature, gain, information, wide = candidate
    if wide:
        return [feature, gain, information, True]
    return [feature, gain, information] if information else [feature, gain]


def _pack_column(column: Mapping[str, Any], node: Any, sides: bool) -> dict[str, Any]:
    packed = {name: value for name, value in column.items() if name != "asked"}
    if "cuts" in packed:
        packed["cuts"], places = best_cuts(packed["cuts"], MAX_CUTS)
        both = packed.pop("sides")
        if sides:
            packed["sides"] = [[_pack_group(group) for group in both[i]] for i in places]
    if _pack_group(packed["known"]) == _pack_group(node):
        del packed["known"]
    for name in ("known", "unknown"):
        if name in packed:
            packed[name] = _pack_group(packed[name])
    packed["children"] = [_pack_group(child) for child in column["children"]]
    if "cuts" in packed:
        packed["cuts"] = [[_number_to_json(x) for x in cut] for cut in packed["cuts"]]
    if "threshold" in packed:
        packed["threshold"] = _number_to_json(packed["threshold"])
    return packed


def _pack_group(group: Mapping[str, Any]) -> list[Any]:
    return [group["weight"], group["count"], group["cost"], *group["value"]]


def _number_to_json(number: float) -> Any:
    return number if np.isfinite(number) else str(number)


def unpack(text: str, schema: Schema, cuts: int = MAX_CUTS) -> Report:
    """Return the report that was packed, with at most so many cuts; a file may hold anything, so all is checked."""
    return _Unpacker(schema, cuts).report(json.loads(text))


class _Unpacker:
    """Reads the report on a node of a model with some schema; what passes can be shown."""

    def __init__(self, schema: Schema, cuts: int) -> None:
        self.columns = schema.columns
        self.cuts = cuts
        self.outputs = len(schema.classes) or 1

    def report(self, packed: Any) -> Report:
        _require(isinstance(packed, dict) and isinstance(packed["columns"], list))
        node = self._group(packed["node"])
        columns = [self._column(column, node) for column in packed["columns"]]
        _require(len({column["feature"] for column in columns}) == len(columns))
        _require(node["weight"] > 0 or not columns)
        chosen = packed["chosen"]
        chosen = None if chosen is None else self._feature(chosen)
        report = {"node": node, "chosen": chosen, "columns": columns, "same": True}
        if "others" in packed or not columns:
            report["others"] = self._others(packed.get("others", {}))
        return report

    def _others(self, packed: Any) -> dict[str, list[Candidate]]:
        _require(isinstance(packed, dict) and packed.keys() <= set(ALGORITHMS))
        return {
            name: [self._candidate(*each) for each in packed[name]]
            for name in ALGORITHMS
            if name in packed
        }

    def _candidate(
        self, feature: Any, gain: Any, information: Any = 0.0, wide: Any = False
    ) -> Candidate:
        return self._feature(feature), _float(gain), _float(information), bool(wide)

    def _column(self, packed: Any, node: Report) -> Report:
        _require(isinstance(packed, dict) and packed.keys() <= PARTS)
        column: Report = {"feature": self._feature(packed["feature"])}
        column["known"] = self._group(packed["known"]) if "known" in packed else node
        if "unknown" in packed:
            column["unknown"] = self._group(packed["unknown"])
        column["children"] = [self._group(child) for child in packed["children"]]
        if "cuts" in packed:
            column["cuts"], column["sides"] = self._cuts(packed["cuts"], packed.get("sides", ()))
        for name in packed.keys() & READERS.keys():
            column[name] = READERS[name](packed[name])
        self._check_groups(column, packed)
        return column

    def _cuts(self, cuts: Any, sides: Any) -> tuple[list[Any], list[Any]]:
        """Return the best cuts, and the groups on either side of each if the file has them."""
        _require(all(len(cut) == 4 for cut in cuts) and len(sides) in (0, len(cuts)))
        groups = [(self._group(low), self._group(high)) for low, high in sides]
        best, places = best_cuts([tuple(map(_float, cut)) for cut in cuts], self.cuts)
        return best, [groups[i] for i in places] if groups else []

    def _check_groups(self, read: Report, packed: Any) -> None:
        """Check that the groups of a split fit the kind of its column."""
        column, children = self.columns[read["feature"]], len(read["children"])
        if "route" in packed:
            read["route"] = [_integer(child) for child in packed["route"]]
            _require(len(read["route"]) == len(column.levels))
        if children and column.kind == "numeric":
            _require(children == 2 or (children == 3 and not math.isinf(read["threshold"])))
        elif children:
            _require("route" in read)

    def _group(self, packed: Any) -> Report:
        weight, count, cost, *value = packed
        _require(len(value) == self.outputs)
        group: Report = {
            "weight": _float(weight),
            "count": _integer(count),
            "cost": _float(cost),
            "value": [_float(share) for share in value],
        }
        # Far beyond sums over rows, and small enough that a product of two does not overflow.
        _require(all(abs(x) <= LARGEST for x in (weight, cost, *value)))
        _require(group["weight"] >= 0 and group["cost"] >= 0)
        # Class shares; a target number may be anything.
        _require(self.outputs == 1 or all(0 <= share <= 1 + 1e-9 for share in group["value"]))
        return group

    def _feature(self, feature: Any) -> int:
        _require(_integer(feature) < len(self.columns))
        return int(feature)


def _require(valid: bool) -> None:
    if not valid:
        raise ValueError("the work of a node is not what its tree and its columns allow")


def _float(number: Any) -> float:
    """Return a number; infinity is a text."""
    _require(isinstance(number, (float, int)) or number in ("inf", "-inf"))
    value = float(number)
    _require(value == value)
    return value


def _integer(number: Any) -> int:
    _require(isinstance(number, int) and 0 <= number < 2**53)
    return int(number)


# How the numbers in the report on a column are read.
READERS: dict[str, Callable[[Any], Any]] = {
    "threshold": _float,
    "missing": _integer,
    "wide": bool,
    "gain": _float,
    "split_info": _float,
    "admissible": _integer,
    "tries": _integer,
    "price": _float,
    "least": _float,
}
PARTS = {"known", "unknown", "children", "cuts", "sides", "route", "feature", *READERS}
