"""Mutants: small mistakes at places drawn at random, and whether the tests notice them.

    command     `./run.sh test --mutants`
    draw        draws places and mistakes, by universalmutator and the rules of rules/
    choose      the tests that cover a place, within a budget of time
    trial       makes a mistake in a copy of the checkout, builds it and runs tests
    verdicts    mistakes that are known to have no effect (tests/mutants.toml)
    score       what is printed
"""
