"""Scores as the sentences and tables that ``fit`` and ``eval`` print."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence

from treewright._evaluate.scores import ClassScore, NumberScore, Score
from treewright._render.numbers import percent, weights
from treewright._render.safe_text import visible
from treewright.schema import Level, label

__all__ = ["always", "number", "right", "side_by_side"]


def number(x: float) -> str:
    """Write a measured number with a sensible length."""
    return f"{x:.4g}"


def right(score: Score, *, whole: bool = True) -> str:
    """Write ``11 of 14 (79%)``, or the error of numbers; ``whole`` says how many there are."""
    if isinstance(score, NumberScore):
        return number(score.rmse)
    found, total = weights([score.right, score.total])
    said = f"{found} of {total}" if whole or score.weighted else found
    return f"{'weight ' if score.weighted else ''}{said} ({percent(score.accuracy)})"


def always(answer: Level, score: Score) -> str:
    """Write the score of always giving one answer."""
    said = f'"{visible(label(answer))}"' if isinstance(score, ClassScore) else number(float(answer))
    return f"always {said}: {right(score)}"


def side_by_side(parts: Sequence[str]) -> str:
    """Join parts in one line, or one below the other where the terminal is too narrow."""
    line = "   ".join(parts)
    narrow = sys.stdout is not None and sys.stdout.isatty()
    if narrow and len(line) > shutil.get_terminal_size().columns:
        return "\n".join(parts)
    return line
