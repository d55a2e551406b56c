"""The search for optimal trees in the native module: what it takes, tells, and keeps when it is stopped."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

import numpy as np
import pytest
from numpy.typing import NDArray

from treewright import _core


def random_table(
    rows: int, columns: int, seed: int = 0
) -> tuple[NDArray[np.uint8], NDArray[np.uint32]]:
    numbers = np.random.default_rng(seed)
    cells = numbers.integers(0, 2, (rows, columns), dtype=np.uint8)
    return cells, numbers.integers(0, 2, rows).astype(np.uint32)


def predict(tree: _core.OptimalTree, cells: NDArray[np.uint8]) -> NDArray[np.float64]:
    nodes = np.zeros(len(cells), dtype=np.intp)
    while (inner := tree.feature[nodes] >= 0).any():
        value = cells[np.arange(len(cells)), np.maximum(tree.feature[nodes], 0)]
        children = np.where(value <= tree.cut[nodes], tree.left[nodes], tree.right[nodes])
        nodes = np.where(inner, children, nodes)
    return tree.value[nodes]


def test_any_layout_of_the_cells_gives_the_same_tree() -> None:
    cells, target = random_table(60, 9)
    strided = np.zeros((120, 18), dtype=np.uint8)[::2, ::2]
    strided[:] = cells
    layouts = [cells, np.asfortranarray(cells), strided, cells * 7]
    trees = [_core.optimal_tree(layout, target, 2, 3) for layout in layouts]
    for tree in trees:
        assert tree.proven
        assert (
            tree.lower_bound == tree.cost == tree.errors == (predict(tree, cells) != target).sum()
        )
        for name in ("feature", "cut", "left", "right", "value"):
            assert getattr(tree, name).tolist() == getattr(trees[0], name).tolist()


@pytest.mark.parametrize("shape", [(1, 1), (5, 63), (7, 64), (3, 65), (2, 130)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_packed_table_has_the_cells_of_the_array(shape: tuple[int, int], dtype: type) -> None:
    cells = np.random.default_rng(1).integers(0, 2, shape).astype(dtype)
    cells[0, 0] = -0.0
    doubled = np.repeat(np.repeat(cells, 2, axis=0), 2, axis=1)
    for layout in (cells, np.asfortranarray(cells), doubled[::2, ::2], cells[::-1, ::-1]):
        matrix = _core.Matrix(layout)
        assert matrix.bits
        table = _core.BitTable(matrix)
        assert table.shape == shape
        assert (table.to_array() == layout).all()
        assert all((table.column(i) == layout[:, i]).all() for i in range(shape[1]))
    with pytest.raises(ValueError, match="no such column"):
        table.column(shape[1])


@pytest.mark.parametrize("other", [2.0, 0.5, -1.0, np.nan, np.inf])
def test_other_numbers_are_not_bits(other: float) -> None:
    cells = np.zeros((3, 2))
    cells[1, 1] = other
    assert not _core.Matrix(cells).bits


def test_progress_is_told_while_the_search_runs_and_kept() -> None:
    cells, target = random_table(200, 30)
    told: list[tuple[float, float, float]] = []
    tree = _core.optimal_tree(
        cells, target, 2, 5, time_limit=0.2, progress=lambda *step: told.append(step)
    )
    assert told == tree.progress
    assert (told[-1][1], told[-1][2]) == (tree.cost, tree.lower_bound)
    assert [best for _, best, _ in told] == sorted((best for _, best, _ in told), reverse=True)
    assert [bound for _, _, bound in told] == sorted(bound for _, _, bound in told)
    assert (predict(tree, cells) != target).sum() == tree.errors


def test_what_a_callback_raises_ends_the_search() -> None:
    cells, target = random_table(400, 60)

    def refuse(*_: float) -> None:
        raise LookupError("enough")

    start = time.perf_counter()
    with pytest.raises(LookupError, match="enough"):
        _core.optimal_tree(cells, target, 2, 8, progress=refuse, time_limit=30)
    assert time.perf_counter() - start < 10


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot send itself SIGINT there")
def test_ctrl_c_keeps_the_best_tree_so_far() -> None:
    cells, target = random_table(4_000, 60)
    # A shell without job control starts its background programs with SIGINT ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        tree = _core.optimal_tree(cells, target, 2, 8, time_limit=30)
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)
    assert tree.interrupted
    assert not tree.proven
    assert tree.lower_bound < tree.cost == (predict(tree, cells) != target).sum()
    assert tree.seconds < 10


def test_values_that_do_not_fit_together_are_refused() -> None:
    cells, target = random_table(20, 3)
    weights = np.ones(3, dtype=np.uint32)
    for call, words in (
        (lambda: _core.optimal_tree(cells, target[1:], 2, 2), "differ in length"),
        (lambda: _core.optimal_tree(cells, target, 1, 2), "not a class"),
        (lambda: _core.optimal_tree(cells, target, 2, 2, weights=weights), "differ in length"),
        (lambda: _core.optimal_tree(cells, target, 2, 2, leaf_cost=float("nan")), "cost of a leaf"),
        (lambda: _core.optimal_tree(cells, target, 2, 2, time_limit=-1.0), "time_limit"),
        (lambda: _core.optimal_tree(cells, target, 2, 31), "the most is 30"),
        (lambda: _core.optimal_tree(cells[:0], target[:0], 2, 2), "no rows"),
    ):
        with pytest.raises(ValueError, match=words):
            call()
