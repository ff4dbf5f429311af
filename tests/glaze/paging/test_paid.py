"""What a process pays for its pages is what they cost (docs/paging.md, "Who pays")."""

from __future__ import annotations

import json
import re

import pytest
from gdb_session import environment, session
from guest_programs import built, joined
from run_sh import run_sh

__all__ = ["environment", "session"]

UNTIL = 6_000_000

# Adds up what node 2 charges to job 1 for pages, and counts the interrupts for which it charges something: at each
# interrupt of the second network or of the disk, it looks at what has been charged since the one before. A new slot sets
# the kernel's sum to 0.
CHARGES = """
inferior 3
set $cycles = (unsigned long long)0
set $before = (unsigned long long)0
set $times = 0
break *message_second
break *trap_timed
commands 1-2
silent
if $_inferior == 3 && processes[1]
set $now = processes[1]->paging_charged
set $before = $now < $before ? 0 : $before
set $times = $times + ($now != $before)
set $cycles = $cycles + $now - $before
set $before = $now
end
continue
end
continue
printf "charged %llu in %d times\\n", $cycles, $times
"""


@pytest.mark.parametrize("options", [[], ["--cache-size", "4K"]])
def test_a_process_pays_what_the_kernel_takes_for_its_pages(session, disk, tmp_path, options):
    """On the node of the disk, a loop loses time to interrupts of the second network and of the disk. `--stats` counts it
    from the trap to the return. The kernel charges the same for each, within 5 %: it measures the time, but for the way
    back, which it takes to be as long as the way from the trap to C, or as that of the last piece of a page that took the
    fast path. With a small cache, all ways are longer."""
    script, stats = tmp_path / "charges.gdb", tmp_path / "stats.json"
    script.write_text(CHARGES)
    words = ["-n", 3, "--ram", "512K", "--timeout", UNTIL, *options, "--disk", f"2={disk(16384)}",
             *joined([[built("hostile/beside"), "pages", 40, 1_000_000], [built("glaze/slots/slots"), "share", UNTIL]])]
    run_sh("--stats-json", stats, *words)
    loop = next(job for job in json.loads(stats.read_text())["nodes"][2]["jobs"] if job["gid"] == 2)
    took, interrupts = (sum(counts.get(cause, 0) for cause in ("interrupt second", "interrupt disk"))
                        for counts in (loop["cycles"]["kernel"], loop["traps"]))
    ended = session([f"source {script}"], *words)
    [(charged, times)] = re.findall(r"^charged (\d+) in (\d+) times$", ended.stdout, re.MULTILINE)
    assert int(times) > interrupts / 2, (times, interrupts)     # some come in slots of the process that pages
    assert int(charged) / int(times) == pytest.approx(took / interrupts, rel=0.05), ended.stdout
