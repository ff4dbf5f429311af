"""Starts the processes of a run on this host, and becomes the first of them.

This process makes and connects the sockets before any process starts, so no
other program can connect. Each process inherits its socket as an open
descriptor, and no path is left in the file system. The launcher does not stay
as a parent. When a process dies, the host's kernel closes its sockets, and the
other processes end.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import IO, Any, NoReturn

from ..errors import SetupError
from . import meeting, partition, qemu_command
from .parse import Run
from .partition import Split


@dataclass(frozen=True)
class Start:
    """A process to start: its command, and the open files that it inherits."""

    number: int
    command: list[str]
    files: tuple[int, ...] = ()


def children_option(children: Sequence[subprocess.Popen[bytes]]) -> list[str]:
    """The words that tell the hub which of its child processes are peers: it may have others."""
    return ["-machine", f"link-children={'+'.join(str(child.pid) for child in children)}"] if children else []


def become_one(qemu: str, kernel: str, run: Run, parts: Split) -> NoReturn:
    """Starts all processes of this host; the launcher's own process becomes the first."""
    with prepared(qemu, kernel, run, parts) as (first, *others):
        # The others run in the background, where a terminal with `stty tostop`
        # would stop them when they write. Ignored signals stay ignored in them.
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        children = start(others)
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        sys.stdout.flush()
        sys.stderr.flush()
        for file in first.files:
            os.set_inheritable(file, True)
        try:
            os.execv(first.command[0], [*first.command, *children_option(children) * (first.number == 0)])
        except OSError as error:
            end(children)
            raise SetupError(f"QEMU does not start: {first.command[0]}: {error.strerror}.") from None


def start(starts: Sequence[Start], stdout: IO[Any] | int | None = None,
          stderr: IO[Any] | int | None = None) -> list[subprocess.Popen[bytes]]:
    """Starts these processes, each in its own process group.

    So Control-C at the terminal reaches only the first process, which tells
    the others. If one fails to start, ends all of them. SetupError.
    """
    children: list[subprocess.Popen[bytes]] = []
    for one in starts:
        try:
            children.append(subprocess.Popen(one.command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr,
                                             pass_fds=one.files, process_group=0))
        except OSError as error:
            end(children)
            raise SetupError(f"process {one.number} does not start: {one.command[0]}: {error.strerror}.") from None
    return children


def end(children: Sequence[subprocess.Popen[bytes]]) -> None:
    """Kills these processes and waits for them."""
    for child in children:
        child.kill()
    for child in children:
        child.wait()


# ---- what each process gets --------------------------------------------------

@contextmanager
def prepared(qemu: str, kernel: str, run: Run, parts: Split) -> Iterator[list[Start]]:
    """The processes to start here, in order, with open sockets.

    Caller must start them inside the context: its end closes the sockets of
    this process.
    """
    with ExitStack() as held:
        if parts.hub:
            yield _hub_and_peers(qemu, kernel, run, parts, held)
        else:
            # QEMU connects, and tries again until --link-timeout is over.
            address, secret, files = _to_join(qemu, run, held)
            yield [Start(number, qemu_command.command(qemu, kernel, run, part(run, parts, number, address, secret, qemu)),
                         files) for number in parts.here]


def _to_join(qemu: str, run: Run, held: ExitStack) -> tuple[str, str, tuple[int, ...]]:
    """The hub's address, the file with the secret, and files that QEMU inherits for it."""
    task = partition.task_of(run)
    if not task:
        return "{}:{}".format(*run.options["join"]), run.options["secret-file"], ()
    ticket = meeting.find(partition.meeting_folder(run, task), task.number, partition.link_timeout(run), _build(qemu))
    file = _memory_file(ticket.secret, held)
    return ticket.address, f"/dev/fd/{file}", (file,)


def _build(qemu: str) -> str:
    """A name for the build of QEMU: the cache keeps it under a key of everything that went in."""
    return os.path.basename(os.path.dirname(os.path.realpath(qemu)))


def _hub_and_peers(qemu: str, kernel: str, run: Run, parts: Split, held: ExitStack) -> list[Start]:
    count = len(parts.here) - 1
    sockets = _tcp_sockets(run, count, held) if parts.transport == "tcp" else _unix_sockets(count, held)
    port = sockets[0].getsockname()[1] if parts.transport == "tcp" else 0
    secret = run.options.get("secret-file")
    common: tuple[int, ...] = ()
    if parts.transport == "tcp" and not secret:
        text = os.urandom(32).hex()
        file = _memory_file(text, held)
        secret, common = f"/dev/fd/{file}", (file,)
        if task := partition.task_of(run):
            meeting.call(partition.meeting_folder(run, task), range(1, task.count),
                         meeting.Ticket(partition.reached_at(run, port), text, _build(qemu)))
    elif "hosts" in run.options:
        _tell(run, port)
    return [Start(number, qemu_command.command(qemu, kernel, run,
                                          part(run, parts, number, f"fd:{mine.fileno()}", secret, qemu)),
                  (mine.fileno(), *common))
            for number, mine in zip(parts.here, sockets, strict=True)]


def part(run: Run, parts: Split, number: int, link: str, secret: str | None, qemu: str = "") -> qemu_command.Part:
    """What QEMU's command line has for this process."""
    build = _build(qemu)
    return qemu_command.Part(process=number, processes=parts.processes, nodes=parts.nodes_of(number),
                        transport=parts.transport, link=link, timeout=partition.link_timeout(run), secret=secret,
                        quiet=number != parts.here[0],
                        build=int(build, 16) if re.fullmatch("[0-9a-f]{16}", build) else 0)


def _tell(run: Run, port: int) -> None:
    """Prints the commands to start on the other hosts."""
    seconds = f"{partition.link_timeout(run):g}"
    for name, numbers in partition.others(run):
        which = f"process {numbers[0]}" if len(numbers) == 1 else f"processes {numbers[0]} to {numbers[-1]}"
        line = shlex.join(partition.join_command(run, numbers, partition.reached_at(run, port)))
        print(f"fugu: {which}: start on {name}, within {seconds} s:\n  {line}", file=sys.stderr)
    host = partition.listen_address(run)[0]
    if host.startswith("127.") or host in ("[::1]", "localhost"):
        print(f"fugu: {host} can be reached from other hosts only through a tunnel; --listen changes that",
              file=sys.stderr)


# ---- sockets and the secret ----------------------------------------------------

def _unix_sockets(count: int, held: ExitStack) -> list[socket.socket]:
    """A listening socket, and `count` sockets that are connected to it."""
    with tempfile.TemporaryDirectory(prefix="fugu-") as folder:
        # The folder's own path may be too long for a socket address.
        directory = os.open(folder, os.O_PATH | os.O_DIRECTORY)
        try:
            path = f"/proc/self/fd/{directory}/link"
            listener = held.enter_context(socket.socket(socket.AF_UNIX))
            listener.bind(path)
            return _connected(listener, path, count, held)
        finally:
            os.close(directory)


def _tcp_sockets(run: Run, count: int, held: ExitStack) -> list[socket.socket]:
    """The same by TCP: at --listen, or on loopback."""
    listener = _bound(run, held)
    host, *rest = listener.getsockname()
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return _connected(listener, (here, *rest), count, held)


def _connected(listener: socket.socket, address: Any, count: int, held: ExitStack) -> list[socket.socket]:
    listener.listen(128)
    # connect() returns as soon as the connection is in the listener's queue.
    others = [held.enter_context(socket.socket(listener.family)) for _ in range(count)]
    for other in others:
        other.connect(address)
    return [listener, *others]


def _bound(run: Run, held: ExitStack) -> socket.socket:
    """A socket bound to --listen if there are other hosts, else to any port of loopback. SetupError."""
    *first, last = partition.listen_addresses(run)
    for host, port in first:
        try:
            return _bound_to(host, port, held)
        except OSError:
            pass                # another start has this port
    host, port = last
    try:
        return _bound_to(host, port, held)
    except socket.gaierror as error:
        raise SetupError(f"--listen {host}: there is no such host: {error.strerror}.") from None
    except OSError as error:
        raise SetupError(f"cannot listen at {host}:{port}: {error.strerror}.\n"
                         "Name an address of this host and a free port: --listen HOST:PORT") from None


def _bound_to(host: str, port: int, held: ExitStack) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM,
                                                            flags=socket.AI_PASSIVE)[0]
    listener = held.enter_context(socket.socket(family, kind, protocol))
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(address)
    return listener


def _memory_file(text: str, held: ExitStack) -> int:
    """Writes a secret to a memory file that each process inherits. Returns the file's descriptor."""
    file = os.memfd_create("fugu-secret")
    held.callback(os.close, file)
    os.write(file, text.encode())
    return file


# ---- --dry-run -----------------------------------------------------------------

def dry_lines(qemu: str, kernel: Any, run: Run) -> list[str]:
    """The commands as a user could type them: addresses and files stand for inherited descriptors."""
    parts = partition.of(run)
    if not parts:
        return [shlex.join(qemu_command.command(qemu, kernel, run))]
    secret = run.options.get("secret-file")
    if not parts.hub:
        link, secret = ("{}:{}".format(*run.options["join"]), secret) if "join" in run.options else ("HUB", "fugu-secret")
    elif parts.transport != "tcp":
        link = "unix:fugu-link"
    else:
        link, secret = "{}:{}".format(*partition.listen_addresses(run)[0]), secret or "fugu-secret"
    links = [link, *[_from_here(link)] * (len(parts.here) - 1)]
    lines = [shlex.join(qemu_command.command(qemu, kernel, run, part(run, parts, number, link, secret)))
             for number, link in zip(parts.here, links, strict=True)]
    for name, numbers in partition.others(run):
        address = partition.reached_at(run, partition.listen_address(run)[1])
        lines += [f"# on {name}:", shlex.join(partition.join_command(run, numbers, address))]
    return lines


def _from_here(link: str) -> str:
    """The hub's address as processes on this host reach it, also if the hub listens on all interfaces."""
    host, colon, port = link.rpartition(":")
    return partition.WILDCARDS.get(host, host) + colon + port
