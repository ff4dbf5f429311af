"""Each call of udm.h that needs FUGU's message part leaves a note in the object file, and no other call does."""

from __future__ import annotations

import re

import pytest
from run_sh import run_sh

from fugu.abi import NOTE, REGS
from fugu.image import notes
from fugu.paths import ROOT

HEADER = ROOT / "guest-os" / "include" / "udm.h"

# Each call, as the one statement of a program.
WITH_MESSAGES = {
    "udm_space": "udm_space()", "udm_body_space": "udm_body_space()",
    "udm_inject": "udm_inject(1, 0, 2)", "udm_injectc": "udm_injectc(1, 0, 2)",
    "udm_inject_words": "udm_inject_words(1, 0, words, argc)", "udm_injectc_words": "udm_injectc_words(1, 0, words, argc)",
    "udm_inject_body": "udm_inject_body(1, 0, words, 8)", "udm_injectc_body": "udm_injectc_body(1, 0, words, 8)",
    "udm_inject_body2": "udm_inject_body2(1, 0, words, 4, words, 4)",
    "udm_injectc_body2": "udm_injectc_body2(1, 0, words, 4, words, 4)",
    "udm_available": "udm_available()", "udm_peek": "udm_peek(1)", "udm_arg": "udm_arg(1)",
    "udm_handler": "udm_handler()", "udm_source": "udm_source()", "udm_length": "udm_length()",
    "udm_body_length": "udm_body_length()", "udm_dispose": "udm_dispose()", "udm_extract": "udm_extract(words, 2)",
    "udm_storeback": "udm_storeback(words, 0, 8)", "udm_poll": "udm_poll()",
}
WITHOUT = {
    "udm_node": "udm_node()", "udm_nodes": "udm_nodes()", "udm_cycles": "udm_cycles()", "udm_cycles32": "udm_cycles32()",
    "udm_uac": "udm_uac()", "udm_beginatom": "udm_beginatom()", "udm_endatom": "udm_endatom()", "udm_atomic": "udm_atomic()",
}


def program(statement):
    """The source of a program that does this alone."""
    return f'#include "udm.h"\nuint32_t words[4];\nint main(int argc, char **argv)\n{{\n    {statement};\n    return 0;\n}}\n'


def test_every_call_is_known():
    """Names that end with _ are the header's own."""
    text = HEADER.read_text()
    calls = re.findall(r"^UDM_INLINE [\w ]+?\**(udm_\w*[a-z0-9])\(", text, re.MULTILINE)
    calls += re.findall(r"^#define (udm_\w*[a-z0-9])\(", text, re.MULTILINE)
    assert len(calls) > 20 and sorted(calls) == sorted(WITH_MESSAGES | WITHOUT)


@pytest.fixture(scope="module")
def objects(tmp_path_factory):
    """A folder with an object file for each call."""
    folder = tmp_path_factory.mktemp("calls")
    for name, statement in (WITH_MESSAGES | WITHOUT).items():
        (folder / f"{name}.c").write_text(program(statement))
    done = run_sh("cc", "-O2", "-c", *(f"{name}.c" for name in WITH_MESSAGES | WITHOUT), cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize("name", WITH_MESSAGES | WITHOUT)
def test_a_call_leaves_a_note_if_it_needs_messages(objects, name):
    path = objects / f"{name}.o"
    needs = notes.needs(path, path.read_bytes())
    assert needs == ([((REGS["NETIF_FUGU"],), "UDM")] if name in WITH_MESSAGES else [])


@pytest.mark.parametrize("name", ["udm_storeback", "udm_space"])
def test_a_program_that_calls_it_is_refused(objects, tmp_path, name):
    """The note is in the linked program, and the launcher refuses it before it can trap or read zeros."""
    program_file = tmp_path / "own.elf"
    assert run_sh("cc", objects / f"{name}.o", "-o", program_file).returncode == 0
    assert NOTE.text("SECTION").encode() in program_file.read_bytes()
    done = run_sh("--ni", "none", "-n", 1, program_file)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert done.stderr.startswith("fugu: own needs --ni fugu, as it uses UDM, but the machine has --ni none.\n")
