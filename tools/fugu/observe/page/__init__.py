"""The page of a timeline: one HTML file that draws a run in a browser, without another file and without a network.

The file has the trace for Perfetto inside, compressed and in base64, and the code that reads it.

    page.html   the page, with places for what follows
    page.css    its style
    events.js   reads the packets of the trace
    run.js      what each processor does from when on, the way of each message
    mesh.js     the links of each message, and the picture of the mesh
    tracks.js   the tracks of the nodes and the messages between them
    main.js     opens the page; keys, pointer, search, what was chosen
"""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path
from types import TracebackType
from typing import Any

from ...abi import MESH, PERFETTO, ROUNDS, SEEN
from ...paths import program_name
from ...run.jobs import JOINT
from ...run.parse import Run, mesh_shape
from ..figures import Figures
from ..programs import Programs
from ..request import Request

SCRIPTS = ("events.js", "run.js", "mesh.js", "tracks.js", "main.js")
NETWORKS = ("mesh", "second", "mesh")       # options of the networks, by number: urgent messages use the main one's links
PIECE = 3 << 18                     # bytes of the compressed trace in an element: a multiple of 3
COMPRESSION = 6                     # of gzip
GZIP = 31                           # zlib's number for a gzip file with the largest window


class Page:
    """A file for the trace, which becomes a page. What is written to it are the bytes of the trace."""

    def __init__(self, file: str, facts: dict[str, Any]) -> None:
        folder = Path(__file__).parent
        text = (folder / "page.html").read_text()
        code = "\n".join((folder / name).read_text() for name in SCRIPTS).replace('"use strict";\n', "")
        # No text of the page may end the element that it is in.
        run = json.dumps(facts, separators=(",", ":")).replace("<", "\\u003c")
        text = text.replace("@STYLE@", (folder / "page.css").read_text().strip()).replace("@RUN@", run)
        before, after = text.split("@EVENTS@\n")
        # As constants of the code, and not as data, they cost a browser nothing.
        numbers = "\n".join(f"const {name} = {json.dumps(header.group(''))};" for name, header in
                            {"S": SEEN, "P": PERFETTO}.items())
        self._after = after.replace("@CODE@", f'"use strict";\n{numbers}\n{code.strip()}')
        self._file = open(file, "wb")
        self._packer = zlib.compressobj(COMPRESSION, zlib.DEFLATED, GZIP)
        self._packed = bytearray()
        self._file.write(before.encode())

    def __enter__(self) -> Page:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        with self._file:
            if not error:
                self._packed += self._packer.flush()
                self._put(len(self._packed))
                self._file.write(self._after.encode())

    def write(self, data: bytes) -> int:
        """Adds bytes of the trace."""
        self._packed += self._packer.compress(data)
        self._put(len(self._packed) - len(self._packed) % PIECE)
        return len(data)

    def _put(self, length: int) -> None:
        """Writes so many bytes of what is compressed."""
        for start in range(0, length, PIECE):
            piece = base64.b64encode(self._packed[start:min(length, start + PIECE)])
            self._file.write(b'<script type="application/octet-stream" class="events">' + piece + b"</script>\n")
        del self._packed[:length]


def facts(run: Run, request: Request, found: Figures, known: Programs, counters: dict[str, tuple[str, str]]) -> dict[str, Any]:
    """What the page needs beside the trace: the machine, and the numbers of the trace's format."""
    start, end = (min(max(cycle, found.start), found.end) for cycle in request.range)
    return {
        "title": title(run),
        "nodes": run.value("nodes"),
        "mesh": list(mesh_shape(run)),
        "networks": [{name: run.value(f"{network}-{name}") for name in ("base", "hop", "word")} for network in NETWORKS],
        "dma_word": run.value("dma-word"),
        "cycle_ns": ROUNDS["CYCLE_NS"],
        "start": start,
        "end": end,
        "kinds": request.kinds,
        "all_nodes": not request.nodes or len(set(request.nodes)) == run.value("nodes"),
        "jobs": {gid: name for gid, name in known.jobs.items()},
        "process_nodes": found.process_nodes,
        "codes": found.codes,
        "counters": [[SEEN[f"TRACK_{track}"], name, unit] for track, (name, unit) in counters.items()],
        "links": [[*place, words] for place, words in sorted(found.links.items()) if place[2] < MESH["LINKS"]],
    }


def title(run: Run) -> str:
    """What has run, in the words of the command line. A byte that has no letter is the sign for that, U+FFFD."""
    if "load" in run.options:
        return printable(f"--load {run.options['load']}")
    if run.jobs:
        return printable(f" {JOINT} ".join(" ".join([job.name + (f"@{job.start}" if job.start else ""), *job.args])
                                           for job in run.jobs))
    return printable(" ".join([program_name(run.program), *run.args]))


def printable(text: str) -> str:
    """The text without what no file of XML may have and no encoding can have: control characters, and bytes that are not UTF-8."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)
