"""Standard input, output and error of a program, and the files that it writes, as a user of ./run.sh sees them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from guest_programs import built
from run_sh import COMMAND, run_sh

STREAMS, FILES = built("libos/streams"), built("libos/files")
# One node; more nodes than processes; a process without node 0.
SPLITS = pytest.mark.parametrize("split", [("-n", 1), ("-n", 3), ("-n", 3, "--processes", 2)], ids=str)
INPUT = "first\n" + 600 * "x" + "\n\nthe end"


@pytest.fixture
def given(tmp_path):
    """given(text) -> an open file with that text."""
    def make(text):
        (tmp_path / "given").write_text(text)
        return open(tmp_path / "given")
    return make


def digest(text):
    return re.search(r"^digest: (\w+)$", text, re.MULTILINE)[1]


# ---- output --------------------------------------------------------------------

def test_one_node_passes_bytes_as_they_are(given):
    done = run_sh("-n", 1, STREAMS, "copy", stdin=given(INPUT))
    assert (done.returncode, done.stdout, done.stderr) == (0, INPUT, "")


def test_lines_of_several_nodes_end_at_512_bytes():
    first, second, half = run_sh("-n", 2, STREAMS, "long").stdout.split("\n")[:3]
    assert len(first) == 512 and len(second) in (488, 512) and half


def test_raw_adds_nothing():
    done = run_sh("-n", 2, "--raw", STREAMS, "long")
    assert len(done.stdout) == 2 * (1000 + 1 + 4) and done.stdout.count("\n") == 2


@SPLITS
def test_standard_error_is_apart(split):
    done = run_sh(*split, "--label", STREAMS, "errors")
    for text, name in ((done.stdout, "out"), (done.stderr, "error")):
        for node in range(split[1]):
            lines = re.findall(rf"^\[{node} job 1 @\d+\] ({name} \d) of node {node}$", text, re.MULTILINE)
            assert lines == [f"{name} {i}" for i in range(3)]
        assert text.count("\n") == 3 * split[1]


def test_digest_has_a_line():
    assert "\nhalf\ndigest: " in run_sh("-n", 1, "--digest", STREAMS, "long").stdout


# ---- input ---------------------------------------------------------------------

@SPLITS
def test_same_bytes_make_the_same_run(split, given):
    """A file, a pipe, and a writer that is slow and stops in the middle of lines."""
    words = [*split, "--digest", STREAMS, "lines"]
    want = run_sh(*words, stdin=given(INPUT))
    assert want.returncode == 0
    assert f"2 {600 * 'x'}"[:512] in want.stdout and "node 0: 4 lines" in want.stdout
    assert want.stdout.count(": 0 lines") == split[1] - 1
    with subprocess.Popen([COMMAND, *map(str, words)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as process:
        for i in range(0, len(INPUT), 100):
            process.stdin.write(INPUT[i:i + 100])
            process.stdin.flush()
            time.sleep(0.1)
        assert process.communicate()[0] == want.stdout
    assert process.returncode == 0


def test_long_input_is_read_to_its_end(given):
    text = "".join(f"{i}\n" for i in range(5000))
    assert run_sh("-n", 1, STREAMS, "numbers", stdin=given(text)).stdout == f"sum {sum(range(5000))}\n"


def test_other_jobs_have_no_input(given):
    done = run_sh("-n", 2, STREAMS, "lines", "+", STREAMS, "lines", stdin=given("a\nb\n"))
    assert sorted(re.findall(r"node (\d): (\d) lines", done.stdout)) == [("0", "0"), ("0", "2"), ("1", "0"), ("1", "0")]


def test_prompt_comes_before_the_answer():
    words = [COMMAND, "-n", "1", str(STREAMS), "ask"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.read(11) == b"Your name? "
        process.stdin.write(b"Ada\n")
        process.stdin.flush()
        assert process.stdout.read() == b"Hello Ada\n"


def test_waiting_run_can_be_ended():
    with subprocess.Popen([COMMAND, "-n", "2", str(STREAMS), "ask"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"Your name? \n"
        process.terminate()
        assert process.wait(10) == 130


def test_loaded_run_reads_the_same_input_again(given, tmp_path):
    text = "".join(f"{i}\n" for i in range(200))
    saved = tmp_path / "half.snap"
    want = run_sh("-n", 2, "--digest", "--save", f"{saved}@300K", STREAMS, "lines", stdin=given(text))
    got = run_sh("--load", saved, "--digest", stdin=given(text))
    assert got.returncode == 0 and digest(got.stdout) == digest(want.stdout)
    assert want.stdout.endswith(got.stdout) and got.stdout.count("\n") < want.stdout.count("\n")


@pytest.mark.parametrize(("given_bits", "node0"), [(0, "000"), (7, "111"), (6, "011")])
def test_programs_learn_what_a_terminal_is(given_bits, node0):
    done = run_sh("-n", 2, "--terminals", given_bits, STREAMS, "terminals")
    assert sorted(done.stdout.split()) == sorted([node0, "0" + node0[1:]])
    assert run_sh("-n", 1, STREAMS, "terminals").stdout == "000\n"


def test_debugged_run_goes_back_while_old_input_is_skipped(given, tmp_path):
    """The pipe is slow: most of what the saved run has read comes after the debugger has gone back."""
    saved, pipe = tmp_path / "half.snap", tmp_path / "pipe"
    lines = [f"{number}\n" for number in range(600)]
    run_sh("-n", 1, "--save", f"{saved}@400K", STREAMS, "numbers", stdin=given("".join(lines)))
    os.mkfifo(pipe)
    writer = f"(head -n 5 {tmp_path}/given; until test -e {tmp_path}/back; do sleep 0.1; done; tail -n +6 {tmp_path}/given) > {pipe}"
    acts = ["stepi", "stepi", "shell sleep 1", "reverse-stepi", f"shell touch {tmp_path}/back", "continue"]
    with subprocess.Popen(["sh", "-c", writer]) as feeder:
        done = run_sh("debug", "--load", saved, "--stdin", pipe, "--gdb-arg=-batch",
                      *(f"--gdb-arg={word}" for act in acts for word in ("-ex", act)))
        feeder.kill()
    assert f"sum {sum(range(600))}\n" in done.stdout, done.stdout + done.stderr


# ---- files ---------------------------------------------------------------------

@SPLITS
def test_files(split, tmp_path):
    (tmp_path / "given").write_text("text")
    out = tmp_path / "deep" / "out"
    done = run_sh(*split, "--output-max", 100_000, "--output", out, "--input", tmp_path / "given", FILES)
    lines = done.stdout.splitlines()
    checks = [line for line in lines if line.startswith("ok ")]
    totals = [line for line in lines if re.match(r"[1-9]\d* checks, 0 failed", line)]
    assert done.returncode == 0 and len(totals) == split[1] and len(lines) == len(checks) + len(totals), done.stdout
    assert sum(int(line.split()[0]) for line in totals) == len(checks)
    folders = [out, *(out / f"node{node}" for node in range(1, split[1]))]
    names = {"kept": b"kept", "moved": b"first", "holes": 5000 * b"\0" + b"x"}
    assert sorted(path for path in out.rglob("*") if path.is_file()) == sorted(
        folder / name for folder in folders for name in names)
    for folder in folders:
        for name, contents in names.items():
            assert (folder / name).read_bytes() == contents
    assert sorted(path.name for path in tmp_path.iterdir()) == ["deep", "given"]


def test_symbolic_link_is_replaced(tmp_path):
    (tmp_path / "given").write_text("text")
    (tmp_path / "target").write_text("untouched")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "kept").symlink_to(tmp_path / "target")
    run_sh("-n", 1, "--output-max", 100_000, "--output", tmp_path / "out", "--input", tmp_path / "given", FILES)
    assert (tmp_path / "target").read_text() == "untouched" and (tmp_path / "out" / "kept").read_text() == "kept"


@pytest.mark.parametrize("split", [("-n", 1), ("-n", 2, "--processes", 2)], ids=str)
def test_file_that_cannot_be_written_ends_with_121(split, tmp_path):
    """One message, and all other files are there: of this node and of the others."""
    (tmp_path / "given").write_text("text")
    folder = tmp_path / "out" / (f"node{split[1] - 1}" if split[1] > 1 else "")
    (folder / "kept" / "x").mkdir(parents=True)
    done = run_sh(*split, "--output-max", 100_000, "--output", tmp_path / "out", "--input", tmp_path / "given", FILES)
    assert done.returncode == 121
    assert done.stderr.startswith("fugu: the program's file cannot be written: ") and done.stderr.count("\n") == 1
    names = ["kept", "moved", "holes"]
    assert sorted(path for path in (tmp_path / "out").rglob("*") if path.is_file()) == sorted(
        place / name for place in {tmp_path / "out", folder} for name in names if (place, name) != (folder, "kept"))


def test_many_files_that_cannot_be_written_have_few_messages(tmp_path):
    (tmp_path / "given").write_text("text")
    (tmp_path / "out").mkdir()
    for node in range(1, 6):
        (tmp_path / "out" / f"node{node}").write_text("in the way")
    done = run_sh("-n", 6, "--output-max", 100_000, "--output", tmp_path / "out", "--input", tmp_path / "given", FILES)
    assert done.returncode == 121 and (tmp_path / "out" / "kept").read_text() == "kept"
    *lines, last = done.stderr.splitlines()
    assert len(lines) == 8 and all("for the program's files cannot be made" in line for line in lines)
    assert last == "fugu: 7 more of the program's files cannot be written"


def test_a_name_in_a_message_moves_no_cursor(tmp_path):
    """The program has chosen it. What a terminal obeys is a question mark, wherever it is in the message."""
    name = "a\x1b[2Jb\rc\x7f"
    (tmp_path / "out" / name / "x").mkdir(parents=True)
    done = run_sh("-n", 1, "--output", tmp_path / "out", STREAMS, "save", name)
    assert done.returncode == 121 and done.stderr.startswith("fugu: the program's file cannot be written: ")
    assert "a?[2Jb?c?" in done.stderr and done.stderr.removesuffix("\n").isprintable()


def test_files_are_part_of_a_snapshot(tmp_path):
    (tmp_path / "given").write_text("text")
    saved, out = tmp_path / "half.snap", tmp_path / "out"
    want = run_sh("-n", 2, "--digest", "--output-max", 100_000, "--input", tmp_path / "given",
                  "--save", f"{saved}@1M", FILES)
    got = run_sh("--load", saved, "--digest", "--output", out)
    assert got.returncode == 0 and digest(got.stdout) == digest(want.stdout)
    assert (out / "kept").read_text() == (out / "node1" / "kept").read_text() == "kept"


# ---- bytes that are no text --------------------------------------------------------

@pytest.mark.parametrize("more", [[], ["--stats"], ["--timeline", "t"], ["--processes", "2"], ["--dry-run"]], ids=str)
def test_names_and_arguments_are_bytes(more, tmp_path):
    """They reach the program as they are, and come back as they are."""
    program, given = tmp_path / os.fsdecode(b"h\xff.elf"), tmp_path / os.fsdecode(b"in\xfe.txt")
    shutil.copy(Path(os.environ["FUGU_BUILD"], "apps", "hello.elf"), program)
    given.write_text("text")
    done = subprocess.run([COMMAND, "-n", "2", *more, "--input", given, program, b"a\xffb", "+", program, b"\xe9"],
                          cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    wanted = [b"h\xff a\xffb + h\xff \xe9"] if more == ["--dry-run"] else [
        b"hello from node %d of 2: h\xff %s\n" % (node, word) for node in range(2) for word in (b"a\xffb", b"\xe9")]
    assert all(text in done.stdout for text in wanted), done.stdout
