"""The pages of all that was noted: an index of the files, and each file with the lines that no test reaches."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

from ..host import storage
from . import areas, gather
from .guest import Lines
from .store import Store

PLUGIN = "fugu.cover.sources"


def table(reached: Lines, known: Lines, tests: int) -> list[str]:
    """The share of the lines with code that the noted tests reach, for each area."""
    lines = [f"{'area':<10} {'lines':>8} {'reached':>8} {'share':>7}   by {tests} tests"]
    for area in areas.AREAS:
        files = [file for file in known if areas.area_of(file) == area]
        all_of, found = (sum(len(one) for one in each) for each in (
            [known[file] for file in files], [known[file] & reached.get(file, set()) for file in files]))
        share = f"{100 * found / all_of:.1f} %" if all_of else "-"
        lines.append(f"{area:<10} {all_of:>8} {found:>8} {share:>7}")
    return lines


def write(store: Store, reached: Lines, known: Lines, target: Path) -> Path:
    """Writes the pages to a folder. Returns the index."""
    import coverage

    tree, file = gather.noted_tree(), store.folder / "all.sqlite"
    file.unlink(missing_ok=True)
    data = coverage.CoverageData(str(file))
    paths = {name: str(tree / name) for name in known if (tree / name).exists()}
    data.add_lines({path: reached.get(name, set()) & known[name] for name, path in paths.items()})
    data.add_file_tracers(dict.fromkeys(paths.values(), f"{PLUGIN}.Sources"))
    data.close()
    pages = coverage.Coverage(data_file=str(file), config_file=False)
    pages.set_option("run:plugins", [PLUGIN])
    pages.set_option("html:title", "Lines that the tests reach")
    pages.load()
    storage.fresh_dir(target)
    with contextlib.redirect_stdout(io.StringIO()):         # it says where the pages are
        pages.html_report(directory=str(target))
    return target / "index.html"
