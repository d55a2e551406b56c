"""Nearest neighbors in a lesson: the distances of one row to all others, and the vote of the nearest."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._input.containers import as_table
from treewright._learners.neighbors.k_neighbors import KNeighborsClassifier, KNeighborsRegressor
from treewright._learners.neighbors.neighbor_explanation import (
    NeighbourExplanation,
    explain_neighbors,
)
from treewright._lesson.text_tables import Sentence, say
from treewright._lesson.training import Training, Values
from treewright._render.formula import Equation
from treewright._render.formula_values import formula_values
from treewright._work.neighbor_vote import VoteWork
from treewright.schema import label

__all__ = ["neighbor_steps"]

NEIGHBORS = 3
MAX_ROWS = 60  # whose distances are listed


def neighbor_steps(training: Training) -> Values | None:
    """Return the distances from the first row to all others, and the vote of the nearest."""
    target = training.rows.target
    others = np.arange(1, len(target))
    k = min(NEIGHBORS, len(others))
    if k < 1:
        return None
    few, all_ = (_explain(training, others, size) for size in (k, min(len(others), MAX_ROWS)))
    if not all(math.isfinite(neighbor.distance) for neighbor in few.neighbours):
        return None  # no row has a value in common with the first one
    return {
        "k": k,
        "metric": few.metric,
        "weights": "equal",
        "row": 0,
        "rows": _rows(training, few, all_, others),
        "votes": _votes(training, few),
        "prediction": _prediction(training, few),
        "tie": _tie(few, others),
        "sentences": _sentences(training, few, k),
    }


def _explain(training: Training, others: NDArray[np.int64], k: int) -> NeighbourExplanation:
    """Return how the k nearest of the other rows predict the first one."""
    table, answers = as_table(training.table[0]), training.rows.target[others]
    if training.classes:
        names = [training.classes[code] for code in answers]
        return explain_neighbors(KNeighborsClassifier(k).fit(table[others], names), table[:1])
    return explain_neighbors(KNeighborsRegressor(k).fit(table[others], answers), table[:1])


def _rows(
    training: Training,
    few: NeighbourExplanation,
    all_: NeighbourExplanation,
    others: NDArray[np.int64],
) -> list[Values]:
    """Return the other rows, the neighbors first."""
    used = {neighbor.index: neighbor for neighbor in few.neighbours}
    work = VoteWork(all_, digits=training.rounding.digits)
    rows = []
    for neighbor in all_.neighbours:
        if not math.isfinite(neighbor.distance):
            continue
        own, row = used.get(neighbor.index), int(others[neighbor.index])
        formula = work.distance_formula(neighbor)
        rows.append(
            {
                "row": row,
                "distance": neighbor.distance,
                "used": own is not None,
                "weight": 0.0 if own is None else own.weight,
                "share": 0.0 if own is None else own.share,
                "target": training.rows.target[row].item(),
                "parts": [
                    {
                        "feature": training.places[part.column],
                        "difference": part.difference,
                        "adds": part.cost,
                    }
                    for part in neighbor.parts
                ],
                "formula": None if formula is None else _without_name(formula),
            }
        )
    rows.sort(key=lambda each: (not each["used"], each["distance"], each["row"]))
    return rows


def _votes(training: Training, few: NeighbourExplanation) -> list[Values]:
    return [
        {"class": training.code(name), "weight": few.sums[name], "share": share}
        for name, share in few.votes.items()
    ]


def _prediction(training: Training, few: NeighbourExplanation) -> float:
    answer: Any = few.answer
    return training.code(answer) if training.classes else float(answer)


def _tie(few: NeighbourExplanation, others: NDArray[np.int64]) -> Values | None:
    if few.tie is None:
        return None
    inside, outside = ([int(others[i]) for i in part] for part in (few.tie.inside, few.tie.outside))
    return {"distance": few.tie.distance, "used": inside, "not_used": outside}


def _sentences(training: Training, few: NeighbourExplanation, k: int) -> list[Sentence]:
    key = "euclidean" if few.metric == "euclidean" else "heom"
    sentences = [say("neighbors.what", k=k), say(f"neighbors.{key}")]
    if training.classes:
        sentences.append(say("neighbors.vote", class_name=label(few.answer)))
    else:
        sentences.append(say("neighbors.mean", mean=training.number(float(few.answer))))
    if few.tie is not None:
        key = "neighbors.tie.decides" if few.tie.decides else "neighbors.tie"
        sentences.append(say(key, n=len(few.tie.inside) + len(few.tie.outside)))
    return sentences


def _without_name(formula: Equation) -> Values:
    """Return the calculation of a distance without its left side, whose number is that of another table."""
    return formula_values(Equation(formula.sides[1:]))
