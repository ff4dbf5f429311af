"""Apps on the command line: the jobs of a run, its boot image, and `./run.sh apps`."""

from __future__ import annotations

import json
import os
import shlex

import pytest
from elf_maker import app, kernel, note, noted

from fugu.abi import GLAZE, PROCESS
from fugu.build import fingerprint, settings
from fugu.cli import main as cli
from fugu.cli.command_table import COMMANDS, RESERVED
from fugu.commands import apps
from fugu.errors import SetupError, UsageError
from fugu.image import store
from fugu.run import jobs, partition, programs, qemu_command, snapshot
from fugu.run.parse import parse
from fugu.run.ready import boot_file, ready


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with two apps, their build directory, and files to name on the command line."""
    for name in ("ping", "null"):
        (tmp_path / "apps" / name).mkdir(parents=True)
        (tmp_path / "apps" / name / f"{name}.c").touch()
        built = tmp_path / "build" / "apps" / f"{name}.elf"
        built.parent.mkdir(parents=True, exist_ok=True)
        built.write_bytes(app(name.encode()))
    (tmp_path / "apps" / "ping" / "README.md").write_text(
        "# ping: what a message costs\n\n    ./run.sh ping [ROUNDS]\n    ./run.sh -n 64 ping 5   # more\n")
    (tmp_path / "apps" / "notes").mkdir()
    (tmp_path / "build" / "guest-os" / "kernel").mkdir(parents=True)
    (tmp_path / "build" / "guest-os" / "kernel" / "kernel.elf").write_bytes(kernel())
    (tmp_path / "build" / "guest-os" / "sched").mkdir()
    (tmp_path / "build" / "guest-os" / "sched" / "sched.elf").write_bytes(app(b"server"))
    (tmp_path / "my.elf").write_bytes(app(b"mine"))
    (tmp_path / "a@7.elf").write_bytes(app(b"at"))
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "sparc-elf-objdump").write_text("#!/bin/sh\n")
    (tmp_path / "bin" / "sparc-elf-objdump").chmod(0o755)
    monkeypatch.setattr(programs, "APPS", tmp_path / "apps")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def command_line(*words):
    line = qemu_command.command("qemu", "image.elf", parse([str(word) for word in words]))
    return line[line.index("-append") + 1]


# ---- the kernel's command line -----------------------------------------------------

@pytest.mark.parametrize("words, line", [
    ("ping", "ping"), ("ping 10", "ping 10"), ("ping 10 + null", "ping 10 + null"), ("null + null", "null + null"),
    ("ping@5M 10 + null@7 1", "ping@5000000 10 + null@7 1"), ("ping a@5 + null", "ping a@5 + null"),
    ("./a@7.elf x", "a@7@0 x"), ("./a@7.elf@9", "a@7@9"),
    ("./my.elf -n 5 + ping a=b", "my -n 5 + ping a=b"), ("my.elf", "my"), ("-n 4 -- ping +x", "ping +x"),
])
def test_jobs_become_the_kernels_command_line(folder, words, line):
    assert command_line(*words.split()) == line


def test_file_is_an_app_by_its_address(folder):
    """A file that is linked at the apps' addresses is an app; any other file is for the bare machine."""
    assert [job.name for job in parse(["./my.elf"]).jobs] == ["my"]
    (folder / "my.elf").write_bytes(kernel())
    assert parse(["./my.elf", "1", "2"]).jobs == []
    for head in (b"", kernel()[:27], b"#!/bin/sh" * 10):
        (folder / "my.elf").write_bytes(head)
        assert parse(["./my.elf"]).jobs == []
    assert parse(["./none.elf"]).jobs == []


def test_directory_without_sources_is_no_app(folder):
    assert programs.apps() == ["null", "ping"]
    assert not any(map(programs.is_app, ["notes", "", ".", "..", "ping/ping", "nonesuch"]))
    (folder / "apps" / "notes" / "meson.build").touch()
    assert programs.is_app("notes")


BAD = {
    "bare": ("ping + whoami", "whoami runs on the bare machine"),
    "a bare file": ("ping + bare.elf", "bare.elf runs on the bare machine"),
    "unknown": ("ping + nul", "no app, no guest program and no command 'nul'.\nThere are, nearest first: null, ping."),
    "too many": ("ping" + 255 * " + null", "256 jobs are joined by +; a machine can run 255."),
    "too many without a scheduler": ("--scheduler none ping" + 62 * " + null",
                                     "--scheduler none: 63 jobs are joined by +. 62 can exist at one time"),
    "time: none": ("ping@0 + null", "ping@0: the time at which ping starts must be a number of cycles such as 500000"),
    "time: no number": ("ping + null@5X", "null@5X: the time at which null starts must be a number of cycles"),
    "time: bare": ("ring@5M", "ring@5M: only apps can start later, and ring runs on the bare machine"),
    "time: bare, of two": ("ping + ring@5M", "ring runs on the bare machine"),
    "time: unknown": ("nul@5M", "no app, no guest program and no command 'nul'"),
    "time: no scheduler": ("--scheduler none ping@5M", "--scheduler none: the scheduler's server starts the jobs"),
    "scheduler: bare": ("--scheduler bare.elf ping + null", "--scheduler bare.elf: the scheduler's server is an app"),
    "scheduler: no such file": ("--scheduler s.elf ping + null", "there is no file s.elf"),
    "scheduler: for the bare machine": ("--scheduler none ring", "--scheduler is for apps, and ring runs on the bare"),
    "two of one name": ("./my.elf + other/my.elf", "two programs have the name my: ./my.elf and other/my.elf"),
    "a byte for a blank": ("ping 'a\x1f'", r"ping: 'a\x1f' has a byte that stands for a blank"),
    "a byte for nothing": ("ping '\x1e'", r"ping: '\x1e' has a byte that stands for a blank or for no bytes"),
    "blank in a name": ("'./my own.elf'", "cannot have a blank"),
    "long name": (f"./{'x' * 64}.elf", "is 64 bytes long; at most 63 are possible"),
    "long job": (f"ping {'x' * 3835}", "ping: its name and arguments are 3840 bytes long; a job has room for 3839"),
    "long line": (f"ping {'x' * 3000} + null {'x' * 2000}",
                  "the jobs' names and arguments are 5013 bytes long; a node has room for 4079"),
    "timeslice: bare": ("--timeslice 5000 ring", "--timeslice is for apps, and ring runs on the bare machine"),
    "timeslice: too short": ("--timeslice 999 ping", "--timeslice 999: must be a whole number of cycles from 1000"),
    "timeslice: too long": ("--timeslice 5G ping", "--timeslice 5G: must be a whole number of cycles from 1000"),
    "timeout: none": ("--atomicity-timeout 0 ping", "--atomicity-timeout 0: must be a whole number of cycles from 1"),
    "input: none": ("--input none.txt ping", "--input none.txt=none.txt: there is no such file"),
    "input: directory": ("--input d=apps ping", "--input d=apps: there is no such file"),
    "input: twice": ("--input my.elf --input my.elf=bare.elf ping", "my.elf has that name already"),
    "input: long name": (f"--input {'x' * 64}=my.elf ping", "the name is 64 bytes long; at most 63 are possible"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_jobs_are_refused(folder, case):
    words, says = BAD[case]
    (folder / "other").mkdir()
    for name in ("other/my.elf", "my own.elf", f"{'x' * 64}.elf"):
        (folder / name).write_bytes(app())
    (folder / "bare.elf").write_bytes(kernel())
    with pytest.raises(UsageError) as error:
        parse(shlex.split(words))
    assert says in str(error.value)


def test_words_keep_their_blanks(folder):
    assert command_line("ping", "a b", "", "c\n", "+", "null") == "ping a\x1fb \x1e c\n + null"


def test_longest_names_and_arguments_are_accepted(folder):
    assert len(command_line("ping", "x" * 3834)) == GLAZE["I_ARGS_MAX"]
    most = GLAZE["JOBS_LISTED"]
    assert len(parse(("ping" + (most - 1) * " + null").split()).jobs) == most
    fewer = ["--scheduler", "none", *("ping" + (PROCESS["JOBS_MAX"] - 1) * " + null").split()]
    assert len(parse(fewer).jobs) == PROCESS["JOBS_MAX"]
    (folder / f"{'x' * 63}.elf").write_bytes(app())
    parse([f"./{'x' * 63}.elf"])


# ---- the boot image ----------------------------------------------------------------

def boot(folder, words):
    return boot_file(parse(words.split()), folder / "build", str(folder))


def test_image_has_kernel_programs_and_files(folder):
    """The image has the kernel, then each program once, in the order of the command line, then the files."""
    (folder / "board.txt").write_text("board")
    made = boot(folder, "--input a=board.txt --input board.txt null + ./my.elf 5 + null 7")
    assert made.parent == folder / "build" / "images"
    assert store.sources(str(made)) == [str(folder / name) for name in
                                         ("build/guest-os/kernel/kernel.elf", "build/apps/null.elf", "my.elf",
                                          "build/guest-os/sched/sched.elf")]
    content = made.read_bytes()
    found = [content.index(part) for part in (b"kernel", b"GLAZ", b"null\0", b"my\0", b"a\0", b"board.txt\0")]
    assert found == sorted(found)
    assert content.count(b"board", content.index(b"board.txt\0") + 72) == 2


def test_image_does_not_depend_on_arguments(folder):
    assert boot(folder, "ping 10 + null") == boot(folder, "-n 4 ping 7 + null + ping")
    assert boot(folder, "ping + null") != boot(folder, "null + ping")
    assert boot(folder, "ping") != boot(folder, "ping + null")


def test_server_is_in_the_image_if_there_is_something_to_decide(folder):
    """With one job that starts at once there is not. The server comes last and moves nothing."""
    (folder / "other.elf").write_bytes(app(b"another server"))
    alone, later, several = (boot(folder, words).read_bytes() for words in ("ping", "ping@5", "ping + ping"))
    own = boot(folder, "--scheduler other.elf ping + ping").read_bytes()
    none = boot(folder, "--scheduler none ping + ping").read_bytes()
    assert none == alone and b"server" not in alone
    assert later == several and b"server" in several and b"another server" in own
    assert b"sched\0" in several and b"other\0" in own
    assert several.index(b"ping\0") == alone.index(b"ping\0") and several.index(b"server") > several.index(b"ping\0")


def test_missing_programs_are_reported(folder):
    (folder / "build" / "apps" / "null.elf").unlink()
    with pytest.raises(SetupError, match=r"(?s)the app null was not built.*needs a line in apps/meson.build"):
        boot(folder, "ping + null")
    (folder / "build" / "guest-os" / "kernel" / "kernel.elf").unlink()
    with pytest.raises(SetupError, match="apps run on the operating system, and it was not built"):
        boot(folder, "ping")


@pytest.mark.parametrize("words, tests", [
    ("ping + null", False), ("./my.elf + ping", False), ("ring", True), ("build/tests/libos/ping.elf", True)])
def test_only_runs_of_the_tests_programs_build_them(folder, words, tests):
    asked = []

    def up_to_date(parts):
        asked.append(parts)
        raise SetupError("stop")
    (folder / "build" / "tests" / "libos").mkdir(parents=True)
    (folder / "build" / "tests" / "libos" / "ping.elf").write_bytes(app(b"of the tests"))
    with pytest.raises(SetupError, match="stop"):
        ready(parse(words.split()), up_to_date)
    assert asked == [("qemu", "guest", *["tests"] * tests)]


def test_dry_run_builds_nothing(folder, capsys):
    """--dry-run builds nothing, but makes the image if all its parts are built, so that the printed line works."""
    assert cli.main(["--dry-run", "ping", "5", "+", "null"]) == 0
    words = shlex.split(capsys.readouterr().out)
    assert words[-2:] == ["-append", "ping 5 + null"]
    assert words[words.index("-kernel") + 1] == str(folder / "build" / "images" / "not-built.elf")
    assert not (folder / "build" / "images").exists()
    fingerprint.save(folder / "build", "guest", settings.current().context(), fingerprint.inputs("guest"),
                     {"build": str(folder / "build"), "toolchain": str(folder)})
    assert cli.main(["--dry-run", "--processes", "2", "ping", "5", "+", "null"]) == 0
    lines = [shlex.split(line) for line in capsys.readouterr().out.splitlines()]
    made = str(boot(folder, "ping + null"))
    assert [line[line.index("-kernel") + 1] for line in lines] == [made, made]
    assert [line[line.index("-append") + 1] for line in lines] == ["ping 5 + null"] * 2


def test_command_for_other_hosts_has_the_same_jobs(folder):
    """The command that is printed for other hosts has the same jobs and files."""
    (folder / "s").write_text("0123456789abcdef")
    (folder / "s").chmod(0o600)
    words = "--hosts a,b --secret-file s --input f=my.elf --input s --timeslice 5000 ping 5 + null".split()
    printed = partition.join_command(parse(words), range(1, 2), "a:1")
    assert printed[-10:] == ["--input", "f=my.elf", "--input", "s=s", "--timeslice", "5000", "ping", "5", "+", "null"]
    there = parse(printed[1:])
    assert there.options["input"] == [("f", "my.elf"), ("s", "s")]
    assert jobs.command_line(there) == "glaze.timeslice=5000 ping 5 + null"


def test_load_refuses_inputs(folder):
    with pytest.raises(UsageError, match="Leave out: --input ping"):
        parse(["--load", "my.snap", "--input", "my.elf", "ping"])


def test_snapshot_leads_to_its_programs(folder):
    """A snapshot names the image, and the image its kernel and programs, for GDB."""
    made = boot(folder, "ping + null")
    head = {"cycle": 5, "disks": {}, "parameters": {}, "program": {"file": str(made), "args": "ping 5 + null"}}
    (folder / "my.snap").write_text(f"fugu snapshot {snapshot.VERSION}\n{json.dumps(head)}\n")
    run = parse(["--load", "my.snap"])
    assert run.jobs == [] and [os.path.basename(file) for file in store.sources(run.program)] == [
        "kernel.elf", "ping.elf", "null.elf", "sched.elf"]
    assert "-append" not in qemu_command.command("qemu", "", run)


# ---- ./run.sh apps -----------------------------------------------------------------

def test_apps_lists_titles_kinds_and_usage(folder, monkeypatch, capsys):
    """The kinds of network interface come from an app's file, so they are not known before the build."""
    monkeypatch.setenv("FUGU_BUILD", str(folder / "build"))
    (folder / "apps" / "later").mkdir()
    (folder / "apps" / "later" / "later.c").touch()
    (folder / "build" / "apps" / "ping.elf").write_bytes(noted(note(), note(library="CRL")))
    assert apps.main([]) == 0
    said = capsys.readouterr().out
    assert said.startswith("""\
Apps, on the operating system; + runs several at once. --ni says with which
kinds of network interface each runs:
  later
         --ni: not known before ./run.sh setup has built it
         ./run.sh later
  null
         --ni fugu|m-machine|none|shrimp
         ./run.sh null
  ping   what a message costs
         --ni fugu, as it uses CRL and UDM
         ./run.sh ping [ROUNDS]
         ./run.sh -n 64 ping 5   # more

Programs for the bare machine""")
    for name in ("ring", "whoami", "int", "imagedump"):
        assert name in said
    assert max(map(len, said.splitlines())) <= 80 + len(" (tests/guest/README.md):")
    assert apps.main(["ping"]) == 0
    assert capsys.readouterr().out.splitlines()[2:] == [
        "  ping  what a message costs", "        --ni fugu, as it uses CRL and UDM", "        ./run.sh ping [ROUNDS]",
        "        ./run.sh -n 64 ping 5   # more"]


@pytest.mark.parametrize("text, title", [
    ("# ping: a title\n", "a title"), ("# ping\n\nWhat it is.\nMore.\n", "What it is."),
    ("ping - a title\n", "a title"),
    ("# pingpong is more\n", "pingpong is more"), ("", ""), ("# ping\n", "")])
def test_title_comes_from_the_readme(tmp_path, text, title):
    (tmp_path / "README.md").write_text(text)
    assert apps.describe("ping", tmp_path / "README.md") == (title, ["./run.sh ping"])


X86 = b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x02\0\x3e\0" + bytes(200)       # 64 bit, little-endian

NO_PROGRAMS = {
    "x86": (X86, "{} is not an ELF file for 32-bit SPARC"),
    "x86, 32 bit": (b"\x7fELF\x01\x01" + X86[6:], "{} is not an ELF file for 32-bit SPARC"),
    "text": (b"#!/bin/sh\n", "{} is not an ELF file for 32-bit SPARC"),
    "nothing": (b"", "{} is not an ELF file for 32-bit SPARC"),
    "truncated": (noted(note())[:-4], "{} is a damaged or truncated ELF file: section header 3 would be 40 bytes at "),
}


@pytest.mark.parametrize("case", NO_PROGRAMS)
def test_apps_lists_the_others_beside_a_file_that_is_no_program(folder, monkeypatch, capsys, case):
    """Its own entry has a line that says what is wrong, and what to do."""
    monkeypatch.setenv("FUGU_BUILD", str(folder / "build"))
    file = folder / "build" / "apps" / "null.elf"
    data, wrong = NO_PROGRAMS[case]
    file.write_bytes(data)
    assert apps.main([]) == 0
    said = capsys.readouterr().out.splitlines()
    [line] = [line.strip() for line in said if "not known" in line]
    assert line.startswith(f"--ni: not known: {wrong.format(file)}")
    assert line.endswith("; ./run.sh clean removes it, and setup builds it again")
    assert [text.strip() for text in said[said.index(" " * 8 + line) + 1:][:4]] == [
        "./run.sh null", "ping  what a message costs", "--ni fugu|m-machine|none|shrimp", "./run.sh ping [ROUNDS]"]
    with pytest.raises(UsageError, match="not an ELF file for 32-bit SPARC|damaged or truncated"):
        boot_file(parse(["--ni", "none", "null"]), folder / "build", str(folder))


def test_apps_names_an_unknown_kind_by_its_number(folder, monkeypatch, capsys):
    """As of a program from a later version."""
    monkeypatch.setenv("FUGU_BUILD", str(folder / "build"))
    (folder / "build" / "apps" / "null.elf").write_bytes(noted(note(77, "tomorrow"), note()))
    assert apps.main(["null"]) == 0
    assert "--ni fugu and 77, as it uses UDM and tomorrow" in capsys.readouterr().out


def test_apps_without_any(folder, monkeypatch, capsys):
    monkeypatch.setattr(programs, "APPS", folder / "none")
    assert apps.main([]) == 0
    assert capsys.readouterr().out.startswith("There are no apps yet.\n")


def test_no_name_is_used_twice():
    """No app has the name of a program for the bare machine or of a command, as names alone tell them apart."""
    names = programs.apps()
    bare = {path.stem for path in programs.BARE.glob("*.c")}
    assert not {*names} & {*bare, *COMMANDS, *RESERVED}


def test_cycles_of_the_kernel_have_suffixes(folder):
    there = parse("--timeslice 20K --buffer-latency 1K --atomicity-timeout 2_000 ping".split())
    assert jobs.command_line(there) == "glaze.timeslice=20000 glaze.buffer-latency=1000 glaze.timeout=2000 ping"
