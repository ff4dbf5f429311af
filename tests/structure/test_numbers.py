"""Numbers of C headers: fugu.abi reads them as a compiler does, and Python in tools/ has no copies."""

from __future__ import annotations

import ast
import re
import subprocess
import tokenize
from pathlib import Path

import pytest

from fugu import abi
from fugu.errors import SetupError
from fugu.paths import ROOT

HEADERS = [value for value in vars(abi).values() if isinstance(value, abi.Header)]

# ---- what abi reads ------------------------------------------------------------

SAMPLE = """\
/* #define X_COMMENT 1 */
#ifndef X_H
#define X_H
#define X_HEX           0x1Fu   /* with
                                   a long comment */
#define X_SUM           (X_HEX + 2 * KiB - 1)
  #  define X_SHIFTED   (UINT64_C(1) << 40)
#define X_NEGATIVE      (-4096)
#define X_LINES \\
    (X_HEX | \\
     0x20)
#define X_TEXT          "some text "
#define X_OTHERS        (Y_ONE + X_HEX / 2)
#define X_CAST          (*(volatile uint32_t *)0x40)
#define X_PACK(a, b)    ((a) << 4 | (b) | X_HEX)
#define X_LIST(F)       F(ONE, "one")  /* 1 */ \\
                        F(TWO, "two")
enum { X_ZERO, X_NEXT, X_FIVE = 5, X_SIX, };
enum named {
    X_HIGH = X_HEX << 8,        /* with, a comma */
};
enum {
#define F(id, name) X_LIST_##id,
    X_LIST(F)
};
struct inner { uint8_t a, b; uint16_t c; };
struct outer {
    char name[X_FIVE + 3];      /* text */
    uint32_t one, two;
    struct inner pair[2];
    uint64_t last;
};
#endif
"""


@pytest.fixture
def sample(tmp_path):
    (tmp_path / "y.h").write_text("#define Y_ONE 1\n")
    (tmp_path / "x.h").write_text(SAMPLE)
    return abi.Header(str(tmp_path / "x.h"), "X_", (abi.Header(str(tmp_path / "y.h")),))


def test_numbers(sample):
    assert sample.group("") == {
        "HEX": 31, "SUM": 31 + 2048 - 1, "SHIFTED": 1 << 40, "NEGATIVE": -4096, "LINES": 63, "OTHERS": 16,
        "ZERO": 0, "NEXT": 1, "FIVE": 5, "SIX": 6, "HIGH": 31 << 8}
    assert sample["SUM"] == 2078 and sample["SIX"] == 6


def test_other_things_than_numbers(sample):
    assert sample.call("PACK", 2, 1) == 63
    assert sample.text("TEXT") == "some text "
    assert sample.entries("LIST") == ['ONE, "one"', 'TWO, "two"']
    assert sample.struct("outer").format == ">8s1I1I8s1Q"


@pytest.mark.parametrize("asked, says", [
    (lambda header: header["NONE"], "x.h has no number X_NONE"),
    (lambda header: header["TEXT"], "x.h has no number X_TEXT"),
    (lambda header: header["CAST"], "x.h has no number X_CAST"),
    (lambda header: header["COMMENT"], "x.h has no number X_COMMENT"),
    (lambda header: header["PACK"], "x.h has no number X_PACK"),
    (lambda header: header.call("PACK", 1), "x.h has no macro X_PACK of 1 parameters"),
    (lambda header: header.text("HEX"), "x.h has no string X_HEX"),
    (lambda header: header.entries("HEX"), "x.h has no list X_HEX"),
    (lambda header: header.struct("none"), "x.h has no struct none"),
])
def test_what_a_header_lacks(sample, asked, says):
    with pytest.raises(SetupError, match=says):
        asked(sample)


def test_a_header_that_is_missing(tmp_path):
    with pytest.raises(SetupError, match=r"none.h cannot be read: No such file or directory.\ntools/fugu/abi.py says"):
        abi.Header(str(tmp_path / "none.h"))["X"]


@pytest.mark.parametrize("header", HEADERS, ids=lambda header: header.path.name)
def test_each_header_is_there(header):
    assert header.group("") or re.search(r"^struct \w+ \{", header.path.read_text(), re.MULTILINE), \
        f"{header.path} has no numbers that begin with {header.prefix}"


@pytest.mark.parametrize("header", [abi.REGS, abi.GLAZE, abi.IMAGE, abi.LINK_PROTO], ids=lambda h: h.path.name)
def test_as_a_compiler_reads_them(header, tmp_path):
    """Numbers, and the sizes of structures: nothing is padded."""
    numbers = header.group("")
    structs = re.findall(r"^struct (image_\w+) \{", header.path.read_text(), re.MULTILINE)
    values = [f"(long long){header.prefix}{name}" for name in numbers] + [f"sizeof(struct {name})" for name in structs]
    (tmp_path / "all.c").write_text(
        f'#include <stdio.h>\n#include <stdint.h>\n#include "{header.path}"\nint main(void)\n{{\n'
        + "".join(f'    printf("%lld\\n", (long long){value});\n' for value in values) + "}\n")
    subprocess.run(["cc", "-w", f"-I{abi.REGS.path.parent}", tmp_path / "all.c", "-o", tmp_path / "all"], check=True)
    said = subprocess.run([tmp_path / "all"], capture_output=True, text=True, check=True).stdout.split()
    assert list(map(int, said)) == [*numbers.values(), *(header.struct(name).size for name in structs)]


# ---- no copies in tools/ -----------------------------------------------------------

def c_numbers() -> dict[str, int]:
    """All numbers that the sources of hw/ and guest-os/ define, by name."""
    files = [path for folder in ("hw", "guest-os") for path in (ROOT / folder).rglob("*.[ch]")]
    return {name: value for path in files for name, value in abi.Header(str(path)).group("").items()}


NUMBERS = c_numbers()
# (name without its first words, value) of each number: NODES_MAX of FUGU_NODES_MAX.
ENDINGS = {(name.split("_", start)[start], value) for name, value in NUMBERS.items()
           for start in range(name.count("_") + 1)}
# Values so unusual that a literal with one of them is a copy: large, and neither round nor a power of two.
TELLING = {value for value in NUMBERS.values() if value > 0xFFF and value & (value - 1) and value % 10
           and value + 1 & value}

# Python's own constants that have a name and a value of C's for another reason.
OWN = {"tools/fugu/run/rsp.py": {"PSR", "PC", "NPC"}}       # numbers of registers, GDB's and DWARF's


def literal(node: ast.expr) -> int | None:
    """The value of an expression that consists only of numbers, or None."""
    if any(not isinstance(part, ast.Constant | ast.BinOp | ast.UnaryOp | ast.operator | ast.unaryop)
           for part in ast.walk(node)):
        return None
    try:
        value = eval(compile(ast.Expression(node), "", "eval"))
    except TypeError:
        return None
    return value if type(value) is int else None


def named_literals(tree: ast.AST) -> list[tuple[str, int, int]]:
    """(name, value, line) of each constant that is assigned a literal."""
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            pairs = zip(target.elts, node.value.elts, strict=False) \
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple) else [(target, node.value)]
            for name, value in pairs:
                if isinstance(name, ast.Name) and (number := literal(value)) is not None:
                    found.append((name.id.lstrip("_"), number, node.lineno))
    return found


def copies(file: Path, name: str) -> list[str]:
    """A message for each literal that, by its name, value or comment, is a copy of a number in C."""
    tree = ast.parse(file.read_text())
    found = [f"{name}:{line}: {constant} = {value} is a number of C's"
             for constant, value, line in named_literals(tree)
             if constant.isupper() and (constant, value) in ENDINGS and constant not in OWN.get(name, ())]
    found += [f"{name}:{node.lineno}: {node.value:#x} is a number of C's" for node in ast.walk(tree)
              if isinstance(node, ast.Constant) and type(node.value) is int and node.value in TELLING]
    with tokenize.open(file) as opened:
        lines: dict[int, list[tokenize.TokenInfo]] = {}
        for token in tokenize.generate_tokens(opened.readline):
            lines.setdefault(token.start[0], []).append(token)
    for number, tokens in lines.items():
        said = {word for token in tokens if token.type == tokenize.COMMENT for word in re.findall(r"\w+", token.string)}
        if named := said & NUMBERS.keys():
            found += [f"{name}:{number}: {token.string} stands beside {', '.join(sorted(named))}" for token in tokens
                      if token.type == tokenize.NUMBER]
    return found


def test_no_number_is_typed_in():
    files = sorted((ROOT / "tools").rglob("*.py"))
    assert len(files) > 80 and len(NUMBERS) > 300
    found = [copy for file in files for copy in copies(file, str(file.relative_to(ROOT)))]
    assert not found, "fugu.abi reads these from C:\n" + "\n".join(found)


@pytest.mark.parametrize("line", [
    "NODES_MAX = 1024", "_TIME_MAX: int = 1 << 57", "PAGE, END = 0x1000, 0xFFF000", "limit = 0x474C415A",
    "def f(end=0x3FF00000): pass", "here = 0x10000000      # GLAZE_PROGRAM", "TIMEOUT = 124", "JOBS_MAX = 62"])
def test_a_copy_is_found(line, tmp_path):
    (tmp_path / "copy.py").write_text(line + "\n")
    assert copies(tmp_path / "copy.py", "copy.py")
