"""Two hosts: network namespaces with a cable between them."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest


class Hosts:
    """Two hosts: for each, the words before a command that runs there, and its address."""

    def __init__(self, prefixes, addresses):
        self.prefixes, self.addresses = prefixes, addresses


@pytest.fixture(scope="module")
def namespaces():
    """Two network namespaces, or None if this user may not create them."""
    names = [f"fugu-{os.getpid()}-{side}" for side in "ab"]
    addresses = ["10.213.0.1", "10.213.0.2"]

    def ip(*words):
        return subprocess.run(["ip", *words], stderr=subprocess.PIPE, text=True)
    try:
        if not shutil.which("ip") or ip("netns", "add", names[0]).returncode:
            yield None
            return
        for words in (["netns", "add", names[1]],
                      ["-n", names[0], "link", "add", "cable", "type", "veth", "peer", "cable", "netns", names[1]]):
            assert not ip(*words).returncode, words
        for name, address in zip(names, addresses, strict=True):
            for words in (["addr", "add", f"{address}/24", "dev", "cable"], ["link", "set", "cable", "up"],
                          ["link", "set", "lo", "up"]):
                assert not ip("-n", name, *words).returncode, words
        yield Hosts([["ip", "netns", "exec", name] for name in names], addresses)
    finally:
        if shutil.which("ip"):
            for name in names:
                ip("netns", "delete", name)
