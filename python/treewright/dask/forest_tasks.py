"""The tasks of a forest on Dask: every worker codes the rows once, and trees come to the client as they are grown.

Dask places the tasks. A worker that dies takes its unfinished trees with it; others grow them again, with the same
bytes.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from treewright import _core
from treewright._cluster.forest_parts import (
    ForestScores,
    TreePart,
    grow_part,
    make_shell,
    needs_all_trees,
    score_forest,
    split_trees,
)
from treewright._cluster.gathered_fits import FittedModel
from treewright._cluster.memory import check_memory
from treewright._cluster.packed_rows import TrainingRows
from treewright._learners.ensembles.warm_start import earlier_forest
from treewright._model.table_builder import levels_of
from treewright.dask.cluster_rows import ClusterRows
from treewright.dask.gathering import memory_limit, threads_of_tasks
from treewright.dask.heartbeats import alive_workers
from treewright.dask.task_watch import Watch, gather, wait_for, watch

__all__ = ["fit_forest"]

Tell = Callable[[int], None] | None


def fit_forest(rows: ClusterRows, estimator: Any, trees: range, tell: Tell) -> FittedModel:
    """Fit a forest: every worker gets all rows in coded form and grows some of the trees."""
    rows.report.method = "trees by number"
    check_memory(rows.facts, memory_limit(rows))
    unfitted = copy.copy(estimator)
    unfitted.__dict__.pop("_forest", None)  # earlier trees stay here
    table = rows.joined()
    with rows.report.phase("preparing"):
        shell = _code_rows(rows, unfitted, table)
    with rows.report.phase("growing"):
        keeps = needs_all_trees(estimator)
        forest, parts = _grow(rows, unfitted, table, shell, trees, tell, keeps)
    earlier = earlier_forest(estimator, shell.estimator.schema_, trees.stop)
    if earlier is not None:
        forest = _core.Forest.joined([earlier, forest])
    shell.estimator._forest = forest
    if not keeps:
        return shell
    with rows.report.phase("scoring"):
        scores = _score(rows, estimator, table, parts)
    scores.store(shell.estimator)
    return replace(shell, warnings=scores.warnings)


def _code_rows(rows: ClusterRows, unfitted: Any, table: Any) -> FittedModel:
    """Let every worker code the rows, and return the fitted forest but for its trees."""
    workers = alive_workers(rows.client)
    rows.report.workers = len(workers)
    coded = [
        rows.submit(
            "code",
            make_shell,
            unfitted,
            table,
            rows.facts.is_named,
            workers=[worker],
            allow_other_workers=True,
        )
        for worker in workers
    ]
    for _ in watch(rows.client, coded, "coding rows"):
        pass
    shell: FittedModel = gather(rows.client, coded[:1], "coding rows")[0]
    return shell


def _grow(
    rows: ClusterRows,
    unfitted: Any,
    table: Any,
    shell: FittedModel,
    trees: range,
    tell: Tell,
    keeps: bool,
) -> tuple[_core.Forest, list[Any]]:
    """Return the trees, and the futures of their parts if they are kept."""
    client, is_named = rows.client, rows.facts.is_named
    threads = sum(worker["nthreads"] for worker in alive_workers(client).values())
    tasks = [
        rows.submit("grow", grow_on_worker, unfitted, table, is_named, part)
        for part in split_trees(trees, max(1, threads), rows.facts.rows)
    ]
    arriving, grown = _core.ArrivingTrees(levels_of(shell.estimator.schema_)), 0
    cluster = Watch(client, "growing trees")
    for future in watch(client, tasks, "growing trees"):
        # Straight from the worker: through the scheduler the trees would travel twice.
        answer = client.gather(future, direct=True, asynchronous=True)
        part: TreePart = wait_for(client, answer, cluster.check)
        arriving.add(part.first, part.trees)
        rows.report.wire_bytes += part.trees.nbytes
        peaks = rows.report.peak_bytes
        peaks[part.worker] = max(part.peak, peaks.get(part.worker, 0))
        grown += part.count
        if not keeps:
            rows.forget(future)
        if tell is not None:
            tell(grown)
    return arriving.finish(trees.start), tasks if keeps else []


def _score(rows: ClusterRows, estimator: Any, table: Any, parts: Sequence[Any]) -> ForestScores:
    threads, is_named = threads_of_tasks(rows), rows.facts.is_named
    scored = rows.submit("score", score_forest, estimator, table, is_named, list(parts), threads)
    scores: ForestScores = gather(rows.client, [scored], "scoring the forest")[0]
    return scores


def grow_on_worker(unfitted: Any, table: TrainingRows, is_named: bool, trees: range) -> TreePart:
    """Grow some trees on the worker that runs this task."""
    from distributed import get_worker

    part = grow_part(unfitted, table, is_named, trees)
    return replace(part, worker=get_worker().address)
