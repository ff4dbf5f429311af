"""Runs tests in a copy of the checkout that notes which lines each of them reaches."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from ..build import relink
from ..build.copies import Copy, lab
from ..build.everything import up_to_date
from ..errors import SetupError
from ..host import children, execute, python_tools, storage
from ..paths import ROOT, cache_dir
from . import areas, device
from .guest import Lines, Program
from .record import FOLDER
from .store import Store

# QEMU with counters and with the plugin, for commands of a test; the usual one for others.
QEMU = """\
#!/bin/sh
[ -n "${FOLDER-}" ] && [ -d "${FOLDER-}" ] || exec {qemu} "$@"
export GCOV_PREFIX="$FOLDER/hw"
case " $* " in *" tcg,"*) ;; *) exec {qemu} "$@" ;; esac
printf '%s\\n' "$@" > "$FOLDER/guest.$$.words"
exec {qemu} "$@" -plugin {plugin},out="$FOLDER/guest.$$"
"""

# Before the launcher's own entry, which follows it in the copy.
ENTRY = '''\
def _note():
    import os, sys
    folder = os.environ.get({FOLDER!r})
    if not folder or not os.path.isdir(folder):
        return
    sys.path.append({site!r})
    try:
        import coverage
    except ImportError:
        return              # another Python, such as GDB's
    finally:
        sys.path.remove({site!r})
    noted = coverage.Coverage(data_file=folder + "/tools", data_suffix=True, config_file=False, source=[{tools!r}],
                              messages=False)
    noted._auto_save = True
    noted.start()
    def leave(call):
        def saved(*words):
            noted.stop()
            noted.save()
            return call(*words)
        return saved
    os.execv = leave(os.execv)
    import atexit
    atexit.register(lambda: (noted.stop(), noted.save()))
_note()
'''
ENTRIES = ("tools/fugu/__main__.py", "tools/gdb/fugu.py", "tools/fugu/report/__main__.py", "tools/fugu/sweep/__main__.py")


def folder() -> Path:
    """Where all that is noted lies."""
    return lab() / "cover"


def noted_tree() -> Path:
    """The sources whose lines are noted."""
    return Copy("covered").tree


def gather(words: Sequence[str]) -> int:
    """Runs the tests that these words name, and notes what those that pass reach. Returns the tests' status. SetupError."""
    tools = python_tools.environment(python_tools.COVERAGE, "what notes covered lines")
    copy, notes = Copy("covered"), folder()
    known = notes / "known.json"
    copy.refresh()
    _enter(copy, tools)
    outputs = up_to_date(("qemu", "qtest"))["qtest"]
    copy.use_qemu(_qemu(copy, notes), outputs["qtests"])
    for name in ("raw", "new"):
        storage.fresh_dir(notes / name)
    env = os.environ | {"FUGU_BUILD": str(copy.build), "FUGU_COVER": str(notes)}
    status = children.run([str(copy.tree / "run.sh"), "test", *words], env=env, cwd=copy.tree)
    tools.activate()
    count = Store(notes).take_in(notes / "new")
    storage.write_atomically(known, json.dumps({file: sorted(lines) for file, lines in _known(copy, notes).items()}))
    print(f"fugu: lines of {count} tests are noted", file=sys.stderr)
    return status


def known_lines(notes: Path) -> Lines:
    """The lines that have code, of each file, as of the last time that lines were noted. SetupError if they never were."""
    try:
        found = json.loads((notes / "known.json").read_text())
    except FileNotFoundError:
        raise SetupError("it is not known which tests reach which lines.\n"
                         "Note it first: ./run.sh test --coverage [TESTS]") from None
    return {file: set(lines) for file, lines in found.items()}


def _enter(copy: Copy, tools: python_tools.PythonTools) -> None:
    """Lets each Python program of the copy note its lines. Line numbers stay: all of it is in the first line."""
    site = next(iter(sorted(tools.path.glob("lib/python3*/site-packages"))))
    text = ENTRY.format(FOLDER=FOLDER, site=str(site), tools=str(copy.tree / "tools"))
    for name in ENTRIES:
        file = copy.tree / name
        file.write_text(re.sub(r"^(?=import )", lambda _: f"exec({text!r}); ", (copy.root / name).read_text(), count=1,
                               flags=re.MULTILINE))


def _qemu(copy: Copy, notes: Path) -> Path:
    """The script that stands for QEMU in the copy."""
    base = relink.Base(lab() / "qemu")
    base.ensure()
    target = notes / "qemu-system-sparc"
    made_of = storage.key(base.made_of(), device.FLAGS)
    stamp = storage.Stamp(notes / "qemu.json")
    plugin, real = notes / "executed.so", notes / "counting-qemu-system-sparc"
    if stamp.read() != made_of:
        print("fugu: compiling hw/ with counters", file=sys.stderr)
        base.link(copy.tree / "hw", base.objects(), real, device.FLAGS)
        stamp.write(made_of)
    execute.run(["cc", "-shared", "-fPIC", "-O2", "-o", plugin, ROOT / "tools" / "fugu" / "cover" / "executed.c"],
                notes / "plugin.log", what="compiling a plugin of QEMU")
    target.write_text(QEMU.replace("FOLDER", FOLDER).replace("{qemu}", shlex.quote(str(real)))
                      .replace("{plugin}", str(plugin)))
    target.chmod(0o755)
    return target


def _known(copy: Copy, notes: Path) -> Lines:
    """All lines that have code."""
    from coverage.python import PythonParser

    lines: Lines = {}
    for file in areas.files(copy.tree):
        if file.endswith(".py"):
            parser = PythonParser(text=(copy.tree / file).read_text(), filename=file)
            parser.parse_source()
            lines[file] = set(parser.statements)
    for elf in [copy.build / "guest-os" / "kernel" / "kernel.elf", *sorted((copy.build / "apps").glob("*.elf")),
                *sorted((copy.build / "tests").rglob("*.elf")), *sorted((copy.build / "guest-os").rglob("*.elf"))]:
        if elf.exists():
            Program(elf, copy.tree, notes / "lines").all(lines)
    device.with_code(notes / "objects", lines)
    return {file: found for file, found in lines.items() if areas.area_of(file)}
