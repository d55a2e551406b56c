"""A model as PMML 4.4: a ``TreeModel`` whose nodes are the arms of the tree's questions.

A walk without a way on stops and answers (``noTrueChildStrategy="returnLastPrediction"``).

The standard divides a row with ``missingValueStrategy="weightedConfidence"``, and leaves open who wins a tie of such a
row; programs that read PMML follow it in part or not at all. So a tree that divides rows is written only as the caller
chooses: ``weighted``, as the standard says, or ``null``, without an answer for such rows.

What PMML has no word for is refused: several trees, a tree that divides some rows and directs others, surrogates for
levels that a node never saw, and costs of rows that are divided.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from xml.sax.saxutils import XMLGenerator
from xml.sax.xmlreader import AttributesImpl

import numpy as np

from treewright import _core
from treewright.errors import UsageError
from treewright.exports.names import no_text_of_xml, refuse_texts
from treewright.exports.sums import Sum, refuse
from treewright.paths.arms import DIVIDED, Above, Among, Arm, Arms, AtMost, Missing, Test
from treewright.schema import Column, Level, label

__all__ = ["write"]

DIVIDE = ("null", "weighted")
SPACE = "http://www.dmg.org/PMML-4_4"


def write(model: Sum, *, divided: str | None = None) -> str:
    """Return the document."""
    if divided not in (None, *DIVIDE):
        raise UsageError(
            f"divided must be one of {', '.join(DIVIDE)}; got {divided!r}", slug="usage"
        )
    _refuse(model, divided)
    text = io.StringIO()
    _Document(model, XMLGenerator(text, "utf-8", short_empty_elements=True), divided).write()
    return text.getvalue()


def _refuse(model: Sum, divided: str | None) -> None:
    schema = model.schema
    if len(model.trees) > 1:
        raise refuse("PMML", f"it has {len(model.trees)} trees", "each can be exported alone")
    [arms] = model.trees
    tree = arms.tree
    if arms.divides and divided is None:
        raise refuse(
            "PMML",
            "it divides rows with missing values among branches, and programs that read PMML disagree on such rows",
            'try: divided="null"       (they get no answer)',
            ' or: divided="weighted"   (as the standard says, for programs that follow it)',
        )
    missing = tree.missing[tree.n_children > 0]
    if arms.divides and not np.all(missing == _core.SHARE):
        raise refuse("PMML", "it divides rows at some questions only")
    if divided == "weighted" and arms.divides:
        if not _adds_up(arms):
            raise refuse("PMML", "it divides rows by weights that do not add up")
        if schema.costs:
            raise refuse("PMML", "mistakes have costs and rows are divided")
        if not schema.classes:
            raise refuse("PMML", "it predicts numbers and divides rows")
    if arms.substitutes and arms.skips:
        raise refuse("PMML", "a level that a question never saw is left to its surrogates")
    texts = [*schema.names, *(level for c in schema.columns for level in c.levels), *schema.classes]
    refuse_texts("PMML", (label(text) for text in texts), no_text_of_xml)
    if "" in schema.names:
        raise refuse("PMML", "a column has no name")


def _adds_up(arms: Arms) -> bool:
    """Whether the children of each node have its weight: PMML divides rows by the weights of the children alone."""
    tree = arms.tree
    children = np.bincount(tree.parents[1:], weights=tree.weight[1:], minlength=tree.n_nodes)
    branches = tree.n_children > 0
    return bool(np.allclose(children[branches], tree.weight[branches], rtol=1e-9))


class _Document:
    """One document in the making."""

    def __init__(self, model: Sum, xml: XMLGenerator, divided: str | None) -> None:
        self.model, self.schema, self.xml, self.divided = model, model.schema, xml, divided
        [self.arms] = model.trees
        self.tree = self.arms.tree
        taken = set(self.schema.names)
        self.target = self.schema.target or "prediction"
        while self.target in taken:
            self.target += "_"

    def write(self) -> None:
        """Write everything."""
        self.xml.startDocument()
        self.open("PMML", xmlns=SPACE, version="4.4")
        self.open("Header", description=self.model.title)
        self.empty("Application", name="treewright", version=_core.__version__)
        self.close("Header")
        self.open("DataDictionary", numberOfFields=str(len(self.schema.columns) + 1))
        for column in self.schema.columns:
            # Levels that are numbers stay numbers, which every evaluator compares in the same way; only where rows are
            # divided must a number that is no level be told from the others.
            kept = (
                column.levels if self.arms.divides or _data_type(column.levels) != "double" else ()
            )
            self.field(column.name, kept or None)
        self.field(self.target, self.schema.classes or None)
        self.close("DataDictionary")
        self.tree_model()
        self.close("PMML")
        self.xml.endDocument()

    def field(self, name: str, levels: tuple[Level, ...] | None) -> None:
        """Describe a column or the target."""
        if levels is None:
            self.empty("DataField", name=name, optype="continuous", dataType="double")
            return
        self.open("DataField", name=name, optype="categorical", dataType=_data_type(levels))
        for level in levels:
            self.empty("Value", value=_value(level))
        self.close("DataField")

    def tree_model(self) -> None:
        """Write the model itself."""
        divides, picks = self.arms.divides, self.arms.substitutes
        self.open(
            "TreeModel",
            functionName="classification" if self.schema.classes else "regression",
            splitCharacteristic="multiSplit",
            missingValueStrategy=self.strategy(),
            noTrueChildStrategy="returnLastPrediction",
        )
        self.open("MiningSchema")
        # A value never seen is as good as missing where rows are divided or have surrogates; elsewhere no test holds.
        unseen = "asMissing" if divides or picks else "asIs"
        for name in self.schema.names:
            self.empty("MiningField", name=name, invalidValueTreatment=unseen)
        self.empty("MiningField", name=self.target, usageType="target")
        self.close("MiningSchema")
        self.nodes()
        self.close("TreeModel")

    def strategy(self) -> str:
        """Return what happens where a predicate is unknown."""
        if self.arms.divides:
            return "weightedConfidence" if self.divided == "weighted" else "nullPrediction"
        # With surrogates none ever is: they end in True or False.
        return "lastPrediction" if self.arms.substitutes else "none"

    def nodes(self) -> None:
        """Write the nodes from a list of what is still to come: a tree may be deeper than any stack."""
        waiting: list[tuple[int, tuple[Arm, ...] | None]] = [(0, (Arm((), 0),))]
        while waiting:
            node, ways = waiting.pop()
            if ways is None:
                self.close("Node")
                continue
            self.node(node, ways)
            waiting.append((node, None))
            if self.tree.n_children[node]:
                waiting += reversed(list(self.children(node)))

    def children(self, node: int) -> Iterator[tuple[int, tuple[Arm, ...]]]:
        """Give the children of a node, each with the arms that lead there; a walk that stops needs no node."""
        ways: dict[int, list[Arm]] = {}
        for arm in self.arms.of(node):
            if arm.goes == DIVIDED:
                # A child that no level leads to has its share of divided rows all the same.
                first = int(self.tree.first_child[node])
                for child in range(first, first + int(self.tree.n_children[node])):
                    never = Arm((Among(int(self.tree.feature[node]), ()),), child)
                    ways.setdefault(child, [never])
            elif arm.goes != node:
                ways.setdefault(arm.goes, []).append(arm)
        return ((child, tuple(arms)) for child, arms in ways.items())

    def node(self, node: int, ways: tuple[Arm, ...]) -> None:
        """Open a node: its answer, the predicate that leads to it, and what it knows of the classes."""
        tree = self.tree
        self.open(
            "Node",
            id=str(node),
            score=_value(tree.answer(node)),
            recordCount=_number(tree.weight[node]),
        )
        self.predicate(node, ways)
        if not self.schema.classes:
            return
        weights = tree.class_weights(node)
        for k, c in enumerate(self.schema.classes):
            self.empty(
                "ScoreDistribution",
                value=_value(c),
                recordCount=_number(weights[k]),
                confidence=_number(tree.value[node, k]),
            )

    def predicate(self, node: int, ways: tuple[Arm, ...]) -> None:
        """Write what must hold to come to a node."""
        parent = int(self.tree.parents[node])
        if len(ways) > 1 or (parent >= 0 and self.arms.substitutes):
            self.surrogates(parent, node)
            return
        tests = ways[0].tests
        if not tests:
            self.empty("True")
        elif len(tests) == 1:
            self.test(tests[0])
        else:
            self.open("CompoundPredicate", booleanOperator="or")
            for test in tests:
                self.test(test)
            self.close("CompoundPredicate")

    def surrogates(self, parent: int, node: int) -> None:
        """Write one side of a question with surrogates: the first one that is known decides."""
        asked = self.arms.of(parent)
        self.open("CompoundPredicate", booleanOperator="surrogate")
        seen: set[int] = set()
        for arm in asked[:-1]:
            feature = arm.tests[0].feature
            here = [
                a for a in asked if a.goes == node and a.tests and a.tests[0].feature == feature
            ]
            if feature not in seen:
                seen.add(feature)
                self.test(here[0].tests[0] if here else _never(arm.tests[0]))
        self.empty("True" if asked[-1].goes == node else "False")
        self.close("CompoundPredicate")

    def test(self, test: Test) -> None:
        """Write one test."""
        column = self.schema.columns[test.feature]
        match test:
            case AtMost(cut=cut):
                self.simple(column.name, "lessOrEqual", _number(cut))
            case Above(cut=cut):
                self.simple(column.name, "greaterThan", _number(cut))
            case Among(codes=(code,)):
                self.simple(column.name, "equal", _value(column.levels[code]))
            case Among(codes=codes):
                self.among(column, [_value(column.levels[code]) for code in codes])
            case Missing():
                self.empty("SimplePredicate", field=column.name, operator="isMissing")

    def simple(self, name: str, operator: str, value: str) -> None:
        """Write a comparison."""
        self.empty("SimplePredicate", field=name, operator=operator, value=value)

    def among(self, column: Column, values: list[str]) -> None:
        """Write a set of levels: plain words as an array; other arrays are read differently by different programs."""
        is_text = _data_type(column.levels) == "string"
        if not values or (is_text and all(re.fullmatch(r"[\w.+-]+", v) for v in values)):
            self.open("SimpleSetPredicate", field=column.name, booleanOperator="isIn")
            self.open("Array", type="string" if is_text else "real", n=str(len(values)))
            self.xml.characters(" ".join(values))
            self.close("Array")
            self.close("SimpleSetPredicate")
            return
        self.open("CompoundPredicate", booleanOperator="or")
        for value in values:
            self.simple(column.name, "equal", value)
        self.close("CompoundPredicate")

    def open(self, word: str, **attributes: str) -> None:
        """Begin an element."""
        self.xml.startElement(word, AttributesImpl(attributes))

    def close(self, word: str) -> None:
        """End an element, and its line."""
        self.xml.endElement(word)
        self.xml.ignorableWhitespace("\n")

    def empty(self, word: str, **attributes: str) -> None:
        """Write an element without content."""
        self.open(word, **attributes)
        self.close(word)


def _never(test: Test) -> Test:
    """Return a test of the same column that never holds, and is unknown where the value is."""
    return Among(test.feature, ()) if isinstance(test, Among) else test


def _data_type(levels: tuple[Level, ...]) -> str:
    if any(isinstance(level, str) for level in levels):
        return "string"
    kinds = {type(level) for level in levels}
    return "boolean" if kinds == {bool} else "integer" if kinds == {int} else "double"


def _value(level: Level) -> str:
    if isinstance(level, bool):
        return "true" if level else "false"
    return str(level) if isinstance(level, (str, int)) else _number(level)


def _number(x: float) -> str:
    return repr(float(x))
