"""
Boosting on a cluster
=====================

The customers of a shop lie in many files, and each worker of a Dask cluster reads some of them. The model has the
bytes that one machine would give, so it can be saved, explained and exported like any other. Here the cluster is two
processes of this machine and the files have few rows; with ``Client("tcp://scheduler:8786")`` and your files it is
yours. (This script is not run when the site is built; ``python run_p7_dask_cluster.py`` runs it.)
"""

from pathlib import Path
from tempfile import mkdtemp

HERE = Path(__file__).parent


def write_parts(folder: Path) -> None:
    """Write the table of customers into eight files, as a shop might have them."""
    header, *rows = (HERE / "customers.csv").read_text("utf-8").splitlines()
    for part in range(8):
        lines = [header, *rows[part::8]]
        (folder / f"customers-{part}.csv").write_text("\n".join(lines) + "\n", "utf-8")


def main() -> None:
    """Fit on a cluster and on this machine, and compare the models."""
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    from treewright import GradientBoostingClassifier, explain, save
    from treewright.dask import GradientBoostingClassifier as OnCluster

    folder = Path(mkdtemp())
    write_parts(folder)
    settings = {"n_estimators": 50, "max_leaf_nodes": 4}
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster,
        Client(cluster),  # the estimators use it
    ):
        table = dd.read_csv(str(folder / "customers-*.csv"))
        X, y = table.drop(columns="status"), table["status"]
        model = OnCluster(**settings).fit(X, y)
        print(model.fit_report_)
        # From here on the cluster is not needed.
        local, X, y = model.to_local(), X.compute(), y.compute()
    save(local, folder / "customers.tree")
    print(explain(local, X[:1]))
    alone = GradientBoostingClassifier(**settings).fit(X, y)
    same = local.predict_proba(X) == alone.predict_proba(X)
    print(f"all probabilities are the same: {same.all()}")


if __name__ == "__main__":
    main()
