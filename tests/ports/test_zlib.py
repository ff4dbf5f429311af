"""zlib configures itself for `./run.sh cc`, and agrees with the host's zlib."""

from __future__ import annotations

import gzip
import random
import re
import subprocess
from pathlib import Path

import pytest
from ported import CC, make
from run_sh import COMMAND, run_sh


def build(folder: Path) -> None:
    make(folder, "./configure")
    make(folder, "make", "static")


@pytest.fixture(scope="module")
def zlib(program) -> Path:
    return program("zlib", build)


def test_configure_finds_what_is_there(zlib):
    """By programs that it compiles and links; and it builds no shared library."""
    makefile = (zlib / "Makefile").read_text()
    header = (zlib / "zconf.h").read_text()
    assert f"\nCC={CC}\n" in makefile and "\nSHAREDLIB=\n" in makefile
    assert "#if 1    /* was set to #if 1 by ./configure */" in header       # unistd.h and stdarg.h
    for answer in ("unistd.h... Yes", "stdarg.h... Yes", "fseeko... Yes", "vsnprintf() in stdio.h... Yes"):
        assert answer in (zlib / "configure.log").read_text()


def test_example(zlib):
    """The example checks itself; it writes and reads a file."""
    done = run_sh("-n", 1, "./example", "tmpfile", cwd=zlib)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.match(r"zlib version 1\.[\d.]+ = 0x1\w+, compile flags = 0x55\n", done.stdout)
    assert done.stdout.splitlines()[1:] == [
        "uncompress(): hello, hello!", "gzread(): hello, hello!", "gzgets() after gzseek:  hello!",
        "inflate(): hello, hello!", "large_inflate(): OK", "after inflateSync(): hello, hello!",
        "inflate with dictionary: hello, hello!"]


def filtered(folder: Path, data: bytes, *options: str) -> bytes:
    """What minigzip makes of some bytes."""
    done = subprocess.run([COMMAND, "-n", "1", "./minigzip", *options], cwd=folder, input=data, capture_output=True,
                          timeout=120)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


def texts() -> dict[str, bytes]:
    random.seed(1)
    words = [bytes(random.choices(range(97, 123), k=random.randrange(1, 9))) for _ in range(500)]
    return {"nothing": b"", "a line": b"hello world\n", "bytes": bytes(random.randbytes(20_000)),
            "words": b" ".join(random.choices(words, k=12_000))}


@pytest.mark.parametrize("kind", texts())
def test_minigzip_and_the_host(zlib, kind):
    """What one packs, the other unpacks."""
    data = texts()[kind]
    assert gzip.decompress(filtered(zlib, data)) == data
    assert filtered(zlib, gzip.compress(data), "-d") == data
