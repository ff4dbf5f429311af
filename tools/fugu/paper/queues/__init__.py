"""Remote queues: what the paper of Brewer et al. (SPAA 1995) measures, measured here (docs/remote-queues).

    costs       cycles to send an item and to receive it, in each way
    paper       the paper's numbers: remote-queues.json

./run.sh paper rq shows them.
"""
