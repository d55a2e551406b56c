"""What hostile names must not do: be obeyed by a terminal, or break the HTML around them."""

from __future__ import annotations

import unicodedata
from html.parser import HTMLParser

# What a terminal would obey, or what would not be seen.
OBEYED = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
JOINERS = "\u200c\u200d"


def unsafe(text: str) -> list[str]:
    # Weka's layout has a tab before its sizes.
    plain = text.replace("\n", "").replace(": \t", "")
    return [c for c in plain if unicodedata.category(c) in OBEYED and c not in JOINERS]


class Reader(HTMLParser):
    """Collects elements, attributes and text, and checks that elements close in order."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: set[str] = set()
        self.attributes: set[str] = set()
        self.text: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader
