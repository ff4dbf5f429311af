"""Tables of runs: what they ask for, and what is said about mistakes in them."""

from __future__ import annotations

import shlex

import pytest

from fugu.commands import sweep as command
from fugu.errors import UsageError
from fugu.sweep import table, workflow


@pytest.fixture
def load(tmp_path):
    """load(text) -> the table in a file with that text."""
    def make(text):
        file = tmp_path / "t.csv"
        file.write_text(text)
        return table.load(str(file))
    return make


def asked(found):
    """(line, trial, the words as one line) of each run."""
    return [(run.line, run.trial, shlex.join(run.words)) for run in found.runs]


def test_alternatives_and_trials(load):
    """The leftmost column varies slowest, and trials vary fastest."""
    found = load("app,nodes,atomicity,trials\nring|whoami,2,hard|soft,2\n")
    assert found.columns == ("app", "nodes", "atomicity")
    assert asked(found) == [(2, trial, f"--nodes=2 --atomicity={kind} -- {app}") for app in ("ring", "whoami")
                            for kind in ("hard", "soft") for trial in (1, 2)]
    assert found.runs[0].values == ("ring", "2", "hard") and found.runs[-1].values == ("whoami", "2", "soft")


@pytest.mark.parametrize("text, words", [
    ("app\nring\n", ["-- ring"]),
    ("\ufeffapp\r\nring\r\n", ["-- ring"]),
    ("# what\n\n app , arguments \n\n  # which\nring, laps=1\n,\n", ["-- ring laps=1"]),
    ("app,arguments\nring,|laps=1|'a|b' \"c  d\"\n", ["-- ring", "-- ring laps=1", "-- ring 'a|b' 'c  d'"]),
    ("app,arguments\nring,\"a, b\"\n", ["-- ring a, b"]),
    ("app,arguments\npingpong,10 + null\n", ["-- pingpong 10 + null"]),
    ("app,arguments\nring,\"'one\n# two'\n  three\"\n", ["-- ring 'one\n# two' three"]),
    ("app,arguments\r\nring,\"'a\r\nb'\"\r\n# c\r\nring,d\r\n", ["-- ring 'a\nb'", "-- ring d"]),
    ("app,arguments\nring,it\\'s|a\\|b|\"c\\\"|d\"\n", ["-- ring 'it'\"'\"'s'", "-- ring 'a|b'", "-- ring 'c\"|d'"]),
    ("app,arguments,trials\nring,seed={trial},2\n", ["-- ring seed=1", "-- ring seed=2"]),
    ("app,seed,trials\nbarrier,{trial},2\n", ["--seed=1 -- barrier", "--seed=2 -- barrier"]),
    ("app,label,cache\nring,on|off,off|\n", ["--label --cache=off -- ring", "--label -- ring", "--cache=off -- ring",
                                             "-- ring"]),
    ("app,options\nring,-n 4 --cache off|\n", ["-n 4 --cache off -- ring", "-- ring"]),
])
def test_what_a_table_asks_for(load, text, words):
    assert [line for _, _, line in asked(load(text))] == words


MISTAKES = {
    "nothing": ("", "line 1: the file is empty"),
    "comments alone": ("# app\n", "line 1: the file is empty"),
    "no row": ("app\n", "line 1: there is no run"),
    "unknown column": ("app,nodse\nring,1\n", "line 1, column 2 (nodse): there is no such column. Did you mean nodes?"),
    "column without a name": ("app,,nodes\nring,,1\n", "line 1, column 2 (): there is no such column."),
    "two columns of a name": ("app,nodes,nodes\nring,1,1\n", "line 1, column 3 (nodes): two columns have this name"),
    "no app": ("nodes\n1\n", "line 1: no column is called app. The columns are: nodes."),
    "an option that makes no sense": ("app,disk\nring,0=a\n", "line 1, column 2 (disk): a sweep cannot have --disk: a disk"),
    "too few cells": ("app,nodes\nring,1\nring\n", "line 3: there are 1 cells, and 2 columns: app, nodes."),
    "too many cells": ("# a\napp,nodes\nring,1,000\n", "line 3: there are 3 cells"),
    "an open quote of CSV": ("app,arguments\nring,\"1\n", "line 2: this is no row of CSV: unexpected end of data"),
    "text behind a quote": ("app,arguments\nring,\"1\"2\n", "line 2: this is no row of CSV: ',' expected after '\"'"),
    "an open quote": ("app,arguments\nring,'1\n", "line 2, column 2 (arguments): '1: a quote ' is not closed"),
    "backslash at the end": ("app,arguments\nring,1\\\n", "line 2, column 2 (arguments): 1\\: these are no words for a shell"),
    "a value": ("app,nodes\nring,8|0\n", "line 2, column 2 (nodes): 0: must be a whole number of nodes from 1 to 1024."),
    "a flag": ("app,label\nring,yes\n", "line 2, column 2 (label): yes: must be on or off."),
    "no app in a row": ("app,nodes\n,1\n", "line 2, column 1 (app): there is no app"),
    "unknown app": ("app\nring\nrign\n", "line 3, column 1 (app): there is no app, no guest program and no command 'rign'."),
    "a file that is not there": ("app\n./my.elf\n", "line 2, column 1 (app): there is no file ./my.elf."),
    "trials": ("app,trials\nring,0\n", "line 2, column 2 (trials): 0: must be a number of trials from 1 to 1000."),
    "an alternative twice": ("app,nodes\nring,2|4|2\n", "line 2, column 2 (nodes): 2|4|2: the alternative 2 is given twice."),
    "options that contradict": ("app,nodes,mesh\nring,4,3x1\n", "line 2: --mesh 3x1 has 3 places, but --nodes is 4."),
    "an option among options": ("app,options\nring,--nodse 4\n", "line 2, column 2 (options): there is no option --nodse."),
    "a word among options": ("app,options\nring,-n 4 laps=1\n", "line 2, column 2 (options): laps=1 is no option."),
    "a refused option": ("app,options\nring,--save a@1\n", "line 2, column 2 (options): a sweep cannot have --save"),
    "for the bare machine": ("app,timeslice\nring,500000\n", "line 2: --timeslice is for apps"),
    "too many runs": ("app,nodes,trials\nring,,1\nring,1|2|3|4|5|6|7|8|9|10,1000\n",
                      "line 3: with this row, there are more than 10000 runs."),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_have_a_place(load, tmp_path, name):
    text, said = MISTAKES[name]
    with pytest.raises(UsageError) as error:
        load(text)
    assert str(error.value).startswith(f"{tmp_path}/t.csv: {said}")


def test_files_that_are_no_table(tmp_path):
    with pytest.raises(UsageError, match="there is no file .*/none.csv"):
        table.load(str(tmp_path / "none.csv"))
    with pytest.raises(UsageError, match="cannot be read: Is a directory"):
        table.load(str(tmp_path))
    (tmp_path / "t.csv").write_bytes(b"app\nri\xffng\n")
    with pytest.raises(UsageError, match="is not text in UTF-8: byte 6 cannot be decoded"):
        table.load(str(tmp_path / "t.csv"))


# ---- the command line ------------------------------------------------------------

@pytest.fixture
def file(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("app,nodes\nring,2|4\n")
    return path


def test_dry_run_prints_the_commands(launcher, file, tmp_path):
    done = launcher("sweep", file, "--dry-run")
    assert (done.returncode, done.stdout) == (0, "./run.sh --nodes=2 -- ring\n./run.sh --nodes=4 -- ring\n")
    assert not (tmp_path / "build").exists()


@pytest.mark.parametrize("words, said", [
    ([], "sweep takes one table of runs"), (["a.csv", "b.csv"], "It was given 2: a.csv, b.csv."),
    (["--outptu", "x", "a.csv"], "there is no option --outptu. Did you mean --output?"),
    (["--cores", "0", "a.csv"], "--cores 0: must be a whole number of cores from 1"),
    (["--limit", "soon", "a.csv"], "--limit soon: must be a number of seconds from 1"),
    (["--profile", "slurm", "--cores", "2", "a.csv"], "--cores is for this host"),
    (["--profile", "slrum", "a.csv"], "there is no slrum/config.yaml. Did you mean slurm?"),
    (["--profile", "./none", "a.csv"], "there is no none/config.yaml.\n  Give a folder"),
    (["a.csv"], "there is no file a.csv."),
])
def test_mistakes_of_the_command_line(launcher, words, said):
    done = launcher("sweep", *words)
    assert done.returncode == 2 and said in done.stderr


def test_words_around_the_file():
    options, name = command._parse(["--snakemake-arg", "a", "t.csv", "--fresh", "--snakemake-arg", "b"])
    assert (options, name) == ({"snakemake-arg": ["a", "b"], "fresh": True}, "t.csv")


def test_folder_with_other_files(launcher, file, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.tex").touch()
    done = launcher("sweep", "--output", tmp_path / "out", file)
    assert done.returncode == 2 and "has files that are not a sweep's" in done.stderr
    done = launcher("sweep", "--output", file, file)
    assert done.returncode == 3 and "cannot be made: File exists" in done.stderr


def test_profiles(tmp_path):
    assert workflow.profile("slurm") == workflow.PROFILES / "slurm"
    (tmp_path / "config.yaml").touch()
    assert workflow.profile(str(tmp_path)) == tmp_path


def test_profile_that_needs_more(tmp_path):
    """pip installs the lines of its requirements.txt."""
    assert workflow._more(None) == workflow._more(tmp_path) == workflow._more(workflow.PROFILES / "slurm") == []
    (tmp_path / "requirements.txt").write_text("# for the cluster\n\nplugin==1.0   # pinned\n")
    assert workflow._more(tmp_path) == ["plugin==1.0"]
