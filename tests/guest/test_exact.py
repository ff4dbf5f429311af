"""The same run comes out however the guest's code is translated.

What a run does is in its digest: launches, deliveries, traps and console
output of all nodes, with their local times.
"""

import re
import subprocess

import pytest

PROGRAMS = [("ring", 8), ("order", 5), ("backpressure", 4), ("dma", 1), ("cache", 1), ("timing", 1), ("places", 1),
            ("slots", 1), ("traps", 1), ("atomicity", 1), ("ramcode", 3), ("contexts", 1), ("second", 2), ("soft", 2),
            ("rewrite", 2), ("straight", 1), ("doubles", 1), ("couples", 1), ("random", 1)]
OPTIONS = {"soft": {"atomicity": "soft"}}

# QEMU's arguments, made from the usual ones.
VARIANTS = {
    "one instruction a block": lambda words: [re.sub("^tcg,", "tcg,one-insn-per-tb=on,", word) for word in words],
    "blocks not chained": lambda words: [*words, "-d", "nochain", "-D", "/dev/null"],
    "blocks often thrown away": lambda words: [re.sub("^tcg,", "tcg,tb-size=1,", word) for word in words],
}


@pytest.mark.parametrize("program, nodes", PROGRAMS)
def test_translation_does_not_show(machine, program, nodes):
    usual = machine(program, nodes=nodes, digest=True, **OPTIONS.get(program, {})).check(0)
    assert usual.digest
    for variant, change in VARIANTS.items():
        command = change(usual.command)
        assert command != usual.command
        done = subprocess.run(command, capture_output=True, text=True, timeout=100, stdin=subprocess.DEVNULL)

        assert done.stdout == usual.stdout, variant
        assert usual.digest in done.stderr + done.stdout, f"{variant}: another digest\n{done.stderr}"
