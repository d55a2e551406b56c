import csv
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from treewright import datasets
from treewright.errors import DataError

DATA = Path(__file__).parent / "data"


def test_names_are_those_that_load():
    assert set(datasets.names()) >= {"play-tennis", "golf", "near-cool", "truth-table"}
    assert [datasets.load(name).name for name in datasets.names()] == datasets.names()


@pytest.mark.parametrize("name", datasets.names())
def test_every_table_is_whole(name):
    data = datasets.load(name)
    gaps = any(series.missing().any() for series in data.table.series)
    assert gaps == (name in ("breast-cancer", "vote", "labor"))
    assert not data.table.column(data.target).missing().any()
    assert all(series.declared for series in data.table.series if series.kind == "categorical")
    assert data.features.columns == [
        column for column in data.table if column not in (*data.ignore, data.target)
    ]
    assert name == "cpu" or set(data.labels) == set(data.classes)
    assert data.title
    assert data.description
    assert data.source
    assert data.license


@pytest.mark.parametrize("name", datasets.names())
def test_the_function_gives_features_and_labels(name):
    data = datasets.load(name)
    X, y = getattr(datasets, name.replace("-", "_"))()
    assert X.to_dict() == data.features.to_dict()
    assert isinstance(y, np.ndarray)
    assert y.dtype.kind == ("f" if name == "cpu" else "U")
    assert y.tolist() == data.table[data.target]


def test_play_tennis():
    data = datasets.load("play-tennis")
    assert data.table.columns == ["Day", "Outlook", "Temperature", "Humidity", "Wind", "PlayTennis"]
    assert data.table["Day"] == [f"D{day}" for day in range(1, 15)]
    assert data.ignore == ("Day",)
    assert data.target == "PlayTennis"
    assert data.classes == ("Yes", "No")
    levels = {series.name: series.levels for series in data.features.series}
    assert levels == {
        "Outlook": ("Sunny", "Overcast", "Rain"),
        "Temperature": ("Hot", "Mild", "Cool"),
        "Humidity": ("High", "Normal"),
        "Wind": ("Weak", "Strong"),
    }
    counts = {series.name: np.bincount(series.data).tolist() for series in data.features.series}
    assert counts == {
        "Outlook": [5, 4, 5],
        "Temperature": [4, 6, 4],
        "Humidity": [7, 7],
        "Wind": [8, 6],
    }


def test_golf_is_play_tennis_with_numbers():
    golf, tennis = datasets.load("golf"), datasets.load("play-tennis")
    kinds = {series.name: series.kind for series in golf.features.series}
    assert kinds["temperature"] == kinds["humidity"] == "numeric"
    same = {"sunny": "Sunny", "overcast": "Overcast", "rainy": "Rain"}
    assert [same[value] for value in golf.table["outlook"]] == tennis.table["Outlook"]
    wind = {"TRUE": "Strong", "FALSE": "Weak"}
    assert [wind[value] for value in golf.table["windy"]] == tennis.table["Wind"]
    assert [label.capitalize() for label in golf.labels] == tennis.labels.tolist()
    # Mitchell's High is above 80, his Cool below 70 and his Hot from 80 on.
    humidity = ["High" if value > 80 else "Normal" for value in golf.table["humidity"]]
    assert humidity == tennis.table["Humidity"]
    heat = [
        "Hot" if value >= 80 else "Cool" if value < 70 else "Mild"
        for value in golf.table["temperature"]
    ]
    assert heat == tennis.table["Temperature"]


def test_golf_is_the_file_of_that_name():
    with (DATA / "golf.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    table = datasets.load("golf").table
    assert table.columns == list(rows[0])
    for name in table:
        kind = float if table.column(name).kind == "numeric" else str
        assert table[name] == [kind(row[name]) for row in rows]


def test_near_cool():
    X, y = datasets.near_cool()
    rows = zip(X["outlook"], X["temp"], X["routine"], y.tolist(), strict=True)
    assert [" ".join(row) for row in rows] == [
        "sunny cold indoors N",
        "sunny warm outdoors N",
        "cloudy warm indoors N",
        "sunny warm indoors N",
        "cloudy cold indoors Y",
        "cloudy cold outdoors Y",
        "sunny cold outdoors Y",
    ]


def test_truth_table():
    X, y = datasets.truth_table()
    inputs = list(zip(X["A"], X["B"], X["C"], strict=True))
    assert len(set(inputs)) == 8
    for (a, b, c), result in zip(inputs, y, strict=True):
        assert result == str(a == "True" or (b == "True" and c == "True"))


def test_german_credit_has_the_counts_of_its_source():
    table = datasets.load("german-credit").table
    bad = [risk == "bad" for risk in table["risk"]]
    account = table["checking_account"]
    found = {
        level: (
            account.count(level),
            sum(b for a, b in zip(account, bad, strict=True) if a == level),
        )
        for level in table.column("checking_account").levels
    }
    assert found == {
        "overdrawn": (274, 135),
        "below 200": (269, 105),
        "200 or more": (63, 14),
        "no account": (394, 46),
    }
    assert sum(table["amount"]) == 3_271_258
    assert sum(table["age"]) == 35_546
    assert not {"sex", "foreign_worker"} & set(table)


@pytest.mark.parametrize(
    ("name", "meant"),
    [("tennis", "play-tennis"), ("Play_Tennis", "play-tennis"), ("glof", "golf"), ("xyz", None)],
)
def test_an_unknown_name(name, meant):
    with pytest.raises(DataError) as caught:
        datasets.load(name)
    error = caught.value
    assert error.slug == "data.no-such-table"
    assert error.message == f'there is no built-in table "{name}"'
    listed = f"built-in tables: {', '.join(datasets.names())}"
    assert error.hints == ((f'did you mean "{meant}"?', listed) if meant else (listed,))


def test_a_hostile_name_stays_on_its_line():
    with pytest.raises(DataError) as caught:
        datasets.load("a\n\x1b[31mb")
    assert caught.value.message == r'there is no built-in table "a\n\x1b[31mb"'


def test_loading_twice_gives_tables_that_share_nothing():
    one, other = datasets.load("golf"), datasets.load("golf")
    one.table.column("humidity").data[0] = 0
    assert other.table["humidity"][0] == 85


def test_importing_and_listing_does_not_load_numpy():
    code = (
        "import sys\n"
        "from treewright import datasets\n"
        "assert datasets.names()\n"
        "assert 'numpy' not in sys.modules, 'numpy was loaded'\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
