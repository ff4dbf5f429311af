"""Fuzzing, for a bounded time. docs/testing.md says what to do with an input that breaks something.

A test fails when an input breaks something, or when no input was tried. The
number of inputs depends on the host and decides nothing.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

CORPUS = Path(__file__).with_name("corpus")
ONE_INPUT = 60          # seconds; an input that takes longer counts as a hang

pytestmark = [pytest.mark.long, pytest.mark.fuzzes]


def fuzz(command: list[str], corpus: str, longest: int, seconds: int) -> None:
    """Fuzzes, starting from the committed corpus. New inputs are kept in build/fuzz."""
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


@pytest.mark.parametrize("target", ["fugu-ni", "fugu-ni-soft", "fugu-ni-none"])
def test_fuzzed_network_interface_agrees_with_its_model(request, target):
    """Loads, stores and operations on four nodes that send to each other."""
    fuzz([os.environ["FUGU_FUZZ_QEMU"], f"--fuzz-target={target}"], "ni", 512,
         request.config.getoption("--fuzz-time"))


def test_fuzzed_mapped_updates_agree_with_their_model(request):
    """Stores, commands, changes of the tables and time on four nodes with SHRIMP's network interface."""
    fuzz([os.environ["FUGU_FUZZ_QEMU"], "--fuzz-target=fugu-ni-shrimp"], "shrimp", 1024,
         request.config.getoption("--fuzz-time"))


def test_fuzzed_frames_are_read_within_bounds(request):
    """Bytes that a peer sends in place of a frame."""
    fuzz([os.environ["FUGU_LINK_FUZZ"]], "link", 4096, request.config.getoption("--fuzz-time"))
