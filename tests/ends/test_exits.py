"""One test for each row of the table of exit statuses in docs/setup.md."""

import fcntl
import os
import re
import signal
import struct
import subprocess
import termios
import time

import pytest
from guest_programs import built
from run_sh import COMMAND, run_sh

from fugu.paths import ROOT

TABLE = (ROOT / "docs" / "setup.md").read_text().partition("## Exit statuses")[2].partition("\n## ")[0]
ROWS = dict(re.findall(r"^\| (\d[\d.]*) \| (.*?) \|$", TABLE, re.MULTILINE))



SPINNER = 'puts("up"); for (;;) { }'


@pytest.fixture
def compiled(tmp_path):
    """compiled(text) -> a program for Glaze with that text as the body of main()."""
    def compile_it(text):
        (tmp_path / "program.c").write_text("#include <stdio.h>\nint main(void)\n{\n" + text + "\n}\n")
        run_sh("cc", "program.c", "-o", "program.elf", cwd=tmp_path, check=True)
        return tmp_path / "program.elf"
    return compile_it


def row(status):
    """The text of the row for a status, which must exist."""
    assert status in ROWS, f"no row for {status} in docs/setup.md"
    return ROWS[status]


@pytest.mark.parametrize("split", [(), ("--processes", "2")], ids=["one process", "two"])
class TestOfARun:
    def test_0_all_programs_are_done(self, split):
        assert "all nodes ended with 0" in row("0")
        done = run_sh(*split, "-n", "2", "whoami")
        assert (done.returncode, done.stderr) == (0, "")

    @pytest.mark.parametrize("status", [1, 2, 3, 119])
    def test_a_programs_own(self, split, status):
        assert "first non-zero status" in row("1..119")
        done = run_sh(*split, "-n", "2", "exitstatus", f"status={status}", "node=1")
        assert done.returncode == status
        assert f"node 1 ended with status {status}" in done.stderr

    def test_121_a_trace_on_a_full_disk(self, split):
        assert "trace" in row("121")
        done = run_sh(*split, "-n", "2", "--trace", "fugu_ni_*", "--trace-file", "/dev/full", "alltoall")
        assert done.returncode == 121
        assert "the trace file cannot be written" in done.stderr

    def test_124_timeout(self, split):
        assert "--timeout" in row("124")
        done = run_sh(*split, "-n", "2", "--timeout", "10000", "spin")
        assert done.returncode == 124
        assert "timeout" in done.stderr

    def test_125_deadlock(self, split):
        assert "deadlock" in row("125")
        done = run_sh(*split, "-n", "2", "deadlock")
        assert done.returncode == 125
        assert "deadlock" in done.stderr

    def test_126_error_mode(self, split):
        assert "error mode" in row("126")
        done = run_sh(*split, "-n", "2", "errormode", "node=1")
        assert done.returncode == 126
        assert "error mode" in done.stderr

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
    def test_130_a_signal(self, split, number, compiled):
        assert "Control-C" in row("130")
        process = subprocess.Popen([COMMAND, *split, "-n", "2", compiled(SPINNER)], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        try:
            assert process.stdout.readline() == b"up\n"
            process.send_signal(number)
            assert process.wait(30) == 130
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


PIPE = 4096         # bytes that a pipe has room for


@pytest.fixture
def chatterbox(compiled):
    """A program that prints lines for ever."""
    return compiled("for (int line = 0; ; line++) { printf(\"line %d\\n\", line); }")


def pipe(words, *, closed, lines):
    """Runs a command whose standard output or error, `closed`, is a pipe that closes after this many lines.

    Returns the status, and the text on the other of the two.
    """
    reader, writer = os.pipe()
    other = {"stdout": "stderr", "stderr": "stdout"}[closed]
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, **{closed: writer, other: subprocess.PIPE}) as process:
        os.close(writer)
        with open(reader, "rb") as opened:
            for _ in range(lines):
                assert opened.readline()
        try:
            rest = process.communicate(timeout=60)[other == "stderr"]
        finally:
            process.kill()
    return process.returncode, rest.decode()


def ended_with_full_pipe(program, full, settle=0.0):
    """The status of a run that a signal ends when its output has `full` bytes that nobody reads, and `settle` s later."""
    reader, writer = os.pipe()
    assert fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, PIPE) == PIPE
    with subprocess.Popen([COMMAND, "-n", "2", program], stdin=subprocess.DEVNULL, stdout=writer,
                          stderr=subprocess.DEVNULL) as process:
        os.close(writer)
        deadline = time.monotonic() + 60
        while struct.unpack("i", fcntl.ioctl(reader, termios.FIONREAD, bytes(4)))[0] < full:
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.01)
        time.sleep(settle)
        process.send_signal(signal.SIGTERM)
        try:
            return process.wait(30)
        finally:
            process.kill()
            os.close(reader)


def test_130_with_a_reader_that_does_not_read(chatterbox):
    """A signal ends the machine while it waits for room in a full pipe."""
    assert ended_with_full_pipe(chatterbox, PIPE - 64) == 130


def test_130_with_a_line_that_is_not_complete(compiled):
    """Nor does the machine's end wait for room, when it prints what each node has of a line."""
    program = compiled(f"""for (int line = 0; line < {PIPE // 2 // 64}; line++) {{ printf("%063d\\n", line); }}
                           printf("more"); fflush(stdout); for (;;) {{ }}""")
    assert ended_with_full_pipe(program, PIPE, settle=0.5) == 130


@pytest.mark.parametrize("split", [(), ("--processes", "2")], ids=["one process", "two"])
class TestOfAReaderThatHasGone:
    """With `| head -1`, a program that prints for ever ends with 141 and no message."""

    @pytest.mark.parametrize("lines", [0, 1, 5000])
    def test_141_of_the_console(self, split, chatterbox, lines):
        assert "nothing reads the output" in row("141")
        words = [COMMAND, *split, "-n", "2", "--digest", chatterbox]
        assert pipe(words, closed="stdout", lines=lines) == (141, "")

    def test_141_of_the_last_line(self, split):
        """The machine writes all output at the very end, with the digest last."""
        words = [COMMAND, *split, "-n", "2", "--digest", "whoami"]
        assert pipe(words, closed="stdout", lines=0) == (141, "")

    def test_141_of_a_trace(self, split):
        words = [COMMAND, *split, "-n", "2", "--trace", "fugu_ni_*", "alltoall", "messages=1000000"]
        status, output = pipe(words, closed="stderr", lines=1)
        assert (status, output) == (141, "") if not split else status in (120, 141)

    def test_121_output_on_a_full_disk(self, split, chatterbox):
        assert "the output itself" in row("121")
        with open("/dev/full", "wb") as full:
            done = run_sh(*split, "-n", "2", chatterbox, stdout=full)
        assert done.returncode == 121
        assert re.fullmatch(r"fugu: the output cannot be written any more, at cycle \d+: is the disk full\?\n",
                            done.stderr)

    def test_121_digest_on_a_full_disk(self, split):
        """The digest is all that the run writes."""
        with open("/dev/full", "wb") as full:
            done = run_sh(*split, "-n", "2", "--digest", "null", stdout=full)
        assert done.returncode == 121 and "the output cannot be written any more" in done.stderr

    def test_121_errors_on_a_full_disk(self, split):
        with open("/dev/full", "wb") as full:
            done = run_sh(*split, "-n", "2", built("libos/streams"), "errors", stderr=full)
        assert done.returncode == 121


def test_launchers_output_that_cannot_be_written():
    for words in (["apps"], ["--help"], ["bench", "--list"]):
        assert pipe([COMMAND, *words], closed="stdout", lines=0) == (141, "")
        with open("/dev/full", "wb") as full:
            done = run_sh(*words, stdout=full)
        assert (done.returncode, done.stderr) == (121, "fugu: the output cannot be written: No space left on device\n")


@pytest.mark.parametrize("words", [("-n", "2", "whoami"), ("-n", "2", "--processes", "2", "whoami"), ("apps",)],
                         ids=" ".join)
def test_closed_standard_files(words):
    """Closed standard output is an error. Closed input and errors make no difference."""
    def run(closed):
        return subprocess.run(["bash", "-c", f'exec "$@" {closed}', "bash", COMMAND, *words],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    done = run(">&-")
    assert done.returncode == 121
    assert done.stderr.startswith("fugu: the output cannot be written") and done.stderr.count("\n") == 1
    assert subprocess.run(["bash", "-c", 'exec "$0" nosuch 2>&-', COMMAND], timeout=60).returncode == 2
    for closed in ("<&-", "2>&-", "<&- 2>&-"):
        assert run(closed).returncode == 0 and run(closed).stdout == run("").stdout


@pytest.mark.parametrize("more", [("--qemu-arg=-nonsense",), ("--qemu-arg=-drive", "--qemu-arg=file=/nowhere/d.img"),
                                  ("--qemu-arg=-global", "--qemu-arg=fugu-console.script=/nowhere/s")])
def test_122_qemu_refuses(more):
    assert "did not start" in row("122")
    done = run_sh("-n", "2", *more, "whoami")
    assert done.returncode == 122
    assert done.stdout == "" and done.stderr.endswith("\nfugu: the machine did not start\n")


def test_120_a_process_that_never_comes(tmp_path):
    assert "another process" in row("120")
    secret = tmp_path / "secret"
    secret.write_text("0123456789abcdef")
    secret.chmod(0o600)
    done = run_sh("--hosts", "here,there", "--listen", "127.0.0.1:0", "--link-timeout", "0.3", "--secret-file", secret,
                  "whoami")
    assert done.returncode == 120
    assert re.search(r"^fugu: process 1 ", done.stderr, re.MULTILINE)


@pytest.mark.parametrize("transport", ["shm", "unix", "tcp"])
def test_120_a_process_that_dies_at_its_start(tmp_path, transport):
    """The hub does not wait for a process that died before it joined, though --link-timeout is long."""
    disk = tmp_path / "disk.qcow2"
    disk.write_bytes(b"QFI\xfb")
    done = run_sh("--processes", "2", "--transport", transport, "--link-timeout", "600", "--disk", f"7={disk}",
                  "whoami")
    assert done.returncode == 120
    assert re.findall(r"^fugu: (.*)$", done.stderr, re.MULTILINE) == [
        "the machine did not start", "process 1 (nodes 4 to 7) has gone"]


def test_2_a_command_line_that_makes_no_sense():
    assert "command line" in row("2")
    assert run_sh("-n", "0").returncode == 2


def test_3_a_set_up_that_failed(tmp_path):
    assert "set-up" in row("3")
    env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "FUGU_CACHE": str(tmp_path / "cache"),
           "FUGU_BUILD": str(tmp_path / "build")}
    done = run_sh("setup", "--toolchain", tmp_path, env=env)
    assert done.returncode == 3
    assert done.stderr.startswith("fugu: ")


def test_127_a_mistake_in_the_launcher(monkeypatch, capsys):
    from fugu.cli import main as cli

    assert "mistake in the launcher" in row("127")
    monkeypatch.setattr(cli, "_dispatch", lambda words: 1 // 0)
    assert cli.main([]) == 127
    assert "Traceback" in capsys.readouterr().err


def test_help_has_the_same_statuses():
    from fugu.cli.help import STATUSES

    assert sorted(re.findall(r"(?:^|  )(\d[\d.]*)  +\S", STATUSES, re.MULTILINE)) == sorted(
        "0..119" if status == "0" else status for status in ROWS if status != "1..119")
