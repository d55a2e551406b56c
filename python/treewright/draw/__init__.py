"""Drawing: (tree, its schema) -> text, Markdown, HTML, SVG. Nothing here knows an estimator or a file.

``text``, ``plain``, ``rules``, ``j48``, ``nodes``, ``summary``, ``svg`` and ``html`` write a tree; ``record`` gives it
as plain values. ``excerpt`` decides which nodes are drawn, ``facts`` which figures they show, ``conditions`` how a path
reads, ``paper`` and ``glyphs`` what the place can carry, and ``names`` makes any name safe to show.
"""
