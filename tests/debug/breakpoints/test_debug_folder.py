"""Sessions whose temporary folder has an awkward name."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("name", ["long" * 40, "a,b=c", "a 'b\" c"])
def test_temporary_folder(session, tmp_path, name):
    """A path that is too long for a socket, or that means something in an option of QEMU's or to GDB."""
    folder = tmp_path / name
    folder.mkdir()
    done = session(["break main", "continue"], "-n", 2, "ring", TMPDIR=str(folder))
    assert "hit Breakpoint 1" in done.stdout and done.returncode == 0, done.stdout
    assert list(folder.iterdir()) == []
