"""Programs with ANL macros: built by ./run.sh cc --anl, and for the host, each once for all tests."""

from __future__ import annotations

import fcntl
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from run_sh import run_sh

from fugu.paths import ROOT

HERE = Path(__file__).parent
PROGRAMS = HERE / "programs"
ANL, HEADERS = ROOT / "guest-os" / "anl", ROOT / "guest-os" / "include" / "lib"
# The sources of a program; the others have NAME.C.
PARTS = {"macros": ["macros.C", "more.C"], "idioms": ["idioms.C", "idioms_work.C"]}
HOST_BOUND = 600        # seconds for a program on the host: only a program that hangs takes as many

Build = Callable[[str], Path]
Host = Callable[..., str]


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Callable[[Path], None]], Path]:
    """once(name, make) -> the file of that name, which make(file) has made once for all workers."""
    shared = tmp_path_factory.getbasetemp().parent / "anl"

    def made(name: str, make: Callable[[Path], None]) -> Path:
        shared.mkdir(exist_ok=True)
        file = shared / name
        with open(shared / f"{name}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not file.exists():
                make(file)
        return file
    return made


@pytest.fixture(scope="session")
def program(once) -> Build:
    """program(name) -> the ELF file of a program in programs/."""
    def build(file: Path) -> None:
        sources = PARTS.get(file.stem, [f"{file.stem}.C"])
        done = run_sh("cc", "--anl", *sources, "-lm", "-o", file, cwd=PROGRAMS)
        assert (done.returncode, done.stderr) == (0, "")
    return lambda name: once(f"{name}.elf", build)


def expanded(source: Path, to: Path) -> Path:
    """What m4 makes of a source, in folder `to`."""
    made = to / (source.stem + source.suffix.lower())
    with open(made, "wb") as out:
        subprocess.run(["m4", "-s", "-Ulen", "-Uindex", ANL / "anl.m4", source], stdout=out, check=True)
    return made


def host_program(sources: list[Path], to: Path) -> None:
    """Builds a program for the host, from sources with macros and others."""
    with_macros = [source for source in sources if source.suffix == ".C"]
    folder = to.parent / f"{to.name}-sources"
    folder.mkdir()
    for header in with_macros[0].parent.glob("*.H"):
        expanded(header, folder)
    files = [expanded(source, folder) if source in with_macros else source for source in sources]
    subprocess.run(["gcc", "-O2", "-std=gnu99", "-fcommon", "-w", "-ffp-contract=off", f"-I{ANL}", f"-I{HEADERS}",
                    *{f"-I{source.parent}" for source in sources}, "-include", "anl.h", *files, HERE / "host_shm.c",
                    "-lm", "-o", to], check=True)


@pytest.fixture(scope="session")
def host(once) -> Host:
    """host(name, *words, nodes=n, stdin=text, folder=path) -> what a program or an app prints on the host."""
    def build(file: Path) -> None:
        name = file.name.removeprefix("host-")
        app = ROOT / "apps" / name
        if app.is_dir():
            sources = [app / f"{name}.C", *sorted(app.glob("*.c")), *sorted(app.parent.glob("shm-*.c"))]
        else:
            sources = [PROGRAMS / source for source in PARTS.get(name, [f"{name}.C"])]
        host_program(sources, file)

    def run(name: str, *words: object, nodes: int, stdin: str = "", folder: Path | None = None) -> str:
        file = once(f"host-{name}", build)
        done = subprocess.run([file, *map(str, words)], capture_output=True, text=True, timeout=HOST_BOUND,
                              input=stdin, cwd=folder, env=os.environ | {"SHM_NODES": str(nodes)})
        assert (done.returncode, done.stderr) == (0, ""), done.stdout
        return done.stdout
    return run
