"""A job's debts outlive the table of slots under which they were made (docs/scheduler.md, "Tables of slots")."""

from __future__ import annotations

import re

from gdb_session import environment, session
from guest_programs import built, joined

__all__ = ["environment", "session"]

UNTIL = 4_000_000

# Counts the new tables of node 0 that come while job 2 owes time, and those after which it owes less: from
# timeslot_anew() until the next slot begins, nothing is paid.
DEBTS = """
inferior 1
set $tables = 0
set $less = 0
set $owed = (unsigned long long)0
break timeslot_anew
commands 1
silent
if $_inferior == 1 && processes[2]
set $owed = processes[2]->debt
end
continue
end
break timeslot_begin
commands 2
silent
if $_inferior == 1 && $owed
set $tables = $tables + 1
set $less = $less + (processes[2]->debt < $owed)
set $owed = (unsigned long long)0
end
continue
end
continue
printf "%d tables, %d debts less\\n", $tables, $less
"""


def test_debts_survive_new_tables_of_slots(session, tmp_path):
    """Messages for job 2, which does not run, take time of job 1's slots. Meanwhile other jobs come and go, each with new
    tables of slots, and what job 2 owes stays."""
    script = tmp_path / "debts.gdb"
    script.write_text(DEBTS)
    guests = [[f"hello@{start}"] for start in range(1_000_000, UNTIL - 1_000_000, 137_000)]
    ended = session([f"source {script}"], "-n", 4, "--timeout", UNTIL, *joined(
        [[built("glaze/slots/ended"), "counts", UNTIL], [built("glaze/slots/slots"), "flood", 500_000, UNTIL, 86], *guests]))
    [(tables, less)] = re.findall(r"^(\d+) tables, (\d+) debts less$", ended.stdout, re.MULTILINE)
    assert int(tables) >= 5 and int(less) == 0, (tables, less)
