"""Files of the user's own: blanks in their paths, and more data than a node has memory."""

from __future__ import annotations

import os
import subprocess

import elf_maker
import pytest
from run_sh import COMMAND

from fugu.abi import GLAZE, REGS
from fugu.errors import UsageError
from fugu.image import boot_image, elf
from fugu.image.elf import Elf, Segment
from fugu.run import programs, ready
from fugu.run.parse import Run, parse

RAM, MIB = REGS["RAM_BASE"], 1 << 20
RX, RW = elf_maker.READ | elf_maker.EXECUTE, elf_maker.READ | elf_maker.WRITE


@pytest.fixture
def here(tmp_path):
    """here(*words) -> ./run.sh in the test's folder."""
    def run(*words):
        return subprocess.run([COMMAND, *words], cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=60, env=os.environ)
    return run


def app(path, data=0):
    """A file that is linked as apps are, with so many bytes of data."""
    first = GLAZE["PROGRAM"]
    path.write_bytes(elf_maker.make([(first, b"code", RX), (first + GLAZE["PAGE"], b"data", RW, data or 4)]))
    return path


# ---- blanks ------------------------------------------------------------------

@pytest.mark.parametrize("name, words", [("my prog.elf", ["my", "prog.elf"]), ("a b/c d.elf", ["a", "b/c", "d.elf", "3"]),
                                         ("x y", ["./x", "y"])], ids=["a name", "a path", "no suffix"])
def test_path_without_its_quotes(name, words, here, tmp_path):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    app(tmp_path / name)
    done = here(*words)
    assert done.returncode == 2
    assert "Put the path in quotes: ./run.sh '" in done.stderr and name in done.stderr


def test_arguments_with_files_are_no_path(here, tmp_path):
    """The first word is a program, though a file has the name of all words."""
    app(tmp_path / "one.elf")
    app(tmp_path / "one.elf two.elf")
    done = here("--dry-run", "one.elf", "two.elf")
    assert done.returncode == 0 and "'one two.elf'" in done.stdout


def test_app_with_a_blank_in_its_name(here, tmp_path):
    app(tmp_path / "my prog.elf")
    done = here("my prog.elf")
    assert done.returncode == 2
    assert "cannot have a blank" in done.stderr and "cp 'my prog.elf' my-prog.elf" in done.stderr


def test_folder_with_a_blank(here, tmp_path):
    """Only the file's name is a word of the jobs."""
    (tmp_path / "my folder").mkdir()
    app(tmp_path / "my folder" / "prog.elf")
    assert here("--dry-run", "my folder/prog.elf").returncode == 0


# ---- memory --------------------------------------------------------------------

def test_bare_program_with_more_data_than_memory(launcher, tmp_path):
    """The message names the memory that the program needs."""
    path = tmp_path / "big.elf"
    path.write_bytes(elf_maker.make([(0, b"code", RX), (RAM, b"data", RW, 10 * MIB + 5, 0x1000)]))
    done = launcher(path)
    assert done.returncode == 2
    assert "10485765 bytes" in done.stderr and "8M of memory" in done.stderr and "--ram 11M" in done.stderr
    assert programs.check_file(str(path), 11 * MIB) == path


def test_app_with_more_data_than_memory_has_a_note(tmp_path, capsys):
    """The app may not use all of its data, so it runs."""
    path = app(tmp_path / "big.elf", 20 * MIB)
    ready._note_memory(parse([str(path)]))
    assert "20971520 bytes of data" in (said := capsys.readouterr().err) and "--ram 21M" in said
    for words in (["--ram", "21M", path], [app(tmp_path / "small.elf", 7 * MIB)], ["pingpong"]):
        ready._note_memory(parse([*map(str, words)]))
    ready._note_memory(Run({"disk": [(0, "d")]}, jobs=parse([str(path)]).jobs))
    assert capsys.readouterr().err == ""


def test_image_that_is_too_large_names_the_memory_for_it(tmp_path):
    """20 MB of data with initial values do not fit in the image, whatever memory the nodes have."""
    first = GLAZE["PROGRAM"]
    data = Segment(first + GLAZE["PAGE"], 0, bytes(20 * MIB), 20 * MIB, RW)
    code = Segment(first, 0, b"code", 4, RX)
    memory = boot_image._Memory(bytes(20 * MIB))
    with pytest.raises(UsageError, match="(?s)The largest part is big, 20971524 bytes.*--ram 21M"):
        boot_image._check_size(memory, [boot_image.Program("big", Elf(tmp_path, first, [code, data], []), [])], [])


# ---- limits ------------------------------------------------------------------

END = REGS["PARAM_BASE"]            # of the boot image


@pytest.mark.parametrize("segments, said", [
    ([(0, 4), (END - 4, 4)], ""), ([(0, 4), (END - 4, 5)], f"is loaded at 0x{END - 4:x} to 0x{END:x} is not in the boot image"),
    ([(0, END)], ""), ([(0, END + 1)], "is not in the boot image"),
    ([(0, 8), (8, 4)], ""), ([(0, 8), (7, 4)], "two of its segments are loaded at 0x7."), ([(8, 4), (0, 9)], "are loaded at 0x8."),
    ([(4, 4)], "there is nothing at address 0"), ([(1, 4), (0, 1)], "")])
def test_where_a_program_for_the_bare_machine_may_lie(segments, said, tmp_path):
    """Up to the last byte of the boot image, one segment right behind the other, and one at address 0."""
    (tmp_path / "x.elf").write_bytes(elf_maker.make([(at, b"x", RX, size) for at, size in segments], entry=0))
    loaded = elf.loaded(tmp_path / "x.elf", elf.contents(tmp_path / "x.elf"))
    if not said:
        return programs._check_bare(tmp_path / "x.elf", loaded)
    with pytest.raises(UsageError) as error:
        programs._check_bare(tmp_path / "x.elf", loaded)
    assert said in str(error.value)


@pytest.mark.parametrize("size, text", [(1, "1M"), (MIB, "1M"), (MIB + 1, "2M"), (2 * MIB - 1, "2M"), (2 * MIB, "2M")])
def test_sizes_are_rounded_up(size, text):
    assert programs.whole_mib(size) == text


@pytest.mark.parametrize("size, text", [(MIB, None), (MIB + 1, "2M"), (2 * MIB, "2M"), (2 * MIB + 1, "3M")])
def test_data_that_just_fit(size, text, tmp_path):
    """Segments below the memory do not count."""
    (tmp_path / "x.elf").write_bytes(elf_maker.make([(0, b"x", RX), (RAM + 16, b"x", RW, size - 16)], entry=0))
    loaded = elf.loaded(tmp_path / "x.elf", elf.contents(tmp_path / "x.elf"))
    if not text:
        return programs._check_ram(tmp_path / "x.elf", loaded, MIB)
    with pytest.raises(UsageError, match=f"are {size} bytes(.|\n)*: --ram {text}$"):
        programs._check_ram(tmp_path / "x.elf", loaded, MIB)
