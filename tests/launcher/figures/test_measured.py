"""The lines that udm_measure_print() prints, read again."""

from __future__ import annotations

from fugu.measured import sections

OUTPUT = """hello
measured lu: cycles 13412345
4: measured lu: t_hand 478.1250
other line: measured by nothing
measured barnes: messages 107849
measured lu: t_betw none
measured lu: cycles 7
measured lu: t_hand -
measured lu: t_hand 1e
"""


def test_sections_by_name_and_in_order():
    assert sections(OUTPUT) == {"lu": [{"cycles": 13412345, "t_hand": 478.125, "t_betw": None}, {"cycles": 7}],
                                "barnes": [{"messages": 107849}]}


def test_output_without_sections():
    assert sections("") == sections("measured by hand\nmeasured lu: cycles\n") == {}


def test_sections_of_several_jobs():
    """A section begins with its job, although the one before lacks no key that the next one has."""
    assert sections("measured lu: job 2\nmeasured lu: cycles 7\nmeasured lu: job 1\nmeasured lu: messages 3\n") == {
        "lu": [{"job": 2, "cycles": 7}, {"job": 1, "messages": 3}]}


def test_numbers_as_c_prints_them():
    """%d of a loss, and %g of a small and of a large number."""
    assert sections("measured lu: gain -5\nmeasured lu: error 1.2e-09\nmeasured lu: most -2e+20\n") == {
        "lu": [{"gain": -5, "error": 1.2e-09, "most": -2e+20}]}
