"""The page of a lesson in a browser: screens, sliders and dragging, quiz, languages, paper, phones, hostile names."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from helpers.browser import read_address
from treewright import C45Classifier, CARTRegressor, ID3Classifier, Lesson, datasets, lesson
from treewright._lesson.text_tables import text_table
from treewright._utils.rounding import rounded

HOSTILE = '"><img src=x onerror=alert(1)></script><svg onload=alert(2)>\u202e'
SHELL_BYTES = 220 * 1024
PHONE = {"viewport": {"width": 390, "height": 780}}


def make_lessons() -> dict[str, Lesson]:
    """Teach a table of categories, one with numbers, a numeric target, a missing value, and hostile names."""
    (tennis, played), (golf, play), (cpu, performance) = (
        datasets.play_tennis(),
        datasets.golf(),
        datasets.cpu(),
    )
    unknown = frame_of(golf)
    unknown.loc[11, "outlook"] = None
    names = pd.DataFrame(
        {HOSTILE: ["\u202eabc", HOSTILE, "x"] * 5, "a" * 90: [1.5, 2.0, 3.0, 4.0, 5.0] * 3}
    )
    classes = pd.Series([HOSTILE, "{n}", "no"] * 5, name=HOSTILE)
    return {
        "tennis": teach(ID3Classifier(), tennis, played, "PlayTennis"),
        "golf": teach(C45Classifier(), golf, play, "play"),
        "cpu": teach(
            CARTRegressor(max_depth=3), frame_of(cpu)[:40], performance[:40], "performance"
        ),
        "missing": teach(C45Classifier(), unknown, play, "play"),
        "hostile": teach(C45Classifier(min_cases=1), names, classes, HOSTILE),
    }


def frame_of(table: Any) -> pd.DataFrame:
    return pd.DataFrame({name: list(table[name]) for name in table.columns})


def teach(model: Any, X: Any, y: Any, title: str) -> Lesson:
    return lesson(model.fit(X, y), X, y, target=title, title=title)


@pytest.fixture(scope="module")
def lessons(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, dict[str, Any]]]:
    """Write each lesson once; with its document."""
    folder = tmp_path_factory.mktemp("lessons")
    written = {}
    for name, taught in make_lessons().items():
        path = folder / f"{name}.html"
        taught.save(path)
        written[name] = (path, taught.to_dict())
    return written


def figure(value: float) -> str:
    return rounded(value, 3).replace("-", "−")


def show(page: Any, screen: str) -> Any:
    """Go to a screen by its chapter."""
    page.wait_for_selector(".chapters button")
    chapter = page.locator(f".chapters [data-screen={screen}]")
    chapter.click()
    page.wait_for_selector(f"#screen-{screen}")
    return page.locator(f"#screen-{screen}")


@pytest.mark.parametrize("name", ["tennis", "golf", "cpu", "missing"])
def test_every_screen_opens_with_its_sentences(lessons: Any, open_page: Any, name: str) -> None:
    path, document = lessons[name]
    page = open_page(path)
    english = text_table("en")
    for screen in document["screens"]:
        shown = show(page, screen["id"])
        assert shown.locator("h2").inner_text() == english[screen["title"]["key"]]
        assert len(shown.locator(".lead-sentence").first.inner_text()) > 10
    assert page.locator(".chapters button").count() == len(document["screens"])


@pytest.mark.parametrize("name", ["tennis", "golf", "cpu"])
def test_next_goes_through_all_steps_and_back_undoes_it(
    lessons: Any, open_page: Any, name: str
) -> None:
    path, document = lessons[name]
    page = open_page(path)
    page.wait_for_selector("#screen-table")
    forward = page.get_by_role("button", name="Next", exact=True)
    for _ in range(200):
        if forward.is_disabled():
            break
        forward.click()
    assert page.locator("#screen-quiz").count() == 1
    presses = 0
    while page.locator("#screen-table").count() == 0 and presses < 200:
        page.keyboard.press("ArrowLeft")
        presses += 1
    assert presses >= len(document["screens"]) - 1
    assert "screen=table" in read_address(page)


@pytest.mark.parametrize("name", ["tennis", "golf", "cpu"])
def test_numbers_are_those_of_the_document(lessons: Any, open_page: Any, name: str) -> None:
    path, document = lessons[name]
    page = open_page(path)
    root = document["nodes"][0]
    assert figure(root["group"]["impurity"]) in show(page, "impurity").inner_text()
    show(page, "candidates")
    for at, steps in enumerate(root["candidates"]):
        page.locator(".candidate-list button").nth(at).click()
        shown = page.locator(".card-block").inner_text()
        gain = next(
            c for c in root["work"]["candidates"] if c["split"]["feature"] == steps["feature"]
        )
        assert figure(gain["remaining"]) in shown
    text = show(page, "choice").inner_text()
    for ranked in root["choice"]["algorithms"][0]["ranking"]:
        assert figure(ranked["score"]) in text
    show(page, "path")
    assert page.locator(".tree-figure .node").count() == len(document["tree"]["tree"]["count"])


def test_baselines_name_errors_and_ties(lessons: Any, open_page: Any) -> None:
    path, document = lessons["golf"]
    text = show(open_page(path), "baselines").inner_text()
    steps = next(screen for screen in document["screens"] if screen["id"] == "baselines")
    assert "5 of 14 (36%)" in text
    assert "4 of 14 (29%)" in text
    assert len(steps["one_r"]["tied"]) == 2
    assert "tied" in text


def test_the_entropy_slider_by_keyboard(lessons: Any, open_page: Any) -> None:
    path, _ = lessons["tennis"]
    page = open_page(path, "#screen=impurity")
    slider = page.locator("#screen-impurity input[type=range]")
    slider.focus()
    page.keyboard.press("Home")
    result = page.locator("#screen-impurity math .result")
    assert result.text_content() == "0.000"
    slider.fill("0.5")
    assert result.text_content() == "1.000"
    assert slider.get_attribute("aria-valuetext") == "Yes 0.50: 1.000"
    page.get_by_role("button", name="Back to this node").click()
    assert result.text_content().startswith("0.940")


def test_a_threshold_by_keyboard_and_by_dragging(lessons: Any, open_page: Any) -> None:
    path, document = lessons["golf"]
    page = open_page(path, "#screen=thresholds")
    slider = page.locator("#screen-thresholds .axis-slider input")
    column = next(s for s in document["screens"] if s["id"] == "thresholds")["columns"][0]
    work = document["nodes"][0]["work"]["candidates"]
    cuts = next(c for c in work if c["split"]["feature"] == column["feature"])["cuts"]
    slider.focus()
    page.keyboard.press("Home")
    seen = {}
    for _ in range(len({row["value"] for row in column["values"]}) - 1):
        words = slider.get_attribute("aria-valuetext")
        below, gain = re.search(r"between (\S+) and \S+: gain (\S+)", words).groups()
        seen[float(below)] = gain
        page.keyboard.press("ArrowRight")
    assert {cut["below"]: figure(cut["gain"]) for cut in cuts}.items() <= seen.items()
    page.get_by_role("button", name="Best threshold").click()
    assert figure(max(cut["gain"] for cut in cuts)) in slider.get_attribute("aria-valuetext")
    box = page.locator(".chart svg.drag").first.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 2, box["y"] + 20, steps=3)
    page.mouse.up()
    assert f"between {column['values'][0]['value']:g} and" in slider.get_attribute("aria-valuetext")


def test_a_row_is_followed_through_the_lesson(lessons: Any, open_page: Any) -> None:
    path, document = lessons["tennis"]
    page = open_page(path, "#screen=table")
    page.get_by_role("button", name="Follow row 3", exact=True).click()
    assert "Overcast" in page.locator(".followed-row").inner_text()
    show(page, "candidates")
    assert "Overcast" in page.locator("tr.followed").inner_text()
    show(page, "path")
    paths = next(s for s in document["screens"] if s["id"] == "path")["paths"]
    assert f"leaf #{paths[2]['leaves'][0]['node']}" in page.locator(".path-words").inner_text()
    show(page, "split")
    assert page.locator(".falling-rows .ring").count() == 1
    page.get_by_role("button", name="Stop following").click()
    assert page.locator(".followed-row").count() == 0


def test_rows_fall_into_branches(lessons: Any, open_page: Any) -> None:
    path, document = lessons["tennis"]
    page = open_page(path, "#screen=split&step=0")
    page.wait_for_selector("#screen-split")
    assert page.locator(".tree-figure .node").count() == 1
    page.locator(".step-slider input").fill("1")
    order = next(s for s in document["screens"] if s["id"] == "split")["order"]
    assert page.locator(".tree-figure .node").count() == 1 + len(order[0]["children"])
    assert page.locator(".falling-rows > g").count() == 14


def test_a_divided_row_is_in_several_leaves(lessons: Any, open_page: Any) -> None:
    path, document = lessons["missing"]
    paths = next(s for s in document["screens"] if s["id"] == "path")["paths"]
    assert len(paths[11]["leaves"]) > 1
    page = open_page(path, "#screen=path")
    page.locator("#screen-path .picker select").select_option(index=11)
    assert f"divided among {len(paths[11]['leaves'])} leaves" in page.inner_text(".path-words")


def test_the_tree_shrinks_with_the_slider(lessons: Any, open_page: Any) -> None:
    path, document = lessons["cpu"]
    curve = next(s for s in document["screens"] if s["id"] == "overfitting")["curve"]
    page = open_page(path, "#screen=overfitting")
    slider = page.locator("#screen-overfitting .axis-slider input")
    slider.focus()
    whole = page.locator(".tree-figure .leaf").count()
    assert whole == max(curve["leaves"])
    page.keyboard.press("ArrowLeft")
    fewer = sorted(curve["leaves"])[-2]
    assert page.locator(".tree-figure .leaf").count() == fewer
    page.get_by_role("button", name="Least error").click()
    assert page.locator(".tree-figure .leaf").count() == curve["leaves"][curve["best"]]


def test_pruning_ends_with_the_pruned_tree(lessons: Any, open_page: Any) -> None:
    path, document = lessons["golf"]
    screen = next(s for s in document["screens"] if s["id"] == "pruning")
    page = open_page(path, "#screen=pruning")
    for step in screen["steps"]:
        assert f"Node #{step['node']}" in page.locator("#screen-pruning h3").first.inner_text()
        page.get_by_role("button", name="Next", exact=True).click()
    shown = page.locator("#screen-pruning .tree-figure").nth(1).locator(".node").count()
    assert shown == len(screen["after"]["tree"]["count"])


def test_neighbors_vote_as_in_the_document(lessons: Any, open_page: Any) -> None:
    path, document = lessons["golf"]
    steps = next(s for s in document["screens"] if s["id"] == "others")["neighbors"]
    page = open_page(path, "#screen=others")
    page.get_by_role("button", name="Nearest neighbors").click()
    shown = page.locator(".ranking .value").all_inner_texts()
    assert shown == [f"{vote['weight']:g}" for vote in steps["votes"]]
    k = page.locator(".k-slider input")
    k.focus()
    page.keyboard.press("Home")
    nearest = steps["rows"][0]["target"]
    answer = page.locator("[aria-live] .statement .outcome").inner_text()
    assert answer.strip() == document["table"]["classes"][nearest]


def test_forest_and_adaboost_show_every_row(lessons: Any, open_page: Any) -> None:
    path, document = lessons["golf"]
    steps = next(s for s in document["screens"] if s["id"] == "others")
    page = open_page(path, "#screen=others")
    assert page.locator("table.draws tbody tr").count() == 14
    page.get_by_role("button", name="AdaBoost").click()
    first = steps["adaboost"]["rounds"][0]
    crossed = page.locator(".weight-marks").first.locator(".cross").count()
    assert crossed == sum(first["wrong"])
    page.get_by_role("button", name="Final vote").click()
    shown = page.locator(".ranking .value").all_inner_texts()
    assert shown == [figure(total) for total in steps["adaboost"]["vote"]["sums"]]


def test_the_quiz_counts_right_and_wrong(lessons: Any, open_page: Any) -> None:
    path, document = lessons["tennis"]
    blanks = next(s for s in document["screens"] if s["id"] == "quiz")["blanks"]
    page = open_page(path, "#screen=quiz")
    field = page.locator(f"[id='{blanks[0]['id']}']")
    field.fill("0.5")
    field.press("Enter")
    page.wait_for_selector(".blank-item.wrong math")
    assert blanks[0]["text"] not in page.locator(".blank-item.wrong").inner_text()
    field.fill(f"{blanks[0]['expected'] + 0.004:.4f}".replace(".", ","))
    field.press("Enter")
    page.wait_for_selector(".blank-item.right")
    remaining = next(blank for blank in blanks if blank["quantity"] == "remaining")
    page.locator(f"[id='{remaining['id']}']").fill("9")
    page.locator(f"[id='{remaining['id']}']").press("Enter")
    branch = next(blank for blank in blanks if blank["quantity"] == "branch_impurity")
    hint = page.locator(".blank-item.wrong .formula").text_content()
    assert branch["text"] not in hint
    page.locator(f"[id='{remaining['id']}']").fill("")
    page.locator(f"[id='{remaining['id']}']").press("Enter")
    choice = next(blank for blank in blanks if blank["quantity"] == "choice")
    page.locator(f"[id='{choice['id']}']").select_option(str(choice["expected"][0]))
    assert page.inner_text(".score").startswith(f"2 of {len(blanks)} correct")
    page.get_by_role("button", name="Show the key").click()
    keys = page.locator(".key").all_inner_texts()
    assert keys == [blank["text"] for blank in blanks if blank["node"] == 0]
    page.get_by_role("button", name="Start again").click()
    assert page.inner_text(".score").startswith("0 of")
    assert field.input_value() == ""


def test_languages(lessons: Any, open_page: Any) -> None:
    path, document = lessons["golf"]
    page = open_page(path, "#screen=split&step=1")
    page.wait_for_selector("#screen-split")
    title = document["screens"][6]["title"]["key"]
    for language, mark, lang in (("de", "Weiter", "de"), ("zh", "前进", "zh-Hans")):
        page.locator(".settings select").select_option(language)
        page.wait_for_selector(f"html[lang={lang}]")
        assert page.locator("#screen-split h2").inner_text() == text_table(language)[title]
        assert mark in page.locator(".steps").inner_text()
        assert "question" not in page.locator("main").inner_text()


def test_a_deep_link_opens_the_place(lessons: Any, open_page: Any) -> None:
    path, document = lessons["golf"]
    nodes = next(s for s in document["screens"] if s["id"] == "candidates")["nodes"]
    page = open_page(path, f"#screen=candidates&node={nodes[1]}&step=1")
    page.wait_for_selector("#screen-candidates")
    assert page.locator(".picker select").input_value() == str(nodes[1])
    pressed = page.locator(".candidate-list button").nth(1)
    assert pressed.get_attribute("aria-pressed") == "true"
    page = open_page(path, "#screen=nothing&node=-7&step=1e9")
    page.wait_for_selector("#screen-table")


def test_on_paper_all_screens_follow_each_other(lessons: Any, open_page: Any) -> None:
    path, document = lessons["golf"]
    page = open_page(path, "#screen=choice")
    page.wait_for_selector("#screen-choice")
    pages = re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))
    assert len(pages) >= len(document["screens"])
    page.wait_for_selector("#paper:empty", state="attached")


@pytest.mark.parametrize("name", ["golf", "hostile"])
def test_a_phone_needs_no_sideways_scrolling(lessons: Any, open_page: Any, name: str) -> None:
    path, document = lessons[name]
    page = open_page(path, **PHONE)
    for screen in document["screens"]:
        show(page, screen["id"])
        assert page.evaluate("document.documentElement.scrollWidth") == 390, screen["id"]
    assert page.locator("main img, svg[onload]").count() == 0


def test_everybody_can_use_it(lessons: Any, open_page: Any, check_access: Any) -> None:
    path, _ = lessons["golf"]
    page = open_page(path, bypass_csp=True, color_scheme="dark")
    for screen in ("table", "candidates", "thresholds", "others", "quiz"):
        show(page, screen)
        check_access(page)


def test_without_scripts_the_lesson_can_be_read(lessons: Any, open_page: Any) -> None:
    path, document = lessons["golf"]
    page = open_page(path, java_script_enabled=False)
    text = page.inner_text("#app")
    assert text_table("en")["baselines.title"] in text
    assert figure(document["nodes"][0]["group"]["impurity"]) in text


def test_large_type(lessons: Any, open_page: Any) -> None:
    path, _ = lessons["golf"]
    page = open_page(path, "#screen=thresholds")
    page.wait_for_selector("#screen-thresholds")
    before = page.locator(".lead-sentence").bounding_box()["height"]
    page.get_by_role("button", name="Large type").click()
    page.wait_for_selector(".presenter")
    assert page.locator(".lead-sentence").bounding_box()["height"] > 1.2 * before


def test_the_shell_is_small() -> None:
    from treewright._web.page_file import read_shell

    assert len(read_shell("lesson").encode()) <= SHELL_BYTES


def test_a_quiz_keeps_the_results_until_its_key_is_shown(open_page: Any, tmp_path: Path) -> None:
    X, y = datasets.play_tennis()
    lesson(ID3Classifier().fit(X, y), X, y, quiz=True).save(tmp_path / "quiz.html")
    page = open_page(tmp_path / "quiz.html")
    page.wait_for_selector("#screen-quiz")
    assert page.locator(".chapters button").count() == 2
    page.get_by_role("button", name="Show the key").click()
    show(page, "choice")
