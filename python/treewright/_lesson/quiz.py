"""Screen 12 of a lesson as data: every number that a student can fill in, and what counts as right."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from treewright._lesson.node_steps import NodeSteps
from treewright._lesson.text_tables import say, screen
from treewright._lesson.training import Training, Values
from treewright._render.formula import Equation
from treewright._render.formula_values import formula_values
from treewright._work.lecture_rounding import Rounding
from treewright._work.node_model import Split
from treewright._work.split_formulas import SplitFormulas

__all__ = ["quiz_screen"]

TOLERANCE = 0.005
MAX_NODES = 12  # of a large tree, the first ones: nobody calculates more by hand
MODES = ("exact", "lecture", "truncate")


def quiz_screen(training: Training, steps: list[NodeSteps]) -> Values | None:
    """Return screen 12; None where no node has candidates."""
    asked = [step for step in steps if step.splits][:MAX_NODES]
    blanks = [blank for step in asked for blank in _Blanks(training, step).all()]
    if not blanks:
        return None
    sentences = [say("quiz.what"), say("quiz.tolerance", tolerance=f"{_tolerance(training):g}")]
    return screen("quiz", sentences, blanks=blanks)


def _tolerance(training: Training) -> float:
    """Return by how much a number may differ: half of the last printed digit, and at least 0.005."""
    return max(TOLERANCE, 0.5 * 10.0**-training.rounding.digits)


@dataclass(frozen=True, slots=True)
class _Blank:
    """One number to be filled in."""

    quantity: str
    stage: str
    question: Values
    value: float
    texts: list[str]  # as each way of rounding prints it
    formula: Equation
    feature: int | None = None
    branch: int | None = None

    def values(self, training: Training, node: int) -> Values:
        """Return the blank as plain values."""
        parts = [f"n{node}", *([] if self.feature is None else [f"f{self.feature}"])]
        parts += [] if self.branch is None else [f"b{self.branch}"]
        return {
            "id": ".".join([*parts, self.quantity]),
            "node": node,
            "feature": self.feature,
            "branch": self.branch,
            "quantity": self.quantity,
            "stage": self.stage,
            "question": self.question,
            "expected": self.value,
            "text": self.texts[MODES.index(training.rounding.mode)],
            "tolerance": _tolerance(training),
            "also": sorted({float(Fraction(text.replace(",", ""))) for text in self.texts}),
            "formula": formula_values(self.formula),
        }


class _Blanks:
    """The blanks of one node."""

    def __init__(self, training: Training, step: NodeSteps) -> None:
        self.training, self.step, self.node = training, step, step.node
        work = step.work
        about = (work.criterion, work.unit, work.group, step.words.order)
        digits = training.rounding.digits
        self.ways = [SplitFormulas(*about, Rounding(digits, mode)) for mode in MODES]
        self.criterion = training.criterion.key

    def all(self) -> list[Values]:
        """Return the blanks in the order in which they are calculated."""
        places = self.training.places
        splits = sorted(self.step.splits, key=lambda split: places[split.column])
        blanks = [self._impurity()]
        for split in splits:
            blanks += [*self._branches(split), *self._results(split)]
        return [*(blank.values(self.training, self.node) for blank in blanks), self._choice()]

    def _impurity(self) -> _Blank:
        group = self.step.work.group
        texts = [way.impurity(group).text for way in self.ways]
        question = say(f"quiz.impurity.{self.criterion}", node=f"#{self.node}")
        formula = self.step.impurity_formula()
        return _Blank("impurity", "entropy", question, group.impurity, texts, formula)

    def _branches(self, split: Split) -> list[_Blank]:
        step, key = self.step, f"quiz.branch.{self.criterion}"
        feature = self.training.places[split.column]
        blanks = []
        for place, group in enumerate(split.groups):
            question = say(key, column=split.column, branch=step.branch_name(split, group))
            texts = [way.impurity(group).text for way in self.ways]
            formula = step.branch_formula(split, group)
            about = ("branch_impurity", "entropy", question, group.impurity)
            blanks.append(_Blank(*about, texts, formula, feature, place))
        return blanks

    def _results(self, split: Split) -> list[_Blank]:
        """Return the numbers of a whole candidate."""
        key, formulas = self.criterion, self.step.formulas
        feature = self.training.places[split.column]
        texts = [way.remaining(split).text for way in self.ways]
        question = say(f"quiz.remaining.{key}", column=split.column)
        about = ("remaining", "remainder", question, split.remaining, texts)
        blanks = [_Blank(*about, self.step.remaining_formula(split), feature)]
        results = [("gain", "gain", "gain", f"quiz.gain.{key}", split.gain)]
        if self.training.method.by == "gain ratio" and split.ratio is not None:
            info, name = split.split_info or 0.0, "split_information"
            results.append((name, "ratio", "information", f"quiz.{name}", info))
            results.append(("gain_ratio", "ratio", "ratio", "quiz.gain_ratio", split.ratio))
        for quantity, stage, name, text, value in results:
            equations: list[Equation] = [getattr(way, name)(split) for way in self.ways]
            texts = [each.result.text for each in equations if each.result is not None]
            question = say(text, column=split.column)
            formula = getattr(formulas, name)(split)
            blanks.append(_Blank(quantity, stage, question, value, texts, formula, feature))
        return blanks

    def _choice(self) -> Values:
        own = self.step.work.own
        right = list(own.tied) or ([] if own.chosen is None else [own.chosen])
        places = sorted(self.training.places[name] for name in right)
        names = self.training.tree.schema.names
        return {
            "id": f"n{self.node}.choice",
            "node": self.node,
            "feature": None,
            "branch": None,
            "quantity": "choice",
            "stage": "choice",
            "question": say("quiz.choice", algorithm=own.algorithm),
            "expected": places,
            "text": ", ".join(names[place] for place in places),
            "tolerance": 0.0,
            "also": [],
            "formula": None,
        }
