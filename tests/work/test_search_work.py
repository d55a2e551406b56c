"""The work of a node of an optimal tree."""

from __future__ import annotations

from treewright import OptimalTreeClassifier, OptimalTreeRegressor, datasets, work


def test_errors_below_a_split_add_up() -> None:
    clf = OptimalTreeClassifier(2).fit(*datasets.play_tennis())
    page = work(clf)
    assert page.errors == 5
    assert page.tree_errors == clf.errors_ == sum(b.tree_errors for b in page.branches)
    text = " ".join(str(page).split())
    assert "As a leaf, this node has errors: 5." in text
    assert "No tree with 2 more splits on a path has fewer errors on these rows" in text
    leaf = work(clf, clf.tree_.n_nodes - 1)
    assert leaf.test == ""
    assert work(clf, "all").to_dict()


def test_a_tree_of_numbers_and_one_without_proof() -> None:
    reg = OptimalTreeRegressor(1).fit([[0], [1], [1]], [1.0, 2.0, 4.0])
    assert "squared error" in str(work(reg))
    reg.proven_ = False
    assert "did not end" in str(work(reg))
