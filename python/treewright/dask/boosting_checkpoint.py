"""A boosting fit on Dask that leaves its finished rounds in a file."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from treewright._cluster.boosting_part import Progress, TrainedPart
from treewright._cluster.checkpoint import Checkpoint, describe_params, digest_rows
from treewright._cluster.fit_plan import BoostingPlan
from treewright.dask.boosting_attempts import train_on_workers
from treewright.dask.cluster_rows import ClusterRows
from treewright.dask.task_watch import gather

__all__ = ["open_checkpoint", "train_with_checkpoint"]


def open_checkpoint(
    path: str | os.PathLike[str], estimator: Any, rows: ClusterRows, plan: BoostingPlan
) -> Checkpoint:
    """Return the file of a fit: workers digest their rows, so that a file of other rows is refused."""
    facts = rows.facts
    with rows.report.phase("digesting rows"):
        tasks = [
            rows.submit("digest", digest_rows, rows.packed[i], facts.starts[i])
            for i, count in enumerate(facts.lengths)
            if count
        ]
        digest = sum(gather(rows.client, tasks, "digesting rows", removes_silent=False)) % (1 << 64)
    names = [column.name for column in plan.merged.schema.columns]
    about = {
        **describe_params(estimator),
        "seed": int(plan.recipe["seed"]),
        "rows": facts.rows,
        "columns": names,
        "rows_digest": f"{digest:016x}",
    }
    return Checkpoint(path, about, plan.merged.schema)


def train_with_checkpoint(
    checkpoint: Checkpoint,
    rows: ClusterRows,
    plan: BoostingPlan,
    retries: int,
    tell: Callable[[Progress], bool] | None,
) -> TrainedPart:
    """Return the result of a fit that goes on from its file, and writes it."""
    progress = checkpoint.read()

    def note(progress: Progress) -> bool:
        checkpoint.note(progress)
        return tell is not None and tell(progress)

    try:
        return train_on_workers(rows, plan, retries, note, start=progress)
    finally:
        checkpoint.write(progress)
