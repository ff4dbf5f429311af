"""The numbers that the program `ring` prints are those that its rules in ring.c give."""

import pytest

SHORTEST = 4                    # words: header, handler, time, round


class Stream:
    """The random words of a message, as lib/random.h makes them."""

    def __init__(self, seed, a, b, c):
        self.state = ((seed + 0x9E3779B9) ^ (a << 20) ^ (b << 10) ^ c) & 0xFFFFFFFF or 1
        self.next()
        self.next()

    def next(self):
        x = self.state
        x ^= x << 13 & 0xFFFFFFFF
        x ^= x >> 17
        x ^= x << 5 & 0xFFFFFFFF
        self.state = x
        return x

    def below(self, limit):
        while (x := self.next() >> 16 & 15) >= limit:
            pass
        return x


def words_received(nodes, node, rounds, longest, seed):
    """The words that a node receives in both exchanges, by the rule in ring.c."""
    return sum(SHORTEST + Stream(seed + exchange, (node - number) % nodes, number, 1).below(longest - SHORTEST + 1)
               for exchange in (1, 2) for number in range(rounds))


def values(nodes, words, messages):
    """How many values the run has verified.

    These are the order, length and random words of each message, the count
    of each exchange on every node, and three words of each hop of the token.
    """
    laps = 3
    return words - SHORTEST * messages + 2 * messages + 2 * nodes + 3 * laps * nodes


def table(stdout):
    """{name: numbers} of the rows of the table."""
    rows = {}
    for line in stdout.splitlines():
        cells = line.replace(",", "").split()
        if len(cells) == 7 and all(cell.isdigit() for cell in cells[1:]):
            rows[cells[0]] = [int(cell) for cell in cells[1:]]
    return rows


@pytest.mark.parametrize("nodes, rounds, longest, seed",
                         [(1, 32, 16, 1), (2, 32, 16, 1), (8, 32, 16, 1), (8, 50, 9, 77), (13, 26, 4, 5)])
def test_table_is_what_the_rules_give(machine, nodes, rounds, longest, seed):
    result = machine("ring", f"rounds={rounds}", f"words={longest}", f"seed={seed}", nodes=nodes).check(0)
    rows = table(result.stdout)
    each = [rows[str(node)] for node in range(nodes)]

    assert list(rows) == [str(node) for node in range(nodes)] + ["all"]
    for node, (messages, interrupts, words, cycles, mean, largest) in enumerate(each):
        assert messages == 2 * rounds
        assert 0 < interrupts < messages
        assert words == words_received(nodes, node, rounds, longest, seed)
        # No message is faster than the mesh allows: base latency, and four cycles a word for the shortest.
        assert 64 + 4 * SHORTEST <= mean <= largest < cycles
    messages, interrupts, words, cycles, mean, largest = rows["all"]
    assert messages == 2 * rounds * nodes
    assert interrupts == sum(row[1] for row in each)
    assert words == sum(row[2] for row in each)
    assert cycles == max(row[3] for row in each)
    assert min(row[4] for row in each) <= mean <= max(row[4] for row in each)
    assert largest == max(row[5] for row in each)
    assert f"{values(nodes, words, messages):,} values, all of them right\n" in result.stdout


def test_token_makes_its_laps(machine):
    result = machine("ring", "laps=7", nodes=5).check(0)
    assert "ring on 5 nodes, seed 1\n" in result.stdout
    assert " 35 hops in 7 laps" in result.stdout


def test_many_nodes_make_a_short_table(machine):
    result = machine("ring", "laps=1", "rounds=8", nodes=64).check(0)
    rows = table(result.stdout)

    assert list(rows) == [str(node) for node in range(16)] + ["all"]
    assert rows["all"][0] == 2 * 8 * 64
    assert "rows=64 shows all" in result.stdout


def test_digest_depends_on_inputs_alone(machine):
    """The same inputs make the same run, and another seed makes another run."""
    first, second = (machine("ring", digest=True).check(0) for _ in range(2))
    other = machine("ring", "seed=2", digest=True).check(0)

    assert first.stdout == second.stdout
    assert first.digest == second.digest is not None
    assert other.digest != first.digest


@pytest.mark.parametrize("argument", ["words=3", "words=17", "rounds=65536"])
def test_bad_argument_is_refused(machine, argument):
    result = machine("ring", argument, nodes=2).check(119)
    assert "must be" in result.stdout


@pytest.mark.long
def test_a_thousand_nodes_receive_all_messages(machine):
    result = machine("ring", "rows=1", nodes=1024).check(0)
    assert table(result.stdout)["all"][0] == 2 * 32 * 1024
