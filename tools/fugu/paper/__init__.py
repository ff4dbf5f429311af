"""What the paper measures, measured here: one module a table or figure.

Each has main(words) -> status, and its first line says what it shows. Modules
whose names begin with _ are shared. docs/paper.md says how it is done.
"""
