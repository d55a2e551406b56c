"""Pictures in pages: drawn by treewright when the site is built, in the colors of the page around them.

A page says what to draw as Python; the value of the last line is the picture::

    ```{picture} The tree of ID3
    X, y = datasets.play_tennis()
    show(ID3Classifier().fit(X, y))
    ```

A picture takes the color of the text around it, so it follows the site's switch between light and dark.
"""

from __future__ import annotations

import ast
import re
from html import escape
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive

__all__ = ["figure", "setup"]


class Picture(Directive):
    """A picture with its caption."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the picture as HTML."""
        html = figure(evaluate("\n".join(self.content)).to_svg(), self.arguments[0])
        return [nodes.raw("", html, format="html")]


def setup(app: Any) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("picture", Picture)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def evaluate(program: str) -> Any:
    """Run a program in which the public names of treewright are known, and return the value of its last line."""
    import treewright

    names = {name: getattr(treewright, name) for name in treewright.__all__}
    *steps, last = ast.parse(program).body
    assert isinstance(last, ast.Expr)
    exec(compile(ast.Module(steps, []), "picture", "exec"), names)
    return eval(compile(ast.Expression(last.value), "picture", "eval"), names)


def figure(svg: str, caption: str = "") -> str:
    """Return a picture of treewright as a part of a page, with the colors of the page."""
    from treewright._render.svg_frame import inline

    below = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    drawn = inline(svg)
    # The style sheet keeps letters readable where there is little room: a wide picture scrolls in its frame.
    width = re.search(r'width="([\d.]+)"', drawn)
    assert width
    return f'<figure class="drawn" style="--drawn: {width[1]}px"><div>{drawn}</div>{below}</figure>'
