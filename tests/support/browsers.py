"""A browser for the tests of pages: Chromium without a window. They are skipped where it cannot be had."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from fugu.host import python_tools
from fugu.host.on_demand import CHROMIUM

WAIT = 60_000           # milliseconds for the browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """The browser, as Playwright has it."""
    if reason := os.environ.get("FUGU_NO_BROWSER"):
        pytest.skip(f"no browser: {reason}")
    python_tools.on_demand(python_tools.BROWSER, "Playwright")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as player:
        launched = player.chromium.launch(executable_path=shutil.which(CHROMIUM.command), timeout=WAIT,
                                          args=["--no-sandbox"])
        yield launched
        launched.close()
