r"""Text for LaTeX: every character prints, none commands; and files around it that compile.

Names of any script stay what they are. A file that holds letters which the fonts of pdfLaTeX lack is made for XeLaTeX
or LuaLaTeX: it takes the first font that is installed for each script, and says so in its first line.
"""

from __future__ import annotations

import re

__all__ = ["document", "engine_note", "needs_unicode_engine", "tex"]

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
    "²": r"\textsuperscript{2}",
    "³": r"\textsuperscript{3}",
    "¹": r"\textsuperscript{1}",
    "₂": r"\textsubscript{2}",
    "→": r"$\rightarrow$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "≈": r"$\approx$",
    "±": r"$\pm$",
    "√": r"$\surd$",
    "…": r"\dots{}",
    "†": r"\dag{}",
    "×": r"$\times$",
    "−": "$-$",
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "τ": r"$\tau$",
    "½": r"$\frac12$",
    "│": r"\textbar{}",
    "├": r"\textbar{}",
    "└": r"\textasciigrave{}",
    "─": "-{}",
    "█": r"\#",
    "░": ".",
    # Not to be joined to a dash or to a sign of their own.
    "-": "-{}",
    ",": ",{}",
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
}
LATIN = "\u017f"  # the last letter of Latin Extended-A: pdfLaTeX prints all up to it

# For each script: its characters, and fonts that have them, of Linux, Windows, macOS and TeX. XeTeX tries to make
# a font of a single word that it does not find, which takes time: those come last.
SCRIPTS = {
    "han": (
        "\u2e80-\u303f\u3040-\u30ff\u3100-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
        "\uff00-\uffef\U00020000-\U0003ffff",
        "Noto Sans CJK SC,Noto Serif CJK SC,Source Han Sans SC,Microsoft YaHei,PingFang SC,"
        "WenQuanYi Zen Hei,FandolHei,SimSun",
    ),
    "hangul": (
        "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff",
        "Noto Sans CJK KR,Noto Serif CJK KR,Malgun Gothic,Apple SD Gothic Neo,UnDotum",
    ),
    "arabic": (
        "\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufeff",
        "Noto Naskh Arabic,Geeza Pro,DejaVu Sans,FreeSerif,Amiri,Arial",
    ),
    "hebrew": (
        "\u0590-\u05ff\ufb1d-\ufb4f",
        "Noto Sans Hebrew,DejaVu Sans,FreeSerif,Arial",
    ),
    "indic": (
        "\u0900-\u0dff",
        "Noto Sans Devanagari,Nirmala UI,Kohinoor Devanagari,FreeSerif,Lohit Devanagari",
    ),
    "thai": ("\u0e00-\u0eff", "Noto Sans Thai,FreeSerif,Tahoma,Thonburi,Garuda"),
    "emoji": (
        "\U0001f000-\U0001faff\u2600-\u27bf\ufe0f",
        "Noto Emoji,Segoe UI Emoji,DejaVu Sans,FreeSerif,Symbola",
    ),
}
OTHER = "DejaVu Serif,FreeSerif,CMU Serif,Times New Roman,Noto Serif"
RIGHT_TO_LEFT = ("arabic", "hebrew")
WITHIN = "\u200c\u200d\u0300-\u036f"  # join or stand on the letter before them


def tex(text: str) -> str:
    r"""Write a text so that LaTeX prints it.

    Examples
    --------
    >>> print(tex("a_b|<c>$ größe 家"))
    a\_b\textbar{}\textless{}c\textgreater{}\$ größe 家
    """
    return "".join(map(_character, text))


def needs_unicode_engine(text: str) -> bool:
    """Whether a text holds letters that pdfLaTeX does not print.

    Examples
    --------
    >>> needs_unicode_engine("größe"), needs_unicode_engine("天气")
    (False, True)
    """
    return any(c > LATIN for c in text)


def engine_note(body: str) -> str:
    """Return a comment for the head of a fragment that pdfLaTeX does not print."""
    if not needs_unicode_engine(body):
        return ""
    return "% Has letters beyond Latin: for XeLaTeX or LuaLaTeX with fontspec and a font that has them.\n"


def document(body: str, packages: str) -> str:
    """Return a file that compiles around a fragment: for pdfLaTeX, or for XeLaTeX and LuaLaTeX where it must."""
    paper = r"\usepackage[a4paper,margin=22mm]{geometry}"
    if not needs_unicode_engine(body):
        head = "\\documentclass{article}\n\\usepackage[T1]{fontenc}\\usepackage[utf8]{inputenc}"
        fonts = r"\usepackage{textcomp}"
    else:
        body, used = _with_fonts(body)
        head = "% !TeX program = xelatex\n\\documentclass{article}\n\\usepackage{fontspec,iftex}"
        fonts = _fonts(used)
    return (
        f"{head}\n{paper}\n{fonts}\n\\usepackage{{{packages}}}\n"
        "\\setlength{\\parindent}{0pt}\\allowdisplaybreaks\\sloppy\\pagestyle{empty}\n"
        f"\\begin{{document}}\n{body}\\end{{document}}\n"
    )


def _with_fonts(body: str) -> tuple[str, list[str]]:
    """Put each run of letters beyond Latin into the font of its script; return the scripts in their order."""
    used: dict[str, None] = {}

    def dress(match: re.Match[str]) -> str:
        script = match.lastgroup or "other"
        used[script] = None
        return rf"\treewright{script}{{{match.group()}}}"

    kinds = [
        rf"(?P<{name}>[{signs}][{signs}{WITHIN}]*(?:[ ]+[{signs}][{signs}{WITHIN}]*)*)"
        for name, (signs, _) in SCRIPTS.items()
    ]
    known = "".join(signs for signs, _ in SCRIPTS.values())
    kinds.append(rf"(?P<other>(?:(?![{known}])[^\x00-{LATIN}])+)")
    written = re.sub("|".join(kinds), dress, body)
    return written, list(used)


def _fonts(used: list[str]) -> str:
    lines = [
        r"\makeatletter",
        # The first font of a list that is installed; the document's own where none is.
        r"\newcommand\treewrightfont[2]{\@for\treewright@f:=#2\do{\ifdefined#1\else"
        r"\expandafter\IfFontExistsTF\expandafter{\treewright@f}"
        r"{\edef\treewright@g{\noexpand\newfontfamily\noexpand#1{\treewright@f}}\treewright@g}{}\fi}"
        r"\ifdefined#1\else\let#1\relax\fi}",
        r"\makeatother",
        r"\ifXeTeX\TeXXeTstate=1 \fi",
        # Chinese and Japanese have no spaces: a line may end after any character.
        *(
            [r'\ifXeTeX\XeTeXlinebreaklocale "zh"\XeTeXlinebreakskip=0pt plus 1pt\fi']
            if "han" in used
            else []
        ),
    ]
    for script in used:
        fonts = SCRIPTS[script][1] if script in SCRIPTS else OTHER
        face = rf"\treewrightface{script}"
        lines.append(rf"\treewrightfont{face}{{{fonts}}}")
        inner = f"{{{face} #1}}"  # a group of its own: the font ends with it
        if script in RIGHT_TO_LEFT:
            inner = rf"{{{face}\ifXeTeX\beginR #1\endR\else\ifLuaTeX\textdir TRT #1\else #1\fi\fi}}"
        lines.append(rf"\newcommand\treewright{script}[1]{{{inner}}}")
    return "\n".join(lines)


def _character(c: str) -> str:
    if c in NAMED:
        return NAMED[c]
    if c in "{}$&#_%":
        return f"\\{c}"
    if c.isprintable() or c in "\u200c\u200d":
        return c
    return rf"\texttt{{U+{ord(c):04X}}}"
