"""Warnings that name the user's own line, however deep in this package or in scikit-learn they arise."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

__all__ = ["warn_user"]

PACKAGE = str(Path(__file__).parents[1])


def warn_user(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn about the line that called the first function of this package or of scikit-learn.

    Examples
    --------
    >>> warn_user("the numbers are small")  # doctest: +SKIP
    """
    sklearn = sys.modules.get("sklearn")  # drawings of model files do without it
    packages = (
        (PACKAGE, str(Path(sklearn.__file__).parent))
        if sklearn and sklearn.__file__
        else (PACKAGE,)
    )
    depth, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(packages):
        depth, frame = depth + 1, frame.f_back
    warnings.warn(message, category, stacklevel=depth)
