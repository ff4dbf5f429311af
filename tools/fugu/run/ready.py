"""Makes QEMU and what it boots ready for a `Run`: builds what is out of date."""

from __future__ import annotations

from pathlib import Path

from ..build.everything import up_to_date
from ..paths import build_dir, images_dir
from . import programs
from .parse import Run


def ready(run: Run) -> tuple[str, str]:
    """The paths of QEMU and of what it boots, both up to date. The second is empty if a snapshot is loaded."""
    loaded = "load" in run.options      # the snapshot contains the program
    own = not run.jobs and not loaded and programs.is_path(run.program)
    if own:
        programs.check_file(run.program)
    elif not loaded and not run.jobs:
        programs.check_name(run.program)
    if loaded or own:
        return up_to_date(["qemu"])["qemu"]["qemu"], run.program if own else ""
    outputs = up_to_date(["qemu", "guest"])
    return outputs["qemu"]["qemu"], str(boot_file(run, build_dir(), outputs["guest"]["toolchain"]))


def boot_file(run: Run, build: Path, toolchain: str) -> Path:
    """The file that QEMU boots: a program, or the boot image of the kernel and the run's apps. All must be built.

    Raises UsageError or SetupError.
    """
    if not run.jobs:
        is_path = programs.is_path(run.program)
        return programs.check_file(run.program) if is_path else programs.find(run.program, build)
    from ..image import store
    from . import jobs

    apps = [(name, programs.find_app(program, build)) for name, program in jobs.by_name(run.jobs).items()]
    files = [(name, Path(file)) for name, file in run.options.get("input", [])]
    objdump = Path(toolchain, "bin", "sparc-elf-objdump")
    return store.make(programs.find_kernel(build), apps, files, objdump, images_dir(build))
