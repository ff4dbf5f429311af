"""Coverage: which lines of hw, kernel, libraries and tools the tests reach, and which tests reach a line.

    command     `./run.sh test --coverage`
    areas       the areas, and which files are theirs
    gather      runs tests in a copy of the checkout that notes what they reach
    record      notes what one test reaches, inside pytest
    guest       lines of guest programs, from the blocks that a plugin of QEMU's writes down (executed.c)
    device      lines of hw/, from gcov
    page        the pages, by coverage.py
    sources     the sources as coverage.py needs them
    store       what was noted, by file of tests; which tests reach a line
"""
