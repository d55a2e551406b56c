"""Text for LaTeX: every character prints, none commands.

What the standard fonts of pdfLaTeX lack (other scripts, emoji) is written by its number, so that a document compiles
whatever the names are.
"""

from __future__ import annotations

__all__ = ["tex"]

NAMED = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    "\u00a0": "~",
    "·": r"\textperiodcentered{}",
    "→": r"$\rightarrow$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "±": r"$\pm$",
    "…": r"\dots{}",
    "†": r"\dag{}",
    "×": r"$\times$",
    "−": "$-$",
    # Not to be joined to a dash or to a sign of their own.
    "-": "-{}",
    ",": ",{}",
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
}
LETTERS = "\u017f"  # the last letter of Latin Extended-A


def tex(text: str) -> str:
    r"""Write a text so that LaTeX prints it.

    Examples
    --------
    >>> print(tex("a_b|<c>$ größe 家"))
    a\_b\textbar{}\textless{}c\textgreater{}\$ größe \texttt{U+5BB6}
    """
    return "".join(map(_character, text))


def _character(c: str) -> str:
    if c in NAMED:
        return NAMED[c]
    if c in "{}$&#_%":
        return f"\\{c}"
    if c.isprintable() and (c.isascii() or (c.isalpha() and c <= LETTERS)):
        return c
    return rf"\texttt{{U+{ord(c):04X}}}"
