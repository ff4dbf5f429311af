"""What the user has asked for: which observations of a run, and where they go."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..abi import MACHINE, PROCESS, SEEN
from ..errors import UsageError
from ..run.parse import Run

PAGE = ".html"          # how the name of a timeline ends that is a page
PICTURE = ".svg"
RACES = "races"         # value of --check
NODES_MOST = 64         # whose accesses are ordered
KEYS = ("stats", "stats-json", "timeline", "picture")
DETAILS = ("timeline-kinds", "timeline-nodes", "timeline-cycles")


@dataclass
class Request:
    """Which observations, and where they go: "" is standard output."""

    stats: bool = False
    json: str = ""
    picture: str = ""
    timeline: str = ""
    kinds: int = 0                      # FUGU_KIND_* of a timeline
    nodes: list[int] = field(default_factory=list)      # of a timeline; empty: all
    range: tuple[int, int] = (0, 0)     # its cycles
    profile: bool = False
    stacks: str = ""                    # of the profile; empty: none
    flame: str = ""                     # of the profile, too
    races: bool = False

    def __bool__(self) -> bool:
        return bool(self.stats or self.json or self.picture or self.timeline or self.profile or self.races)


def of(run: Run) -> Request:
    """What the options of a run ask for. UsageError, CannotWrite."""
    options = run.options
    if "timeline" not in options:
        for key in DETAILS:
            if key in options:
                raise UsageError(f"--{key} says what a timeline has, and no timeline is asked for: --timeline FILE")
    elif options["timeline"].lower().endswith((f"{PAGE}.gz", ".htm")):
        raise UsageError(f"--timeline {options['timeline']}: a page's name ends with {PAGE}, and the page is compressed inside.")
    if not options.get("picture", PICTURE).endswith(PICTURE):
        raise UsageError(f"--picture {options['picture']}: the picture is an SVG file, and its name ends with {PICTURE}.")
    given = [key for key in KEYS if key in options]
    for key in given:
        check_split(run, f"--{key}")
        if options.get("dry-run"):
            raise UsageError(f"--dry-run and --{key} contradict each other: leave one of them out.")
    return Request(stats="stats" in options, json=options.get("stats-json", ""),
                   picture=options.get("picture", ""), timeline=options.get("timeline", ""), kinds=_kinds(options.get("timeline-kinds")),
                   nodes=_nodes(run), range=options.get("timeline-cycles", (0, MACHINE["TIME_MAX"])), races=_races(run))


def _races(run: Run) -> bool:
    """Whether races are to be found. UsageError."""
    if run.options.get("check") != RACES:
        return False
    what = f"--check {RACES}"
    for key in ("dry-run", "load", "processes", "hosts", "join"):
        if key in run.options:
            raise UsageError(f"{what} and --{key} contradict each other: leave one of them out.")
    if not run.jobs:
        raise UsageError(f"{what} is about the jobs of Glaze, and this program runs on the bare machine.")
    if run.value("ni") != "fugu":
        raise UsageError(f"{what} knows what orders the messages of --ni fugu, and not those of --ni {run.value('ni')}.")
    if run.value("atomicity") != "hard":
        raise UsageError(f"{what} sees atomic sections in the network interface, which has none with --atomicity soft.")
    if len(run.jobs) > PROCESS["JOBS_MAX"]:
        raise UsageError(f"{what} is for {PROCESS['JOBS_MAX']} jobs at most: more share the numbers of jobs.")
    if run.value("nodes") > NODES_MOST:
        raise UsageError(f"{what} is for {NODES_MOST} nodes at most.")
    return True


def check_split(run: Run, what: str) -> None:
    """UsageError if the run's nodes are on several hosts."""
    for key in ("hosts", "join"):
        if key in run.options:
            raise UsageError(f"{what} is for a machine on one host, and --{key} splits it over several.\n"
                             "The run is the same one with --processes, cycle for cycle.")


def kinds() -> dict[str, int]:
    """The kinds of events of a timeline, by name."""
    return {name.lower(): bit for name, bit in SEEN.group("KIND_").items()}


def _kinds(chosen: list[str] | None) -> int:
    known = kinds()
    if chosen is None:
        return sum(known.values())
    for name in chosen:
        if name not in known:
            raise UsageError(f"--timeline-kinds: there is no kind {name}. There are: {', '.join(known)}.")
    return sum(known[name] for name in set(chosen))


def _nodes(run: Run) -> list[int]:
    nodes: list[int] = run.options.get("timeline-nodes", [])
    if nodes and nodes[-1] >= run.value("nodes"):
        raise UsageError(f"--timeline-nodes: there is no node {nodes[-1]}; "
                         f"the nodes are 0 to {run.value('nodes') - 1}.")
    return nodes
