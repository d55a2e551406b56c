"""The interface of the workbench's server: the same numbers as the package, whatever the page asks for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("uvicorn")

from server_process import Answer, Client, running_server

from treewright import C45Classifier, CARTClassifier, ID3Classifier, datasets, files

TENNIS = datasets.load("play-tennis")


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with running_server() as client:
        yield client


def as_csv(name: str) -> bytes:
    table = datasets.load(name).table
    lines = [list(table.columns), *zip(*(s.values() for s in table.series), strict=True)]
    return "\n".join(",".join("" if c is None else str(c) for c in line) for line in lines).encode()


def opened(client: Client, name: str = "play-tennis", **options: Any) -> dict[str, Any]:
    query = json.dumps({"target": datasets.load(name).target, **options}).replace(" ", "%20")
    answer = client.call("POST", f"/api/tables?name={name}.csv&options={query}", as_csv(name))
    assert answer.status == 201, answer.body
    table: dict[str, Any] = answer.json
    return table


def started(client: Client, algorithm: str, table: int, **params: Any) -> dict[str, Any]:
    spec = {"table": table, "algorithm": algorithm, "params": params}
    answer = client.call("POST", "/api/trees", spec)
    assert answer.status == 201, answer.body
    tree: dict[str, Any] = answer.json
    return tree


def last_line(answer: Answer) -> Any:
    assert answer.status == 200, answer.body
    return json.loads(answer.body.splitlines()[-1])


def test_a_table_is_told_with_its_columns(client: Client) -> None:
    table = opened(client)
    assert table["rows"] == 14
    assert table["target"] == "PlayTennis"
    assert table["classes"] == ["No", "Yes"]
    roles = {column["name"]: column["role"] for column in table["columns"]}
    assert roles["Day"] == "ignored"
    assert roles["Wind"] == "feature"
    number = table["id"]
    rows = client.call("GET", f"/api/tables/{number}/rows?offset=2&limit=1").json
    assert rows == [["D3", "Overcast", "Hot", "High", "Weak", "Yes"]]
    counts = client.call("GET", f"/api/tables/{number}/columns/4/distribution").json
    assert counts == {"missing": [0, 0], "levels": ["Weak", "Strong"], "counts": [[2, 6], [3, 3]]}
    kept = client.call(
        "PATCH", f"/api/tables/{number}", {"target": "PlayTennis", "columns": {"Day": "keep"}}
    ).json
    assert {c["name"]: c["role"] for c in kept["columns"]}["Day"] == "feature"
    assert client.call("DELETE", f"/api/tables/{number}").status == 200
    assert client.call("GET", f"/api/tables/{number}").status == 404


@pytest.mark.parametrize(
    ("algorithm", "estimator"),
    [("id3", ID3Classifier), ("c45", C45Classifier), ("cart", CARTClassifier)],
)
def test_a_tree_grown_step_by_step_is_the_tree_of_fit(
    client: Client, algorithm: str, estimator: Any
) -> None:
    table = opened(client)
    tree = started(client, algorithm, table["id"])
    path = f"/api/trees/{tree['id']}"
    nodes = {node["id"]: node for node in tree["nodes"]}
    while todo := [number for number, node in nodes.items() if node["state"] == "open"]:
        delta = client.call("POST", f"{path}/step", {"action": "split", "node": todo[0]}).json
        nodes |= {node["id"]: node for node in delta["changed"]}
    client.call("POST", f"{path}/step", {"action": "prune"})
    X, y = datasets.play_tennis()
    fitted = estimator().fit(X, y)
    content = client.call("GET", f"/api/models/{tree['id']}/file").body
    assert files.from_bytes(content).predict_proba(X).tolist() == fitted.predict_proba(X).tolist()
    assert files.from_bytes(content).tree_.n_nodes == fitted.tree_.n_nodes


def test_steps_are_undone_and_identifiers_stay(client: Client) -> None:
    tree = started(client, "id3", opened(client)["id"])
    path = f"/api/trees/{tree['id']}/step"
    first = client.call("POST", path, {"action": "split", "node": 0}).json
    assert [node["id"] for node in first["changed"]] == [0, 1, 2, 3]
    by_hand = client.call("POST", path, {"action": "split_on", "node": 1, "feature": 3}).json
    assert by_hand["changed"][0]["by_hand"]
    leaf = client.call("POST", path, {"action": "leaf", "node": 1}).json
    assert leaf["removed"] == [4, 5]
    back = client.call("POST", path, {"action": "undo"}).json
    assert {node["id"] for node in back["changed"]} == {1, 4, 5}
    assert client.call("POST", path, {"action": "split", "node": 99}).status == 400


def test_two_pages_do_not_overwrite_each_other(client: Client) -> None:
    tree = started(client, "id3", opened(client)["id"])
    path = f"/api/trees/{tree['id']}/step"
    assert client.call("POST", path, {"action": "split", "node": 0}, If_Match="0").status == 200
    other = client.call("POST", path, {"action": "leaf", "node": 0}, If_Match="0")
    assert other.status == 412
    assert other.json["slug"] == "server.conflict"


def test_work_and_rows_of_a_node(client: Client) -> None:
    tree = started(client, "id3", opened(client)["id"])
    path = f"/api/trees/{tree['id']}/nodes/0"
    work = client.call("GET", f"{path}/work").json
    assert work["candidates"][work["chosen"]]["gain"] == pytest.approx(0.2467, abs=1e-4)
    rows = client.call("GET", f"{path}/rows?limit=3").json
    assert (rows["total"], rows["index"], rows["fraction"]) == (14, [0, 1, 2], [1.0, 1.0, 1.0])


def test_long_work_tells_its_progress(client: Client) -> None:
    table = opened(client)["id"]
    specs = [{"table": table, "algorithm": name, "params": {}} for name in ("c45", "knn")]
    answer = client.call("POST", "/api/compare", {"specs": specs, "folds": 7})
    lines = [json.loads(line) for line in answer.body.splitlines()]
    assert lines[0] == {"done": 0, "of": lines[0]["of"]}
    assert {r["name"] for r in lines[-1]["result"]["results"]} >= {"c45", "knn", "zero-r"}
    tree = started(client, "cart", table)["id"]
    client.call("POST", f"/api/trees/{tree}/step", {"action": "grow"})
    curve = last_line(client.call("POST", f"/api/trees/{tree}/curve", {"folds": 7}))["result"]
    assert curve["leaves"][0] == 1
    assert curve["leaves"] == sorted(curve["leaves"])


def test_predictions_are_those_of_the_package(client: Client) -> None:
    table = opened(client, "golf")
    spec = {
        "table": table["id"],
        "algorithm": "forest",
        "params": {"n_estimators": 10, "random_state": 0},
    }
    model = last_line(client.call("POST", "/api/models", spec))["result"]["id"]
    rows = client.call("GET", f"/api/tables/{table['id']}/rows?limit=14").json
    answers = client.call("POST", f"/api/models/{model}/predict", {"rows": rows}).json
    held = files.from_bytes(client.call("GET", f"/api/models/{model}/file").body)
    X, _ = datasets.golf()
    assert [a["prediction"] for a in answers] == held.predict(X).tolist()
    missing = client.call(
        "POST", f"/api/models/{model}/predict", {"rows": [[None] * 5, ["", "", "?", "new", ""]]}
    )
    assert len(missing.json) == 2


def test_a_person_gets_the_package_s_own_error(client: Client) -> None:
    answer = client.call("POST", "/api/tables?name=x.csv", b"a,b\n1,x\n2\n")
    assert answer.status == 400
    assert answer.json["slug"] == "data.ragged-row"
    assert "hint" in answer.json
    assert client.call("POST", "/api/trees", {"table": 999, "algorithm": "id3"}).status == 404
    table = opened(client)["id"]
    spec = {"table": table, "algorithm": "id3", "params": {"n_jobs": {"a": 1}}}
    assert client.call("POST", "/api/trees", spec).json["slug"] == "server.request"


def test_a_fit_is_stopped(client: Client) -> None:
    import threading
    import time

    import numpy as np

    rng = np.random.default_rng(0)
    numbers = rng.normal(size=(20_000, 10)).round(4)
    lines = [",".join(map(str, row)) + f",{'ab'[row[0] * row[1] > 0]}" for row in numbers.tolist()]
    content = "\n".join([",".join(f"n{i}" for i in range(10)) + ",y", *lines]).encode()
    table = client.call("POST", "/api/tables?name=large.csv", content).json["id"]
    spec = {"table": table, "algorithm": "forest", "params": {"n_estimators": 5000}}
    ended: list[Any] = []
    thread = threading.Thread(
        target=lambda: ended.append(last_line(client.call("POST", "/api/models", spec)))
    )
    thread.start()
    time.sleep(0.5)
    client.call("POST", "/api/cancel", {})
    thread.join(10)
    assert ended[0]["failure"]["slug"] == "stopped"
    assert client.call("GET", "/api/tables").status == 200


def test_quit_stops_the_server() -> None:
    with running_server() as client:
        assert client.call("POST", "/api/quit", {}).status == 200


def test_a_silent_server_stops() -> None:
    with running_server(idle_seconds=0.2) as client:
        import time

        time.sleep(1.0)
        with pytest.raises(ConnectionError):
            client.call("GET", "/api/tables")
