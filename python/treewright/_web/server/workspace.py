"""What the server holds: tables, trees that grow, and fitted models, each by a number.

Everything is in memory and ends with the server. Only the thread of the jobs comes here, so nothing is locked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from treewright._web.server.held_table import HeldTable, read_held
from treewright._web.server.held_tree import HeldTree
from treewright._web.server.jobs import Jobs, Watch
from treewright._web.server.learners import (
    build_estimator,
    compare_learners,
    describe_fit,
    describe_predictions,
)
from treewright.errors import UsageError
from treewright.files import to_bytes

__all__ = ["NotThereError", "Workspace"]

T = TypeVar("T")
# The oldest is forgotten when there are more.
MAX_TABLES = 8
MAX_MODELS = 64


class NotThereError(UsageError):
    """There is no such table, tree or model, or no longer."""

    status = 404

    def __init__(self, what: str) -> None:
        super().__init__(f"this {what} is not there any more", slug="server.not-there")


class Workspace:
    """The tables, trees and models of one server."""

    def __init__(self) -> None:
        self.jobs = Jobs()
        self.on_quit: Callable[[], None] = lambda: None
        self._tables: dict[int, HeldTable] = {}
        self._models: dict[int, HeldTree | Any] = {}
        self._tables_of: dict[int, int] = {}
        self._next = 1

    def close(self) -> None:
        """Stop all work and forget everything."""
        self.jobs.close()
        self._tables.clear()
        self._models.clear()

    # Tables

    def open(self, content: Any, name: str, options: Mapping[str, Any]) -> dict[str, Any]:
        """Read a table and keep it."""
        table = read_held(content, name, options)
        number = self._keep(self._tables, table, MAX_TABLES)
        return table.describe(number)

    def reopen(self, number: int, options: Mapping[str, Any]) -> dict[str, Any]:
        """Read a table again with other options; trees on it stay as they are."""
        held = self.table(number)
        return self.open(held.content, held.name, options)

    def list_tables(self) -> list[dict[str, Any]]:
        """Return all tables, the newest first."""
        return [table.describe(number) for number, table in reversed(self._tables.items())]

    def table(self, number: int) -> HeldTable:
        """Return a table by its number."""
        return _find(self._tables, number, "table")

    def describe_table(self, number: int) -> dict[str, Any]:
        """Return a table as the page reads it."""
        return self.table(number).describe(number)

    def drop_table(self, number: int) -> None:
        """Forget a table."""
        self.table(number)
        del self._tables[number]

    def distribution(self, number: int, column: int) -> dict[str, Any]:
        """Return the distribution of a column."""
        table = self.table(number)
        if not 0 <= column < len(table.inspection.reports):
            raise NotThereError("column")
        return table.distribution(column)

    # Trees that grow

    def start(self, spec: Mapping[str, Any]) -> dict[str, Any]:
        """Start a tree with one open node."""
        table = self.table(_number(spec, "table"))
        tree = HeldTree(table, dict(spec), build_estimator(table, spec))
        number = self._keep(self._models, tree, MAX_MODELS)
        self._tables_of[number] = _number(spec, "table")
        return tree.describe(number)

    def describe_tree(self, number: int) -> dict[str, Any]:
        """Return a whole tree."""
        return self._tree(number).describe(number)

    def step(self, number: int, action: Mapping[str, Any], seen: str | None) -> dict[str, Any]:
        """Change a tree and return what changed."""
        return self._tree(number).step(action, seen)

    def work(self, number: int, node: int) -> dict[str, Any]:
        """Return the calculation of a node."""
        return self._tree(number).work(node)

    def node_rows(self, number: int, node: int, offset: int, limit: int) -> dict[str, Any]:
        """Return some rows of a node."""
        return self._tree(number).node_rows(node, offset, limit)

    def curve(self, number: int, folds: int, watch: Watch) -> dict[str, Any]:
        """Return the complexity curve of a tree."""
        return self._tree(number).curve(folds, watch)

    # Fitted models

    def fit(self, spec: Mapping[str, Any], watch: Watch) -> dict[str, Any]:
        """Train a model and keep it."""
        table = self.table(_number(spec, "table"))
        estimator = build_estimator(table, spec)
        for _ in watch(range(1), 1):
            estimator.fit(table.features, table.target)
        number = self._keep(self._models, estimator, MAX_MODELS)
        self._tables_of[number] = _number(spec, "table")
        return {"id": number, "spec": dict(spec), **describe_fit(estimator, table)}

    def predict(self, number: int, rows: Any) -> list[dict[str, Any]]:
        """Predict rows of cells, in the order of the table's columns."""
        model, table = self._model(number), self.table(self._tables_of[number])
        return describe_predictions(model, table, rows)

    def compare(self, specs: Any, folds: int, watch: Watch) -> dict[str, Any]:
        """Compare learners on the same folds."""
        if not isinstance(specs, list) or not specs or len(specs) > 50:
            raise UsageError("compare takes 1 to 50 learners", slug="server.request")
        table = self.table(_number(specs[0], "table"))
        return compare_learners(table, specs, folds, watch)

    def model_file(self, number: int) -> bytes:
        """Return a model as a file."""
        return to_bytes(self._model(number))

    def _tree(self, number: int) -> HeldTree:
        tree = _find(self._models, number, "tree")
        if not isinstance(tree, HeldTree):
            raise NotThereError("tree")
        return tree

    def _model(self, number: int) -> Any:
        held = _find(self._models, number, "model")
        return held.model() if isinstance(held, HeldTree) else held

    def _keep(self, store: dict[int, T], item: T, limit: int) -> int:
        number, self._next = self._next, self._next + 1
        store[number] = item
        while len(store) > limit:
            del store[next(iter(store))]
        return number


def _find(store: Mapping[int, T], number: int, what: str) -> T:
    if number not in store:
        raise NotThereError(what)
    return store[number]


def _number(spec: Any, key: str) -> int:
    value = spec.get(key) if isinstance(spec, Mapping) else None
    if type(value) is not int:
        raise UsageError(f"{key} is a number", slug="server.request")
    return value
