"""./run.sh test --mutants: what it draws, which tests it chooses, and its verdicts, with a project of a few lines."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from fugu.affected import changes
from fugu.build import copies
from fugu.cover.store import Store, TimedTest, moved
from fugu.errors import UsageError
from fugu.host import processor
from fugu.host.python_tools import COVERAGE, MUTATOR, PythonTools
from fugu.mutants import choose, command, draw, score, trial, verdicts
from fugu.mutants.trial import FAILS_ANYWAY, NOT_BUILT, NOTICED, SURVIVED, UNREACHED, Bench, Outcome

KERNEL = """\
/* Counts to ten. */
int count(int n)
{
    if (n < 10) {
        n++;
    }
    return n;
}
"""
# A ./run.sh whose test notices what a name says, by the kernel's text. Names of tests are as pytest prints them.
RUN = """\
#!/bin/sh
cd "$(dirname "$0")"
echo "$@" >> ../words
echo "$TMPDIR" >> ../places
case "$*" in *nothing-has-this-name*) echo "0 passed, 0 failed"; exit 1 ;; esac
grep -q 'n + broken' guest-os/kernel/count.c && exit 3
for word in "$@"; do case $word in
tests/tests/*) exit 2 ;;
*::limit) grep -q 'n < 10' guest-os/kernel/count.c || { echo "FAILED tests/a/test_a.py::limit - bad"; exit 1; } ;;
*::flaky) echo "FAILED tests/a/test_a.py::flaky - bad"; exit 1 ;;
*::forever) while :; do :; done ;;
*::still) sleep 100 ;;
esac; done
"""


@pytest.fixture
def packages(real_cache):
    """Notes and rules need packages that ./run.sh test does not have by itself. Other tests run without them."""
    for requirements, name in ((COVERAGE, "coverage"), (MUTATOR, "universalmutator")):
        tools = PythonTools(real_cache, requirements)
        if not tools:
            pytest.skip(f"{name} is not there: ./run.sh test --mutants installs it")
        tools.activate()


@pytest.fixture
def project(tmp_path):
    """A checkout with one file of the kernel and a ./run.sh."""
    root = tmp_path / "project"
    (root / "guest-os" / "kernel").mkdir(parents=True)
    (root / "guest-os" / "kernel" / "count.c").write_text(KERNEL)
    (root / "run.sh").write_text(RUN)
    (root / "run.sh").chmod(0o755)
    return root


@pytest.fixture
def store(tmp_path, packages):
    """store({test: (seconds, {file: lines}, (shared fixture, its seconds)...)}) -> notes of these tests."""
    def make(tests):
        import coverage

        new = tmp_path / "new"
        new.mkdir(exist_ok=True)
        for number, (test, (seconds, lines, *shared)) in enumerate(tests.items()):
            slug = test.partition("::")[0].replace("/", "_").replace(".", "_")
            data = coverage.CoverageData(str(new / f"{slug}.{number}"))
            data.set_context(test)
            data.add_lines(lines)
            data.close()
            (new / f"{slug}.{number}.times").write_text(json.dumps([test, seconds, dict(shared)]) + "\n")
        found = Store(tmp_path / "notes")
        found.take_in(new)
        for file in new.iterdir():
            file.unlink()
        return found
    return make


def drawn(project, seed=1, lines=(4, 5, 7), rules=None):
    code = {"guest-os/kernel/count.c": set(lines)}
    return list(draw.draws(project, "kernel", code, project, seed, rules))


# ---- what is drawn ------------------------------------------------------------------

def test_each_line_is_drawn_once_and_the_same_by_the_same_seed(project, packages):
    first = drawn(project)
    assert sorted(one.line for one in first) == [4, 5]          # `return n;` has no rule
    assert first == drawn(project)
    assert len({tuple(drawn(project, seed)) for seed in range(20)}) > 3


def test_all_mistakes_of_a_line(project, packages):
    found = {one.now.strip(): one.kind for one in draw.mutants_of(project, "guest-os/kernel/count.c", 4)}
    assert found == {"if (n <= 10) {": "off by one: a limit", "if (0) {": "a check forgotten",
                     "if (1) {": "a check always true"}
    found = {one.now.strip(): one.kind for one in draw.mutants_of(project, "guest-os/kernel/count.c", 5)}
    assert found == {"n--;": "a wrong operation", ";": "an assignment forgotten"}


@pytest.mark.parametrize("name, line, wanted", [
    ("a.S", "\tbe,a\t1f\n", {"bne,a\t1f", "be\t1f"}),
    ("a.S", "\tadd\t%g1, 4, %g2\n", {"sub\t%g1, 4, %g2", "add\t%g1, 4 + 1, %g2", "nop"}),
    ("a.S", "\tnop\n", set()),
    ("a.S", "1:\tadd %g1, 4, %g2\n", set()),
    ("a.py", "    if a and b:\n", {"if a or b:", "if a:", "if False:", "if True:", "if b:"}),
    ("a.py", '    print("some text")\n', {"pass", 'print("")'}),
    ("a.py", "    return x + 1\n", {"return x", "return x - 1", "return None"}),
    ("a.c", "#define LIMIT (4 + 1)\n", set()),
    ("a.c", "    if (a && b < c) {\n", {"if (a || b < c) {", "if (a) {", "if (b < c) {", "if (a && b <= c) {",
                                        "if (0) {", "if (1) {"}),
    ("a.c", "    call(a, 1);     /* 1 < 2 */\n", {"call(a, 1 + 1);     /* 1 < 2 */", ";     /* 1 < 2 */"}),
    ("a.c", "    return false;\n", {"return true;"})])
def test_rules(name, line, wanted, tmp_path, packages):
    (tmp_path / name).write_text(line)
    assert {one.now.strip() for one in draw.mutants_of(tmp_path, name, 1)} == wanted


def test_rules_for_nops(project, packages):
    found = [one.now.strip() for one in drawn(project, lines=(7,), rules="nop")]
    assert found == ['{ __asm__ volatile("nop"); return n; }']


# ---- lines that have moved ----------------------------------------------------------

def test_lines_are_followed_to_an_older_text():
    then = ["a", "b", "c", "d"]
    assert moved(["new", *then], then, 4) == [3]
    assert moved(["a", "B", "c", "d"], then, 2) == [1, 2, 3]        # changed: those around it
    assert moved(["a", "b", "new", "c", "d"], then, 3) == [2, 3]
    assert moved(then, then, 1) == [1] and moved(then, then, 5) == []


def test_mistakes_are_known_when_other_lines_move(project, packages):
    one = next(mutant for mutant in drawn(project) if mutant.line == 4)
    file = project / one.file
    (project / "tests").mkdir()
    (project / verdicts.FILE).write_text(verdicts.entry(one).replace('because = ""', 'because = "it counts alike"'))
    known = verdicts.read(project)
    assert known == {one.identity: "it counts alike"} and verdicts.stale(project, known) == []
    file.write_text("int more;\n\n" + file.read_text())
    [again] = [mutant for mutant in draw.mutants_of(project, one.file, 6) if mutant.now == one.now]
    assert again.identity in known and verdicts.stale(project, known) == []
    file.write_text(file.read_text().replace("{\n    if", "{\n    n = 0;\n    if"))
    assert "Remove the entry." in verdicts.stale(project, known)[0]


@pytest.mark.parametrize("text, said", [
    ("[[mutant]]\nfile = 'a'\n", "entry 1 should have the texts after, because, file, now, was"),
    ("[[mutant]\n", "is no TOML")])
def test_bad_verdicts(text, said, project):
    (project / "tests").mkdir()
    (project / verdicts.FILE).write_text(text)
    with pytest.raises(UsageError, match=said):
        verdicts.read(project)


@pytest.mark.parametrize("text", ["it's", 'a "b" \\n', "tab\there"])
def test_entries_are_toml(text, project):
    one = draw.Mutant("a.c", 1, text, f"{text}!", "", "")
    (project / "tests").mkdir()
    (project / verdicts.FILE).write_text(verdicts.entry(one))
    assert set(verdicts.read(project)) == {one.identity}


# ---- which tests --------------------------------------------------------------------

FILE = "guest-os/kernel/count.c"


def chosen(notes, project, seconds, line=4, file=FILE):
    """(names, seconds) of the tests for a mistake in a line of count.c."""
    one = draw.Mutant(file, line, "", "", "", "a kind")
    names, total = choose.choose(notes, one, project, project, seconds, project)
    return [name.rpartition("::")[2] for name in names], total


def test_quickest_of_each_file_first_within_the_seconds(project, store, monkeypatch):
    """Where all tests reach the same lines."""
    notes = store({"a/test_a.py::slow": (9, {FILE: {4}}), "a/test_a.py::quick": (1, {FILE: {4}}),
                   "b/test_b.py::one": (5, {FILE: {4}}), "b/test_b.py::other": (1, {FILE: {7}}),
                   "structure/test_s.py::any": (1, {FILE: {4}})})
    monkeypatch.setattr(choose, "FEWEST", 1)
    assert chosen(notes, project, 100) == (["quick", "one", "slow"], 15)
    assert chosen(notes, project, 6) == (["quick", "one"], 6)
    assert chosen(notes, project, 0.5) == (["quick"], 1)
    monkeypatch.setattr(choose, "FEWEST", 2)
    assert chosen(notes, project, 0.5) == (["quick", "one"], 6)
    assert chosen(notes, project, 100, line=6) == ([], 0)


def test_closest_takes_turns_with_the_quickest(project, store, monkeypatch):
    """A test that reaches what few others do runs, however slow it is, and then the one that adds the most to it."""
    quick = {f"a/test_{k}.py::quick{k}": (0.1, {FILE: {4}}) for k in range(9)}
    notes = store(quick | {"b/test_b.py::made_for_it": (50, {FILE: {4, 5, 7}}), "b/test_b.py::a_part": (40, {FILE: {4, 5}}),
                           "c/test_c.py::the_other_half": (30, {FILE: {2, 4}}),
                           "c/test_c.py::not_this_line": (1, {FILE: {1, 2, 3, 5, 7, 8}})})
    monkeypatch.setattr(choose, "FEWEST", 4)
    names, total = chosen(notes, project, 1)
    assert names[:4] == ["made_for_it", "quick0", "the_other_half", "quick1"]
    assert names[4:] == [] and total == pytest.approx(80.2)
    assert chosen(notes, project, 1000)[0][4] == "a_part" and len(chosen(notes, project, 1000)[0]) == 12


def test_a_shared_fixture_takes_its_seconds_once(project, store, monkeypatch):
    monkeypatch.setattr(choose, "FEWEST", 1)
    notes = store({f"a/test_a.py::{k}": (1, {FILE: {4}}, ("a::result", 10)) for k in range(9)})
    assert chosen(notes, project, 13) == (["0", "1", "2"], 13)


def test_unit_tests_of_a_file_run_first(project, store):
    """Those that are compiled from it; no lines are noted of them."""
    file = "hw/wire/codec.c"
    (project / file).parent.mkdir(parents=True)
    (project / file).write_text("x\n" * 9)
    (project / "meson-info").mkdir()
    targets = [{"filename": [f"/b/{name}"], "target_sources": [{"sources": [f"/s/{source}"]}, {"linker": ["cc"]}]}
               for name, source in (("link", file), ("mesh", "hw/machine/mesh.c"), ("other", "tools/wire/codec.c"))]
    (project / "meson-info" / "intro-targets.json").write_text(json.dumps(targets))
    (project / "meson-info" / "intro-tests.json").write_text(json.dumps(
        [{"name": name, "cmd": [f"/b/{name}"]} for name in ("link", "mesh", "other")]))
    notes = store({"a/test_a.py::noted": (1, {file: {4}})})
    assert chosen(notes, project, 9, file=file)[0] == ["link", "noted"]


MODULE = """\
LIMIT = 3

class Counter:
    first: int = 1

    def count(self, n=LIMIT):
        return self.first + n
"""


@pytest.mark.parametrize("line, wanted", [(1, {"imports", "calls"}), (4, {"imports", "calls"}), (6, {"imports", "calls"}),
                                          (7, {"calls"})])
def test_lines_that_run_on_import(line, wanted, project, store):
    """They are noted for the test that imports the module first. All tests of the module may notice."""
    file = "tools/fugu/counter.py"
    (project / file).parent.mkdir(parents=True)
    (project / file).write_text(MODULE)
    notes = store({"a/test_a.py::imports": (1, {file: {1, 3, 4, 6}}), "b/test_b.py::calls": (1, {file: {7}})})
    assert set(chosen(notes, project, 9, line=line, file=file)[0]) == wanted


@pytest.mark.parametrize("file, wanted", [
    (FILE, {"exact", "claims", "cost"}), ("guest-os/lib/crl/map.c", {"exact", "claims", "cost"}),
    ("hw/node/mmu.c", {"exact", "rows", "claims", "cost"}), ("tools/fugu/main.py", {"exact", "rows", "claims", "cost"})])
def test_rows_that_depend_on_the_layout_judge_no_guest(file, wanted, project, store):
    """The tests of the paper's tables and of ./run.sh test itself run, if the mistake does not move what they measure."""
    (project / file).parent.mkdir(parents=True, exist_ok=True)
    (project / file).write_text("x\n" * 9)
    names = {"exact": "[table4]", "rows": "[table5]"}
    notes = store({"paper/test_tables.py::test_every_row[table4]": (1, {file: {4}}),
                   "paper/test_tables.py::test_every_row[table5]": (1, {file: {4}}),
                   "paper/test_figures.py::claims": (1, {file: {4}}),
                   "launcher/testing/test_costs.py::cost": (1, {file: {4}}),
                   "cluster/test_sweeps.py::any": (1, {file: {4}})})
    assert set(chosen(notes, project, 9, file=file)[0]) == {f"test_every_row{names[one]}" if one in names else one
                                                           for one in wanted}


def test_notes_replace_those_of_the_same_test(store):
    store({"a/test_a.py::one": (1, {"x.c": {1}}), "a/test_a.py::two": (1, {"x.c": {2}})})
    notes = store({"a/test_a.py::one": (3, {"x.c": {5}})})
    assert notes.lines() == {"x.c": {2, 5}}
    assert notes.all_tests() == [TimedTest("a/test_a.py::one", 3), TimedTest("a/test_a.py::two", 1)]
    assert notes.reach("x.c") == {TimedTest("a/test_a.py::one", 3): {5}, TimedTest("a/test_a.py::two", 1): {2}}


# ---- trials -------------------------------------------------------------------------

@pytest.fixture
def bench(project):
    made = Bench("worker", None, project)
    made.prepare()
    return made


def mutant(project, line, now):
    text = (project / "guest-os/kernel/count.c").read_text().splitlines(keepends=True)
    return draw.Mutant("guest-os/kernel/count.c", line, text[line - 1], now, text[line - 2], "a kind")


def test_outcomes(bench, project):
    limit, none = mutant(project, 4, "    if (n <= 10) {\n"), mutant(project, 7, "    return n + 0;\n")
    assert bench.attempt(limit, ["tests/a/test_a.py::limit"], 9) == Outcome(limit, NOTICED, "a/test_a.py::limit", 1)
    assert bench.attempt(none, ["tests/a/test_a.py::limit"], 9) == Outcome(none, SURVIVED, "", 1)
    assert bench.attempt(limit, [], 9) == Outcome(limit, UNREACHED)
    broken = mutant(project, 7, "    return n + broken;\n")
    assert bench.attempt(broken, ["tests/a/test_a.py::limit"], 9).result == NOT_BUILT
    # Each mistake is taken back.
    assert (bench.copy.tree / limit.file).read_text() == KERNEL == (project / limit.file).read_text()
    assert bench.attempt(none, ["tests/a/test_a.py::limit"], 9).result == SURVIVED


def test_a_test_that_fails_without_the_mistake_has_not_noticed(bench, project):
    """One that passes without it is asked once."""
    limit = mutant(project, 4, "    if (n <= 10) {\n")
    flaky, sound = "tests/a/test_a.py::flaky", "tests/a/test_a.py::limit"
    assert bench.attempt(limit, [flaky, sound], 9) == Outcome(limit, FAILS_ANYWAY, "a/test_a.py::flaky", 2)
    words = bench.copy.folder / "words"
    before = len(words.read_text().splitlines())
    for _ in range(2):
        assert bench.attempt(limit, [sound], 9).result == NOTICED
    assert len(words.read_text().splitlines()) == before + 3
    outcome = Outcome(limit, FAILS_ANYWAY, "a/test_a.py::flaky", 2)
    assert "a/test_a.py::flaky fails without the mistake too" in score.told(outcome, 1)
    head, row = score.table([outcome, Outcome(limit, NOTICED)], {})
    assert row.split() == ["kernel", "2", "1", "0", "0", "0", "1", "100", "%"]
    assert head.split(maxsplit=2)[:2] == ["area", "tried"] and len(head) == len(row)
    assert [head[at:at + 13].strip() for at in range(10, len(head) - 8, 13)] == [
        "tried", "noticed", "survived", "not reached", "no effect", "fails anyway"]


def test_a_trial_has_temporary_files_of_its_own(bench, project):
    """A mistake in what locks them holds up no other run of this user."""
    limit = mutant(project, 4, "    if (n <= 10) {\n")
    assert bench.attempt(limit, ["tests/a/test_a.py::limit"], 9).result == NOTICED
    places = (bench.copy.folder / "places").read_text().splitlines()
    assert set(places[1:]) == {str(bench.copy.folder / "tmp")} and len(places) == 3 and (bench.copy.folder / "tmp").is_dir()


@pytest.mark.parametrize("line, name", [
    ("FAILED a/test_a.py::limit", "a/test_a.py::limit"), ("FAILED a/test_a.py::limit - assert 1 == 2", "a/test_a.py::limit"),
    ("ERROR a/test_a.py::limit - no fixture", "a/test_a.py::limit"), ("..\nFAILED a/test_a.py::limit\nFAILED b", "a/test_a.py::limit"),
    ("FAILED a/test_a.py::two[no words] - assert", "a/test_a.py::two[no words]"),
    ("FAILED a/test_a.py::two[no words]", "a/test_a.py::two[no words]"), ("FAILED a/test_a.py::two - assert", "a/test_a.py::two"),
    ("FAILED tests/a/test_a.py::two[no words] - assert", "a/test_a.py::two[no words]"),
    ("FAILED tests/a/test_a.py::limit", "a/test_a.py::limit"), ("ERROR tests/a/test_b.py - SyntaxError", "a/test_b.py"),
    ("ERROR a/test_b.py - SyntaxError", "a/test_b.py"), ("1 passed", ""), ("not FAILED a/test_a.py::limit", "")])
def test_the_name_of_the_test_that_failed(line, name):
    """It is one of those that were to run, whatever blanks it has; or a file that could not be read."""
    assert trial._failed(f"{line}\n", [f"tests/a/test_a.py::{test}" for test in ("two", "limit", "two[no words]", "two[no")]) == name


def test_the_seed_is_of_a_commit(project):
    def git(*words):
        subprocess.run(["git", "-C", project, "-c", "user.name=n", "-c", "user.email=e", *words], check=True, capture_output=True)
    assert changes.described(project) == "sources without a commit"
    git("init")
    git("add", "run.sh")
    git("commit", "-m", "first")
    assert re.fullmatch("[0-9a-f]{12} with changes", changes.described(project))
    git("add", ".")
    git("commit", "-m", "second")
    assert re.fullmatch("[0-9a-f]{12}", changes.described(project))


@pytest.mark.parametrize("name", ["forever", "still"])
def test_tests_that_do_not_end_have_noticed(name, bench, project, monkeypatch):
    """They use all the processor time that they may, or none at all."""
    monkeypatch.setattr(trial, "BUILT", 0.5 if name == "forever" else 500)
    monkeypatch.setattr(processor, "STILL", 1.0 if name == "still" else 500)
    limit = mutant(project, 4, "    if (n <= 10) {\n")
    found = bench.attempt(limit, [f"tests/a/test_a.py::{name}"], 0.1)
    assert found.result == NOTICED and "do not end" in found.test


def test_score_leaves_out_what_has_no_effect(project):
    one, other = mutant(project, 4, "    if (n <= 10) {\n"), mutant(project, 5, "        n--;\n")
    outcomes = [Outcome(one, NOTICED, "a/test_a.py::limit", 3), Outcome(other, SURVIVED, "", 3), Outcome(one, NOT_BUILT),
                Outcome(other, UNREACHED)]
    assert score.table(outcomes, {})[1].split() == ["kernel", "3", "1", "1", "1", "0", "0", "33", "%"]
    assert score.table(outcomes, {other.identity: "why"})[1].split() == ["kernel", "3", "1", "0", "0", "2", "0", "100", "%"]
    assert len(score.survivors(outcomes, {})) == 2 and not score.survivors(outcomes, {other.identity: "why"})
    assert score.told(outcomes[1], 1).splitlines() == [
        f"NOT NOTICED  {other.file}:{other.line}: {other.kind}  (3 tests pass)",
        f"    - {other.was.strip()}", f"    + {other.now.strip()}"]


def test_nops_are_no_mistakes(project, store, tmp_path):
    """Tests of any line of the file run, and one that fails is what is looked for."""
    [one] = drawn(project, lines=(7,), rules="nop")
    notes = store({"a/test_a.py::other": (1, {one.file: {4}}), "a/test_a.py::none": (1, {"x.c": {7}})})
    assert choose.choose(notes, one, project, project, 9, tmp_path) == (["tests/a/test_a.py::other"], 1)
    found, same = Outcome(one, NOTICED, "a/test_a.py::other", 1), Outcome(one, SURVIVED, "", 3)
    assert score.told(found, 1).splitlines()[0] == f"FAILS        {one.file}:7: nop  (a/test_a.py::other)"
    assert score.told(same, 1) == f"the same     {one.file}:7: nop  (3 tests pass)"
    assert score.nops([found, same, Outcome(one, UNREACHED)]) == \
        "3 nops: a test fails with 1, no test reaches the file of 1"


def test_copies_follow_the_checkout(project):
    copy = copies.Copy("one", project)
    copy.refresh()
    before = (copy.tree / "guest-os/kernel/count.c").stat().st_mtime_ns
    assert os.access(copy.tree / "run.sh", os.X_OK)
    (project / "guest-os/kernel/new.c").write_text("int x;\n")
    copy.refresh()
    assert (copy.tree / "guest-os/kernel/new.c").exists()
    assert (copy.tree / "guest-os/kernel/count.c").stat().st_mtime_ns == before
    (project / "guest-os/kernel/new.c").unlink()
    copy.refresh()
    assert not (copy.tree / "guest-os/kernel/new.c").exists()
    assert copies.lab() == Path(os.environ["FUGU_BUILD"]) / "lab"


# ---- the words ------------------------------------------------------------------------

def test_words():
    assert command.parse([]) == command.Asked(30, None, 1, 60.0, False)
    assert command.parse(["12", "--area", "hw", "--seed=0", "--seconds", "5", "--nops"]) == command.Asked(
        12, "hw", 0, 5.0, True)


@pytest.mark.parametrize("words, said", [
    (["0"], "the number of mistakes is a number from 1 to 100,000, and not '0'."),
    (["-5"], "'-5' is no option of it"), (["--area", "disk"], "--area disk: there are hw, kernel, libraries, tools."),
    (["--area"], "--area takes a value."), (["--seed", "x"], "--seed is a number from 0 to"),
    (["5", "6"], "'6' is no option of it"), (["--seconds=0"], "--seconds is a number from 1 to 3,600, and not '0'."),
    (["--nops=1"], "'--nops' is no option of it")])
def test_bad_words(words, said, launcher):
    done = launcher("test", "--mutants", *words)
    assert done.returncode == 2 and said in done.stderr and "Traceback" not in done.stderr


def test_without_notes_one_line_says_what_to_do(launcher):
    done = launcher("test", "--mutants", "3")
    assert done.returncode == 3
    assert done.stderr == ("fugu: it is not known which tests reach which lines.\n"
                           "  Note it first: ./run.sh test --coverage [TESTS]\n")


@pytest.mark.parametrize("words, asked", [
    (["100000"], command.Asked(count=100_000)), (["1"], command.Asked(count=1)), (["--seed", str(2 ** 64)], command.Asked(seed=2 ** 64)),
    (["--seed=0"], command.Asked(seed=0)), (["--seconds=3600"], command.Asked(seconds=3600.0)), (["--seconds", "1"], command.Asked(seconds=1.0)),
    (["--area=tools"], command.Asked(area="tools")), (["--nops"], command.Asked(nops=True))])
def test_the_last_values_of_words(words, asked):
    assert command.parse(words) == asked


@pytest.mark.parametrize("words", [["100001"], ["--seed", str(2 ** 64 + 1)], ["--seed", "-1"], ["--seconds", "3601"], ["--seconds=0"],
                                   ["--seconds"], ["--seed"], ["--area="], ["--nop"], ["--nops", "5"]])
def test_the_first_values_beyond(words):
    with pytest.raises(UsageError):
        command.parse(words)


class Trial:
    """In place of Bench: a mistake of a line of 4 is noticed, of 5 it survives, of 7 it does not build."""

    prepared: list[str] = []

    def __init__(self, name, base, root):
        self.name, self.base = name, base

    def prepare(self):
        self.prepared.append(self.name)
        assert self.base is None

    def attempt(self, one, tests, seconds):
        result = {4: NOTICED, 5: SURVIVED, 7: NOT_BUILT, 8: UNREACHED, 9: NOTICED}[one.line]
        return Outcome(one, result, "a/test_a.py::limit" if result == NOTICED else "", len(tests))


@pytest.fixture
def mutants(project, tmp_path, monkeypatch, capsys):
    """mutants(words, lines, known lines) -> status, what is printed without its seconds, entries of survivors."""
    def run(words, lines, known=()):
        text = (project / "guest-os/kernel/count.c").read_text()
        (project / "guest-os/kernel/count.c").write_text(text + "\n" * 10)
        drawn = [mutant(project, line, f"    wrong{number};\n") for number, line in enumerate(lines)]
        monkeypatch.setattr(command.gather, "known_lines", lambda notes: {})
        monkeypatch.setattr(command.python_tools, "on_demand", lambda *_: None)
        monkeypatch.setattr(command.draw, "draws", lambda root, name, code, then, seed, rules: iter(drawn))
        monkeypatch.setattr(command.choose, "choose", lambda *_: (["one", "two"], 1.0))
        monkeypatch.setattr(command.verdicts, "read", lambda root: {drawn[k].identity: "why" for k in known})
        monkeypatch.setattr(command.verdicts, "stale", lambda root, known: ["stale entry"] * bool(known))
        monkeypatch.setattr(command, "Bench", Trial)
        monkeypatch.setattr(command, "lab", lambda: tmp_path)
        monkeypatch.setattr(command, "WORKERS", 1)
        status = command.mutants([*words, "--area", "kernel"])
        shown = capsys.readouterr()
        survivors = tmp_path / "survivors.toml"
        entries = survivors.read_text().count("[[mutant]]") if survivors.exists() else 0
        return status, shown.out.splitlines(), shown.err, entries
    return run


@pytest.mark.parametrize("lines, known, status, counts, entries", [
    ([4, 9], (), 0, "kernel 2 2 0 0 0 0 100 %", 0), ([4, 5], (), 1, "kernel 2 1 1 0 0 0 50 %", 1), ([4, 8], (), 1, "kernel 2 1 0 1 0 0 50 %", 1),
    ([4, 5], (1,), 0, "kernel 2 1 0 0 1 0 100 %", 0), ([5], (0,), 0, "kernel 1 0 0 0 1 0 -", 0), ([4, 5, 8, 9], (), 1, "kernel 4 2 1 1 0 0 50 %", 2)])
def test_what_comes_of_all(lines, known, status, counts, entries, mutants):
    """0 if all are noticed or are known to have no effect. Each survivor has an entry."""
    found, shown, err, count = mutants(["9"], lines, known)
    assert (found, " ".join(shown[-1].split()), count) == (status, counts, entries)
    assert ("stale entry" in err) == bool(known)
    assert sum(line.startswith("NOT NOTICED") for line in shown) == sum(line in (5, 8) for line in lines)
    assert any(re.match(rf"seed 1 of .*: {len(lines)} mistakes in 0 min$", line) for line in shown)


@pytest.mark.parametrize("count, tried", [(1, 1), (2, 2), (3, 3), (4, 3)])
def test_so_many_mistakes_are_tried(count, tried, mutants):
    """Those that do not build are no mistakes: others take their places."""
    _, shown, _, _ = mutants([str(count)], [4, 7, 4, 4])
    assert shown[-1].split()[:3] == ["kernel", str(tried), str(tried)]
    assert sum(line.startswith("not built") for line in shown) == (count > 1)


def test_the_status_of_nops(mutants):
    """What is no mistake should not be noticed."""
    assert mutants(["--nops"], [4])[0] == 1 and mutants(["--nops"], [5, 8])[0] == 0
    status, shown, _, entries = mutants(["--nops"], [4, 5, 8])
    assert (status, shown[-1], entries) == (1, "3 nops: a test fails with 1, no test reaches the file of 1", 0)
