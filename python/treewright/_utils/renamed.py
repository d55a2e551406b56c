"""Renamed parameters: the old keyword still works, with a FutureWarning."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from treewright._utils.user_warnings import warn_user

__all__ = ["rename_keys", "renamed_parameters"]

T = TypeVar("T", bound=Callable[..., Any])


def renamed_parameters(**new_names: str) -> Callable[[T], T]:
    """Let a function or a class accept parameters by their old names too.

    Parameters
    ----------
    **new_names
        The new name of each old one. A class also gets them as ``_renamed_params``, for files and pickles.

    Returns
    -------
    callable
        A decorator; the signature shows the new names only.

    Examples
    --------
    >>> import warnings
    >>> @renamed_parameters(seed="random_state")
    ... def shuffle(random_state=0):
    ...     return random_state
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     shuffle(seed=3), str(caught[0].message)
    (3, 'the parameter seed is called random_state now')
    """

    def decorate(function: Any) -> Any:
        if isinstance(function, type):
            kind: Any = function
            kind.__init__ = wrap(kind.__init__)
            kind._renamed_params = new_names
            return function
        return wrap(function)

    def wrap(function: Any) -> Any:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            for old in new_names.keys() & kwargs.keys():
                message = f"the parameter {old} is called {new_names[old]} now"
                warn_user(message, FutureWarning)
            return function(*args, **rename_keys(kwargs, new_names))

        return call

    return decorate


def rename_keys(mapping: Mapping[str, Any], new_names: Mapping[str, str]) -> dict[str, Any]:
    """Return a mapping with some of its keys replaced.

    Examples
    --------
    >>> rename_keys({"seed": 1, "cv": 5}, {"seed": "random_state"})
    {'random_state': 1, 'cv': 5}
    """
    return {new_names.get(name, name): value for name, value in mapping.items()}
