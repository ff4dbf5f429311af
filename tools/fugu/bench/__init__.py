"""Benchmarks of `./run.sh bench`: one module each.

A module has a docstring, whose first line says what it measures, and
`main(argv: list[str]) -> int | None`, which gets what stands behind the
module's name on the command line and returns an exit status (None is 0).
The paths it needs are in the environment, as for the tests: FUGU_QEMU,
FUGU_GUEST_DIR and so on (docs/setup.md). `rich` can be imported.
"""
