"""Brings parts up to date, and says where they are.

A part whose record still holds costs milliseconds (fingerprint). Only the
others go through set-up.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from ..paths import build_dir, cache_dir, shared_cache
from . import fingerprint, settings


def up_to_date(parts: Sequence[str]) -> dict[str, dict[str, str]]:
    """The outputs of these parts (keys of fingerprint.INPUTS), each brought up to date. SetupError."""
    context = settings.current().context()
    known = {part: fingerprint.load(build_dir(), part, context) for part in parts}
    found = {part: outputs for part, outputs in known.items() if outputs is not None}
    if missing := [part for part in parts if part not in found]:
        from .bring_up import bring_up

        sys.stdout.flush()
        found.update(bring_up(missing))
    return found


def everything(fuzzers: bool = False, cplusplus: bool = False) -> dict[str, dict[str, str]]:
    """Brings QEMU, qtests, guest programs and unit tests up to date, if wanted also fuzzers and C++. SetupError.

    Returns the outputs of each part.
    """
    # "qemu" too, for tests that call ./run.sh: otherwise the first of them
    # would record that part, and the others would wait for its lock.
    return up_to_date(["qemu", "qtest", "guest", "tests", *["fuzz"] * fuzzers, *["cplusplus"] * cplusplus])


def _caches() -> dict[str, str]:
    """The variables by which the tests' ./run.sh has the same caches."""
    if shared := shared_cache():
        return {"FUGU_CACHE": str(shared), "XDG_CACHE_HOME": str(cache_dir().parent)}
    return {"FUGU_CACHE": str(cache_dir())}


def paths(outputs: dict[str, dict[str, str]]) -> dict[str, str]:
    """The paths that tests and benchmarks need, as environment variables."""
    return {
        **_caches(),
        "FUGU_QEMU": outputs["qtest"]["qemu"],
        "FUGU_QTEST_DIR": outputs["qtest"]["qtests"],
        "FUGU_BUILD": outputs["guest"]["build"],
        "FUGU_GUEST_DIR": os.path.join(outputs["guest"]["build"], "tests", "guest"),
        "FUGU_TOOLCHAIN_PREFIX": outputs["guest"]["toolchain"],
        "FUGU_PYTHON_BIN": os.path.dirname(outputs["guest"]["python"]),
    } | outputs.get("fuzz", {})
