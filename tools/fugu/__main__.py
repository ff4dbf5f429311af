"""Entry of the launcher: `python3 tools/fugu ...`."""

import fcntl
import os
import sys

# Run as a directory, Python puts the directory itself on the path; the
# package is found from the one above.
sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from fugu.cli.main import main  # noqa: E402


def complete_files() -> None:
    """Standard input, output and error are open; using one that was closed fails, but for errors, which vanish.

    Where one is closed (`>&-`), the next file that is opened would take its
    number: QEMU would write the console to it. The shell may have put its own
    script there, which cannot be written.
    """
    for number, mode in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            usable = number < 2 or fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE != os.O_RDONLY
            os.fstat(number)
        except OSError:
            usable = False
        if not usable:
            null = os.open(os.devnull, mode)
            os.dup2(null, number)           # inheritable, unlike the other
            if null != number:
                os.close(null)
            else:
                os.set_inheritable(null, True)
    sys.stdout = sys.stdout or open(1, "w", closefd=False)      # noqa: SIM115: for as long as we run
    sys.stderr = sys.stderr or open(2, "w", closefd=False)      # noqa: SIM115


complete_files()
sys.exit(main(sys.argv[1:]))
