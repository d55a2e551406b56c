"""CONTRIBUTING's "Where a change goes" is complete: its steps alone make an estimator, an export, a criterion and more.

Each test copies the package, adds the files and rows that the steps name, and tries the result in a new interpreter: in
Python and on the command line.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "python" / "treewright"


class Copy:
    """A copy of the package that a test may change."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        ignore = shutil.ignore_patterns("__pycache__", "README.md")
        shutil.copytree(SOURCE, folder / "treewright", ignore=ignore)
        if not list(
            (folder / "treewright").glob("_core.*[!i]")
        ):  # the source tree of an installed package
            from treewright import _core

            shutil.copy(_core.__file__, folder / "treewright")

    def write(self, path: str, text: str) -> None:
        """Add a file."""
        place = self.folder / "treewright" / path
        assert not place.exists()
        place.parent.mkdir(exist_ok=True)
        place.write_text(text, "utf-8")

    def add_row(self, path: str, below: str, row: str) -> None:
        """Add a line below the only line with this text."""
        place = self.folder / "treewright" / path
        text = place.read_text("utf-8")
        assert text.count(below + "\n") == 1, f"{path}: {below!r} is not there once"
        place.write_text(text.replace(below + "\n", f"{below}\n{row}\n"), "utf-8")

    def run(self, *arguments: str) -> str:
        """Run Python on the copy and return what it prints."""
        environment = os.environ | {"PYTHONPATH": str(self.folder), "COLUMNS": "200"}
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr or done.stdout
        return done.stdout

    def command(self, *arguments: str) -> str:
        return self.run("-m", "treewright", *arguments)


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


def steps(change: str) -> str:
    """Return the steps of a change from the table of CONTRIBUTING."""
    section = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("\n## Where a change goes\n")[1]
    rows = dict(re.findall(r"^\| (.+?) \| (.+) \|$", section.split("\n## ")[0], re.M))
    return str(rows[change])


LEARNER = '''"""A toy: always the rarest class."""

import numpy as np

from treewright._catalog import public
from treewright._estimator.classifier import Classifier
from treewright._estimator.tree_model import TreeModel
from treewright._model.table_builder import TreeBuilder


@public
class RarestClassifier(TreeModel, Classifier):
    """Always predict the rarest class."""

    def _learn(self, table, schema, target, weights):
        counts = np.bincount(target.codes, minlength=len(target.levels)).astype(float)
        builder = TreeBuilder()
        builder.push_class((counts == counts.min()).astype(float), len(target))
        return builder.forest(schema)
'''


@pytest.mark.slow
def test_an_estimator(copy: Copy) -> None:
    copy.write("_learners/rarest.py", LEARNER)
    row = 'Learner("RarestClassifier", "_learners.rarest", "tree", {"": ("rarest", "errors")}, "rarest"),'
    copy.add_row("_catalog.py", "    for learner in (", row)
    assert "`_learners/`" in steps("add an estimator")
    assert "`_catalog.py`" in steps("add an estimator")
    printed = copy.run(
        "-c",
        "from treewright import RarestClassifier, compare, datasets, export, load, save, show\n"
        "X, y = datasets.play_tennis()\n"
        "clf = RarestClassifier().fit(X, y)\n"
        "save(clf, 'm.tree')\n"
        "print(repr(load('m.tree')), set(load('m.tree').predict(X).tolist()))\n"
        "print(show(clf).text().splitlines()[0])\n"
        "assert 'No' in export(clf, 'python')\n",
    )
    assert printed.startswith("RarestClassifier() {'No'}\n")
    assert "rarest" in printed.splitlines()[1]
    assert "rarest" in copy.command("fit", "--help")
    assert "rarest" in copy.command("fit", "play-tennis", "--algorithm", "rarest", "-o", "n.tree")
    assert set(copy.command("predict", "n.tree", "play-tennis").split()) == {"prediction", "No"}
    assert "rarest" in copy.command("compare", "play-tennis", "--algorithm", "rarest")


EXPORT = '''"""A toy: the classes of a model, one per line."""


def write(model, prefix=""):
    """Return the classes of the model."""
    return "".join(f"{prefix}{name}\\n" for name in model.schema.classes)
'''


@pytest.mark.slow
def test_an_export(copy: Copy) -> None:
    copy.write("_export/classes/__init__.py", EXPORT)
    row = '    "classes": ExportFormat((".classes",), ("prefix",)),'
    copy.add_row("_export/__init__.py", "FORMATS = {", row)
    assert "`_export/<language>/`" in steps("add an export")
    assert "`_export/__init__.py`" in steps("add an export")
    code = "from treewright import *; print(export(ID3Classifier().fit(*datasets.play_tennis()), 'classes'), end='')"
    assert copy.run("-c", code) == "No\nYes\n"
    copy.command("fit", "play-tennis", "-o", "m.tree")
    assert "classes" in copy.command("export", "--help")
    assert copy.command("export", "m.tree", "--to", "classes").split() == ["Yes", "No"]
    copy.command("export", "m.tree", "-o", "m.classes", "--prefix", "* ")
    assert (copy.folder / "m.classes").read_text("utf-8") == "* Yes\n* No\n"


TABLE = """
TABLES["coins"] = TableText(
    title="Is it heads?",
    description="Four coins.",
    source="invented",
    target="side",
    levels={"metal": ("gold", "iron"), "side": ("heads", "tails")},
    rows="metal side\\ngold heads\\ngold heads\\niron tails\\niron tails",
)
"""


@pytest.mark.slow
def test_a_built_in_table(copy: Copy) -> None:
    path = copy.folder / "treewright" / "datasets" / "_tables.py"
    path.write_text(path.read_text("utf-8") + TABLE, "utf-8")
    assert "`datasets/_tables.py`" in steps("add a built-in table")
    code = (
        "from treewright import ID3Classifier, datasets\n"
        "coins = datasets.load('coins')\n"
        "print(datasets.names()[-1], ID3Classifier().fit(coins.features, coins.labels).tree_)\n"
    )
    assert copy.run("-c", code) == "coins <Tree: 3 nodes, 2 leaves, depth 1>\n"
    assert "coins" in copy.command("data")
    assert "metal?" in copy.command("fit", "coins")


@pytest.mark.slow
def test_a_score(copy: Copy) -> None:
    row = '    Measure("kappa", "kappa", lambda score: score.metric("cohen_kappa_score")),'
    copy.add_row(
        "_evaluate/prediction_scores.py",
        '    Measure("accuracy", "accuracy", lambda score: score.accuracy),',
        row,
    )
    assert "`_evaluate/prediction_scores.py`" in steps("add a score of `eval` and `compare`")
    copy.command("fit", "play-tennis", "-o", "m.tree")
    assert re.search(r"kappa +1", copy.command("eval", "m.tree", "play-tennis"))
    copy.command("eval", "m.tree", "play-tennis", "--require", "kappa>0.9")
    assert '"kappa": 1.0' in copy.command("eval", "m.tree", "play-tennis", "--format", "json")


@pytest.mark.slow
def test_a_measure(copy: Copy) -> None:
    copy.add_row(
        "_utils/choices.py",
        'RANK_MEASURES = ("gain", "gain_ratio", "mutual_information", "gini", "chi2", "one_r")',
        'RANK_MEASURES = (*RANK_MEASURES, "n_children")',
    )
    copy.add_row(
        "selection/_measures.py",
        '    "chi2": _chi2,',
        '    "n_children": lambda split: float(len(split.children)),',
    )
    for place in ("measures/", "_utils/choices.py", "selection/_measures.py"):
        assert f"`{place}`" in steps("add a measure")
    code = (
        "from treewright import datasets, rank_columns\n"
        "print(rank_columns(*datasets.play_tennis(), by='n_children').columns[0].name)\n"
    )
    assert copy.run("-c", code).strip() in ("Outlook", "Temperature")
    assert "n-children" in copy.command("rank", "--help")
    assert "Outlook" in copy.command("rank", "play-tennis", "--by", "n-children")


CRITERION = """        Criterion(
            *("purity", "P", "purity index", "purity decrease", "decrease", "purity decrease"),
            "purity after",
            impurity=gini_of,
            term=lambda p: p * p,
            sum_of_terms=_gini_terms,
        ),"""


@pytest.mark.slow
def test_a_criterion(copy: Copy) -> None:
    """The part in Python; a test of the core grows, studies and prunes with an impurity that has no kernel."""
    copy.add_row(
        "_catalog.py",
        '        Criterion("entropy", "entropy", "entropy", "entropy", "entropy"),',
        '        Criterion("pure_rows", "gini", "pure", "purity index", "purity"),',
    )
    rows = "CRITERIA = {\n    criterion.key: criterion\n    for criterion in ("
    copy.add_row("_work/criteria.py", rows, CRITERION)
    places = ("stats/criterion.rs", "words/mod.rs", "_catalog.py", "_work/criteria.py")
    assert all(f"`{place}`" in steps("add a criterion of classes") for place in places)
    printed = copy.run(
        "-c",
        "from treewright import CARTClassifier, RandomForestClassifier, datasets, load, prune, save, show, work\n"
        "X, y = datasets.play_tennis()\n"
        "clf = CARTClassifier(criterion='pure_rows').fit(X, y)\n"
        "same = CARTClassifier().fit(X, y)\n"
        "assert (clf.tree_.cost == same.tree_.cost).all()\n"
        "save(clf, 'm.tree')\n"
        "print(show(load('m.tree')).text())\n"
        "page = str(work(clf, 0))\n"
        "assert page.replace('urity index', 'ini index') != page, page\n"
        "assert 'Purity index' in page and 'purity decrease' in page, page\n"
        "work(clf, 0, what='curves').to_dict()['nodes'][0]['purity index']\n"
        "small = prune(clf, 'pessimistic', X, y)\n"
        "assert small.tree_.n_leaves <= clf.tree_.n_leaves\n"
        "print(show(RandomForestClassifier(3, criterion='pure_rows').fit(X, y)).text().splitlines()[0])\n"
        'assert \'"gini", "entropy", "pure_rows"\' in CARTClassifier.__doc__\n',
    )
    assert "CART (purity index)" in printed
    assert "random forest (purity index)" in printed
    assert "pure" in copy.command("fit", "--help")
    told = copy.command("fit", "play-tennis", "-a", "cart", "--criterion", "pure", "-o", "n.tree")
    assert "purity index" in told
    assert "purity" in copy.command("show", "n.tree", "--style", "table")
