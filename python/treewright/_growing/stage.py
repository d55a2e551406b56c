"""An unfinished tree: its nodes, what each of them is, and what an action makes of it.

Nodes are numbered in the order in which they were made, so a number stays while the tree grows. Where a subtree is
dropped, later numbers close up. A finished tree is numbered as `fit` numbers it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from treewright import _core
from treewright._growing.prepared_rows import Prepared
from treewright._learners.trees.hand_marks import Marks
from treewright._learners.trees.training_record import TrainingRecord, original_nodes
from treewright._pruning.trace import PruneTrace
from treewright.tree import Tree

__all__ = ["BY_HAND", "OPEN", "PRUNED", "SPLIT", "Stage", "act", "first_stage", "prune_stage"]

# What a node may be, besides the reasons of the core for a leaf.
SPLIT, OPEN, BY_HAND, PRUNED = "split", "open", "by_hand", "pruned"
# A node, what happens there, and for questions the column, the threshold, and the branch of each category.
Action = tuple[int, str, int | None, float | None, list[int] | None]


@dataclass(frozen=True, eq=False)
class Stage:
    """A tree between two actions."""

    forest: _core.Forest
    states: tuple[str, ...]  # "split", "open", or why the node is a leaf
    by_hand: frozenset[int] = frozenset()  # nodes whose question is not the choice of the algorithm
    pruning: PruneTrace | None = None
    is_pruned: bool = False  # by the learner's own pruning, and not changed since

    @property
    def open(self) -> list[int]:
        """The nodes that can be split."""
        return [node for node, state in enumerate(self.states) if state == OPEN]

    def marks(self, prepared: Prepared) -> Marks:
        """Return what was decided by hand, by node."""
        marks = dict.fromkeys(sorted(self.by_hand), "split")
        for node, state in enumerate(self.states):
            if state in (BY_HAND, OPEN):
                marks[node] = "leaf" if state == BY_HAND else "open"
        if prepared.prunes and not self.is_pruned and 0 not in marks:
            marks[0] = "unpruned"
        return dict(sorted(marks.items()))

    def fitted(self, prepared: Prepared, *, finished: bool) -> Any:
        """Return a fitted model of the tree; ``finished`` numbers its nodes as a fit does."""
        model = object.__new__(type(prepared.model))
        model.__dict__.update(prepared.model.__dict__)
        marks, schema = self.marks(prepared), prepared.data.schema
        model._forest = self.forest
        record: TrainingRecord | None = prepared.record
        if finished:
            model._forest, record = prepared.hand.finish(self.forest, False), prepared.kept
            was = original_nodes(Tree(self.forest, 0, schema), Tree(model._forest, 0, schema))
            places = {old: new for new, old in enumerate(was or ())}
            marks = dict(sorted((places.get(node, node), mark) for node, mark in marks.items()))
        # What a record works out belongs to one tree, and so do the notes on thresholds.
        model._record = None if record is None else replace(record)
        model.schema_ = model._add_notes(schema, prepared.data.table)
        if marks:
            model.by_hand_ = marks
        if self.pruning is not None:
            model.pruning_ = self.pruning
        return model


def first_stage(prepared: Prepared) -> Stage:
    """Return the tree of one leaf."""
    forest, _, _, states = prepared.hand.act()
    return Stage(forest, tuple(states))


def act(prepared: Prepared, stage: Stage, actions: Sequence[Action]) -> Stage:
    """Return the tree after some actions."""
    forest, before, by_hand, states = prepared.hand.act(stage.forest, list(actions))
    acted = {action[0] for action in actions}
    kept = [None if was in acted else was for was in before]
    flags = {node for node, was in enumerate(kept) if was in stage.by_hand}
    named = [
        _state(state, None if was is None else stage.states[was], was in acted)
        for state, was in zip(states, before, strict=True)
    ]
    for node, was in enumerate(before):
        if (was, "leaf", None, None, None) in actions:
            named[node] = BY_HAND
    return Stage(forest, tuple(named), frozenset(flags | set(by_hand)))


def _state(state: str, was: str | None, acted: bool) -> str:
    """Return the state of a node: a leaf that was made by hand stays one until something happens there."""
    if was == BY_HAND and not acted and state != SPLIT:
        return BY_HAND
    return str(was) if state == "before" else state


def prune_stage(prepared: Prepared, stage: Stage) -> Stage:
    """Return the tree after the learner's own pruning."""
    model: Any = object.__new__(type(prepared.model))
    model.__dict__.update(prepared.model.__dict__)
    finished = [prepared.hand.finish(stage.forest, True)]

    def grow(data: Any, recipe: Any, columns: Any = None) -> _core.Forest:
        # The first tree is the one in hand; cross-validation grows others.
        return finished.pop() if finished else data.grow(recipe, columns)

    model.__dict__["_grow_tree"] = grow
    model.__dict__.pop("pruning_", None)
    forest = model._train(prepared.data)
    schema = prepared.data.schema
    before, after = Tree(stage.forest, 0, schema), Tree(forest, 0, schema)
    was = original_nodes(before, after) or [-1] * after.n_nodes
    reasons = prepared.hand.leaf_reasons(forest)
    states = []
    for node, old in enumerate(was):
        state = PRUNED if old < 0 or stage.states[old] == SPLIT else stage.states[old]
        state = reasons[node] or PRUNED if old < 0 else state
        states.append(SPLIT if after.n_children[node] else state)
    by_hand = frozenset(node for node, old in enumerate(was) if old in stage.by_hand)
    return Stage(forest, tuple(states), by_hand, model.__dict__.get("pruning_"), is_pruned=True)
