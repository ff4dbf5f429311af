"""`./run.sh [OPTIONS] [PROGRAM [ARGS] [+ ...]]`: make sure of all parts, become QEMU."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from . import fingerprint, machine, programs, settings
from .errors import SetupError
from .parse import Run, parse
from .paths import build_dir, images_dir


def main(words: list[str]) -> int:
    """Never returns when QEMU starts: the process becomes QEMU.

    So Control-C and signals reach QEMU itself, its exit status is ours, and
    no process is left between or behind.
    """
    run = parse(words)
    if run.options.get("dry-run"):
        return dry_run(run)
    if "processes" in run.options:
        from . import processes, split

        if parts := split.of(run):
            return processes.become_one(*ready(run), run, parts)
    command = machine.command(*ready(run), run)
    try:
        os.execv(command[0], command)
    except OSError as error:
        raise SetupError(f"QEMU does not start: {command[0]}: {error.strerror}.") from None


def dry_run(run: Run) -> int:
    """Prints the command as a shell would take it; needs nothing built.

    The boot image that it names for apps is made if all parts of it are there.
    """
    import shlex

    context, build = settings.current().context(), build_dir()
    kernel: Path | str
    if "load" in run.options:
        kernel = ""
    elif run.jobs:
        guest = fingerprint.load(build, "guest", context)
        kernel = boot_file(run, build, guest["toolchain"]) if guest else images_dir(build) / "not-built.elf"
    elif programs.is_path(run.program):
        kernel = programs.check_file(run.program)
    elif programs.built():
        kernel = programs.find(run.program)
    else:
        kernel = programs.expected(run.program)
    known = fingerprint.load(build, "qemu", context)
    qemu = known["qemu"] if known else "qemu-system-sparc"
    if "processes" in run.options:
        from .processes import dry_lines

        lines = dry_lines(qemu, kernel, run)
    else:
        lines = [shlex.join(machine.command(qemu, kernel, run))]
    print("\n".join(lines))
    return 0


def ready(run: Run) -> tuple[str, str]:
    """QEMU and what it is to boot, built when they are not up to date."""
    loaded = "load" in run.options      # then the program comes with it
    own = not run.jobs and not loaded and programs.is_path(run.program)
    if own:
        programs.check_file(run.program)
    elif not loaded and not run.jobs:
        programs.check_name(run.program)
    parts = ["qemu"] if own or loaded else ["qemu", "guest"]
    context = settings.current().context()
    build = build_dir()
    outputs = {part: fingerprint.load(build, part, context) for part in parts}
    missing = [part for part, found in outputs.items() if found is None]
    if missing:
        from .setup import bring_up

        sys.stdout.flush()
        outputs.update(bring_up(missing))
    qemu, guest = outputs["qemu"], outputs.get("guest")
    assert qemu
    if loaded or own:
        return qemu["qemu"], run.program if own else ""
    assert guest
    return qemu["qemu"], str(boot_file(run, build, guest["toolchain"]))


def boot_file(run: Run, build: Path, toolchain: str) -> Path:
    """What QEMU boots, once all is built: a program, or the image of a kernel and the run's apps.

    Raises UsageError or SetupError.
    """
    if not run.jobs:
        is_path = programs.is_path(run.program)
        return programs.check_file(run.program) if is_path else programs.find(run.program, build)
    from . import images, jobs

    apps = [(name, programs.find_app(program, build)) for name, program in jobs.by_name(run.jobs).items()]
    files = [(name, Path(file)) for name, file in run.options.get("input", [])]
    objdump = Path(toolchain, "bin", "sparc-elf-objdump")
    return images.make(programs.find_kernel(build), apps, files, objdump, images_dir(build))
