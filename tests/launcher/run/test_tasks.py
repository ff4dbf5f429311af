"""--hosts slurm and --hosts mpi: what the environment of a task says, and the tickets by which tasks meet."""

from __future__ import annotations

import os
import shlex
import threading
import time

import pytest

from fugu.errors import UsageError
from fugu.run import meeting, partition, tasks
from fugu.run.meeting import Apart, Ticket
from fugu.run.parse import parse

# As srun of Slurm 22.05 and mpirun of Open MPI 4.1 set them.
SLURM = {"SLURM_PROCID": "1", "SLURM_STEP_NUM_TASKS": "3", "SLURM_STEP_NUM_NODES": "2", "SLURM_JOB_ID": "77",
         "SLURM_STEP_ID": "0", "SLURM_CLUSTER_NAME": "c", "SLURM_SRUN_COMM_HOST": "10.0.0.9",
         "SLURM_SRUN_COMM_PORT": "40669", "SLURM_LAUNCH_NODE_IPADDR": "10.0.0.9", "SLURM_NTASKS": "8"}
MPI = {"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "3", "OMPI_COMM_WORLD_LOCAL_SIZE": "2",
       "PMIX_NAMESPACE": "569966593", "OMPI_MCA_orte_precondition_transports": "f23557dc9168e7b8-68ad97bc32cf2db8",
       "OMPI_MCA_orte_hnp_uri": "569966592.0;tcp://192.0.2.2,10.0.0.9:57899;tcp6://[fd00::2]:52897"}
ALL = {"slurm": SLURM, "mpi": MPI}
TICKET = Ticket("127.0.0.1:99", "ab" * 32, "build")


@pytest.fixture(params=ALL)
def kind(request):
    return request.param


@pytest.fixture
def task(kind, monkeypatch):
    """task(NAME=VALUE) puts the variables of a task into the environment, some of them changed."""
    def make(**changed):
        for name, value in (ALL[kind] | changed).items():
            monkeypatch.setenv(name, value)
    return make


def test_what_slurm_says():
    found = tasks.of("slurm", SLURM)
    assert (found.number, found.count, found.one_host, found.towards) == (1, 3, False, ("10.0.0.9",))
    assert list(found.ports) == [0] and tasks.of("slurm", SLURM | {"SLURM_STEP_NUM_NODES": "1"}).one_host
    assert list(tasks.of("slurm", SLURM | {"SLURM_STEP_RESV_PORTS": "12000-12002"}).ports) == [12000, 12001, 12002]
    assert list(tasks.of("slurm", SLURM | {"SLURM_STEP_RESV_PORTS": "12000"}).ports) == [12000]


def test_what_open_mpi_says():
    found = tasks.of("mpi", MPI)
    assert (found.number, found.count, found.one_host) == (1, 3, False)
    assert found.towards == ("192.0.2.2", "10.0.0.9", "fd00::2")
    assert tasks.of("mpi", MPI | {"OMPI_COMM_WORLD_LOCAL_SIZE": "3"}).one_host
    five = {name: text for name, text in MPI.items() if "_MCA_" not in name}       # Open MPI 5
    assert tasks.of("mpi", five).towards == ()


@pytest.mark.parametrize("launcher, own, other", [
    ("slurm", "SLURM_PROCID", "SLURM_JOB_ID"), ("slurm", "SLURM_PROCID", "SLURM_STEP_ID"),
    ("slurm", "SLURM_PROCID", "SLURM_RESTART_COUNT"), ("slurm", "SLURM_PROCID", "SLURM_SRUN_COMM_PORT"),
    ("mpi", "OMPI_COMM_WORLD_RANK", "PMIX_NAMESPACE"), ("mpi", "OMPI_COMM_WORLD_RANK", "OMPI_MCA_orte_hnp_uri"),
    ("mpi", "OMPI_COMM_WORLD_RANK", "OMPI_MCA_orte_precondition_transports")])
def test_name_is_that_of_the_start(launcher, own, other):
    """It is the same for all tasks, and another one for each start."""
    name = tasks.of(launcher, ALL[launcher]).name
    assert tasks.of(launcher, ALL[launcher] | {own: "2"}).name == name
    assert tasks.of(launcher, ALL[launcher] | {other: "5"}).name != name


NEEDED = [("slurm", name) for name in list(SLURM)[:5]] + [("mpi", name) for name in list(MPI)[:3]]


@pytest.mark.parametrize("launcher, name", NEEDED)
def test_variable_that_is_missing_or_bad(launcher, name):
    how = f"{tasks.LAUNCHERS[launcher]} -n 2 ./run.sh --hosts {launcher}"
    with pytest.raises(UsageError, match=f"{name} is not set.\nStart it as: {how}"):
        tasks.of(launcher, {key: text for key, text in ALL[launcher].items() if key != name})
    with pytest.raises(UsageError, match=f"{name} is '-1'"):
        tasks.of(launcher, ALL[launcher] | {name: "-1"})


@pytest.mark.parametrize("launcher, name", [NEEDED[0], NEEDED[5]])
def test_number_that_makes_no_sense(launcher, name):
    with pytest.raises(UsageError, match="this is task 3 of 3"):
        tasks.of(launcher, ALL[launcher] | {name: "3"})


@pytest.mark.parametrize("count, processes", [(1, 1), (2, 2), (3, 8), (5, 64)])
def test_each_process_has_one_task(count, processes):
    shares = [tasks.Task(number, count, True, "", ()).share(processes) for number in range(count)]
    assert [process for share in shares for process in share] == list(range(processes))
    assert all(shares) and 0 in shares[0]


def test_own_address():
    def address(*towards, one_host=False):
        return tasks.own_address(tasks.Task(0, 2, one_host, "", towards))
    assert address("10.0.0.9", one_host=True) == "127.0.0.1"
    assert tasks._address_towards("127.0.0.1") is tasks._address_towards("no.such.host.invalid") is None


def test_no_address_is_known(monkeypatch):
    monkeypatch.setattr(tasks.socket, "gethostname", lambda: "localhost")
    with pytest.raises(UsageError, match="no address is known .*\nName one: --listen HOST"):
        tasks.own_address(tasks.Task(0, 2, False, "", ("127.0.0.1",)))


# ---- the command line ------------------------------------------------------------

def test_tasks_share_the_processes(task, kind, elf):
    task()
    run = parse(["--hosts", kind, "-n", "9", str(elf)])
    split = partition.of(run)
    assert (run.options["processes"], split.here, split.hub, split.transport) == (3, range(1, 2), False, "tcp")
    run = parse(["--hosts", kind, "--processes", "8", "-n", "9", str(elf)])
    assert partition.of(run).here == range(2, 5)


@pytest.mark.parametrize("words, said", [
    (["-n", "2"], "has started 3 tasks, and the machine has 2 nodes"), (["--processes", "2"], "3 tasks, but --processes is 2"),
    (["--secret-file", "x"], "--secret-file is not needed with --hosts"), (["--process", "1"], "--process is for --join"),
    (["--transport", "shm"], "--transport shm contradicts"), (["--save", "a@1"], "--save is for a machine in one process")])
def test_refused_options(task, kind, elf, words, said):
    task()
    with pytest.raises(UsageError, match=said):
        parse(["--hosts", kind, *words, str(elf)])


def test_too_many_tasks(task, kind, elf):
    task(**{"SLURM_STEP_NUM_TASKS": "65"} if kind == "slurm" else {"OMPI_COMM_WORLD_SIZE": "65"})
    with pytest.raises(UsageError, match="has started 65 tasks; there can be 64 processes"):
        parse(["--hosts", kind, "-n", "100", str(elf)])


@pytest.mark.parametrize("words", [["--hosts", "a,b"], ["--join", "a:1", "--process", "1"], []])
def test_meet_is_for_tasks(words, elf, secret):
    with pytest.raises(UsageError, match="--meet is for "):
        parse([*words, "--processes", "2", "--meet", "x", *(["--secret-file", str(secret)] if words else []), str(elf)])


def test_dry_run_of_a_task(launcher, elf, kind):
    number = "SLURM_PROCID" if kind == "slurm" else "OMPI_COMM_WORLD_RANK"
    for task in ("0", "2"):
        done = launcher("--dry-run", "--hosts", kind, "--processes", "6", "--listen", "10.0.0.1:77", elf,
                        **ALL[kind] | {number: task})
        lines = [shlex.split(line)[2] for line in done.stdout.splitlines()]
        assert [f"process={int(task) * 2 + k}," in line for k, line in enumerate(lines)] == [True, True], done.stderr
        assert "link=10.0.0.1:77" in lines[0] if task == "0" else "link=HUB" in lines[0]


def test_reserved_port_that_is_taken(monkeypatch, elf):
    """The hub listens at the first of Slurm's reserved ports that is free."""
    from contextlib import ExitStack

    from fugu.run import peers

    with ExitStack() as held:
        taken, free = peers._bound_to("127.0.0.1", 0, held), peers._bound_to("127.0.0.1", 0, held)
        taken.listen()
        ports = [taken.getsockname()[1], free.getsockname()[1]]
        free.close()
        monkeypatch.setattr(partition, "listen_addresses", lambda run: [("127.0.0.1", port) for port in ports])
        assert peers._bound(parse([str(elf)]), held).getsockname()[1] == ports[1]


# ---- tickets -------------------------------------------------------------------------

@pytest.fixture
def folder(tmp_path):
    return tmp_path / "meet" / "slurm-1"


def test_each_task_takes_its_ticket(folder):
    meeting.call(folder, range(1, 4), TICKET)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {(file.name, file.stat().st_mode & 0o777) for file in folder.iterdir()} == {(str(k), 0o600) for k in (1, 2, 3)}
    assert [meeting.find(folder, task, 1, "build") for task in (2, 1, 3)] == [TICKET] * 3
    assert not folder.exists()


def test_quick_task_does_not_remove_the_others_tickets(folder, monkeypatch):
    """It takes its ticket as soon as that is there, and the folder stays until all have taken theirs."""
    replace = meeting.Path.replace

    def replace_and_find(part, target):
        replace(part, target)
        found.append(meeting.find(folder, int(target.name), 1, "build"))
    found = []
    monkeypatch.setattr(meeting.Path, "replace", replace_and_find)
    meeting.call(folder, range(1, 4), TICKET)
    assert found == [TICKET] * 3 and not folder.exists()


def test_task_waits_for_its_ticket(folder):
    later = threading.Timer(0.3, meeting.call, (folder, range(1, 2), TICKET))
    later.start()
    assert meeting.find(folder, 1, 20, "build") == TICKET
    later.join()


def test_ticket_that_does_not_come(folder):
    begin = time.monotonic()
    with pytest.raises(Apart, match=f"task 1 waited 0.2 s for task 0, which has left no {folder}/1.\nDid task 0 start"):
        meeting.find(folder, 1, 0.2, "build")
    assert Apart.status == 120 and time.monotonic() - begin < 5


def test_ticket_of_another_build(folder):
    meeting.call(folder, range(1, 2), TICKET)
    with pytest.raises(Apart, match="task 1 has another QEMU than task 0: mine, and not build"):
        meeting.find(folder, 1, 1, "mine")


def test_tickets_of_an_earlier_start_are_removed(folder):
    for name in ("slurm-1", "mpi-7", "slurm-9"):
        (folder.parent / name).mkdir(parents=True)
        (folder.parent / name / "1").write_text("old")
    (folder.parent / "notes").mkdir()
    for name in ("mpi-7", "notes"):
        os.utime(folder.parent / name, (1, 1))
    meeting.call(folder, range(1, 2), TICKET)
    assert meeting.find(folder, 1, 1, "build") == TICKET
    assert sorted(path.name for path in folder.parent.iterdir()) == ["notes", "slurm-9"]


def test_ticket_that_others_could_write(folder):
    meeting.call(folder, range(1, 2), TICKET)
    (folder / "1").chmod(0o644)
    with pytest.raises(Apart, match="is not the ticket of this run: another user has written it, or could have"):
        meeting.find(folder, 1, 1, "build")


@pytest.mark.parametrize("text", ["", "{", "[]", '{"address": "a"}', '{"other": 1}'])
def test_damaged_ticket(folder, text):
    meeting.call(folder, range(1, 2), TICKET)
    (folder / "1").write_text(text)
    with pytest.raises(Apart, match="1 cannot be read"):
        meeting.find(folder, 1, 1, "build")


def test_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match=f"--meet {tmp_path}/file: the tasks cannot meet there: "):
        meeting.call(tmp_path / "file" / "slurm-1", range(1, 2), TICKET)
