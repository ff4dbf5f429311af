"""Measured numbers are written into tables and sentences of docs/, tested on invented pages."""

from __future__ import annotations

import json
import os
import shlex
import tempfile
import time
from pathlib import Path

import pytest

from fugu import paths
from fugu.errors import SetupError, UsageError
from fugu.paper import _docs, crl, quoted
from fugu.paper._command import run
from fugu.paper._table import PAPER, Compared
from fugu.paper.runs import sessions, transcripts, workloads
from fugu.run.writable import CannotWrite

ROWS = [{"group": "send", "row": "total", "ours": {"hard": 7, "soft": None}, "paper": {"hard": 7, "soft": 7}},
        {"group": "", "row": "page", "ours": {"hard": 7136, "soft": 4.5}, "paper": {"hard": None, "soft": 5}}]
MEASURED = {"t": {"rows": ROWS}}
MARKED = "before\n<!-- t: ./run.sh paper --update-docs -->\nold\n<!-- end of t -->\nbehind\n"


@pytest.mark.parametrize("key, text", [("t send total hard", "7"), ("t - page hard", "7,136"), ("t - page soft", "4.5"),
                                       ("t - page hard -3", "7,000"), ("t - page hard -2", "7,100")])
def test_number_by_its_key(key, text):
    assert _docs.number(MEASURED, key) == text


@pytest.mark.parametrize("key", ["t send total soft", "t send nothing hard", "t - total hard"])
def test_unknown_key_is_an_error(key):
    with pytest.raises(KeyError):
        _docs.number(MEASURED, key)


def test_sentence_may_be_broken_anywhere():
    sentence = "takes {t send total hard} cycles (see x.y), or {t - page hard}."
    text = "It takes\n  1,234 cycles (see\nx.y), or 5. takes 9 cycles (see xzy), or 5."
    assert _docs._quote("p.md", text, sentence, MEASURED) == \
        "It takes\n  7 cycles (see\nx.y), or 7,136. takes 9 cycles (see xzy), or 5."


@pytest.mark.parametrize("text", ["takes many cycles", "takes 7 cycles, takes 8 cycles"])
def test_sentence_must_be_there_once(text):
    with pytest.raises(SetupError, match="docs/p.md has [02] times, and should have once: takes .* cycles"):
        _docs._quote("p.md", text, "takes {t send total hard} cycles", MEASURED)


def test_table_is_filled_between_its_markers():
    table = _docs._table("t")(MEASURED)
    assert table.splitlines()[2:] == ["| send | total | 7 | 7 |  | 7 |", "|  | page | 7136 |  | 4.5 | 5 |"]
    filled = _docs._fill("p.md", MARKED, "t", table)
    assert filled == MARKED.replace("old\n", f"\n{table}\n")
    assert _docs._fill("p.md", filled, "t", table) == filled


@pytest.mark.parametrize("text", ["", MARKED + MARKED, MARKED.replace("end of", "")])
def test_markers_must_be_there_once(text):
    with pytest.raises(SetupError, match="docs/p.md needs once each"):
        _docs._fill("p.md", text, "t", "")


def test_output_that_a_page_quotes():
    text = ("Runs:\n\n    ./run.sh one\n    $ ./run.sh two 'a b'\n    old\n    old\n    $ other\n    output\n\n"
            "    $ ./run.sh three\n    old\nbehind\n")
    asked = []

    def output(arguments):
        asked.append(arguments)
        return f"first of {arguments}\n\nlast\n"

    replayed = transcripts.replay(text, output)
    assert asked == ["two 'a b'", "three"]
    assert replayed == ("Runs:\n\n    ./run.sh one\n    $ ./run.sh two 'a b'\n    first of two 'a b'\n\n    last\n"
                        "    $ other\n    output\n\n    $ ./run.sh three\n    first of three\n\n    last\nbehind\n")


OUTPUT = """\
first   1,966 (idle)
left 5 out
  sum     12.5 %  + 3
first   4 (idle)
"""


def test_some_lines_that_a_page_quotes():
    text = "Runs:\n\n    ./run.sh one\n\n```\nfirst 12,000 (idle)\n...\n  sum 1 % + 2\n  ...\n```\nbehind\n"
    assert transcripts.replay(text, lambda _: OUTPUT) == (
        "Runs:\n\n    ./run.sh one\n\n```\nfirst   1,966 (idle)\n...\n  sum     12.5 %  + 3\n  ...\n```\nbehind\n")


@pytest.mark.parametrize("line", ["first 1 [idle]", "fourth 1", "sum 1 % + 2\nleft 1 out"])
def test_a_line_that_the_output_does_not_have(line):
    with pytest.raises(SetupError, match="quotes a line that the output does not have"):
        transcripts.replay(f"    ./run.sh one\n\n```\n{line}\n```\n", lambda _: OUTPUT)


def test_no_output_is_quoted():
    with pytest.raises(SetupError, match="quotes no output"):
        transcripts.replay("    ./run.sh one\n    no output\n", str)


def ended(pipe):
    """Whether nobody has the pipe open for writing, within ten seconds: a process that was killed closes it as it goes."""
    for _ in range(200):
        try:
            return os.read(pipe, 1) == b""
        except BlockingIOError:
            time.sleep(0.05)
    return False


@pytest.mark.parametrize("page, measure", [(transcripts, transcripts.output),
                                           (sessions, lambda words: sessions.say(words, ["continue"]))],
                         ids=["transcript", "session"])
def test_a_run_that_does_not_end_leaves_nothing_running(tmp_path, monkeypatch, page, measure):
    """What it has started holds a pipe open, as GDB does that the launcher has started."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "run.sh").write_text(f"#!/bin/sh\nsleep 60 >{pipe} &\nwait\n")
    (tmp_path / "run.sh").chmod(0o755)
    monkeypatch.setattr(page, "ROOT", tmp_path)
    monkeypatch.setattr(page, "TIMEOUT", 1)
    held = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with pytest.raises(SetupError, match="ring has not ended after 1 seconds"):
        measure("ring")
    assert ended(held)
    os.close(held)


@pytest.mark.parametrize("named", ["", "own", "shared"])
def test_a_session_uses_the_caches_of_its_caller(tmp_path, monkeypatch, named):
    """Also one that others share and the user cannot write, and its own one for the rest."""
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "CACHEDIR.TAG").touch()
    (tmp_path / "run.sh").write_text('#!/bin/sh\necho "$FUGU_CACHE"; echo "$XDG_CACHE_HOME"; echo "$HOME"\n')
    (tmp_path / "run.sh").chmod(0o755)
    monkeypatch.setattr(sessions, "ROOT", tmp_path)
    monkeypatch.setattr(paths.os, "access", lambda path, _: Path(path).name != "shared")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("FUGU_CACHE", str(tmp_path / named) if named else "")

    def caches():
        return paths.cache_dir(), paths.shared_cache()

    before = caches()
    for name, value in zip(("FUGU_CACHE", "XDG_CACHE_HOME", "HOME"), sessions.say("ring", []).splitlines(), strict=True):
        monkeypatch.setenv(name, value)
    assert caches() == before and os.environ["HOME"] != str(tmp_path / "home")


def test_a_folder_for_temporary_files_may_have_blanks(tmp_path, monkeypatch):
    """./run.sh paper quoted lets runs write their figures there."""
    (tmp_path / "a b").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "a b"))
    runs = []

    def output(arguments):
        runs.append(shlex.split(arguments))
        Path(runs[-1][1]).write_text(json.dumps({"nodes": [{"longest_masked": {"cycles": len(runs)}}]}))

    monkeypatch.setattr(quoted, "output", output)
    assert list(quoted._longest()) == [(f"longest_{kind}", 2 * k + 2) for k, kind in enumerate(quoted.LONGEST)]
    assert all(line[1].startswith(f"{tmp_path}/a b/") for line in runs)


# ---- one number of the paper's for several of ours --------------------------------

def compared(*rows):
    table = Compared("title", ["soft", "hard"])
    for row in rows:
        table.row(*row)
    return table


BARRIER = ("barrier", "cycles", {"soft": 3000000, "hard": 2000000}, {"soft": 4000000})
EMPTY = ("barrier", "t_hand", {"soft": None, "hard": 12.5}, {"soft": 10})


def test_table_with_ratios():
    assert compared(BARRIER, EMPTY).markdown().splitlines() == [
        "|  |  | soft | hard | paper | ratio |", "| --- | --- | --: | --: | --: | --: |",
        "| barrier | cycles | 3,000,000 | 2,000,000 | 4,000,000 | 0.75 |", "|  | T_hand |  | 12.50 | 10 |  |"]


def test_table_without_numbers_of_the_paper():
    assert compared((*BARRIER[:3], {})).markdown().splitlines() == [
        "|  |  | soft | hard |", "| --- | --- | --: | --: |", "| barrier | cycles | 3,000,000 | 2,000,000 |"]


def test_rows_of_which_one_is_the_papers():
    rows = compared(BARRIER, ("other", "cycles", {"soft": 1, "hard": 2}, {})).markdown().splitlines()
    assert rows[-1] == "| other | cycles | 1 | 2 |  |  |"


def test_csv():
    assert compared(BARRIER, EMPTY).csv().splitlines() == [
        "group,row,column,ours,least,most,paper", "barrier,cycles,soft,3000000,,,4000000",
        "barrier,cycles,hard,2000000,,,", "barrier,t_hand,soft,,,,10", "barrier,t_hand,hard,12.5,,,"]
    spread = ("synth", "share", {"soft": 2.5, "hard": 1}, {}, {"soft": (2, 3)})
    assert compared(spread).csv().splitlines()[1:] == ["synth,share,soft,2.5,2,3,", "synth,share,hard,1,,,"]


@pytest.mark.parametrize("option", ["--json", "--csv"])
def test_file_that_cannot_be_written(tmp_path, option):
    """That is known before anything is measured."""
    with pytest.raises(CannotWrite, match=f"{option} {tmp_path}/none/file: there is no directory {tmp_path}/none"):
        run("table", lambda: pytest.fail("it measures"), [option, str(tmp_path / "none" / "file")])


def test_one_file_for_both(tmp_path):
    with pytest.raises(UsageError, match="--csv .*/f: --json names this file too"):
        run("table", lambda: pytest.fail("it measures"), ["--json", str(tmp_path / "f"), "--csv", f"{tmp_path}/./f"])


def test_files_and_standard_output(tmp_path, capsys):
    file = tmp_path / "file"
    run("table", lambda: compared(BARRIER), ["--csv", str(file), "--json", "-"])
    assert json.loads(capsys.readouterr().out)["rows"][0]["ours"] == {"soft": 3000000, "hard": 2000000}
    assert file.read_text() == compared(BARRIER).csv()
    run("table", lambda: compared(BARRIER), ["--csv", str(file)])
    assert "4,000,000   0.75" in capsys.readouterr().out


# ---- programs of table 6 -----------------------------------------------------------

def test_chosen_programs():
    known = ["barrier", "lu", "water"]
    assert list(workloads.chosen([], known)) == known
    assert list(workloads.chosen(["water", "barrier"], known)) == ["barrier", "water"]
    with pytest.raises(UsageError, match="there is no workload barier. Did you mean barrier"):
        workloads.chosen(["lu", "barier"], known)


def test_program_that_does_not_measure(monkeypatch):
    job = workloads.job("lu", 8, ())
    monkeypatch.setattr(workloads, "outputs", lambda jobs, fresh: {one: "no line\n" for one in jobs})
    with pytest.raises(SetupError, match="lu 250 10 did not print what it measured:\nno line"):
        workloads.numbers([job], False)


def test_every_program_of_table_6_is_known():
    assert set(workloads.WORKLOADS) == set(PAPER["table6"])
    assert set(crl.ROWS.values()) >= set(PAPER["crl"])
