"""Small built-in tables for examples and tests.

``play_tennis()`` and the like return features and labels for ``fit(X, y)``; ``load(name)`` returns the table with its
target, description and source.

Glossary: a column is *ignored* if it identifies a row, such as the number of a day: it is in the table but not a
feature.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treewright.datasets._dataset import Dataset, load, names

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from treewright.table import Table

__all__ = [
    "Dataset",
    "breast_cancer",
    "contact_lenses",
    "cpu",
    "german_credit",
    "golf",
    "iris",
    "labor",
    "load",
    "names",
    "near_cool",
    "play_tennis",
    "truth_table",
    "vote",
]

for _value in (Dataset, load, names):
    _value.__module__ = __name__


def play_tennis() -> tuple[Table, NDArray[np.str_]]:
    """Return the fourteen days of play-tennis: four weather columns, and Yes or No.

    Returns
    -------
    X : Table
        Outlook, Temperature, Humidity and Wind; the day's number is left out.
    y : ndarray of str
        Whether tennis was played.

    Examples
    --------
    >>> X, y = play_tennis()
    >>> X.shape, y[:3].tolist()
    ((14, 4), ['No', 'No', 'Yes'])
    """
    return _features_and_labels("play-tennis")


def golf() -> tuple[Table, NDArray[np.str_]]:
    """Return the same fourteen days with temperature and humidity as numbers.

    Returns
    -------
    X : Table
        outlook, temperature, humidity and windy.
    y : ndarray of str
        yes or no.

    Examples
    --------
    >>> X, y = golf()
    >>> X[:2].to_dict()["humidity"]
    [85.0, 90.0]
    """
    return _features_and_labels("golf")


def near_cool() -> tuple[Table, NDArray[np.str_]]:
    """Return seven rows of outlook, temp and routine.

    Returns
    -------
    X : Table
        outlook, temp and routine, two values each.
    y : ndarray of str
        Y or N.

    Examples
    --------
    >>> X, y = near_cool()
    >>> X["temp"].count("warm"), y.tolist().count("Y")
    (3, 3)
    """
    return _features_and_labels("near-cool")


def truth_table() -> tuple[Table, NDArray[np.str_]]:
    """Return the truth table of (A or B) and (A or C), eight rows.

    Returns
    -------
    X : Table
        A, B and C, each False or True as text.
    y : ndarray of str
        The value of the function.

    Examples
    --------
    >>> X, y = truth_table()
    >>> X["A"][4], y[4]
    ('True', np.str_('True'))
    """
    return _features_and_labels("truth-table")


def iris() -> tuple[Table, NDArray[np.str_]]:
    """Return 150 irises of three species, with the size of their sepals and petals.

    E. Anderson measured the flowers, and R. A. Fisher (1936) invented linear discriminant analysis on them. One species
    is apart from the others by its petals alone; the other two overlap a little.

    Returns
    -------
    X : Table
        Length and width of sepals and petals, in centimeters.
    y : ndarray of str
        Iris-setosa, Iris-versicolor or Iris-virginica.

    Examples
    --------
    >>> X, y = iris()
    >>> X.shape, y[0]
    ((150, 4), np.str_('Iris-setosa'))
    """
    return _features_and_labels("iris")


def contact_lenses() -> tuple[Table, NDArray[np.str_]]:
    """Return the 24 cases of an optician, and which contact lenses should be fitted.

    J. Cendrowska (1987) explained PRISM, a learner of rules, on this table. It has every combination of the columns and
    no noise, so that a tree can be complete.

    Returns
    -------
    X : Table
        Age, prescription, astigmatism and tear production.
    y : ndarray of str
        soft, hard or none.

    Examples
    --------
    >>> X, y = contact_lenses()
    >>> X.shape, y.tolist().count("none")
    ((24, 4), 15)
    """
    return _features_and_labels("contact-lenses")


def breast_cancer() -> tuple[Table, NDArray[np.str_]]:
    """Return 286 patients, and whether their breast cancer came back within five years.

    Collected by M. Zwitter and M. Soklic in Ljubljana (1988). It is hard to predict, which makes it a test of pruning:
    always saying no is right for 70% of the patients. A few values are missing.

    Returns
    -------
    X : Table
        Age, tumor size, lymph nodes, grade and others, all as categories.
    y : ndarray of str
        no-recurrence-events or recurrence-events.

    Examples
    --------
    >>> X, y = breast_cancer()
    >>> X.shape, y.tolist().count("no-recurrence-events")
    ((286, 9), 201)
    """
    return _features_and_labels("breast-cancer")


def vote() -> tuple[Table, NDArray[np.str_]]:
    """Return sixteen votes of the 435 members of the U.S. House of Representatives in 1984, and their party.

    From the Congressional Quarterly Almanac, by J. Schlimmer (1987). A missing value is a member who did not vote or
    did not say.

    Returns
    -------
    X : Table
        Sixteen votes, n or y.
    y : ndarray of str
        democrat or republican.

    Examples
    --------
    >>> X, y = vote()
    >>> X.shape, y.tolist().count("democrat")
    ((435, 16), 267)
    """
    return _features_and_labels("vote")


def cpu() -> tuple[Table, NDArray[np.float64]]:
    """Return 209 processors of the early 1980s, and how fast they are.

    Collected by P. Ein-Dor and J. Feldmesser (1987); the target holds numbers.

    Returns
    -------
    X : Table
        Cycle time, memory, cache and channels.
    y : ndarray of float
        The relative performance that was published.

    Examples
    --------
    >>> X, y = cpu()
    >>> X.shape, float(y[0])
    ((209, 6), 198.0)
    """
    return _features_and_labels("cpu")


def labor() -> tuple[Table, NDArray[np.str_]]:
    """Return 57 Canadian labor agreements of 1987 and 1988, and whether both sides found them acceptable.

    From the Collective Bargaining Review of Labour Canada, by S. Matwin. A third of all values is missing, because most
    agreements do not mention everything.

    Returns
    -------
    X : Table
        Wages, hours, holidays and benefits, as numbers and categories.
    y : ndarray of str
        bad or good.

    Examples
    --------
    >>> X, y = labor()
    >>> X.shape, y.tolist().count("good")
    ((57, 16), 37)
    """
    return _features_and_labels("labor")


def german_credit() -> tuple[Table, NDArray[np.str_]]:
    """Return 1,000 loans of a German bank of the 1970s, and whether they were paid back.

    From H. Hofmann (1994). Amounts are in German marks. 300 loans are bad, more than the bank's share, because bad
    loans were sampled more often. The source's columns for personal status and sex and for foreign workers are left
    out, because no decision should use them.

    Returns
    -------
    X : Table
        Checking account, duration, purpose, amount, savings and others, as numbers and categories.
    y : ndarray of str
        good or bad.

    Examples
    --------
    >>> X, y = german_credit()
    >>> X.shape, y.tolist().count("bad")
    ((1000, 18), 300)
    """
    return _features_and_labels("german-credit")


def _features_and_labels(name: str) -> tuple[Table, NDArray[Any]]:
    dataset = load(name)
    return dataset.features, dataset.labels
