"""Commands for what programs may link.

    queues      fugu queues: the remote queues of a process
    mbcf        fugu mbcf: tasks of MBCF, and what waits for them
    shm         fugu shm, fugu page: processes that share memory
"""
