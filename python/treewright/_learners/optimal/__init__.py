"""Trees with the least cost of all trees of their depth."""

from __future__ import annotations
