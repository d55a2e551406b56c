"""`work`: the pages of the textbook, gains against exact arithmetic, roundings, worksheets, hostile names."""

from __future__ import annotations

import json
import math
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    DataError,
    ID3Classifier,
    RuleSetClassifier,
    UsageError,
    datasets,
    work,
)
from treewright._work.lecture_rounding import Rounding, half_up

X, Y = datasets.play_tennis()
GOLF, PLAY = datasets.golf()
HOSTILE = "a_b|<c>$</script>"


@pytest.fixture(scope="module")
def tennis() -> Any:
    return ID3Classifier().fit(X, Y)


def test_the_page_of_the_textbook(tennis: Any) -> None:
    assert (
        str(work(tennis, 0, X, Y, width=100))
        == """\
Node #0   14 rows: 9 Yes, 5 No

Entropy of this node
  H = −9/14·log₂(9/14) − 5/14·log₂(5/14) = 0.410 + 0.531 = 0.940 †

Split on Outlook           rows  Yes  No  entropy   weight × entropy
  Sunny                       5    2   3    0.971   5/14 × 0.971 = 0.347
  Overcast                    4    4   0    0.000   4/14 × 0.000 = 0.000   (0·log 0 = 0)
  Rain                        5    3   2    0.971   5/14 × 0.971 = 0.347
  entropy after the split                           0.694
  H(Sunny) = −2/5·log₂(2/5) − 3/5·log₂(3/5) = 0.529 + 0.442 = 0.971
  H(Rain) = −3/5·log₂(3/5) − 2/5·log₂(2/5) = 0.442 + 0.529 = 0.971
  information gain        0.940 − 0.694 = 0.247 †
  split information       −5/14·log₂(5/14) − 4/14·log₂(4/14) − 5/14·log₂(5/14) = 1.577
  gain ratio              0.247 / 1.577 = 0.156 †

All candidates   entropy after    gain   split info   ratio   Gini decrease
  Outlook                0.694   0.247        1.577   0.156           0.116   ◀ chosen
  Humidity               0.788   0.152        1.000   0.152           0.092
  Wind                   0.892   0.048        0.985   0.049           0.031
  Temperature            0.911   0.029        1.557   0.019           0.019
  ID3 chooses the largest gain, with a branch for each category of a column.
  C4.5 chooses the largest gain ratio among gains of at least 0.118: the average gain of all 4
      columns, 0.119, minus 0.001.
  CART chooses the largest Gini decrease of a split into two branches.
  All three choose Outlook.

† calculated from unrounded values. With the rounded numbers shown:
  0.410 + 0.531 gives 0.941
  0.940 − 0.694 gives 0.246
  0.247 / 1.577 gives 0.157"""
    )


def gains(page: str) -> dict[str, str]:
    table = page[page.index("All candidates") :].splitlines()[1:5]
    return {line.split()[0]: line.split()[2] for line in table}


def test_a_lecture_rounds_at_every_step(tennis: Any) -> None:
    page = str(work(tennis, 0, X, Y, rounding="lecture", width=100))
    assert gains(page) == {
        "Outlook": "0.246",
        "Humidity": "0.151",
        "Wind": "0.048",
        "Temperature": "0.029",
    }
    assert "†" not in page


def exact_gain(table: Any, target: list[Any], column: str) -> float:
    """Return the gain by rational shares and fifty digits of logarithms, independent of everything else."""
    from decimal import Decimal, getcontext

    getcontext().prec = 50
    two = Decimal(2).ln()

    def entropy(labels: list[Any]) -> Decimal:
        shares = [Fraction(labels.count(c), len(labels)) for c in sorted(set(labels))]
        exact = [Decimal(s.numerator) / Decimal(s.denominator) for s in shares]
        return -sum((p * p.ln() / two for p in exact), Decimal(0))

    values = table[column]
    left = Decimal(0)
    for value in sorted(set(values)):
        part = [t for v, t in zip(values, target, strict=True) if v == value]
        left += Decimal(len(part)) / Decimal(len(target)) * entropy(part)
    return float(entropy(target) - left)


def test_gains_equal_exact_arithmetic(tennis: Any) -> None:
    record = work(tennis, 0, X, Y).to_dict()
    labels = Y.tolist()
    for candidate in record["candidates"]:
        assert candidate["gain"] == pytest.approx(
            exact_gain(X, labels, candidate["column"]), abs=1e-12
        )
    assert len(record["candidates"]) == 4


def test_c45_shows_price_average_and_cuts() -> None:
    model = C45Classifier().fit(GOLF, PLAY)
    record = work(model, 1, GOLF, PLAY).to_dict()
    best = record["candidates"][0]
    assert best["column"] == record["chosen"] == "humidity"
    assert best["price"] == pytest.approx(math.log2(2) / 5)
    (cut,) = (cut for cut in best["cuts"] if cut["below"] == 70.0)
    assert (cut["above"], cut["midpoint"], cut["threshold"]) == (85.0, 77.5, 75.0)
    assert cut["gain"] == best["gain"]
    assert [side["class_weights"] for side in cut["sides"]] == [[0.0, 2.0], [3.0, 0.0]]
    assert [cut["below"] for cut in best["cuts"]] == sorted(cut["below"] for cut in best["cuts"])
    root = str(work(model, 0, GOLF, PLAY, width=120))
    assert "adjusted gain not positive" in root
    assert "80 to 85                   82.5               80" in root
    net = [c["gain"] - c["price"] for c in record["candidates"] if c["admissible"]]
    assert record["average_gain"] == pytest.approx(sum(net) / len(net))


def test_rows_that_cannot_answer_are_left_out() -> None:
    table = {"a": ["x", "x", "y", "y", None, "y"], "b": [1, 2, 3, 4, 5, 6]}
    labels = ["p", "p", "q", "q", "p", "q"]
    model = C45Classifier(min_cases=1).fit(table, labels)
    split = next(
        c for c in work(model, 0, table, labels).to_dict()["candidates"] if c["column"] == "a"
    )
    # 5 of 6 rows are known; among them the column tells all.
    known = -(2 / 5) * math.log2(2 / 5) - (3 / 5) * math.log2(3 / 5)
    assert split["unknown"]["rows"] == 1
    assert split["gain"] == pytest.approx(5 / 6 * known, abs=1e-12)
    parts = [2 / 6, 3 / 6, 1 / 6]
    assert split["split_information"] == pytest.approx(-sum(p * math.log2(p) for p in parts))


def test_cart_and_numbers() -> None:
    rng = np.random.default_rng(1)
    table, labels = (
        {"u": rng.integers(0, 9, 40), "v": rng.integers(0, 5, 40)},
        rng.integers(0, 3, 40),
    )
    for criterion in ("gini", "entropy"):
        model = CARTClassifier(criterion=criterion, max_depth=2).fit(table, labels)
        record = work(model, 0, table, labels).to_dict()
        assert record["criterion"] == criterion
        gain = float(model.tree_.gain[0] / model.tree_.weight[0])
        assert record["candidates"][0]["gain"] == pytest.approx(gain, abs=1e-12)
    numbers = rng.normal(size=40)
    model = CARTRegressor(max_depth=2).fit(table, numbers)
    record = work(model, 0, table, numbers).to_dict()
    assert record["impurity"] == pytest.approx(float(np.var(numbers)))
    assert record["candidates"][0]["gain"] == pytest.approx(
        float(model.tree_.gain[0] / model.tree_.weight[0]), abs=1e-12
    )
    assert "Variance of this node" in str(work(model, 0, table, numbers))


def test_other_rows_are_used_and_said(tennis: Any) -> None:
    labels = Y.tolist()[::-1]
    assert "not the training table" in str(work(tennis, 0, X, labels))
    assert "Note" not in str(work(tennis, 0, X, Y))
    strange = X.to_dict() | {"Outlook": ["Foggy"] * 14}
    with pytest.raises(DataError, match="has not seen"):
        work(tennis, 0, strange, Y)


def test_units_are_one_quantity(tennis: Any) -> None:
    in_bits = work(tennis, 0, X, Y).to_dict()["candidates"]
    for unit, factor in {"nats": math.log(2), "hartleys": math.log10(2)}.items():
        for one, other in zip(
            in_bits, work(tennis, 0, X, Y, unit=unit).to_dict()["candidates"], strict=True
        ):
            assert other["gain"] == pytest.approx(one["gain"] * factor, abs=1e-12)
            assert other["gain_ratio"] == pytest.approx(one["gain_ratio"], abs=1e-12)


def test_every_form_has_the_same_figures(tennis: Any) -> None:
    shown = work(tennis, 0, X, Y)
    forms = {"text": str(shown), "markdown": shown.to_markdown(), "latex": shown.to_latex()}
    forms["html"] = shown.to_html()
    for form, page in forms.items():
        for figure in (
            "0.694",
            "0.247",
            "1.577",
            "0.156",
            "0.116",
            "0.347",
            "0.788",
            "0.529",
            "0.119",
        ):
            assert figure in page, (form, figure)
        for words in (
            "entropy after the split",
            "0.*log.*0 = 0",
            "Gini decrease",
            "All three choose",
        ):
            assert re.search(words, page), (form, words)
        assert page.count("†") + page.count("dag") >= 4, form  # three marks and their footnote


def test_gain_is_the_gain_in_every_form() -> None:
    shown = work(C45Classifier().fit(GOLF, PLAY), 0, GOLF, PLAY)
    pages = (str(shown), shown.to_markdown(), shown.to_latex(), shown.to_html())
    for page in pages:
        for figure in ("0.152", "0.201", "0.049"):  # the gain, its price, and what is left
            assert figure in page
        assert "Thresholds of humidity" in page
    row = next(line for line in shown.to_markdown().splitlines() if line.startswith("| humidity ≤"))
    assert row.split(" | ")[1:5] == ["0.788", "0.152", "0.201", "−0.049"]


def test_markdown_latex_and_html(tennis: Any) -> None:
    shown = work(tennis, 0, X, Y)
    page = shown.to_markdown()
    assert r"$$H = -\tfrac{9}{14}\log_2\tfrac{9}{14} - \tfrac{5}{14}\log_2\tfrac{5}{14}" in page
    assert (
        "| **Outlook** | **0.694** | **0.247** | **1.577** | **0.156** | **0.116** | **chosen** |"
        in page
    )
    fragment = shown.to_latex()
    assert r"\text{gain ratio} &= 0.247 / 1.577 = 0.156^{\dagger}" in fragment
    assert fragment.count("{") == fragment.count("}")
    assert "<mfrac><mn>9</mn><mn>14</mn></mfrac>" in shown.to_html()
    assert "<script" not in shown.to_html()


def test_hostile_names() -> None:
    table = {HOSTILE: ["</script>", "a|b", "</script>", "a|b"], "n": [1, 2, 3, 4]}
    model = ID3Classifier().fit(table, ["$x$", "y_z", "$x$", "y_z"])
    shown = work(model, 0, table, ["$x$", "y_z", "$x$", "y_z"])
    assert "</script>" not in shown.to_html()
    assert r"a\_b\textbar{}" in shown.to_latex()
    rows = [line for line in shown.to_markdown().splitlines() if line.startswith("|")]
    assert all(line.replace(r"\|", "").endswith("|") for line in rows)
    assert str(shown)


def test_files_and_slips(tennis: Any, tmp_path: Path) -> None:
    shown = work(tennis, 0, X, Y)
    for ending in (".txt", ".md", ".tex", ".html", ".json"):
        shown.save(tmp_path / f"work{ending}")
    assert json.loads((tmp_path / "work.json").read_text("utf-8"))["chosen"] == "Outlook"
    with pytest.raises(UsageError, match="supported: "):
        shown.save(tmp_path / "work.docx")
    for wrong in ({"unit": "bytes"}, {"rounding": "up"}, {"digits": 99}, {"stop_at": "choice"}):
        with pytest.raises(UsageError):
            work(tennis, 0, X, Y, **wrong)
    with pytest.raises(UsageError, match="nodes: 0 to 7"):
        work(tennis, 8, X, Y)
    with pytest.raises(UsageError, match="training table is needed"):
        work(ID3Classifier(keep_work=False).fit(X, Y), 0)
    with pytest.raises(DataError, match="candidates: Outlook"):
        work(tennis, 0, X, Y, column="Day")
    with pytest.raises(UsageError, match="work does not support"):
        work(RuleSetClassifier().fit(X, Y), 0, X, Y)


def test_halves_and_readers() -> None:
    assert half_up(Fraction("0.7885"), 3) == "0.789"
    assert half_up(-0.0004, 3) == "0.000"
    assert half_up(Fraction(12345, 10), 0) == "1,235"
    assert Rounding().agrees("0.247", Fraction("0.2465"))
    assert not Rounding().agrees("0.247", Fraction("0.246"))
