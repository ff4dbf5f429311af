"""The kernel serves network and clock within a bound, whatever jobs do with memory (docs/glaze.md, "What a job can cost
another")."""

from __future__ import annotations

import re

import pytest
from guest_programs import built, joined
from served import BOUND, check_served, longest

from fugu.abi import PROCESS

WORKER, TAKER, FLOOD = (built(f"glaze/paging/{name}") for name in ("worker", "taker", "flood"))


UNTIL = 30_000_000
TIMEOUT = 10_000            # cycles: the kernel's atomicity-timeout


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize("beside", ["nothing", "sections"])
def test_messages_of_the_first_network_beside_the_second(machine, disk, beside, atomicity):
    """Node 7 has the disk for six nodes that page, so its kernel gets messages of the second network without a pause.
    Those of the first network are still taken, also if the one at the head is for a section: without that, some wait
    for a page, 70,000 cycles or more. A command waits for the handler before it, for the entry in which that one's time
    ends, and for the one that takes the command."""
    nothing = [0, "ends", 7, "ends"]
    jobs = [[built("glaze/paging/reads"), 7, UNTIL], [built("glaze/paging/pager"), 150, UNTIL, *nothing]]
    if beside == "sections":
        jobs.append([built("glaze/slots/hold"), "sections", 7, UNTIL])
    result = machine(*joined(jobs), nodes=8, ram="512K", disk=[f"7={disk(16384)}"], timeout="80M",
                     atomicity=atomicity).check(0)
    [(reads, cycles)] = re.findall(r"^reads: (\d+), the longest one (\d+) cycles$", result.stdout, re.MULTILINE)
    assert int(reads) > 200 and int(cycles) < TIMEOUT + 2 * BOUND, result.report()


@pytest.mark.parametrize("how", ["pages", "views", "tables"])
def test_end_of_a_job(tmp_path, how):
    """A job with much memory ends beside one that computes."""
    check_served(tmp_path, "-n", 1, *joined([[WORKER, 4, 2000, 1_000_000], [TAKER, how, 1_000_000, 8_000_000]]))


def test_a_page_of_the_image_and_its_table(tmp_path):
    """The first touch of a page copies it from the image, and needs a table. No free frame is clean."""
    worst, done = longest(tmp_path, "-n", 1, "--ram", "4M", built("glaze/paging/image"))
    assert done.stdout.splitlines()[:2] == ["image: 7", "image: 2 frames"], done.stdout + done.stderr
    assert worst.cycles <= BOUND, worst.text


def test_messages_without_frames(tmp_path, disk):
    """Messages find no frame at all: a job has taken nearly all, and no reserve is kept. Other jobs go on meanwhile."""
    check_served(tmp_path, "-n", 2, "--ram", "512K", "--low-water", 0, "--high-water", 0, "--disk", f"1={disk(16384)}",
                 "--timeout", "400M", *joined([[WORKER, 4, 2000, 1_000_000], [FLOOD, 6000, 0]]))


@pytest.mark.parametrize(("others", "most"), [([], 1_000_000), ([[built("glaze/paging/pager"), 150, UNTIL]], 2_500_000)])
@pytest.mark.parametrize("node", [0, 1])
def test_commands_behind_messages_without_frames(machine, disk, node, others, most):
    """What docs/caveats.md says of a command to a node at which messages find no frame: in runs that begin at
    other times, up to 661,000 cycles beside a flood alone, and 1,953,000 beside a program that pages as well."""
    result = machine(*joined([[WORKER, 4, 2000, 1_000_000], [FLOOD, 6000, 0], [built("glaze/paging/reads"), node, UNTIL],
                              *others]), nodes=3, ram="512K", low_water=0, high_water=0, disk=[f"2={disk(16384)}"],
                     timeout="120M")
    [(reads, cycles)] = re.findall(r"^reads: (\d+), the longest one (\d+) cycles$", result.stdout, re.MULTILINE)
    assert int(reads) > 30 and int(cycles) < most, result.report()


def test_many_nodes_that_ask_for_pages(tmp_path, disk):
    """All ask the disk's node, for a process that has ended there and owes too much: their requests wait. The kernel
    asks once for each process whether they do, not for each request."""
    worst, done = longest(tmp_path, "-n", 64, "--ram", "512K", "--disk", f"0={disk(65536)}", "--timeout", "5M",
                          *joined([[built("hostile/attack"), "spin", 40_000_000],
                                   [built("glaze/paging/pager"), 150, 40_000_000, 0, "ends"]]))
    assert done.returncode == 124, done.stdout + done.stderr
    assert worst.cycles <= BOUND, worst.text


def beside_jobs(tmp_path, disk, jobs, *options):
    """Runs one that touches its pages in turn, and after a while others beside it, which need most of the memory."""
    worst, done = longest(tmp_path, "-n", 1, "--disk", f"0={disk(65536)}", "--timeout", "3G", *options,
                          *joined([[built("glaze/paging/computes"), 500, 100_000_000], *[[f"{WORKER}@20000000", 20, 20, 0]] * jobs]),
                          timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(re.findall(r"^worker: \d+ cycles", done.stdout, re.MULTILINE)) == jobs, done.stdout
    return worst


def test_jobs_that_page(tmp_path, disk):
    """Most of them wait for memory at the same time, and have few pages that can go. The pager looks at them, and at
    their pages, in parts."""
    worst = beside_jobs(tmp_path, disk, 30, "--ram", "1M")
    assert worst.cycles <= BOUND, worst.text


@pytest.mark.parametrize("jobs", [18, 20, 22])
def test_jobs_that_wait_for_the_first(tmp_path, disk, jobs):
    """Each waits for the one that comes first, which may be another one than when the pager's round has looked at it."""
    worst = beside_jobs(tmp_path, disk, jobs, "--ram", "512K")
    assert worst.cycles <= BOUND, worst.text


def test_many_jobs_that_page(tmp_path, disk):
    """With so many, a search for a page takes longer than its part."""
    worst = beside_jobs(tmp_path, disk, 40, "--ram", "1M")
    assert worst.cycles <= BOUND, worst.text


@pytest.mark.parametrize("jobs", [3, 12])
@pytest.mark.parametrize("timeslice", [5_000, 20_000])
def test_short_slots(tmp_path, disk, jobs, timeslice):
    """A chore that is put off does not make the scheduler choose again: it would pass over one slot each time."""
    worst = beside_jobs(tmp_path, disk, jobs, "--ram", "512K", "--timeslice", timeslice)
    assert worst.cycles <= BOUND, worst.text


def test_more_jobs_than_fit(tmp_path, disk):
    """Nearly all GIDs have a process with few pages, most of which are spared. Some end for lack of memory: the search
    for one is a part of its own. The others come to their end, although a look at all of them takes longer than a part."""
    computes = built("glaze/paging/computes")
    worst, done = longest(tmp_path, "-n", 1, "--ram", "1M", "--disk", f"0={disk(65536)}", "--timeout", "2G",
                          *joined([[computes, 500, 100_000_000], *[[f"{WORKER}@20000000", 20, 20, 0]] * 60]), timeout=300)
    assert done.returncode == 102, done.stdout + done.stderr
    ended = len(re.findall(r"^glaze: \w+ \(job \d+\) (?:on node 0 is ended: the node has no memory|cannot be started)", done.stdout,
                           re.MULTILINE))
    assert len(re.findall(r"^(?:worker: \d+ cycles|computes: node 0 ends)", done.stdout, re.MULTILINE)) + ended == 61, done.stdout
    assert worst.cycles <= BOUND, worst.text


def test_jobs_of_many_end_on_one_of_many_nodes(tmp_path):
    """Each of 62 jobs takes memory on node 0 of 64, and there is no disk."""
    worst, done = longest(tmp_path, "-n", 64, "--ram", "2M", "--timeout", "60M", *joined([[WORKER, 40, 40, 0]] * 62), timeout=600)
    assert done.returncode == 102, done.stdout[-2000:] + done.stderr
    assert worst.cycles <= BOUND, worst.text


def test_as_many_jobs_as_a_command_line_has_without_a_server(tmp_path):
    """The server ends, and 192 jobs are given up, each with its line."""
    what = tmp_path / "what"
    what.write_text("exit")
    worst, done = longest(tmp_path, "-n", 2, "--ram", "4M", "--scheduler", built("glaze/sched/server"), "--input", what,
                          *joined([["null", 100_000]] * 255))
    assert done.returncode == 103, done.stdout[-2000:] + done.stderr
    assert done.stdout.count(" is not started: the scheduler's server has ended") == 255 - 62, done.stdout
    assert worst.cycles <= BOUND, worst.text


@pytest.mark.parametrize("jobs", [16, 60])
def test_jobs_that_begin_and_end_together(tmp_path, jobs):
    """The kernel settles one after the other, and neither scheduler nor pager look at each process."""
    computes = built("glaze/paging/computes")
    check_served(tmp_path, "-n", 2, "--ram", "16M", *joined([[computes, 500, 20_000_000], *[[f"{computes}@8000000", 50, 100_000]] * jobs]))


def test_jobs_that_are_made_while_others_end(tmp_path, disk):
    """Many are made at one time on a node without free frames, so each has to wait for memory. What node 0 has to tell
    about those that end does not wait for the first of them. Some end for lack of memory, and the scheduler's server,
    which holds more than most of them, never does: so all jobs are started."""
    computes = built("glaze/paging/computes")
    done = longest(tmp_path, "-n", 2, "--ram", "1M", "--timeslice", 3000, "--disk", f"0={disk(524_288)}", "--timeout", "4G",
                   *joined([[computes, 100, 1_000_000], *[[WORKER, 10, 20, 0]] * 20,
                            *[[f"{computes}@40000000", 50, 100_000]] * 50]), timeout=300)[1]
    assert done.returncode == 102, done.stdout + done.stderr
    assert "sched (" not in done.stdout and "is not started" not in done.stdout, done.stdout


def test_jobs_whose_gids_are_used_again(tmp_path):
    """Many jobs wait for one flush. The pages of the processes before them are cleared in parts."""
    jobs = PROCESS["JOBS_MAX"]
    check_served(tmp_path, "-n", 3, "--ram", "4M", "--timeslice", 20_000, *joined([["null", 1000]] * (2 * jobs)))


def test_a_later_job_with_large_files(tmp_path):
    """A job begins beside another one. Its input files have 4,000 pages, which the kernel maps in parts."""
    large = tmp_path / "large"
    large.write_bytes(bytes(15 << 20))
    check_served(tmp_path, "-n", 1, "--ram", "4M", "--input", large,
                 *joined([[WORKER, 4, 2000, 1_000_000], ["hello@2000000"]]))


def test_a_later_job_on_a_full_node(tmp_path, disk):
    """A job begins on a node without free frames. It waits for its tables, and the other job does not."""
    worst, done = longest(tmp_path, "-n", 1, "--ram", "512K", "--disk", f"0={disk(16384)}", "--timeout", "400M",
                          *joined([[TAKER, "pages", 1_000_000, 60_000_000], ["hello@20000000", "later"]]))
    assert done.returncode == 0 and "hello from node 0 of 1: hello later" in done.stdout, done.stdout + done.stderr
    assert worst.cycles <= BOUND, worst.text


def test_slots_that_end_behind_pages_of_the_image(tmp_path, disk):
    """Jobs of many kinds, with soft atomicity: where eight processes owe time, to end a slot and to begin the next one takes
    6,000 cycles, and an entry that has filled a page has no time for that."""
    computes, image = built("glaze/paging/computes"), built("glaze/paging/image")
    short, long = [20, 20, 0], [4, 200, 100_000]
    tables, views = ([how, 1_000_000, 4_000_000] for how in ("tables", "views"))
    jobs = [("hello", 0), (WORKER, 16, *short), ("hello", 17), (WORKER, 6, *short), (WORKER, 8, *short), (image, 0), (WORKER, 0, *short),
            (computes, 12, 500, 10_000_000), (TAKER, 13, *tables), (WORKER, 1, *long), (computes, 5, 50, 10_000_000),
            (WORKER, 19, *long), (image, 6), (computes, 0, 500, 1_000_000), (WORKER, 9, *short), (computes, 0, 500, 1_000_000),
            (computes, 19, 50, 10_000_000), ("hello", 5), (TAKER, 3, *tables), (WORKER, 0, *short), (FLOOD, 0, 300, 0),
            (WORKER, 0, *short), ("hello", 0), (TAKER, 0, *tables), (TAKER, 0, *views), ("hello", 7), (image, 3), (image, 19),
            ("hello", 5), (WORKER, 9, *long)]
    check_served(tmp_path, "-n", 2, "--ram", "4M", "--timeout", "37M", "--timeslice", 500_000, "--atomicity", "soft",
                 "--disk", f"1={disk(8192)}", *joined(
                     [[f"{program}@{at}M" if at else program, *words] for program, at, *words in jobs]), status=124)


def test_long_writes_that_wait_for_pages(tmp_path):
    """Writes of a page to odd addresses find pages that have not been touched. The kernel does them later, in parts."""
    check_served(tmp_path, "-n", 2, built("hostile/attack"), "write-long", 1_000_000)


def test_as_many_jobs_as_a_command_line_has(tmp_path):
    """Node 0 starts one after the other: it tells nine nodes of each, waits for space in the network for that, and makes a
    process of its own. One entry into the kernel has no time for both, nor for a new table of slots after either. Pages
    are copied from the image where slots end: an entry that has filled one leaves the end of the slot to the next."""
    worst, done = longest(tmp_path, "-n", 16, *joined([["hello"]] * 255), timeout=600)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    assert worst.cycles <= BOUND, worst.text


def test_node_0_tells_all_nodes(tmp_path):
    """A job ends on 144 nodes. Node 0 tells nine of them, and they tell the others."""
    check_served(tmp_path, "-n", 144, "--ram", "1M", *joined([["hello"], ["null", 2_000_000]]))
