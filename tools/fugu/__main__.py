"""Entry of the launcher: `python3 tools/fugu/__main__.py ...`."""

import fcntl
import os
import signal
import sys

# Control-C ends the launcher without a traceback while it still imports its
# modules. main() has a message for it. An ignored signal stays ignored.
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

# Python puts the directory that it runs on the path. The package is found from
# the directory above.
sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from fugu.cli.main import main  # noqa: E402


def complete_files() -> None:
    """Opens standard input, output and error where they are closed.

    Using a stream that was closed still fails, except that text written to
    standard error is lost. If one stayed closed (`>&-`), the next file opened
    would get its number, and QEMU would write the console to that file. The
    shell may also have put its script, which is read-only, at that number.
    """
    for number, mode in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            usable = number < 2 or fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE != os.O_RDONLY
            os.fstat(number)
        except OSError:
            usable = False
        if not usable:
            null = os.open(os.devnull, mode)
            os.dup2(null, number)           # this descriptor is inheritable; `null` is not
            if null != number:
                os.close(null)
            else:
                os.set_inheritable(null, True)
    sys.stdout = sys.stdout or open(1, "w", closefd=False)      # noqa: SIM115: open until we end
    sys.stderr = sys.stderr or open(2, "w", closefd=False)      # noqa: SIM115
    # Paths and arguments are bytes, and go out as they came in.
    sys.stdout.reconfigure(errors="surrogateescape")


complete_files()
sys.exit(main(sys.argv[1:]))
