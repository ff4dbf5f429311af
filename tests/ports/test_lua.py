"""Lua, built by its own makefile, runs scripts."""

from __future__ import annotations

from pathlib import Path

import pytest
from ported import CC, make
from run_sh import run_sh

SCRIPTS = Path(__file__).parent / "scripts"


@pytest.fixture(scope="module")
def lua(program) -> Path:
    """The folder of lua and luac."""
    return program("lua5.4", lambda folder: make(folder, "make", "-C", "src", "generic", f"CC={CC}")) / "src"


OUTPUT = {
    "numbers": r"""
3	5.0	1024.0	100000000000000	1e+15	1e+100	-0.0	3.1415926535898
42|   42|42   |00042|+42|-7
ff|FF|0xff|10|A|%
0.333|      0.33|0.33      |1.234568e+04|1e+20|0.1|0x1p+0
text|      text|text      |te|"a \"quoted\"\
 line"
-9223372036854775808 9223372036854775807
false	bad argument #2 to 'string.format' (number has no integer representation)
200003	0.8414709848079	2.718281828459	1.4142135623731	3.1415926535898
""",
    "tables": """
2147387986	684856	31417
nil	3
The Quick Brown Fox Jumps Over The Lazy Dog	x-x-x	3	3
key	€λ	2
name!	42	object	true
closed
3735928559	end	9
""",
    "coroutines": """
46	199
8004000	dead	false	cannot resume dead coroutine
true	deep
true	10000
false	coroutines.lua:27: attempt to index a nil value (local 't')
false	plain
false	handled: the bottom
C stack overflow
false	true
""",
}
FILES = """
[one][2][3.5][last line]
one	2	3.5	
last line
4	2	19
ONE/2	1
true	nil	made.txt: No such file or directory	2
nil	../file: Permission denied	13
temporary	file	true	closed file
true
1970-01-02 00:00:00	86400	nil
true	false	'popen' not supported
12	 rest	line
	all
of it
"""


@pytest.mark.parametrize("script", OUTPUT)
def test_script(lua, script):
    """Each script checks itself as well."""
    done = run_sh("-n", 1, "--input", SCRIPTS / f"{script}.lua", "./lua", f"{script}.lua", cwd=lua)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", OUTPUT[script][1:])


def test_files_and_standard_streams(lua, tmp_path):
    (tmp_path / "input").write_text("12 rest\nline\nall\nof it\n")
    with open(tmp_path / "input") as given:
        done = run_sh("-n", 1, "--input", SCRIPTS / "files.lua", "--output", tmp_path / "made", "./lua", "files.lua",
                      "a", "word", cwd=lua, stdin=given)
    assert (done.returncode, done.stdout) == (7, FILES[1:] + "\n")
    assert done.stderr.splitlines()[0] == "to standard error"
    assert [(path.name, path.read_text()) for path in (tmp_path / "made").iterdir()] == [
        ("kept.txt", "ONE\n2\n3.5\nlast line")]


def test_each_node_has_an_interpreter(lua, tmp_path):
    """The digest does not depend on how the machine is split."""
    words = ["-n", 4, "--digest", "--input", SCRIPTS / "numbers.lua", "./lua", "numbers.lua"]
    one, two = run_sh(*words, cwd=lua), run_sh("--processes", 2, *words, cwd=lua)
    assert one.stdout == two.stdout
    lines = OUTPUT["numbers"][1:].splitlines()
    assert sorted(one.stdout.splitlines()[:-1]) == sorted(4 * lines)


def test_interactive(lua, tmp_path):
    (tmp_path / "input").write_text("x = 6\nx * 7\nfor i = 1, 2 do\nprint(i) end\nerror('deliberate')\n")
    with open(tmp_path / "input") as given:
        done = run_sh("-n", 1, "./lua", "-i", cwd=lua, stdin=given)
    assert done.returncode == 0
    assert done.stdout.endswith("PUC-Rio\n> > 42\n> >> 1\n2\n> > \n")
    assert "stdin:1: deliberate" in done.stderr


def test_words_of_the_command_line(lua):
    """Blanks, quotes and empty words arrive as they were."""
    code = 'print(#arg, arg[1] .. "|" .. arg[2] .. "|", [[two  blanks]]) for i = 1, 2 do io.write(i, "\\n") end'
    done = run_sh("-n", 1, "./lua", "-e", code, "-", "", " a  b ", cwd=lua)
    assert (done.returncode, done.stdout) == (0, "2\t| a  b |\ttwo  blanks\n1\n2\n")


def test_compiler(lua, tmp_path):
    """luac writes a file on one run, which lua reads on the next."""
    script = SCRIPTS / "tables.lua"
    done = run_sh("-n", 1, "--input", script, "--output", tmp_path, "./luac", "-o", "tables.out", script.name, cwd=lua)
    assert (done.returncode, done.stderr) == (0, "")
    done = run_sh("-n", 1, "--input", tmp_path / "tables.out", "./lua", "tables.out", cwd=lua)
    assert (done.returncode, done.stdout) == (0, OUTPUT["tables"][1:])
