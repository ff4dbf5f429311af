"""QEMU's live migration sends the machine's state while the machine runs, and misses no write.

Migration sends each page once, and sends pages again that were written
meanwhile. QEMU tracks only the first write to a page, and then restarts tracking
for all of the RAM at once. The RAM of 64 nodes is so large that this is one
call.
"""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest
from qmp import Qmp

NODES, PASSES = 64, 4
SLOW, FAST = 8_000_000, 1 << 32         # bytes a second


def migrate(monitor: Qmp, target: Path) -> None:
    """Migrates slowly until some pages have been sent several times, then quickly to the end."""
    monitor.ask("migrate-set-parameters", **{"max-bandwidth": SLOW, "downtime-limit": 1})
    monitor.ask("cont")
    monitor.ask("migrate", uri=f"file:{target}")
    deadline = time.monotonic() + 120
    while (state := monitor.ask("query-migrate"))["status"] != "completed":
        assert state["status"] != "failed" and time.monotonic() < deadline, state
        if state.get("ram", {}).get("dirty-sync-count", 0) >= PASSES:
            monitor.ask("migrate-set-parameters", **{"max-bandwidth": FAST, "downtime-limit": 60_000})
        time.sleep(0.01)


def test_migration_misses_no_write(run, line, digest_of, tmp_path):
    case, options = ("alltoall", "messages=400"), {"nodes": NODES, "ram": 1 << 20, "digest": True}
    usual = run(*case, **options)
    assert usual.returncode == 0
    path, saved = tmp_path / "qmp", tmp_path / "machine"
    with subprocess.Popen(line(*case, more=("-S", "-qmp", f"unix:{path},server=on,wait=off"), **options),
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        try:
            migrate(Qmp(path), saved)
        except (BrokenPipeError, ConnectionResetError, ValueError):
            pytest.fail("The program ended before its memory was sent: give it more to do.")
        finally:
            process.kill()
    done = run(*case, more=("-incoming", f"file:{saved}"), **options)
    assert (done.returncode, digest_of(done.stdout)) == (0, digest_of(usual.stdout)), done.stderr
