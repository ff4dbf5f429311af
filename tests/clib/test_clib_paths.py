"""The C library and libgcc are the same wherever they were built."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def test_libraries_name_no_folder_of_this_host():
    """assert() has the names of source files. Absolute ones would move the data of programs, and so their cycles."""
    prefix, cache = Path(os.environ["FUGU_TOOLCHAIN_PREFIX"]), os.environ["FUGU_CACHE"]
    if not prefix.is_relative_to(cache):
        pytest.skip("this toolchain is the user's own")
    libraries = sorted(prefix.glob("**/*.a"))
    assert {"libc.a", "libgcc.a", "libm.a"} <= {library.name for library in libraries}
    assert [str(library) for library in libraries if cache.encode() in library.read_bytes()] == []
