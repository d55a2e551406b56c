"""What a worker imports: its first task waits for it, and so does the whole fit."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np

from treewright import GradientBoostingClassifier
from treewright._cluster.boosting_plan import plan_boosting
from treewright._cluster.partitions import read_partition
from treewright._cluster.table_facts import describe_partition, merge_partitions

TASKS = """
import pickle, sys
import numpy as np
from treewright._cluster.packed_rows import pack_partition
from treewright._cluster.partitions import read_partition
from treewright._cluster.table_facts import describe_partition
import treewright.dask.boosting_task
plan = pickle.loads(sys.stdin.buffer.read())
part = read_partition(0, np.eye(4, dtype=np.float32), np.array([0, 1, 0, 1]), None, True)
describe_partition(part)
assert len(pack_partition(0, part, plan.facts)) == 4
print(*(name for name in ("sklearn", "scipy", "pandas") if name in sys.modules))
"""


def test_tasks_of_a_boosting_fit_need_no_estimators() -> None:
    part = read_partition(0, np.eye(4, dtype=np.float32), np.array([0, 1, 0, 1]), None, True)
    plan = plan_boosting(GradientBoostingClassifier(), merge_partitions([describe_partition(part)]))
    done = subprocess.run(
        [sys.executable, "-c", TASKS], input=pickle.dumps(plan), capture_output=True, check=True
    )
    assert done.stdout.split() == []
