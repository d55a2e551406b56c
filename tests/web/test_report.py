"""A report in a real browser: it checks itself, works offline, without JavaScript and on paper, for everybody."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpers import golden
from treewright import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    ID3Classifier,
    KNeighborsClassifier,
    OneRClassifier,
    RandomForestClassifier,
    RuleSetClassifier,
    ZeroRClassifier,
    datasets,
    report,
    show,
)
from treewright._web.check_cases import check_cases
from treewright._web.page_file import read_shell
from treewright._web.report import report_document

OpenPage = Callable[..., Any]
READY = "html[data-ready]"


@pytest.fixture(autouse=True)
def pages() -> None:
    """Skip where the page was not built."""
    try:
        if "data-live" not in read_shell("report"):
            pytest.skip("the page of reports is not built: make web")
    except FileNotFoundError:
        pytest.skip("the page of reports is not built: make web")


def write(folder: Path, model: Any, X: Any = None, y: Any = None, **settings: Any) -> Path:
    path = folder / "report.html"
    report(model, X, y, path, **settings)
    return path


def tennis(folder: Path) -> Path:
    X, y = datasets.play_tennis()
    return write(folder, ID3Classifier().fit(X, y), X, y)


MODELS: dict[str, tuple[Any, str]] = {
    "ID3": (ID3Classifier, "tennis"),
    "C4.5 with missing values": (C45Classifier, "labor"),
    "C4.5 unpruned": (partial(C45Classifier, prune=None, min_cases=1), "vote"),
    "C4.5 with smoothed probabilities": (partial(C45Classifier, smoothing="laplace"), "vote"),
    "CART": (CARTClassifier, "iris"),
    "CART with categories": (partial(CARTClassifier, max_depth=6), "breast-cancer"),
    "CART with surrogates": (partial(CARTClassifier, variant="rpart"), "labor"),
    "CART with costs": (
        partial(CARTClassifier, max_depth=3, costs={"yes": {"no": 3.0}, "no": {"yes": 1.0}}),
        "golf",
    ),
    "regression": (partial(CARTRegressor, max_depth=5), "cpu"),
    "1-R": (OneRClassifier, "contact-lenses"),
    "0-R": (ZeroRClassifier, "golf"),
    "forest": (partial(RandomForestClassifier, 12, random_state=0), "iris"),
    "AdaBoost": (partial(AdaBoostClassifier, n_estimators=8), "iris"),
    "AdaBoost of numbers": (partial(AdaBoostRegressor, n_estimators=7), "cpu"),
    "boosting": (partial(GradientBoostingClassifier, n_estimators=8), "golf"),
    "boosting of classes": (partial(GradientBoostingClassifier, n_estimators=5), "contact-lenses"),
    "boosting of numbers": (partial(GradientBoostingRegressor, n_estimators=9), "cpu"),
}


@pytest.mark.parametrize("name", MODELS)
def test_the_page_predicts_as_the_model(
    name: str, open_page: OpenPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not 64 cases as for readers, but 600: at thresholds and next to them, missing, unseen, random."""
    monkeypatch.setattr(report_document, "check_cases", lambda model: check_cases(model, 600))
    make, table = MODELS[name]
    X, y = golden.load(table)
    model = make().fit(X, y.values())
    page = open_page(write(tmp_path, model))
    page.wait_for_selector("#try .checked")
    assert "600 embedded cases checked" in page.inner_text("#try")


def test_the_page_and_a_small_report_are_small(tmp_path: Path) -> None:
    assert len(read_shell("report").encode()) <= 220_000
    assert tennis(tmp_path).stat().st_size <= 250_000


def test_a_changed_value_switches_the_form_off(open_page: OpenPage, tmp_path: Path) -> None:
    path = tennis(tmp_path)
    text = path.read_text("utf-8")
    assert text.count('"value":[5,9,3,2,') == 1
    path.write_text(text.replace("0,4,2,3,3,0,", "0,4,2,3,3,1,", 1))
    page = open_page(path)
    page.wait_for_selector("#try [role=alert]")
    assert re.search(r"\d+ of 64 embedded cases are not predicted", page.inner_text("#try"))
    assert page.locator("#try form").count() == 0


def test_try_a_row(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(tennis(tmp_path))
    page.wait_for_selector("#try form")
    outlook, wind = (
        page.locator(f"#try label:has-text('{n}') select") for n in ("Outlook", "Wind")
    )
    outlook.select_option(label="Rain")
    wind.select_option(label="Strong")
    answer = page.inner_text("#try .answer")
    assert answer.startswith("No")
    assert "Outlook = Rain and Wind = Strong" in answer
    assert "Smallest change: Outlook to Overcast gives Yes." in answer
    wind.select_option(label="missing")
    assert page.inner_text("#try .big").startswith("Yes")


def test_rules_are_searched_and_copied(open_page: OpenPage, tmp_path: Path) -> None:
    X, y = datasets.golf()
    path = write(tmp_path, C45Classifier().fit(X, y), X, y)
    page = open_page(path, permissions=["clipboard-read", "clipboard-write"])
    page.wait_for_selector("#rules table")
    assert "5 of 5 rules" in page.inner_text("#rules")
    page.get_by_label("Search").fill("sunny")
    assert "2 of 5 rules" in page.inner_text("#rules .filters")
    line = page.locator("#rules .live tbody tr", has_text="humidity > 75")
    assert "43.9% to 100%" in line.inner_text()
    assert "2.80" in line.inner_text()
    line.get_by_role("button", name="SQL").click()
    page.wait_for_selector("text=Copied")
    assert page.evaluate("navigator.clipboard.readText()") == (
        'WHERE "outlook" = \'sunny\'\n  AND "humidity" > 75'
    )


def test_pruning_moves_the_tree_and_the_rules(open_page: OpenPage, tmp_path: Path) -> None:
    X, y = golden.load("iris")
    page = open_page(write(tmp_path, CARTClassifier().fit(X, y.values()), X, y.values()))
    page.wait_for_selector("#pruning input[type=range]")
    leaves = int(page.inner_text("#pruning .big").split()[0])
    page.locator("#pruning input[type=range]").focus()
    for _ in range(30):
        page.keyboard.press("ArrowLeft")
    assert page.inner_text("#pruning .big").split() == ["1", "leaf"]
    assert "1 of 1 rule" in page.inner_text("#rules .filters")
    assert "1 node · 1 leaf" in page.inner_text("#tree .sum")
    page.get_by_role("button", name="whole").click()
    assert f"{leaves} of {leaves} rules" in page.inner_text("#rules .filters")


def test_the_tree_leads_to_the_calculation(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(tennis(tmp_path), "#node=3")
    page.wait_for_selector("#tree .work")
    work = page.inner_text("#tree .panel")
    assert "Wind?" in work
    assert "0.971" in work
    page.get_by_role("button", name="Outline").click()
    page.get_by_role("tree").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    assert "Humidity?" in page.inner_text("#tree .panel")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_nothing_keeps_people_from_using_it(
    width: int,
    scheme: str,
    open_page: OpenPage,
    tmp_path: Path,
    check_access: Callable[[Any], None],
) -> None:
    X, y = datasets.golf()
    path = write(tmp_path, C45Classifier().fit(X, y), X, y, include_rows=8)
    view = {"width": width, "height": 800}
    page = open_page(path, viewport=view, color_scheme=scheme, bypass_csp=True)
    page.wait_for_selector(READY)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    if scheme == "dark":
        page.get_by_role("button", name="Outline").click()
    check_access(page)


def test_it_is_read_without_javascript(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(tennis(tmp_path), java_script_enabled=False)
    text = page.inner_text("main")
    for words in (
        "Outlook = Overcast",
        "baseline",
        "Pruning",
        "from treewright import",
        "Gini index",
    ):
        assert words in text
    assert page.locator("#tree svg[role=img]").count() == 1
    assert page.locator("#tree details").count() == 3


def test_it_is_printed(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(tennis(tmp_path))
    page.wait_for_selector(READY)
    page.emulate_media(media="print")
    assert page.locator("#rules .static").is_visible()
    assert page.locator("#calculation").is_visible()
    assert not page.locator("#rules .live").is_visible()
    assert not page.locator("nav.sections").is_visible()
    printed = page.pdf(format="A4")
    assert printed.startswith(b"%PDF")
    assert 2 <= printed.count(b"/Type /Page\n") <= 14


def test_forced_colors_show_every_part(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(tennis(tmp_path), forced_colors="active")
    page.wait_for_selector(READY)
    assert page.locator("#tree .card").count() == 8


@pytest.mark.parametrize("make", [ID3Classifier, RandomForestClassifier, RuleSetClassifier])
def test_hostile_names_are_text(make: Any, open_page: OpenPage, tmp_path: Path) -> None:
    bad = [
        "</script><svg onload=alert(1)>",
        "<img src=x onerror=alert(2)>",
        "\u202eabc\u0000\\1'\"&amp;",
    ]
    X = {name: [bad[0], bad[1]] * 6 for name in bad}
    y = [bad[1], bad[2]] * 6
    path = write(tmp_path, make().fit(X, y), X, y, title=bad[0], include_rows=5)
    page = open_page(path)
    page.wait_for_selector(READY)
    assert page.locator("[onload], [onerror], img").count() == 0
    assert "</script><svg onload=alert(1)>" in page.inner_text("h1")


@pytest.mark.parametrize("make", [RuleSetClassifier, partial(KNeighborsClassifier, 3)])
def test_models_without_a_tree(make: Any, open_page: OpenPage, tmp_path: Path) -> None:
    X, y = datasets.golf()
    page = open_page(write(tmp_path, make().fit(X, y), X, y))
    page.wait_for_selector(READY)
    assert "Permutation importance" in page.inner_text("#importance")
    assert page.locator("#try").count() == 0


def test_a_notebook_shows_the_tree(open_page: OpenPage, tmp_path: Path) -> None:
    model = C45Classifier().fit(*datasets.golf())
    frame = show(model, interactive=True)._repr_html_()
    path = tmp_path / "notebook.html"
    path.write_text(f"<!doctype html><meta charset=utf-8><title>n</title>{frame}", "utf-8")
    page = open_page(path)
    inside = page.frame_locator("iframe")
    inside.locator("#tree .work").wait_for()
    assert inside.locator("#tree .card").count() == 8
    assert "0.940" in inside.locator("#tree .panel").inner_text()


def large_table(rows: int) -> tuple[dict[str, Any], Any]:
    """Return a table with a tree of many nodes: numbers, categories, missing values, noise."""
    random = np.random.default_rng(3)
    X: dict[str, Any] = {
        "age": random.integers(17, 91, rows),
        "weight": random.integers(12_000, 1_500_000, rows),
        "hours": random.integers(1, 99, rows),
    }
    for name, n in {"work": 8, "school": 16, "country": 41}.items():
        codes = random.choice(n, rows, p=random.dirichlet(np.ones(n)))
        names = np.array([f"{name} {i}" for i in range(n)], dtype=object)
        X[name] = np.where(random.random(rows) < 0.03, None, names[codes])
    score = (X["age"] > 40) + (X["hours"] > 45) + random.normal(0, 1, rows)
    return X, np.where(score > 1.2, "high", "low")


@pytest.mark.slow
def test_a_tree_of_many_nodes(open_page: OpenPage, tmp_path: Path) -> None:
    X, y = large_table(24_000)
    model = C45Classifier(prune=None, min_cases=1).fit(X, y)
    assert model.tree_.n_nodes > 12_390
    path = write(tmp_path, model, X, y)
    assert path.stat().st_size < 900_000
    page = open_page(path)
    page.wait_for_selector("#try .checked")
    last = model.tree_.n_nodes - 1
    page.get_by_label("Go to node").fill(str(last))
    page.get_by_role("button", name="Go", exact=True).click()
    page.wait_for_selector(f"#tree .panel :text('#{last}')")
    assert page.locator("#tree .card").count() < 150
