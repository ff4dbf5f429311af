"""A flame graph of a profile: one page with the viewer speedscope and the data, which needs no network.

speedscope is a package of npm (host/node_packages.py). Its page takes a file that the user chooses; this page chooses its own.
"""

from __future__ import annotations

import base64
import json
import re
from html import escape
from pathlib import Path
from typing import Any

from ..host.node_packages import NodePackage
from . import profile
from .figures import Figures
from .programs import Programs

SPEEDSCOPE = NodePackage("speedscope", "1.25.0", "cpf9HWTZf1ijLXBJrk87Ve/54tnYx6rlf0gUThvn3ook6h63hLXVOQiMf44PT+XoV503cPfv"
                         "fiT5gP5vojp6Ag==", "dist/release")
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; \
style-src 'unsafe-inline'; font-src data:; img-src data: blob:">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<script type="text/plain" class="licence">{licence}</script>
<script type="application/json" id="profile">{data}</script>
<script>location.hash = "view=left-heavy";</script>
<script>{code}</script>
<script>{opens}</script>
</body>
</html>
"""
# Chooses the data as a user would choose a file.
OPENS = """(function open() {
    const input = document.getElementById("file"), chosen = new DataTransfer();
    if (!input) {
        setTimeout(open, 10);
        return;
    }
    chosen.items.add(new File([document.getElementById("profile").textContent], "profile.speedscope.json"));
    input.files = chosen.files;
    input.dispatchEvent(new Event("change", {bubbles: true}));
})();"""


def data(found: Figures, known: Programs, title: str) -> dict[str, Any]:
    """The profile in speedscope's format: all nodes together, then each one. A sample is a chain of callers with its cycles."""
    frames: dict[tuple[str, str], int] = {}
    nodes = []
    for node, all_frames in found.frames.items():
        chains: dict[int, list[int]] = {0: []}
        samples, weights = [], []
        for number, frame in all_frames.items():            # callers come first
            place = frames.setdefault((profile.name(frame, known), profile.owner(frame, known)), len(frames))
            chains[number] = [*chains[frame.parent], place]
            if frame.cycles:
                samples.append(chains[number])
                weights.append(frame.cycles)
        nodes.append((f"node {node}", samples, weights))
    whole = ("all nodes", [one for _, samples, _ in nodes for one in samples], [one for _, _, weights in nodes for one in weights])
    return {
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "exporter": "fugu",
        "name": title,
        "activeProfileIndex": 0,
        "shared": {"frames": [{"name": name, **({"file": owner} if owner else {})} for name, owner in frames]},
        "profiles": [{"type": "sampled", "name": name, "unit": "none", "startValue": 0, "endValue": sum(weights),
                      "samples": samples, "weights": weights} for name, samples, weights in ([whole] if len(nodes) > 1 else []) + nodes],
    }


def page(viewer: Path, title: str, profiles: dict[str, Any]) -> str:
    """The page. `viewer` is the folder with speedscope's files."""
    index = (viewer / "index.html").read_text()
    style, code = (_named(pattern, index, viewer) for pattern in (r'<link rel="stylesheet" href="([^"/]+\.css)"',
                                                                  r'<script src="([^"/]+\.js)"'))
    style = re.sub(r'url\("\./([^"/]+)"\)', lambda font: "url(data:font/woff2;base64,"
                   f"{base64.b64encode((viewer / font[1]).read_bytes()).decode()})", style)
    licence = "\n".join(path.read_text() for path in sorted(viewer.glob("*LICENSE*")))
    # No text may end the element that it is in.
    return PAGE.format(title=escape(title), style=style.replace("</", "<\\/"), licence=licence.replace("</", "<\\/"),
                       data=json.dumps(profiles, separators=(",", ":")).replace("<", "\\u003c"),
                       code=re.sub(r"</(?=script)", r"<\\/", code), opens=OPENS)


def _named(pattern: str, index: str, viewer: Path) -> str:
    """The text of the file that speedscope's page refers to, without its source map."""
    found = re.search(pattern, index)
    if not found:
        raise ValueError(f"{viewer} has a page without {pattern}")
    return re.sub(r"(/\*|//)# sourceMappingURL=\S+( \*/)?\s*$", "", (viewer / found[1]).read_text())
