"""Patches and devices are put into QEMU's tree, and only files that differ are written."""

from __future__ import annotations

import os

import pytest

from fugu.build import patches, tree
from fugu.errors import SetupError

CHANGE = b"""Subject: change a

--- a/dir/a.c
+++ b/dir/a.c
@@ -1,2 +1,2 @@
 one
-two
+TWO
"""
AGAIN = b"""--- a/dir/a.c
+++ b/dir/a.c
@@ -1,2 +1,3 @@
 one
 TWO
+three
"""
NEW = b"""diff --git a/new/n.c b/new/n.c
new file mode 100644
--- /dev/null
+++ b/new/n.c
@@ -0,0 +1 @@
+new
"""
GONE = b"""--- a/b.c
+++ /dev/null
@@ -1 +0,0 @@
-bee
"""


@pytest.fixture
def patched(tmp_path):
    src = tmp_path / "src"
    (src / "dir").mkdir(parents=True)
    (src / "dir" / "a.c").write_text("one\ntwo\n")
    (src / "b.c").write_text("bee\n")
    return patches.PatchedTree(src, tmp_path / "pristine", tmp_path / "log")


def test_series_is_applied_changed_and_removed(patched):
    src = patched.src
    assert patched.apply({}) == 0
    assert patched.apply({"1": CHANGE, "2": AGAIN, "3": NEW, "4": GONE}) == 3
    assert (src / "dir/a.c").read_text() == "one\nTWO\nthree\n"
    assert (src / "new/n.c").read_text() == "new\n"
    assert not (src / "b.c").exists()
    assert patched.apply({"1": CHANGE, "3": NEW, "4": GONE}) == 1
    assert (src / "dir/a.c").read_text() == "one\nTWO\n"
    assert patched.apply({}) == 3
    assert (src / "dir/a.c").read_text() == "one\ntwo\n" and (src / "b.c").read_text() == "bee\n"
    assert not (src / "new/n.c").exists()


def test_same_series_touches_nothing(patched):
    patched.apply({"1": CHANGE})
    os.utime(patched.src / "dir/a.c", (1, 1))
    assert patched.apply({"1": CHANGE}) == 0
    assert (patched.src / "dir/a.c").stat().st_mtime == 1


def test_patch_that_does_not_apply_is_reported(patched):
    with pytest.raises(SetupError, match="(?s)0002-again.patch does not apply.*FAILED"):
        patched.apply({"0002-again.patch": AGAIN.replace(b" one", b" uno").replace(b"TWO", b"due")})
    assert (patched.src / "dir/a.c").read_text() == "one\ntwo\n"
    assert patched.apply({"1": CHANGE}) == 1


def test_series_file_names_the_patches(tmp_path):
    assert patches.read_series(tmp_path) == {}
    (tmp_path / "series").write_text("# why\n0001-a.patch  # one\n\n0002-b.patch\n")
    (tmp_path / "0001-a.patch").write_bytes(CHANGE)
    with pytest.raises(SetupError, match="names 0002-b.patch, which does not exist"):
        patches.read_series(tmp_path)
    (tmp_path / "0002-b.patch").write_bytes(NEW)
    assert list(patches.read_series(tmp_path)) == ["0001-a.patch", "0002-b.patch"]


def test_mirror_writes_only_what_differs(tmp_path):
    ours, theirs = tmp_path / "hw", tmp_path / "tree"
    (ours / "sub").mkdir(parents=True)
    for name in ("a.c", "b.c", "sub/c.c", "a.c~", ".a.c.swp"):
        (ours / name).write_text(name)
    assert tree.mirror(tree.snapshot(ours), theirs) == 3
    assert sorted(p.name for p in theirs.rglob("*") if p.is_file()) == ["a.c", "b.c", "c.c"]
    for path in (theirs / "a.c", theirs / "b.c"):
        os.utime(path, (1, 1))
    (ours / "b.c").write_text("new")
    (ours / "sub" / "c.c").unlink()
    assert tree.mirror(tree.snapshot(ours), theirs) == 2
    assert (theirs / "a.c").stat().st_mtime == 1 and (theirs / "b.c").stat().st_mtime > 1
    assert not (theirs / "sub").exists()
