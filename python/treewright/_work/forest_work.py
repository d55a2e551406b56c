"""The work of a forest: which rows and columns each tree was grown from, and the out-of-bag votes of the rows."""

from __future__ import annotations

from dataclasses import dataclass
from io import StringIO
from typing import Any

from treewright._render.document import (
    Block,
    Cell,
    Column,
    Document,
    Equations,
    Heading,
    Table,
    Text,
    Verbatim,
)
from treewright._render.formula import Equation, Name, Number, Ratio
from treewright._render.numbers import count, plural, weights
from treewright._utils.validation import check_integer
from treewright._work.forest_samples import ForestSamples, TreeSample, forest_samples
from treewright._work.work_result import NAMES, WorkResult
from treewright.schema import Level

__all__ = ["ForestWork", "forest_work"]

STAGES = ("sample", "votes", "error")
MAX_TREES = 10  # listed, and rows
MAX_ROWS = 20
MAX_NODES = 30
TREE_WIDTH = 96


@dataclass(frozen=True, slots=True, repr=False)
class ForestWork(WorkResult):
    """What a forest was grown from, made by :func:`treewright.work`.

    Examples
    --------
    >>> from treewright import RandomForestClassifier, datasets, work
    >>> X, y = datasets.play_tennis()
    >>> forest = RandomForestClassifier(n_estimators=5).fit(X, y)
    >>> record = work(forest, X=X, y=y).to_dict()
    >>> sum(record["trees"][0]["drawn"]), record["trees"][0]["out_of_bag"]
    (14, [2, 3, 8, 13])
    """

    samples: ForestSamples
    tree: int | None = None  # the tree of the page; None is all of them
    drawing: str = ""  # of that tree

    # ---- data

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values; rows count from 1, trees from 0."""
        samples = self.samples
        names = samples.schema.names
        record: dict[str, Any] = {
            "rows": len(samples.rows.target),
            "max_features": samples.max_features,
            "trees": [self._tree_values(number, names) for number in self._numbers()],
        }
        if self.tree is None:
            rows = range(len(samples.rows.target))
            record["votes"] = [self._vote_values(row) for row in rows]
            record["out_of_bag_error"] = samples.error
        return record

    def _tree_values(self, number: int, names: tuple[str, ...]) -> dict[str, Any]:
        sample = self.samples.trees[number]
        columns = [
            {
                "node": node.node,
                "drawn": [names[i] for i in node.drawn],
                "chosen": names[node.chosen],
            }
            for node in sample.columns
        ]
        return {
            "tree": number,
            "drawn": sample.times.tolist(),
            "out_of_bag": [self._row(row) for row in sample.out_of_bag],
            "columns": columns,
        }

    def _vote_values(self, row: int) -> dict[str, Any]:
        samples = self.samples
        votes = [
            {"tree": tree, "prediction": self._level(each)}
            for tree, each in samples.tree_votes(row)
        ]
        prediction = samples.predictions[row]
        return {
            "row": self._row(row),
            "actual": self._level(float(samples.rows.target[row])),
            "votes": votes,
            "prediction": None if prediction is None else self._level(prediction),
        }

    # ---- the pages

    def _pages(self, *, worksheet: bool = False) -> Document:
        if self.tree is not None:
            return self._tree_page(self.tree)
        samples = self.samples
        size = plural(len(samples.trees), "tree")
        rows = plural(len(samples.rows.target), "row")
        blocks: list[Block] = [Text(self._how_drawn()), *self._tree_tables()]
        left = len(samples.trees) - len(self._numbers()[:MAX_TREES])
        blocks += [Text(f"{plural(left, 'more tree')} not listed.")] if left else []
        if any(sample.out_of_bag for sample in samples.trees):
            blocks += [Heading("Out-of-bag votes"), self._vote_table(), *self._error_blocks()]
        return Document((f"A forest of {size}", rows), tuple(blocks), STAGES)

    def _how_drawn(self) -> str:
        samples = self.samples
        drawn = int(samples.trees[0].times.sum())
        again = "with replacement" if samples.trees[0].times.max() > 1 else "once each"
        words = f"Each tree is grown from {plural(drawn, 'row')} drawn {again}."
        if samples.trees[0].out_of_bag == [] and samples.trees[0].times.max() <= 1:
            words = "Each tree is grown from all rows."
        total = len(samples.schema.columns)
        if samples.max_features < total:
            words += f" Each node draws {samples.max_features} of the {total} columns."
        return words

    def _tree_tables(self) -> list[Block]:
        """Return the rows of each tree, and the columns that its root drew."""
        names = self.samples.schema.names
        numbers = self._numbers()[:MAX_TREES]
        trees = [self.samples.trees[number] for number in numbers]
        number = Column("tree", tuple(Number(str(n)) for n in numbers), values=tuple(numbers))
        bags = tuple(Name(self._rows(sample.out_of_bag), "sample") for sample in trees)
        rows = tuple(_drawn(sample, self) for sample in trees)
        table = [number, Column("rows drawn", rows, left=True)]
        if any(sample.out_of_bag for sample in trees):
            table.append(Column("out of bag", bags, left=True))
        tables: list[Block] = [Table(tuple(table), key="trees")]
        roots = [sample.columns[0] for sample in trees if sample.columns]
        if len(roots) == len(trees):
            drawn = (", ".join(NAMES.name(names[i]) for i in root.drawn) for root in roots)
            chosen = (NAMES.name(names[root.chosen]) for root in roots)
            columns = (
                number,
                Column("columns drawn for the root", tuple(drawn), left=True),
                Column("chosen", tuple(chosen), left=True),
            )
            tables.append(Table(columns))
        return tables

    def _vote_table(self) -> Table:
        samples = self.samples
        rows = range(min(len(samples.rows.target), MAX_ROWS))
        votes = [samples.tree_votes(row) for row in rows]
        columns = [
            Column("row", tuple(Number(count(self._row(row))) for row in rows)),
            Column(
                "actual",
                tuple(self._cell(float(samples.rows.target[row])) for row in rows),
                left=True,
            ),
            Column(
                "trees",
                tuple(", ".join(str(tree) for tree, _ in each) for each in votes),
                left=True,
            ),
        ]
        for code, name in enumerate(samples.schema.classes):
            counts = [sum(vote == code for _, vote in each) for each in votes]
            cells = tuple(Number(str(n), "votes", float(n)) for n in counts)
            columns.append(Column(NAMES.level(name, 12), cells))
        predictions: list[Cell] = []
        for row in rows:
            each = samples.predictions[row]
            predictions.append(None if each is None else self._hidden(each))
        columns.append(Column("prediction", tuple(predictions), left=True))
        return Table(tuple(columns), key="votes")

    def _error_blocks(self) -> list[Block]:
        """Return the out-of-bag error; for classes as a fraction of the rows that have votes."""
        samples = self.samples
        if samples.error is None:
            return []
        known = [row for row, each in enumerate(samples.predictions) if each is not None]
        blocks: list[Block] = []
        without = len(samples.predictions) - len(known)
        if without:
            were = "is" if without == 1 else "are"
            blocks.append(
                Text(f"{plural(without, 'row')} {were} in every sample and have no vote.")
            )
        result = self._number("error", samples.error)
        if not samples.schema.classes:
            return [*blocks, Equations((("mean squared error", Equation((result,))),))]
        total = float(samples.rows.weights[known].sum())
        top, bottom = weights([round(samples.error * total, 9), total])
        ratio = Ratio(top, bottom, "error")
        blocks.append(Equations((("out-of-bag error", Equation((ratio, result))),)))
        mean = "A row's prediction is the class with the highest mean probability of its trees."
        return [*blocks, Text(mean)]

    def _tree_page(self, number: int) -> Document:
        sample, names = self.samples.trees[number], self.samples.schema.names
        blocks: list[Block] = [
            Text(("Rows drawn: ", _drawn(sample, self))),
            Text(("Out of bag: ", Name(self._rows(sample.out_of_bag) or "none", "sample"))),
        ]
        nodes = sample.columns[:MAX_NODES]
        if nodes:
            columns = (
                Column("node", tuple(Name(f"#{node.node}") for node in nodes), left=True),
                Column(
                    "columns drawn",
                    tuple(", ".join(NAMES.name(names[i]) for i in node.drawn) for node in nodes),
                    left=True,
                ),
                Column("chosen", tuple(NAMES.name(names[n.chosen]) for n in nodes), left=True),
            )
            blocks.append(Table(columns, key="nodes"))
            most = self.samples.max_features
            if any(len(node.drawn) > most for node in nodes):
                blocks.append(
                    Text(f"A node draws more than {most} where the first do not separate its rows.")
                )
        blocks += [Heading("The tree"), Verbatim(self.drawing)] if self.drawing else []
        title = f"Tree {number} (of 0 to {len(self.samples.trees) - 1})"
        return Document((title,), tuple(blocks), STAGES)

    # ---- names and numbers

    def _numbers(self) -> list[int]:
        return list(range(len(self.samples.trees))) if self.tree is None else [self.tree]

    def _row(self, row: int) -> int:
        """Return the number of a row in the table, counted from 1."""
        return int(self.samples.index[row]) + 1

    def _rows(self, rows: list[int]) -> str:
        listed = ", ".join(str(self._row(row)) for row in rows[:MAX_ROWS])
        return listed + (f", … {len(rows) - MAX_ROWS} more" if len(rows) > MAX_ROWS else "")

    def _level(self, value: float) -> Level:
        classes = self.samples.schema.classes
        return classes[int(value)] if classes else float(value)

    def _cell(self, value: float) -> Cell:
        if self.samples.schema.classes:
            return NAMES.level(self._level(value), 20)
        return self._number("", value)

    def _hidden(self, value: float) -> Cell:
        if self.samples.schema.classes:
            return Name(NAMES.level(self._level(value), 20), "error")
        return self._number("error", value)


def _drawn(sample: TreeSample, work: ForestWork) -> str:
    """Write the drawn rows, each with how often where that is more than once."""
    drawn = [
        str(work._row(row)) if n == 1 else f"{work._row(row)} (×{n})"
        for row, n in enumerate(sample.times.tolist())
        if n
    ]
    more = [f"… {len(drawn) - MAX_ROWS} more"] if len(drawn) > MAX_ROWS else []
    return ", ".join([*drawn[:MAX_ROWS], *more])


def forest_work(
    model: Any, tree: int | None, X: Any, y: Any, sample_weight: Any, **page: Any
) -> ForestWork:
    """Return what a forest, or one of its trees, was grown from."""
    samples = forest_samples(model, X, y, sample_weight)
    if tree is None:
        return ForestWork(samples, **page)
    from treewright._show import show

    last = len(samples.trees) - 1
    number = check_integer("tree", tree, minimum=0, maximum=last)
    drawing = show(model.estimators_[number], width=TREE_WIDTH, ascii=False).text(StringIO())
    return ForestWork(samples, number, drawing, **page)
