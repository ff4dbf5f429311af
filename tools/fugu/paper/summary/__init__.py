"""All tables and figures in one report, which `./run.sh paper` writes.

    command     the command line; what it prints
    parts       the tables and figures of the report, in their order
    collect     runs and measures everything that the report shows
    files       the report's files: page, JSON, CSV
    page        the page: HTML without references to other files
    pictures    which numbers of a part are drawn, and what the panels are called
    drawing     lines and bars, as SVG and PDF
"""
