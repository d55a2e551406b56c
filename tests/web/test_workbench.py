"""The workbench in a browser: open a table, decide how it is read, compare, predict, export, all against Python."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import treewright
from helpers.browser import read_address
from treewright import datasets

pytestmark = pytest.mark.slow

HOSTILE = '"><img src=x onerror=alert(1)></script><svg onload=alert(2)>\u202e'
SCREENS = ("Data", "Grow", "Compare", "Use", "Export")


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the page without a table of the user."""
    path = tmp_path_factory.mktemp("workbench") / "workbench.html"
    try:
        treewright.workbench(path=path)
    except FileNotFoundError as error:
        pytest.skip(f"{error.filename} is not built: make web")
    return path


def ready(page: Any) -> Any:
    page.wait_for_selector("#app[data-ready]", state="attached")
    return page


def show(page: Any, screen: str) -> None:
    page.get_by_role("button", name=screen, exact=True).click()
    page.wait_for_selector(f".app.on-{screen.lower()}")


def drop(page: Any, name: str, text: str, where: str = ".drop input") -> None:
    page.set_input_files(where, {"name": name, "mimeType": "text/csv", "buffer": text.encode()})


def messy_csv() -> str:
    """Write a table with missing values, quotes and a column of numbers that are names."""
    rows = [["zip", "income", "city, state", "size", "ok"]]
    for i in range(60):
        income = "" if i % 13 == 0 else str(1000 + 37 * i % 900)
        rows.append(
            [
                f"0{1 + i % 4}",
                income,
                ["a", 'b "x"', "c,d"][i % 3],
                "SML"[i % 3],
                "yn"[(i % 7 + i % 3) % 2],
            ]
        )
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def test_a_file_is_dropped_read_changed_and_taken_back(workbench: Path, open_page: Any) -> None:
    page = ready(open_page(workbench))
    drop(page, "loans.csv", messy_csv())
    page.wait_for_selector("h2:has-text('loans.csv')")
    assert "60 rows · 5 columns" in page.inner_text("h2")
    page.select_option(".target-choice select", "ok")
    page.wait_for_selector(".predicts:has-text('ok')")
    income = page.get_by_label("income: read as")
    assert income.locator("option:checked").inner_text() == "numbers"
    page.wait_for_selector(".column:nth-child(2) .bars rect")
    assert "5 missing" in page.inner_text(".column:nth-child(2) .who")

    income.select_option("categorical")
    page.wait_for_selector(
        ".column:nth-child(2) option:checked:has-text('your choice')", state="attached"
    )
    page.wait_for_selector(".column:nth-child(2) figcaption:has-text('more')")
    page.get_by_label("Undo: income read as categories").click()
    page.wait_for_selector(".column:nth-child(2) option[value='']:checked", state="attached")
    page.get_by_label("Undo: predict ok").click()
    page.wait_for_selector(".predicts", state="detached")


def test_a_pasted_table_and_its_options(workbench: Path, open_page: Any) -> None:
    page = ready(open_page(workbench))
    page.click("text=Paste a table")
    page.fill("textarea", "a;b\n1,5;x\n2,5;y\n")
    page.get_by_role("button", name="Open it").click()
    page.wait_for_selector("h2:has-text('pasted.csv')")
    page.click("text=How the file is read")
    page.get_by_label("Decimal separator").select_option(",")
    page.wait_for_selector(
        ".column:first-child option:checked:has-text('numbers')", state="attached"
    )
    page.wait_for_selector(".column:first-child figcaption:has-text('1.5 to 2.5')")


def test_errors_say_what_to_do(workbench: Path, open_page: Any) -> None:
    page = ready(open_page(workbench))
    drop(page, "bad.csv", "a,b\n1,2,3\n")
    page.wait_for_selector(".failure")
    assert page.inner_text(".failure code").startswith("data.")
    page.get_by_role("button", name="Close").click()
    page.wait_for_selector(".failure", state="detached")
    drop(page, "book.xlsx", "PK\x03\x04...")
    page.wait_for_selector(".failure code:has-text('data.other-format')")
    assert "treewright workbench FILE" in page.inner_text(".failure")


def test_predictions_of_a_file_are_those_of_python(workbench: Path, open_page: Any) -> None:
    page = ready(open_page(workbench))
    drop(page, "loans.csv", messy_csv())
    page.wait_for_selector("h2:has-text('loans.csv')")
    page.select_option(".target-choice select", "ok")
    page.wait_for_selector(".predicts")
    show(page, "Use")
    page.wait_for_selector(".case .big")
    lines = messy_csv().replace("income", "INCOME", 1).replace("INCOME", "income")
    drop(page, "new.csv", lines + "99,,zz,L,\n", ".screen > .drop input")
    with page.expect_download() as download:
        page.click(".predicted .primary")
    rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text("utf-8"))))
    table = treewright.inspect(messy_csv().encode(), label="loans.csv").table
    X, y = table.drop("ok"), table.column("ok")
    model = treewright.C45Classifier().fit(X, y)
    new = treewright.read_csv((lines + "99,,zz,L,\n").encode(), categorical=["zip"]).drop("ok")
    with pytest.warns(treewright.UnseenValuesWarning):
        expected = model.predict_proba(new)
    found = [[float(row[f"probability {name}"]) for name in model.classes_] for row in rows]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_the_model_file_is_that_of_fit(workbench: Path, open_page: Any, tmp_path: Path) -> None:
    page = ready(open_page(workbench))
    drop(page, "loans.csv", messy_csv())
    page.wait_for_selector("h2:has-text('loans.csv')")
    page.select_option(".target-choice select", "ok")
    page.wait_for_selector(".predicts")
    page.select_option(".learner-chooser", "cart")
    show(page, "Grow")
    page.get_by_role("button", name="Grow all").click()
    page.wait_for_selector("text=/\\d+ leaves/")
    show(page, "Export")
    table = treewright.inspect(messy_csv().encode(), label="loans.csv").table
    fitted = treewright.CARTClassifier().fit(table.drop("ok"), table.column("ok"))
    for label in ("The tree of the Grow screen", "CART, trained on all rows"):
        page.get_by_role("button", name=label).click()
        ours = save_model(page, tmp_path / "model.tree")
        X = table.drop("ok")
        np.testing.assert_array_equal(ours.predict_proba(X), fitted.predict_proba(X))
        assert str(treewright.show(ours)) == str(treewright.show(fitted))


def test_the_commands_reproduce_the_tree(workbench: Path, open_page: Any, tmp_path: Path) -> None:
    page = ready(open_page(workbench, "#table=golf&algo=c45&screen=export"))
    page.get_by_label("Parameters").click()
    page.get_by_label("Minimum rows per branch").fill("4")
    page.keyboard.press("Tab")
    page.wait_for_selector("pre:has-text('--min-rows 4')")
    assert (
        page.inner_text(".code pre").strip()
        == "treewright fit golf -a c45 --min-rows 4 -o model.tree"
    )
    X, y = datasets.golf()
    expected = treewright.C45Classifier(min_cases=4).fit(X, y)
    assert str(treewright.show(run_code(page))) == str(treewright.show(expected))


def run_code(page: Any) -> Any:
    """Run the Python code of the Export screen and return its model."""
    names: dict[str, Any] = {}
    exec(compile(page.query_selector_all(".code pre")[-1].inner_text(), "page", "exec"), names)
    return names["model"]


def save_model(page: Any, path: Path) -> Any:
    with page.expect_download() as download:
        page.get_by_label("Download: Model file (.tree)").click()
    download.value.save_as(path)
    return treewright.load(path)


def nodes_of(model: Any) -> list[str]:
    """Return the lines of the tree without its title."""
    return str(treewright.show(model)).split("\n")[2:]


def test_the_code_repeats_a_tree_that_was_grown_by_hand(
    workbench: Path, open_page: Any, tmp_path: Path
) -> None:
    page = ready(open_page(workbench, "#table=play-tennis&algo=id3&screen=grow"))
    page.get_by_role("button", name="take Humidity").click()
    page.wait_for_selector("text=3 nodes")
    page.get_by_role("button", name="Grow one").click()
    page.wait_for_selector("text=6 nodes")
    show(page, "Export")
    assert 'growing.split_on(0, "Humidity")\ngrowing.split(1)\n' in page.inner_text(".screen")
    assert len(nodes_of(run_code(page))) == 7

    show(page, "Grow")
    page.get_by_role("button", name="Grow all").click()
    page.wait_for_selector("text=/1[0-9] nodes/")
    show(page, "Export")
    assert nodes_of(save_model(page, tmp_path / "hand.tree")) == nodes_of(run_code(page))


@pytest.mark.parametrize(
    "name", ["golf", "contact-lenses", "breast-cancer", "labor", "vote", "cpu"]
)
def test_built_in_tables_give_the_trees_of_fit(
    workbench: Path, open_page: Any, tmp_path: Path, name: str
) -> None:
    page = ready(open_page(workbench, f"#table={name}&screen=export"))
    page.wait_for_selector("[aria-label='Download: Model file (.tree)']:enabled")
    built_in = datasets.load(name)
    X, y = (
        built_in.table.drop([built_in.target, *built_in.ignore]),
        built_in.table.column(built_in.target),
    )
    kind = treewright.CARTRegressor if name == "cpu" else treewright.C45Classifier
    fitted, ours = kind().fit(X, y), save_model(page, tmp_path / "model.tree")
    assert str(treewright.show(ours)) == str(treewright.show(fitted))
    assert nodes_of(run_code(page)) == nodes_of(fitted)
    np.testing.assert_array_equal(ours.predict(X), fitted.predict(X))


def test_learners_are_compared_on_the_same_folds(workbench: Path, open_page: Any) -> None:
    page = ready(open_page(workbench, "#table=iris&screen=compare"))
    page.get_by_label("Folds").fill("5")
    page.locator(".line .primary").click()
    page.wait_for_selector(".verdict")
    assert "Chance does not explain this difference" in page.inner_text(".verdict")
    rows = [row.query_selector_all("th, td b") for row in page.query_selector_all(".dots tbody tr")]
    errors = {name.inner_text(): error.inner_text() for name, error in rows}
    X, y = datasets.iris()
    ours = [
        treewright.C45Classifier(),
        treewright.CARTClassifier(),
        treewright.KNeighborsClassifier(),
    ]
    expected = treewright.compare(ours, X, y, cv=5)
    names = {
        "C4.5": "C45Classifier",
        "CART": "CARTClassifier",
        "Nearest neighbors": "KNeighborsClassifier",
    }
    for shown, name in {**names, "0-R": "ZeroRClassifier", "1-R": "OneRClassifier"}.items():
        assert errors[shown] == f"{100 * (1 - expected[name].mean):.1f}%"


def test_a_link_opens_the_same_place(workbench: Path, open_page: Any) -> None:
    page = ready(open_page(workbench, "#table=golf&algo=cart&mode=quiz&screen=grow"))
    page.wait_for_selector(".app.on-grow")
    assert page.locator(".table-chooser option:checked").inner_text().startswith("golf")
    assert page.locator(".learner-chooser").input_value() == "cart"
    assert page.get_by_role("button", name="Quiz").get_attribute("aria-pressed") == "true"
    assert "outlook" not in read_address(page)
    assert "sunny" not in read_address(page)
    ready(open_page(workbench, "#table=nothing&algo=<svg>&screen=x&node=-1&mode=&level=1e9"))


def test_the_keyboard_is_enough(workbench: Path, open_page: Any) -> None:
    page = ready(open_page(workbench))
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.innerText").startswith("golf"):
            break
    page.keyboard.press("Enter")
    page.wait_for_selector("h2:has-text('golf')")
    for at, name in enumerate(SCREENS, 1):
        page.keyboard.press(f"Alt+{at}")
        page.wait_for_selector(f".app.on-{name.lower()}")
        assert page.evaluate("document.activeElement.id") == "screen"
    page.keyboard.press("Alt+1")
    page.get_by_label("windy: read as").focus()
    page.keyboard.press("i")  # the letter chooses in a list: ignore
    page.wait_for_selector(".column.ignored")
    page.locator("#screen").focus()
    page.keyboard.press("Control+z")
    page.wait_for_selector(".column.ignored", state="detached")


def test_hostile_names_and_cells_are_text(workbench: Path, open_page: Any) -> None:
    text = io.StringIO()
    rows = [["a", HOSTILE], *([f"{i % 3}{HOSTILE}", HOSTILE + "xy"[i % 3 % 2]] for i in range(12))]
    csv.writer(text, lineterminator="\n").writerows(rows)
    page = ready(open_page(workbench))
    drop(page, f"{HOSTILE.replace('/', '')}.csv", text.getvalue())
    page.wait_for_selector(".target-choice")
    page.locator(".target-choice select").select_option(index=2)
    page.wait_for_selector(".predicts")
    for screen in ("Grow", "Use", "Export"):
        show(page, screen)
        page.wait_for_timeout(300)
    assert page.query_selector_all("#app img, #app script, [onload], [onerror]") == []
    with page.expect_download() as download:
        page.get_by_label("Download: Page with tree and rules").click()
    made = Path(download.value.path()).read_text("utf-8")
    assert "<img" not in made
    assert "<svg onload" not in made
    assert "</script>" not in made


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_everybody_can_use_every_screen(
    workbench: Path, open_page: Any, check_access: Any, scheme: str, width: int
) -> None:
    settings = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme}
    page = ready(open_page(workbench, bypass_csp=True, **settings))
    check_access(page)
    drop(page, "loans.csv", messy_csv())
    page.wait_for_selector(".target-choice")
    page.select_option(".target-choice select", "ok")
    page.wait_for_selector(".predicts", state="attached")
    for screen in SCREENS:
        show(page, screen)
        if screen == "Compare":
            page.locator(".line .primary").click()
            page.wait_for_selector(".verdict")
        page.wait_for_selector(".busy", state="detached")
        check_access(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.click(".gear")
    check_access(page)
