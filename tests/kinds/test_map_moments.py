"""Calls of maps at moments that runs do not reach by themselves: the debugger wakes the process that waits for one, or changes
what its kernel asks for. mapresults.c checks what comes of that (docs/shrimp.md, the system call).
"""

from __future__ import annotations

import re

import pytest
from gdb_session import environment, place, session
from guest_programs import built

__all__ = ["environment", "session"]

SOURCE = "guest-os/kernel/services/shrimp/source.c"
PROCESS = "processes[processes_last]"
WAKE = [f"set {PROCESS}->state = PROCESS_RUNNABLE", "set processes_ready.word[0] = processes_ready.word[0] | 1 << processes_last"]


@pytest.fixture
def run(session):
    """run(case, [commands], stops) runs two nodes under the debugger. All checks hold, and it has stopped so many times."""
    def checked(case, commands, stops):
        ended = session([*commands, "delete", "continue"], "-n", 2, "--ni", "shrimp", "--second-base", 20_000,
                        "--timeout", "400M", built("kinds/mapresults"), case)
        assert ended.stdout.count(" hit ") == stops, ended.stdout
        assert len(re.findall(r"^\d+ checks, 0 failed", ended.stdout, re.MULTILINE)) == 2, ended.stdout
        assert "has ended with status 0" in ended.stdout, ended.stdout
    return checked


def test_a_mapping_dies_before_its_map_has_returned(run):
    """It is no mapping yet: an UNMAP of its number would keep its place, and let its process map what is not exported."""
    dies = place(SOURCE, "void die", "m->state = asks_waits(p, m) ? MAP_DEAD : MAP_ENDS;")
    run("died", [f"break {dies} thread 1.1", "continue", *WAKE], 1)


def test_maps_that_were_left_wait_no_longer_for_exports(run):
    """As many as there are places for calls."""
    parks = place(SOURCE, "void asked(", "MAP_PARKED;")
    run("parked", [f"break {parks} thread 1.1", *["continue", *WAKE] * 4], 4)


def test_pages_are_taken_until_a_mapping_that_ends_lets_them_go(run):
    """It has been granted some of its pages, and ends when the first page of another mapping has been granted. Its end would
    clear that one's entries, and stores would be lost."""
    grants = place(SOURCE, "void granted(", "m->granted++;")
    ends = f"{PROCESS}->shrimp->maps[1]"
    run("taken", [f"break {grants} thread 1.1 if shrimp->ask_map == 1 && shrimp->ask_page == 3", "continue", *WAKE,
                  "tbreak parts_check thread 1.1 if shrimp->ask_map == 0", "continue",
                  f"set {ends}.result = -3", f"set {ends}.state = MAP_ENDS"], 2)


def test_an_unmap_returns_whose_target_ends_the_mapping(run):
    """It waits for the answer to a question for one of its pages, as after a shoot-down, which comes behind the end."""
    unmaps, dies = place(SOURCE, "source_unmap", "m->result = 0;"), place(SOURCE, "void die", "asks_named(&p, node, e);")
    asked = [f"set shrimp->{name} = {value}" for name, value in
             {"asks": 1, "asks_again": 1, "ask_gid": "processes_last", "ask_map": 0, "ask_page": 0}.items()]
    answered = [f"set shrimp->{name} = {value}" for name, value in
                {"answer.gid": "processes_last", "answer.map": 0, "answer.status": -3, "answered": 1}.items()]
    run("ended", [f"tbreak {unmaps} thread 1.1", "continue", *asked, f"tbreak {dies} thread 1.1", "continue", *answered], 2)


@pytest.mark.parametrize(("moment", "change"), [
    ("exports_for thread 2.1", "bytes = 0"),
    ("grant_page thread 2.1 if shrimp->peer[0].question.page == 1", "page = 40"),
], ids=["no-bytes", "page"])
def test_a_target_grants_nothing_beyond_the_export(run, moment, change):
    """Whatever another node's kernel asks for: no bytes, or a page behind the export's 40."""
    run("beyond", [f"tbreak {moment}", "continue", f"set shrimp->peer[0].question.{change}"], 1)
