"""A lesson in all its forms: text, Markdown, LaTeX that compiles, a page, a sheet with its key; hostile names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from helpers.hostile_text import read, unsafe
from helpers.tex_run import compile_tex, engine_of
from treewright import C45Classifier, ID3Classifier, datasets, lesson
from treewright._utils.choices import LANGUAGES
from treewright.errors import UsageError

X, Y = datasets.play_tennis()
TREE = ID3Classifier().fit(X, Y)
EVIL = '</script><svg onload=alert(1)>\x1b[31m"\u202e|$\\end{document}&'


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_forms_tell_the_same_story(language: str) -> None:
    made = lesson(TREE, X, Y, target="PlayTennis", language=language, width=100)
    forms = [str(made), made.to_markdown(), made.to_latex(), made.to_html()]
    for form in forms:
        for number in ("0.940", "0.247", "0.694", "0.357"):
            assert number in form
    headings = {"en": "How mixed is it?", "de": "Wie gemischt ist es?", "zh": "有多混杂？"}
    assert all(headings[language] in form for form in (forms[0], forms[3]))


def test_files(tmp_path: Path) -> None:
    made = lesson(TREE, X, Y, title="tennis")
    for ending in ("txt", "md", "tex", "json", "html"):
        made.save(tmp_path / f"lesson.{ending}")
    assert json.loads((tmp_path / "lesson.json").read_text("utf-8")) == made.to_dict()
    page = (tmp_path / "lesson.html").read_text("utf-8")
    assert "<title>tennis</title>" in page
    assert "Content-Security-Policy" in page
    assert 'id="lesson"' in page
    assert 'id="texts"' in page
    with pytest.raises(UsageError) as error:
        made.save(tmp_path / "lesson.docx")
    assert error.value.slug == "lesson.suffix"


def test_the_page_speaks_its_language(tmp_path: Path) -> None:
    page = lesson(TREE, X, Y, language="de").to_html(standalone=True)
    assert '<html lang="de">' in page
    assert "Der Baum wächst" in page


def test_a_quiz_hides_its_answers() -> None:
    open_, hidden = (str(lesson(TREE, X, Y, quiz=quiz, steps=["quiz"])) for quiz in (False, True))
    assert "0.247" in open_
    assert "0.247" not in hidden
    assert "________" in hidden


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sheet_and_its_key(language: str) -> None:
    sheet = lesson(TREE, X, Y, target="PlayTennis", language=language, width=100).sheet()
    blank, key = str(sheet), str(sheet.key())
    assert "Sunny      Hot" in blank  # the table to count in
    assert not any(answer in blank for answer in ("0.940", "0.247", "0.971", "Outlook = Sunny"))
    assert all(answer in key for answer in ("0.940", "0.247", "0.971", "Outlook = Sunny"))
    both = str(sheet.with_key())
    assert both.index("________") < both.index("0.940")
    text = json.dumps(sheet.to_dict(), ensure_ascii=False)
    assert "0.2467" not in text
    names = {"en": ("Name", "Date", "Answers"), "de": ("Name", "Datum", "Lösungen")}
    for word in names.get(language, ("姓名", "日期", "答案")):
        assert word in both


def test_thresholds_are_answers() -> None:
    table, target = datasets.golf()
    sheet = lesson(C45Classifier().fit(table, target), table, target).sheet()
    assert "≤ 80" not in str(sheet)
    assert "≤ 80" in str(sheet.key())


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_latex_compiles(language: str, tmp_path: Path) -> None:
    table, target = datasets.golf()
    made = lesson(C45Classifier().fit(table, target), table, target, language=language)
    for number, text in enumerate(
        (made.to_latex(standalone=True), made.sheet().with_key().to_latex(standalone=True))
    ):
        assert engine_of(text) == ("xelatex" if language == "zh" else "pdflatex")
        folder = tmp_path / str(number)
        folder.mkdir()
        compile_tex(text, folder, fits=language != "de")  # long German words may stand out


def test_hostile_names() -> None:
    table = {EVIL: ["a", "b", EVIL, "a", "b", EVIL], "n": [1.0, 2, 3, 4, 5, 6]}
    target = [EVIL, "q", EVIL, "q", "q", EVIL]
    model = C45Classifier(prune=None, min_cases=1).fit(table, target)
    made = lesson(model, table, target, target=EVIL, title=EVIL)
    for text in (str(made), str(made.sheet()), made.to_markdown(), made.to_latex()):
        assert unsafe(text) == []
        assert "\\end{document}" not in text
    for html in (made.to_html(), made.sheet().to_html()):
        assert not read(html).elements & {"script", "svg"}
    page = made.to_html(standalone=True)
    assert "<svg onload" not in page
    assert page.count("</script>") == 3  # the lesson, its texts, and the program
    assert json.loads(json.dumps(made.to_dict()))["title"] == EVIL


def test_a_notebook_shows_it_without_scripts() -> None:
    assert "<script" not in lesson(TREE, X, Y)._repr_html_()
