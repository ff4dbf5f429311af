"""Snapshots with random heads: what the launcher makes of them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from fugu.errors import UsageError
from fugu.run import qemu_command
from fugu.run.parse import parse
from fugu.run.snapshot import MAGIC, SAVED, VERSION

HEAD = {"cycle": 5000, "disks": {}, "disk-snapshot": "fugu-1", "program": {"file": "/none", "sha256": "", "args": "a b"},
        "parameters": {"nodes": 6, "mesh": "3x2", "quantum": 64, "atomicity": "soft", "cache": False, "node-ram": 1 << 20}}
NAMES = [*SAVED, "digest", "output", "load", "reporter", "file", "sha256", "0", "5", "", "\u0663", "a,b"]
TEXTS = ["", ",", "on,output=here", "3x2", "6x1", "\u0663x2", "hard", "soft", "off", "/none,x", "/none", "-S", "\0",
         "\ud800", "\x1b[2J", "\n", "9" * 5000]
NUMBERS = [0, 1, 6, -1, 64, 1 << 20, 1 << 32, 1 << 64, 10 ** 400, 0.5, float("inf"), float("nan")]
# All that may stand in the machine's settings.
ALLOWED = {*SAVED, "load", "console"}


def check(file: Path, seed: int, times: int) -> None:
    """Loads `times` snapshots, each with a head of its own. AssertionError for what is neither a message nor a machine."""
    rng = random.Random(seed)
    for _ in range(times):
        head = _changed(rng, HEAD, 0)
        text = json.dumps(head).encode()
        if rng.random() < 0.2:
            place = rng.randrange(len(text))
            text = text[:place] + bytes([rng.randrange(256)]) * rng.randrange(3) + text[place + 1:]
        file.write_bytes(MAGIC + f"{VERSION}\n".encode() + text + b"\nQEVM...")
        try:
            line = qemu_command.command("qemu", "", parse(["--load", str(file)]))
        except UsageError as error:
            assert str(error).startswith(f"--load {file}: ") and str(error).replace("\n", "").isprintable(), (seed, text)
            continue
        settings = line[line.index("-M") + 1].split(",")
        assert settings[0] == "fugu" and {one.partition("=")[0] for one in settings[1:]} <= ALLOWED, text
        assert "-drive" not in line and "-append" not in line and "-kernel" not in line, text


def _changed(rng: random.Random, value: Any, depth: int) -> Any:
    """The value, or another one, or the value with changes in it."""
    if depth and rng.random() < 0.08:
        return _any(rng, depth)
    if isinstance(value, dict):
        found = {key: _changed(rng, one, depth + 1) for key, one in value.items() if rng.random() < 0.97}
        if rng.random() < 0.3:
            found[rng.choice(NAMES)] = _any(rng, depth)
        return found
    return value


def _any(rng: random.Random, depth: int) -> Any:
    kind = rng.randrange(6 if depth < 4 else 4)
    if kind == 0:
        return rng.choice(TEXTS)
    if kind == 1:
        return rng.choice(NUMBERS)
    if kind == 2:
        return rng.choice([True, False, None])
    if kind == 3:
        return rng.randrange(1 << rng.randrange(1, 40))
    if kind == 4:
        return [_any(rng, depth + 1) for _ in range(rng.randrange(3))]
    return {rng.choice(NAMES): _any(rng, depth + 1) for _ in range(rng.randrange(3))}
