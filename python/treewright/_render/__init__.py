"""Documents and how they are written: one value with a title and blocks, four writers, and files.

``document`` holds the blocks, ``formula`` the formulas in them; ``text``, ``markdown``, ``latex`` and ``html`` write
any document; ``charts`` and ``tikz`` are its pictures; ``result`` is what functions return that have something to
read. It knows nothing of trees.
"""
