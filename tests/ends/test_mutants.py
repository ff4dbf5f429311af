"""Damaged programs: the launcher says what is wrong with the file, or the machine runs it.

The mutants are copies of a program for Glaze and of one for the bare machine,
cut short or with some bytes changed in one area of the file. Each run of the
tests makes the same mutants.
"""

import os
import random
import re
from pathlib import Path

import pytest
from run_sh import run_sh

from fugu.errors import UsageError
from fugu.image import elf, store
from fugu.run import kinds
from fugu.run.parse import parse
from fugu.run.programs import find_kernel
from fugu.run.ready import boot_file

MUTANTS = 64                # for each area
RUNS = 12                   # accepted mutants that are run
PROGRAMS = {"glaze": "apps/hello.elf", "bare": "tests/guest/whoami.elf"}
AREAS = ("header", "program headers", "section headers", "truncated", ".symtab", ".strtab", ".debug_line",
         ".debug_line_str", ".debug_info", ".debug_abbrev")
# Areas in which the launcher must refuse some mutants. The launcher does not read the sections of a bare program.
FOUND = {("glaze", "header"), ("glaze", "program headers"), ("glaze", "section headers"), ("glaze", "truncated"),
         ("glaze", ".symtab"), ("bare", "header"), ("bare", "program headers"), ("bare", "truncated")}
STATUSES = {"glaze": {*range(120), 124, 125}, "bare": {*range(120), 124, 125, 126}}


def extents(data):
    """{area: (offset, size)} of a file."""
    fields = elf.HEADER.unpack_from(data)
    found = {"header": (0, elf.HEADER.size), "program headers": (fields[5], elf.PROGRAM_HEADER.size * fields[10]),
             "section headers": (fields[6], elf.SECTION_HEADER.size * fields[12])}
    sections = [elf.SECTION_HEADER.unpack_from(data, fields[6] + elf.SECTION_HEADER.size * k)
                for k in range(fields[12])]
    names = data[sections[fields[13]][4]:][:sections[fields[13]][5]]
    for one in sections:
        found[names[one[0]:names.index(b"\0", one[0])].decode()] = one[4:6]
    return found


def mutant(data, area, chosen):
    """The file with random damage in that area."""
    if area == "truncated":
        return data[:chosen.choice((chosen.randrange(len(data)), chosen.randrange(128)))]
    start, size = extents(data)[area]
    changed = bytearray(data)
    for _ in range(chosen.choice((1, 1, 2, 8))):
        at = start + chosen.randrange(size)
        changed[at] = chosen.choice((0, 0xFF, 0x80, chosen.randrange(256), changed[at] ^ 1 << chosen.randrange(8)))
    if chosen.random() < 0.25:              # a whole word, such as a size that overflows
        at = start + chosen.randrange(size // 4) * 4
        changed[at:at + 4] = chosen.choice((b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\x80\0\0\0", b"\0\0\0\0"))
    return bytes(changed)


@pytest.fixture
def refused(tmp_path, cross):
    """refused(file) -> the launcher's message, or None if it would start the machine."""
    build = Path(os.environ["FUGU_BUILD"])

    def why(file):
        try:
            run = parse(["--", str(file)])
            if run.jobs:
                kinds.check("fugu", [("mutant", file)])
                store.make(find_kernel(build), [("mutant", file)], [], Path(cross("objdump")), tmp_path / "images")
            else:
                boot_file(run, build, "")
        except UsageError as error:
            return str(error)
        return None
    return why


@pytest.mark.parametrize("area", AREAS)
@pytest.mark.parametrize("kind", PROGRAMS)
def test_mutants_are_refused_or_run(kind, area, refused, machine, tmp_path):
    data = Path(os.environ["FUGU_BUILD"], PROGRAMS[kind]).read_bytes()
    file = tmp_path / "mutant.elf"
    said, ran = [], 0
    for number in range(MUTANTS):
        file.write_bytes(mutant(data, area, random.Random(f"{kind} {area} {number}")))
        text = refused(file)
        if text is None:
            if ran < RUNS:
                ran += 1
                result = machine(file, nodes=2, timeout="1M")
                assert result.status in STATUSES[kind], f"{area}, mutant {number}\n{result.report()}"
                assert "the machine did not start" not in result.stderr
            continue
        said.append(text)
        # The message begins with the file, and has no output of another tool.
        assert text.startswith(f"{file}"), f"{area}, mutant {number}: {text}"
        assert text.count("\n") <= 1 and len(text) < 400 and "objdump: " not in text, text
    assert said or (kind, area) not in FOUND
    assert ran or area == "truncated"


def test_damaged_file_is_a_usage_error(tmp_path):
    """./run.sh itself reports a damaged file as a usage error, and not as a failed set-up."""
    data = Path(os.environ["FUGU_BUILD"], PROGRAMS["glaze"]).read_bytes()
    file = tmp_path / "mutant.elf"
    # The name of the first section is beyond all names.
    name = extents(data)["section headers"][0] + elf.SECTION_HEADER.size
    file.write_bytes(data[:name] + b"\xff\xff\xff\0" + data[name + 4:])
    done = run_sh(file)
    assert done.returncode == 2
    assert re.fullmatch(rf"fugu: {file} is a damaged or truncated ELF file: objdump cannot read it \(.*\)\.\n"
                        r"  Build it again\.\nTry \./run\.sh --help\n", done.stderr)
