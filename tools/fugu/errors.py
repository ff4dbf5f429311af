"""What can go wrong in the launcher, and the exit statuses for it.

The statuses of a run come from the machine itself, through QEMU: the first
non-zero status of a guest program, 0..119, as it is, and the ones above 119
below. docs/setup.md has the whole table.
"""

STATUS_USAGE = 2
STATUS_SETUP = 3
STATUS_FILE = 121
STATUS_TIMEOUT = 124
STATUS_DEADLOCK = 125
STATUS_ERROR_MODE = 126
STATUS_INTERNAL = 127
STATUS_INTERRUPTED = 130


class FuguError(Exception):
    """A failure that is reported as a message, without a traceback."""

    status = STATUS_INTERNAL


class UsageError(FuguError):
    """The command line makes no sense; nothing was started."""

    status = STATUS_USAGE


class SetupError(FuguError):
    """Something that is needed could not be installed, fetched or built."""

    status = STATUS_SETUP
