"""The model file that a command was given."""

from __future__ import annotations

from typing import Any

from treewright.cli.names import no_such_file
from treewright.errors import ModelFileError

__all__ = ["load_model"]


def load_model(path: str) -> Any:
    """Return the model in a file."""
    from treewright import load

    try:
        return load(path)
    except FileNotFoundError:
        message, hints = no_such_file(path, ".tree")
        raise ModelFileError(message, slug="file.not-found", hints=hints) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise ModelFileError(f"{path} cannot be read: {reason}", slug="file.unreadable") from None
