"""The labs of the course, docs/course: what a student begins with, and the checks of what they have made.

    course      the labs that there are, and copies of what one begins with
    checks      runs the checks of a lab, in a pytest of its own
    device      the simulator with a file of the student's in hw/
    plugin      for that pytest: the fixture `lab`, and a line for each check
"""
