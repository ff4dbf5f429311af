"""Remote queues: the rules of rq.h, with all back ends, in each way that messages can come. README.md lists them."""

from __future__ import annotations

import functools
import re
from pathlib import Path

import pytest
from guest_programs import built, settled
from machine_runs import long_rounds
from run_sh import run_sh

from fugu.paths import ROOT

RULES = built("rq/rq-rules")
SOURCE = (Path(__file__).parent / "rules.c").read_text()
PAGE = (Path(__file__).parent / "README.md").read_text()
CASES = re.findall(r'^    \{ "(\w+)", \w+, (\w+), (\w+) \},$', SOURCE, re.MULTILINE)
BACK_ENDS = ("ni", "memory", "fetch")
LIMIT = "1G"


@pytest.mark.parametrize("nodes", [1, 2, 3, 8])
@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_rules(machine, back_end, nodes):
    machine(RULES, back_end, nodes=nodes, timeout=LIMIT).finished(nodes)


@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_rules_with_soft_atomicity(machine, back_end):
    machine(RULES, back_end, nodes=3, timeout=LIMIT, atomicity="soft").finished(3)


@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_rules_split_over_processes(machine, back_end):
    """The machine in three processes makes the same run."""
    runs = [machine(RULES, back_end, nodes=3, timeout=LIMIT, digest=True, **options)
            for options in map(long_rounds, (1, 3))]
    assert len({run.check(0).digest for run in runs}) == 1


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_rules_beside_another_job(machine, back_end, atomicity):
    """Slots end in the middle of polling; messages are buffered while the other job, which uses UDM, has its slots."""
    result = machine(RULES, back_end, "beside", "+", "barrier", 400, nodes=3, timeslice=20_000, timeout=LIMIT,
                     atomicity=atomicity)
    result.finished(3)
    assert "nodes were ahead 0 times" in result.stdout, result.report()


@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_rules_with_sections_that_are_revoked(machine, back_end):
    """Every section is too long, and its messages come out of the buffer."""
    machine(RULES, back_end, "beside", nodes=3, atomicity_timeout=200, timeout=LIMIT).finished(3)


@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_snapshots_have_the_queues(tmp_path, back_end):
    """Saved while items wait in queues, in the buffer and in the network; the rest of the run is the same."""
    files = {cycle: tmp_path / str(cycle) for cycle in (1_200_000, 3_000_000)}
    saves = [word for cycle, file in files.items() for word in ("--save", f"{file}@{cycle}")]
    whole = run_sh("-n", "2", *saves, str(RULES), back_end)
    assert whole.returncode == 0, whole.stdout + whole.stderr
    for file in files.values():
        rest = run_sh("--load", str(file))
        assert rest.returncode == 0 and rest.stdout and whole.stdout.endswith(rest.stdout), rest.stdout + rest.stderr


# ---- the table of rules ----------------------------------------------------------

def test_each_rule_has_a_case():
    """The table in README.md names the cases of rules.c, in their order, and no others."""
    rows = re.findall(r"^\| `(\w+)` \| .+ \| (.+) \|$", PAGE.partition("## Rules")[2], re.MULTILINE)
    where = {"ALL": "all", "NI": "`RQ_BY_NI`", "FETCH": "`RQ_BY_FETCH`", "NOT_NI": "all but `RQ_BY_NI`"}
    assert rows == [(name, where[kind]) for name, kind, _ in CASES] and len(rows) > 15


# ---- mistakes --------------------------------------------------------------------

STATUS = 118
OPTIONS = {"nodes": 2, "timeslice": 20_000, "timeout": "60M"}
MAKE = "the queue does not exist: make it with rq_create()"
BODY = "a body has at most 4096 bytes; its address and length are multiples of 4"
FORGED = "RQ: a message came that the library does not send"

# Case: whether the next node notices it, and the words of the line.
MISTAKES = {
    "create-first": (False, "rq_create(): queue 1: called before rq_init()"),
    "dequeue-first": (False, "rq_dequeue(): queue 1: called before rq_init()"),
    "ni-first": (False, "rq_dequeue(): called before rq_init()"),
    "back-end": (False, "rq_init(): there is no such back end: use RQ_BY_NI, RQ_BY_MEMORY or RQ_BY_FETCH"),
    "init-twice": (False, "rq_init(): called twice: call it once, first"),
    "create-ni": (False, "rq_create(): a name is a number from 1 to 65535"),
    "create-large": (False, "rq_create(): queue 65536: a name is a number from 1 to 65535"),
    "create-kind": (False, "rq_create(): queue 2: there is no such kind of queue: use RQ_POLL or RQ_INTERRUPT"),
    "create-twice": (False, "rq_create(): queue 1: the queue exists already"),
    "dequeue": (False, f"rq_dequeue(): queue 7: {MAKE}"),
    "read": (False, f"rq_read_queue(): queue 7: {MAKE}"),
    "delete": (False, f"rq_dequeue(): queue 7: {MAKE}"),
    "poll": (False, f"rq_poll_am_of(): queue 7: {MAKE}"),
    "poll-ni": (False, "rq_poll_am_of(): the queue is RQ_NI: use rq_poll_am()"),
    "waiting": (False, f"rq_waiting(): queue 7: {MAKE}"),
    "send": (True, "RQ: queue 7: node {sender} has sent an item, but the queue does not exist here"),
    "send-negative": (True, "RQ: queue 4294967295: node {sender} has sent an item, but the queue does not exist here"),
    "forged-empty": (True, FORGED),
    "forged-data": (True, FORGED),
    "forged-ni": (True, FORGED),
    "fetch-send": (False, "RQ: queue 7: the queue does not exist on node {other}"),
    "fetch-negative": (False, "RQ: queue 4294967295: the queue does not exist on node {other}"),
    "fetch-node": (False, "RQ: queue 1: an item is for a node that does not exist"),
    "fetch-block": (False, "RQ: a block is for a node that does not exist"),
    "fetch-no-block": (False, "RQ: a block is for a node that does not exist"),
    "fetch-address": (False, f"RQ: queue 1: {BODY}"),
    "fetch-length": (False, f"RQ: queue 1: {BODY}"),
    "fetch-long": (False, f"RQ: queue 1: {BODY}"),
    "fetch-alone": (False, "RQ: node {other} does not use RQ_BY_FETCH, or has ended"),
    "fetch-ended": (False, "RQ: node {other} does not use RQ_BY_FETCH, or has ended"),
    "fetch-words": (True, "RQ: queue 1: the program has overwritten the queue"),
    "fetch-slots": (True, "RQ: queue 1: the program has overwritten the queue"),
    "fetch-end": (True, "RQ: queue 1: the program has overwritten the queue"),
    "fetch-bytes": (True, "RQ: queue 1: the program has overwritten the queue"),
}


def bystanders(result):
    return sorted(line for line in result.stdout.splitlines() if line.startswith("bystander:"))


@pytest.fixture(scope="module")
def peace(machine):
    """peace(back_end) -> what the bystander prints beside a program that makes no mistake."""
    @functools.cache
    def lines(back_end: str) -> list[str]:
        case = {"fetch": "fetch-none", "memory": "none"}[back_end]
        found = bystanders(machine(built("rq/rq-mistakes"), 0, case, "+", built("hostile/bystander"), **OPTIONS).check(0))
        assert len(found) == 2 and all(", 0 wrong, " in line for line in found)
        return found
    return lines


@pytest.mark.parametrize("node", [0, 1])
@pytest.mark.parametrize("case", MISTAKES)
def test_mistake(machine, peace, case, node):
    """It ends the job with a line; a bystander on the same nodes notices nothing, and no frame is lost."""
    elsewhere, words = MISTAKES[case]
    fetch = case.startswith("fetch-")
    result = machine(built("rq/rq-mistakes"), node, case, "+", built("hostile/bystander"),
                     *settled(peace("fetch" if fetch else "memory")), **OPTIONS).check(STATUS)
    said = [line for line in result.stdout.splitlines() if line.startswith("glaze:")]
    where = 1 - node if elsewhere else node
    assert said == [f"glaze: rq-mistakes (job 1) on node {where} is ended: "
                    f"{words.format(sender=node, other=1 - node)}"], result.report()
    hurts_no_bystander(result, peace, fetch)


ENDS = {0, 101, STATUS}     # statuses: nothing noticed, a fault, a mistake


@pytest.mark.parametrize("seed", range(1, 13))
def test_forged_messages_hurt_their_own_job_alone(machine, peace, seed):
    """Random words for the library's handlers: addresses to jump to, queues that do not exist, no words at all.

    Each third program has RQ_BY_FETCH, and writes into the memory of its queues, too."""
    fetch = seed % 3 == 0
    result = machine(built("rq/rq-forged"), seed, "+", built("hostile/bystander"),
                     *settled(peace("fetch" if fetch else "memory")), **OPTIONS)
    said = [line for line in result.stdout.splitlines() if line.startswith("glaze:")]
    assert result.status in ENDS, result.report()
    assert all(re.match(r"glaze: rq-forged \(job 1\) on node [01] is ended: ", line) for line in said), result.report()
    hurts_no_bystander(result, peace, fetch)


def hurts_no_bystander(result, peace, fetch):
    """The bystander's lines are those beside a program that makes no mistake.

    With RQ_BY_FETCH, a node keeps one frame more for replies after the first command that takes the slow path
    (docs/mbcf.md, "Limits"). Either program may have one: a peaceful one looks for its items before it ends."""
    if not fetch:
        assert bystanders(result) == peace("memory"), result.report()
        return
    found, calm = without_frames(bystanders(result)), without_frames(peace("fetch"))
    assert found[0] == calm[0], result.report()
    assert all(abs(after - before) <= 1 for after, before in zip(found[1], calm[1], strict=True)), result.report()


def without_frames(lines: list[str]) -> tuple[list[str], list[int]]:
    """What bystanders print, and the frames that the kernels keep."""
    parts = [re.fullmatch(r"(.*, 0 wrong), (\d+) frames kept", line) for line in lines]
    assert all(parts), lines
    return [part[1] for part in parts], [int(part[2]) for part in parts]


# ---- refused items -----------------------------------------------------------------

@pytest.mark.parametrize(("how", "atomicity"), [((), "hard"), ((), "soft"), (("section",), "hard"), (("late",), "hard")])
def test_refused_item_is_sent_again(machine, disk, how, atomicity):
    """Its WRITE finds a page that is out, and too many commands that wait: the receiver misses it, and asks for it. A
    sender in a section, which lets no message in, looks by itself; one that ends waits for what it sends."""
    result = machine(built("rq/rq-refused"), 200, 2, *how, nodes=6, ram="640K", disk=[f"0={disk(4096)}"], atomicity=atomicity,
                     timeout="1G").check(0)
    assert result.stdout == "refused: 2 items, 0 wrong\n"


@pytest.mark.parametrize("case", ["reused", "ended"])
def test_late_status_of_a_node_that_has_ended(machine, case):
    """It is not taken for that of another node's item, which has the same place; and it ends no job."""
    result = machine(built("rq/rq-places"), case, nodes=34, timeout="100M").check(0)
    assert result.stdout == "places: 2 items, 0 wrong\n"


def test_next_item_repeats_a_refused_one_first(machine):
    result = machine(built("rq/rq-places"), "next", nodes=34, timeout="100M").check(0)
    assert result.stdout == "places: 2 items, 0 wrong\n"


def test_refused_item_for_the_node_itself(machine):
    """No message comes that asks for it: the node that misses it has it."""
    result = machine(built("rq/rq-places"), "self", nodes=34, timeout="100M").check(0)
    assert result.stdout == "places: 1 items\n"


# ---- the page --------------------------------------------------------------------

DOCS = (ROOT / "docs" / "remote-queues.md").read_text()
HEADER = (ROOT / "guest-os" / "include" / "lib" / "rq.h").read_text()
LIBRARY = ROOT / "guest-os" / "lib" / "rq"


def test_each_call_is_on_the_page():
    names = {name for name in re.findall(r"\b((?:rq|RQ)_\w+)\(", HEADER) if not name.endswith("_")}
    assert len(names) > 15
    assert [name for name in sorted(names) if f"`{name}(" not in DOCS] == []


def test_each_mistake_is_on_the_page():
    """The words of each line that the library prints."""
    said = {re.sub(r'"\s*"', "", text) for path in LIBRARY.rglob("*.c") for text in
            re.findall(r'(?:rq_mistake\([^;"]*(?:"[^"]+", )?[^;"]*|snprintf\(text, sizeof\(text\), )("[^;]+")[,)]',
                       path.read_text())}
    texts = {re.split(r"%\w+|\"", text.strip('"'))[0].strip() for text in said}
    page = re.sub(r"\s+", " ", DOCS)
    assert len(texts) > 8
    assert [text for text in sorted(texts) if text not in page] == []


def test_example_runs(tmp_path):
    program = DOCS.partition("```c\n")[2].partition("```")[0]
    (tmp_path / "sum.c").write_text(program)
    done = run_sh("cc", "-Wall", "-Werror", "sum.c", "-o", "sum.elf", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    done = run_sh("-n", "4", "./sum.elf", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "node 0 has got 600 from 3 nodes\n"), done.stderr
