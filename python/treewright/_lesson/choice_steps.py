"""How a split is chosen, as data: the rule of each algorithm, its ranking, ties, and why a node is a leaf."""

from __future__ import annotations

from treewright._lesson.text_tables import Sentence, say
from treewright._lesson.training import Training, Values
from treewright._work.node_model import NodeWork
from treewright._work.split_choice import TOO_MANY_VALUES, Choice
from treewright.schema import label

__all__ = ["choice_steps", "leaf_sentence"]

# Why a candidate does not compete: the words of the package, and their codes.
LEFT_OUT = {
    "gain below average": "below_average",
    "too few rows": "too_few_rows",
    "adjusted gain not positive": "no_adjusted_gain",
    "no admissible split": "no_admissible_split",
    "all values missing": "all_missing",
    TOO_MANY_VALUES: "too_many_values",
    "no split information": "no_split_information",
    "no gain": "no_gain",
}


def choice_steps(training: Training, work: NodeWork) -> Values:
    """Return how each algorithm chooses in a node, and the sentences about the model's own choice."""
    sentences = [_rule(training, work.own)]
    if work.stop is None and work.chosen is not None:
        sentences.append(say("choice.chosen", column=work.chosen, algorithm=work.method))
    sentences += _ties(work)
    sentences += [_others(work)] if len(work.choices) > 1 else []
    return {
        "algorithms": [_algorithm(training, choice) for choice in work.choices],
        "sentences": sentences,
    }


def _algorithm(training: Training, choice: Choice) -> Values:
    places = training.places
    ranking = sorted(choice.scores.items(), key=lambda item: -item[1])
    if choice.chosen in choice.scores:  # the core decided, whatever the last digits are
        ranking.sort(key=lambda item: item[0] not in (choice.chosen, *choice.tied))
        ranking.sort(key=lambda item: item[0] != choice.chosen)
    record: Values = {
        "algorithm": choice.algorithm,
        "by": choice.by.lower().replace(" ", "_"),
        "rule": _rule(training, choice),
        "chosen": None if choice.chosen is None else places[choice.chosen],
        "tied": [places[name] for name in choice.tied],
        "ranking": [{"feature": places[name], "score": score} for name, score in ranking],
        "left_out": [
            {"feature": places[name], "reason": LEFT_OUT[why]}
            for name, why in choice.left_out.items()
        ],
    }
    if choice.average is not None:
        record |= {"average_gain": choice.average, "least_gain": choice.at_least}
        record["average_of"] = [places[name] for name in choice.average_of]
    return record


def _rule(training: Training, choice: Choice) -> Sentence:
    if choice.algorithm == "ID3":
        return say("choice.rule.id3")
    if choice.algorithm == "CART":
        what = "variance" if choice.by == "variance decrease" else "gini"
        return say(
            "choice.rule.cart.entropy" if choice.by == "gain" else f"choice.rule.cart.{what}"
        )
    if choice.by == "gain":
        return say("choice.rule.c45.gain")
    if choice.average is None or choice.at_least is None:
        return say("choice.rule.c45.none")
    numbers = {
        "least": training.number(choice.at_least),
        "average": training.number(choice.average),
    }
    return say("choice.rule.c45", **numbers, columns={"list": list(choice.average_of)})


def _ties(work: NodeWork) -> list[Sentence]:
    own = work.own
    sentences = []
    if own.tied and own.chosen is not None:
        sentences.append(say("choice.tie", columns={"list": list(own.tied)}, first=own.chosen))
    return sentences


def _others(work: NodeWork) -> Sentence:
    """Return what the algorithms would choose, by column."""
    by_column: dict[str | None, list[str]] = {}
    for choice in work.choices:
        by_column.setdefault(choice.chosen, []).append(choice.algorithm)
    if len(by_column) == 1 and work.own.chosen is not None:
        return say("choice.same", column=work.own.chosen)
    parts = {
        f"{name}_column": "–" if choice.chosen is None else choice.chosen
        for choice in work.choices
        for name in [choice.algorithm.lower().replace(".", "")]
    }
    if len(work.choices) == 3:
        return say("choice.different", **parts)
    first, second = work.choices[:2]
    return say(
        "choice.different.two",
        first=first.algorithm,
        second=second.algorithm,
        first_column=first.chosen or "–",
        second_column=second.chosen or "–",
    )


def leaf_sentence(training: Training, work: NodeWork) -> Sentence:
    """Return why a node is a leaf."""
    stop = work.stop
    assert stop is not None
    key = stop.code
    if key == "pure":
        key = "pure" if training.classes else "pure.number"
    arguments: Values = {}
    if training.classes:
        arguments["class_name"] = label(work.prediction)
    if stop.figure is not None and stop.limit is not None:
        arguments["figure"] = training.weight(stop.figure)
        if not float(stop.figure).is_integer():
            arguments["figure"] = training.number(stop.figure)
        arguments["limit"] = f"{stop.limit:g}"
    return say(f"leaf.{key}", **arguments)
