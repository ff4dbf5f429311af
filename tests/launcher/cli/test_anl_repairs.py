"""What GCC's messages about old declarations ask for, and the source after it, without a compiler."""

from __future__ import annotations

from pathlib import Path

import pytest

from fugu.commands import _repair
from fugu.commands._repair import Repair, repaired, repairs

TEXT = '# 1 "a.c"\nint f(int a,\n int (*b)(int));\n# 7 "/usr/x.h" 1 3\nint f(int);\n# 3 "a.c" 2\nstatic int g(void);\nstatic int\nf2(int a), h(int);\n'


@pytest.mark.parametrize("said, found", [
    ("a.c:3:5: error: static declaration of 'f' follows non-static declaration", [("a.c", 3, "f", True)]),
    ("\x1b[01m\x1b[Ka.c:3:5:\x1b[m\x1b[K error: static declaration of ‘f’ follows non-static declaration", [("a.c", 3, "f", True)]),
    ("a.c: In function 'f':\na.c:9:1: error: argument 'a' doesn't match prototype\na.c:2:5: error: prototype declaration", [("a.c", 2, "f", False)]),
    ("a.c: In function 'f':\na.c:9:1: error: number of arguments doesn't match prototype\na.c:2:5: note: prototype declaration", [("a.c", 2, "f", False)]),
    ("a.c: In function 'f':\na.c:9:1: error: promoted argument 'a' doesn't match prototype\na.c:2:5: error: prototype declaration", [("a.c", 2, "f", False)]),
    ("a.c:9:1: error: conflicting types for 'f'; have 'int'\nb.h:2:5: note: previous declaration of 'f' with type", [("b.h", 2, "f", False)]),
    ("a.c:9:1: error: conflicting types for 'f'\nb.h:2:5: note: previous declaration of 'g' with type", []),
    ("b.h:2:5: note: previous declaration of 'f' with type", []), ("a.c:2:5: note: prototype declaration", []),
    ("a.c:9:1: error: conflicting types for 'f'\nb.h:2:5: note: previous declaration of 'f'\nb.h:3:5: note: previous declaration of 'f'", [("b.h", 2, "f", False)]),
    ("a.c:9:1: error: expected ';'", []), ("", [])])
def test_what_messages_ask_for(said, found):
    """Each once."""
    assert repairs(f"{said}\n{said}\n") == [Repair(*one) for one in found]


@pytest.mark.parametrize("file, line, name, is_static, was, now", [
    ("a.c", 1, "f", False, "f(int a,\n int (*b)(int))", "f(      \n              )"), ("a.c", 3, "g", True, "static int g", "       int g"),
    ("a.c", 5, "f2", True, "static int\nf2", "       int\nf2"), ("a.c", 5, "h", False, "h(int)", "h(   )"),
    ("a.c", 7, "f", False, "", ""), ("/usr/x.h", 7, "f", False, "", ""), ("a.c", 1, "g", False, "", ""), ("a.c", 1, "f", True, "", ""),
    ("b.c", 1, "f", False, "", "")])
def test_a_source_with_a_repair(file, line, name, is_static, was, now):
    """Only at its line, with the length that it had. Nothing is changed in headers of the system."""
    found = repaired(TEXT, Repair(file, line, name, is_static))
    assert found == TEXT.replace(was, now) and len(found) == len(TEXT) and found.count("\n") == TEXT.count("\n")


def test_a_static_that_is_too_far_away():
    """Up to 400 characters before the line of the name."""
    near, far = ('# 1 "a.c"\nstatic int\n' + "\n" * lines + "f(void);\n" for lines in (389, 390))
    assert repaired(near, Repair("a.c", 391, "f", True)) == near.replace("static", "      ")
    assert repaired(far, Repair("a.c", 392, "f", True)) == far
    assert repaired('# 1 "a.c"\nint f(int a;\n', Repair("a.c", 1, "f", False)) == '# 1 "a.c"\nint f(int a;\n'


@pytest.mark.parametrize("words, output, dependencies", [
    ("-c a.c -o a.o", "a.c", "-c a.c -o a.o"), ("-S a.c -oa.s -O", "a.c -O", "-S a.c -oa.s -O"), ("-MD a.c", "-MD a.c", "a.c"),
    ("-MF x -MT y -MQ z -MP -MG a.c", "-MF x -MT y -MQ z -MP -MG a.c", "a.c"), ("-MFx -MMD a.c", "-MFx -MMD a.c", "a.c"), ("-o", "", "-o"),
    ("-MF", "-MF", "")])
def test_words_that_are_left_out(words, output, dependencies):
    assert _repair._without_output(words.split()) == output.split()
    assert _repair._without_dependencies(words.split()) == dependencies.split()


STATIC = "a.c:{}:5: error: static declaration of 'f{}' follows non-static declaration\n"


class Compiler:
    """Says of a source what is wrong with its first mistakes. A mistake is `static int fN`."""

    def __init__(self, most=1):
        self.most, self.lines = most, []

    def __call__(self, line):
        self.lines.append(line)
        source = next((word for word in line if word.endswith((".c", ".i"))), "")
        if "-E" in line:
            Path(line[line.index("-o") + 1]).write_text('# 1 "a.c"\n' + Path(source).read_text())
            return 0, ""
        text = Path(source).read_text().removeprefix('# 1 "a.c"\n') if source else ""
        wrong = [STATIC.format(number, number) for number, line in enumerate(text.splitlines(), 1) if line.startswith("static")]
        return (1, "".join(wrong[:self.most])) if wrong else (0, "")


@pytest.mark.parametrize("mistakes, status", [(0, 0), (1, 0), (12, 0), (13, 1)])
def test_rounds_of_a_source(mistakes, status, tmp_path, monkeypatch, capsys):
    """GCC does not find all mistakes at once: the source is compiled up to so often. The source itself stays as it is."""
    source = tmp_path / "a.c"
    text = "".join(f"static int f{k}(void);\n" for k in range(1, mistakes + 1))
    source.write_text(text)
    compiler = Compiler()
    monkeypatch.setattr(_repair, "_run", compiler)
    assert _repair.compiled(["-c", "-MD", str(source), "-o", "a.o"], lambda words: ["gcc", *words], tmp_path) == status
    said = capsys.readouterr().err
    assert said.count("is not static here") == min(mistakes, 12) and source.read_text() == text
    last = compiler.lines[-1]
    assert last == (["gcc", "-c", str(tmp_path / ".repaired-2" / "a.i"), "-o", "a.o"] if mistakes else ["gcc", "-c", "-MD", str(source), "-o", "a.o"])


def test_a_source_that_cannot_be_repaired(tmp_path, monkeypatch, capsys):
    source = tmp_path / "a.c"
    source.write_text("x")
    monkeypatch.setattr(_repair, "_run", lambda line: (1, "a.c:1:1: error: expected ';'\n"))
    assert _repair.compiled(["-c", str(source)], lambda words: ["gcc", *words], tmp_path) == 1
    assert capsys.readouterr().err == "a.c:1:1: error: expected ';'\n" and list(tmp_path.iterdir()) == [source]
