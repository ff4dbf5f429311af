"""Names of C++ are shown as the source has them."""

from __future__ import annotations

import pytest

from fugu.image.mangled import as_in_source

NAMES = ["_ZN2ns5countE", "main", "_Z3fooi.part.0", "_ZNSt6vectorIiSaIiEE9push_backERKi", "_Z", "_Znot a name", "__lib_x"]


def test_names_of_the_source():
    assert as_in_source(NAMES) == ["ns::count", "main", "foo", "std::vector<int, std::allocator<int> >::push_back", "_Z", "_Znot a name",
                                   "__lib_x"]


@pytest.mark.parametrize("names", [[], ["main", "x"], ["_Z1fv", "two\nlines"]])
def test_others_stay(names):
    assert as_in_source(names) == names


def test_host_without_the_tool(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert as_in_source(NAMES) == NAMES
