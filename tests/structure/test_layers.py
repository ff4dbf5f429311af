"""Kernel and machine are built in layers: no folder needs one above it, and no file one that its folder lists later."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from arrows import Tree
from layers import Need, layers, needs, order, sources, upward

from fugu.paths import ROOT


def _kernel(root):
    nm = Path(os.environ["FUGU_TOOLCHAIN_PREFIX"], "bin", "sparc-elf-nm")
    return needs(root, str(nm), Path(os.environ["FUGU_BUILD"], "guest-os", "kernel"))


def _machine(root):
    """QEMU's objects need not be there, if a binary of the cache is used."""
    return Tree(root).needs()


@pytest.fixture(params=[("guest-os/kernel", _kernel), ("hw", _machine)], ids=["kernel", "hw"], scope="module")
def built(request):
    root = ROOT / request.param[0]
    return root, request.param[1](root)


def test_each_file_has_a_place(built):
    assert sorted(order(built[0])) == sorted({str(path.with_suffix("")) for path in sources(built[0])})


def test_each_folder_is_a_layer(built):
    assert sorted(layers(built[0])) == sorted({path.parts[0] for path in sources(built[0]) if len(path.parts) > 1})


def test_nothing_leads_upward(built):
    wrong = upward(built[1], order(built[0]), layers(built[0]))
    assert not wrong, f"{len(wrong)} needs lead upward:\n" + "\n".join(map(str, wrong))


def test_no_part_needs_one_kind_of_network_interface():
    """A kind is known by its class alone (hw/machine/netif.h): neither other parts nor other kinds use its files."""
    kinds = [path.name for path in (ROOT / "hw" / "ni").iterdir() if path.is_dir() and path.name != "system"]
    wrong = [need for need in _machine(ROOT / "hw") for kind in kinds
             if need.target.startswith(f"ni/{kind}/") and not need.source.startswith(f"ni/{kind}/")]
    assert "fugu" in kinds and not wrong, "\n".join(map(str, wrong))


def test_each_file_needs_another_or_is_needed(built):
    """Guards against a search that finds nothing."""
    root, found = built
    assert {need.source for need in found} | {need.target for need in found} == set(order(root))


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


def test_folders_in_a_folder_have_the_order_of_its_rows(tree):
    root, _ = tree
    for name in ("a", "b"):
        (root / "low" / name).mkdir()
        (root / "low" / name / "README.md").write_text(f"| File | |\n| --- | --- |\n| `{name}.c` | |\n")
    page = root / "low" / "README.md"
    rows = page.read_text()
    assert list(order(root)) == ["low/base", "low/next", "low/a/a", "low/b/b", "high/top"]
    page.write_text(rows + "| `b/` | |\n| `a/` | |\n")
    assert list(order(root)) == ["low/base", "low/next", "low/b/b", "low/a/a", "high/top"]


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


# ---- files that need not have been compiled ---------------------------------------

def test_names_upward_are_found(tmp_path):
    (tmp_path / "low.h").write_text("int low(void);\n")
    (tmp_path / "low.c").write_text('#include "low.h"\n/* high_comment() */\nint low(void) { return high(); }\n')
    (tmp_path / "high.h").write_text("int high(void);\nint high_comment(void);\n")
    (tmp_path / "high.S").write_text("    .global high\nhigh:\n    call low\n")
    assert Tree(tmp_path).needs() == [Need("high", "low", "low"), Need("low", "high", "high")]


def test_names_of_a_file_alone_need_nothing(tmp_path):
    (tmp_path / "one.c").write_text("static int step(void) { return 1; }\nint one(void) { return step(); }\n")
    (tmp_path / "two.c").write_text('static int step(void) { return 2; }\nint two(void) { puts("one"); return step(); }\n')
    assert Tree(tmp_path).needs() == []
