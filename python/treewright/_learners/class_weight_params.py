"""The parameter ``class_weight`` of learners that multiply the weights of rows by it.

CART, forests and gradient boosting have their own, since their recipes take it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

__all__ = ["ClassWeightParams"]


@dataclass(kw_only=True, eq=False, repr=False)
class ClassWeightParams:
    """The weight of each class.

    Parameters
    ----------
    class_weight : dict, list, "balanced" or None, default=None
        The weight of each class, by class or in the order of ``classes_``, which multiplies the weights of its rows;
        "balanced" gives all classes the same total weight.
    """

    _later_params: ClassVar[Mapping[str, Any]] = {"class_weight": None}

    class_weight: Any = None
