"""The native module: growing, walking, reading and writing, and the rules about columns."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, final

import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

__all__ = [
    "AMBIGUOUS_VALUES",
    "AMOUNT_SPACES",
    "AMOUNT_UNITS",
    "COMMON_ROWS",
    "MISSING",
    "MISSING_TEXTS",
    "OTHER_VALUES",
    "SHARE",
    "STOP",
    "UNSEEN",
    "WAYS",
    "ArrivingTrees",
    "BitTable",
    "Boosting",
    "ByHand",
    "CallbackPeers",
    "Cases",
    "CsvChunk",
    "CsvEncoder",
    "CsvReader",
    "CsvRules",
    "Forest",
    "LeafTargets",
    "Matrix",
    "Mesh",
    "MeshListener",
    "NearBestTrees",
    "Neighbors",
    "OptimalTree",
    "PeerRows",
    "Peers",
    "Samples",
    "Sparse",
    "ThreadPeers",
    "Tree",
    "TreeGrower",
    "Work",
    "__version__",
    "_panic",
    "amount_numbers",
    "are_sentences",
    "boost_stumps",
    "column_order",
    "common_levels",
    "copies_of",
    "date_numbers",
    "date_order",
    "date_words",
    "decimal_mark",
    "divisions",
    "error_formula",
    "expected_errors",
    "grow",
    "grow_bag",
    "grow_bag_merged",
    "grow_bag_several",
    "grow_merged",
    "grow_several",
    "is_nearly_unique",
    "judge_columns",
    "kernels",
    "learn_rules",
    "near_best_trees",
    "open_model",
    "open_table",
    "optimal_tree",
    "out_of_bag",
    "p_value",
    "pack_trees",
    "predict_matrix",
    "predict_row",
    "prune_alike",
    "prune_along",
    "prune_nodes",
    "prune_path",
    "prune_pessimistic",
    "prune_reduced_error",
    "rank",
    "read_columns",
    "row_order",
    "study",
    "words",
]

__version__: str

def kernels() -> tuple[str, list[str]]: ...

MISSING: int
UNSEEN: int
STOP: int
SHARE: int

@final
class Matrix:
    """Numbers in rows and columns that are read where they lie."""

    finite: bool
    bits: bool
    integral: list[bool]
    def __new__(cls, array: NDArray[Any]) -> Matrix: ...

@final
class BitTable:
    """Zeros and ones in rows and columns, packed."""

    shape: tuple[int, int]
    def __new__(cls, matrix: Matrix) -> BitTable: ...
    def column(self, column: int) -> NDArray[np.bool_]: ...
    def to_array(self) -> NDArray[np.uint8]: ...

@final
class Sparse:
    """The stored numbers of a matrix, column by column."""

    stored: int
    def __new__(
        cls,
        n_rows: int,
        starts: NDArray[np.uint64],
        rows: NDArray[np.uint32],
        values: NDArray[np.float64],
    ) -> Sparse: ...

@final
class Boosting:
    """A run of boosting."""

    losses: list[list[float]]
    def __new__(
        cls,
        recipe: Mapping[str, Any],
        levels: Sequence[int | None],
        columns: Matrix | Sparse | Sequence[NDArray[Any]],
        target: NDArray[Any],
        weights: NDArray[np.float64] | None = None,
        held: NDArray[np.bool_] | None = None,
        eval_starts: Sequence[int] = ...,
        eval_weights: NDArray[np.float64] | None = None,
        base: Sequence[float] | None = None,
        scores: NDArray[np.float64] | None = None,
        rounds: int = 0,
    ) -> Boosting: ...
    @staticmethod
    def of_rows(
        rows: PeerRows,
        base: Sequence[float] | None = None,
        forest: Forest | None = None,
        losses: Sequence[Sequence[float]] = ...,
    ) -> Boosting: ...
    def advance(self, rounds: int) -> bool: ...
    def last_trees(self) -> Forest: ...
    def finish(self) -> Forest: ...

@disjoint_base
class Peers:
    """One of the processes of a fit, whatever connects it with the others."""

    rank: int
    size: int
    def add(self, words: NDArray[np.uint64]) -> NDArray[np.uint64]: ...
    def max(self, words: NDArray[np.uint64]) -> NDArray[np.uint64]: ...
    def gather(self, data: bytes) -> list[bytes]: ...
    def exchange(self, parts: Sequence[bytes]) -> list[bytes]: ...
    def leave(self) -> None: ...

@final
class ThreadPeers(Peers):
    """One of several threads of this process that stand for the processes of a fit."""

    @staticmethod
    def several(size: int, shares_columns: bool = False) -> list[ThreadPeers]: ...

@final
class MeshListener:
    """A port at which a process waits for the others of its fit; it is closed when all have come."""

    # Host and port; an IPv6 host stands in brackets.
    address: str
    def __new__(cls, host: str = "127.0.0.1", port: int = 0) -> MeshListener: ...
    # Seconds: `timeout` without a byte from a process that is waited for, `silence` of a machine, `connect_timeout`
    # until all have come, `handshake_timeout` for a single connection. `whole_bytes`: sums of at most so many bytes go
    # to everybody as a whole. `certificates`: PEM texts of certificate, private key and authority.
    def connect(
        self,
        rank: int,
        addresses: Sequence[str],
        secret: bytes,
        fit: str,
        attempt: int = 0,
        *,
        timeout: float = ...,
        silence: float = ...,
        connect_timeout: float = ...,
        handshake_timeout: float = ...,
        whole_bytes: int = ...,
        certificates: tuple[bytes, bytes, bytes] | None = None,
    ) -> Mesh: ...
    def close(self) -> None: ...

@final
class Mesh(Peers):
    """The processes of a fit that are connected by sockets."""

    # calls, bytes_sent, bytes_received, seconds_waited
    counters: dict[str, float]
    def close(self) -> None: ...

@final
class CallbackPeers(Peers):
    """One of the processes of a fit, connected by a function that gives the bytes of all by ranks."""

    def __new__(
        cls,
        rank: int,
        size: int,
        gather: Callable[[bytes], Sequence[bytes]],
        leave: Callable[[], object] | None = None,
    ) -> CallbackPeers: ...

@final
class PeerRows:
    """The rows of one process of a fit, read part by part: looked at, sampled, coded."""

    rows: int
    total_rows: int
    def __new__(
        cls,
        recipe: Mapping[str, Any],
        levels: Sequence[int | None],
        peers: Peers | None = None,
    ) -> PeerRows: ...
    # For each part of the rows in their order: what it holds.
    def look(
        self,
        columns: Matrix | Sequence[NDArray[Any]],
        target: NDArray[Any],
        weights: NDArray[np.float64] | None = None,
    ) -> None: ...
    # Together, and only for early stopping: which rows are held out.
    def hold_out(self, fraction: float, seed: int) -> NDArray[np.bool_]: ...
    # Together: which rows the cuts of the columns follow from.
    def choose_sample(self) -> None: ...
    # For each part again: its share of the sample.
    def sample(self, columns: Matrix | Sequence[NDArray[Any]]) -> None: ...
    # Together: where columns are cut.
    def cut(self) -> None: ...
    # For each part once more: its codes. It may be released afterwards.
    def code(self, columns: Matrix | Sequence[NDArray[Any]]) -> None: ...

@final
class ByHand:
    """The rows that a tree is grown from by hand, and how; frozen."""

    def __new__(
        cls,
        recipe: Mapping[str, Any],
        levels: Sequence[int | None],
        columns: Sequence[NDArray[Any]],
        target: NDArray[Any],
        classes: int | None,
        weights: NDArray[np.float64] | None,
    ) -> ByHand: ...
    def act(
        self,
        forest: Forest | None = None,
        actions: Sequence[tuple[int, str, int | None, float | None, list[int] | None]] = ...,
    ) -> tuple[Forest, list[int | None], list[int], list[str]]: ...
    def leaf_reasons(self, forest: Forest) -> list[str | None]: ...
    def rows_of(
        self, forest: Forest, node: int
    ) -> tuple[NDArray[np.uint32], NDArray[np.float64]]: ...
    def finish(self, forest: Forest, prune: bool) -> Forest: ...

@final
class LeafTargets:
    """The targets of the training rows in each leaf of a forest; frozen."""

    def __new__(
        cls,
        forest: Forest,
        columns: Matrix | Sparse | Sequence[NDArray[Any]],
        target: NDArray[np.float64],
        weights: NDArray[np.float64] | None = None,
        threads: int = 1,
    ) -> LeafTargets: ...
    @staticmethod
    def from_bytes(data: bytes, forest: Forest) -> LeafTargets: ...
    def to_bytes(self, forest: Forest) -> bytes: ...
    def quantiles(
        self,
        forest: Forest,
        columns: Matrix | Sparse | Sequence[NDArray[Any]],
        shares: Sequence[float],
        threads: int = 1,
    ) -> NDArray[np.float64]: ...

@final
class Forest:
    """Trees over the same columns; frozen."""

    combine: dict[str, Any]
    n_features: int
    n_outputs: int
    n_raw: int
    n_trees: int

    @staticmethod
    def from_tables(
        levels: Sequence[int | None],
        outputs: int,
        trees: Sequence[Mapping[str, NDArray[Any]]],
        combine: Mapping[str, Any] | None = None,
    ) -> Forest: ...
    @staticmethod
    def joined(forests: Sequence[Forest], combine: Mapping[str, Any] | None = None) -> Forest: ...
    @staticmethod
    def from_bytes(data: bytes) -> tuple[Forest, str]: ...
    def to_bytes(self, document: str) -> bytes: ...
    def part(self, first: int, last: int) -> Forest: ...
    def with_values(self, values: Sequence[NDArray[np.float64]]) -> Forest: ...
    def tree(self, index: int) -> Tree: ...
    def apply(
        self, tree: int, columns: Matrix | Sparse | Sequence[NDArray[Any]]
    ) -> NDArray[np.uint32]: ...
    def rows_at(
        self, tree: int, node: int, columns: Matrix | Sparse | Sequence[NDArray[Any]]
    ) -> tuple[NDArray[np.uint32], NDArray[np.float64]]: ...
    def parts(
        self, tree: int, columns: Matrix | Sparse | Sequence[NDArray[Any]]
    ) -> list[tuple[int, float]]: ...
    def first(
        self, columns: Matrix | Sparse | Sequence[NDArray[Any]]
    ) -> tuple[NDArray[np.uint32], NDArray[np.float64]]: ...
    def predict(
        self,
        columns: Matrix | Sparse | Sequence[NDArray[Any]],
        first: int = 0,
        last: int | None = None,
        threads: int = 1,
    ) -> NDArray[np.float64]: ...
    def predict_raw(
        self,
        columns: Matrix | Sparse | Sequence[NDArray[Any]],
        first: int = 0,
        last: int | None = None,
        threads: int = 1,
    ) -> NDArray[np.float64]: ...
    def gather(
        self,
        columns: Matrix | Sparse | Sequence[NDArray[Any]],
        first: int,
        last: int,
        sums: NDArray[np.float64] | None = None,
        threads: int = 1,
    ) -> NDArray[np.float64]: ...
    def contributions(
        self, columns: Matrix | Sparse | Sequence[NDArray[Any]], threads: int = 1
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
    def finish(
        self, sums: NDArray[np.float64], first: int, last: int, raw: bool = False
    ) -> NDArray[np.float64]: ...

@final
class TreeGrower:
    """The rows of a forest, from which some of its trees are grown now and others later: coded once."""

    def __new__(
        cls,
        recipe: Mapping[str, Any],
        bag: Mapping[str, Any],
        levels: Sequence[int | None],
        columns: Matrix | Sparse | Sequence[NDArray[Any]],
        target: NDArray[Any],
        classes: int | None,
        weights: NDArray[np.float64] | None,
    ) -> TreeGrower: ...
    def grow(self, first: int, last: int, tell: Callable[[int], Any] | None = None) -> Forest: ...

@final
class ArrivingTrees:
    """The trees of a forest as they arrive from other processes, in any order."""

    def __new__(cls, levels: Sequence[int | None]) -> ArrivingTrees: ...
    def add(self, first: int, data: NDArray[np.uint8]) -> None: ...
    def finish(self, first: int) -> Forest: ...

def pack_trees(forest: Forest) -> NDArray[np.uint8]: ...

@final
class Samples:
    """The rows that are drawn for each tree; frozen."""

    def __new__(
        cls,
        bag: Mapping[str, Any],
        levels: Sequence[int | None],
        columns: Matrix | Sparse | Sequence[NDArray[Any]],
        target: NDArray[Any],
        classes: int | None,
        weights: NDArray[np.float64] | None,
    ) -> Samples: ...
    def times(self, tree: int) -> NDArray[np.uint32]: ...

@final
class Tree:
    """The node table of one tree as read-only arrays that share its memory."""

    n_nodes: int
    n_outputs: int
    first_child: NDArray[np.uint32]
    n_children: NDArray[np.uint16]
    feature: NDArray[np.uint32]
    threshold: NDArray[np.float64]
    route_start: NDArray[np.uint32]
    missing: NDArray[np.uint16]
    value: NDArray[np.float64]
    weight: NDArray[np.float64]
    count: NDArray[np.uint64]
    cost: NDArray[np.float64]
    gain: NDArray[np.float64]
    route: NDArray[np.uint16]
    def spares(self) -> dict[str, NDArray[Any]] | None: ...

def grow(
    recipe: Mapping[str, Any],
    levels: Sequence[int | None],
    columns: Matrix | Sparse | Sequence[NDArray[Any]],
    target: NDArray[Any],
    classes: int | None,
    weights: NDArray[np.float64] | None,
) -> Forest: ...
def grow_bag_merged(
    recipe: Mapping[str, Any],
    bag: Mapping[str, Any],
    levels: Sequence[int | None],
    columns: Matrix | Sequence[NDArray[Any]],
    target: NDArray[Any],
    classes: int | None,
    weights: NDArray[np.float64] | None,
    first: int,
    last: int,
    peers: Peers,
    small: int,
) -> Forest: ...
def grow_merged(
    recipe: Mapping[str, Any],
    levels: Sequence[int | None],
    columns: Matrix | Sparse | Sequence[NDArray[Any]],
    target: NDArray[Any],
    classes: int | None,
    weights: NDArray[np.float64] | None,
    peers: Peers,
    small: int,
) -> Forest: ...
def grow_bag(
    recipe: Mapping[str, Any],
    bag: Mapping[str, Any],
    levels: Sequence[int | None],
    columns: Matrix | Sparse | Sequence[NDArray[Any]],
    target: NDArray[Any],
    classes: int | None,
    weights: NDArray[np.float64] | None,
    first: int,
    last: int,
    tell: Callable[[int], None] | None = None,
    samples: Samples | None = None,
) -> Forest: ...
def grow_bag_several(
    recipe: Mapping[str, Any],
    bag: Mapping[str, Any],
    levels: Sequence[int | None],
    columns: Matrix | Sparse | Sequence[NDArray[Any]],
    targets: Sequence[NDArray[Any]],
    classes: Sequence[int | None],
    weights: NDArray[np.float64] | None,
    first: int,
    last: int,
    tell: Callable[[int], None] | None = None,
) -> list[Forest]: ...
def grow_several(
    recipe: Mapping[str, Any],
    levels: Sequence[int | None],
    columns: Matrix | Sparse | Sequence[NDArray[Any]],
    targets: Sequence[NDArray[Any]],
    classes: Sequence[int | None],
    weights: NDArray[np.float64] | None,
) -> list[Forest]: ...
def boost_stumps(
    levels: Sequence[int | None],
    columns: Matrix | Sparse | Sequence[NDArray[Any]],
    target: NDArray[np.uint32],
    classes: int,
    weights: NDArray[np.float64] | None,
    rounds: int,
    rate: float,
    threads: int,
    tell: Callable[[int], None] | None = None,
    votes: Sequence[float] = ...,
    missed: Sequence[NDArray[np.uint8]] = ...,
    peers: Peers | None = None,
) -> tuple[Forest, list[float], list[float], list[NDArray[np.uint8]]] | None: ...
def copies_of(weights: NDArray[np.float64]) -> NDArray[np.uint32] | None: ...
def out_of_bag(
    forest: Forest,
    bag: Mapping[str, Any],
    columns: Matrix | Sparse | Sequence[NDArray[Any]],
    target: NDArray[Any],
    classes: int | None,
    weights: NDArray[np.float64] | None,
    threads: int,
) -> tuple[NDArray[np.float64], NDArray[np.uint32], NDArray[np.float64]]: ...
def column_order(
    bag: Mapping[str, Any], tree: int, path: Sequence[int], columns: int
) -> list[int] | None: ...
def row_order(
    levels: Sequence[int | None],
    columns: Matrix | Sparse | Sequence[NDArray[Any]],
    target: NDArray[Any],
    classes: int | None,
    weights: NDArray[np.float64] | None,
    seed: int,
) -> NDArray[np.uint32]: ...
def study(
    forest: Forest,
    nodes: Sequence[int] | None,
    recipe: Mapping[str, Any],
    columns: Sequence[NDArray[Any]],
    target: NDArray[Any],
    classes: int | None,
    weights: NDArray[np.float64] | None,
    cuts: int,
    rows: int,
    as_asked: bool = False,
) -> list[dict[str, Any]]: ...
def rank(
    recipe: Mapping[str, Any], candidates: Sequence[tuple[float, float, bool]], impurity: float
) -> dict[str, Any]: ...
def p_value(children: Sequence[Sequence[float]]) -> float: ...
def predict_matrix(
    forest: Forest, array: NDArray[Any], threads: int, raw: bool = False
) -> NDArray[np.float64] | None: ...
def predict_row(forest: Forest, row: NDArray[Any]) -> list[float] | None: ...
def words() -> dict[str, list[str]]: ...
def _panic(cells: int) -> None: ...

# Pruning a forest of one tree.

def expected_errors(weight: float, errors: float, confidence: float, interval: str) -> float: ...
def error_formula(
    weight: float, errors: float, confidence: float, interval: str
) -> tuple[str, float, float]: ...
def prune_nodes(forest: Forest, nodes: NDArray[np.uint32]) -> Forest: ...
def prune_alike(forest: Forest, costs: Sequence[float]) -> NDArray[np.uint32]: ...
def prune_pessimistic(
    forest: Forest,
    words: Mapping[str, Any],
    columns: Matrix | Sparse | Sequence[NDArray[Any]] | None,
    target: NDArray[np.uint32] | None,
    weights: NDArray[np.float64] | None,
    peers: Peers | None = None,
) -> tuple[Forest, dict[str, NDArray[Any]]]: ...
def prune_reduced_error(
    forest: Forest,
    columns: Sequence[NDArray[Any]],
    target: NDArray[Any],
    classes: int | None,
    weights: NDArray[np.float64],
    costs: Sequence[float],
    in_parts: bool,
) -> tuple[NDArray[np.uint32], dict[str, NDArray[Any]]]: ...
def prune_path(
    forest: Forest, risk: NDArray[np.float64], shallow: bool
) -> dict[str, NDArray[Any]]: ...
def prune_along(
    forest: Forest,
    link: NDArray[np.float64],
    prices: NDArray[np.float64],
    columns: Sequence[NDArray[Any]],
    target: NDArray[Any],
    classes: int | None,
    weights: NDArray[np.float64],
    costs: Sequence[float],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...

# Rules of a forest of one tree.

def learn_rules(
    forest: Forest,
    words: Mapping[str, Any],
    columns: Sequence[NDArray[Any]],
    target: NDArray[np.uint32],
    weights: NDArray[np.float64] | None,
) -> Forest: ...
def open_model(
    data: bytes,
) -> tuple[Forest | Cases, str, Work | None, NDArray[np.float64] | None]: ...

# Remembered rows, and the nearest of them.

@final
class Work:
    """What each node had to choose from, as the text that the file has; frozen."""

    def __len__(self) -> int: ...
    def __getitem__(self, node: int, /) -> str: ...

@final
class Cases:
    """Training rows with their target; frozen."""

    n_features: int
    n_outputs: int
    n_rows: int
    errors: NDArray[np.float64]
    target: NDArray[Any]
    def __new__(
        cls,
        levels: Sequence[int | None],
        columns: Sequence[NDArray[Any]],
        target: NDArray[Any],
        classes: int | None,
        errors: Sequence[float],
    ) -> Cases: ...
    def to_bytes(self, document: str) -> bytes: ...
    def column(self, index: int) -> NDArray[Any]: ...

@final
class Neighbors:
    """Rows and what makes their search quick; frozen."""

    search_word: str
    def __new__(
        cls,
        numbers: NDArray[np.float64] | NDArray[np.float32],
        codes: Sequence[NDArray[np.uint32]],
        weights: Sequence[float],
        metric: str,
        p: float = 2.0,
        threads: int = 0,
        search: str = "auto",
        wide: bool = True,
    ) -> Neighbors: ...
    def search(
        self,
        numbers: NDArray[np.float64] | NDArray[np.float32],
        codes: Sequence[NDArray[np.uint32]],
        k: int,
        threads: int = 0,
    ) -> tuple[NDArray[np.uint32], NDArray[np.float64]]: ...
    def __len__(self) -> int: ...

# Reading delimited text.

@final
class CsvReader:
    """Rows from pieces of a file; None says that another piece is needed."""

    delimiter: str
    names_delimiter: bool
    unnamed_index: bool
    dropped: int
    blank_lines: int
    comment_lines: int
    def __new__(
        cls,
        label: str,
        delimiter: str | None,
        drop_ragged: bool,
        longest_cell: int,
        header: bool = True,
        comment: str | None = None,
        decimal_comma: bool = False,
    ) -> CsvReader: ...
    def feed(self, piece: bytes) -> None: ...
    def header(self) -> list[str] | None: ...
    def keep(self, columns: Sequence[int]) -> None: ...
    def read(self, rows: int) -> CsvChunk | None: ...

@final
class CsvRules:
    """How cells are read: what stands for a missing value, and how numbers are written."""

    def __new__(
        cls,
        missing: Sequence[str],
        words: bool = False,
        decimal_comma: bool = False,
        thousands: str | None = None,
    ) -> CsvRules: ...
    def number(self, cell: str) -> float | None: ...
    def is_missing(self, cell: str, numeric: bool) -> bool: ...

@final
class CsvChunk:
    """Some rows as columns of text."""

    rows: int
    def cells(self, column: int) -> list[str]: ...
    def line(self, row: int) -> int: ...

@final
class CsvEncoder:
    """Chunks to the columns of a known model."""

    def __new__(
        cls,
        label: str,
        features: Sequence[
            tuple[int, str, tuple[list[tuple[str, int]], list[tuple[float, int]]] | None]
        ],
        rules: CsvRules,
    ) -> CsvEncoder: ...
    def encode(self, chunk: CsvChunk) -> tuple[list[NDArray[Any]], list[list[tuple[str, int]]]]: ...

# What the columns of a table are.

AMBIGUOUS_VALUES: int
AMOUNT_SPACES: str
AMOUNT_UNITS: str
COMMON_ROWS: int
MISSING_TEXTS: list[str]
OTHER_VALUES: str

def read_columns(
    label: str,
    header: Sequence[str],
    chunks: Sequence[CsvChunk],
    rules: CsvRules,
    file: tuple[str | None, bool, list[str], list[int]],
    choices: Sequence[tuple[str, bool, bool, list[str] | None, bool]],
    date_parts: bool,
    can_ignore: bool,
    unnamed: bool,
) -> Any: ...
def judge_columns(
    label: str,
    columns: Sequence[tuple[str, NDArray[Any], list[str] | None, list[bool]]],
    choices: Sequence[tuple[str, bool, bool, list[str] | None, bool]],
    date_parts: bool,
    can_ignore: bool,
) -> Any: ...
def open_table(
    bytes: bytes,
    label: str,
    target: str | None = None,
    task: str | None = None,
    delimiter: str | None = None,
    header: bool = True,
    missing: Sequence[str] | None = None,
    decimal_comma: bool = False,
    choices: Sequence[tuple[str, tuple[str, bool, bool, list[str] | None, bool]]] = ...,
    date_parts: bool = False,
    pooled: bool = False,
) -> Any: ...
def decimal_mark(texts: Sequence[str]) -> str | None: ...
def amount_numbers(texts: Sequence[str], decimal: str) -> NDArray[np.float64]: ...
def date_order(texts: Sequence[str]) -> str | None: ...
def date_words(part: str) -> list[str]: ...
def date_numbers(texts: Sequence[str], part: str, written: str) -> NDArray[np.float64]: ...
def is_nearly_unique(codes: NDArray[np.uint32], levels: int) -> bool: ...
def are_sentences(texts: Sequence[str]) -> bool: ...
def common_levels(codes: NDArray[np.uint32], levels: Sequence[str]) -> tuple[list[int], str]: ...

# How single columns divide rows.

WAYS: list[str]

def divisions(
    levels: Sequence[int | None],
    columns: Sequence[NDArray[Any]],
    target: NDArray[Any],
    classes: int | None,
    way: str,
    least: int = 0,
    threads: int = 0,
    weights: NDArray[np.uint32] | None = None,
    per: float = 1.0,
) -> list[
    tuple[
        NDArray[np.float64],
        NDArray[np.int64],
        NDArray[np.float64],
        NDArray[np.int64],
        float,
    ]
]: ...

@final
class OptimalTree:
    """The best tree that a search has found, and what it has proven."""

    def forest(self, levels: list[int | None], sources: Sequence[int]) -> Forest | None: ...
    @property
    def n_leaves(self) -> int: ...
    @property
    def feature(self) -> NDArray[np.int32]: ...
    @property
    def cut(self) -> NDArray[np.float64]: ...
    @property
    def left(self) -> NDArray[np.int32]: ...
    @property
    def right(self) -> NDArray[np.int32]: ...
    @property
    def value(self) -> NDArray[np.float64]: ...
    @property
    def cost(self) -> float: ...
    @property
    def errors(self) -> float: ...
    @property
    def lower_bound(self) -> float: ...
    @property
    def proven(self) -> bool: ...
    @property
    def interrupted(self) -> bool: ...
    @property
    def seconds(self) -> float: ...
    @property
    def progress(self) -> list[tuple[float, float, float]]: ...

@final
class NearBestTrees:
    """The trees that cost nearly as little as the best one."""

    @property
    def best_cost(self) -> float: ...
    @property
    def most_cost(self) -> float: ...
    @property
    def trees(self) -> int: ...
    @property
    def exact(self) -> bool: ...
    @property
    def users(self) -> list[int | None]: ...

def near_best_trees(
    columns: BitTable | NDArray[np.uint8],
    target: NDArray[Any],
    classes: int,
    max_depth: int,
    within: float,
    *,
    weights: NDArray[np.uint32] | None = None,
    leaf_cost: float = 0.0,
    min_leaf: int = 1,
    threads: int = 1,
    time_limit: float | None = None,
) -> NearBestTrees:
    """Count the trees that cost at most a part ``within`` more than the best one."""

def optimal_tree(
    columns: BitTable | NDArray[np.uint8] | Sequence[NDArray[np.float64]],
    target: NDArray[Any],
    classes: int | None,
    max_depth: int,
    *,
    weights: NDArray[np.uint32] | None = None,
    leaf_cost: float = 0.0,
    min_leaf: int = 1,
    threads: int = 1,
    time_limit: float | None = None,
    table_bytes: int | None = None,
    progress: Callable[[float, float, float], object] | None = None,
) -> OptimalTree:
    """Find the tree of least cost.

    Columns are zeros and ones, packed or as a 2-D array of bytes, or a list of 1-D arrays of numbers.
    """
