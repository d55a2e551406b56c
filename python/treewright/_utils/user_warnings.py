"""Warnings that name the user's own line, however deep in this package or in scikit-learn they arise."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

__all__ = ["warn_user"]

PACKAGE = f"{Path(__file__).parents[1]}{os.sep}"  # not a folder that begins with our name


def warn_user(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn about the line that called the first function of this package or of scikit-learn.

    Examples
    --------
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn_user("the numbers are small")
    >>> str(caught[0].message)
    'the numbers are small'
    """
    sklearn = getattr(sys.modules.get("sklearn"), "__file__", None)  # drawings do without it
    packages = (PACKAGE, f"{Path(sklearn).parent}{os.sep}") if sklearn else (PACKAGE,)
    depth, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(packages):
        depth, frame = depth + 1, frame.f_back
    warnings.warn(message, category, stacklevel=depth)
