"""Entry of the launcher: `python3 tools/fugu ...`."""

import os
import sys

# Run as a directory, Python puts the directory itself on the path; the
# package is found from the one above.
sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from fugu.cli import main  # noqa: E402


def complete_files() -> None:
    """Standard input, output and error are open. What was closed cannot be read, or written; errors vanish.

    Where one is closed (`>&-`), the next file that is opened would take its
    number: QEMU would write the console to it.
    """
    for number, mode in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, mode), True)
    if not sys.stdout:
        sys.stdout = open(1, "w", closefd=False)        # noqa: SIM115: for as long as we run
    if not sys.stderr:
        sys.stderr = open(os.devnull, "w")              # noqa: SIM115


complete_files()
sys.exit(main(sys.argv[1:]))
