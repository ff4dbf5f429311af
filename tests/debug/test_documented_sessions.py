"""Sessions of GDB that docs/ show: the commands give the output that the pages have."""

from __future__ import annotations

import re

import pytest

from fugu.errors import SetupError
from fugu.paper.runs import sessions
from fugu.paths import ROOT

ACCEPT = "To accept it: ./run.sh paper --update-docs"
# Numbers in the sentences between the blocks of a session that its blocks do not have.
OWN = {"docs/debugging.md": {"64", "168", "1000"}, "docs/going-back.md": {"39", "168", "1000"}}


@pytest.mark.parametrize("page", sessions.PAGES)
def test_documented_session_gives_its_output(page):
    """Lines of sources and digests too; addresses, cycles and values may differ."""
    text = (ROOT / page).read_text()
    wanted = sessions.replay(text, sessions.say)
    assert sessions.lasting(wanted) == sessions.lasting(text), "\n".join([f"{page} should have:", wanted, ACCEPT])


SAID = """\
Welcome.
(gdb) break f
Breakpoint 1 at 0x1fc: f. (4 locations)
(gdb) continue
Hit.
#0  0x00000200 in f (n=2) at g.c:7
digest: 01ab
"""
PAGE = """\
## One

```
(gdb) not part of a session
```

## Two

```
$ ./run.sh debug -n 4 ring
Welcome.
...
(gdb) break f
Breakpoint 1 at 0x88: f. (2 locations)
```

Words.

```
(gdb) continue
...
#0  f (n=3) at g.c:6
digest: 01ab
```
"""


def test_what_replaces_a_session():
    asked = []

    def say(arguments, commands):
        asked.append((arguments, commands))
        return SAID

    assert sessions.replay(PAGE, say) == PAGE.replace("0x88", "0x1fc").replace("(2 l", "(4 l").replace(
        "#0  f (n=3) at g.c:6", "#0  0x00000200 in f (n=2) at g.c:7")
    assert asked == [("-n 4 ring", ["break f", "continue"])]


def test_blocks_with_the_same_text():
    """Each has what GDB says there: the first one stays as it is, and the second one changes."""
    step = "```\n(gdb) continue\ndigest: 01ab\n#0  f (n={}) at g.c:7\n```\n"
    page = "```\n$ ./run.sh debug ring\n```\n" + step.format(2) * 2
    said = "".join(f"(gdb) continue\ndigest: 01ab\n#0  f (n={n}) at g.c:7\n" for n in (2, 3))
    assert sessions.replay(page, lambda *_: said) == page[:-len(step.format(2))] + step.format(3)


@pytest.mark.parametrize("now", [SAID.replace("01ab", "01ac"), SAID.replace("Hit", "#0  f (n=2) at h.c:7").replace("in f", "in g"),
                                 SAID.replace("Welcome.\n", ""), SAID.replace("break f", "break g")])
def test_a_line_that_gdb_does_not_say(now):
    with pytest.raises(SetupError, match="shows a line that GDB does not say"):
        sessions.replay(PAGE, lambda *_: now)


def test_a_page_without_a_session():
    with pytest.raises(SetupError, match="shows no session"):
        sessions.replay(PAGE.partition("## Two")[0], lambda *_: SAID)


def test_what_lasts():
    """Addresses, cycles and numbers of breakpoints may change; lines of sources and digests may not."""
    one = sessions.lasting("#1  0x1c in f (n=3) at ../g.c:6\n12\t  x = 3;\nat cycle 9876, 0.9 of 512\ndigest: 01ab")
    assert one == sessions.lasting("#1  f (n=4) at ../g.c:6\n12\t  x = 4;\nat cycle 1, 1.0 of 5\ndigest: 01ab")
    assert sessions.lasting("1 message on the way, at 5") == sessions.lasting("2 messages on the way, at 6")
    for other in ("#1  f (n=3) at ../g.c:7", "#1  f (n=3) at ../h.c:6", "13\t  x = 3;", "digest: 01ac"):
        assert sessions.lasting(other)[0] not in one


@pytest.mark.parametrize("page", sessions.PAGES)
def test_sentences_have_the_numbers_of_the_session(page):
    """A number of two digits or more in a sentence right before or after a part of a session is in the session."""
    for section in re.split(r"^## ", (ROOT / page).read_text(), flags=re.MULTILINE):
        if sessions.BEGINS not in section:
            continue
        blocks = " ".join(sessions.BLOCK.findall(section))
        begun = section.index("```\n" + sessions.BEGINS)
        sentences = sessions.BLOCK.sub("", section[begun:section.rindex("\n(gdb) ")])
        quoted = set(re.findall(r"(?<![\w.`/-])\d{2,}\b(?!-)", sentences))
        assert quoted <= set(re.findall(r"\d+", blocks)) | OWN[page], page
