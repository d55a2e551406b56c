"""Boosting and forests on a Dask cluster of one-thread workers, beside LightGBM and XGBoost on the same cluster.

python benchmarks/scale.py --rows 4000000 --trees 100 --workers 2 --system treewright

One system in one process, so that none warms up the cluster for another. `--system all` runs each in a process of its
own and prints one line for each: wall time of the fit, CPU seconds of the busiest worker, the peak of its memory and
how much of that the fit added, AUC. Libraries are imported, and rows lie on the workers, before the time begins.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from tables import higgs_like

SYSTEMS = ("treewright", "treewright-local", "lightgbm", "xgboost", "forest", "forest-local")
LEAVES, RATE = 31, 0.1


def make_parts(rows: int, parts: int) -> list[tuple[Any, Any]]:
    """Return the table in parts: each is made from its own seed, on the worker that keeps it."""
    sizes = [len(part) for part in np.array_split(np.arange(rows), parts)]
    return list(enumerate(sizes))


def make_part(seed: int, rows: int) -> tuple[Any, Any]:
    X, score = higgs_like(rows, seed)
    return X, (score > 0.35).astype(np.int64)


def cpu_seconds() -> float:
    return time.process_time()


def reset_peak() -> int:
    """Forget the largest memory of this process so far, and return what it holds now. Linux only."""
    Path("/proc/self/clear_refs").write_text("5")
    return peak_bytes()


def peak_bytes() -> int:
    """Return the largest memory of this process since the last reset."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


def load_library(system: str) -> None:
    """Import the library of a system, so that no fit takes the time that this takes a new process."""
    make_model(system, 1)


def make_model(system: str, trees: int) -> Any:
    """Return the estimator of a system on Dask."""
    if system == "treewright":
        from treewright.dask import GradientBoostingClassifier

        return GradientBoostingClassifier(
            n_estimators=trees, max_leaf_nodes=LEAVES, learning_rate=RATE
        )
    if system == "forest":
        from treewright.dask import RandomForestClassifier

        return RandomForestClassifier(n_estimators=trees)
    if system == "lightgbm":
        from lightgbm import DaskLGBMClassifier

        return DaskLGBMClassifier(
            n_estimators=trees, num_leaves=LEAVES, learning_rate=RATE, n_jobs=1, verbose=-1
        )
    from xgboost.dask import DaskXGBClassifier

    return DaskXGBClassifier(
        n_estimators=trees,
        max_leaves=LEAVES,
        max_depth=0,
        grow_policy="lossguide",
        tree_method="hist",
        learning_rate=RATE,
        n_jobs=1,
    )


def make_local(system: str, trees: int, threads: int) -> Any:
    from treewright import GradientBoostingClassifier, RandomForestClassifier

    if system == "forest-local":
        return RandomForestClassifier(n_estimators=trees, n_jobs=threads)
    return GradientBoostingClassifier(
        n_estimators=trees, max_leaf_nodes=LEAVES, learning_rate=RATE, n_jobs=threads
    )


def area_under_curve(truth: Any, scores: Any) -> float:
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(truth, scores))


def predict_here(model: Any, X: Any) -> Any:
    """Return the probability of the second class, predicted in this process."""
    if hasattr(model, "to_local"):
        return model.to_local().predict_proba(X)[:, 1]
    return model.get_booster().inplace_predict(X)


def run_local(system: str, options: argparse.Namespace) -> dict[str, Any]:
    parts = [make_part(*part) for part in make_parts(options.rows, options.partitions)]
    X, y = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    model = make_local(system, options.trees, options.workers)
    held = reset_peak()
    start, cpu = time.perf_counter(), time.process_time()
    model.fit(X, y)
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    memory = {"peak_mb": peak_bytes() / 1e6, "added_mb": (peak_bytes() - held) / 1e6}
    test = make_part(10**6, 100_000)
    auc = area_under_curve(test[1], model.predict_proba(test[0])[:, 1])
    return {"seconds": seconds, "cpu": cpu, "auc": auc} | memory


def run_on_cluster(system: str, options: argparse.Namespace) -> dict[str, Any]:
    import dask.array as da
    from dask.delayed import delayed
    from distributed import Client, LocalCluster, wait

    with (
        LocalCluster(
            n_workers=options.workers,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            host="127.0.0.1",
        ) as cluster,
        Client(cluster) as client,
    ):
        sizes = make_parts(options.rows, options.partitions)
        parts = [delayed(make_part, nout=2)(*part) for part in sizes]
        X = da.concatenate(
            [
                da.from_delayed(p[0], (n, 28), np.float32)
                for p, (_, n) in zip(parts, sizes, strict=True)
            ]
        )
        y = da.concatenate(
            [da.from_delayed(p[1], (n,), np.int64) for p, (_, n) in zip(parts, sizes, strict=True)]
        )
        X, y = client.persist([X, y])
        wait([X, y])
        client.run(load_library, system)
        model = make_model(system, options.trees)  # loads the library in this process
        before, held = client.run(cpu_seconds), client.run(reset_peak)
        start = time.perf_counter()
        model.fit(X, y)
        seconds = time.perf_counter() - start
        after, peaks = client.run(cpu_seconds), client.run(peak_bytes)
        cpu = max(after[worker] - before[worker] for worker in before)
        test = make_part(10**6, 100_000)
        shares = predict_here(model, test[0])
        result = {
            "seconds": seconds,
            "cpu": cpu,
            "peak_mb": max(peaks.values()) / 1e6,
            "added_mb": max(peaks[worker] - held[worker] for worker in held) / 1e6,
            "auc": area_under_curve(test[1], shares),
        }
        if hasattr(model, "fit_report_"):
            report = model.fit_report_
            result["phases"] = {name: round(value, 2) for name, value in report.seconds.items()}
            result["wire_mb"] = report.wire_bytes / 1e6
            result["restarts"] = report.restarts
        return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--partitions", type=int, default=8)
    parser.add_argument("--system", choices=(*SYSTEMS, "all"), default="all")
    options = parser.parse_args()
    if options.system == "all":
        for system in SYSTEMS:
            command = [sys.executable, __file__, *sys.argv[1:], "--system", system]
            subprocess.run(command, check=False)
        return
    is_local = options.system.endswith("-local")
    result = (run_local if is_local else run_on_cluster)(options.system, options)
    numbers = {k: round(v, 4) if isinstance(v, float) else v for k, v in result.items()}
    print(json.dumps({"system": options.system, "rows": options.rows} | numbers), flush=True)


if __name__ == "__main__":
    main()
