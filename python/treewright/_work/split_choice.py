"""How an algorithm chooses among the candidates of a node: as data, and as a sentence.

The core decides which candidate is best, which are tied with it, and which compete at all (``_core.rank``). Nothing
here compares numbers again.

Glossary: candidates are *tied* where their scores differ by no more than rounding; then the first column is chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from treewright import _core
from treewright._learners.trees.other_algorithms import Candidate
from treewright._utils.validation import Recipe

__all__ = ["Choice", "Write", "choice_of", "joined", "verdict_sentence"]

Write = Callable[[float], str]
TOO_MANY_VALUES = "not counted in the average (too many values)"


@dataclass(frozen=True, slots=True)
class Choice:
    """What one algorithm chooses in a node, and by which scores.

    Examples
    --------
    >>> Choice("ID3", "gain", "Outlook", ("Outlook", "Wind")).tie_sentence()
    'Outlook and Wind are tied: the first column is chosen.'
    """

    algorithm: str  # "ID3", "C4.5" or "CART"
    by: str  # what it compares: "gain", "gain ratio", "Gini decrease" or "variance decrease"
    chosen: str | None  # the column; None where no candidate competes
    # The chosen column and those tied with it; empty where there is no tie.
    tied: tuple[str, ...] = ()
    # The score of each column that competes.
    scores: dict[str, float] = field(default_factory=dict)
    # With gain ratio: the average gain, and how far below it a gain may be.
    average: float | None = None
    slack: float | None = None
    average_of: tuple[str, ...] = ()  # the columns that count in the average
    # Why a column does not compete.
    left_out: dict[str, str] = field(default_factory=dict)

    @property
    def at_least(self) -> float | None:
        """The minimum gain of a column that competes."""
        if self.average is None or self.slack is None:
            return None
        return self.average - self.slack

    def rule(self, write: Write, name: Any = str) -> str:
        """Return how it chooses, in one sentence; ``write`` writes a number, ``name`` a column."""
        if self.algorithm == "ID3":
            return "ID3 chooses the largest gain, with a branch for each category of a column."
        if self.by != "gain ratio":
            if self.algorithm == "CART":
                return f"CART chooses the largest {self.by} of a split into two branches."
            return f"{self.algorithm} with criterion gain chooses the largest gain."
        if self.average is None or self.slack is None:
            return "C4.5 chooses the largest gain ratio; no column has an admissible split."
        average = write(self.average)
        who = (
            f"the gain of {name(self.average_of[0])}"
            if len(self.average_of) == 1
            else "the average gain"
        )
        if len(self.average_of) > 1:
            who += f" of {self._averaged(name)}"
        return (
            f"C4.5 chooses the largest gain ratio among gains of at least {write(self.average - self.slack)}: "
            f"{who}, {average}, minus {self.slack:.3g}."
        )

    def _averaged(self, name: Any) -> str:
        count = len(self.average_of)
        if count == len(self.scores) + len(self.left_out):
            return f"all {count} columns"
        return joined([name(column) for column in self.average_of])

    def tie_sentence(self, name: Any = str) -> str:
        """Return which columns are tied, in one sentence; nothing where none are."""
        if not self.tied:
            return ""
        return f"{joined([name(column) for column in self.tied])} are tied: the first column is chosen."

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "algorithm": self.algorithm,
            "by": self.by,
            "chosen": self.chosen,
            "tied": list(self.tied),
            "scores": dict(self.scores),
            "average_gain": self.average,
            "slack": self.slack,
            "least_gain": self.at_least,
            "average_of": list(self.average_of),
            "left_out": dict(self.left_out),
        }


def choice_of(
    algorithm: str,
    by: str,
    recipe: Recipe,
    candidates: Sequence[Candidate],
    names: Sequence[str],
    impurity: float,
    *,
    scale: float = 1.0,
    left_out: Mapping[str, str] | None = None,
) -> Choice:
    """Return what an algorithm chooses among candidates, by the rule of the core.

    A candidate is a column number, its gain, its split information, and whether it has too many values to count in the
    average. ``names`` are all columns, ``scale`` is the unit of entropies, and ``left_out`` says why other columns
    have no admissible split.
    """
    ranking: dict[str, Any] = _core.rank(
        recipe, [(gain, info, wide) for _, gain, info, wide in candidates], impurity
    )
    by_ratio, average = by == "gain ratio", ranking["average"]
    own = [names[c[0]] for c in candidates]
    scores, out = {}, dict(left_out or {})
    for column, (_, gain, information, _), competes in zip(
        own, candidates, ranking["competes"], strict=True
    ):
        if competes:
            scores[column] = gain / information if by_ratio else gain * scale
        elif average is None:
            out[column] = TOO_MANY_VALUES
        elif gain < average - ranking["slack"]:
            out[column] = "gain below average"
        else:
            out[column] = "no split information" if information <= ranking["slack"] else "no gain"
    best, tied = ranking["best"], ranking["tied"]
    return Choice(
        algorithm,
        by,
        None if best is None else own[best],
        tuple(own[i] for i in tied) if len(tied) > 1 else (),
        scores,
        None if average is None else average * scale,
        ranking["slack"] * scale if by_ratio else None,
        tuple(n for n, c in zip(own, candidates, strict=True) if not c[3]) if by_ratio else (),
        out,
    )


def verdict_sentence(choices: Sequence[Choice], name: Any = str) -> str:
    """Return what each algorithm chooses, in one sentence; nothing for a single algorithm.

    Examples
    --------
    >>> verdict_sentence([Choice("ID3", "gain", "Day"), Choice("C4.5", "gain ratio", "Wind")])
    'ID3 chooses Day, C4.5 chooses Wind.'
    """
    if len(choices) < 2:
        return ""
    by_column: dict[str | None, list[str]] = {}
    for choice in choices:
        by_column.setdefault(choice.chosen, []).append(choice.algorithm)
    if len(by_column) == 1:
        all_ = {2: "Both choose", 3: "All three choose"}[len(choices)]
        return f"{all_} {_name_or_none(choices[0].chosen, name)}."
    parts = []
    for column, algorithms in by_column.items():
        verb = "chooses" if len(algorithms) == 1 else "choose"
        parts.append(f"{joined(algorithms)} {verb} {_name_or_none(column, name)}")
    return f"{', '.join(parts)}."


def _name_or_none(column: str | None, name: Any) -> str:
    return "no column" if column is None else str(name(column))


def joined(words: Sequence[str]) -> str:
    """Write a list in a sentence.

    Examples
    --------
    >>> joined(["A", "B", "C"]), joined(["A", "B"])
    ('A, B and C', 'A and B')
    """
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"
