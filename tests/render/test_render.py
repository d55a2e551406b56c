"""Documents: what stands in them stands in every form; blanks leave nothing behind; formulas in three scripts."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.tex_run import compile_tex, needs
from treewright._render import (
    formula_latex,
    formula_mathml,
    formula_text,
    html,
    latex,
    markdown,
    text,
)
from treewright._render.charts import BarChart, LineChart
from treewright._render.document import (
    CHOICE,
    Column,
    Document,
    Equations,
    Fields,
    Heading,
    PageBreak,
    Picture,
    Table,
    Text,
    Verbatim,
)
from treewright._render.formula import (
    Call,
    Equation,
    Formula,
    Log,
    Name,
    Number,
    Parentheses,
    Power,
    Product,
    Quotient,
    Ratio,
    Root,
    Sum,
    as_read,
    hide,
    leaves,
)
from treewright._render.latex_text import document as tex_file
from treewright._render.latex_text import tex
from treewright._render.page_format import ASCII, PageFormat
from treewright._render.values import to_values

HALF = Ratio("1", "2", "counts")
TERM = Product((HALF, Log("2", HALF)))
HOSTILE = "a_b|<c>$</script>&\\{}^~#%`"
LINES = LineChart((0.0, 0.5, 1.0), (("H", (0.0, 1.0, 0.0)),), (("#0", 0.5, 1.0),), "t", ("x", "y"))
BARS = BarChart((0.0, 1.0, 2.0), ("a", HOSTILE), ((1.0, 2.0), (0.0, 3.0)), 1.0, "t", ("x", "rows"))


def sample() -> Document:
    gain = Number("0.247", "gain", 0.2467, differs="0.246")
    equation = Equation((Sum(((1, Number("0.940")), (-1, Number("0.694")))), gain))
    table = Table(
        (
            Column("", ("Outlook", HOSTILE), "column", left=True),
            Column("gain", (gain, None), "gain"),
            Column("", (Name("chosen", CHOICE, vanishes=True), ""), "verdict", left=True),
        ),
        "All candidates",
        chosen=0,
        key="candidates",
    )
    return Document(
        ("Node #0", ("9 ", Name("Yes"))),
        (
            Fields(("Name", "Date")),
            Heading(("Entropy of ", HOSTILE)),
            Equations((("", Equation((Name("H"), TERM))), ("information gain", equation))),
            table,
            Text(("The best is ", Name("Outlook", CHOICE), ".")),
            Picture(LINES, "gain"),
            Picture(BARS, "counts", LINES),
            Verbatim("├─ Sunny → No\n└─ x", CHOICE),
            PageBreak(),
            Text("The end.", apart=True),
        ),
        ("counts", "gain", CHOICE),
    )


def forms(document: Document) -> dict[str, str]:
    return {
        "text": text.write(document, PageFormat(width=100)),
        "ascii": text.write(document, PageFormat(width=100, glyphs=ASCII, encoding="ascii")),
        "markdown": markdown.write(document),
        "latex": latex.write(document),
        "html": html.page(document),
    }


def words_of(form: str, page: str) -> str:
    """Return the words of a page without what its form needs."""
    if form == "html":
        page = re.sub(r"<style>.*?</style>", "", page, flags=re.S)
        page = unescape(re.sub(r"<[^>]*>", "", page))
    return re.sub(r"[^0-9A-Za-z.]+", "", page)


def test_every_form_has_the_same_words() -> None:
    for form, page in forms(sample()).items():
        words = words_of(form, page)
        for expected in (
            "0.940",
            "0.694",
            "0.247",
            "0.246",
            "Outlook",
            "chosen",
            "Theend",
            "Thebestis",
        ):
            assert expected in words, (form, expected)


def test_text_in_its_order() -> None:
    page = forms(sample())["text"].splitlines()
    assert page[0] == "Node #0   9 Yes"
    assert "  information gain        0.940 − 0.694 = 0.247 †" in page
    assert "  Outlook                      0.247 †   ◀ chosen" in page
    assert page[-1] == "  0.940 − 0.694 gives 0.246"
    assert forms(sample())["ascii"].isascii()


def test_blanks_leave_nothing_behind() -> None:
    hidden = sample().hide(("counts", "gain", CHOICE))
    for form, page in forms(hidden).items():
        words = words_of(form, page)
        for gone in ("0.247", "0.246", "chosen", "bestisOutlook", "12log", "Sunny"):
            assert gone not in words, (form, gone)
    record = json.dumps(to_values(hidden, frozenset(hidden.stages)))
    assert "0.24" not in record
    assert '"chosen"' in record  # the name of a field, of which nothing is known
    assert json.loads(record)["blocks"][3]["chosen"] is None
    assert hidden.records() == [
        {"column": "Outlook", "gain": None, "verdict": ""},
        {"column": HOSTILE, "gain": None, "verdict": ""},
    ]


def test_a_key_has_the_numbers_of_its_blanks() -> None:
    stages = frozenset(sample().stages)

    def figures(value: Any) -> list[dict[str, Any]]:
        if isinstance(value, dict):
            own = [value] if "blank" in value else []
            return own + [f for part in value.values() for f in figures(part)]
        return [f for part in value for f in figures(part)] if isinstance(value, list) else []

    blanks = figures(to_values(sample().hide(sample().stages), stages))
    answers = figures(to_values(sample(), stages))
    numbers = [f["blank"] for f in blanks if f["blank"] is not None]
    assert numbers == list(range(1, len(numbers) + 1))
    assert numbers == [f["blank"] for f in answers if f["blank"] is not None]
    assert [f["stage"] for f in blanks] == [f["stage"] for f in answers if f["blank"] is not None]
    assert all(f["value"] is None for f in blanks)
    assert any(f["value"] == 0.2467 for f in answers)


def test_only_hidden_stages_are_blank() -> None:
    page = forms(sample().hide((CHOICE,)))["text"]
    assert "0.247" in page
    assert "The best is ________." in page
    assert "◀" not in page


def test_pages_are_whole_and_well_formed() -> None:
    page = html.page(sample())
    assert page.startswith("<!DOCTYPE html>")
    assert '<meta charset="utf-8"/>' in page
    assert "<script" not in page
    assert "prefers-color-scheme:dark" in page
    assert "@media print" in page
    ET.fromstring(page)
    fragment = html.fragment(sample())
    assert fragment.startswith('<div class="treewright-document">')
    ET.fromstring(fragment)
    style = re.findall(r"<style>(.*?)</style>", fragment)[0]
    rules = re.sub(r"@media[^{]*\{", "", style)
    for selector in re.findall(r"([^{}]+)\{[^{}]*\}", rules):
        for part in selector.split(","):
            assert part.startswith(".treewright-document"), part


def test_names_are_only_names() -> None:
    written = forms(sample())
    assert "<c>" not in written["html"]
    assert "</script>" not in written["html"]
    rows = [line for line in written["markdown"].splitlines() if line.startswith("|")]
    assert all(line.replace(r"\|", "").count("|") == 4 for line in rows)
    assert written["latex"].count("{") == written["latex"].count("}") or r"\{" in written["latex"]


@pytest.mark.slow
@needs("pdflatex")
def test_latex_of_every_block_compiles(tmp_path: Path) -> None:
    compile_tex(latex.write_file(sample()), tmp_path)
    compile_tex(latex.write_file(sample().hide(("counts", "gain", CHOICE))), tmp_path)


def test_one_file_has_one_head() -> None:
    page = latex.write_file(sample())
    assert page.count(r"\documentclass") == page.count(r"\end{document}") == 1
    assert r"\newpage" in page


@pytest.mark.parametrize(
    "name", ["größe", "天气", "Погода", "מזג אוויר", "طقس جميل", "ηλίου", "날씨", "天气 no 2"]
)
def test_names_of_any_script_stay(name: str) -> None:
    assert tex(name) == name
    page = tex_file(f"{tex(name)}\n", "amsmath")
    assert all(part in page for part in name.split())
    assert ("xelatex" in page) == (name != "größe")


@pytest.mark.slow
@needs("xelatex")
def test_any_script_compiles(tmp_path: Path) -> None:
    names = ["größe", "天气", "Погода", "מזג אוויר", "طقس جميل", "ηλίου", "날씨"]
    table = Table((Column("name", tuple(names), left=True),), "天气 1/d²")
    compile_tex(latex.write_file(Document(("晴",), (table,))), tmp_path, "xelatex")


def test_signs_of_our_own_need_no_other_engine() -> None:
    for sign in "²³·≤≥×−→…†α½–—":
        assert "xelatex" not in tex_file(tex(sign), "amsmath"), sign
    assert tex("1/d²") == r"1/d\textsuperscript{2}"


# ---- formulas


def test_formulas_in_three_scripts() -> None:
    assert formula_text.write(Sum(((-1, TERM),))) == "−1/2·log₂(1/2)"
    assert formula_latex.write(TERM) == r"\tfrac{1}{2}\log_2\tfrac{1}{2}"
    assert formula_mathml.write(Sum(((1, Number("1")), (-1, HALF)))).count("<mo>−</mo>") == 1
    assert as_read(TERM) is None
    assert as_read(Product((HALF, Number("0.971")))) == Fraction("0.4855")
    root = Root(Sum(((1, Power(Number("3"))), (1, Power(Parentheses(Number("-1")))))))
    assert formula_text.write(root) == "√(3² + (−1)²)"
    assert formula_latex.write(root) == r"\sqrt{3^{2} + \left(-1\right)^{2}}"
    power = Power(Number("0.25"), Ratio("1", "3"))
    assert formula_text.write(power) == "0.25^(1/3)"
    assert formula_latex.write(Call("exp", Parentheses(Name("α")))) == r"\exp(\alpha)"


LEAVES = st.one_of(
    st.builds(Name, st.sampled_from(["x", "α", "rate", HOSTILE]), st.sampled_from(["", "gain"])),
    st.builds(Number, st.from_regex(r"\A-?[0-9]{1,3}\.[0-9]{3}\Z"), st.sampled_from(["", "gain"])),
    st.builds(Ratio, st.just("5"), st.just("14"), st.sampled_from(["", "gain"])),
)
FORMULAS: st.SearchStrategy[Formula] = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(Parentheses, inner),
        st.builds(Root, inner),
        st.builds(Power, inner, st.none() | inner),
        st.builds(lambda a, b: Product((a, b), wide=True), inner, inner),
        st.builds(Quotient, inner, inner),
        st.builds(lambda a, b: Sum(((-1, a), (1, b))), inner, inner),
        st.builds(lambda a, b: Equation((a, b)), inner, inner),
        st.builds(lambda a: Call("exp", a), inner),
        st.builds(lambda a: Log("2", a), inner),
    ),
    max_leaves=8,
)


@given(FORMULAS)
def test_hidden_formulas_hold_nothing(formula: Formula) -> None:
    hidden = hide(formula, frozenset({"gain"}))
    for leaf in leaves(hidden):
        if leaf.stage == "gain":
            assert leaf.blank
            assert not getattr(leaf, "text", "")
            assert getattr(leaf, "value", None) is None
    assert len(list(leaves(hidden))) == len(list(leaves(formula)))
    ET.fromstring(formula_mathml.math(formula_mathml.write(hidden)))
    written = formula_latex.write(hidden)
    bare = re.sub(r"\\[{}\\]", "", written)
    assert bare.count("{") == bare.count("}")
    assert " ".join(formula_latex.chunks(hidden)).replace(" ", "").count("=") == written.count("=")
