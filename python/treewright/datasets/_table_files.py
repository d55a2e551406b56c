"""The built-in tables that are files: CSV in ``tables/``, in the form in which Weka's example data holds them.

An empty cell is a missing value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["TABLE_FILES", "UCI", "TableText"]

UCI = "CC BY 4.0 (UCI Machine Learning Repository)"


@dataclass(frozen=True, slots=True)
class TableText:
    """A table before its values are coded; without ``rows`` they are in a file."""

    title: str
    description: str
    source: str
    target: str
    levels: Mapping[str, tuple[str, ...]]
    rows: str = ""
    ignore: tuple[str, ...] = ()
    license: str = "BSD-3-Clause, as this package"


VOTES = (
    "handicapped-infants",
    "water-project-cost-sharing",
    "adoption-of-the-budget-resolution",
    "physician-fee-freeze",
    "el-salvador-aid",
    "religious-groups-in-schools",
    "anti-satellite-test-ban",
    "aid-to-nicaraguan-contras",
    "mx-missile",
    "immigration",
    "synfuels-corporation-cutback",
    "education-spending",
    "superfund-right-to-sue",
    "crime",
    "duty-free-exports",
    "export-administration-act-south-africa",
)
TABLE_FILES = {
    "iris": TableText(
        title="Which of three species is this iris?",
        description=(
            "The length and width of the sepals and petals of 150 flowers, fifty of each species. One species is "
            "apart from the others by its petals alone; the other two overlap a little. E. Anderson measured the "
            "flowers, and R. A. Fisher invented linear discriminant analysis on them."
        ),
        source="R. A. Fisher, The use of multiple measurements in taxonomic problems (1936)",
        license=UCI,
        target="class",
        levels={"class": ("Iris-setosa", "Iris-versicolor", "Iris-virginica")},
    ),
    "contact-lenses": TableText(
        title="Which contact lenses should be fitted?",
        description=(
            "All 24 combinations of age, prescription, astigmatism and tear production, with the lenses that an "
            "optician recommends. There is no noise, so a tree can be complete: reduced tear production "
            "alone decides half of the rows. The table on which PRISM, a learner of rules, was explained."
        ),
        source="J. Cendrowska, PRISM: an algorithm for inducing modular rules (1987)",
        license=UCI,
        target="contact-lenses",
        levels={
            "age": ("young", "pre-presbyopic", "presbyopic"),
            "spectacle-prescrip": ("myope", "hypermetrope"),
            "astigmatism": ("no", "yes"),
            "tear-prod-rate": ("reduced", "normal"),
            "contact-lenses": ("soft", "hard", "none"),
        },
    ),
    "breast-cancer": TableText(
        title="Will breast cancer recur?",
        description=(
            "286 patients of a hospital in Ljubljana: age, tumor size, lymph nodes and grade, and whether the cancer "
            "came back within five years. It is hard to predict: always saying no is right for 70% of the patients, "
            "and few models do much better, which makes it a test of pruning."
        ),
        source=(
            "M. Zwitter and M. Soklic, Institute of Oncology, University Medical Centre, Ljubljana (1988)"
        ),
        license=UCI,
        target="Class",
        levels={
            "age": ("20-29", "30-39", "40-49", "50-59", "60-69", "70-79"),
            "menopause": ("lt40", "ge40", "premeno"),
            "tumor-size": (
                "0-4",
                "5-9",
                "10-14",
                "15-19",
                "20-24",
                "25-29",
                "30-34",
                "35-39",
                "40-44",
                "45-49",
                "50-54",
            ),
            "inv-nodes": ("0-2", "3-5", "6-8", "9-11", "12-14", "15-17", "24-26"),
            "node-caps": ("yes", "no"),
            "deg-malig": ("1", "2", "3"),
            "breast": ("left", "right"),
            "breast-quad": ("left_up", "left_low", "right_up", "right_low", "central"),
            "irradiat": ("yes", "no"),
            "Class": ("no-recurrence-events", "recurrence-events"),
        },
    ),
    "vote": TableText(
        title="Is this member of Congress a Democrat or a Republican?",
        description=(
            "Sixteen votes of each of the 435 members of the U.S. House of Representatives in 1984. A missing value "
            "is a member who did not vote or did not say. One vote, on the physician fee freeze, separates the "
            "parties almost alone."
        ),
        source="Congressional Quarterly Almanac (1985); J. Schlimmer (1987)",
        license=UCI,
        target="Class",
        levels=dict.fromkeys(VOTES, ("n", "y")) | {"Class": ("democrat", "republican")},
    ),
    "cpu": TableText(
        title="How fast is this computer?",
        description=(
            "209 processors of the early 1980s: cycle time, memory, cache and channels, and the relative performance "
            "that was published (the column class). A target of numbers, on which model trees were explained."
        ),
        source="P. Ein-Dor and J. Feldmesser, Attributes of the performance of central processing units (1987)",
        license=UCI,
        target="class",
        levels={},
    ),
    "labor": TableText(
        title="Is this labor agreement acceptable?",
        description=(
            "57 Canadian labor agreements of 1987 and 1988: wages, hours, holidays and benefits, and whether both "
            "sides found the agreement acceptable. A third of all values is missing, because most "
            "agreements do not mention everything."
        ),
        source="Collective Bargaining Review, Labour Canada (1988); S. Matwin",
        license=UCI,
        target="class",
        levels={
            "cost-of-living-adjustment": ("none", "tcf", "tc"),
            "pension": ("none", "ret_allw", "empl_contr"),
            "education-allowance": ("yes", "no"),
            "vacation": ("below_average", "average", "generous"),
            "longterm-disability-assistance": ("yes", "no"),
            "contribution-to-dental-plan": ("none", "half", "full"),
            "bereavement-assistance": ("yes", "no"),
            "contribution-to-health-plan": ("none", "half", "full"),
            "class": ("bad", "good"),
        },
    ),
    "german-credit": TableText(
        title="Will this loan be paid back?",
        description=(
            "1,000 loans of a bank in southern Germany, 1973 to 1975: checking account, duration, purpose, amount and "
            "savings, and whether the loan was paid back; amounts are in German marks. 700 were, because bad loans "
            "were sampled more often than they happen. Two columns of the source are left out, because no decision "
            "should use them: personal status and sex (its coding is disputed as well), and foreign worker."
        ),
        source="H. Hofmann, Statlog (German Credit Data), UCI Machine Learning Repository (1994), doi:10.24432/C5NC77",
        license=UCI,
        target="risk",
        levels={
            "checking_account": ("overdrawn", "below 200", "200 or more", "no account"),
            "history": ("no credits", "paid back here", "paid so far", "delays", "critical"),
            "purpose": (
                "new car",
                "used car",
                "furniture",
                "television",
                "appliances",
                "repairs",
                "education",
                "retraining",
                "business",
                "other",
            ),
            "savings": ("below 100", "100 to 499", "500 to 999", "1000 or more", "unknown or no"),
            "employed": (
                "unemployed",
                "below 1 year",
                "1 to 3 years",
                "4 to 6 years",
                "7 years or more",
            ),
            "debtors": ("no others", "co-applicant", "guarantor"),
            "property": ("real estate", "life insurance", "car or other", "unknown or no"),
            "installments": ("bank", "stores", "no others"),
            "housing": ("rent", "own", "free"),
            "job": ("unemployed", "unskilled", "skilled", "highly skilled"),
            "telephone": ("no", "yes"),
            "risk": ("good", "bad"),
        },
    ),
}
