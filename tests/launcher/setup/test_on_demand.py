"""Programs that are installed when a command first needs them."""

from __future__ import annotations

import re

import pytest

from fugu.commands import test as testrun
from fugu.errors import SetupError
from fugu.host import on_demand, packages

TOOLS = {tool.command: tool for tool in (on_demand.GDB, on_demand.SPIN, on_demand.CTAGS, on_demand.CHROMIUM,
                                         on_demand.M4, on_demand.SLURM, on_demand.MPI, on_demand.ARM64_COMPILER,
                                         on_demand.ARM64_RUNNER)}


@pytest.fixture(autouse=True, params=TOOLS)
def tool(request, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("FUGU_NO_APT", raising=False)
    return TOOLS[request.param]


def test_missing_tool_is_installed(tool, monkeypatch, tmp_path):
    asked = []
    monkeypatch.setenv("FUGU_CACHE", str(tmp_path / "cache"))

    def install(parts, logs, display):
        asked.extend(parts)
        assert logs == tmp_path / "cache" / "logs" and logs.parent.is_dir()
        (tmp_path / tool.command).write_text("#!/bin/sh\n")
        (tmp_path / tool.command).chmod(0o755)
    monkeypatch.setattr(packages, "ensure_packages", install)
    assert on_demand.ensure(tool) == str(tmp_path / tool.command)
    assert asked == [tool.part] and packages.PACKAGES[tool.part]


def test_missing_tool_without_apt_is_reported(tool, monkeypatch):
    """With what takes it, the package, and what is as good."""
    monkeypatch.setenv("FUGU_NO_APT", "1")
    with pytest.raises(SetupError) as caught:
        on_demand.ensure(tool)
    takes, package, instead = str(caught.value).splitlines()
    assert re.fullmatch(rf"\w.+ takes {tool.command}, and it is not there\.", takes)
    assert package == ("FUGU_NO_APT is set, so nothing is installed. Debian's package is "
                       f"{' '.join(packages.PACKAGES[tool.part])};")
    assert re.fullmatch(r"any \w.+ will do\b.*\.", instead)


def test_package_without_the_command_is_reported(tool, monkeypatch):
    monkeypatch.setattr(packages, "ensure_packages", lambda *_: None)
    with pytest.raises(SetupError, match=f"no {tool.command} on the path"):
        on_demand.ensure(tool)


def test_tests_ask_for_every_tool(tool):
    assert tool in (*testrun.TOOLS, *testrun.OPTIONAL, *testrun.CLUSTER, *testrun.ARM64)
