"""./run.sh test within the test's own process, without set-up, browser and cluster."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest


@pytest.fixture
def command_alone(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Any], list[str]]], ModuleType]:
    """command_alone(pytest_for) -> the command's module. It sets nothing up, and starts pytest_for(words) as pytest."""
    def prepared(pytest_for: Callable[[Any], list[str]]) -> ModuleType:
        from fugu.commands import test as module

        monkeypatch.setattr(module, "everything", lambda **_: None)
        monkeypatch.setattr(module, "paths", lambda outputs: {})
        monkeypatch.setattr(module, "_command", pytest_for)
        monkeypatch.setattr(module, "TOOLS", ())
        monkeypatch.setattr(module, "_browser", dict)
        monkeypatch.setattr(module, "_cluster", lambda: None)
        for name in ("on_demand", "environment"):
            monkeypatch.setattr(module.python_tools, name, lambda *_: None)
        monkeypatch.setattr(module.execute, "terminate_like_interrupt", lambda: None)
        return module
    return prepared
