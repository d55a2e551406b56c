"""rpart's rules in plain Python, one after the other, for tables so small that nothing needs to be fast.

A column is a list of numbers, or of levels as text, None where missing. A question is a function from a value to 0 (the
side of the smaller numbers or of the first level that occurs), 1, or None where it does not answer. Where two splits
are equally good, `TieError` is raised: then the rules leave a choice that rounding would make.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import Any

import numpy as np

CLOSE = 1e-7
Question = Callable[[Any], int | None]


class TieError(Exception):
    """Two splits are equally good."""


@dataclass
class Node:
    rows: list[int]
    dev: float
    says: Any
    column: int | None = None
    cut: Any = None
    surrogates: list[tuple[int, float, float]] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)
    less: int = 0  # the child that answers less: rpart's left
    complexity: float = 0.0


@dataclass
class Twin:
    columns: list[list[Any]]
    y: np.ndarray
    w: np.ndarray
    classes: int  # 0 for numbers
    prior: np.ndarray  # factor of each class: its prior over its share
    costs: np.ndarray
    minsplit: int
    minbucket: int
    cp: float
    maxsurrogate: int = 5

    def counts(self, rows: Sequence[int]) -> np.ndarray:
        return np.bincount(self.y[rows], self.w[rows], self.classes)

    def leaf(self, rows: list[int]) -> Node:
        if not self.classes:
            mean = np.average(self.y[rows], weights=self.w[rows])
            return Node(rows, float((self.w[rows] * (self.y[rows] - mean) ** 2).sum()), float(mean))
        risk = (self.counts(rows) * self.prior) @ self.costs
        return Node(rows, float(risk.min()), int(np.argmin(risk)))

    def impurity(self, rows: list[int]) -> float:
        if not self.classes:
            return self.leaf(rows).dev
        all_rows = self.counts(range(len(self.y))) * self.prior
        scale = (all_rows / all_rows.sum() * self.costs.sum(axis=1)).sum()
        n = self.counts(rows) * self.prior * self.costs.sum(axis=1) / scale
        return float(n.sum() - (n**2).sum() / n.sum())

    def middle(self, rows: list[int]) -> float:
        if not self.classes:
            return float(np.average(self.y[rows], weights=self.w[rows]))
        n = self.counts(rows) * self.prior * self.costs.sum(axis=1)
        return float((np.arange(self.classes) * n).sum() / n.sum())

    def questions(self, column: int, rows: list[int]) -> Iterator[tuple[Any, Question]]:
        """Give the divisions that a column allows: numbers by cut, levels by the set of the first of them."""
        values = [self.columns[column][row] for row in rows]
        found = sorted({value for value in values if value is not None})
        if isinstance(found[0] if found else 0, str):
            for side in self.sets(column, rows, found):
                yield side, lambda v, s=side, f=found: None if v not in f else int(v not in s)
        else:
            for a, b in pairwise(found):
                yield (a + b) / 2, lambda v, c=(a + b) / 2: None if v is None else int(v > c)

    def sets(self, column: int, rows: list[int], found: list[str]) -> Iterator[tuple[str, ...]]:
        """Give the sets of levels that are tried, each with the first level: all, or beginnings of an order."""
        if self.classes > 2:
            for n in range(len(found) - 1):
                yield from ((found[0], *more) for more in combinations(found[1:], n))
            return
        at = {level: [row for row in rows if self.columns[column][row] == level] for level in found}
        order = sorted(found, key=lambda level: self.middle(at[level]))
        for n in range(1, len(found)):
            side = order[:n] if found[0] in order[:n] else order[n:]
            yield tuple(sorted(side))

    def sides(self, column: int, ask: Question, rows: list[int]) -> list[int | None]:
        return [ask(self.columns[column][row]) for row in rows]

    def split(self, rows: list[int]) -> tuple[int, Any, Question] | None:
        best: list[tuple[float, int, Any, Question]] = []
        for column in range(len(self.columns)):
            known = [row for row in rows if self.columns[column][row] is not None]
            for cut, ask in self.questions(column, rows):
                side = self.sides(column, ask, known)
                low = [row for row, s in zip(known, side, strict=True) if s == 0]
                high = [row for row, s in zip(known, side, strict=True) if s == 1]
                if min(len(low), len(high)) >= self.minbucket:
                    saved = self.impurity(known) - self.impurity(low) - self.impurity(high)
                    best.append((saved, column, cut, ask))
        best.sort(key=lambda found: -found[0])
        if not best or best[0][0] < CLOSE * max(1e-9, self.impurity(rows)):
            if best and best[0][0] > 1e-12 * max(1e-9, self.impurity(rows)):
                raise TieError
            return None
        if len(best) > 1 and best[0][0] - best[1][0] < CLOSE * best[0][0]:
            raise TieError
        return best[0][1:]

    def imitations(self, column: int, rows: list[int], sent: list[int | None]) -> list[Any]:
        weight = [
            sum(self.w[r] for r, s in zip(rows, sent, strict=True) if s == side) for side in (0, 1)
        ]
        found = []
        for other in range(len(self.columns)):
            if other == column:
                continue
            best = self.imitation(other, rows, sent)
            if best is not None:
                agree, ask = best
                adjusted = (agree - max(weight)) / min(weight)
                if adjusted > 1e-10:
                    found.append((agree / sum(weight), adjusted, other, ask))
        found.sort(key=lambda f: -f[0])
        if any(a[0] - b[0] < CLOSE for a, b in pairwise(found)):
            raise TieError
        return found[: self.maxsurrogate]

    def imitation(self, other: int, rows: list[int], sent: list[int | None]) -> Any:
        values = [self.columns[other][row] for row in rows]
        counted = [i for i, v in enumerate(values) if v is not None and sent[i] is not None]
        total = [sum(self.w[rows[i]] for i in counted if sent[i] == side) for side in (0, 1)]
        if any(isinstance(value, str) for value in values):
            route = {}
            for level in {values[i] for i in counted}:
                here = [
                    sum(self.w[rows[i]] for i in counted if sent[i] == s and values[i] == level)
                    for s in (0, 1)
                ]
                if abs(here[0] - here[1]) < CLOSE:
                    raise TieError
                route[level] = int(here[1] > here[0])
            agreeing = [i for i in counted if route[values[i]] == sent[i]]
            if len(agreeing) < 2 or len(counted) - len(agreeing) < 2:
                return None
            return sum(self.w[rows[i]] for i in agreeing), lambda v: route.get(v)
        trials = []
        for cut, ask in self.questions(other, rows):
            below = sum(1 for i in counted if values[i] <= cut)
            if below < 2 or len(counted) - below < 2:
                continue
            for turn in (0, 1):
                agree = sum(self.w[rows[i]] for i in counted if ask(values[i]) ^ turn == sent[i])
                trials.append(
                    (agree, cut, lambda v, a=ask, t=turn: None if v is None else a(v) ^ t)
                )
        # Cuts between which no counted row lies agree alike: the first is taken.
        trials = [trial for trial in trials if trial[0] > max(total) + CLOSE]
        if not trials:
            return None
        most = max(trial[0] for trial in trials)
        first = next(trial for trial in trials if trial[0] > most - CLOSE)
        return first[0], first[2]

    def grow(
        self, rows: list[int], bound: float, root: float | None = None
    ) -> tuple[Node, float, int]:
        """Return a node, and risk and number of splits of what hangs below it."""
        node = self.leaf(rows)
        root = node.dev if root is None else root
        alpha = self.cp * root
        bound = min(node.dev, bound)
        node.complexity = alpha
        near = abs(bound - alpha) < CLOSE * max(root, 1e-9)
        if near and bound > 1e-12 * root:
            raise TieError
        chosen = None if len(rows) < self.minsplit or bound <= alpha or near else self.split(rows)
        if chosen is None:
            return node, node.dev, 0
        node.column, node.cut, ask = chosen
        sent = self.sides(node.column, ask, rows)
        weight = [
            sum(self.w[r] for r, s in zip(rows, sent, strict=True) if s == side) for side in (0, 1)
        ]
        known = [[r for r, s in zip(rows, sent, strict=True) if s == side] for side in (0, 1)]
        imitations = self.imitations(node.column, rows, sent) if self.maxsurrogate else []
        node.surrogates = [(other, agree, adjusted) for agree, adjusted, other, _ in imitations]
        for _, _, other, imitate in imitations:
            answers = self.sides(other, imitate, rows)
            sent = [a if s is None else s for s, a in zip(sent, answers, strict=True)]
        if self.maxsurrogate and abs(weight[0] - weight[1]) > CLOSE:
            heavier = int(weight[1] > weight[0])
            sent = [heavier if s is None else s for s in sent]
        node.less = int(self.middle(known[1]) < self.middle(known[0]))
        return self.judge(node, rows, sent, bound, root)

    def judge(self, node: Node, rows: list[int], sent: Any, bound: float, root: float) -> Any:
        alpha = self.cp * root
        parts = [[r for r, s in zip(rows, sent, strict=True) if s == side] for side in (0, 1)]
        order = [node.less, 1 - node.less]
        left, risk_l, splits_l = self.grow(parts[order[0]], bound - alpha, root)
        reach = max((node.dev - risk_l) / (splits_l + 1), node.dev - left.dev)
        right, risk_r, splits_r = self.grow(parts[order[1]], min(bound, reach) - alpha, root)
        below = {0: [risk_l, splits_l, left], 1: [risk_r, splits_r, right]}

        def gain() -> float:
            return (node.dev - below[0][0] - below[1][0]) / (below[0][1] + below[1][1] + 1)

        g = gain()
        for side in (0, 1) if right.complexity > left.complexity else (1, 0):
            if g <= below[side][2].complexity + 1e-12 * root:
                break
            below[side][:2] = below[side][2].dev, 0
            g = gain()
        node.complexity = g
        if abs(g - alpha) < CLOSE * root and g > 1e-12 * root:
            raise TieError
        if g <= alpha + 1e-12 * root:
            node.column, node.children = None, []
            return node, node.dev, 0
        node.children = [left, right] if order == [0, 1] else [right, left]
        return node, below[0][0] + below[1][0], below[0][1] + below[1][1] + 1
