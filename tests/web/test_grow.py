"""The Grow screen in a browser: trees, lessons, quizzes, cases and pruning, against the package."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import treewright
from helpers.browser import read_address
from helpers.cli_run import run
from treewright import datasets

LEARNERS = {
    "id3": ("-a", "id3"),
    "c45": ("-a", "c45", "--prune", "none"),
    "cart": ("-a", "cart"),
}
AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
HOSTILE = '</script><svg onload=alert(1)>"\u202e\U0001f600'


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the page with the built-in tables."""
    path = tmp_path_factory.mktemp("grow") / "workbench.html"
    try:
        treewright.workbench(path=path)
    except FileNotFoundError as error:
        pytest.skip(f"{error.filename} is not built: make web")
    return path


def open_tree(
    open_page: Any,
    path: Path,
    table: str = "play-tennis",
    algorithm: str = "id3",
    mode: str = "explore",
    **context: Any,
) -> Any:
    """Open a tree of one node, with its calculation."""
    link = f"#table={table}&algo={algorithm}&mode={mode}&screen=grow"
    page = open_page(path, link, **context)
    page.wait_for_selector("#app[data-ready]", state="attached")
    page.wait_for_selector(".grow .card")
    return page


def set_case(page: Any, column: str, value: str) -> None:
    page.locator(f".case label:has-text('{column}') select").select_option(label=value)


def press(page: Any, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def wait_for_size(page: Any, words: str) -> None:
    page.wait_for_selector(f".sum:has-text('{words}')")


def outline(page: Any) -> list[tuple[int, str]]:
    """Return the depth and the words of every node."""
    press(page, "Outline")
    page.wait_for_selector("[role=treeitem]")
    items = page.locator("[role=treeitem]").all()
    lines = [(int(i.get_attribute("aria-level")), i.locator(".words").inner_text()) for i in items]
    press(page, "Outline")
    return lines


def written(tree: treewright.Tree, node: int = 0, depth: int = 1, branch: str = "") -> Any:
    """Return the same of a tree of the package."""
    kids = tree.branches(node)
    name = f"{kids[0].column}?" if kids else str(tree.answer(node))
    lines = [(depth, f"{branch}: {name}" if branch else name)]
    for kid in kids:
        lines += written(tree, kid.child, depth + 1, words_of(kid))
    return lines


def words_of(branch: Any) -> str:
    if branch.op in ("<=", ">"):
        return f"{'≤' if branch.op == '<=' else '>'} {branch.value:g}"
    values = branch.value if branch.op == "in" else [branch.value]
    return ", ".join(f"{v:g}" if isinstance(v, float) else str(v) for v in values)


def fit_built_in(folder: Path, table: str, *options: str) -> treewright.Tree:
    """Fit by the command line: it knows the order of the classes, which decides ties, as the page does."""
    path = folder / "model.tree"
    run("fit", table, *options, "-o", str(path))
    tree: treewright.Tree = treewright.load(path).tree_
    return tree


def in_any_order(lines: list[tuple[int, str]]) -> list[tuple[int, list[str]]]:
    """Return the lines without the order of children and of categories."""
    return sorted((depth, sorted(text.replace(": ", ", ").split(", "))) for depth, text in lines)


@pytest.mark.parametrize("table", ["play-tennis", "golf"])
@pytest.mark.parametrize("algorithm", LEARNERS)
def test_grow_all_gives_the_tree_of_the_package(
    workbench: Path, open_page: Any, tmp_path: Path, algorithm: str, table: str
) -> None:
    tree = fit_built_in(tmp_path, table, *LEARNERS[algorithm])
    page = open_tree(open_page, workbench, table, algorithm)
    press(page, "Grow all")
    wait_for_size(page, f"{tree.n_nodes} node")
    assert in_any_order(outline(page)) == in_any_order(written(tree))


def test_a_tree_of_numbers_shows_means_and_variances(
    workbench: Path, open_page: Any, tmp_path: Path
) -> None:
    tree = fit_built_in(tmp_path, "cpu", "-a", "cart", "--depth", "1")
    page = open_tree(open_page, workbench, "cpu", "cart")
    page.wait_for_selector(".detail")
    press(page, "Grow one")
    wait_for_size(page, "3 nodes")
    (low, _high) = tree.branches(0)
    assert page.locator("[data-node='1'] .branch").text_content() == f"≤ {low.value:,.0f}"
    root, left = tree.node(0), tree.node(low.child)
    assert f"mean {root.value[0]:.1f}" in page.inner_text(".counts").replace("\n", " ")
    branch = page.inner_text(".detail tbody tr:first-child").split()
    assert f"{left.value[0]:.2f}" in branch
    assert str(left.count) in branch
    variance = f"{root.cost / root.weight:,.0f}"
    assert variance in (page.locator(".formula math").text_content() or "")
    assert page.locator(".scale .mean").count() >= 3
    assert page.locator(".fill").count() == 0


def wide_csv() -> str:
    """Write a table whose tree has a node with 30 branches, and hundreds of nodes."""
    rows = [f"p{i % 30},{(7 * i) % 101},{'ab'[(i % 30 + (i * i) % 11) % 2]}" for i in range(900)]
    return "\n".join(["place,n,class", *rows]) + "\n"


def test_a_large_tree_is_folded(open_page: Any, tmp_path: Path) -> None:
    table, out = tmp_path / "wide.csv", tmp_path / "page.html"
    table.write_text(wide_csv(), encoding="utf-8")
    try:
        treewright.workbench(table, target="class", algorithm="id3", path=out)
    except FileNotFoundError as error:
        pytest.skip(f"{error.filename} is not built: make web")
    page = open_page(out)
    page.wait_for_selector(".detail")
    press(page, "Grow one")
    wait_for_size(page, "drawn")
    more = page.locator(".more").first
    assert more.text_content().startswith("+ ")
    more.click()
    page.wait_for_selector(".sum:not(:has-text('drawn'))")
    assert page.locator(".more").count() == 0
    press(page, "Grow all")
    page.wait_for_selector(".icicle")
    page.wait_for_selector("svg.list .node")
    press(page, "More")
    wait_for_size(page, "drawn")
    assert page.locator(".node, .more").count() <= 120
    press(page, "Top levels")
    page.locator(".badge:has-text('+')").first.dispatch_event("click")
    page.locator(".icicle canvas").click(position={"x": 200, "y": 40})
    page.wait_for_selector(".trail button")
    press(page, "Outline")
    page.locator("[role=tree]").focus()
    page.keyboard.press("End")
    assert page.locator("[role=treeitem]").count() < 60


def test_steps_are_taken_back_and_done_again(workbench: Path, open_page: Any) -> None:
    page = open_tree(open_page, workbench)
    wait_for_size(page, "1 node ·")
    press(page, "Grow one")
    wait_for_size(page, "4 nodes")
    page.locator("[data-node='2']").click()
    page.keyboard.press("ArrowRight")
    wait_for_size(page, "6 nodes")
    page.keyboard.press("ArrowLeft")
    wait_for_size(page, "4 nodes")
    page.keyboard.press("Control+Shift+Z")
    wait_for_size(page, "6 nodes")
    press(page, "Grow all")
    wait_for_size(page, "8 nodes")
    for size in ("6 nodes", "4 nodes", "1 node ·"):
        press(page, "Undo")
        wait_for_size(page, size)
    assert page.get_by_role("button", name="Undo", exact=True).is_disabled()
    press(page, "Redo")
    wait_for_size(page, "4 nodes")
    press(page, "Start over")
    wait_for_size(page, "1 node ·")
    press(page, "Undo")
    wait_for_size(page, "4 nodes")
    press(page, "Grow all")
    wait_for_size(page, "8 nodes")


def test_a_split_is_previewed_and_taken_by_hand(workbench: Path, open_page: Any) -> None:
    page = open_tree(open_page, workbench)
    page.wait_for_selector(".ghost .name:has-text('entropy 0.971')")
    assert page.locator(".ghost").count() == 3
    press(page, "Humidity")
    page.wait_for_selector(".ghost .name:has-text('entropy 0.592')")
    assert page.locator(".ghost").count() == 2
    press(page, "take Humidity")
    wait_for_size(page, "3 nodes")
    assert "✎" in page.locator("[data-node='0'] .id").text_content()
    page.wait_for_selector(".cands .tick:has-text('taken ✎')")
    assert "best" in page.inner_text(".cands tr:has-text('Outlook')")
    page.locator("[data-node='1']").click()
    page.wait_for_selector(".trail:has-text('Humidity = High')")
    press(page, "Make this a leaf")
    page.wait_for_selector("h2:has-text('Predicts No')")
    assert "You made it a leaf" in page.inner_text(".work")
    press(page, "Undo")
    page.wait_for_selector("h2:has-text('What should this node ask?')")


def test_a_threshold_is_moved_by_hand(workbench: Path, open_page: Any) -> None:
    page = open_tree(open_page, workbench, "iris", "cart")
    page.wait_for_selector(".detail h3:has-text('petallength ≤ 2.45')")
    slider = page.get_by_label("Threshold of petallength")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".detail h3:has-text('petallength ≤ 1.8')")
    page.wait_for_selector(".branch:has-text('≤ 1.8')", state="attached")
    press(page, "Take ≤ 1.8")
    wait_for_size(page, "3 nodes")
    page.wait_for_selector(".trail")
    assert page.locator("[data-node='1'] .branch").text_content() == "≤ 1.8"
    assert "✎" in page.locator("[data-node='0'] .id").text_content()


def captions(page: Any, key: str, count: int) -> list[str]:
    """Return the caption of each step, going by a key."""
    seen = [page.inner_text(".caption")]
    for _ in range(count):
        page.keyboard.press(key)
        page.wait_for_selector(f".caption:not(:text-is({seen[-1]!r}))")
        seen.append(page.inner_text(".caption"))
    return seen


def test_a_lesson_goes_forward_and_back_by_keyboard(workbench: Path, open_page: Any) -> None:
    page = open_tree(open_page, workbench, mode="lesson")
    page.wait_for_selector(".caption:has-text('9 Yes, 5 No')")
    forward = captions(page, "ArrowRight", 12)
    assert forward[:9] == [
        "All rows: 9 Yes, 5 No. How mixed is that?",
        "Its entropy is 0.940 bits. Which question (split) removes most of it?",
        "Asking Outlook would leave 0.694: a gain of 0.247.",
        "Asking Temperature would leave 0.911: a gain of 0.029.",
        "Asking Humidity would leave 0.788: a gain of 0.152.",
        "Asking Wind would leave 0.892: a gain of 0.048.",
        "Outlook gains most. Take it.",
        "All rows: the 14 rows go to 3 branches. Next: an open branch.",
        "Outlook = Sunny: 2 Yes, 3 No. How mixed is that?",
    ]
    assert captions(page, "ArrowLeft", 12) == forward[::-1]
    assert page.locator(".node").count() == 1


def test_an_address_leads_to_a_step_and_to_a_node(workbench: Path, open_page: Any) -> None:
    page = open_page(workbench, "#table=play-tennis&algo=id3&mode=lesson&screen=grow&step=6")
    page.wait_for_selector(".caption:has-text('Outlook gains most')")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".caption:has-text('Asking Wind')")
    page.wait_for_function("location.hash.includes('step=5')")  # written after the page is drawn
    assert "node=0" in read_address(page)
    press(page, "Explore")
    press(page, "Grow all")
    wait_for_size(page, "8 nodes")
    page.locator("[data-node='3']").click()
    page.wait_for_selector(".trail:has-text('Outlook = Rain')")
    page.wait_for_function("location.hash.includes('node=3')")
    assert "step" not in read_address(page)


def test_an_address_leads_to_a_pruned_tree(workbench: Path, open_page: Any) -> None:
    page = open_page(workbench, "#table=labor&algo=c45&screen=grow&level=0")
    page.wait_for_selector("[role=tab][aria-selected=true]:has-text('Prune')")
    slider = page.wait_for_selector("[role=tabpanel] input[type=range]")
    assert slider.input_value() == "0"
    page.wait_for_function("location.hash.includes('level=0')")


def test_a_quiz_asks_and_does_not_tell(workbench: Path, open_page: Any) -> None:
    page = open_tree(open_page, workbench, mode="quiz")
    page.wait_for_selector(".detail")
    told = page.inner_text(".panel")
    assert "0.940" not in told
    assert "0.247" not in told
    assert page.locator(".ghost").count() == 0
    names = page.locator(".cands .pick").all_inner_texts()
    assert names == ["Outlook", "Temperature", "Humidity", "Wind"]
    entropy = page.get_by_label("impurity of this node")
    entropy.fill("0.5")
    entropy.press("Enter")
    page.wait_for_selector(".ask.wrong small:has-text('log')")
    assert "0.940" not in page.inner_text(".panel")
    entropy.fill("0.94")
    page.wait_for_selector(".ask.right")
    gain = page.get_by_label("gain of Outlook")
    gain.fill("0.246")
    page.wait_for_selector(".sums .ask.right")
    page.wait_for_selector(".caption:has-text('1 of 2 correct at the first try')")
    press(page, "take Humidity")
    page.wait_for_selector(".caption:has-text('Humidity gains 0.152, the best gains 0.247.')")
    page.wait_for_selector(".caption:has-text('1 of 3 correct')")


def test_a_case_is_predicted_as_by_the_package(workbench: Path, open_page: Any) -> None:
    data = datasets.load("play-tennis")
    model = treewright.C45Classifier(prune=None).fit(data.features, data.labels)
    page = open_tree(open_page, workbench, algorithm="c45")
    press(page, "Grow all")
    wait_for_size(page, "8 nodes")
    page.get_by_role("tab", name="Try a case").click()
    page.wait_for_selector(".case .big")
    columns = data.features.columns
    for row in range(0, 14, 4):
        cells = {name: data.features[name][row] for name in columns}
        for name, value in cells.items():
            set_case(page, name, str(value))
        expected = str(model.predict({name: [value] for name, value in cells.items()})[0])
        page.wait_for_selector(f".case .big em:text-is('{expected}')")
    set_case(page, "Outlook", "Sunny")
    set_case(page, "Humidity", "High")
    page.wait_for_selector(".case:has-text('because Outlook = Sunny and Humidity = High')")
    page.wait_for_selector(".case .note:has-text('Smallest change')")
    assert page.locator(".edge.on").count() == 2
    set_case(page, "Outlook", "missing")
    page.wait_for_selector(".case:has-text('split fractionally')")
    asked = {"Outlook": [None], "Temperature": ["Hot"], "Humidity": ["High"], "Wind": ["Weak"]}
    set_case(page, "Wind", "Weak")
    share = model.predict_proba(asked)[0].max()
    page.wait_for_selector(f".case .big:has-text('{100 * share:.1f}%')")


def test_a_tree_is_pruned(workbench: Path, open_page: Any) -> None:
    page = open_tree(open_page, workbench, "breast-cancer", "cart")
    press(page, "Grow all")
    page.wait_for_selector(".icicle")
    page.get_by_role("tab", name="Prune").click()
    page.wait_for_selector(".error-curve", timeout=60_000)
    press(page, "whole")
    whole = int(page.inner_text(".facts .big").split()[0].replace(",", ""))
    assert f"{whole} leaves" in page.inner_text(".sum")
    press(page, "1-SE rule")
    page.wait_for_selector(f".facts .big:not(:has-text('{whole} leaves'))")
    kept = int(page.inner_text(".facts .big").split()[0])
    assert kept < whole
    wait_for_size(page, f"{kept} lea")
    slider = page.get_by_label("Leaves to keep")
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(f".facts .big:not(:text-matches('^{kept} lea'))")
    press(page, "1-SE rule")
    page.get_by_role("button", name="Keep ").click()
    wait_for_size(page, f"{2 * kept - 1} node")
    press(page, "Undo")
    wait_for_size(page, f"{2 * whole - 1} nodes")


def test_the_pruning_of_the_learner_is_that_of_fit(
    workbench: Path, open_page: Any, tmp_path: Path
) -> None:
    tree = fit_built_in(tmp_path, "labor", "-a", "c45")
    page = open_tree(open_page, workbench, "labor", "c45")
    press(page, "Grow all")
    page.get_by_role("tab", name="Prune").click()
    page.wait_for_selector(".error-curve")
    press(page, "Prune as C4.5 does")
    wait_for_size(page, f"{tree.n_nodes} nodes · {tree.n_leaves} leaves")
    assert in_any_order(outline(page)) == in_any_order(written(tree))


def test_hostile_names_are_only_text(open_page: Any, tmp_path: Path) -> None:
    rows = "".join(
        f'"{v.replace(chr(34), chr(34) * 2)}",{i % 3},{c}\n'
        for i, (v, c) in enumerate(
            [(HOSTILE, "<b>yes</b>"), ("<img src=x onerror=alert(2)>", "no")] * 6
        )
    )
    path = tmp_path / "hostile.csv"
    path.write_text('"<script>alert(3)</script>",n,"t<i>"\n' + rows, encoding="utf-8")
    out = tmp_path / "page.html"
    treewright.workbench(path, target="t<i>", algorithm="id3", path=out)
    page = open_page(out)
    page.wait_for_selector(".grow .card")
    page.wait_for_selector(".detail")
    press(page, "Grow all")
    wait_for_size(page, "3 nodes")
    page.get_by_role("tab", name="Try a case").click()
    page.wait_for_selector(".case .big")
    assert page.locator("img, iframe, main script, .case b b, i i").count() == 0
    assert "\u202e" not in page.inner_text("main")
    assert "<img src=x onerror=alert(2)>" in page.inner_text("main")


def serious(page: Any) -> list[str]:
    """Return what axe finds, and whether the page is wider than its window."""
    found = page.evaluate("axe.run(document)")["violations"]
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return [f"{rule['id']}: {rule['nodes'][0]['html']}" for rule in found] + ["wide"] * wide


@pytest.mark.slow
@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: npm ci in web/")
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_every_state_is_accessible(
    workbench: Path, open_page: Any, width: int, scheme: str
) -> None:
    size = {"width": width, "height": 844}
    page = open_tree(open_page, workbench, viewport=size, color_scheme=scheme, bypass_csp=True)
    page.evaluate(AXE.read_text("utf-8"))
    page.wait_for_selector(".detail")
    assert serious(page) == []
    press(page, "Grow all")
    wait_for_size(page, "8 nodes")
    for tab, shows in (("Try a case", ".case"), ("Prune", ".error-curve")):
        page.get_by_role("tab", name=tab).click()
        page.wait_for_selector(shows)
        assert serious(page) == [], tab
    press(page, "Quiz")
    page.wait_for_selector(".grow.quiz .caption")
    press(page, "Outline")
    page.wait_for_selector("[role=treeitem]")
    assert serious(page) == []


def test_the_outline_is_read_by_keyboard(workbench: Path, open_page: Any) -> None:
    page = open_tree(open_page, workbench)
    press(page, "Grow all")
    wait_for_size(page, "8 nodes")
    press(page, "Outline")
    page.locator("[role=tree]").focus()
    for key in ("End", "ArrowLeft", "ArrowLeft"):
        page.keyboard.press(key)
    page.wait_for_selector("[role=treeitem][aria-selected=true][aria-expanded=false]")
    assert page.locator("[role=treeitem]").count() == 6
    for key in ("ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    page.wait_for_selector(".trail:has-text('Outlook = Rain')")
    page.wait_for_selector("h2:has-text('Predicts')")
    page.keyboard.press("Home")
    page.wait_for_selector("h2:has-text('Outlook?')")


def test_rows_of_a_node_and_their_fractions(workbench: Path, open_page: Any) -> None:
    page = open_tree(open_page, workbench, "labor", "c45")
    page.wait_for_selector(".rows .lead:has-text('57 of 57')")
    press(page, "Grow one")
    wait_for_size(page, "3 nodes")
    page.locator("[data-node='1']").click()
    page.wait_for_selector(".rows .lead:has-text('16 of 57')")
    # A row without a value is in both branches: 15 of the 56 others are here.
    assert "0.268" in page.locator(".rows tbody td:nth-child(3)").all_inner_texts()
    assert page.locator(".rows .pale").count() == 57 - 16


def test_rows_come_in_pages(workbench: Path, open_page: Any) -> None:
    page = open_tree(open_page, workbench, "iris", "cart")
    page.wait_for_selector(".rows .lead:has-text('150 of 150')")
    for words in ("41 to 80", "81 to 120", "121 to 150"):
        press(page, "Next rows")
        page.wait_for_selector(f".pages:has-text('{words} of 150')")
    assert page.inner_text(".rows tbody tr:first-child .index") == "121"
    assert page.get_by_role("button", name="Next rows").is_disabled()
    press(page, "Grow one")
    wait_for_size(page, "3 nodes")
    page.locator("[data-node='2']").click()
    page.wait_for_selector(".rows .lead:has-text('100 of 150')")
    assert page.inner_text(".rows tbody tr:first-child .index") == "51"
