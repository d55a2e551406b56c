"""The tasks of a fit on Spark: they start together, find each other, and fit one model."""

from __future__ import annotations

import base64
import contextlib
import json
import pickle
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from treewright import _core
from treewright._cluster.gathered_fits import FittedModel
from treewright._cluster.joint_fit import RawPartition, fit_together
from treewright.errors import PeerLostError

__all__ = ["Outcome", "TaskPlan", "run_task"]

CONNECT_SECONDS = 5.0  # then Spark carries the messages


@dataclass(frozen=True, eq=False)
class TaskPlan:
    """What every task of a fit gets from the driver.

    Parameters
    ----------
    estimator : estimator
        The local estimator with the parameters of the fit.
    classes : bool
        Whether the target holds classes.
    features : list of str
        The names of the columns that are learned from.
    target, weight : str, str or None
        The names of the columns of the target and of the weights.
    schema : bytes
        The Arrow schema of the rows, which a task without rows needs.
    secret : bytes
        What only tasks of this fit know.
    """

    estimator: Any
    classes: bool
    features: list[str]
    target: str
    weight: str | None
    schema: bytes
    secret: bytes


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a task gives back: the model of the first one, or the error of all, and what it sent."""

    model: FittedModel | None
    error: Exception | None
    connection: str
    bytes_sent: int


def run_task(plan: TaskPlan, batches: Iterator[Any]) -> Iterator[Any]:
    """Run one task on the rows of one partition; the result is one row with the rank and an outcome."""
    import pyarrow as pa
    from pyspark import BarrierTaskContext

    context = BarrierTaskContext.get()
    rank = context.partitionId()
    schema = pa.ipc.read_schema(pa.py_buffer(plan.schema))
    table = pa.Table.from_batches(list(batches), schema)
    peers, connection = connect(context, plan.secret)
    model: FittedModel | None = None
    error: Exception | None = None
    try:
        weights = None if plan.weight is None else table[plan.weight]
        # A column of Arrow has no name, and the model keeps that of the target.
        target = table.select([plan.target]).to_pandas()[plan.target]
        part = RawPartition(rank, table.select(plan.features), target, weights)
        # A message through Spark takes about a second, and a tree needs one for each leaf.
        divides = isinstance(peers, _core.Mesh)
        model = fit_together(peers, [part], plan.estimator, plan.classes, divides)
    except PeerLostError:
        raise  # the driver starts all tasks again
    except Exception as failure:
        error = failure
    sent = int(peers.counters["bytes_sent"]) if isinstance(peers, _core.Mesh) else 0
    outcome = Outcome(model if rank == 0 else None, error, connection, sent)
    context.barrier()  # nobody closes a connection that another one still reads from
    peers.leave()
    yield pa.record_batch({"rank": [rank], "outcome": [pickle.dumps(outcome, 5)]})


def connect(context: Any, secret: bytes) -> tuple[_core.Peers, str]:
    """Connect this task with the others: by sockets or, where that fails, through Spark."""
    rank, hosts = context.partitionId(), [_host(info) for info in context.getTaskInfos()]
    size = len(hosts)
    # Tasks of one machine need no port that other machines can reach.
    host = "127.0.0.1" if len(set(hosts)) == 1 else hosts[rank]
    listener: _core.MeshListener | None = None
    with contextlib.suppress(OSError):  # the others are told below
        listener = _core.MeshListener(host)
    own = {"address": listener.address if listener else "", "try": secrets.token_hex(8)}
    answers = [json.loads(answer) for answer in context.allGather(json.dumps(own))]
    addresses = [answer["address"] for answer in answers]
    mesh: _core.Mesh | None = None
    if listener is not None and all(addresses):
        try:
            # Another attempt of the same stage has other tokens.
            fit = " ".join(answer["try"] for answer in answers)
            mesh = listener.connect(rank, addresses, secret, fit, connect_timeout=CONNECT_SECONDS)
        except PeerLostError:
            mesh = None
    if all(context.allGather("connected" if mesh else "")) and mesh is not None:
        return mesh, "sockets"
    if mesh is not None:
        mesh.close()

    def gather(data: bytes) -> list[bytes]:
        return [
            base64.b64decode(text) for text in context.allGather(base64.b64encode(data).decode())
        ]

    return _core.CallbackPeers(rank, size, gather), "spark"


def _host(info: Any) -> str:
    """Return the host of a task: its address may have a port."""
    address = str(info.address)
    host, colon, port = address.rpartition(":")
    return host.strip("[]") if colon and port.isdigit() and "]" not in port else address
