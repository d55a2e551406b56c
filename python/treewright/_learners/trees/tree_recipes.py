"""The recipes of ID3 and C4.5: their checked parameters in the words of the core.

Not here: CART (``cart_recipe``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treewright._utils.choices import THRESHOLDS
from treewright._utils.validation import (
    Fractions,
    Recipe,
    check_choice,
    check_integer,
    check_number,
    count_rows,
)
from treewright.errors import UsageError

__all__ = ["C45_VARIANTS", "c45_recipe", "id3_recipe"]

# Where the two programs differ. C4.5 compares numbers in single precision and weights to the last bit; the tolerance
# keeps rounding from deciding an exact tie.
C45_VARIANTS: dict[str, dict[str, object]] = {
    "c4.5": {
        "tolerance": 1e-9,
        "single": True,
        "empty": "majority",
        "collapse": "bottom-up",
        "floor": -1e-3,
    },
    "j48": {
        "tolerance": 1e-6,
        "single": False,
        "empty": "shares",
        "collapse": "top-down",
        "floor": 1e-6,
    },
}


def id3_recipe(params: Mapping[str, Any], n_rows: int = 0) -> Recipe:
    """Return the recipe for ID3's parameters on a table of ``n_rows``; those that are missing have their default.

    Examples
    --------
    >>> id3_recipe({"min_gain": 0.3})["min_gain"]
    0.3
    """
    recipe: Any = {
        "criterion": "entropy",
        "categorical": "levels",
        "choose": "gain",
        "fractions": None,
        **_limits(params),
        "min_samples_split": count_rows(
            "min_samples_split", params.get("min_samples_split", 2), n_rows, minimum=2
        ),
    }
    return recipe  # type: ignore[no-any-return]


def c45_recipe(params: Mapping[str, Any], total: float | None = None) -> Recipe:
    """Return the recipe for C4.5's parameters; those that are missing have their default.

    ``total`` is the weight of the training table if only some of its rows are used: it decides which columns have too
    many values to count in the average gain.

    Examples
    --------
    >>> c45_recipe({"criterion": "gain"})["choose"]
    'gain'
    """
    param = params.get
    by_ratio = (
        check_choice("criterion", param("criterion", "gain_ratio"), ("gain_ratio", "gain"))
        == "gain_ratio"
    )
    variant = C45_VARIANTS[check_choice("variant", param("variant", "c4.5"), tuple(C45_VARIANTS))]
    min_ratio = check_number("min_gain_ratio", param("min_gain_ratio"), minimum=0, optional=True)
    if min_ratio is not None and not by_ratio:
        raise UsageError(
            "min_gain_ratio belongs to criterion='gain_ratio', not to 'gain'",
            slug="usage.parameter",
            hints=["try: min_gain"],
        )
    rules: Fractions = {
        "min_cases": check_number("min_cases", param("min_cases", 2), minimum=0),
        "threshold": check_choice("thresholds", param("thresholds", "value"), THRESHOLDS),
        "min_ratio": min_ratio,
        "total": total,
        **variant,  # type: ignore[typeddict-item]
    }
    recipe: Any = {
        "criterion": "entropy",
        "categorical": check_choice(
            "categorical", param("categorical", "levels"), ("levels", "groups")
        ),
        "choose": "ratio" if by_ratio else "gain",
        "fractions": rules,
        **_limits(params),
        "min_samples_split": 2,
    }
    return recipe  # type: ignore[no-any-return]


def _limits(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the limits of growing that both learners have."""
    param = params.get
    return {
        "min_gain": check_number("min_gain", param("min_gain"), minimum=0, optional=True),
        "max_depth": check_integer("max_depth", param("max_depth"), minimum=1, optional=True),
        "max_p_value": check_number(
            "max_p_value", param("max_p_value"), minimum=0, maximum=1, optional=True
        ),
        "sufficient_majority": check_number(
            "sufficient_majority",
            param("sufficient_majority"),
            minimum=0,
            maximum=1,
            optional=True,
        ),
    }
