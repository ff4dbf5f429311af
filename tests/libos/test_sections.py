"""Functions that libraries call in atomic sections or handlers alone, as their headers say, are called there.

If a section is not opened, results are wrong only when a message comes in one of a few cycles.
"""

from __future__ import annotations

import pytest
from guest_programs import built

from fugu.abi import REGS
from fugu.api import Machine, NotReached

UAC = REGS["NI_USER_BASE"] + REGS["U_UAC"]
STOPS = 40

# Programs, and functions at whose first instruction a node has to be in a section.
THREADS = (["libos/threads"], {"nodes": 2})
REGIONS = (["libos/regions", 40, 7, "mixed", "divert"], {"nodes": 4})
PAGES = (["shm/shm-random", 1, 3, 20, 256], {"nodes": 4})
LOCKS = (["shm/shm-locks", "counter", 40], {"nodes": 8, "shm_order": "drop"})
FUNCTIONS = {
    "ready_put": THREADS, "ready_take": THREADS, "ready_put_first": THREADS, "thread_wake": THREADS,
    "thread_wait": THREADS, "thread_here": THREADS, "hand_over": THREADS, "switch_to": THREADS, "queue_wake": THREADS,
    "unit_take": THREADS, "unit_free": THREADS, "handler_detach": THREADS, "faults_look": THREADS,
    "crl_remove": REGIONS, "crl_home_refresh": REGIONS, "crl_forget": REGIONS, "crl_sent": REGIONS,
    "post_begin": PAGES, "post_words": PAGES, "post_end": PAGES, "tell_versions": PAGES, "has_unseen": PAGES,
    "has_news": PAGES, "answer_fetch": PAGES, "page_changed": PAGES, "page_version": PAGES, "pages_settle": PAGES,
    "visit_changed": PAGES, "carry_end": PAGES, "twin_give": PAGES, "interval_post": PAGES,
    "last_get": LOCKS, "last_set": LOCKS, "lasts_tell": LOCKS, "lasts_fetched": LOCKS, "carry_post": LOCKS,
    "carry_gave": LOCKS, "carry_store": LOCKS, "visit_after_section": LOCKS,
}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_function_is_called_in_a_section(function):
    """At up to so many calls, on whichever node."""
    (program, *words), options = FUNCTIONS[function]
    calls = 0
    with Machine(built(program), *words, history="1M", **options) as machine:
        try:
            for _ in range(STOPS):
                node = machine.to_symbol(function).node
                assert machine.value(UAC, node, 4, program="kernel") & REGS["UAC_INTERRUPT_DISABLE"], machine.place
                calls += 1
        except NotReached:
            pass
    assert calls >= 20
