"""tools/container/Containerfile, and the workflow in docs/ci.md."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from fugu.build.fingerprint import INPUTS
from fugu.cli.help import options_of
from fugu.options.table import BY_NAME
from fugu.paths import ROOT

FILE = ROOT / "tools" / "container" / "Containerfile"
PAGE = (ROOT / "docs" / "ci.md").read_text()


def instructions(name):
    text = FILE.read_text().replace("\\\n", " ")
    return [line.split()[1:] for line in text.splitlines() if line.startswith(name + " ")]


def test_everything_that_set_up_reads_is_copied():
    copied = {word for words in instructions("COPY") for word in words[:-1]}
    assert all((ROOT / name).exists() for name in copied)
    assert {name.partition("/")[0] for part in ("qemu", "guest") for name in INPUTS[part]} <= copied
    assert {"run.sh", "tools"} <= copied and not {"build", ".", ".git"} & copied


def test_set_up_is_the_same_as_everywhere():
    assert instructions("FROM") == [["docker.io/library/debian:12"]]
    assert [words[:2] for words in instructions("RUN")] == [["./run.sh", "setup"]]
    assert f'"{instructions("WORKDIR")[0][0]}/run.sh"' in instructions("ENTRYPOINT")[0][0]


def builder():
    """podman or docker, if it works on this host; else the reason why there is none."""
    why = "there is neither podman nor docker"
    for name in ("podman", "docker"):
        if shutil.which(name):
            done = subprocess.run([name, "info"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  errors="replace", timeout=60)
            if done.returncode == 0:
                return name, ""
            why = f"{name} does not work here: {(done.stderr.strip().splitlines() or ['it does not say why'])[-1]}"
    return None, why


@pytest.mark.long
@pytest.mark.timeout(5400)
def test_image_is_built_and_runs():
    command, why = builder()
    if not command:
        pytest.skip(why)
    subprocess.run([command, "build", "-t", "fugu-test", "-f", FILE, ROOT], check=True)
    done = subprocess.run([command, "run", "--rm", "fugu-test", "-n", "2", "hello"], capture_output=True, text=True,
                          timeout=600)
    assert done.returncode == 0, done.stderr
    assert "hello from node 1 of 2" in done.stdout


# ---- docs/ci.md ------------------------------------------------------------------

def test_commands_of_the_page_exist():
    """Each ./run.sh of the page has a command, or options, that exist."""
    workflow = re.search(r"```yaml\n(.*?)```", PAGE, re.DOTALL)[1]
    lines = re.findall(r"fugu/run\.sh ([^)>\n]*)", workflow)
    assert len(lines) >= 4
    for line in lines:
        first, *rest = line.split()
        known = BY_NAME if first.startswith("-") else {name for name, _ in options_of(first)}
        if first != "cc":
            assert {word for word in [first, *rest] if word.startswith("-")} <= set(known), line


def test_key_is_the_one_that_is_used():
    assert 'echo "key=$(fugu/run.sh setup --key)" >> "$GITHUB_OUTPUT"' in PAGE
    assert "steps.fugu.outputs.key" in PAGE and "id: fugu" in PAGE
    assert str(FILE.relative_to(ROOT)) in PAGE
