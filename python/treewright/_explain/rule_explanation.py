"""Why a rule set gave a row its class: the first rule that matches the row, or the default where none does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from treewright._draw.conditions import words
from treewright._draw.rule_list import Rule, RuleList
from treewright._input.encoding import encode_columns, one_row
from treewright._render import table_grid as grid
from treewright._render.glyphs import ASCII
from treewright._render.numbers import count, percent, plural, weights
from treewright._render.page_format import PageFormat
from treewright._render.text_blocks import latex_verbatim, markdown_fence
from treewright.schema import Level
from treewright.table import Table

__all__ = ["RuleExplanation", "explain_rules"]

LISTED = 8  # matching rules behind the first that are listed by their number
NAME = 40


@dataclass(frozen=True, slots=True, repr=False)
class RuleExplanation:
    """Why a row got its class from a rule set, made by :func:`treewright.explain`.

    Parameters
    ----------
    rules : RuleList
        The rules of the model.
    values : dict
        What the row holds in each column; None where missing.
    answer : level
        What the model predicts.
    number : int or None
        The rule that decided, counted from 1; None where no rule matches and the default decides.
    also : tuple of int
        The rules behind it that match too, counted from 1.
    width : int or None, default=None
        Columns of text; those of the terminal where not given.
    ascii : bool or None, default=None
        Whether to write with ASCII signs only; None asks the stream.

    Examples
    --------
    >>> from treewright import RuleSetClassifier, datasets, explain
    >>> X, y = datasets.play_tennis()
    >>> explanation = explain(RuleSetClassifier().fit(X, y), X[:1])
    >>> explanation.number, str(explanation.rule)
    (1, 'Outlook = Sunny and Humidity = High: No')
    """

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

    def text(self, stream: Any = None) -> str:
        """Return the explanation as text that a stream can carry.

        Parameters
        ----------
        stream : text file, default=None
            Where it will be written; standard output where not given.
        """
        return self._written(PageFormat.of(stream, width=self.width, ascii=self.ascii))

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__

    def to_markdown(self) -> str:
        """Return the explanation as a fenced block."""
        return markdown_fence(self._written(PageFormat(width=100)))

    def to_latex(self) -> str:
        """Return the explanation for LaTeX, line by line."""
        return (
            latex_verbatim(self._written(PageFormat(width=100, glyphs=ASCII, encoding="ascii")))
            + "\n"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values: exact numbers and whole names."""
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

    def _written(self, paper: PageFormat) -> str:
        lines = [f"{paper.level(self.answer)}.", *self._reasons(paper)]
        if self.also:
            named = ", ".join(map(count, self.also[:LISTED]))
            more = f" and {count(len(self.also) - LISTED)} more" if len(self.also) > LISTED else ""
            one = len(self.also) == 1
            what = "rule" if one else "rules"
            lines.append(
                f"  {what} {named}{more} {'matches' if one else 'match'} too; the first that matches decides"
            )
        return "\n".join(part for line in lines for part in grid.wrap_sentence(line, paper.width))

    def _reasons(self, paper: PageFormat) -> list[str]:
        rule, all_of = self.rule, plural(len(self.rules), "rule")
        if rule is None:
            default = paper.level(self.answer)
            return [f'  none of the {all_of} matched: the default class is "{default}"']
        lines = [f"  rule {count(self.number or 0)} of {count(len(self.rules))} matched"]
        for place, condition in enumerate(rule.conditions):
            value = self.values[condition.column]
            holds = "missing" if value is None else paper.level(value)
            asks, head = words(condition, paper, NAME), "      and" if place else "  because"
            equal = f"{paper.name(condition.column)} = {holds}"
            lines.append(f"{head}  {asks}" + ("" if asks == equal else f"  (here {holds})"))
        return [*lines, self._support(rule, paper)]

    def _support(self, rule: Rule, paper: PageFormat) -> str:
        answer = f'"{paper.level(rule.answer)}"'
        part, all_of = weights([rule.right or 0.0, rule.weight])
        how = f"all {answer}" if rule.right == rule.weight else f"{part} of {all_of} {answer}"
        low, high = rule.interval or (0.0, 1.0)
        took = f"{plural(rule.rows, 'training row')} matched it"
        return f"  {took}, {how} (95% interval for {answer}: {percent(low)} to {percent(high)})"


def explain_rules(
    rules: RuleList, forest: Any, row: Any, width: int | None, ascii: bool | None
) -> RuleExplanation:
    """Say which rule decided about one row; ``forest`` holds a tree for each rule, and the default."""
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
    """Whether a row ends at the leaf of a rule that says its class; all others say nothing."""
    node = int(forest.apply(rule, columns)[0])
    return bool(np.any(forest.tree(rule).value[node]))
