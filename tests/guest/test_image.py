"""Boot images as a kernel finds them: the program imagedump takes the kernel's place and prints them."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from fugu.abi import FRAMES, GLAZE
from fugu.image import store
from fugu.paths import ROOT

PAGE = GLAZE["PAGE"]

SOURCE = """\
int counter = 5;
int zeros[2000];

static int __attribute__((noinline)) twice(int x)
{
    return x + x;
}

int start(int x)
{
    counter = twice(x) + zeros[x];
    return counter;
}
"""

LAYOUT = """\
ENTRY(start)
PHDRS { text PT_LOAD FLAGS(5); data PT_LOAD FLAGS(6); }
SECTIONS {
    . = 0x10000000;
    .text : { *(.text .text.*) } :text
    . = ALIGN(0x1000);
    .data : { *(.data) } :data
    .bss : { *(.bss COMMON) }
}
"""


def checksum(data):
    """The check sum that sum() of imagedump.c computes."""
    value = 0
    for byte in data:
        value = (value * 31 + byte) % (1 << 32)
    return value


@pytest.fixture(scope="module")
def app(cross, tmp_path_factory):
    """A program with code, data and bss, built by the toolchain."""
    folder = tmp_path_factory.mktemp("app")
    (folder / "app.c").write_text(SOURCE)
    (folder / "app.ld").write_text(LAYOUT)
    subprocess.run([cross("gcc"), "-mcpu=v7", "-ffreestanding", "-O1", "-g", "-nostdlib", "-T", "app.ld", "-o", "app",
                    "app.c"], cwd=folder, check=True)
    return folder / "app"


@pytest.fixture(scope="module")
def boot(app, cross, guest_dir, tmp_path_factory):
    """(image, files): an image of imagedump, two copies of the program, and two files."""
    folder = tmp_path_factory.mktemp("images")
    files = {"page.bin": bytes(range(256)) * 16, "dir/short.txt": b"short"}
    for name, data in files.items():
        (folder / Path(name).name).write_bytes(data)
    made = store.make(guest_dir / "imagedump.elf", [("first", app), ("second", app)],
                       [(name, folder / Path(name).name) for name in files], cross("objdump"), folder)
    return made, files


def symbols(cross, app):
    """{name: (address, size)} of a program, read by nm."""
    text = subprocess.run([cross("nm"), "-S", app], capture_output=True, text=True, check=True).stdout
    return {name: (int(address, 16), int(size, 16)) for address, size, _, name in
            re.findall(r"^(\w+) (\w+) (\w) (\w+)$", text, re.M)}


def place(cross, app, address):
    """FUNCTION+OFFSET, FILE:LINE of an address, found by addr2line."""
    text = subprocess.run([cross("addr2line"), "-f", "-e", app, hex(address)], capture_output=True, text=True,
                          check=True).stdout
    function, line = text.splitlines()
    return f"{function}+{address - symbols(cross, app)[function][0]}, {Path(line).name.partition(' ')[0]}"


def contents(cross, app, section):
    """The bytes of a section, extracted by objcopy."""
    made = app.with_suffix(section)
    subprocess.run([cross("objcopy"), "-O", "binary", "-j", section, app, made], check=True)
    return made.read_bytes()


def test_image_holds_programs_symbols_and_files(machine, boot, app, cross):
    """Programs, segments, functions, lines and files are those that nm, addr2line and objcopy find."""
    image, files = boot
    lines = machine(image, nodes=1).check(0).stdout.splitlines()
    assert lines[-2:] == ["ok image", "1 check, 0 failed"]

    text, data, known = contents(cross, app, ".text"), contents(cross, app, ".data"), symbols(cross, app)
    start, twice = known["start"], known["twice"]
    assert start[0] >= 0x10000000 and twice[1] > 0 and known["counter"][0] == 0x10001000
    directory = int(re.fullmatch(r"directory at 0x(\w+000)", lines[0])[1], 16)
    begin = directory + PAGE
    for number, name in enumerate(("first", "second")):
        own = lines[1 + 7 * number:8 + 7 * number]
        found = re.fullmatch(rf"program {name}: entry 0x{start[0]:x}, 2 segments, 2 functions, (\d+) lines", own[0])
        assert found and int(found[1]) >= 5
        begin += (FRAMES["FRAME_COLOUR_PROGRAM"] - begin // PAGE) % FRAMES["FRAME_COLOURS"] * PAGE
        assert own[1] == (f"  segment 0x10000000: 0x{len(text):x} bytes at 0x{begin:x}, 0x{len(text):x} in memory, "
                          f"code, sum {checksum(text):x}")
        assert own[2] == (f"  segment 0x10001000: 0x{len(data):x} bytes at 0x{begin + 0x1000:x}, "
                          f"0x{len(data) + 8000:x} in memory, written, sum {checksum(data):x}")
        assert own[3:] == [f"  0x{address:x} is {place(cross, app, address)}" for address in
                           (twice[0], sum(twice) - 4, start[0], sum(start) - 4)]
        begin += 2 * PAGE
    for (name, data), line in zip(files.items(), lines[15:17], strict=True):
        assert re.fullmatch(rf"file {name}: {len(data)} bytes at 0x\w+000, sum {checksum(data):x}", line), line


@pytest.mark.parametrize("address", [0x0FFFFFFC, 0x10000F00])
def test_address_of_no_function(machine, boot, address):
    said = machine(boot[0], f"address=0x{address:x}", nodes=1).check(0).stdout
    assert f"\n  0x{address:x} is in no function\n" in said


def test_every_instruction_has_its_line(machine, boot, app, cross):
    for address, size in (symbols(cross, app)[name] for name in ("twice", "start")):
        for one in range(address, address + size, 4):
            said = machine(boot[0], f"address=0x{one:x}", nodes=1).check(0).stdout
            assert f"\n  0x{one:x} is {place(cross, app, one)}\n" in said


def test_image_in_several_processes(machine, boot):
    """Each process loads the image; the split run has the digest of the run in one process."""
    one = machine(boot[0], nodes=2, digest=True).check(0)
    assert machine(boot[0], nodes=2, digest=True, processes=2).check(0).digest == one.digest


# ---- runs from the command line, with imagedump as the kernel -------------------

@pytest.fixture
def build(guest_dir, app, tmp_path, monkeypatch):
    """A build directory whose kernel is imagedump, and whose scheduler's server is any program."""
    for folder, program in (("kernel", guest_dir / "imagedump.elf"), ("sched", app)):
        (tmp_path / "build" / "guest-os" / folder).mkdir(parents=True)
        shutil.copy(program, tmp_path / "build" / "guest-os" / folder / f"{folder}.elf")
    monkeypatch.setenv("FUGU_BUILD", str(tmp_path / "build"))
    return tmp_path / "build"


@pytest.fixture
def elf(app, tmp_path):
    """The program, as a file of the user's."""
    shutil.copy(app, tmp_path / "my.elf")
    return tmp_path / "my.elf"


def test_run_puts_each_program_into_the_image_once(machine, build, elf, tmp_path):
    """The image holds each program once, in order, and the files; the kernel gets all words."""
    shutil.copy(elf, tmp_path / "other.elf")
    (tmp_path / "board.txt").write_text("board")
    said = machine(elf, "address=0x10000000", "+", tmp_path / "other.elf", 5, "+", elf, nodes=1,
                   input=[f"{tmp_path}/board.txt", f"b={tmp_path}/board.txt"]).check(0).stdout
    assert re.findall(r"^(?:program|file) (\S+): ", said, re.M) == ["my", "other", "board.txt", "b"]
    assert "\n  0x10000000 is twice+0, app.c:" in said


def test_image_survives_split_save_and_load(machine, build, elf, tmp_path):
    saved = f"{tmp_path}/my.snap"
    usual = machine(elf, nodes=2, digest=True).check(0)
    assert machine(elf, nodes=2, digest=True, processes=2, transport="tcp").check(0).digest == usual.digest
    assert machine(elf, nodes=2, digest=True, save=f"{saved}@20K").check(0).digest == usual.digest
    shutil.rmtree(build)
    assert machine(None, load=saved, digest=True).check(0).digest == usual.digest


def test_symbols_for_gdb(machine, build, elf, guest_dir, tmp_path):
    """GDB knows the kernel's and the program's symbols on every node of a loaded snapshot, which names the image."""
    saved = tmp_path / "my.snap"
    machine(elf, nodes=2, save=f"{saved}@20K").check(0)
    asks = ["info symbol 0x10000000", "info address look_up", "info line *0x10000000", "inferior 2",
            "info symbol 0x10000000", "info address look_up"]
    words = ["-batch", *(word for ask in asks for word in ("-ex", ask))]
    environment = os.environ | {"HOME": str(tmp_path), "FUGU_BUILD": str(guest_dir.parents[1]), "FUGU_CACHE":
                                os.environ.get("FUGU_CACHE") or os.path.expanduser("~/.cache/fugu")}
    done = subprocess.run([ROOT / "run.sh", "debug", *(f"--gdb-arg={word}" for word in words), "--load", saved],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
                          env=environment)
    assert done.returncode == 0, done.stderr
    assert "my on 2 nodes, all attached, stopped at cycle 20" in done.stdout
    assert done.stdout.count("\ntwice in section .text") == 2
    assert done.stdout.count('\nSymbol "look_up" is a function at address') == 2
    assert re.search(r'^Line \d of ".*app.c" starts at address 0x10000000 <twice> ', done.stdout, re.M)


def test_bare_program_has_no_directory(machine):
    """A program for the bare machine is booted as it is, and imagedump reports that there is no image."""
    assert "this is no boot image with apps" in machine("imagedump", nodes=1).check(119).stdout
