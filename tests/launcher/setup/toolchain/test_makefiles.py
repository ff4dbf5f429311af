"""What the toolchain is built from: the makefiles that set-up puts into GCC's build directory, and the unpacked source."""

from __future__ import annotations

import subprocess
import tarfile

import pytest

from fugu.build import toolchain, tree

# GCC's own makefile, as far as ours refers to it. Each command leaves a line in the file `log`.
GCC = """\
ANALYZER_OBJS = analyzer/engine.o analyzer/analyzer-language.o analyzer/analyzer-pass.o
OBJS = alias.o sparc.o sparc-c.o insn-recog.o ubsan.o $(ANALYZER_OBJS)
STMP_FIXINC = stmp-fixinc
ALL_CPPFLAGS = -I.
ALL_COMPILERFLAGS = -Og
COMPILER = @echo header >> log; echo > /dev/null
generated_files = tm.h

.PHONY: all
all: $(OBJS) gcc.o $(STMP_FIXINC)
%.o:
\t@echo $@ $(ALL_CPPFLAGS) >> log
tm.h stmp-fixinc:
\t@echo $@ >> log
"""
LIBGCC = "LIBGCC2_DEBUG_CFLAGS = -g\nall:\n\t@echo $(LIBGCC2_DEBUG_CFLAGS) > log\n"


def made(build, folder, makefile):
    """Lets make carry out a makefile in this folder of GCC's build directory. Returns the lines of `log`."""
    tree.mirror(tree.snapshot(toolchain.MAKEFILES), build)
    (build / folder / "Makefile").write_text(makefile)
    subprocess.run(["make", "-s"], cwd=build / folder, check=True)
    return (build / folder / "log").read_text().splitlines()


@pytest.fixture
def compiled(tmp_path):
    return made(tmp_path, "gcc", GCC)


def test_headers_are_compiled_once_and_before_what_uses_them(compiled):
    with_header = [line for line in compiled if "-include precompiled.h" in line]
    assert [line.split()[0] for line in with_header] == [
        "alias.o", "analyzer/analyzer-language.o", "analyzer/analyzer-pass.o"]
    assert all(line.endswith(" -I.") for line in with_header)
    assert compiled.count("header") == 1
    assert compiled.index("tm.h") < compiled.index("header") < compiled.index(with_header[0])


def test_other_files_are_compiled_as_gcc_does(compiled):
    for name in ("sparc.o", "sparc-c.o", "insn-recog.o", "ubsan.o", "gcc.o"):
        assert f"{name} -I." in compiled


def test_analyzer_and_fixed_headers_are_left_out(compiled):
    assert not any("engine" in line or "fixinc" in line for line in compiled)


def test_libgcc_has_no_debug_information(tmp_path):
    assert made(tmp_path, "sparc-elf/libgcc", LIBGCC) == ["-g0"]


def test_source_is_unpacked_without_other_languages(tmp_path):
    needed = ["configure", "gcc/alias.cc", "gcc/ada/gcc-interface/lang.opt", "gcc/d/d-target.def", "gcc/m2/lang.opt",
              "gcc/testsuite/selftests/x", "libgcc/Makefile.in", "libiberty/configure"]
    left_out = ["ChangeLog", "gcc/ChangeLog-2019", "gcc/ada/par.adb", "gcc/d/dmd/lexer.d", "gcc/po/de.po",
                "gcc/testsuite/gcc.dg/x", "gcc/testsuite/c-c++-common/x", "libgo/configure", "fixincludes/configure",
                "libstdc++-v3/configure"]
    for name in needed + left_out:
        path = tmp_path / "gcc-14.2.0" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    with tarfile.open(tmp_path / "gcc.tar", "w") as tar:
        tar.add(tmp_path / "gcc-14.2.0", "gcc-14.2.0")
    made = toolchain.Toolchain(tmp_path / "cache")
    made.work.mkdir(parents=True)
    made.unpack(tmp_path / "gcc.tar", made.work / "gcc", *toolchain.LEFT_OUT)
    assert sorted(name for name in needed + left_out if (made.work / "gcc" / name).exists()) == sorted(needed)
