"""A whole text inside a document: as a fenced block of Markdown, or line by line in typewriter letters of LaTeX."""

from __future__ import annotations

from treewright._render.latex_text import tex

__all__ = ["latex_verbatim", "markdown_fence"]


def markdown_fence(text: str) -> str:
    r"""Write a text as a fenced block that nothing in it can end.

    Examples
    --------
    >>> print(markdown_fence("a ``` b"), end="")
    ````text
    a ``` b
    ````
    """
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}text\n{text}\n{fence}\n"


def latex_verbatim(text: str) -> str:
    r"""Write a text line by line; spaces keep their width.

    Examples
    --------
    >>> print(latex_verbatim("Yes.\n  because a_b"))
    \begin{flushleft}\ttfamily
    Yes. \\
    ~~because~a\_b
    \end{flushleft}
    """
    said = " \\\\\n".join(tex(line).replace(" ", "~") for line in text.splitlines())
    return f"\\begin{{flushleft}}\\ttfamily\n{said}\n\\end{{flushleft}}"
