"""Values as JSON and back: numbers, text, arrays, and the containers of Python, told apart by tags.

JSON's own values stand for themselves, and a list for a list. Everything else is an object of one key, its tag, such as
``{"tuple": [...]}``. Reading builds nothing but these types, whatever the text says; objects of other classes go
through a function of the caller.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["NotPlainError", "from_plain", "to_plain"]

MAX_DEPTH = 40  # of containers in containers
NUMBERS = "biuf"  # kinds of arrays that are stored as bytes
# Types that are values of parameters, such as dtype=float.
TYPES = {t.__name__: t for t in (bool, float, int, object, str)}
ABSTRACT = ("number", "integer", "floating", "bool_", "object_", "str_")

Write = Callable[[Any, Callable[[Any], Any]], Any]
Read = Callable[[Mapping[str, Any], Callable[[Any], Any]], Any]


class NotPlainError(TypeError):
    """A value that a file cannot hold."""


def to_plain(value: Any, write_object: Write, depth: int = 0) -> Any:
    """Return a value as JSON; ``write_object`` is called for an object of any other class.

    Examples
    --------
    >>> to_plain((1, math.nan, {2: "b"}), lambda value, again: None)
    {'tuple': [1, {'float': 'nan'}, {'dict': [[2, 'b']]}]}
    """
    if depth > MAX_DEPTH:
        raise NotPlainError("it is nested too deeply")

    def again(item: Any) -> Any:
        return to_plain(item, write_object, depth + 1)

    if value is None or type(value) in (bool, int, str):
        return value
    if type(value) is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    if type(value) is list:
        return [again(item) for item in value]
    if type(value) in (tuple, set, frozenset):
        items = value if type(value) is tuple else sorted(value, key=repr)
        return {"tuple": [again(item) for item in items]}
    if type(value) is dict:
        return {"dict": [[again(key), again(item)] for key, item in value.items()]}
    if type(value) is slice:
        return {"slice": [again(part) for part in (value.start, value.stop, value.step)]}
    if isinstance(value, type):
        return {"type": _name_of_type(value)}
    if isinstance(value, np.dtype):
        return {"dtype": _name_of_dtype(value)}
    if isinstance(value, np.generic):
        return {"scalar": _write_array(np.asarray(value), again)}
    if isinstance(value, np.ma.MaskedArray):
        parts = [_write_array(np.asarray(part), again) for part in (value.data, value.mask)]
        return {"masked": [*parts, again(value.fill_value)]}
    if type(value) is np.ndarray:
        return {"array": _write_array(value, again)}
    return write_object(value, again)


def from_plain(plain: Any, read_object: Read, depth: int = 0) -> Any:
    """Return the value that :func:`to_plain` wrote; ``read_object`` is called for a tag of the caller's own.

    Examples
    --------
    >>> from_plain({"tuple": [1, {"dict": [[2, "b"]]}]}, lambda plain, again: None)
    (1, {2: 'b'})
    """
    if depth > MAX_DEPTH:
        raise ValueError("it is nested too deeply")

    def again(item: Any) -> Any:
        return from_plain(item, read_object, depth + 1)

    if isinstance(plain, list):
        return [again(item) for item in plain]
    if not isinstance(plain, Mapping):
        return plain
    if len(plain) != 1:
        return read_object(plain, again)
    ((tag, content),) = plain.items()
    read = READERS.get(tag)
    return read_object(plain, again) if read is None else read(content, again)


def _name_of_type(value: type) -> str:
    if TYPES.get(value.__name__) is value:
        return value.__name__
    if issubclass(value, np.generic):
        return value.__name__
    raise NotPlainError(f"the class {value.__name__}")


def _read_type(name: Any, again: Any) -> type:
    if name in TYPES:
        return TYPES[name]
    if name in ABSTRACT:
        kind: type = getattr(np, name)
        return kind
    return _dtype(name).type


def _name_of_dtype(dtype: np.dtype[Any]) -> str:
    if dtype.kind not in f"{NUMBERS}UO" or not isinstance(dtype, np.dtype) or dtype.fields:
        raise NotPlainError(f"an array of the type {dtype}")
    return {"O": "object", "U": "str"}.get(dtype.kind) or dtype.newbyteorder("<").str


def _dtype(name: Any) -> np.dtype[Any]:
    dtype: np.dtype[Any] = np.dtype(str(name))
    if dtype.kind not in f"{NUMBERS}UO" or dtype.fields or dtype.subdtype:
        raise ValueError(f"an array is of the type {name!r:.40}")
    return dtype


def _write_array(array: NDArray[Any], again: Any) -> list[Any]:
    name = _name_of_dtype(array.dtype)
    if array.dtype.kind in NUMBERS:
        data = np.ascontiguousarray(array, dtype=name).tobytes()
        return [name, list(array.shape), base64.b64encode(data).decode("ascii")]
    return [name, list(array.shape), [again(item) for item in array.ravel().tolist()]]


def _read_array(content: Any, again: Any) -> NDArray[Any]:
    name, shape, data = content
    dtype = _dtype(name)
    if dtype.kind in NUMBERS:
        raw = base64.b64decode(data, validate=True)
        # A copy that belongs to the model, in the byte order of the machine.
        array = np.frombuffer(raw, dtype=dtype).astype(dtype.newbyteorder("="))
    elif dtype.kind == "U":  # as long as the longest text, whatever the file says
        array = np.array([str(item) for item in data], dtype=np.str_)
    else:
        array = np.empty(len(data), dtype=object)
        array[:] = [again(item) for item in data]
    return array.reshape([int(size) for size in shape])


def _read_scalar(content: Any, again: Any) -> Any:
    array = _read_array(content, again)
    if array.shape != ():
        raise ValueError("a number is an array")
    return array[()]


def _read_masked(content: Any, again: Any) -> Any:
    data, mask, fill = content
    return np.ma.MaskedArray(
        _read_array(data, again), mask=_read_array(mask, again), fill_value=again(fill)
    )


def _read_float(content: Any, again: Any) -> float:
    if content not in ("nan", "inf", "-inf"):
        raise ValueError("a number is written in another way")
    return float(content)


def _read_dict(content: Any, again: Any) -> dict[Any, Any]:
    return {again(key): again(item) for key, item in content}


READERS: dict[str, Callable[[Any, Any], Any]] = {
    "array": _read_array,
    "dict": _read_dict,
    "dtype": lambda name, again: _dtype(name),
    "float": _read_float,
    "masked": _read_masked,
    "scalar": _read_scalar,
    "slice": lambda parts, again: slice(*(again(part) for part in parts)),
    "tuple": lambda items, again: tuple(again(item) for item in items),
    "type": _read_type,
}
