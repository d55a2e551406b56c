"""The rankings of Weka's InfoGainAttributeEval and GainRatioAttributeEval on nominal tables, as it prints them."""

from __future__ import annotations

import pytest

from treewright import datasets, rank_columns

# Four decimals, as printed for the tables that come with it; none of these has a missing value.
LENSES = {
    "gain": {
        "tear-prod-rate": 0.5488,
        "astigmatism": 0.377,
        "spectacle-prescrip": 0.0395,
        "age": 0.0394,
    },
    "gain_ratio": {
        "tear-prod-rate": 0.5488,
        "astigmatism": 0.377,
        "spectacle-prescrip": 0.0395,
        "age": 0.0248,
    },
}


@pytest.mark.parametrize("by", LENSES)
def test_contact_lenses(by: str) -> None:
    table = datasets.load("contact-lenses").table
    name = table.columns[-1]
    ranking = rank_columns(table.drop([name]), table.column(name), by)
    assert ranking.names == list(LENSES[by])
    assert {c.name: c.score for c in ranking} == pytest.approx(LENSES[by], abs=1e-4)
