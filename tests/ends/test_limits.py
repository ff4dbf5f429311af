"""Under the host's limits (ulimit), a run works, or ends with a clear message and a status of its own."""

import os
import subprocess

import pytest
from run_sh import COMMAND, run_sh

from fugu.abi import MESH

# Statuses, and how the message begins. With several processes, process 1 may be the one that fails.
STATUSES = {3: "fugu: ", 120: "fugu: process 1 ", 122: "fugu: the machine did not start"}


@pytest.fixture
def limited(tmp_path):
    """limited("-n 12", *words) -> ./run.sh under that limit of ulimit, with output and errors as one text."""
    def run(limit, *words, **env):
        # Output goes to a pipe, as the limits would also apply to a file.
        script = f'ulimit {limit}; exec {COMMAND} "$@"'
        return subprocess.run(["bash", "-c", script, "bash", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", timeout=120, env=os.environ | env)
    return run


def check(done):
    """The run was right, or the message says what the host lacks."""
    if done.returncode == 0:
        assert "hello from node 0 of 2" in done.stdout and "hello from node 1 of 2" in done.stdout
        return
    assert done.returncode in STATUSES, done.stdout
    assert any(line.startswith(STATUSES[done.returncode]) for line in done.stdout.splitlines()), done.stdout
    assert "Traceback" not in done.stdout and "hello" not in done.stdout


@pytest.mark.parametrize("split", [(), ("--processes", "2", "--link-timeout", "3")], ids=["one process", "two"])
def test_few_open_files(limited, split):
    """The limits range from too few open files to start anything, to enough of them."""
    found = set()
    for files in (4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 32):
        done = limited(f"-n {files}", *split, "-n", "2", "whoami")
        check(done)
        found.add(done.returncode)
    assert {0, 3, 122} <= found


def test_little_address_space(limited):
    found = set()
    for mib in (60, 250, 488, 800, 1024, 1100, 1150, 1200, 1300, 4096):
        done = limited(f"-v {mib << 10}", "-n", "2", "whoami")
        check(done)
        found.add(done.returncode)
    assert found == {0, 122}


# calloc() that gives no memory for a certain array, the nth time that it is asked for.
REFUSES = """
#include <stddef.h>

void *__libc_calloc(size_t count, size_t size);

void *calloc(size_t count, size_t size)
{
    static int asked;

    return count == LINKS && size == 8 && ++asked == NTH ? NULL : __libc_calloc(count, size);
}
"""


@pytest.mark.parametrize("nth, what", [(1, "for the mesh"), (2, "for the mesh"), (3, "to count what links carry"),
                                       (4, "to count what links carry")])
def test_no_memory_for_the_networks(nth, what, tmp_path):
    """Of either network, where QEMU itself has had enough."""
    nodes, file = 97, tmp_path / "refuses.so"
    (tmp_path / "refuses.c").write_text(REFUSES)
    subprocess.run(["cc", "-shared", "-fPIC", f"-DLINKS={nodes * MESH['LINKS']}", f"-DNTH={nth}", "-o", file,
                    tmp_path / "refuses.c"], check=True)
    done = run_sh("-n", nodes, "--stats", "null", env=os.environ | {"LD_PRELOAD": str(file)})
    assert done.returncode == 122 and f"fugu: no memory {what}\n" in done.stderr
    assert done.stderr.endswith("fugu: the machine did not start\n") and done.stderr.count("\n") == 2


def test_half_a_gigabyte_is_too_little(limited):
    """The message of QEMU itself comes before the launcher's."""
    done = limited("-v 500000", "-n", "2", "whoami")
    assert done.returncode == 122
    assert "Cannot allocate memory" in done.stdout
    assert done.stdout.endswith("\nfugu: the machine did not start\n")


@pytest.mark.parametrize("words", [("setup",), ("test", "-k", "nothing"), ("-n", "2", "whoami"),
                                   ("debug", "-n", "2", "whoami")], ids=" ".join)
def test_set_up_that_can_write_no_file(limited, tmp_path, words):
    """Set-up fails, because it has to write files."""
    done = limited("-f 0", *words, FUGU_BUILD=str(tmp_path / "build"), FUGU_CACHE=str(tmp_path / "cache"))
    assert done.returncode == 3
    assert "fugu: " in done.stdout and "File too large" in done.stdout and "Traceback" not in done.stdout
    if words[0] == "test":
        assert "0 passed, 1 failed" in done.stdout


def test_run_writes_no_file(limited):
    done = limited("-f 0", "-n", "2", "whoami")
    assert done.returncode == 0
    check(done)


def test_traces_and_snapshots_beyond_the_limit(limited, tmp_path):
    for words in (("--trace", "fugu_ni_*", "--trace-file", tmp_path / "t.log"), ("--save", f"{tmp_path}/s.snap@100")):
        done = limited("-f 0", "-n", "2", *map(str, words), "alltoall")
        assert done.returncode == 121, done.stdout
