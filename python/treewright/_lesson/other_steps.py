"""Screen 11 of a lesson as data: nearest neighbors, AdaBoost and a forest on the same table."""

from __future__ import annotations

from typing import Any

import numpy as np

from treewright._learners.ensembles.adaboost import AdaBoostClassifier
from treewright._learners.ensembles.forests import RandomForestClassifier, RandomForestRegressor
from treewright._lesson.neighbor_steps import neighbor_steps
from treewright._lesson.text_tables import Sentence, say, screen
from treewright._lesson.training import Training, Values
from treewright._pruning.pruning_rows import read_labeled
from treewright._render.formula_values import formula_values
from treewright._web.tree_document import tree_document
from treewright._work.adaboost_replay import replay_rounds
from treewright._work.adaboost_work import RoundWork
from treewright._work.forest_samples import ForestSamples, forest_samples
from treewright.errors import TreewrightError

__all__ = ["others_screen"]

ROUNDS = 3
TREES = 5


def others_screen(training: Training) -> Values | None:
    """Return screen 11; None where none of the other algorithms can learn the table."""
    parts: Values = {}
    for name, make in (
        ("neighbors", neighbor_steps),
        ("adaboost", adaboost_steps),
        ("forest", forest_steps),
    ):
        try:
            parts[name] = make(training)
        except (TreewrightError, ValueError):
            parts[name] = None
    if not any(parts.values()):
        return None
    return screen("others", [say("others.what")], **parts)


def adaboost_steps(training: Training) -> Values | None:
    """Return the rounds of AdaBoost with stumps, and the final vote of a row."""
    if not training.classes:
        return None
    x, y, weight = training.table
    model = AdaBoostClassifier(n_estimators=ROUNDS).fit(x, y, weight)
    rows = read_labeled(model, x, y, weight)
    last = len(model.estimator_errors_) - 1
    codes = _codes(training, model)
    rounds = []
    for number, turn in enumerate(replay_rounds(model, last, rows)):
        error, alpha = (
            float(a[number]) for a in (model.estimator_errors_, model.estimator_weights_)
        )
        digits = training.rounding.digits
        work = RoundWork(number, last + 1, error, alpha, 1.0, len(codes), digits=digits)
        rounds.append(
            {
                "stump": tree_document(model.trees_[number], "gini"),
                "error": error,
                "alpha": alpha,
                "before": turn.before.tolist(),
                "prediction": [codes[code] for code in turn.predictions.tolist()],
                "wrong": (turn.losses > 0).tolist(),
                "after": turn.after.tolist(),
                "formulas": {
                    "error": formula_values(work.error_formula(turn.before[turn.losses > 0])),
                    "alpha": formula_values(work.alpha_formula()),
                },
            }
        )
    row = _split_row(rounds)
    return {
        "rounds": rounds,
        "vote": _final_vote(training, rounds, row),
        "sentences": [
            say("adaboost.weights"),
            say("adaboost.alpha"),
            say("adaboost.half"),
            say("adaboost.vote"),
        ],
    }


def _codes(training: Training, model: Any) -> list[int]:
    """Return the position among the classes of the tree of each class of another model."""
    return [training.code(level) for level in model.schema_.classes]


def _split_row(rounds: list[Values]) -> int:
    """Return the first row on which the rounds do not agree; the first row where they all do."""
    size = len(rounds[0]["prediction"])
    answers = ({turn["prediction"][row] for turn in rounds} for row in range(size))
    return next((row for row, each in enumerate(answers) if len(each) > 1), 0)


def _final_vote(training: Training, rounds: list[Values], row: int) -> Values:
    sums = [0.0] * len(training.classes)
    votes = []
    for turn in rounds:
        prediction = turn["prediction"][row]
        sums[prediction] += turn["alpha"]
        votes.append({"prediction": prediction, "alpha": turn["alpha"]})
    best = max(range(len(sums)), key=lambda code: (sums[code], -code))
    return {"row": row, "rounds": votes, "sums": sums, "prediction": best}


def forest_steps(training: Training) -> Values:
    """Return the samples of a small forest, and the out-of-bag votes of the rows."""
    x, y, weight = training.table
    make = RandomForestClassifier if training.classes else RandomForestRegressor
    most = max(1, round(float(np.sqrt(len(training.places)))))
    model = make(n_estimators=TREES, max_features=most).fit(x, y, weight)
    samples = forest_samples(model, x, y, weight)
    criterion = "gini" if training.classes else "variance"
    codes = _codes(training, model) if training.classes else None
    return {
        "trees": [
            {
                "tree": tree_document(sample.tree, criterion),
                "drawn": sample.times.tolist(),
                "out_of_bag": sample.out_of_bag,
                "columns": [
                    {"node": node.node, "drawn": list(node.drawn), "chosen": node.chosen}
                    for node in sample.columns
                ],
            }
            for sample in samples.trees
        ],
        "max_features": samples.max_features,
        "votes": [_forest_votes(samples, row, codes) for row in range(len(samples.index))],
        "error": samples.error,
        "sentences": _forest_sentences(training, samples),
    }


def _forest_votes(samples: ForestSamples, row: int, codes: list[int] | None) -> Values:
    def answer(value: float) -> float:
        return value if codes is None else codes[int(value)]

    prediction = samples.predictions[row]
    votes = [{"tree": tree, "prediction": answer(each)} for tree, each in samples.tree_votes(row)]
    correct = None
    if codes is not None and prediction is not None:
        correct = bool(prediction == samples.rows.target[row])
    return {
        "row": int(samples.index[row]),
        "trees": votes,
        "prediction": None if prediction is None else answer(prediction),
        "correct": correct,
    }


def _forest_sentences(training: Training, samples: ForestSamples) -> list[Sentence]:
    sentences = [
        say("forest.rows", trees=len(samples.trees)),
        say("forest.columns", n=samples.max_features, columns=len(training.places)),
        say("forest.out_of_bag"),
    ]
    if samples.error is not None:
        key = "forest.error" if training.classes else "forest.error.number"
        sentences.append(say(key, error=training.number(samples.error)))
    return sentences
