"""Whole runs, and programs that are compiled."""

from __future__ import annotations

import pytest

from fugu.api import FuguError, Result, compile_program, run


def test_a_run_has_all_that_run_sh_prints(machine):
    result = run("hello", nodes=2, statistics=True)
    plain = machine("hello", nodes=2, digest=True)
    assert (result.status, result.digest) == (0, plain.digest)
    assert result.output == "hello from node 0 of 2: hello\nhello from node 1 of 2: hello\n"
    assert [one["node"] for one in result.statistics["nodes"]] == [0, 1]
    assert run("hello", nodes=2).statistics == {}


def test_a_status_is_checked():
    result = Result(3, "out\n", "err\n", "", {})
    assert result.check(3) is result
    with pytest.raises(FuguError, match="^the run has ended with status 3, not 0.\nout\nerr\n$"):
        result.check()


def test_input_arguments_and_output(tmp_path):
    """A program of the script's own reads its input, and its arguments as they are."""
    (tmp_path / "my.c").write_text("#include <stdio.h>\nint main(int argc, char **argv)\n{\n    char line[80] = \"\";\n"
                                   "    fgets(line, sizeof(line), stdin);\n"
                                   "    printf(\"%d %s|%s\", argc, argv[1], line);\n    return 7;\n}\n")
    program = tmp_path / "my.elf"
    compile_program(tmp_path / "my.c", "-o", program)
    result = run(program, "two words", "x", nodes=1, stdin="a line\n").check(7)
    assert result.output == "3 two words|a line\n"
