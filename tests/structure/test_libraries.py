"""Each library of guest-os/lib is linked where a program calls it: in the tree, and by ./run.sh cc."""

from __future__ import annotations

import re

import pytest

from fugu.paths import ROOT

LIB = ROOT / "guest-os" / "lib"
NAMES = sorted(folder.name for folder in LIB.iterdir() if (folder / "meson.build").exists())


def test_there_are_libraries():
    """Guards against a search that finds nothing."""
    assert {"collective", "crl"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_library_is_linked(name):
    specs = (ROOT / "guest-os" / "libos" / "program.specs").read_text()
    meson = (LIB / "meson.build").read_text()
    copies = (ROOT / "guest-os" / "link" / "meson.build").read_text()
    assert f" -l:{name}.a " in specs
    assert name in re.search(r"link_with: \[(.*?)\]", meson, re.DOTALL)[1].replace(",", " ").split()
    assert name in re.search(r"archives = \[(.*?)\]", copies, re.DOTALL)[1].replace(",", " ").split()
