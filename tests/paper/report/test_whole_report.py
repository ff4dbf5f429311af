"""./run.sh paper: everything is measured together, what fails does not cost the rest, and the files hold all of it."""

from __future__ import annotations

import csv
import json
from dataclasses import replace

import pytest
from invented import BROKEN, ERROR, report
from run_sh import run_sh

from fugu.errors import SetupError, UsageError
from fugu.paper import _docs
from fugu.paper._table import AIM, Compared
from fugu.paper.runs import sweep
from fugu.paper.runs.extent import FULL, QUICK, SMALL, Extent
from fugu.paper.runs.sweep import Job
from fugu.paper.summary import collect, command, files
from fugu.paper.summary.parts import PARTS

TINY = Extent("tiny", small=True, trials=1, places=1, atomicity=("soft",), step=8)
BY_NAME = {part.name: part for part in PARTS}


# ---- the parts -------------------------------------------------------------------------

def test_parts_share_runs():
    """Figures 7 and 8 are the same runs; a program alone is one run for table 6, both figures and the speed-up."""
    jobs = {name: set(part.jobs(FULL)) for name, part in BY_NAME.items()}
    assert jobs["figure7"] == jobs["figure8"]
    assert jobs["table6"] < jobs["figure7"]
    eight = {job for job in jobs["speedup"] if job.options[:2] == ("--nodes", "8")}
    assert len(eight) == 5 and eight < jobs["table6"]
    assert jobs["figure9"] & jobs["figure10"]


def test_runs_of_the_paper():
    """Five programs, soft and hard, alone and beside null: from five starts without skew, three times with each of seven;
    barrier out of step alone with five seeds, and in step; enum with ten seeds, three of which are there already."""
    assert len(set(BY_NAME["figure7"].jobs(FULL))) == 2 * (5 * (1 + 5 + 7 * 3) + 4 + 1) + 7
    assert len(set(BY_NAME["figure9"].jobs(FULL))) == 2 * 3 * 3 * 10 * 3


def test_runs_that_a_page_counts():
    text = " ".join((_docs.DOCS / "paper.md").read_text().split())
    every = len({job for part in PARTS for job in part.jobs(FULL)})
    assert f"One set of {len(set(BY_NAME['figure7'].jobs(FULL)))} runs serves both figures" in text
    assert f"All runs, some {round(every, -1):,}, are made together" in text


def test_all_that_runs_is_measured(monkeypatch):
    """The report makes all runs at once; the parts find them in the cache, and run nothing themselves."""
    made = [BY_NAME[name] for name in ("table6", "figure8", "crl")]
    first = collect.collect(TINY, made)
    monkeypatch.setattr(sweep, "_run_all", lambda *_: pytest.fail("a program runs"))
    found = collect.collect(TINY, made)
    assert found.ran == 0 and found.runs == first.runs == len({job for part in made for job in part.jobs(TINY)})
    assert [one.result.json() for one in found.parts] == [one.result.json() for one in first.parts]
    assert found.missing == [] and found.run_seconds > 0 and [str(score) for score in found.scores] == ["5 of 5 aims of this project are met"]
    assert all(one.seconds > 0 for one in found.parts)


def test_only_runs_of_the_papers_sizes_are_judged():
    """With small data sets, claims about programs are not; those about CRL's operations and about parts of FULL are."""
    small = collect.collect(TINY, [BY_NAME[name] for name in ("table5", "figure8", "crl")])
    assert [found.judged for found in small.parts] == [True, False, True]
    assert [len(found.claims) for found in small.parts] == [5, 0, 5] and small.parts[1].result.claims
    data = {part["name"]: part for part in json.loads(files.as_json(small))["parts"]}
    assert data["figure8"]["claims"] == [] and data["figure8"]["judged"] is False and len(data["crl"]["claims"]) == 5
    for part in PARTS:
        assert set(part.jobs(QUICK)) <= set(part.jobs(FULL)), part.name


def test_some_of_the_papers_rows_are_not_judged():
    """The small report solves one of the paper's systems: its gain is not the largest of all. --quick has all of them."""
    part = BY_NAME["rq-solve"]
    assert set(part.jobs(SMALL)) < set(part.jobs(FULL)) == set(part.jobs(QUICK))
    (small,) = collect.collect(TINY, [part]).parts
    assert not small.judged and small.claims == [] and small.result.claims


def test_a_part_that_fails_does_not_cost_the_others(monkeypatch):
    """A run that fails, and a measurement that fails."""
    good, bad = (next(iter(BY_NAME[name].jobs(TINY))) for name in ("table6", "crl"))
    monkeypatch.setattr(collect.sweep, "attempt", lambda jobs, fresh: sweep.Attempt(
        1, {good: 2.0}, {bad: SetupError("bad ended with status 1:\nlast words")}))

    def refuse(extent):
        raise SetupError("no such row")
    result = report().parts[0].result
    made = [replace(BY_NAME["table6"], measure=lambda extent: result, jobs=lambda extent: [good]),
            replace(BY_NAME["crl"], jobs=lambda extent: [bad]), replace(BY_NAME["table4"], measure=refuse),
            replace(BY_NAME["table5"], measure=lambda extent: [][1]),
            replace(BY_NAME["rq"], measure=lambda extent: Compared("no JSON", [], rows=[{"row": object()}]))]
    found = collect.collect(TINY, made)
    assert [one.error for one in found.parts[:3]] == ["", "bad ended with status 1:\nlast words", "no such row"]
    assert "IndexError: list index out of range" in found.parts[3].error and "not JSON serializable" in found.parts[4].error
    assert [one.part.name for one in found.missing] == ["crl", "table4", "table5", "rq"]
    assert found.parts[0].result is result and found.parts[0].seconds == 2 and found.runs == 2


def test_a_program_that_is_not_there_fails_alone():
    nosuch = Job("/no/such.elf", (), (), 1)
    tried = sweep.attempt([nosuch])
    assert tried.ran == 0 and "there is no file /no/such.elf" in str(tried.failures[nosuch])


def test_mbcf_is_judged_by_ratios():
    """Its runs are the same at each extent: the same claims and aims hard and soft, always judged."""
    found = collect.collect(TINY, [BY_NAME["mbcf"]])
    (part,) = found.parts
    assert found.runs == 2 and part.judged and len(part.claims) == 2 * 17
    assert {row["group"] for row in part.result.rows} >= {"WRITE", "FIFO", "SIGNAL", "UDM message", "10 tries at a copied page"}
    assert not any(row["paper"] for row in part.result.rows)


def test_shared_memory_with_small_grids():
    """Both programs compute the same on 1 and 8 nodes. Its claims are about the full sizes."""
    found = collect.collect(TINY, [BY_NAME["shm"]])
    (part,) = found.parts
    assert found.runs == 6 and part.error == "" and not part.judged and part.claims == []
    assert {row["group"] for row in part.result.rows} == {"cost", "relax", "sharedlu"}


DRAWN = [part.name for part in PARTS if part.picture]


def test_lines_of_a_figure_and_of_the_speedup():
    parts = {found.part.name: found.result for found in report().parts}
    soft, hard = BY_NAME["figure7"].picture(parts["figure7"]).panels
    assert (soft.title, hard.title) == ("Soft atomicity, elapsed time", "Hard atomicity, elapsed time")
    assert soft.lines["enum"] == [(0, 0.5, 0, 1), (10, 20.5, 20, 21), (40, 80.5, 80, 81)]
    (panel,) = BY_NAME["speedup"].picture(parts["speedup"]).panels
    assert panel.lines["enum"][:2] == [(1, 1, 1, 1), (2, 2, 2, 2)]
    assert DRAWN == ["table4", "protection", "figure7", "figure8", "figure9", "figure10", "rq", "rq-solve", "rq-transpose",
                     "rq-strided", "mbcf", "shm", "mm", "schedules", "speedup"]


def test_what_the_paper_says_is_in_the_pictures():
    """Barrier's run time as the inverse of the overlap; from and up to where shares are small."""
    parts = {found.part.name: found.result for found in report().parts}
    for panel in BY_NAME["figure8"].picture(parts["figure8"]).panels:
        assert [(x, round(y, 2)) for x, y, *_ in panel.papers["barrier"]] == [(0, 1), (10, 1.11), (40, 1.67)]
    assert list(BY_NAME["figure9"].picture(parts["figure9"]).bounds) == [290 + 232]
    assert list(BY_NAME["figure10"].picture(parts["figure10"]).bounds) == [275]


def test_one_trial_has_no_spread():
    """A report with one trial shows neither a shade nor a caption that speaks of it."""
    figure = next(found for found in report().parts if found.part.name == "figure7")
    assert BY_NAME["figure7"].picture(figure.result).spread
    for row in figure.result.rows:
        row["spread"] = {column: [number, number] for column, number in row["ours"].items()}
    assert not BY_NAME["figure7"].picture(figure.result).spread
    # One point whose trials differ is enough.
    column = figure.result.columns[-1]
    figure.result.rows[-1]["spread"][column] = [0, 1]
    assert BY_NAME["figure7"].picture(figure.result).spread


def test_the_page_of_every_part(tmp_path, monkeypatch, capsys):
    """All parts are measured, with small data sets, and drawn: what `./run.sh paper --small` does, with fewer runs."""
    monkeypatch.setattr(command, "SMALL", TINY)
    assert command.main(["--small", "--output", str(tmp_path)], lambda: None) == 0, capsys.readouterr().err
    data = json.loads((tmp_path / files.JSON).read_text())
    assert [part["name"] for part in data["parts"]] == list(BY_NAME) and "error" not in str(data["parts"])
    text = (tmp_path / files.PAGE).read_text()
    assert text.count("<svg") == len(DRAWN) and "error" not in text.partition("</style>")[2]


def test_a_part_that_cannot_be_drawn_costs_its_drawing_alone(made, monkeypatch, tmp_path, capsys):
    """JSON and CSV are there before the page, and the other parts on it."""
    def refuse(result):
        assert {path.name for path in tmp_path.iterdir()} == {files.JSON, files.CSV}
        raise KeyError("cycles on 8 nodes")
    shm = BY_NAME["shm"]
    monkeypatch.setattr(command, "collect", lambda extent: replace(report(), parts=[
        replace(found, part=replace(found.part, picture=refuse)) if found.part is shm else found for found in report().parts]))
    assert command.main(["--output", str(tmp_path)], lambda: None) == command.INCOMPLETE
    out, err = capsys.readouterr()
    assert f"{shm.heading} could not be drawn:" in err and "KeyError: 'cycles on 8 nodes'" in err
    assert f"{tmp_path}/report.html" in out
    text = (tmp_path / files.PAGE).read_text()
    assert text.count('class="part"') == len(PARTS) + 1 and text.count("<svg") == len(DRAWN) - 1
    assert "Measured, but not drawn:" in text and f"1 of {len(PARTS)} parts could not be drawn" in text


# ---- the files --------------------------------------------------------------------------

def test_json_has_everything():
    data = json.loads(files.as_json(report()))
    assert [part["name"] for part in data["parts"]] == list(BY_NAME)
    assert data["scores"] == [{"of": "FUGU", "hold": 5 + len(PARTS) - 9, "all": 2 * 5 + len(PARTS) - 8},
                              {"of": AIM, "hold": 1, "all": 1}]
    assert data["host"] == {"seconds": 60.0, "cores": 2, "runs": 7, "ran": 3, "run_seconds": 100.0}
    parts = {part["name"]: part for part in data["parts"]}
    assert parts[BROKEN]["error"] == ERROR
    figure = parts["figure9"]
    assert figure["columns"] == ["0", "10", "40"] and (figure["x"], figure["y"]) == ("skew, %", "share, %")
    assert figure["rows"][1] == {"group": "soft, elapsed", "row": "enum", "ours": {"0": 0.5, "10": 20.5, "40": 80.5},
                                 "paper": {}, "spread": {"0": [0, 1], "10": [20, 21], "40": [80, 81]}}
    assert figure["claims"][1] == {"where": "hard, elapsed", "text": "figure9 is <so>.", "ours": "7 & more",
                                   "holds": False, "why": "It is not.", "of": "FUGU"}


def test_csv_has_every_number():
    rows = list(csv.DictReader(files.as_csv(report()).splitlines()))
    assert {row["part"] for row in rows} == set(BY_NAME) - {BROKEN}
    assert len([row for row in rows if row["part"] == "figure7"]) == 2 * 2 * 3
    assert rows[-1] == {"part": "speedup", "group": "enum", "row": "speed-up", "column": "16", "ours": "16.0",
                        "least": "", "most": "", "paper": ""}


def test_files_are_written_as_a_whole(tmp_path):
    texts = {files.PAGE: "page", **files.numbers(report())}
    assert [path.name for path in files.write(tmp_path, texts)] == [files.PAGE, files.JSON, files.CSV]
    assert {path.name for path in tmp_path.iterdir()} == {files.PAGE, files.JSON, files.CSV}


# ---- the command line -------------------------------------------------------------------------

@pytest.fixture
def made(monkeypatch, tmp_path):
    """`./run.sh paper` with a report of invented numbers; the extents that were asked for."""
    extents = []

    def invent(extent):
        extents.append(extent)
        return replace(report(), extent=extent)
    monkeypatch.setattr(command, "collect", invent)
    return extents


def test_what_the_command_prints(made, tmp_path, capsys):
    status = command.main(["--no-page", "--small", "--output", str(tmp_path / "new" / "folder")], lambda: None)
    out, err = capsys.readouterr()
    assert status == command.INCOMPLETE and made == [SMALL]
    assert "Claims of papers and aims of this project (one trial" in out
    assert f"\n{5 + len(PARTS) - 9} of {10 + len(PARTS) - 8} claims of FUGU hold.\n1 of 1 aims of this project are met.\n" in out
    assert "figure7 is <so>. (hard, elapsed)" in out and "table6 is as in the paper. (soft)" in out
    assert f"A process switch could not be measured:\n{ERROR}" in err
    assert out.endswith(f"  {tmp_path}/new/folder/report.json\n  {tmp_path}/new/folder/report.csv\n")


def test_complete_report_has_status_0(made, monkeypatch, tmp_path):
    monkeypatch.setattr(command, "collect", lambda extent: replace(
        report(), parts=[found for found in report().parts if found.result]))
    assert command.main(["--no-page", "--output", str(tmp_path)], lambda: None) == 0


@pytest.mark.parametrize("words, fresh", [([], False), (["--fresh"], True)])
def test_fresh_runs(made, tmp_path, words, fresh):
    command.main([*words, "--no-page", "--output", str(tmp_path)], lambda: None)
    assert made == [FULL.again(fresh)]


def test_folder_that_cannot_be_written_is_refused_before_anything_runs(made, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match=f"--output {tmp_path}/file/folder: Not a directory.\nName a folder"):
        command.main(["--output", str(tmp_path / "file" / "folder")], lambda: pytest.fail("it builds"))
    assert made == []


def test_without_matplotlib_the_command_says_what_to_do_before_anything_runs(made, monkeypatch, tmp_path):
    def refuse(requirements, what):
        raise SetupError(f"installing {what} failed")
    monkeypatch.setattr(command.python_tools, "on_demand", refuse)
    with pytest.raises(SetupError, match="installing matplotlib and Jinja .* .--no-page: without them. failed"):
        command.main(["--output", str(tmp_path)], lambda: None)
    assert made == [] and list(tmp_path.iterdir()) == []


def test_disk_that_is_full(made, monkeypatch, tmp_path):
    def full(path, text):
        raise OSError(28, "No space left on device")
    monkeypatch.setattr(files.storage, "write_atomically", full)
    with pytest.raises(UsageError, match="report.json cannot be written: No space left on device"):
        command.main(["--no-page", "--output", str(tmp_path)], lambda: None)


@pytest.mark.parametrize("words, wanted", [
    (["--quick", "--small"], "not allowed with argument --quick"), (["--quik"], "unrecognized arguments: --quik"),
    (["--output"], "expected one argument")])
def test_bad_options(words, wanted):
    done = run_sh("paper", *words)
    assert done.returncode == 2 and wanted in done.stderr and "Traceback" not in done.stderr


def test_help():
    done = run_sh("paper", "--help")
    said = {word for action in command._parser()._actions for word in action.option_strings if word[:2] == "--"}
    assert done.returncode == 0 and all(word in done.stdout for word in said - {"--help"})


def test_every_part_can_be_measured_alone():
    """The part rq-solve is ./run.sh paper rq solve."""
    listed = {line.split()[0] for line in run_sh("paper", "--list").stdout.splitlines()}
    assert {name.partition("-")[0] for name in BY_NAME} <= listed


@pytest.mark.long
def test_everything_with_small_data_sets(tmp_path):
    done = run_sh("paper", "--small", "--output", str(tmp_path), timeout=1800)
    assert done.returncode == 0, done.stderr
    data = json.loads((tmp_path / files.JSON).read_text())
    assert [part["name"] for part in data["parts"]] == list(BY_NAME) and "error" not in str(data["parts"])
    assert (tmp_path / files.PAGE).read_text().count("<svg") == 5
