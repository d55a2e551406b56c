"""A boosting fit on workers that may die: each attempt goes on from the last finished round, with the same trees.

Who holds which rows does not matter to the trees, so after a loss the partitions are placed again on the workers that
are alive. Dask computes lost partitions again.
"""

from __future__ import annotations

import contextlib
import hashlib
import secrets
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from treewright._cluster.boosting_part import Progress, TrainedPart, train_part
from treewright.dask.boosting_task import train_on_worker
from treewright.dask.cluster_rows import ClusterRows
from treewright.dask.heartbeats import alive_workers
from treewright.dask.task_watch import Watch, wait_for, watch
from treewright.dask.worker_losses import Losses, TaskEnds, WorkerLostError
from treewright.dask.worker_mesh import Meeting, ask_to_close, can_reach, open_port
from treewright.errors import ClusterError, InternalError

__all__ = ["train_on_workers"]

# Rows of a worker, as a multiple of the mean, from which some move. All wait for the fullest in each split, while a row
# moves once.
FULL = 1.05
LAST_SECONDS = 5.0  # that the message about the last round may take
END_SECONDS = 0.5  # that workers may take to confirm the end of an attempt


@dataclass(eq=False)
class Attempts:
    """The state of a fit between its attempts."""

    rows: ClusterRows
    plan: Any
    train: Callable[..., TrainedPart] = train_part
    progress: Progress = field(default_factory=Progress)
    stopped: bool = False
    number: int = 0


def train_on_workers(
    rows: ClusterRows,
    plan: Any,
    retries: int,
    tell: Callable[[Progress], bool] | None,
    force_messages: bool = False,
    train: Callable[..., TrainedPart] = train_part,
    start: Progress | None = None,
) -> TrainedPart:
    """Return the result of a fit.

    Parameters
    ----------
    rows : ClusterRows
        The training rows.
    plan : BoostingPlan or TreePlan
        The fit.
    retries : int
        How often it may begin again without a new round.
    tell : callable or None
        Called after each round; True ends the fit.
    force_messages : bool, default=False
        Whether workers exchange Dask's messages even where sockets could be opened.
    train : callable, default=train_part
        What each worker does.
    start : Progress, optional
        The rounds of an earlier fit; new rounds are added to them.
    """
    fit, losses, failures = Attempts(rows, plan, train, start or Progress()), Losses(rows), 0
    while True:
        before = fit.progress.rounds
        try:
            result = _run_attempt(fit, None if fit.stopped else tell, force_messages)
            if result is not None:
                return result
            # The fit was ended by a callback: workers join the trees so far.
            fit.plan = replace(plan, rounds=fit.progress.rounds)
        except WorkerLostError as error:
            rows.report.restarts.append(f"after round {fit.progress.rounds}: {error}")
            failures = 1 if fit.progress.rounds > before else failures + 1
            losses.add(error.workers, fit.progress.rounds)
            if failures > retries:
                raise ClusterError(
                    f"the fit began again {retries} times without a new round: {error}",
                    slug="cluster.worker-lost",
                ) from None


def _run_attempt(
    fit: Attempts, tell: Callable[[Progress], bool] | None, force_messages: bool
) -> TrainedPart | None:
    rows, client = fit.rows, fit.rows.client
    fit.number += 1
    with rows.report.phase("placing"):
        owners = _place(rows)
        workers = tuple(owners)
        names = {address: str(facts["id"]) for address, facts in alive_workers(client).items()}
        meeting = _meet(fit, workers, force_messages)
    rows.report.workers = len(workers)
    arrived: list[dict[str, Any]] = []
    futures: list[Any] = []
    # Before the tasks begin: no round may be missed.
    client.subscribe_topic(meeting.key, lambda event: arrived.append(event[1]))
    try:
        with rows.report.phase("training"):
            futures += _start(fit, meeting, owners)
            watched = TaskEnds(Watch(client, "training"), workers, futures)
            _wait(fit, futures, watched, arrived, tell)
            if tell is not None and fit.stopped:
                return None
            answer = client.gather(futures, asynchronous=True)
            results: list[TrainedPart] = wait_for(client, answer, watched.check)
    except WorkerLostError as error:
        error.workers = tuple(names.get(worker, worker) for worker in error.workers)
        raise
    finally:
        client.unsubscribe_topic(meeting.key)
        _end(client, futures, meeting)
    return _check_results(rows, workers, results)


def _place(rows: ClusterRows) -> dict[str, list[int]]:
    """Return the partitions of each worker. They stay where they are, unless a move evens out the rows of workers."""
    filled = [i for i, count in enumerate(rows.facts.lengths) if count]
    futures = [rows.packed[i] for i in filled]
    for _ in watch(rows.client, futures, "coding partitions", removes_silent=False):
        pass
    where = rows.client.who_has(futures)
    places = {i: sorted(where.get(f.key) or ()) for i, f in zip(filled, futures, strict=True)}
    owners: dict[str, list[int]] = {worker: [] for worker in alive_workers(rows.client)}
    held: Counter[str] = Counter()
    for i, copies in places.items():
        here = [worker for worker in copies if worker in owners]
        if not here:
            raise WorkerLostError(f"partition {i} was lost while it was placed")
        worker = min(here, key=lambda place: held[place])
        owners[worker].append(i)
        held[worker] += rows.facts.lengths[i]
    balance(owners, rows.facts.lengths)
    return {worker: parts for worker, parts in sorted(owners.items()) if parts}


def balance(owners: dict[str, list[int]], lengths: Sequence[int]) -> None:
    """Move partitions from full to empty workers until none has much more than the mean, or no move helps.

    Examples
    --------
    >>> owners = {"a": [0, 1, 2, 3], "b": []}
    >>> balance(owners, [10, 10, 10, 10])
    >>> owners
    {'a': [0, 1], 'b': [2, 3]}
    >>> owners = {"a": [0, 1, 2, 3, 4], "b": [5, 6, 7]}
    >>> balance(owners, [10] * 8)
    >>> owners
    {'a': [0, 1, 2, 3], 'b': [4, 5, 6, 7]}
    """
    held = {worker: sum(lengths[i] for i in parts) for worker, parts in owners.items()}
    mean = sum(held.values()) / len(held)
    while True:
        full, empty = max(held, key=lambda w: held[w]), min(held, key=lambda w: held[w])
        room = held[full] - held[empty]
        moves = [i for i in owners[full] if 0 < lengths[i] < room]
        if held[full] <= FULL * mean or not moves:
            break
        part = max(moves, key=lambda i: (min(lengths[i], room - lengths[i]), i))
        owners[full].remove(part)
        owners[empty].append(part)
        held[full] -= lengths[part]
        held[empty] += lengths[part]
    for parts in owners.values():
        parts.sort()


def _meet(fit: Attempts, workers: tuple[str, ...], force_messages: bool) -> Meeting:
    """Open a port on each worker, and find out whether they reach each other."""
    client, key = fit.rows.client, f"{fit.rows.fit_id}-{fit.number}"
    try:
        by_worker = _run(client, workers, open_port, key)
        ports = [by_worker[worker] for worker in workers]
        reached = _run(client, workers, can_reach, ports) if len(workers) > 1 else {}
    except (OSError, KeyError, ValueError) as error:
        raise WorkerLostError(f"a worker was lost while ports were opened: {error}") from None
    by_sockets = all(reached.values()) and not force_messages
    fit.rows.report.connection = "sockets" if by_sockets else "dask"
    secret = secrets.token_bytes(32)
    return Meeting(fit.rows.fit_id, fit.number, workers, tuple(ports), secret, by_sockets)


def _run(client: Any, workers: tuple[str, ...], function: Any, *arguments: Any) -> dict[str, Any]:
    """Run a function on workers beside their tasks; return what each says."""
    answer = client.run(function, *arguments, workers=list(workers), asynchronous=True)
    results: dict[str, Any] = wait_for(client, answer, Watch(client, "opening ports").check)
    return results


def _start(fit: Attempts, meeting: Meeting, owners: dict[str, list[int]]) -> list[Any]:
    """Start the task of each worker, which no other may run."""
    return [
        fit.rows.submit(
            "train",
            train_on_worker,
            fit.train,
            fit.plan,
            meeting,
            rank,
            fit.progress,
            [fit.rows.packed[i] for i in owners[worker]],
            workers=[worker],
            allow_other_workers=False,
            retries=0,
        )
        for rank, worker in enumerate(meeting.workers)
    ]


def _wait(
    fit: Attempts,
    futures: Sequence[Any],
    watched: TaskEnds,
    arrived: list[dict[str, Any]],
    tell: Callable[[Progress], bool] | None,
) -> None:
    """Wait until all workers have finished; an error as soon as one is lost, even before its task began."""
    while tell is None or not fit.stopped:
        _take_rounds(fit, arrived, tell)
        if all(future.status == "finished" for future in futures):
            break
        watched.check()
        watched.rest()
    # The last messages may be on their way.
    end = time.monotonic() + LAST_SECONDS
    while tell is not None and not fit.stopped and time.monotonic() < end:
        _take_rounds(fit, arrived, tell)
        if fit.progress.rounds and arrived and arrived[-1].get("is_last"):
            break
        watched.rest()


def _take_rounds(
    fit: Attempts, arrived: list[dict[str, Any]], tell: Callable[[Progress], bool] | None
) -> None:
    for message in list(arrived):
        if message.get("number") is None:
            continue
        round_facts = (message[name] for name in ("number", "trees", "losses", "is_over"))
        if not fit.progress.add(*round_facts):
            continue
        if tell is not None and tell(fit.progress):
            fit.stopped = True
            return


def _end(client: Any, futures: Sequence[Any], meeting: Meeting) -> None:
    """Leave nothing behind of an attempt that did not finish: no task, no open port, nobody who waits."""
    if client.status != "running" or all(future.status == "finished" for future in futures):
        return
    client.cancel(list(futures), force=True)
    alive = [worker for worker in meeting.workers if worker in alive_workers(client)]
    if alive:
        with contextlib.suppress(OSError):  # a silent worker answers nothing
            client.run(
                ask_to_close,
                meeting.key,
                workers=alive,
                wait=False,
                on_error="ignore",
                callback_timeout=END_SECONDS,
            )


def _check_results(
    rows: ClusterRows, workers: Sequence[str], results: Sequence[TrainedPart]
) -> TrainedPart:
    """Return the result, which must be the same on all workers, and note what the fit took."""
    forest = results[0].forest
    digest = hashlib.sha256(forest).digest()
    if any(result.forest != digest for result in results[1:]):
        raise InternalError("workers have grown different trees")
    report = rows.report
    report.connection = results[0].connection if len(results) > 1 else ""
    report.wire_bytes = sum(result.sent for result in results)
    report.peak_bytes |= {w: r.peak for w, r in zip(workers, results, strict=True)}
    for phase in ("coding", "growing"):
        report.seconds[phase] = max(result.seconds[phase] for result in results)
    return results[0]
