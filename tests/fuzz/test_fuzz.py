"""Fuzzing, for a bounded time; docs/testing.md says how to go on from what it finds.

How many inputs are tried depends on the host, and is no verdict: a test
fails when an input breaks something, and when nothing was tried at all.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

CORPUS = Path(__file__).with_name("corpus")
ONE_INPUT = 60          # seconds after which an input counts as one that hangs

pytestmark = [pytest.mark.long, pytest.mark.fuzzes]


def fuzz(command: list[str], corpus: str, longest: int, seconds: int) -> None:
    """Fuzzes from the committed corpus on. What is new stays in build/fuzz."""
    found = Path(os.environ["FUGU_BUILD"], "fuzz", corpus)
    (found / "corpus").mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [*command, f"-max_total_time={seconds}", f"-max_len={longest}", "-len_control=20", f"-timeout={ONE_INPUT}",
         "-rss_limit_mb=4096", "-print_final_stats=1", f"-artifact_prefix={found}/",
         str(found / "corpus"), str(CORPUS / corpus)],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
        env=os.environ | {"ASAN_OPTIONS": "detect_leaks=0",     # QEMU frees little when it ends
                          "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1"})
    if done.returncode:
        pytest.fail(f"status {done.returncode}; the input is in {found}\n"
                    f"{done.stdout[-2000:]}\n{done.stderr[-6000:]}", pytrace=False)
    tried = re.search(r"number_of_executed_units:\s*(\d+)", done.stderr)
    assert tried and int(tried[1]) > 0, done.stderr[-4000:]
    (found / "log").write_text(done.stderr)


@pytest.mark.parametrize("target", ["fugu-ni", "fugu-ni-soft"])
def test_network_interface(request, target):
    """The registers and operations of four nodes that send to each other."""
    fuzz([os.environ["FUGU_FUZZ_QEMU"], f"--fuzz-target={target}"], "ni", 512,
         request.config.getoption("--fuzz-time"))


def test_frames_between_processes(request):
    """Whatever a peer could send in place of a frame."""
    fuzz([os.environ["FUGU_LINK_FUZZ"]], "link", 4096, request.config.getoption("--fuzz-time"))
