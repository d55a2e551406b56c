"""A boosting fit whose rows are divided among threads, each of which stands for a process."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import numpy as np

from treewright import _core
from treewright._learners.boosting import boosting_base
from treewright._model.table_builder import levels_of
from treewright.files import to_bytes


@dataclass(frozen=True)
class LocalFit:
    """A fit in one process: what the core was given, and the model."""

    recipe: dict[str, Any]
    levels: list[int | None]
    columns: list[Any]
    truth: Any
    weights: Any
    held: Any
    base: list[float] | None
    model: Any

    def model_bytes(self, forest: Any = None) -> bytes:
        """Return the model as it is saved, or as it would be with other trees."""
        model = copy.copy(self.model)
        if forest is not None:
            model._forest = forest
        return to_bytes(model)


def fit_locally(model: Any, X: Any, y: Any, sample_weight: Any = None) -> LocalFit:
    """Fit an estimator and note what the core was given."""
    given: dict[str, Any] = {}
    start_run = boosting_base.start_run

    def note(recipe: Any, schema: Any, rows: Any, start: Any, *rest: Any) -> Any:
        given.update(recipe=recipe, levels=levels_of(schema), rows=rows, base=start.base)
        return start_run(recipe, schema, rows, start, *rest)

    with patch.object(boosting_base, "start_run", note):
        model.fit(X, y, sample_weight)
    rows = given["rows"]
    columns = (
        rows.columns
        if isinstance(rows.columns, list)
        else [np.ascontiguousarray(column, dtype=np.float64) for column in np.asarray(X).T]
    )
    return LocalFit(
        given["recipe"], given["levels"], columns, rows.truth, rows.weights, rows.held, given["base"], model
    )  # fmt: skip


def run_together(peers: Sequence[Any], work: Callable[[Any], Any]) -> list[Any]:
    """Run the same work with each handle in a thread of its own; raise the error of the first that failed."""
    results: list[Any] = [None] * len(peers)

    def run(rank: int) -> None:
        try:
            results[rank] = work(peers[rank])
        except BaseException as error:
            results[rank] = error
            peers[rank].leave()

    threads = [threading.Thread(target=run, args=(rank,)) for rank in range(len(peers))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive(), "a thread waits for ever"
    return results


def rows_of_peer(fit: LocalFit, parts: Sequence[slice], peers: Any, plain: bool = False) -> Any:
    """Return the coded rows of one process: some parts of the rows, in their order."""
    rows = _core.PeerRows({**fit.recipe, "plain": plain}, fit.levels, peers)
    tables = [[np.ascontiguousarray(column[part]) for column in fit.columns] for part in parts]
    for part, columns in zip(parts, tables, strict=True):
        weights = None if fit.weights is None else np.ascontiguousarray(fit.weights[part])
        rows.look(columns, np.ascontiguousarray(fit.truth[part]), weights)
    if fit.held is not None:
        held = rows.hold_out(fit.model.validation_fraction, fit.recipe["seed"])
        wanted = [fit.held[part] for part in parts]
        assert np.array_equal(held, np.concatenate([np.zeros(0, dtype=bool), *wanted]))
    rows.choose_sample()
    for columns in tables:
        rows.sample(columns)
    rows.cut()
    for columns in tables:
        rows.code(columns)
    assert (rows.rows, rows.total_rows) == (
        sum(map(len, map(fit.truth.__getitem__, parts))),
        len(fit.truth),
    )
    return rows


def fit_over_peers(
    fit: LocalFit,
    parts: Sequence[Sequence[slice]],
    *,
    shares_columns: bool = False,
    plain: Sequence[int] = (),
    resume_at: int = 0,
    peers: Sequence[Any] | None = None,
) -> list[bytes]:
    """Return the bytes of the model that each process has made; each list of parts is one process."""
    rounds = fit.model.n_estimators

    def advance(run: Any, count: int) -> bool:
        return bool(count and run.advance(count))

    def work(peers: Any, resumed: int = 0, forest: Any = None, losses: Any = ()) -> Any:
        rank = peers.rank
        rows = rows_of_peer(fit, parts[rank], peers, rank in plain)
        run = _core.Boosting.of_rows(rows, fit.base, forest, list(losses))
        if resume_at and not resumed:
            kept = []
            for _ in range(resume_at):
                is_over = run.advance(1)
                kept.append(run.last_trees())
                if is_over:
                    break
            return kept, run.losses
        advance(run, rounds - resumed)
        return fit.model_bytes(run.finish())

    peers = _core.ThreadPeers.several(len(parts), shares_columns) if peers is None else peers
    results = run_together(peers, work)
    _raise_first(results)
    if not resume_at:
        return results
    kept, losses = results[0]
    forest = _core.Forest.joined(kept)
    again = _core.ThreadPeers.several(len(parts), shares_columns)
    results = run_together(again, lambda peers: work(peers, len(kept), forest, losses))
    _raise_first(results)
    return results


def _raise_first(results: Sequence[Any]) -> None:
    for result in results:
        if isinstance(result, BaseException):
            raise result
