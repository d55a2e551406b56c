"""The splits of a tree as plain values: ``ordered_tests`` of a node, ``regions`` that a path leads to.

Exports write them in other languages; explanations compare a row with them. The core decides where a row goes.
"""
