"""How far a tree is from the best: the optimality gap, smallest trees without errors, trees that are as good."""

from __future__ import annotations
