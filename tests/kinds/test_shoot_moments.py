"""Shoot-downs at moments that runs do not reach by themselves: the debugger puts the kernel there (docs/shrimp.md, paging).

mapshoot.c checks each word. tests/model/shoot names the rules.
"""

from __future__ import annotations

import re

import pytest
from gdb_session import environment, place, session
from guest_programs import built

__all__ = ["environment", "session"]

KERNEL = "guest-os/kernel/services/shrimp"
MAPPING = 2                 # of the sender's pages that go to one page each
ENGINE, DRAINS = 1, 4       # states of a shoot-down: it begins; its page's entries are cleared


def shoots(gid, page, frame, state):
    """Commands that let the current node shoot down a page, if it shoots down no other one; the first one says whether."""
    return ["print shrimp->shoot.state == 0", "set $free = shrimp->shoot.state == 0",
            *(f"set shrimp->shoot.{name} = $free ? {value} : shrimp->shoot.{name}" for name, value in
              {"gid": gid, "payer": 0, "grant": 0, "page": page, "frame": frame, "state": state}.items())]


@pytest.fixture
def put(session, disk):
    """Runs two nodes under the debugger with these commands. All checks hold, and the debugger has stopped at each break.
    Returns whether the node was free to shoot down the page."""
    def run(commands):
        ended = session(commands, "-n", 2, "--ni", "shrimp", "--shrimp-paging", "shoot-down", "--ram", "1M", "--disk",
                        f"0={disk(4096)}", built("kinds/mapshoot"), 6, 20, 60)
        free = "\n$1 = 1\n" in ended.stdout
        assert ended.stdout.count(" hit ") == (sum("break" in command for command in commands) if free else 1), ended.stdout
        assert len(re.findall(r"^\d+ checks, 0 failed", ended.stdout, re.MULTILINE)) == 2, ended.stdout
        assert "has ended with status 0" in ended.stdout, ended.stdout
        return free
    return run


@pytest.mark.parametrize("before", [0, 2])
def test_an_answer_comes_while_the_page_that_asks_goes_out(put, before):
    """It sets no entry: the frame is another page's soon, whose stores would be sent."""
    asked = place(f"{KERNEL}/closed.c", "void closed_answered", "if (m->state == MAP_LIVE && !a->status)")
    assert put([f"break {asked} thread 1.1 if shrimp->shoot.state == 0 && shrimp->ask_map == {MAPPING}", f"ignore 1 {before}",
         "continue", "set $p = processes[shrimp->ask_gid]", "set $page = $p->shrimp->remap & ~0xfff",
         "set $r = ((unsigned *)$p->regions)[$page >> 24]", "set $s = ((unsigned *)(($r & ~3) << 4))[$page >> 18 & 63]",
         "set $e = ((unsigned *)(($s & ~3) << 4))[$page >> 12 & 63]",
         *shoots("shrimp->ask_gid", "$page", "($e & ~0xff) << 4", DRAINS), "delete", "continue"])


def test_an_answer_comes_with_a_shoot_down_behind_it(put):
    """Both come while the kernel waits in the midst of a step. The answer is taken first, or it would set an entry for a
    frame that is no more the page's."""
    step = place(f"{KERNEL}/maps.c", "void maps_step", "if (shrimp->answered)")
    shot = place(f"{KERNEL}/maps.c", "void serve_peer", "shrimp->todo[node / 32] &=")

    def tried(before):
        return put([f"break {step} thread 1.1 if shrimp->answered && shrimp->asks_again && shrimp->ask_map == {MAPPING}",
                    f"ignore 1 {before}", "continue",
                    *(f"set ${name} = shrimp->{of}" for name, of in
                      {"grant": "answer.grant", "k": "ask_page", "frame": "answer.frame", "gid": "ask_gid"}.items()),
                    "set shrimp->answered = 0", "delete", f"tbreak {shot} thread 1.1 if shrimp->peer[1].shoots", "thread 2.1",
                    *shoots("$gid", "processes[$gid]->shrimp->grants[$grant].first + $k * 4096", "$frame", ENGINE),
                    "set chores_wait = chores_wait | CHORE_SHRIMP", "python free = int(gdb.parse_and_eval('$free'))", "thread 1.1",
                    *(f"python free or gdb.execute('{command}')" for command in ("set shrimp->answered = 1", "delete")), "continue",
                    *(f"python free and gdb.execute('{command}')" for command in
                      ("thread 1.1", "set shrimp->answered = 1", "continue"))])

    assert any(tried(before) for before in (0, 5, 10, 15))
