"""Output and sessions of GDB that pages quote, for pages and output that are known (fugu.paper.runs)."""

from __future__ import annotations

import pytest

from fugu.errors import SetupError
from fugu.paper.runs import sessions, transcripts

# ---- sessions of GDB --------------------------------------------------------------

PAGE = """\
# A page

```
$ ./run.sh debug -n 2 a.elf
first 5 of 0x10
...
(gdb) one
said 1.5 times
```

More words.

```
(gdb) two
at 7 in main
```

## Another

```
no session 5
```

```
$ ./run.sh debug b.elf
digest: 123
```
"""


def told(arguments, commands):
    lines = {"-n 2 a.elf": ["first 6 of 0x20", "left out", "(gdb) one", "said 12 times", "more", "(gdb) two", "at 9  in main"],
             "b.elf": ["digest: 123"]}[arguments]
    assert commands == {"-n 2 a.elf": ["one", "two"], "b.elf": []}[arguments]
    return "".join(f"{line}\n" for line in lines)


def test_a_page_gets_what_gdb_says_now():
    """From block to block of a session; what is no session stays, and so do lines that are left out."""
    expected = PAGE.replace("first 5 of 0x10", "first 6 of 0x20").replace("said 1.5 times", "said 12 times").replace("at 7 in main", "at 9  in main")
    assert sessions.replay(PAGE, told) == expected


@pytest.mark.parametrize("was, now", [("said 1.5 times", "says 1.5 times"), ("digest: 123", "digest: 124"), ("(gdb) two\nat 7 in main", "(gdb) two\nmore"),
                                      ("first 5 of 0x10", "first 5 of 0x10 there")])
def test_a_line_that_gdb_does_not_say(was, now):
    """Or says earlier."""
    with pytest.raises(SetupError, match="a page shows a line that GDB does not say, or says earlier:\n"):
        sessions.replay(PAGE.replace(was, now), lambda arguments, commands: told(arguments, ["one", "two"] if "a.elf" in arguments else []))


def test_a_page_without_a_session():
    with pytest.raises(SetupError, match="shows no session"):
        sessions.replay("# A page\n\n```\n(gdb) one\n```\n".replace("(gdb) one", "words"), told)


@pytest.mark.parametrize("line, shape", [
    ("digest: 00ff 5", "digest: 00ff 5"), ("(gdb) step 5", "(gdb) step 5"), ("  a  0x1f,  12.5 b7", "a N, N bN"), ("0x5 in main ()", "main ()"),
    ("1 message on the way", "N messages on the way"), ("2 messages on the way", "N messages on the way")])
def test_the_shape_of_a_line(line, shape):
    assert sessions.shape(line) == shape


def test_what_lasts_of_a_page():
    """Numbers of source lines stay, and digests."""
    assert sessions.lasting("digest: 5\nat 0x10  in  a.c:12, 7 b7\n12\tint x = 5;\n") == ["digest: 5", "at a.c:12, N b7", "12\tint x = N;"]


@pytest.mark.parametrize("command, echo", [("step", "echo (gdb)\\ step\\n"), ('print "a\\n"', 'echo (gdb)\\ print \\"a\\\\n\\"\\n')])
def test_the_echo_of_a_command(command, echo):
    assert sessions._echo(command) == echo


# ---- output ------------------------------------------------------------------------

QUOTES = """\
    $ ./run.sh -n 2 hello
    old
    lines

    ./run.sh bench 5

```
head  1,000 x
...
tail 2.5
```

    $ ./run.sh other
    old
"""


def test_a_page_gets_what_commands_print_now():
    """All of it, or the first lines that differ from those quoted in numbers and blanks alone."""
    printed = {"-n 2 hello": "new\n", "bench 5": "none\nhead 7   x\nhead 8 x\ntail 3\n", "other": "one\ntwo\n"}
    assert transcripts.replay(QUOTES, printed.__getitem__) == QUOTES.replace("    old\n    lines\n", "    new\n").replace(
        "head  1,000 x", "head 7   x").replace("tail 2.5", "tail 3").replace("    old\n", "    one\n    two\n")


@pytest.mark.parametrize("output", ["head 7 x\n", "tail 3\nhead 7 x\n", "head 7 y\ntail 3\n", ""])
def test_a_line_that_is_not_printed(output):
    with pytest.raises(SetupError, match="a page quotes a line that the output does not have, or has earlier:\n"):
        transcripts.replay(QUOTES, lambda arguments: output)


def test_a_page_that_quotes_nothing():
    with pytest.raises(SetupError, match="quotes no output"):
        transcripts.replay("    ./run.sh hello\n", str)


def test_programs_that_a_page_names(monkeypatch, tmp_path):
    monkeypatch.setenv("FUGU_BUILD", str(tmp_path))
    assert transcripts.words_of("-n 2 build/tests/a.elf 'b c' rebuild/x") == ["-n", "2", f"{tmp_path}/tests/a.elf", "b c", "rebuild/x"]


def test_pages_that_change(tmp_path, monkeypatch):
    monkeypatch.setattr(transcripts, "ROOT", tmp_path)
    for name in ("a", "b"):
        (tmp_path / name).write_text(f"page {name}")
    assert list(transcripts.rewrite(["a", "b"], lambda text: text.replace("page b", "new"))) == ["b"]
    assert (tmp_path / "a").read_text() == "page a" and (tmp_path / "b").read_text() == "new"
