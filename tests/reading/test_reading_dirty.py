"""Dirty files: each gives the right table, or an error that names the place. Never a silent wrong value."""

from __future__ import annotations

from typing import Any

import pytest

from treewright._reading import inspect
from treewright.errors import TreewrightError

# name, bytes, the table that must come out, and options where there are any
TABLES: list[tuple[str, bytes, dict[str, list[Any]], dict[str, Any]]] = [
    # encoding
    ("bom", b"\xef\xbb\xbfid,x\na,1.5\n", {"id": ["a"], "x": [1.5]}, {}),
    ("umlauts", "größe\nklein\ngroß\n".encode(), {"größe": ["klein", "groß"]}, {}),
    (
        "cp1252 quotes",
        b"a,b\n\x93x\x94,1\n",
        {"a": ["“x”"], "b": ["1"]},
        {"encoding": "cp1252"},
    ),
    ("latin-1", b"a\ncaf\xe9\n", {"a": ["café"]}, {"encoding": "latin-1"}),
    ("utf-16", "a,b\nä,2\n".encode("utf-16"), {"a": ["ä"], "b": [2]}, {"encoding": "utf-16"}),
    ("utf-16-le", "\ufeffa\nx\n".encode("utf-16-le"), {"a": ["x"]}, {"encoding": "utf-16-le"}),
    ("utf-8-sig", b"\xef\xbb\xbfa\nx\n", {"a": ["x"]}, {"encoding": "utf-8-sig"}),
    ("emoji", "mood\n😀\n👩‍👩‍👧\n😀\n".encode(), {"mood": ["😀", "👩‍👩‍👧", "😀"]}, {}),
    # structure
    ("semicolon", b"a;b\n1.5;x\n", {"a": [1.5], "b": ["x"]}, {}),
    ("tab", b"a\tb\n1.5\tx\n", {"a": [1.5], "b": ["x"]}, {}),
    ("bar", b"a|b\n1.5|x\n", {"a": [1.5], "b": ["x"]}, {}),
    ("delimiter given", b"a;b,c\nx,y\n", {"a;b": ["x"], "c": ["y"]}, {"delimiter": ","}),
    ("odd delimiter", b"a^b\nx^y\n", {"a": ["x"], "b": ["y"]}, {"delimiter": "^"}),
    ("quoted delimiter", b'a,b\n"x,y",z\n', {"a": ["x,y"], "b": ["z"]}, {}),
    ("quoted header", b'"a,b",c\nx,y\n', {"a,b": ["x"], "c": ["y"]}, {}),
    ("doubled quotes", b'a\n"say ""hi"""\n', {"a": ['say "hi"']}, {}),
    ("quote inside plain text", b'a,b\n5" disk,x\n', {"a": ['5" disk'], "b": ["x"]}, {}),
    ("backslash is a character", b'a,b\n"C:\\","x"\n', {"a": ["C:\\"], "b": ["x"]}, {}),
    ("newline in quotes", b'a,b\n"x\ny",z\n', {"a": ["x\ny"], "b": ["z"]}, {}),
    ("crlf in quotes", b'a,b\r\n"x\r\ny",z\r\n', {"a": ["x\r\ny"], "b": ["z"]}, {}),
    ("cr only", b"a,b\rx,y\rz,w\r", {"a": ["x", "z"], "b": ["y", "w"]}, {}),
    ("mixed line ends", b"a,b\r\nx,y\nz,w\rv,u", {"a": ["x", "z", "v"], "b": ["y", "w", "u"]}, {}),
    ("no final newline", b"a,b\nx,y", {"a": ["x"], "b": ["y"]}, {}),
    ("blank lines", b"\n\na,b\n\nx,y\n\n\nz,w\n\n", {"a": ["x", "z"], "b": ["y", "w"]}, {}),
    ("lines of blanks", b"a,b\nx,y\n   \nz,w\n \t\n", {"a": ["x", "z"], "b": ["y", "w"]}, {}),
    ("an empty cell alone", b'a\nx\n""\ny\n', {"a": ["x", None, "y"]}, {}),
    ("blanks around", b"a , b\n x ,y \n z, w\n", {"a": ["x", "z"], "b": ["y", "w"]}, {}),
    ("blank after quote", b'a,b\n"x" ,y\n', {"a": ["x"], "b": ["y"]}, {}),
    (
        "ragged dropped",
        b"a,b\nx,y\nz\n1,2,3\nv,w\n",
        {"a": ["x", "v"], "b": ["y", "w"]},
        {"ragged": "drop"},
    ),
    ("one column", b"a\nx\ny\n", {"a": ["x", "y"]}, {}),
    ("names that are numbers", b"1,2\nx,y\n", {"1": ["x"], "2": ["y"]}, {}),
    ("hostile names", b"<script>,a\x1bb\nx,y\n", {"<script>": ["x"], "a\x1bb": ["y"]}, {}),
    # numbers
    (
        "decimals and exponents",
        b"x\n1\n-2.5\n.5\n5.\n1e3\n2E-2\n+7\n",
        {"x": [1, -2.5, 0.5, 5, 1000, 0.02, 7]},
        {},
    ),
    ("blanks around numbers", b"x,y\n 1.5,a\n2.5 ,b\n", {"x": [1.5, 2.5], "y": ["a", "b"]}, {}),
    ("negative zero", b"x\n-0.0\n0.5\n", {"x": [0.0, 0.5]}, {}),
    ("underflow", b"x\n1e-999\n0.5\n", {"x": [0.0, 0.5]}, {}),
    ("many digits", b"x\n3.14159265358979323846\n1.5\n", {"x": [3.141592653589793, 1.5]}, {}),
    ("leading zeros", b"zip\n07030\n8540\n", {"zip": ["07030", "8540"]}, {}),
    (
        "leading zeros as numbers",
        b"zip\n07030\n8540\n",
        {"zip": [7030, 8540]},
        {"numeric": ["zip"]},
    ),
    (
        "telephone",
        b"t\n+4915112345678\n+4915112345679\n",
        {"t": ["+4915112345678", "+4915112345679"]},
        {},
    ),
    ("plus signs", b"x\n+1.5\n+2\n", {"x": [1.5, 2]}, {}),
    (
        "beyond 2^53",
        b"x\n9007199254740993\n9007199254740992\n",
        {"x": ["9007199254740993", "9007199254740992"]},
        {},
    ),
    ("2^53", b"x\n9007199254740992\n1\n", {"x": [2.0**53, 1]}, {}),
    (
        "large measurements",
        b"x\n12345678901234567890\n0.5\n",
        {"x": [12345678901234567890.0, 0.5]},
        {},
    ),
    ("only 0 and 1", b"x\n0\n1\n\n0\n", {"x": ["0", "1", "0"]}, {}),
    ("only 0 and 1 as numbers", b"x\n0\n1\n0\n", {"x": [0, 1, 0]}, {"numeric": ["x"]}),
    ("0.0 and 1.0", b"x\n0.0\n1.0\n", {"x": [0, 1]}, {}),
    ("numbers as categories", b"x\n1\n2\n1\n", {"x": ["1", "2", "1"]}, {"categorical": ["x"]}),
    ("decimal commas", b"x;y\n3,14;a\n2,71;b\n", {"x": [3.14, 2.71], "y": ["a", "b"]}, {}),
    ("thousands", b'x\n"1,000"\n"2,500"\n', {"x": ["1,000", "2,500"]}, {}),
    ("underscores", b"x\n1_000\n2_000\n", {"x": ["1_000", "2_000"]}, {}),
    ("hexadecimal", b"x\n0x1F\n0xFF\n", {"x": ["0x1F", "0xFF"]}, {}),
    ("words for infinity", b"x\ninf\n-inf\ninfinity\n", {"x": ["inf", "-inf", "infinity"]}, {}),
    ("1e999 as a category", b"x\n1e999\n5\n", {"x": ["1e999", "5"]}, {"categorical": ["x"]}),
    ("1e999 among text", b"x\n1e999\nab\ncd\n", {"x": ["1e999", "ab", "cd"]}, {}),
    ("booleans stay text", b"x\nTRUE\nFALSE\nTRUE\n", {"x": ["TRUE", "FALSE", "TRUE"]}, {}),
    ("yes and no", b"x\nYes\nNo\nyes\n", {"x": ["Yes", "No", "yes"]}, {}),
    ("dates", b"d\n2024-01-31\n2024-02-01\n", {"d": ["2024-01-31", "2024-02-01"]}, {}),
    ("few numbers among text", b"x\na\nb\n3\n", {"x": ["a", "b", "3"]}, {}),
    # missing
    (
        "empty and ?",
        b"x,y\n1.5,?\n,a\n ? , \n",
        {"x": [1.5, None, None], "y": [None, "a", None]},
        {},
    ),
    ("Namibia", b"c\nNA\nDE\nNA\n", {"c": ["NA", "DE", "NA"]}, {}),
    ("a town called None", b"t\nNone\nnull\nBonn\n", {"t": ["None", None, "Bonn"]}, {}),
    (
        "words of one's own",
        b"t\nNA\nnull\nBonn\n",
        {"t": ["NA", None, "Bonn"]},
        {"missing": ["null"]},
    ),
    (
        "words among numbers",
        b"x\n1\n2\nnan\nNA\nNone\n-\n#N/A\nNULL\n",
        {"x": [1, 2, None, None, None, None, None, None]},
        {},
    ),
    (
        "a comma is decimal",
        b"x;y\n1,5;a\n2,5;b\n",
        {"x": [1.5, 2.5], "y": ["a", "b"]},
        {"decimal": ","},
    ),
    ("no header", b"1,x\n2,y\n", {"c1": [1, 2], "c2": ["x", "y"]}, {"header": False}),
    ("comments", b"# mine\na\n1\n#2\n3\n", {"a": [1, 3]}, {"comment": "#"}),
    ("blanks", b"a  b\n1   x\n2 y\n", {"a": [1, 2], "b": ["x", "y"]}, {}),
    ("index column", b",a\n0,x\n1,y\n", {"index": ["0", "1"], "a": ["x", "y"]}, {}),
    ("sep=", b"sep=|\na|b\n1|2\n", {"a": ["1"], "b": [2]}, {"categorical": ["a"]}),
    (
        "markers of one's own",
        b"x\n1.5\n-999\nNA\n\n",
        {"x": [1.5, None, None]},
        {"missing": ["-999", "NA"]},
    ),
    ("no markers", b"x,y\n?,a\n,b\n", {"x": ["?", ""], "y": ["a", "b"]}, {"missing": []}),
    ("marker with blanks", b"x\n1.5\nn a\n", {"x": [1.5, None]}, {"missing": [" n a "]}),
    ("all missing", b"x,y\n,a\n?,b\n", {"x": [None, None], "y": ["a", "b"]}, {}),
    ("declared levels", b"s\nL\nS\n", {"s": ["L", "S"]}, {"levels": {"s": ["S", "M", "L"]}}),
]

# name, bytes, slug, what the words must hold, and options
ERRORS: list[tuple[str, bytes, str, list[str], dict[str, Any]]] = [
    ("no bytes", b"", "data.empty", ["t.csv is empty"], {}),
    ("only line ends", b"\n\r\n\n", "data.empty", ["t.csv is empty"], {}),
    ("only a bom", b"\xef\xbb\xbf", "data.empty", [], {}),
    ("header only", b"a,b\n", "data.no-rows", ["no rows under its header"], {}),
    ("header, all dropped", b"a,b\n1\n", "data.no-rows", ["1 row left out"], {"ragged": "drop"}),
    (
        "utf-16 bom",
        "a,b\n1,2\n".encode("utf-16"),
        "data.encoding",
        ["UTF-16", 'encoding="utf-16"'],
        {},
    ),
    (
        "utf-16 without bom",
        "a,b\n1,2\n".encode("utf-16-le"),
        "data.nul",
        ["line 1", "utf-16-le"],
        {},
    ),
    ("utf-32", "a".encode("utf-32"), "data.encoding", ["UTF-32"], {}),
    (
        "cp1252",
        b"a,b\nx,y\nz,\x93w\x94\n",
        "data.encoding",
        ["t.csv line 3", '"b"', "0x93", "cp1252"],
        {},
    ),
    (
        "bad byte far away",
        b"a\n" + b"x\n" * 99_999 + b"\xff\n",
        "data.encoding",
        ["line 100,001", "0xFF"],
        {},
    ),
    ("bad byte in header", b"a,\xe9\n1,2\n", "data.encoding", ["line 1", "0xE9"], {}),
    ("cut utf-8", "a\nä".encode()[:-1], "data.encoding", ["line 2"], {}),
    (
        "not ascii",
        "a\nä\n".encode(),
        "data.encoding",
        ["t.csv line 2 is not ascii"],
        {"encoding": "ascii"},
    ),
    ("odd utf-16", b"\xff\xfea\x00b", "data.encoding", [], {"encoding": "utf-16"}),
    ("nul", b"a,b\nx,y\nz,\0\n", "data.nul", ["t.csv line 3", "offset 10"], {}),
    (
        "ragged",
        b"a,b\nx,y\nz\n",
        "data.ragged-row",
        ["t.csv line 3 has 1 field, the header has 2", "3 | z"],
        {},
    ),
    ("too many fields", b"a,b\nx,y,z\n", "data.ragged-row", ["has 3 fields", 'ragged="drop"'], {}),
    ("trailing comma", b"a,b\nx,y,\n", "data.ragged-row", ["a trailing comma?"], {}),
    ("trailing semicolon", b"a;b\nx;y;\n", "data.ragged-row", ["a trailing semicolon?"], {}),
    ("comment", b"# made today\na,b\n1,2\n", "data.ragged-row", ["line 2", "a comment?"], {}),
    ("another delimiter", b"a|b\nx,y\n", "data.ragged-row", ['delimiter=","'], {}),
    (
        "wrong delimiter",
        b"a;b\nx;y,z\n",
        "data.ragged-row",
        ['delimiter=";"'],
        {"delimiter": ","},
    ),
    (
        "stray quote makes a long row",
        b'a,b\n"x,y\nz,w"\n',
        "data.ragged-row",
        ["line 2", "to line 3", "quote"],
        {},
    ),
    ("open quote", b'a,b\nx,y\nz,"w\nv,u\n', "data.open-quote", ["t.csv line 3", '3 | z,"w'], {}),
    ("open quote in header", b'a,"b\n1,2\n', "data.open-quote", ["line 1"], {}),
    ("swallowed file", b'a,b\nx,y\n"z,w\n' + b"v,u\n" * 300_000, "data.open-quote", ["line 3"], {}),
    ("unescaped quote", b'a,b\nx,"5" disk"\n', "data.stray-quote", ["line 2", '"b"', "twice"], {}),
    ("backslash quotes", b'a\n"say \\"hi\\""\n', "data.stray-quote", ["line 2"], {}),
    ("huge field", b"a\n" + b"x" * (1 << 21), "data.long-field", ["line 2", "1,048,576"], {}),
    ("same name twice", b"a,b,a\n1,2,3\n", "data.duplicate-column", ["columns 1 and 3", '"a"'], {}),
    ("same name but for blanks", b"a, a\n1,2\n", "data.duplicate-column", ["columns 1 and 2"], {}),
    ("no name", b"a,,c\n1,2,3\n", "data.empty-name", ["column 2 of the header"], {}),
    ("no last name", b"a,b,\n1,2,3\n", "data.empty-name", ["column 3", "trailing"], {}),
    (
        "mixed",
        b"x\n1\n2\nunknown\n4\n12k\n",
        "data.mixed-column",
        ["numeric in 3 rows but not in 2"],
        {},
    ),
    (
        "late change of type",
        b"x\n" + b"1.5\n" * 99_999 + b"?!\n",
        "data.mixed-column",
        ["line 100,001"],
        {},
    ),
    (
        "two headers",
        b"kg,cm\nkilo,centi\n1,2\n3,4\n",
        "data.mixed-column",
        ["a second header?"],
        {},
    ),
    (
        "decimal comma among points",
        b"x;y\n1.5;a\n2.5;b\n3,5;c\n",
        "data.mixed-column",
        ['"3,5"'],
        {},
    ),
    ("a word among numbers", b"x\n1\n2\nno\n", "data.mixed-column", ['missing=["no"]'], {}),
    ("with other words", b"x\n1\n2\nno\nNA\n\n", "data.mixed-column", ['missing=["no", "NA"]'], {}),
    (
        "numeric asked of text",
        b"x\na\nb\n",
        "data.mixed-column",
        ['line 2: "a"'],
        {"numeric": ["x"]},
    ),
    ("too large", b"x\n1\n1e999\n", "data.number-too-large", ['"x"', "line 3", "1e999"], {}),
    (
        "no such column",
        b"a,b\n1,2\n",
        "data.no-such-column",
        ["t.csv", '"c"', "a, b"],
        {"numeric": ["c"]},
    ),
    (
        "undeclared level",
        b"s\nS\nXL\n",
        "data.levels",
        ["t.csv line 3", '"XL"'],
        {"levels": {"s": ["S", "L"]}},
    ),
    ("level declared twice", b"s\nS\n", "data.levels", ["twice"], {"levels": {"s": ["S", "S"]}}),
    (
        "many categories",
        b"x\n" + b"\n".join(b"v%d" % (i // 2) for i in range(2400)),
        "data.too-many-categories",
        ["1,200 different values in 2,400 rows", 'ignore=["x"]', 'categorical=["x"]'],
        {},
    ),
    ("delimiter of two", b"a\n1\n", "usage", ["one ASCII character"], {"delimiter": "::"}),
    ("delimiter quote", b"a\n1\n", "usage", ["one ASCII character"], {"delimiter": '"'}),
    ("no such encoding", b"a\n1\n", "usage", ["utf-99"], {"encoding": "utf-99"}),
    ("no text encoding", b"a\n1\n", "usage", ["base64"], {"encoding": "base64"}),
    ("ragged what", b"a\n1\n", "usage", ["drop"], {"ragged": "pad"}),
    ("one text for many", b"a\n1\n", "usage", ["list of texts"], {"missing": "NA"}),
    ("one name for many", b"a\n1\n", "usage", ["list of names"], {"numeric": "a"}),
    (
        "numeric and categorical",
        b"a\n1\n",
        "usage",
        ["both"],
        {"numeric": ["a"], "categorical": ["a"]},
    ),
]


def test_there_are_enough_of_them() -> None:
    names = [case[0] for case in (*TABLES, *ERRORS)]
    assert len(names) == len(set(names)) >= 100


@pytest.mark.parametrize(
    ("file", "expected", "options"), [t[1:] for t in TABLES], ids=[t[0] for t in TABLES]
)
def test_the_right_table(
    file: bytes, expected: dict[str, list[Any]], options: dict[str, Any]
) -> None:
    assert inspect(file, label="t.csv", **options).table.to_dict() == expected


@pytest.mark.parametrize(
    ("file", "slug", "words", "options"), [e[1:] for e in ERRORS], ids=[e[0] for e in ERRORS]
)
def test_the_right_error(file: bytes, slug: str, words: list[str], options: dict[str, Any]) -> None:
    with pytest.raises(TreewrightError) as caught:
        inspect(file, label="t.csv", **options)
    said = str(caught.value)
    assert caught.value.slug == slug, said
    for word in words:
        assert word in said
    assert not any(c != "\n" and not c.isprintable() for c in said)


@pytest.mark.slow
def test_many_columns() -> None:
    names = [f"c{i}" for i in range(10_000)]
    row = ",".join(["1.5"] * len(names))
    table = inspect(f"{','.join(names)}\n{row}\n{row}\n".encode(), keep=names).table
    assert table.shape == (2, 10_000)
    assert table["c9999"] == [1.5, 1.5]


def test_a_million_fields_too_many() -> None:
    with pytest.raises(TreewrightError) as caught:
        inspect(b"a,b\n1,2\n" + b"," * 3_000_000)
    assert caught.value.slug == "data.too-many-columns"
