"""Makes folders that set-up takes for QEMU source trees."""

from __future__ import annotations

from fugu.build import qemu


def own_tree(path, version="10.0.3"):
    """Makes a folder that set-up takes for a QEMU source tree of this version."""
    for name in (*(f"subprojects/{n}/meson.build" for n in qemu.SUBPROJECTS), ".git/HEAD", "b/build.ninja"):
        (path / name).parent.mkdir(parents=True)
        (path / name).touch()
    (path / "VERSION").write_text(version + "\n")
    return path
