"""./run.sh reference: entries of names, and words that it does not take."""

from __future__ import annotations

import pytest

from fugu.commands import reference
from fugu.errors import UsageError


def test_an_entry_is_printed(capsys):
    assert reference.main(["mbcf_await()"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("#include <mbcf.h>\n\n    uint32_t mbcf_await(const volatile uint32_t *status);\n\nWaits until a status")
    assert "Errors: without that option" in said and not set("`[") & set(said)


def test_a_name_of_two_things_has_two_entries(capsys):
    assert reference.main(["shm_barrier", "UDM_MAX"]) == 0
    said = capsys.readouterr().out
    assert said.count("#include <shm.h>") == 2 and said.count("#include <udm-collective.h>") == 1


def test_headers_are_listed(capsys):
    assert reference.main([]) == 0
    said = capsys.readouterr().out
    assert "\nshm.h                 shared memory\n" in said and "docs/reference/README.md" in said


@pytest.mark.parametrize(("words", "said"), [
    (["udm_injct"], r"there is nothing on udm_injct\. Did you mean udm_inject\?"),
    (["udm_node", ""], "there is nothing on "),
    (["x" * 5000], "there is nothing on xxx"),
    (["--mak"], r"reference takes names or --make, not --mak\. Did you mean --make\?"),
    (["--make", "udm_node"], "--make takes no names"),
])
def test_words_that_are_refused(words, said):
    with pytest.raises(UsageError, match=said):
        reference.main(words)
