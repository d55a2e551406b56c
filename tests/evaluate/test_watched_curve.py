"""Progress of a complexity curve, and the penalties at which nodes become leaves."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from treewright import CARTClassifier, complexity_curve, datasets, pruning_path


def test_folds_are_watched() -> None:
    seen: list[int] = []

    def watch(parts: Iterable[Any], number: int) -> Iterator[Any]:
        for i, part in enumerate(parts):
            seen.append(number - i)
            yield part

    X, y = datasets.iris()
    watched = complexity_curve(CARTClassifier(), X, y, cv=5, watch=watch)
    assert seen == [5, 4, 3, 2, 1]
    assert watched.to_dict() == complexity_curve(CARTClassifier(), X, y, cv=5).to_dict()


def test_what_the_watcher_raises_stops_the_curve() -> None:
    def watch(parts: Iterable[Any], number: int) -> Iterator[Any]:
        yield from ()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        complexity_curve(CARTClassifier(), *datasets.iris(), cv=3, watch=watch)


def test_links_are_data() -> None:
    model = CARTClassifier().fit(*datasets.iris())
    path = pruning_path(model)
    links = path.to_dict()["link"]
    assert len(links) == model.tree_.n_nodes
    assert [link is None for link in links] == (model.tree_.n_children == 0).tolist()
    assert json.loads(json.dumps(links, allow_nan=False)) == links
    alpha = path.alpha[1]
    leaves = {node for node, link in enumerate(links) if link is not None and link <= alpha}
    assert set(path.nodes(alpha).tolist()) == leaves
