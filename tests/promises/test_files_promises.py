"""Model files: a save is atomic whatever happens, and loading runs no code.

The hard cases run in a process of their own, which is forked, killed, limited or watched.
"""

from __future__ import annotations

import errno
import os
import pickle
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from treewright import ID3Classifier, ModelFileError, datasets, load, save
from treewright.files import to_bytes

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals, forks and limits are POSIX's")


def run(script: str, *arguments: object) -> str:
    """Run a script in a new interpreter, with warnings as errors, and return its output."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(script), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def model() -> Any:
    return ID3Classifier().fit(*datasets.play_tennis())


@posix
def test_a_killed_writer_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    script = """
        import os, random, signal, sys, time
        from treewright._utils.atomic_write import write
        folder = sys.argv[1]
        path = os.path.join(folder, "m.tree")
        versions = [bytes([i]) * 200_000 for i in range(2)]
        write(path, versions[0])
        random.seed(0)
        found = [0, 0]
        left = 0
        for _ in range(150):
            child = os.fork()
            if child == 0:
                while True:
                    write(path, versions[1])
                    write(path, versions[0])
            time.sleep(random.random() * 0.012)
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            with open(path, "rb") as file:
                found[versions.index(file.read())] += 1  # ValueError if it is neither
            temps = [name for name in os.listdir(folder) if name != "m.tree"]
            assert len(temps) <= 1, temps
            left += len(temps)
        write(path, versions[0])
        assert os.listdir(folder) == ["m.tree"]
        print(min(found), left)
    """
    fewest, left = map(int, run(script, tmp_path).split())
    assert fewest > 0, "both versions were seen"
    assert left > 0, "some writers were killed in the middle"


@posix
def test_a_full_disk_leaves_the_old_file(model: Any, tmp_path: Path) -> None:
    import resource

    path = tmp_path / "m.tree"
    save(model, path)
    before = path.read_bytes()
    other = ID3Classifier(max_depth=1).fit(*datasets.play_tennis())
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    for limit in (0, 1, 512, len(to_bytes(other)) - 1):
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
        try:
            with pytest.raises(OSError, match="too large") as caught:
                save(other, path)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert caught.value.errno == errno.EFBIG
        assert caught.value.filename == str(path)
        assert os.listdir(tmp_path) == ["m.tree"]
        assert path.read_bytes() == before
    save(other, path)
    assert path.read_bytes() == to_bytes(other)


@pytest.mark.slow
@posix
def test_readers_beside_many_writers_read_whole_files(tmp_path: Path) -> None:
    script = """
        import os, sys, time
        from treewright._utils.atomic_write import write
        folder = sys.argv[1]
        path = os.path.join(folder, "m.tree")
        versions = {bytes([i]) * (50_000 + i) for i in range(4)}
        write(path, min(versions))
        end = time.monotonic() + 1.5
        children = []
        for i in range(8):
            child = os.fork()
            if child == 0:
                done = 0
                while time.monotonic() < end:
                    if i % 2:
                        write(path, bytes([i // 2]) * (50_000 + i // 2))
                    else:
                        with open(path, "rb") as file:
                            assert file.read() in versions
                    done += 1
                os._exit(0 if done > 5 else 3)
            children.append(child)
        print({os.waitpid(child, 0)[1] for child in children}, os.listdir(folder))
    """
    assert run(script, tmp_path) == "{0} ['m.tree']"


@pytest.mark.slow
def test_loading_runs_imports_and_writes_nothing(model: Any, tmp_path: Path) -> None:
    good = tmp_path / "good.tree"
    save(model, good)
    data = good.read_bytes()
    (tmp_path / "cut.tree").write_bytes(data[:-1])
    (tmp_path / "changed.tree").write_bytes(data.replace(b"ID3", b"ID4"))
    (tmp_path / "sealed.tree").write_bytes(
        model._forest.to_bytes(model._document().replace("ID3Classifier", "os.system"))
    )
    (tmp_path / "evil.tree").write_bytes(pickle.dumps(Evil(str(tmp_path / "ran"))))
    (tmp_path / "text.tree").write_text("import os; os.system('true')")
    script = """
        import glob, os, sys
        from treewright import ModelFileError, load
        paths = sorted(glob.glob(os.path.join(sys.argv[1], "*.tree")))
        allowed = {"builtins.id", "object.__getattr__", "sys._getframe"}  # they only look something up
        def try_all():
            loaded = 0
            for path in paths:
                try:
                    load(path)
                    loaded += 1
                except ModelFileError:
                    pass
            return loaded
        try_all()  # imports happen once, whatever the files contain
        seen = set()
        def watch(event, arguments):
            reading = event == "open" and not arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
            if not reading and event not in allowed:
                seen.add(event)
        sys.addaudithook(watch)
        loaded = [try_all() for _ in range(50)]
        watching, seen = seen, set()
        print(len(paths), set(loaded), watching)
        exec("1")
        assert {"exec", "compile"} <= seen, "the watch was awake"
    """
    assert run(script, tmp_path) == "6 {1} set()"
    assert not (tmp_path / "ran").exists()


class Evil:
    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (self.path,)


def test_a_pickle_with_changed_bytes_is_refused(model: Any) -> None:
    pickled, data = pickle.dumps(model), to_bytes(model)
    assert pickled == pickle.dumps(model)
    start = pickled.index(data)
    for at in range(start, start + len(data), 7):
        changed = bytearray(pickled)
        changed[at] ^= 0x40
        with pytest.raises(ModelFileError, match=r"model\.(damaged|not-a-model)"):
            pickle.loads(bytes(changed))


def test_a_file_overwritten_after_loading_changes_nothing(model: Any, tmp_path: Path) -> None:
    X, _ = datasets.play_tennis()
    path = tmp_path / "m.tree"
    save(model, path)
    loaded = load(path)
    with path.open("r+b") as file:
        file.write(b"\xff" * len(to_bytes(model)))
    assert to_bytes(loaded) == to_bytes(model)
    assert (loaded.predict(X) == model.predict(X)).all()
