"""What a timeline costs: host time and bytes for each message, eight nodes, each sends to all."""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path

from ..errors import SetupError
from ..observe import plan, request
from ..observe.programs import Program, Programs
from ..run.parse import parse
from ._runs import command, cpu, guest, measure, option_parser
from ._samples import SPREAD, figure, in_turns
from ._table import Table
from ._words import whole

LEVEL = 6               # of gzip, as for FILE.gz


def main(argv: list[str]) -> int | None:
    """Measures a run without observer, with figures, and with a timeline of all kinds of events."""
    parser = option_parser("timeline", 3)
    parser.add_argument("--messages", type=whole, default=10_000, metavar="M",
                        help="messages from each node to each (default: %(default)s)")
    options = parser.parse_args(argv)
    program = guest("alltoall")
    known = Programs({0: Program("program", program)}, {})
    plain = command("alltoall", f"messages={options.messages}")
    with tempfile.TemporaryDirectory(prefix="fugu-bench-") as folder:
        lines = {"not observed": plain}
        for name, words in (("figures", ["--stats"]), ("timeline", ["--timeline", str(Path(folder, "t"))])):
            place = Path(folder, name)
            place.mkdir()
            plan.write(place / "plan", request.of(parse([*words, program])), known)
            lines[name] = [*plain, "-machine", f"observe={place}"]
        samples = in_turns({name: cpu(line) for name, line in lines.items()}, options.times)
        took = {name: figure(values) for name, values in samples.items()}
        output = measure(lines["timeline"]).stdout
        data = Path(folder, "timeline", "timeline.0").read_bytes()
    if output != measure(plain).stdout:
        raise SetupError("a run with a timeline has printed something else than the same run without.")
    sent = 8 * 8 * options.messages
    table = Table(f"alltoall on 8 nodes, {sent:,} messages", "observed", "host time", "times the plain run",
                  "bytes a message", "compressed")
    table.row("no", took["not observed"], "", "", "")
    table.row("figures", took["figures"], took["figures"] / took["not observed"], "", "")
    table.row("timeline", took["timeline"], took["timeline"] / took["not observed"], f"{len(data) / sent:.0f}",
              f"{len(gzip.compress(data, LEVEL)) / sent:.1f}")
    table.note("CPU time of QEMU. The launcher's time to copy or compress the file is not in it.")
    table.note(SPREAD)
    table.show()
    return None
