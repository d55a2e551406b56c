"""The explanation of a rule set's prediction: the first rule that matches the row, or the default if none does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from treewright._draw.conditions import condition_text
from treewright._draw.rule_list import Rule, RuleList
from treewright._input.encoding import encode_columns, one_row
from treewright._render.document import Document, Verbatim
from treewright._render.numbers import count, percent, plural, weights
from treewright._render.page_format import PageFormat
from treewright._render.result import Result
from treewright._render.table_grid import wrap_sentence
from treewright.schema import Level
from treewright.table import Table

__all__ = ["RuleExplanation", "explain_rules"]

MAX_OTHERS = 8  # later matching rules that are listed by their number
NAME_WIDTH = 40


@dataclass(frozen=True, slots=True, repr=False)
class RuleExplanation(Result):
    """Why a rule set predicts what it does for a row, made by :func:`treewright.explain`.

    Parameters
    ----------
    rules : RuleList
        The rules of the model.
    values : dict
        The value of the row in each column; None if missing.
    answer : level
        The prediction.
    number : int or None
        The rule that decides, counted from 1; None if no rule matches and the default decides.
    also : tuple of int
        The later rules that match too, counted from 1.
    width : int or None, default=None
        Width of the text in characters; None takes that of the terminal.
    ascii : bool or None, default=None
        Whether to write ASCII characters only; None asks the stream.

    Examples
    --------
    >>> from treewright import RuleSetClassifier, datasets, explain
    >>> X, y = datasets.play_tennis()
    >>> explanation = explain(RuleSetClassifier().fit(X, y), X[:1])
    >>> explanation.number, str(explanation.rule)
    (1, 'Outlook = Sunny and Humidity = High: No')
    """

    _noun = "an explanation"
    _area = "explain"

    rules: RuleList
    values: dict[str, Level | None]
    answer: Level
    number: int | None
    also: tuple[int, ...]
    width: int | None = None
    ascii: bool | None = None

    @property
    def rule(self) -> Rule | None:
        """The rule that decided; None for the default."""
        return None if self.number is None else self.rules[self.number - 1]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values: exact numbers and full names."""
        return {
            "target": self.rules.schema.target,
            "row": dict(self.values),
            "answer": self.answer,
            "classes": list(self.rules.schema.classes),
            "rule": self.number,
            "rules": len(self.rules),
            "matched": None if self.rule is None else self.rule.to_dict(),
            "default": self.rules.default,
            "also": list(self.also),
        }

    def _document(self, page: PageFormat) -> Document:
        lines = self._reasons(page)
        if self.also:
            numbers = ", ".join(map(count, self.also[:MAX_OTHERS]))
            left_out = len(self.also) - MAX_OTHERS
            more = f" and {count(left_out)} more" if left_out > 0 else ""
            noun, verb = ("rule", "matches") if len(self.also) == 1 else ("rules", "match")
            lines.append(f"  {noun} {numbers}{more} {verb} too; the first that matches decides")
        text = "\n".join(part for line in lines for part in wrap_sentence(line, page.width))
        return Document((f"{page.level(self.answer)}.",), (Verbatim(text, indent=0),), compact=True)

    def _reasons(self, page: PageFormat) -> list[str]:
        rule, all_of = self.rule, plural(len(self.rules), "rule")
        if rule is None:
            default = page.level(self.answer)
            return [f'  none of the {all_of} matched: the default class is "{default}"']
        lines = [f"  rule {count(self.number or 0)} of {count(len(self.rules))} matched"]
        for place, condition in enumerate(rule.conditions):
            value = self.values[condition.column]
            holds = "missing" if value is None else page.level(value)
            test, head = (
                condition_text(condition, page, NAME_WIDTH),
                "      and" if place else "  because",
            )
            equal = f"{page.name(condition.column)} = {holds}"
            lines.append(f"{head}  {test}" + ("" if test == equal else f"  (here {holds})"))
        return [*lines, self._support(rule, page)]

    def _support(self, rule: Rule, page: PageFormat) -> str:
        answer = f'"{page.level(rule.answer)}"'
        part, all_of = weights([rule.right or 0.0, rule.weight])
        how = f"all {answer}" if rule.right == rule.weight else f"{part} of {all_of} {answer}"
        low, high = rule.interval or (0.0, 1.0)
        took = f"{plural(rule.rows, 'training row')} matched it"
        return f"  {took}, {how} (95% interval: {percent(low)} to {percent(high)})"


def explain_rules(
    rules: RuleList, forest: Any, row: Any, width: int | None, ascii: bool | None
) -> RuleExplanation:
    """Find the rule that decides for one row; ``forest`` holds a tree for each rule, and the default."""
    schema = rules.schema
    table = Table(one_row(row, schema).series)
    columns = encode_columns(table, schema)
    place = int(forest.first(columns)[0][0])
    matches = [i for i in range(len(rules)) if _matches(forest, i, columns)]
    values = {name: table.column(name).values()[0] for name in schema.names}
    decided = place if place < len(rules) else None
    default = rules.default
    assert default is not None  # a rule set ends in one
    return RuleExplanation(
        rules=rules,
        values=values,
        answer=default if decided is None else rules[decided].answer,
        number=None if decided is None else decided + 1,
        also=tuple(i + 1 for i in matches if i > place),
        width=width,
        ascii=ascii,
    )


def _matches(forest: Any, rule: int, columns: list[Any]) -> bool:
    """Whether a row ends at the leaf of a rule that predicts; all other leaves predict nothing."""
    node = int(forest.apply(rule, columns)[0])
    return bool(np.any(forest.tree(rule).value[node]))
