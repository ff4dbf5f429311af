"""`--check races`: words of memory that handlers and threads access without an order (docs/races.md).

    accesses    the instructions of a program that access memory, and those that wait for a word
    places      the lines of a program's own code
    order       what is ordered by messages, by words that are waited for, and by sections; and what is not
    report      what the run's log shows, in lines
"""
