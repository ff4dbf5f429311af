"""The options of a run.

    table       every option: names, range, default, help, what it sets
    types       from the text of a value to the value
    read        from words to values
    keywords    from keyword arguments to words
"""
