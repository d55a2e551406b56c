"""The command as a process: how fast it starts, pipes, encodings, signals, a closed or full output."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from helpers.cli_run import TENNIS, command, run, start
from treewright.cli.main import cli

pytestmark = pytest.mark.slow

posix = pytest.mark.skipif(os.name == "nt", reason="signals, pipes and devices of POSIX")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("process")
    (path / "tennis.csv").write_text(TENNIS)
    (path / "größe.csv").write_text("größe,Ж\nkühl,да\nwarm,нет\nkühl,да\n", encoding="utf-8")
    run("fit", path / "tennis.csv", "-t", "PlayTennis", "-o", path / "m.tree")
    rows = "".join(TENNIS.splitlines(keepends=True)[1:]) * 10_000
    (path / "long.csv").write_text(TENNIS.splitlines()[0] + "\n" + rows)
    return path


def test_it_is_a_program_and_a_module(folder: Path) -> None:
    program = Path(sys.executable).with_name("treewright")
    expected = start("data").stdout
    assert expected.startswith(b"table ")
    if program.exists():
        assert subprocess.run([program, "data"], capture_output=True, check=True).stdout == expected


@posix
def test_a_reader_that_leaves_early_is_no_error(folder: Path) -> None:
    line = f"{' '.join(command('predict', 'm.tree', 'long.csv', '--keep-columns'))} | head -n 2"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        cwd=folder,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.count(b"\n") == 2
    assert (done.returncode, done.stderr) == (0, b"")


@posix
def test_a_model_is_saved_though_its_reader_leaves_early(folder: Path) -> None:
    """``fit -o MODEL | head`` lost the model: it was printed and measured first."""
    fit = " ".join(command("fit", "breast-cancer", "--prune", "none", "-o", "piped.tree"))
    subprocess.run(
        ["bash", "-c", f"{fit} | head -n 1"],
        cwd=folder,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (folder / "piped.tree").exists()


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "cp437", "ascii", "utf-16"])
def test_every_stream_can_carry_it(
    folder: Path, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("TERM", "xterm")
    for args, code in (
        (["fit", "größe.csv", "-t", "Ж", "-a", "id3"], 0),
        (["inspect", "größe.csv"], 0),
        (["fit", "größe.csv", "-t", "лишний"], 3),
        (["fit", "größe.csv", "-t", "Ж", "--color", "always", "--cv", "2"], 0),
    ):
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding) for _ in range(2))
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", err)
        with pytest.raises(SystemExit) as end:
            cli.main(args)
        monkeypatch.undo()
        assert end.value.code == code
        shown = out.detach().getvalue().decode(encoding)
        if args[4:] == ["-a", "id3"]:
            assert ("├─ kühl → да" in shown) == (encoding in ("utf-8", "utf-16"))
            assert ("|-- k\\xfchl => \\u0434\\u0430" in shown) == (encoding == "ascii")
            assert ("|-- kühl => \\u0434\\u0430" in shown) == encoding.startswith("cp")
        monkeypatch.chdir(folder)
        monkeypatch.setenv("TERM", "xterm")


def test_a_code_page_in_a_real_process(folder: Path) -> None:
    args = ["fit", "größe.csv", "-t", "Ж", "-a", "id3"]
    done = start(*args, cwd=folder, env={"PYTHONIOENCODING": "cp437"})
    assert (done.returncode, done.stderr) == (0, b"")
    assert "|-- kühl => \\u0434\\u0430" in done.stdout.decode("cp437")


def test_data_for_programs_is_utf_8_everywhere(folder: Path) -> None:
    run("fit", folder / "größe.csv", "-t", "Ж", "-o", folder / "g.tree")
    args = ["predict", "g.tree", "größe.csv", "--keep-columns"]
    done = start(*args, cwd=folder, env={"PYTHONIOENCODING": "cp1252"})
    assert done.stdout.decode("utf-8").splitlines()[1] == "kühl,да,да"


def test_dumb_terminals_get_ascii(folder: Path) -> None:
    assert "|-- Overcast => Yes" in run("show", folder / "m.tree", TERM="dumb").stdout


@posix
@pytest.mark.parametrize(
    ("args", "redirection", "code"),
    [
        (["data", "golf"], ">&-", 0),
        (["fit", "tennis.csv", "-t", "PlayTennis"], ">&- 2>&- <&-", 0),
        (["fit", "x.csv"], "2>&-", 3),
        (["inspect", "-"], "<&-", 2),
        (["fit", "play-tennis"], "2>/dev/full", 0),
    ],
)
def test_closed_and_full_streams(
    folder: Path, args: list[str], redirection: str, code: int
) -> None:
    line = f"{' '.join(command(*args))} {redirection}"
    # As users have it: without this variable, Python writes buffers once more when it ends.
    environment = {name: os.environ[name] for name in os.environ if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(
        ["sh", "-c", line],
        cwd=folder,
        env=environment,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == code
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="/dev/full is Linux's")
def test_a_full_disk_is_one_sentence(folder: Path) -> None:
    with open("/dev/full", "wb") as full:
        for args in (["data", "golf"], ["predict", "m.tree", "long.csv"]):
            done = subprocess.run(
                command(*args),
                cwd=folder,
                stdout=full,
                stderr=subprocess.PIPE,
                timeout=60,
                check=False,
            )
            assert done.returncode == 3
            said = "error: standard output: No space left on device  [file]\n"
            assert done.stderr.decode() == said
    for args in (["data", "golf"], ["predict", "m.tree", "long.csv"]):
        done = start(*args, "-o", "/dev/full", cwd=folder)
        said = "error: /dev/full: No space left on device  [file]\n"
        assert (done.returncode, done.stderr.decode()) == (3, said)


@posix
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)]
)
def test_signals_leave_nothing_behind(folder: Path, number: signal.Signals, code: int) -> None:
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip(f"{number.name} is ignored here, as under nohup")
    place = folder / number.name
    place.mkdir()
    process = subprocess.Popen(
        command("predict", "../m.tree", "-", "-o", "out.csv"),
        cwd=place,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdin is not None
    process.stdin.write((folder / "long.csv").read_bytes())
    process.stdin.flush()
    deadline = time.monotonic() + 30
    while not list(place.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(list(place.iterdir())) == 1
    process.send_signal(number)
    if number == signal.SIGINT:
        time.sleep(0.02)
        process.send_signal(number)
    _, said = process.communicate(timeout=30)
    assert process.returncode == code
    assert b"Traceback" not in said
    assert list(place.iterdir()) == []


@posix
def test_a_fit_that_is_interrupted_while_it_is_measured_keeps_the_model(folder: Path) -> None:
    process = subprocess.Popen(
        command("fit", "long.csv", "-t", "PlayTennis", "--cv", "5000", "-o", "cut.tree"),
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    while b"leaves" not in (line := process.stdout.readline()) and line:
        pass  # the tree is drawn before the folds are learnt
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert (process.returncode, b"Traceback" in said) == (130, False)
    assert b"saved cut.tree" in said
    run("show", folder / "cut.tree")  # it is complete


@posix
def test_notes_wrap_and_bars_appear_on_a_terminal_only(folder: Path) -> None:
    import pty

    code = "import time, treewright.cli.app.progress as p; p.DELAY = 0.0; from treewright.cli import main; main()"
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", code, "fit", "tennis.csv", "-t", "PlayTennis"],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=slave,
        env=os.environ | {"COLUMNS": "80", "TERM": "xterm", "NO_COLOR": "1"},
    )
    os.close(slave)
    out, _ = process.communicate(timeout=30)
    shown = b""
    try:
        while piece := os.read(master, 4096):
            shown += piece
    except OSError:
        pass
    os.close(master)
    assert process.returncode == 0
    text = shown.decode().replace("\r\n", "\n")
    assert text.startswith('note: column "Day" is ignored because every row has a different value.')
    assert "\n      " in text
    assert "leave-one-out" in text
    assert "\x1b[36m" not in text
    assert b"by leave-one-out        7 of 14" in out
