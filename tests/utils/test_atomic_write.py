"""Writing whole files or nothing."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from treewright._utils import atomic_write as _atomic
from treewright._utils.atomic_write import write, writing

posix = pytest.mark.skipif(
    sys.platform == "win32", reason="modes, links, pipes and locks are POSIX's"
)
not_root = pytest.mark.skipif(
    hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write anywhere"
)


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


def dead_temp(folder: Path, digits: str = "0123456789abcdef") -> Path:
    temp = folder / f".treewright-{digits}.tmp"
    temp.write_bytes(b"half")
    return temp


def test_a_new_file_and_a_replaced_one(tmp_path: Path) -> None:
    path = tmp_path / "m.tree"
    for data in (b"one", b"", b"x" * 1_000_000):
        write(path, data)
        assert path.read_bytes() == data
    assert names(tmp_path) == ["m.tree"]


@posix
def test_a_new_file_has_the_mode_of_any_new_file(tmp_path: Path) -> None:
    for mask in (0o022, 0o077, 0o002):
        before = os.umask(mask)
        try:
            write(tmp_path / f"{mask}", b"x")
        finally:
            os.umask(before)
        assert stat.S_IMODE((tmp_path / f"{mask}").stat().st_mode) == 0o666 & ~mask


@posix
def test_a_replaced_file_keeps_its_mode_and_is_private_until_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.tree"
    path.write_bytes(b"old")
    path.chmod(0o640)
    seen = []
    fchmod = os.fchmod

    def watch(descriptor: int, mode: int) -> None:
        seen.append(stat.S_IMODE(os.fstat(descriptor).st_mode))
        fchmod(descriptor, mode)

    monkeypatch.setattr(os, "fchmod", watch)
    write(path, b"new")
    assert seen == [0o600]
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    # Where the mode is right already, a file system that cannot change modes is not asked to.
    path.chmod(0o600)
    write(path, b"newer")
    assert seen == [0o600]


@posix
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target = tmp_path / "there" / "m.tree"
    link = tmp_path / "link.tree"
    link.symlink_to(target)
    for data in (b"through a link to nothing", b"through a link to a file"):
        write(link, data)
        assert link.is_symlink()
        assert target.read_bytes() == data
    assert names(tmp_path) == ["link.tree", "there"]
    assert names(tmp_path / "there") == ["m.tree"]


@posix
def test_what_cannot_be_replaced_is_named(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "file").write_bytes(b"old")
    before = names(tmp_path)
    for name, number, words in [
        ("folder", errno.EISDIR, "this is a directory"),
        ("missing/m.tree", errno.ENOENT, "there is no such directory"),
        ("pipe", errno.EINVAL, "a device or a pipe"),
        ("loop", errno.ELOOP, "this link leads to itself"),
        ("file/m.tree", errno.ENOTDIR, "Not a directory"),
        ("x" * 256, errno.ENAMETOOLONG, "too long"),
        ("/dev/full", errno.EINVAL, "a device or a pipe"),
    ]:
        path = os.path.join(tmp_path, name)
        with pytest.raises(OSError, match=words) as caught:
            write(path, b"new")
        assert caught.value.errno == number
        assert caught.value.filename == path
    assert names(tmp_path) == before
    assert (tmp_path / "file").read_bytes() == b"old"


@posix
@not_root
def test_read_only_files_and_directories_are_respected(tmp_path: Path) -> None:
    path = tmp_path / "m.tree"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(PermissionError, match="read-only"):
        write(path, b"new")
    tmp_path.chmod(0o555)
    try:
        with pytest.raises(PermissionError) as caught:
            write(tmp_path / "other.tree", b"new")
    finally:
        tmp_path.chmod(0o755)
    assert caught.value.filename == str(tmp_path / "other.tree")
    assert path.read_bytes() == b"old"


@posix
@pytest.mark.parametrize("name", [b"x" * 255, b"\xff\xfe.tree", b" ", b"-rf", b"a\nb"])
def test_odd_names(tmp_path: Path, name: bytes) -> None:
    path = os.path.join(tmp_path, os.fsdecode(name))
    write(path, b"one")
    write(path, b"two")
    assert os.listdir(os.fsencode(tmp_path)) == [name]
    assert Path(path).read_bytes() == b"two"


@posix
@pytest.mark.parametrize("step", ["fchmod", "fsync", "replace"])
@pytest.mark.parametrize(
    "failure", [OSError(errno.EIO, "Input/output error"), KeyboardInterrupt(), MemoryError()]
)
def test_a_failure_at_any_step_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, failure: BaseException
) -> None:
    path = tmp_path / "m.tree"
    path.write_bytes(b"old")
    path.chmod(0o644)

    def fail(*_: object) -> None:
        raise failure

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(type(failure)) as caught:
        write(path, b"new")
    if isinstance(failure, OSError):
        assert getattr(caught.value, "filename", None) == str(path)
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["m.tree"]


@posix
def test_the_disk_has_the_bytes_before_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, done = tmp_path / "m.tree", []
    fsync, replace = os.fsync, os.replace

    def watched_fsync(descriptor: int) -> None:
        kind = "directory" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file"
        done.append((kind, os.fstat(descriptor).st_size if kind == "file" else 0, path.exists()))
        fsync(descriptor)

    def watched_replace(source: str, target: str) -> None:
        done.append(("name", Path(source).stat().st_size, path.exists()))
        replace(source, target)

    monkeypatch.setattr(os, "fsync", watched_fsync)
    monkeypatch.setattr(os, "replace", watched_replace)
    write(path, b"x" * 100_000)
    assert done == [("file", 100_000, False), ("name", 100_000, False), ("directory", 0, True)]


@posix
@pytest.mark.parametrize("number", [errno.EINVAL, errno.EIO])
def test_a_directory_that_cannot_be_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    path, fsync = tmp_path / "m.tree", os.fsync

    def fail_for_directories(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(number, os.strerror(number))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", fail_for_directories)
    if number == errno.EINVAL:  # the file system has no such thing
        write(path, b"new")
    else:
        with pytest.raises(OSError, match="Input/output") as caught:
            write(path, b"new")
        assert caught.value.errno == number
    assert path.read_bytes() == b"new"
    assert names(tmp_path) == ["m.tree"]


@posix
def test_temps_of_dead_writers_go_and_everything_else_stays(tmp_path: Path) -> None:
    import fcntl

    dead_temp(tmp_path)
    alive = dead_temp(tmp_path, "a" * 16)
    others = [
        ".treewright-0.tmp",
        ".treewright-0123456789ABCDEF.tmp",
        "treewright-0123456789abcdef.tmp",
    ]
    for name in others:
        (tmp_path / name).write_bytes(b"somebody's")
    os.mkfifo(tmp_path / f".treewright-{'b' * 16}.tmp")
    (tmp_path / f".treewright-{'c' * 16}.tmp").symlink_to(tmp_path / others[0])
    (tmp_path / f".treewright-{'d' * 16}.tmp").mkdir()
    kept = [*others, alive.name, *(f".treewright-{c * 16}.tmp" for c in "bcd")]
    with alive.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        write(tmp_path / "m.tree", b"new")
        assert names(tmp_path) == sorted([*kept, "m.tree"])
    write(tmp_path / "m.tree", b"new")
    assert names(tmp_path) == sorted([*set(kept) - {alive.name}, "m.tree"])


@posix
def test_a_temp_taken_for_dead_before_it_was_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock, stolen = _atomic._lock, []

    def steal_first(descriptor: int, *, wait: bool) -> bool:
        if wait and not stolen:
            stolen.extend(names(tmp_path))
            os.unlink(tmp_path / stolen[0])
        return lock(descriptor, wait=wait)

    monkeypatch.setattr(_atomic, "_lock", steal_first)
    write(tmp_path / "m.tree", b"new")
    assert len(stolen) == 1
    assert names(tmp_path) == ["m.tree"]


@posix
def test_where_locks_do_not_work_no_temp_is_taken_for_dead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    def fail(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    temp = dead_temp(tmp_path)
    monkeypatch.setattr(fcntl, "flock", fail)
    write(tmp_path / "m.tree", b"new")
    assert names(tmp_path) == [temp.name, "m.tree"]


def test_pieces_appear_together(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_bytes(b"old")
    with writing(path) as append:
        for piece in (b"a" * 100_000, b"", b"b"):
            append(piece)
            assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"a" * 100_000 + b"b"
    assert names(tmp_path) == ["long.csv"]


@pytest.mark.parametrize("failure", [KeyboardInterrupt(), FileNotFoundError(2, "gone", "input")])
def test_a_failure_between_the_pieces_is_the_callers_own(
    tmp_path: Path, failure: BaseException
) -> None:
    def stop_halfway(append: Callable[[bytes], object]) -> None:
        append(b"a" * 100_000)
        raise failure

    with pytest.raises(type(failure)) as caught, writing(tmp_path / "long.csv") as append:
        stop_halfway(append)
    assert caught.value is failure
    assert names(tmp_path) == []


@posix
def test_a_disk_that_is_full_is_told_with_the_name_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = _atomic._create

    def on_a_full_disk(folder: str, *, private: bool) -> tuple[str, object]:
        temp, file = create(folder, private=private)
        file.close()
        return temp, open("/dev/full", "wb")

    if not os.path.exists("/dev/full"):
        pytest.skip("/dev/full is Linux's")
    monkeypatch.setattr(_atomic, "_create", on_a_full_disk)
    path = tmp_path / "long.csv"
    for size in (10, 100_000):  # noticed when the file is finished, or at once
        with pytest.raises(OSError, match="No space left") as caught, writing(path) as append:
            append(b"a" * size)
        assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, str(path))
        assert names(tmp_path) == []
