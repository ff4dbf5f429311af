"""The numbers of the paper on Remote Queues."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

PAPER: dict[str, Any] = json.loads(Path(__file__).with_name("remote-queues.json").read_text())
CYCLES: dict[str, Any] = PAPER["alewife_cycles"]
