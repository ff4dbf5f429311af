"""The tables on remote queues: each number and each verdict, from output whose answers are known."""

from __future__ import annotations

import pytest

from fugu.errors import SetupError
from fugu.paper.queues import costs, output, places, solve, strided, transpose
from fugu.paper.runs.extent import FULL, SMALL
from fugu.paper.steps.walk import Step


def claim(result, text, where=""):
    """The only claim that begins so."""
    found = [one for one in result.claims if one.text.startswith(text) and one.where == where]
    assert len(found) == 1
    return found[0]


# ---- strided -----------------------------------------------------------------

PLANES = {2: (70.6, 155.2), 200: (900.4, 700)}      # cycles of the paper's planes


@pytest.fixture
def stride(monkeypatch):
    """stride({WORDS: (MESSAGES, DMA)}) -> the table of two runs that print these cycles, and those of the planes."""
    def printed(blocks, end=": right\n"):
        lines = (f"strided: {words} words: messages {messages}, DMA {dma} cycles a block\n"
                 for words, (messages, dma) in blocks.items())
        return "".join(lines) + f"strided{end}"

    def table(blocks, end=": right\n", fresh=False, planes=PLANES):
        def outputs(jobs, again):
            assert jobs == [strided.JOB, strided.CUBE] and again == fresh
            return {strided.JOB: printed(blocks, end), strided.CUBE: printed(planes)}
        monkeypatch.setattr(strided, "outputs", outputs)
        return strided.measure(FULL.again(fresh))
    return table


@pytest.mark.parametrize("blocks, note", [
    ({2: (10, 30), 4: (20, 30), 8: (40, 30), 16: (80, 30)}, "DMA is faster from blocks of 8 words on; messages are up to 4."),
    ({2: (40, 30), 4: (50, 30)}, "DMA is faster from blocks of 2 words on; messages are up to 0."),
    ({2: (10, 30), 4: (30, 30), 8: (31, 30)}, "DMA is faster from blocks of 8 words on; messages are up to 4."),
    ({2: (10, 30), 4: (20, 30)}, "DMA is faster for no block."),
    ({2: (30, 30)}, "DMA is faster for no block.")])
def test_size_from_which_dma_is_faster(stride, blocks, note):
    assert stride(blocks).notes == [note]


@pytest.mark.parametrize("messages, holds", [(29.4, True), (30.0, False), (30.6, False)])
def test_verdict_on_the_smallest_blocks(stride, messages, holds):
    verdict = claim(stride({2: (messages, 30.0), 4: (99, 1)}), "Blocks of 8 bytes: messages take fewer")
    assert (verdict.holds, verdict.ours) == (holds, f"{messages:.0f} and 30")


def test_rows_of_strided_blocks(stride):
    result = stride({2: (10.4, 30.6), 16: (80.5, 31.2)}, fresh=True)
    assert [(row["row"], row["ours"], row["paper"]) for row in result.rows] == [
        ("2", {"messages": 10, "DMA": 31}, {}), ("16", {"messages": 80, "DMA": 31}, {}),
        (strided.APART[2], {"messages": 71, "DMA": 155}, {}), (strided.APART[200], {"messages": 900, "DMA": 700}, {})]


@pytest.mark.parametrize("messages, holds", [(154, True), (155.2, False), (156, False)])
def test_verdict_on_the_plane_of_small_blocks(stride, messages, holds):
    result = stride({2: (10, 30)}, planes={2: (messages, 155.2), 200: (1, 1)})
    assert claim(result, "The plane of 10,000 blocks of 8 bytes").holds == holds
    with pytest.raises(SetupError, match="planes.* did not print what it measured"):
        stride({2: (10, 30)}, planes={2: (1, 1)})


@pytest.mark.parametrize("blocks, end", [({2: (10, 30)}, ": wrong\n"), ({4: (10, 30)}, ": right\n"), ({}, ": right\n")])
def test_strided_output_that_lacks_something(stride, blocks, end):
    with pytest.raises(SetupError, match="did not print what it measured"):
        stride(blocks, end)


def test_jobs_are_those_that_the_tables_read():
    assert list(strided.jobs(FULL)) == [strided.JOB, strided.CUBE]
    assert len(list(transpose.jobs(FULL))) == 2 * 5 * 4         # places of the code
    assert len(list(transpose.jobs(SMALL))) == 2 * 5 * 2
    assert {job.options[:2] for job in transpose.jobs(FULL)} == {("--nodes", "64")}
    assert {job.options[:2] for job in transpose.jobs(SMALL)} == {("--nodes", "8")}
    assert len(list(solve.jobs(FULL))) == (3 * 8 + 2 * 2) * 6 * len(solve.OURS["matrices"])
    assert [job.options[1] for job in solve.jobs(SMALL)] == [nodes for nodes in ("1", "4", "16", "32") for _ in range(2)] * 5


# ---- transpose ---------------------------------------------------------------

@pytest.fixture
def transposed(monkeypatch):
    """transposed({WAY: CYCLES}) -> the table, with the same cycles on both machines."""
    def table(cycles, extent=FULL):
        monkeypatch.setattr(transpose, "outputs", lambda jobs, fresh: {
            job: f"transpose: {cycles[job.words[0]]} cycles, right\n" for job in jobs})
        return transpose.measure(extent)
    return table


def cycles_with(gains):
    """The cycles of the ways, by the gain of each over the one before; alternating takes 1,000,000."""
    found = {"alternating": 1_000_000.0}
    for way, before in (("alternating", "matched"), ("matched", "loop"), ("loop", "messages")):
        found[before] = found[way] * (1 + gains[way])
    return {way: round(cycles) for way, cycles in found.items()} | {"limited": 1_500_000}


def test_gains_of_a_transpose(transposed):
    result = transposed({"messages": 300, "loop": 200, "matched": 160, "alternating": 150, "limited": 225})
    for name in transpose.MACHINES:
        rows = {row["row"]: row["ours"] for row in result.rows if row["group"] == name}
        assert rows == {"messages": {"cycles": 300, "gain": None}, "loop": {"cycles": 200, "gain": 0.5},
                        "matched": {"cycles": 160, "gain": 0.25}, "alternating": {"cycles": 150, "gain": 0.067},
                        "limited": {"cycles": 225, "gain": None}}
        assert claim(result, "Loop: ", name).ours == "50.0 % [50.0 to 50.0]"
        assert claim(result, "Alternating: ", name).ours == "6.7 % [6.7 to 6.7]"
        assert claim(result, "All together: ", name).ours == "100.0 % [100.0 to 100.0]"
        assert claim(result, "One message between", name).ours == "1.50 times"
    assert result.title == "Transpose on 64 nodes, blocks of 4096 bytes"
    assert "130 (usual network), 130 (fast network, --mesh-word)." in result.notes[0]


@pytest.mark.parametrize("way", ["loop", "matched", "alternating"])
@pytest.mark.parametrize("more, holds", [(0.001, True), (-0.001, False)])
def test_a_gain_may_be_five_points_below_the_papers(transposed, way, more, holds):
    gains = {one: transpose.OURS[paper] for one, paper in transpose.WAYS.items() if paper}
    gains[way] += more - 0.05
    result = transposed(cycles_with(gains))
    for name in transpose.MACHINES:
        assert {one: claim(result, f"{one.capitalize()}: ", name).holds for one in gains} == \
            {one: holds or one != way for one in gains}


@pytest.mark.parametrize("more, holds", [(0, True), (1, False)])
def test_limits_of_the_total_gain_and_of_the_limited_way(transposed, more, holds):
    least = transpose.OURS["total_gain_over_active_messages"] - 0.05
    result = transposed({"messages": round((1 + least) * 1_000_000) + 10 - 20 * more, "loop": 1, "matched": 1,
                         "alternating": 1_000_000, "limited": 1_500_000 - more}, SMALL)
    for name in transpose.MACHINES:
        assert claim(result, "All together: ", name).holds == holds
        assert claim(result, "One message between two", name).holds == holds


# ---- solve -------------------------------------------------------------------

@pytest.fixture
def solved(monkeypatch):
    """solved(CYCLES) -> the table, where CYCLES(matrix, way, nodes) gives the cycles of a run."""
    def table(cycles, extent=FULL, end=": right\n"):
        planned = {job: key for key, job in solve._jobs(extent).items()}
        monkeypatch.setattr(solve, "outputs", lambda jobs, fresh: {
            job: f"measured solve: job 0\nmeasured solve: cycles {cycles(*planned[job][:3])}\n"
                 f"speed-up {int(planned[job][2]) / 2:.2f}\nsolve{end}" for job in jobs})
        return solve.measure(extent)
    return table


def test_numbers_and_best_gains_of_a_solve(solved):
    first, second = list(solve.OURS["matrices"])[:2]
    special = {(first, "interrupts", "4"): 1300, (first, "interrupts", "8"): 1020, (second, "inlined", "2"): 800}
    result = solved(lambda matrix, way, nodes: special.get((matrix, way, nodes), {
        "interrupts": 1100, "polling": 1000, "inlined": 950, "memory": 2000, "fetch": 4000}[way]))
    rows = {(row["group"], row["row"]): row["ours"] for row in result.rows}
    assert rows[first, "interrupts_cycles"] == {"1": 1100, "2": 1100, "4": 1300, "8": 1020, "16": 1100, "32": 1100}
    assert rows[first, "polling"] == {"1": 0.5, "2": 1.0, "4": 2.0, "8": 4.0, "16": 8.0, "32": 16.0}
    assert claim(result, "Both ways").ours == f"polling at least 2.0 % [2.0 to 2.0] faster, for {first} on 8 nodes"
    assert claim(result, "Polling is faster").ours == f"30.0 % [30.0 to 30.0], for {first} on 4 nodes"
    assert claim(result, "An inlined handler").ours == f"25.0 % [25.0 to 25.0], for {second} on 2 nodes"


def test_times_are_means_over_places_of_the_code():
    before, after = places.Times([100.0, 140.0]), places.Times([100.0, 100.0])
    assert (before.mean, before.spread) == (120.0, (100.0, 140.0))
    assert places.gain(before, after) == pytest.approx(0.2) and places.between(before, after) == "20.0 % [0.0 to 40.0]"
    assert places.places(FULL) == tuple(range(8)) and places.places(FULL, 2) == places.places(SMALL) == (0, 4)
    assert places.program("solve", 0) == "solve" and places.program("solve", 3).endswith("solve-at-3.elf")


def test_one_node_has_no_messages_and_no_gain(solved):
    result = solved(lambda matrix, way, nodes: 5000 if nodes == "1" and way == "interrupts" else 1000, SMALL)
    assert claim(result, "Both ways").ours.startswith("polling at least 0.0 % [0.0 to 0.0] faster")
    assert not claim(result, "Both ways").holds


@pytest.mark.parametrize("text, key, dear, cheap", [
    ("Polling is faster", "polling_over_interrupts_max_gain", "interrupts", "polling"),
    ("An inlined handler", "inlined_handler_max_gain", "polling", "inlined")])
@pytest.mark.parametrize("off, holds", [(-0.051, False), (-0.049, True), (0, True), (0.049, True), (0.051, False)])
def test_best_gain_is_within_five_points_of_the_papers(solved, text, key, dear, cheap, off, holds):
    ways = list(solve.WAYS)
    dearer = round(1_000_000 * (1 + solve.OURS[key] + off))
    result = solved(lambda matrix, way, nodes: dearer if ways.index(way) <= ways.index(dear) else 1_000_000)
    assert claim(result, text).holds == holds


def test_solve_output_that_lacks_something(solved, monkeypatch):
    with pytest.raises(SetupError, match="did not print what it measured"):
        solved(lambda matrix, way, nodes: 1000, SMALL, ": wrong\n")
    monkeypatch.setattr(solve, "outputs", lambda jobs, fresh: dict.fromkeys(jobs, "speed-up 1.00\nsolve: right\n"))
    with pytest.raises(SetupError, match="did not print what it measured"):
        solve.measure(SMALL)


def test_a_number_in_the_output():
    assert output.found(r"took (\d+)", "it took 17 cycles, took 3") == 17.0
    with pytest.raises(SetupError, match=r"did not print what it measured \(took \(\\d\+\)\):\nnothing"):
        output.found(r"took (\d+)", "nothing")


# ---- costs -------------------------------------------------------------------

def walk(took):
    """A walk of two steps that takes so many cycles."""
    return [Step(0, took - 1, 0), Step(4, 1, 0)]


@pytest.mark.parametrize("took, usual", [([7], 7), ([7, 7, 8], 7), ([8, 7, 7], 7), ([9, 7, 7, 8, 7], 7)])
def test_walk_that_takes_as_long_as_most(took, usual):
    walks = [walk(each) for each in took]
    assert costs._steady("a poll", walks) is walks[took.index(usual)]


@pytest.mark.parametrize("took", [[7, 8], [7, 8, 9], [7, 7, 8, 9]])
def test_walks_that_do_not_take_a_constant_time(took):
    with pytest.raises(SetupError, match=rf"^a poll, after \d+ others, does not take a constant time: \[{took[0]}, "):
        costs._steady("a poll", [walk(each) for each in took])


def test_steps_before_the_null_handler():
    class Code:
        def row(self, pc):
            return costs.table4.HANDLER if pc >= 12 else "another"
    steps = [Step(pc, 1, 0) for pc in (12, 0, 4, 8, 12, 16)]       # an interrupt may come in the handler
    assert costs._before(Code(), steps) == steps[:4]
    with pytest.raises(SetupError, match="no step belongs to the handler of the kernel's message"):
        costs._before(Code(), steps[:4])


@pytest.fixture
def column(monkeypatch):
    """column({KEY: MORE}) -> the table whose numbers are the paper's, plus MORE for some; table 4's interrupt takes 200."""
    def table(more, interrupt=None):
        paper = costs._paper()
        others = {("atomicity", row): cycles for row, cycles in costs.SECTIONS.items()}
        others |= {("rq_store", "65536_bytes,_each_KiB"): 1343, ("rq_store", costs.UNTIMED): 1343}
        found = others | {key: number + more.get(key, 0) if number is not None else None
                            for key, number in paper.items()}
        if interrupt is not None:
            found["interrupt", "total"] = interrupt
        monkeypatch.setattr(costs, "_column", lambda options: dict(found))
        monkeypatch.setattr(costs, "receive", lambda *words: type("Found", (), {"walk": walk(200)}))
        return costs.measure()
    return table


@pytest.mark.parametrize("key, where, text", [
    (("poll", "general_polling"), "hard", "Poll, general polling"),
    (("atomicity", "invoked"), "soft", "Atomicity, invoked"), (("send", "total"), "hard", "Send")])
@pytest.mark.parametrize("more, holds", [(-1, True), (0, True), (1, False)])
def test_a_cost_is_the_papers_at_most(column, key, where, text, more, holds):
    result = column({key: more})
    number = costs._paper()[key]
    one = claim(result, f"{text}: no more cycles than the paper's {number}.", where)
    assert (one.holds, one.ours) == (holds, str(number + more))
    assert one.why == ("" if holds else costs.WHY.get(key[0], ""))
    assert [row["paper"] for row in result.rows if (row["group"], row["row"]) == key] == [{where: number}]


def test_parts_of_a_message_have_no_aim_of_their_own(column):
    texts = [one.text for one in column({}).claims]
    assert sum(text.startswith("Send") for text in texts) == sum(text.startswith("Interrupt") for text in texts) == 1


@pytest.mark.parametrize("total, holds", [(209, True), (210, True), (211, False)])
def test_an_interrupt_is_near_table_4s(column, total, holds):
    one = claim(column({}, total), "An active message by interrupt takes at most 10 cycles more", "hard")
    assert (one.holds, one.ours) == (holds, f"{total}, limit 210")


@pytest.mark.parametrize("more, holds", [(-1, False), (0, False), (1, True)])
def test_a_poll_takes_fewer_cycles_than_an_interrupt(column, more, holds):
    polled = costs._paper()["poll", "general_polling"]
    one = claim(column({}, polled + more), "A general poll takes fewer cycles", "hard")
    assert (one.holds, one.ours) == (holds, f"{polled} and {polled + more}")


def test_an_atomic_section_costs_what_its_parts_cost(monkeypatch):
    monkeypatch.setattr(costs.figures, "section", lambda options, way: {"section": (3, 4), "library": (30, 40)}[way])
    monkeypatch.setattr(costs, "_met", lambda way: {"invoked": 500, "library": 600}[way])
    monkeypatch.setattr(costs, "_between", lambda way, options: walk({"invoked": 1000, "library": 2000}[way]))
    assert costs._atomicity([], 200) == {
        ("atomicity", "not_invoked"): 7, ("atomicity", "invoked"): 3 + 1000 - 1 - 200,
        ("atomicity", "library_not_invoked"): None, ("atomicity", "library_invoked"): None}
    assert costs._atomicity(["--atomicity", "soft"], 200) == {
        ("atomicity", "not_invoked"): 7, ("atomicity", "invoked"): 3 + 500 + 1000 - 1 - 200,
        ("atomicity", "library_not_invoked"): 70, ("atomicity", "library_invoked"): 30 + 600 + 2000 - 1 - 200}
