"""qemu-patches/: each patch is applied, and has its line in the README."""

from __future__ import annotations

import re

from fugu.paths import ROOT

FOLDER = ROOT / "qemu-patches"


def test_series_names_all_patches():
    assert (FOLDER / "series").read_text().split() == sorted(path.name for path in FOLDER.glob("*.patch"))


def test_readme_describes_all_patches():
    described = re.findall(r"^\| (\d{4}) \| \S", (FOLDER / "README.md").read_text(), re.MULTILINE)
    assert sorted(described) == sorted(path.name[:4] for path in FOLDER.glob("*.patch"))
