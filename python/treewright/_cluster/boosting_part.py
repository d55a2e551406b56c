"""One process of a boosting fit: it reads its rows, then runs the same rounds as all others and adds up integers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._cluster.fit_plan import BoostingPlan
from treewright._cluster.forest_bytes import forest_from_bytes, forest_to_bytes
from treewright._cluster.merged_schema import encode_part
from treewright._cluster.packed_rows import PackedRows, align
from treewright._cluster.process_facts import peak_memory
from treewright._model.table_builder import levels_of

__all__ = ["Progress", "TrainedPart", "train_part"]


@dataclass
class Progress:
    """The finished rounds of a fit: their trees as bytes, and the losses before the first and after each.

    The trees of rounds of an earlier fit, which has left them in a file, are together.
    """

    trees: list[bytes] = field(default_factory=list)
    losses: list[list[float]] = field(default_factory=list)
    earlier: bytes = b""
    earlier_rounds: int = 0
    is_over: bool = False  # early stopping has ended the fit

    @property
    def rounds(self) -> int:
        """Number of finished rounds."""
        return self.earlier_rounds + len(self.trees)

    def add(
        self, number: int, trees: bytes, losses: list[list[float]], is_over: bool = False
    ) -> bool:
        """Add the trees of a round, whose number counts from 1; False if it is known already or comes too early."""
        if number != self.rounds + 1:
            return False
        self.trees.append(trees)
        self.losses, self.is_over = losses, is_over
        return True

    def forest(self) -> _core.Forest | None:
        """Return the trees of all finished rounds; None if there are none."""
        parts = [self.earlier, *self.trees] if self.earlier else self.trees
        if not parts:
            return None
        # Only here: it imports the estimators, which a worker that begins a fit does without.
        from treewright._learners.boosting.boosting_rounds import join_forests

        return join_forests(*map(forest_from_bytes, parts))


@dataclass(frozen=True)
class TrainedPart:
    """What one process returns: the model, which is the same in all of them, and what the fit took."""

    forest: bytes
    losses: list[list[float]]
    seconds: dict[str, float]
    peak: int
    sent: int = 0
    connection: str = ""
    model: Any = None  # a fitted model, of fits that have no rounds


# Called after each round with its number, the run, and whether it is the last one.
Tell = Callable[[int, _core.Boosting, bool], None]


def train_part(
    plan: BoostingPlan,
    peers: Any,
    parts: Sequence[PackedRows],
    start: Progress,
    tell: Tell,
    threads: int = 1,
) -> TrainedPart:
    """Run the rounds of a fit on the rows of this process.

    Parameters
    ----------
    plan : BoostingPlan
        The fit; the same in all processes.
    peers : _core.Peers
        The processes.
    parts : sequence of PackedRows
        The partitions of this process.
    start : Progress
        The rounds that an earlier attempt has finished; the same in all processes.
    tell : callable
        Called after each round.
    threads : int, default=1
        Number of threads.
    """
    recipe = {**plan.recipe, "threads": threads}
    begin = time.perf_counter()
    rows = _read_rows(plan, recipe, peers, parts)
    coded = time.perf_counter()
    run = _core.Boosting.of_rows(rows, plan.base, start.forest(), start.losses)
    rounds = range(start.rounds + 1, plan.rounds + 1)
    for number in () if start.is_over else rounds:
        is_over = run.advance(1)
        tell(number, run, is_over)
        if is_over:
            break
    losses = run.losses
    forest = forest_to_bytes(run.finish(), plan.merged.schema)
    grown = time.perf_counter()
    seconds = {"coding": coded - begin, "growing": grown - coded}
    return TrainedPart(forest, losses, seconds, peak_memory())


def _read_rows(plan: BoostingPlan, recipe: Any, peers: Any, parts: Sequence[PackedRows]) -> Any:
    """Return the coded rows of this process: each part is read three times, and only one at a time is unpacked."""
    rows = _core.PeerRows(recipe, levels_of(plan.merged.schema), peers)
    for part, columns in _encoded(plan, parts):
        rows.look(columns, align(part.target), _weigh(plan, part))
    if plan.validation is not None:
        rows.hold_out(plan.validation, plan.recipe["seed"])
    rows.choose_sample()
    for _, columns in _encoded(plan, parts):
        rows.sample(columns)
    rows.cut()
    for _, columns in _encoded(plan, parts):
        rows.code(columns)
    return rows


def _encoded(
    plan: BoostingPlan, parts: Sequence[PackedRows]
) -> Iterator[tuple[PackedRows, _core.Matrix | list[NDArray[Any]]]]:
    for part in parts:
        columns = encode_part(part, plan.facts, plan.merged)
        yield part, _core.Matrix(columns) if isinstance(columns, np.ndarray) else columns


def _weigh(plan: BoostingPlan, part: PackedRows) -> NDArray[np.float64] | None:
    weights = None if part.weights is None else align(part.weights)
    if not plan.factors:
        return weights
    by_row: NDArray[np.float64] = np.array(plan.factors)[part.target]
    return by_row if weights is None else weights * by_row
