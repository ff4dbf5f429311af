"""Images in the build directory are made once, and the latest are kept."""

from __future__ import annotations

import json
import os
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from elf_maker import app, kernel
from image_parts import program, read

from fugu.errors import SetupError, UsageError
from fugu.image import boot_image, elf, line_table, store


@pytest.fixture
def parts(tmp_path):
    """Arguments of store.make: a kernel, a program and a file."""
    for name, data in (("kernel", kernel()), ("app", app()), ("f", b"file")):
        (tmp_path / name).write_bytes(data)
    objdump = tmp_path / "objdump"
    objdump.write_text("#!/bin/sh\nexit 0\n")
    objdump.chmod(0o755)
    return {"kernel": tmp_path / "kernel", "programs": [("app", tmp_path / "app")], "files": [("f", tmp_path / "f")],
            "objdump": objdump, "folder": tmp_path / "images"}


def test_image_is_made_once(parts):
    first = store.make(**parts)
    assert re.fullmatch(r"[0-9a-f]{64}\.elf", first.name)
    built = boot_image.build(read(kernel()), [program(app())], [boot_image.File("f", b"file")])
    assert elf.read(first, first.read_bytes()).segments[0].data == built
    os.utime(first, (1, 1))
    before = first.stat().st_ino
    assert store.make(**parts) == first
    assert first.stat().st_ino == before and first.stat().st_mtime > 1
    assert sorted(path.name for path in parts["folder"].iterdir()) == sorted(
        [first.name, f"{first.stem}.json", store.LOCK, store.PARTS])


@pytest.mark.parametrize("change", [
    lambda p: p["kernel"].write_bytes(kernel(b"another")),
    lambda p: p["programs"][0][1].write_bytes(app(b"another")),
    lambda p: p["files"][0][1].write_bytes(b"another"),
    lambda p: p.update(files=[("g", p["files"][0][1])]),
    lambda p: p.update(files=[]),
    lambda p: p.update(programs=[("other", p["programs"][0][1])]),
    lambda p: p.update(programs=[*p["programs"], ("other", p["programs"][0][1])]),
])
def test_changed_parts_make_another_image(parts, change):
    first = store.make(**parts)
    change(parts)
    assert store.make(**parts) != first


def test_places_of_parts_do_not_matter(parts, tmp_path):
    first = store.make(**parts)
    copy = tmp_path / "copy"
    copy.write_bytes(app())
    parts["programs"] = [("app", copy)]
    assert store.make(**parts) == first
    assert store.sources(str(first)) == [str(parts["kernel"]), str(copy)]


def test_sources_of_a_file_that_is_no_image(tmp_path):
    assert store.sources("/nowhere/my.elf") == ["/nowhere/my.elf"]
    (tmp_path / "my.json").write_text(json.dumps(["a", "b"]))
    assert store.sources(str(tmp_path / "my.elf")) == [str(tmp_path / "my.elf")]


def test_sources_of_an_image_are_those_that_it_was_made_of(parts):
    """A program that is built again leaves a copy of the old one, for as long as an image needs it."""
    first = store.make(**parts)
    kernel_file, program_file = str(parts["kernel"]), parts["programs"][0][1]
    assert store.sources(str(first)) == [kernel_file, str(program_file)]
    program_file.write_bytes(app(b"another"))
    kept = store.sources(str(first))[1]
    assert kept != str(program_file) and kept.endswith("/app")
    with open(kept, "rb") as copy:
        assert copy.read() == app()
    second = store.make(**parts)
    assert store.sources(str(second)) == [kernel_file, str(program_file)]
    program_file.unlink()
    assert store.sources(str(second))[1] != kept
    for path in (first, first.with_suffix(".json"), *parts["folder"].glob("parts/*/*")):
        os.utime(path, (1, 1))
    first.unlink()
    first.with_suffix(".json").unlink()
    store._prune(parts["folder"])
    assert sorted(path.name for path in parts["folder"].glob("parts/*/*")) == ["app", "kernel"]
    assert not os.path.exists(kept) and all(map(os.path.exists, store.sources(str(second))))


def test_only_the_last_images_are_kept(parts):
    folder = parts["folder"]
    made = []
    for number in range(store.KEEP + 3):
        parts["files"][0][1].write_text(str(number))
        made.append(store.make(**parts))
        for path in folder.glob(f"{made[-1].stem}.*"):
            os.utime(path, (1000 + number, 1000 + number))
    (folder / ".left.elf.1").touch()
    os.utime(folder / ".left.elf.1", (5, 5))
    parts["files"][0][1].write_text("new")
    made.append(store.make(**parts))
    left = {path.name for path in folder.iterdir()} - {store.PARTS, store.LOCK}
    assert left == {f"{path.stem}.{kind}" for path in made[-store.KEEP:] for kind in ("elf", "json")}


def test_images_in_use_are_kept(parts):
    """Images that were used lately are kept, as another run may be about to load them."""
    for number in range(store.KEEP + 3):
        parts["files"][0][1].write_text(str(number))
        store.make(**parts)
    assert len(list(parts["folder"].glob("*.elf"))) == store.KEEP + 3


def test_runs_at_the_same_time_do_not_hinder_each_other(parts):
    """Each makes an image of its own, and removes the same old parts."""
    folder = parts["folder"]
    for number in range(200):
        old = folder / store.PARTS / f"{number:032x}" / "old"
        old.parent.mkdir(parents=True)
        old.touch()
        os.utime(old, (1, 1))
    files = []
    for number in range(8):
        files.append(parts["objdump"].with_name(f"f{number}"))
        files[-1].write_text(str(number))
    with ThreadPoolExecutor(len(files)) as pool:
        made = [pool.submit(store.make, **parts | {"files": [("f", file)]}) for file in files]
    assert len({one.result() for one in made}) == len(files)
    assert sorted(path.name for path in folder.glob("parts/*/*")) == ["app", "kernel"]


def test_failing_objdump_is_reported(parts):
    parts["objdump"].write_text("#!/bin/sh\necho no such option >&2; exit 1\n")
    with pytest.raises(SetupError, match=r"the toolchain's objdump does not work: .*no such option"):
        store.make(**parts)
    parts["objdump"].unlink()
    with pytest.raises(SetupError, match="objdump does not start"):
        store.make(**parts)


def test_file_that_objdump_cannot_read_is_reported(parts):
    """If objdump works, the file is wrong, and the message has objdump's last line."""
    app_file = parts["programs"][0][1]
    parts["objdump"].write_text('#!/bin/sh\n[ "$1" = --version ] && exit\n'
                                f'echo "$0: warning: first" >&2; echo "$0: {app_file}: file truncated" >&2; exit 1\n')
    with pytest.raises(UsageError) as error:
        store.make(**parts)
    assert str(error.value) == (f"{app_file} is a damaged or truncated ELF file: objdump cannot read it "
                                "(file truncated).\nBuild it again.")


def test_objdump_that_does_not_end_is_reported(parts, monkeypatch):
    monkeypatch.setattr(line_table, "PATIENCE", 0.2)
    parts["objdump"].write_text("#!/bin/sh\nexec sleep 60\n")
    with pytest.raises(UsageError, match="objdump is not done with its line numbers in 0.2 seconds"):
        store.make(**parts)


def test_missing_place_for_images_is_reported(parts):
    parts["folder"].write_text("a file")
    with pytest.raises(SetupError, match="cannot be made"):
        store.make(**parts)
