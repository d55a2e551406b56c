"""
Boosting on a cluster
=====================

The rows are in partitions on several workers; the model has the bytes that one machine would give. Here the cluster is
two processes of this machine; with ``Client("tcp://scheduler:8786")`` it is yours. (This script is not run when the
site is built; ``python run_p7_dask_cluster.py`` runs it.)
"""

import numpy as np


def main() -> None:
    """Fit on a cluster and on this machine, and compare the files."""
    import dask.array as da
    from distributed import Client, LocalCluster

    from treewright import GradientBoostingClassifier
    from treewright.dask import GradientBoostingClassifier as OnCluster

    random = np.random.default_rng(0)
    X = random.normal(size=(100_000, 10))
    y = (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype(int)
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster,
        Client(cluster),  # the estimators use it
    ):
        parts = da.from_array(X, chunks=(12_500, 10)), da.from_array(y, chunks=12_500)
        model = OnCluster(n_estimators=20).fit(*parts)
        print(model.fit_report_)
        alone = GradientBoostingClassifier(n_estimators=20).fit(X, y)
        same = model.to_local().predict_proba(X) == alone.predict_proba(X)
        print(f"all probabilities are the same: {same.all()}")


if __name__ == "__main__":
    main()
