"""The figures that the nodes of a small model chose by, as a file holds them.

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

FEW_CUTS = 5  # of a numeric column are in a file: their numbers are cells of the table
LARGEST = 1e150  # of any figure in a file
Report = dict[str, Any]


def trim_pure(report: Report) -> Report:
    """Return a report without candidates where there is nothing left to tell apart."""
    if report["node"]["cost"] > 0:
        return report
    return {**report, "columns": [], "chosen": None, "others": {}}


def pack(report: Report, *, sides: bool = True) -> dict[str, Any]:
    """Return a report as a file holds it: without what is said elsewhere, figures as short lists.

    Of a numeric column the best few cuts are in it, with or without what is on either side. Numbers to predict are
    cells of the table and stay out.

    Examples
    --------
    >>> node = {"weight": 2.0, "count": 2, "cost": 0.0, "value": [1.0, 0.0]}
    >>> packed = pack({"node": node, "chosen": None, "columns": [], "same": True})
    >>> packed, unpack(json.dumps(packed), Schema((), None, ("a", "b")))["node"] == node
    ({'node': [2.0, 2, 0.0, 1.0, 0.0], 'chosen': None, 'columns': []}, True)
    """
    columns = [_packed_column(column, report["node"], sides) for column in report["columns"]]
    packed = {"node": _short(report["node"]), "chosen": report["chosen"], "columns": columns}
    if report.get("others"):
        packed["others"] = {
            name: [_short_candidate(candidate) for candidate in found]
            for name, found in report["others"].items()
        }
    return packed


def _short_candidate(candidate: Candidate) -> list[Any]:
    feature, gain, information, wide = candidate
    if wide:
        return [feature, gain, information, True]
    return [feature, gain, information] if information else [feature, gain]


def _packed_column(column: Mapping[str, Any], node: Any, sides: bool) -> dict[str, Any]:
    packed = dict(column)
    if "cuts" in packed:
        packed["cuts"], places = best_cuts(packed["cuts"], FEW_CUTS)
        both = packed.pop("sides")
        if sides:
            packed["sides"] = [[_short(figures) for figures in both[i]] for i in places]
    if _short(packed["known"]) == _short(node):
        del packed["known"]
    for name in ("known", "unknown"):
        if name in packed:
            packed[name] = _short(packed[name])
    packed["children"] = [_short(child) for child in column["children"]]
    if "cuts" in packed:
        packed["cuts"] = [[_written(x) for x in cut] for cut in packed["cuts"]]
    if "threshold" in packed:
        packed["threshold"] = _written(packed["threshold"])
    return packed


def _short(figures: Mapping[str, Any]) -> list[Any]:
    return [figures["weight"], figures["count"], figures["cost"], *figures["value"]]


def _written(number: float) -> Any:
    return number if np.isfinite(number) else str(number)


def unpack(text: str, schema: Schema, cuts: int = FEW_CUTS) -> Report:
    """Return the report that was packed, with the best so many cuts; a file may say anything: every part is checked."""
    return _Unpacking(schema, cuts).report(json.loads(text))


class _Unpacking:
    """Reads the work of a node of a model with some schema; whatever passes can be shown."""

    def __init__(self, schema: Schema, cuts: int) -> None:
        self.columns = schema.columns
        self.cuts = cuts
        self.outputs = len(schema.classes) or 1

    def report(self, packed: Any) -> Report:
        _require(isinstance(packed, dict) and isinstance(packed["columns"], list))
        node = self._figures(packed["node"])
        columns = [self._column(column, node) for column in packed["columns"]]
        _require(len({column["feature"] for column in columns}) == len(columns))
        _require(node["weight"] > 0 or not columns)
        chosen = packed["chosen"]
        chosen = None if chosen is None else self._place(chosen)
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
        return self._place(feature), _float(gain), _float(information), bool(wide)

    def _column(self, packed: Any, node: Report) -> Report:
        _require(isinstance(packed, dict) and packed.keys() <= PARTS)
        found: Report = {"feature": self._place(packed["feature"])}
        found["known"] = self._figures(packed["known"]) if "known" in packed else node
        if "unknown" in packed:
            found["unknown"] = self._figures(packed["unknown"])
        found["children"] = [self._figures(child) for child in packed["children"]]
        if "cuts" in packed:
            found["cuts"], found["sides"] = self._cuts(packed["cuts"], packed.get("sides", ()))
        for name in packed.keys() & NUMBERS.keys():
            found[name] = NUMBERS[name](packed[name])
        self._check_groups(found, packed)
        return found

    def _cuts(self, cuts: Any, sides: Any) -> tuple[list[Any], list[Any]]:
        """Return the best cuts, and the groups on either side of each where a file has them."""
        _require(all(len(cut) == 4 for cut in cuts) and len(sides) in (0, len(cuts)))
        groups = [(self._figures(low), self._figures(high)) for low, high in sides]
        best, places = best_cuts([tuple(map(_float, cut)) for cut in cuts], self.cuts)
        return best, [groups[i] for i in places] if groups else []

    def _check_groups(self, found: Report, packed: Any) -> None:
        """Check that the groups of a split are those of its column's kind."""
        column, children = self.columns[found["feature"]], len(found["children"])
        if "route" in packed:
            found["route"] = [_whole_number(child) for child in packed["route"]]
            _require(len(found["route"]) == len(column.levels))
        if children and column.kind == "numeric":
            cut = found["threshold"]
            _require(children == 2 or (children == 3 and not math.isinf(cut)))
        elif children:
            _require("route" in found)

    def _figures(self, short: Any) -> Report:
        weight, count, cost, *value = short
        _require(len(value) == self.outputs)
        figures: Report = {
            "weight": _float(weight),
            "count": _whole_number(count),
            "cost": _float(cost),
            "value": [_float(share) for share in value],
        }
        # Far beyond what sums over rows reach, and far from where products of two figures overflow.
        _require(all(abs(x) <= LARGEST for x in (weight, cost, *value)))
        _require(figures["weight"] >= 0 and figures["cost"] >= 0)
        # Shares of classes; a number may be anything.
        _require(self.outputs == 1 or all(0 <= share <= 1 + 1e-9 for share in figures["value"]))
        return figures

    def _place(self, feature: Any) -> int:
        _require(_whole_number(feature) < len(self.columns))
        return int(feature)


def _require(right: bool) -> None:
    if not right:
        raise ValueError("the work of a node is not what its tree and its columns allow")


def _float(number: Any) -> float:
    """Return a number, which is a text where it is infinite."""
    _require(isinstance(number, (float, int)) or number in ("inf", "-inf"))
    value = float(number)
    _require(value == value)
    return value


def _whole_number(number: Any) -> int:
    _require(isinstance(number, int) and 0 <= number < 2**53)
    return int(number)


# What the work of a column may say, and how its numbers are read.
NUMBERS: dict[str, Callable[[Any], Any]] = {
    "threshold": _float,
    "missing": _whole_number,
    "wide": bool,
    "gain": _float,
    "split_info": _float,
    "admissible": _whole_number,
    "tries": _whole_number,
    "price": _float,
    "least": _float,
}
PARTS = {"known", "unknown", "children", "cuts", "sides", "route", "feature", *NUMBERS}
