"""What is done for each message takes no lock of QEMU's."""

import re
from collections import Counter

# The files of QEMU's source that take a lock on a processor's behalf: for an access to a device, for an interrupt
# that is asked for or withdrawn, for PSR.
PLACES = ("accel/tcg/cputlb.c", "accel/tcg/cpu-exec.c", "target/sparc/sparcle.c", "target/sparc/win_helper.c")


def locks(run, tmp_path, *words, **options):
    """How often each place has taken a lock in a run."""
    trace = tmp_path / "locks"
    done = run(*words, more=("-trace", "qemu_mutex_locked", "-D", trace), **options)
    assert done.returncode == 0, done.stdout + done.stderr
    found = Counter(re.findall(r"qemu_mutex_locked .*\((?:.*/)?((?:accel|target)/[\w/-]+\.c):\d+\)", trace.read_text()))
    return {place: found[place] for place in PLACES}


def test_messages_take_no_lock(run, tmp_path):
    """A program that polls for messages, with their interrupt masked, takes as many locks for 200 messages as for
    300: those of the console, and of its end."""
    few, many = (locks(run, tmp_path, "alltoall", f"messages={count}", "words=2", nodes=4) for count in (200, 300))
    assert few == many
    assert few["accel/tcg/cputlb.c"] > 0
