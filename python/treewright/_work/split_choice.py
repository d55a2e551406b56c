"""How an algorithm chooses among the candidates of a node: as data, and as a sentence.

Who is best, who is tied with it and who competes at all is the core's word (``_core.rank``): pages, orders and
sentences repeat it and never compare figures themselves.

Glossary: candidates are *tied* where their figures differ by no more than rounding; then the first column wins.
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


@dataclass(frozen=True, slots=True)
class Choice:
    """What one algorithm chooses in a node, and by which figures.

    Parameters
    ----------
    algorithm : str
        "ID3", "C4.5" or "CART".
    by : str
        What it compares: "gain", "gain ratio", "Gini decrease" or "variance decrease".
    chosen : str or None
        The column; None where no candidate competes.
    tied : tuple of str
        The columns that are tied with the chosen one, itself first; empty where none is.
    scores : dict
        The figure of each column that competes.
    average, slack : float or None
        Where ratios are compared: the average gain, and how far below it a gain may be.
    average_of : tuple of str
        The columns whose gains make the average.
    left_out : dict
        Why a column does not compete: by its name.

    Examples
    --------
    >>> Choice("ID3", "gain", "Outlook", ("Outlook", "Wind")).tie_sentence()
    'Outlook and Wind are tied; the first column wins.'
    """

    algorithm: str
    by: str
    chosen: str | None
    tied: tuple[str, ...] = ()
    scores: dict[str, float] = field(default_factory=dict)
    average: float | None = None
    slack: float | None = None
    average_of: tuple[str, ...] = ()
    left_out: dict[str, str] = field(default_factory=dict)

    @property
    def at_least(self) -> float | None:
        """The gain that a column needs to compete: the average less the slack."""
        if self.average is None or self.slack is None:
            return None
        return self.average - self.slack

    def rule(self, write: Write, name: Any = str) -> str:
        """Return how it chooses, in one sentence.

        Parameters
        ----------
        write : callable
            Writes a figure.
        name : callable, default=str
            Writes the name of a column.
        """
        if self.algorithm == "ID3":
            return "ID3 takes the largest gain, with a branch for each value of a column."
        if self.by != "gain ratio":
            if self.algorithm == "CART":
                return f"CART takes the largest {self.by} of a division into two."
            return f"{self.algorithm} by gain takes the largest gain."
        if self.average is None or self.slack is None:
            return "C4.5 takes the largest gain ratio; no column has an admissible split."
        average = write(self.average)
        who = (
            f"the gain of {name(self.average_of[0])}"
            if len(self.average_of) == 1
            else "the average gain"
        )
        if len(self.average_of) > 1:
            who += f" of {self._averaged(name)}"
        return (
            f"C4.5 takes the largest gain ratio among gains of at least {write(self.average - self.slack)}: "
            f"{who}, {average}, less {self.slack:.3g}."
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
        return f"{joined([name(column) for column in self.tied])} are tied; the first column wins."

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
    """Return what an algorithm chooses among candidates, by the core's own rule.

    Parameters
    ----------
    algorithm, by : str
        Who chooses, and what is compared.
    recipe : Recipe
        The recipe whose chooser decides.
    candidates : sequence
        Column number, gain, split information, and whether it has too many values for the average.
    names : sequence of str
        The names of all columns.
    impurity : float
        That of the node.
    scale : float, default=1.0
        The unit of entropies.
    left_out : mapping, optional
        Columns without an admissible split, and why.
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
            out[column] = "too many values for the average"
        elif gain < average - ranking["slack"]:
            out[column] = "below average gain"
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
    """Return who chooses what, in one sentence; nothing where only one algorithm was asked.

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
        return f"{all_} {_written(choices[0].chosen, name)}."
    parts = []
    for column, algorithms in by_column.items():
        verb = "chooses" if len(algorithms) == 1 else "choose"
        parts.append(f"{joined(algorithms)} {verb} {_written(column, name)}")
    return f"{', '.join(parts)}."


def _written(column: str | None, name: Any) -> str:
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
