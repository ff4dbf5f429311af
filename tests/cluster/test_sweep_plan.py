"""What the runs of a sweep boot, and the keys that tell them apart."""

from __future__ import annotations

import re

import pytest

from fugu.errors import UsageError
from fugu.sweep import plan, table


@pytest.fixture
def planned(tmp_path, monkeypatch):
    """planned(text) -> the keys of a table's runs and what each boots."""
    monkeypatch.chdir(tmp_path)

    def make(text):
        (tmp_path / "t.csv").write_text(text)
        with plan.opened(tmp_path / "results"):
            made = plan.make(table.load("t.csv"), tmp_path / "results", 60)
        runs = plan.json.loads((made.folder / plan.PLAN).read_text())["runs"]
        return made.keys, [runs[key]["image"] for key in made.keys]
    return make


def boots_differ(found):
    keys, images = found
    return len(set(keys)) == len(set(images)) == len(keys)


def test_runs_that_differ_in_the_scheduler(planned):
    assert boots_differ(planned("app,arguments,scheduler\nbarrier,10 + null,|none\n"))


def test_runs_that_differ_in_a_jobs_start(planned):
    """A job that starts later needs the scheduler's server; one that is alone from the first cycle on does not."""
    assert boots_differ(planned("app\nnull|null@5K\n"))


def test_runs_that_differ_in_the_name_of_an_input(planned, tmp_path):
    (tmp_path / "a").write_text("one")
    assert boots_differ(planned("app,input\nbarrier,a|b=a\n"))


def test_runs_of_one_program_boot_the_same(planned):
    """An option of the machine and a trial make another run, and no other image."""
    keys, images = planned("app,skew,trials\nbarrier,0|5,2\n")
    assert len(set(keys)) == 4 and len(set(images)) == 1


def test_runs_that_differ_in_the_kind_of_network_interface(planned):
    """The kernel has one image for all kinds, and finds its machine's."""
    keys, images = planned("app,ni,nodes\nhello,fugu|none,2\n")
    assert len(set(keys)) == 2 and len(set(images)) == 1


OTHERS = "app,ni,nodes\nhello,none,2\npingpong,fugu|none,2\nlu,none,2\npingpong,none,2\n"     # the first is named
REFUSAL = "t.csv: line 3: pingpong needs --ni fugu, as it uses UDM, but the machine has --ni none."


def test_a_program_for_another_kind_is_refused_with_its_place(planned):
    with pytest.raises(UsageError, match=f"^{re.escape(REFUSAL)}"):
        planned(OTHERS)


@pytest.mark.parametrize("words", [[], ["--dry-run"]])
def test_a_sweep_with_such_a_program_does_not_begin(sweep, words):
    """It prints no command, and leaves no folder of results."""
    done = sweep.run(OTHERS, *words)
    assert (done.returncode, done.stdout) == (2, "") and REFUSAL in done.stderr
    assert [path.name for path in sweep.folder.iterdir()] == ["t.csv"]


# ---- a folder that no plan needs ---------------------------------------------------

def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def refused(folder):
    """A plan is begun in the folder, and refused."""
    with pytest.raises(UsageError, match="^no$"), plan.opened(folder):
        for name in plan.FOLDERS:
            (folder / name).mkdir(exist_ok=True)
        raise UsageError("no")


def test_folders_that_the_sweep_has_made_go(tmp_path):
    refused(tmp_path / "new" / "results")
    assert files(tmp_path) == []


def test_folders_of_others_stay(tmp_path):
    (tmp_path / "mine" / "empty").mkdir(parents=True)
    refused(tmp_path / "mine" / "empty")
    assert files(tmp_path) == ["mine", "mine/empty"]


def test_what_others_have_put_there_stays(tmp_path):
    with pytest.raises(UsageError, match="^no$"), plan.opened(tmp_path / "new" / "results"):
        (tmp_path / "new" / "notes").touch()
        raise UsageError("no")
    assert files(tmp_path) == ["new", "new/notes"]


def test_results_of_an_earlier_sweep_stay(tmp_path):
    """Also those of one that was killed before it had a plan: its images are used again."""
    for name in (plan.PLAN, plan.LOCK):
        with plan.opened(tmp_path / name):
            (tmp_path / name / plan.PLAN).touch()
            (tmp_path / name / "runs").mkdir()
    (tmp_path / plan.LOCK / plan.PLAN).unlink()
    before = files(tmp_path)
    for name in (plan.PLAN, plan.LOCK):
        refused(tmp_path / name)
    assert set(before) <= set(files(tmp_path))
