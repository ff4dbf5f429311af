"""Remote queues: what the paper of Brewer et al. (SPAA 1995) measures, measured here (docs/remote-queues.md).

    costs       cycles to send an item and to receive it, in each way
    solve       sparse triangular solve: speed-up in three ways
    transpose   transpose: what each optimization gains
    strided     strided transfers: messages and DMA
    places      the same programs with their code at several places of the cache
    output      numbers in the output of the apps
    paper       the paper's numbers: remote-queues.json

./run.sh paper rq shows them.
"""
