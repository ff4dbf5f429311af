"""The kernel is built in layers: no folder needs one above it, and no file one that its folder lists later."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from layers import Need, layers, needs, order, sources, upward

from fugu.paths import ROOT

KERNEL = ROOT / "guest-os" / "kernel"


@pytest.fixture(scope="module")
def found():
    nm = Path(os.environ["FUGU_TOOLCHAIN_PREFIX"], "bin", "sparc-elf-nm")
    return needs(KERNEL, str(nm), Path(os.environ["FUGU_BUILD"], "guest-os", "kernel"))


def test_each_file_has_a_place():
    assert sorted(order(KERNEL)) == sorted({str(path.with_suffix("")) for path in sources(KERNEL)})


def test_each_folder_is_a_layer():
    assert sorted(layers(KERNEL)) == sorted({path.parts[0] for path in sources(KERNEL)})


def test_nothing_leads_upward(found):
    wrong = upward(found, order(KERNEL), layers(KERNEL))
    assert not wrong, f"{len(wrong)} needs lead upward:\n" + "\n".join(map(str, wrong))


def test_each_file_needs_another_or_is_needed(found):
    """Guards against a search that finds nothing."""
    assert {need.source for need in found} | {need.target for need in found} == set(order(KERNEL))


# ---- the check itself -----------------------------------------------------------

@pytest.fixture
def tree(tmp_path):
    root, objects = tmp_path / "tree", tmp_path / "build" / "one.p"
    texts = {
        "low/base.h": "int base(void);\n",
        "low/base.c": "int late(void);\nint base(void) { return late(); }\n",
        "low/next.c": '#include "high/top.h"\nint next(void) { return 0; }\n',
        "high/top.h": "int top(void);\n",
        "high/top.S": ".global top\ntop:\n    .long base\n",
        "high/top.c": "int late(void) { return 1; }\n",
    }
    objects.mkdir(parents=True)
    for name, text in texts.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for path in map(root.joinpath, texts):
        if path.suffix != ".h":
            made = objects / ("_".join(path.relative_to(root).parts) + ".o")
            subprocess.run(["gcc", "-I", str(root), "-c", str(path), "-o", str(made)], check=True, timeout=60)
    (root / "README.md").write_text("# Tree\n\n## Layers\n\n| Layer | |\n| --- | --- |\n| `low/` | |\n| `high/` | |\n")
    (root / "low" / "README.md").write_text("| File | |\n| --- | --- |\n| `base.c` | |\n| `next.c` | |\n")
    (root / "high" / "README.md").write_text("| File | |\n| --- | --- |\n| `top.S`, `top.c` | |\n")
    return root, objects.parent


def test_includes_and_symbols_upward_are_found(tree):
    root, objects = tree
    assert order(root) == {"low/base": 0, "low/next": 1, "high/top": 2}
    found = needs(root, "nm", objects)
    assert found == [Need("high/top", "low/base", "base"), Need("low/base", "high/top", "late"),
                     Need("low/next", "high/top", "top.h")]
    assert upward(found, order(root), layers(root)) == found[1:]


def test_a_file_that_its_folder_lists_later_is_found(tree):
    root, objects = tree
    (root / "low" / "base.c").write_text('#include "next.h"\n')
    (root / "low" / "next.h").write_text("")
    found = needs(root, "nm", objects)
    assert Need("low/base", "low/next", "next.h") in upward(found, order(root), layers(root))


def test_a_source_without_an_object_is_an_error(tree):
    root, objects = tree
    (root / "low" / "new.c").write_text("")
    with pytest.raises(AssertionError, match="low/new.c has 0 objects"):
        needs(root, "nm", objects)
