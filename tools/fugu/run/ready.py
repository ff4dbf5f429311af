"""Makes QEMU and what it boots ready for a `Run`: builds what is out of date."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from ..build.everything import up_to_date
from ..options.types import show_size
from ..paths import build_dir, images_dir, program_name, server_file, tests_dir
from . import programs
from .parse import Run

ROOM = 1 << 20          # bytes of a node's memory for the kernel, code and stacks


def ready(run: Run, up_to_date: Callable[[tuple[str, ...]], dict[str, dict[str, str]]] = up_to_date
          ) -> tuple[str, str]:
    """The paths of QEMU and of what it boots, both up to date. The second is empty if a snapshot is loaded.

    For many runs at once, `up_to_date` may remember what everything.up_to_date() has returned.
    """
    loaded = "load" in run.options      # the snapshot contains the program
    own = not run.jobs and not loaded and programs.is_path(run.program)
    if own:
        programs.check_file(run.program, run.value("ram"))
    elif not loaded and not run.jobs:
        programs.check_name(run.program)
    if loaded or own:
        qemu = up_to_date(("qemu",))["qemu"]["qemu"]
        _check_trace(qemu, run)
        if own:
            check_kind(run, build_dir())
        return qemu, run.program if own else ""
    outputs = up_to_date(("qemu", "guest", "tests") if _runs_tests(run) else ("qemu", "guest"))
    _check_trace(outputs["qemu"]["qemu"], run)
    boot = boot_file(run, build_dir(), outputs["guest"]["toolchain"])
    _note_memory(run)
    return outputs["qemu"]["qemu"], str(boot)


def _runs_tests(run: Run) -> bool:
    """Whether a run needs programs of the tests: those for the bare machine, or files where they are built."""
    return not run.jobs or any(programs.is_path(job.program) and
                               Path(job.program).absolute().is_relative_to(tests_dir()) for job in run.jobs)


def _check_trace(qemu: str, run: Run) -> None:
    if "trace" in run.options:
        from . import trace

        trace.check_others(qemu, run)


def _note_memory(run: Run) -> None:
    """Prints a note if the user's own apps have more data than a node has memory, and no node has a disk."""
    own = [Path(job.program) for job in run.jobs if programs.is_path(job.program)]
    need = sum(programs.data_of(path) for path in own)
    if need > run.value("ram") and "disk" not in run.options:
        names = ", ".join(f"{path} ({own.count(path)} jobs)" if own.count(path) > 1 else str(path) for path in dict.fromkeys(own))
        print(f"fugu: note: {names}: {need} bytes of data, and a node has "
              f"{show_size(run.value('ram'))} of memory; if the program uses it all: "
              f"--ram {programs.whole_mib(need + ROOM)}, or a disk for each node", file=sys.stderr)


def boot_file(run: Run, build: Path, toolchain: str) -> Path:
    """The file that QEMU boots: a program, or the boot image of the kernel and the run's apps. All must be built.

    Raises UsageError or SetupError.
    """
    if not run.jobs:
        is_path = programs.is_path(run.program)
        file = programs.check_file(run.program) if is_path else programs.find(run.program, build)
        check_kind(run, build)
        return file
    from ..image import store
    from . import jobs

    apps = [(name, programs.find_app(program, build)) for name, program in jobs.by_name(run.jobs).items()]
    files = [(name, Path(file)) for name, file in run.options.get("input", [])]
    objdump = Path(toolchain, "bin", "sparc-elf-objdump")
    server = _server(run, build)
    if server:
        programs.check_server(server[1])
    check_kind(run, build)
    return store.make(programs.find_kernel(build), apps, files, objdump, images_dir(build), server)


def check_kind(run: Run, build: Path) -> None:
    """Checks that the programs of a run, as far as they are built, run on its kind of machine. Raises UsageError."""
    from . import jobs, kinds

    if run.jobs:
        server = _server(run, build)
        files = [(name, programs.app_file(program, build)) for name, program in jobs.by_name(run.jobs).items()]
        files += [server] if server else []
    else:
        file = Path(run.program) if programs.is_path(run.program) else programs.expected(run.program, build)
        files = [(program_name(file), file)]
    kinds.check(run.value("ni"), [(name, file) for name, file in files if file.exists()])


def _server(run: Run, build: Path) -> tuple[str, Path] | None:
    """The scheduler's server, built or not, for a run that needs one: a job that is alone all the time needs no slots."""
    given = run.value("scheduler")
    if given == "none" or (len(run.jobs) == 1 and not run.jobs[0].start):
        return None
    path = Path(given) if given else server_file(build)
    name = program_name(path)
    # A job of the same name keeps it: reports and debugger find programs by their names.
    return f"{name}-server" if name in {job.name for job in run.jobs} else name, path
