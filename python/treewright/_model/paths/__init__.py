"""The questions of a tree as plain values: ``arms``, the ordered tests of a node; ``boxes``, all that a path asks.

Exports write them in other languages, explanations compare a row with them. Nothing here decides where a row goes.
"""
