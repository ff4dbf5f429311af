"""What can go wrong in the launcher, and the exit statuses for it.

These statuses are the launcher's own. Those of a run come from the machine,
through QEMU: a guest program's, 0 to 119, and those of hw/machine/machine.h, which
abi.STATUS has. docs/setup.md has the whole table.
"""

import errno
import os

STATUS_USAGE = 2
STATUS_SETUP = 3
STATUS_INTERNAL = 127

# What the host may lack in any operation, and what the user can do about it.
LACKS = {
    errno.EACCES: "make it writable, or name other places: FUGU_CACHE and FUGU_BUILD",
    errno.EPERM: "make it writable, or name other places: FUGU_CACHE and FUGU_BUILD",
    errno.ENOTDIR: "name other places: FUGU_CACHE and FUGU_BUILD",
    errno.ENOSPC: "make room, or name places on another disk: FUGU_CACHE and FUGU_BUILD",
    errno.EDQUOT: "make room, or name places on another disk: FUGU_CACHE and FUGU_BUILD",
    errno.EFBIG: "allow larger files: ulimit -f",
    errno.EROFS: "name places that can be written: FUGU_CACHE and FUGU_BUILD",
    errno.EMFILE: "allow more open files: ulimit -n",
    errno.ENFILE: "this host has too many files open",
    errno.ENOMEM: "make memory free, or allow more: ulimit -v",
    errno.EAGAIN: "end some processes, or allow more: ulimit -u",
    errno.EIO: "is the disk broken, or its server gone?",
}


class FuguError(Exception):
    """A failure that is reported as a message, without a traceback."""

    status = STATUS_INTERNAL


class UsageError(FuguError):
    """The command line makes no sense. Nothing was started."""

    status = STATUS_USAGE


class UnknownProgram(UsageError):
    """There is no program of that name."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


class SetupError(FuguError):
    """Something that is needed could not be installed, fetched or built."""

    status = STATUS_SETUP


def lacking(error: BaseException) -> SetupError | None:
    """The message for an error that the host causes: a file may not be written, or no room or memory is left.

    Returns None for any other error.
    """
    if isinstance(error, MemoryError):
        return lacking(OSError(errno.ENOMEM, "Cannot allocate memory"))
    if isinstance(error, RuntimeError) and "start new thread" in str(error):
        return lacking(OSError(errno.EAGAIN, "Cannot start a thread"))
    if not isinstance(error, OSError) or error.errno not in LACKS:
        return None
    where = f"{error.filename}: " if error.filename else ""
    whose = owner(error.filename) if error.filename and error.errno in (errno.EACCES, errno.EPERM) else ""
    return SetupError(f"the host has refused an operation: {where}{error.strerror}{whose}.\n"
                      f"To do: {LACKS[error.errno]}.")


def owner(path: str | os.PathLike[str]) -> str:
    """", and FILE belongs to USER" for the file or the nearest folder above it; empty if USER runs the launcher."""
    import pwd

    near = os.path.abspath(os.fsdecode(path))
    while not os.path.lexists(near):
        near = os.path.dirname(near)
    user = os.lstat(near).st_uid
    if user == os.geteuid():
        return ""
    try:
        return f", and {near} belongs to {pwd.getpwuid(user).pw_name}"
    except KeyError:
        return f", and {near} belongs to user {user}"
