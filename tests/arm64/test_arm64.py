"""On 64-bit ARM hosts, QEMU makes the same runs as on this host.

`./run.sh test --long` cross-builds QEMU for such hosts, and qemu-aarch64 runs
it here. That shows that the code generated for an ARM host is right, and says
nothing about how fast it is there.
"""

from __future__ import annotations

import os
import re

import pytest
from cases import CASES, call
from guest_programs import built

ARM64 = os.environ.get("FUGU_ARM64_QEMU", "")

pytestmark = [pytest.mark.long, pytest.mark.timeout(900),
              pytest.mark.skipif(not ARM64, reason=os.environ.get("FUGU_NO_ARM64", "takes minutes: --long"))]

SLOWER = 900        # seconds of host time that an emulated run may take


@pytest.mark.parametrize("case", CASES)
def test_programs_run_as_on_this_host(run, digest_of, monkeypatch, case):
    """Status, output and digest are the same, whether translated code looks up the cache or calls the model."""
    words, options = call(case, CASES[case])

    def outcome(accel=""):
        done = run(*words, accel=accel, digest=True, **options)
        return done.returncode, digest_of(done.stdout), done.stdout, done.stderr
    expected = outcome()
    monkeypatch.setenv("FUGU_QEMU", ARM64)
    assert outcome() == expected
    assert outcome(",line-filter=off") == expected


@pytest.mark.parametrize("words, options", [
    (("pingpong", 50), {}), (("pingpong", 20, "+", "null"), {"nodes": 4}),
    ((built("glaze/udmstress"), 7, 200), {"nodes": 4, "atomicity_timeout": 500}),
    ((built("glaze/udmstress"), 7, 200), {"nodes": 4, "atomicity": "soft"})],
    ids=["pingpong", "two jobs", "udmstress", "udmstress, soft atomicity"])
def test_programs_under_glaze_run_as_on_this_host(machine, monkeypatch, words, options):
    expected = machine(*words, digest=True, **options).check()
    monkeypatch.setenv("FUGU_QEMU", ARM64)
    got = machine(*words, digest=True, host_timeout=SLOWER, **options)
    assert (got.status, got.digest, got.stdout) == (expected.status, expected.digest, expected.stdout)


@pytest.mark.parametrize("accel, wanted", [("", {"line_fetch"}), (",line-filter=off", {"call line_fetch"})])
def test_translated_code_looks_up_the_cache(run, monkeypatch, tmp_path, accel, wanted):
    """Fetches are an operation of the translator. With line-filter=off, they are calls."""
    monkeypatch.setenv("FUGU_QEMU", ARM64)
    log = tmp_path / "operations"
    assert run("ring", nodes=2, accel=accel, more=("-d", "op", "-D", str(log))).returncode == 0
    assert set(re.findall(r"^ ((?:call )?line_fetch)\b", log.read_text(), re.MULTILINE)) == wanted
