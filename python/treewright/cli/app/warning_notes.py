"""Python's warnings as notes: a sentence for the user, without the path and the source line of a module."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from treewright.cli.app.console import Console
from treewright.errors import UnseenValuesWarning

__all__ = ["warnings_as_notes"]


@contextmanager
def warnings_as_notes(console: Console) -> Iterator[None]:
    """Turn warnings for users into notes, each of them once; other warnings stay as they are.

    Values never seen in training are not among them: the commands count those themselves, over the whole file.
    """
    noted = set[str]()

    def note(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        if not issubclass(category, UserWarning):
            show_warning(message, category, *place, **more)
        elif str(message) not in noted:
            noted.add(str(message))
            console.note(str(message))

    with warnings.catch_warnings():
        show_warning = warnings.showwarning
        warnings.showwarning = note
        warnings.simplefilter("always", UserWarning)
        warnings.simplefilter("ignore", UnseenValuesWarning)
        yield
