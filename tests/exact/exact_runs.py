"""The runs whose figures are pinned, by library: their words, and options of the machine.

A word with "/" is a program of tests/. Each run has a state that others do not have: a path that is fast or slow, a page
that is fetched or there, messages from the network or from the buffer, a slot that ends, memory that is short.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

DISK = 4096             # pages of a backing store


@dataclass(frozen=True)
class Run:
    """`options` are those of run.sh; `disk` is a node with backing store. `prints`: its output has measured cycles."""

    words: Sequence[object]
    options: dict[str, Any] = field(default_factory=dict)
    disk: int | None = None
    status: int = 0
    prints: bool = False


def cases(program: str, names: str, words: Sequence[object] = (), **options: Any) -> dict[str, Run]:
    """A run for each name, which is the program's first word."""
    return {name: Run([program, name, *words], options) for name in names.split()}


def soft(runs: dict[str, Run]) -> dict[str, Run]:
    """The same with soft atomicity."""
    return {f"{name}, soft": Run(run.words, run.options | {"atomicity": "soft"}, run.disk, run.status, run.prints)
            for name, run in runs.items()}


def beside(program: str, *words: object, **options: Any) -> Run:
    """Beside a job that computes: messages are buffered while it has its slots."""
    return Run([program, *words, "+", "null", "while-others"], {"timeslice": 20_000} | options)


MIXED = {"nodes": 3}
LITTLE = {"nodes": 2, "ram": "1M"}

LIBOS = {
    "costs": Run(["libos/costs"], {"nodes": 1}, prints=True),
    "work": Run(["libos/work"], {"nodes": 1}, prints=True),
    "resized": Run(["libos/resized"], {"nodes": 1}, prints=True),
    "threads": Run(["libos/threads"], {"nodes": 2}),
    "messages": Run(["libos/messages"], {"nodes": 1}),
    "returns": Run(["libos/returns"], {"nodes": 1}),
    "leaves": Run(["libos/leaves"], {"nodes": 1, "atomicity_timeout": 300}),
    "transfer": Run(["libos/transfer"], {"nodes": 1}),
    "files": Run(["libos/unlinking", "keep", "+", "libos/unlinking", "remove"], {"nodes": 2, "output_max": 100_000}),
    "mixture": Run(["libos/mixture", 3, 40, 4], MIXED),
    "mixture, beside": beside("libos/mixture", 23, 40, 4, **MIXED),
    "mixture, short": Run(["libos/mixture", 17, 40, 4], MIXED | {"atomicity_timeout": 300}),
    "mixture, pages": Run(["libos/mixture", 5, 20, 360, "switch"], LITTLE, disk=1),
    "collective": Run(["libos/collective", 6, 3, "mixed", "divert"], MIXED),
    "clib": Run(["clib/system"], {"nodes": 1}),
    "no-dispose": Run(["libos/misuse", "no-dispose"], {"nodes": 1}, status=101),
    "overflow": Run(["libos/misuse", "overflow"], {"nodes": 1}, status=101),
    "measured": Run(["libos/sections"], {"nodes": 2}, prints=True),
    "turns": Run(["libos/turns", 0, "+", "libos/turns", 200], {"nodes": 2, "timeslice": 20_000}),
}

GLAZE = {
    **cases("glaze/contract", "start record enter during out hold pages bodies uac force", nodes=1),
    "jobs": Run(["glaze/contract", "jobs-state", "+", "glaze/contract", "jobs-state"], {"nodes": 1}),
    "mismatch": Run(["glaze/contract", "jobs-mismatch", "+", "glaze/contract", "jobs-mismatch"], {"nodes": 2}),
    "dropped": Run(["glaze/contract", "jobs-dropped", "+", "glaze/contract", "jobs-dropped"], {"nodes": 2}),
    **cases("glaze/rights/rights", "loads windows sections kernel lists moves errors alarms storm floats", nodes=1),
    **cases("glaze/rights/places", "slots widths nested threads buffered launches partial", nodes=1),
    "flood": Run(["glaze/paging/flood", 300, 3], {"nodes": 2, "ram": "512K"}, disk=1),
    "flood, far": Run(["glaze/paging/flood", 400, 5, 1, 0, 0, 300], {"nodes": 3, "ram": "512K"}, disk=0),
    "heaps": Run(["glaze/paging/bystander", 150, 5, 0, "+", "glaze/paging/bystander", 150, 5, 0], LITTLE, disk=0),
    "needs": Run(["glaze/paging/needs", "heap", 6_000_000, "+", "glaze/paging/pages", 150, 1],
                 {"nodes": 1, "ram": "512K", "timeslice": 20_000}, disk=0),
    "worker": Run(["glaze/paging/worker", 20, 20, 0, "+", "glaze/paging/pager", 100, 4_000_000], {"nodes": 1, "ram": "512K"}, disk=0),
    "tables": Run(["glaze/paging/worker", 4, 100, 0, "+", "glaze/paging/taker", "tables", 1_000_000, 4_000_000],
                  {"nodes": 1, "ram": "1M"}),
    "no memory": Run(["hostile/bad", "touch-all"], {"nodes": 2}, status=102),
    "udmstress": Run(["glaze/udmstress", 7, 60], {"nodes": 4, "atomicity_timeout": 500}),
    "udmstress, beside": beside("glaze/udmstress", 8, 40, nodes=3),
    "jobs by turns": Run(["hello", "+", "hello@300K", "+", "hello@200K", "+", "pingpong", 20, "+", "null", 400_000],
                         {"nodes": 3, "timeslice": 5000, "skew": 30}),
    "gids": Run(["hello", *["+", "hello"] * 70], {"nodes": 2}),
}

MBCF = {
    "costs": Run(["mbcf/mbcf-costs"], {"nodes": 2}, prints=True),
    **cases("mbcf/mbcf-cases", "words options nothing wakes slow-reply sleep section combined all-slots page ended lengths fresh "
            "scattered reads longs names refusals agents several ranges clients errors busy memory local fifo wraps eager "
            "structures signals during quick epochs interrupted queue short short-signals short-takes short-next "
            "short-windows", nodes=2),
    "greet": Run(["mbcf/mbcf-greet", "server", "+", "mbcf/mbcf-greet", "both"], {"nodes": 2}),
    "casts": Run(["mbcf/mbcf-casts", "update"], {"nodes": 4}),
    "invalidate": Run(["mbcf/mbcf-casts", "invalidate"], {"nodes": 7}),
    "mixture": Run(["mbcf/mbcf-mixture", "host", 5, 60, 4, 0], {"nodes": 3}),
    "mixture, beside": beside("mbcf/mbcf-mixture", "host", 6, 60, 4, 0, nodes=3),
    "paging": Run(["mbcf/mbcf-paging", 200, 20], {"nodes": 2, "ram": "640K"}, disk=0),
}

SHM = {
    "costs": Run(["shm/shm-costs"], {"nodes": 4, "shm_visits": "off"}, prints=True),
    "history": Run(["shm/shm-history"], {"nodes": 2, "shm_visits": "off"}, prints=True),
    "counts": Run(["shm/shm-counts"], {"nodes": 2, "shm_visits": "off"}, prints=True),
    **cases("shm/shm-cases", "locks barriers bytes first-touch weave flags getsub busy busy-locks forks "
            "memory reuse chain first-writers fpu blocked-home blocked-writer busy-thread kept-wake open-page", nodes=3),
    "random": Run(["shm/shm-random", 1, 2, 12], {"nodes": 4}),
    "random, beside": Run(["shm/shm-random", 3, 1, 40, "+", "null"], {"nodes": 3, "timeslice": 20_000}),
    "random, small log": Run(["shm/shm-random-log", 2, 2, 60, 8], {"nodes": 3, "shm_visits": "off"}),
    "pressure": Run(["shm/shm-cases", "pressure"], {"nodes": 2, "ram": "4M"}),
}

CRL = {
    "costs": Run(["libos/regioncosts", 16], {"nodes": 4}, prints=True),
    "regions": Run(["libos/regions", 30, 3, "mixed", "divert"], {"nodes": 3}),
    **cases("libos/manyregions", "cache fresh", nodes=2),
    "race": Run(["libos/manyregions", "race"], {"nodes": 3}),
    "deleted": Run(["libos/manyregions", "delete"], {"nodes": 3, "ram": "2M", "low_water": 0}),
    "mixture": Run(["libos/crl-mixture", 3, 60, 4], MIXED),
}

RQ = {
    **cases("rq/rq-rules", "ni memory fetch", nodes=2),
    **{f"random {name}": Run(["rq/rq-random", 17, 600, name], {"nodes": 3}) for name in ("ni", "memory", "mixed", "fetch")},
    "random, beside": beside("rq/rq-random", 23, 600, "mixed", **MIXED),
    "random, threads": Run(["rq/rq-random", 31, 400, "fetch", 4], MIXED),
    **cases("rq/rq-places", "reused ended next self", nodes=34),
}

SHRIMP = {
    **{name: Run(run.words, run.options | {"ni": "shrimp"}) for name, run in {
        **cases("kinds/maps", "ring automatic errors ends pins exits", nodes=3),
        **cases("kinds/typed", "sizes types everyone waits meets leaves trips", nodes=3),
        "collective": Run(["kinds/collective", 6, 3, "spin"], {"nodes": 3}),
        "33 nodes": Run(["kinds/maps", "ring", 1], {"nodes": 33}),
        "left": Run(["kinds/mapfaults", "leave"], {"nodes": 2}),
        "pram": Run(["kinds/pram", "calls"], {"nodes": 2}),
        "update": Run(["update", 256, 5], {"nodes": 2}),
    }.items()},
    "shoot-down": Run(["kinds/mapshoot", 1], {"nodes": 2, "ram": "1M", "ni": "shrimp", "shrimp_paging": "shoot-down"}, disk=0),
}

M_MACHINE = {
    "slots": Run(["kinds/slots"], {"nodes": 3, "ram": "2M", "ni": "m-machine"}),
    "gids": Run([*["kinds/slots", "brief", 3000, "+"] * 66, "kinds/slots", "brief", 3000],
                {"nodes": 2, "timeslice": 20_000, "ni": "m-machine"}),
}

APPS = {
    "anl": Run(["relax", "-n", 34, "-i", 2], {"nodes": 4}),
    "sharedlu": Run(["sharedlu", "-n", 16, "-b", 8], {"nodes": 3}),
    "scripts": Run(["fifos", 5], {"nodes": 3}),
    "enum": Run(["enum", "3"], {"nodes": 4}),
}

LIBRARIES: dict[str, dict[str, Run]] = {
    "libos": {**LIBOS, **soft({name: LIBOS[name] for name in ("costs", "work", "threads", "mixture")})},
    "glaze": {**GLAZE, **soft(cases("glaze/contract", "start during hold bodies uac quick", nodes=1)),
              **soft({name: GLAZE[name] for name in ("sections", "buffered", "udmstress")})},
    "mbcf": {**MBCF, **soft({name: MBCF[name] for name in ("signals", "during", "mixture")})},
    "shm": {**SHM, **soft({name: SHM[name] for name in ("flags",)})},
    "crl": {**CRL, **soft({"regions": CRL["regions"]})}, "rq": {**RQ, **soft({"random mixed": RQ["random mixed"]})},
    "shrimp": SHRIMP, "m-machine": M_MACHINE, "apps": APPS,
}
