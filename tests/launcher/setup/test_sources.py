"""Source packages are downloaded, checked and kept, with a fake apt-get."""

from __future__ import annotations

import pytest

from fugu.build import apt, sources
from fugu.errors import SetupError
from fugu.host.progress import Lines

# A fake apt-get that logs its calls. `download` is what the N-th download does.
APT = """
echo "$*" >> {log}
case "$*" in
*indextargets*) echo "{site} Debian/Debian"; echo "http://other/debian-security Debian/Debian-Security" ;;
*--print-uris*) echo "'http://x/a' {package}_{version}.dsc 3 SHA256:0"
                echo "'http://x/b' {package}_{version}.orig.tar.xz 6 SHA256:0" ;;
*--download-only*) N=$(grep -c download-only {log}); {download} ;;
*update) {update} ;;
esac
"""
GOOD = "printf dsc > {package}_{version}.dsc; printf source > {package}_{version}.orig.tar.xz"


@pytest.fixture
def store(fake, tmp_path):
    """store(...) -> a Store with a fake apt-get. store.calls(WORD) are the calls with that word."""
    log = tmp_path / "apt.log"

    def make(package="qemu", version="10.0.2+ds-1", download=GOOD, update="true", site="http://mirror/debian"):
        names = {"package": package, "version": version}
        fake("apt-get", APT.format(log=log, download=download.format(**names), update=update, site=site, **names))
        return sources.Store(tmp_path / "cache", Lines())
    make.calls = lambda word: [line for line in log.read_text().splitlines() if word in line.split()]
    return make


def test_source_is_downloaded_once(store):
    first = store()
    source = first.get("qemu")
    assert source.version == "10.0.2+ds-1"
    assert source.file(r"\.orig\.tar").read_text() == "source"
    assert "http://mirror/debian trixie main" in (first.apt.state / "sources.list").read_text()
    store().get("qemu")
    assert len(store.calls("--download-only")) == 1


def test_404_updates_the_lists(store):
    """The lists are fetched again, as the mirror may have been updated meanwhile."""
    store(download='if [ $N = 1 ]; then echo "E: 404 Not Found"; exit 100; fi; ' + GOOD).get("qemu")
    assert len(store.calls("--download-only")) == 2
    assert len(store.calls("update")) == 2


def test_404_again_is_reported(store):
    with pytest.raises(SetupError, match="(?s)downloading.*qemu failed.*404 Not Found.*FUGU_DEBIAN_MIRROR"):
        store(download='echo "E: 404 Not Found"; exit 100').get("qemu")
    assert len(store.calls("--download-only")) == 3


def test_damaged_file_is_fetched_again(store):
    path = store().get("qemu").file(r"\.orig")
    path.write_text("sou")
    assert store().get("qemu").file(r"\.orig").read_text() == "source"
    assert len(store.calls("--download-only")) == 2


def test_partial_download_stays_for_apt_to_go_on(store):
    """Partial files of this version stay, and those of other versions are removed."""
    cut = "if [ $N = 1 ]; then printf sou > {package}_{version}.orig.tar.xz; kill -9 $$; fi; "
    made = store(download=cut + "cat *.orig.tar.xz > {package}_{version}.was; " + GOOD)
    folder = made.cache / "downloads" / "qemu"
    folder.mkdir(parents=True)
    (folder / "qemu_10.0.1.dsc").touch()
    made.get("qemu")
    assert (folder / "qemu_10.0.2+ds-1.was").read_text() == "sou"
    assert not (folder / "qemu_10.0.1.dsc").exists()


def test_missing_lists_are_reported(store):
    with pytest.raises(SetupError, match="(?s)no mirror gave.*Tried: http://mirror/debian.*FUGU_DEBIAN_MIRROR"):
        store(update="exit 100").get("qemu")


def test_unknown_mirror_is_reported(fake, monkeypatch):
    fake("apt-get", 'echo "http://archive/ubuntu Ubuntu/Ubuntu"')
    monkeypatch.setattr(apt, "_debootstrap_site", lambda: [])
    with pytest.raises(SetupError, match="(?s)knows no Debian mirror.*FUGU_DEBIAN_MIRROR"):
        apt.sites()


def test_mirror_may_be_given(store, monkeypatch):
    monkeypatch.setenv("FUGU_DEBIAN_MIRROR", "http://mine/debian")
    made = store()
    made.get("qemu")
    assert "http://mine/debian trixie" in (made.apt.state / "sources.list").read_text()


def test_mirrors_of_the_host_are_found(fake):
    fake("apt-get", """echo "http://a/debian Debian/Debian"; echo "http://a/debian Debian/Debian"
echo "http://s/debian-security Debian/Debian-Security"; echo "http://b/debian /"; echo "http://c/other Other/Other"
""")
    assert apt.sites() == ["http://a/debian", "http://b/debian"]


@pytest.mark.parametrize("package, version", [
    ("qemu", "10.0"), ("qemu", "1:10.0.13+ds-0+deb13u1"), ("qemu", "10.0~rc1"), ("gcc-14", "14.2.0-19"),
    ("binutils", "2.44-3"), ("binutils", "2.40")])
def test_right_series_is_accepted(package, version):
    sources.check_series(package, version)


@pytest.mark.parametrize("package, version, wanted", [
    ("qemu", "1:11.0.0+ds-1", "QEMU 10.0"), ("qemu", "1:10.1.0+ds-1", "QEMU 10.0"), ("qemu", "1:10.01", "QEMU 10.0"),
    ("gcc-14", "14.3.0-1", "GCC 14.2"), ("binutils", "2.50-1", r"binutils 2\.4\?")])
def test_wrong_series_is_refused(package, version, wanted):
    with pytest.raises(SetupError, match=f"(?s)made for {wanted}.*(FUGU_QEMU_SRC|FUGU_TOOLCHAIN)"):
        sources.check_series(package, version)


def test_wrong_series_is_not_downloaded(store):
    with pytest.raises(SetupError, match="QEMU 11.2"):
        store(version="11.2+ds-1").get("qemu")
    assert not store.calls("--download-only")


# ---- binary packages of other hosts --------------------------------------------

def test_binary_packages_come_from_lists_of_their_own(fake, tmp_path):
    """Their architecture is the wanted one, and apt does not look at what is installed on this host."""
    fake("apt-get", f"""echo "$*" >> {tmp_path}/calls
case "$*" in *indextargets*) echo "http://mirror/debian Debian/Debian" ;; *download*) touch a.deb ;; esac""")
    made = apt.Apt(tmp_path / "apt", tmp_path / "log", "arm64")
    made.prepare()
    made.fetch_binaries(["a", "b"], tmp_path, lambda: None)
    assert (tmp_path / "a.deb").exists()
    assert (tmp_path / "calls").read_text().splitlines()[-1].endswith(" -q download a b")
    assert (tmp_path / "apt" / "sources.list").read_text().endswith("http://mirror/debian trixie main\n")
    assert (tmp_path / "apt" / "sources.list").read_text().startswith("deb ")
    conf = (tmp_path / "apt" / "apt.conf").read_text()
    assert 'APT::Architecture "arm64";' in conf and f'Dir::State::status "{tmp_path}/apt/status";' in conf
    assert (tmp_path / "apt" / "status").read_text() == ""


def test_binary_package_that_cannot_be_had_is_reported(fake, tmp_path):
    fake("apt-get", """case "$*" in *indextargets*) echo "http://mirror/debian Debian/Debian" ;;
*download*) echo "E: Unable to locate package a"; exit 100 ;; esac""")
    made = apt.Apt(tmp_path / "apt", tmp_path / "log", "arm64")
    made.prepare()
    with pytest.raises(SetupError, match="(?s)downloading packages of arm64 failed.*Unable to locate.*FUGU_DEBIAN"):
        made.fetch_binaries(["a"], tmp_path, lambda: None)
