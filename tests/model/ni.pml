/*
 * The network interface (docs/machine.md), as the kernel and user programs see
 * it. The model has no time: a running timer may expire at any moment, and an
 * interrupt may be taken at any moment while its line is up.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

/* HEAD_PRESENT; U_RECORD's REC_AVAILABLE; IRQ_MISMATCH; IRQ_TIMEOUT. */
#define HEAD        (queued > 0 && !busy)
#define AVAILABLE   (HEAD && !divert && ADDRESSEE(queue[0]) == gid)
#define MISMATCH    (HEAD && !AVAILABLE)
#define NOBODY      PROCESSES   /* the gid while the node idles */
#define EXPIRES     (timer && ((uac & TF) || ((uac & ID) && AVAILABLE)))

/* A message for this process enters the input queue. */
inline arrive(process)
{
    unsent--;
    sent[process]++;
    queue[queued] = MESSAGE(process, sent[process]);
    queued++
}

inline drop()
{
    queue[0] = queue[1];
    queue[1] = 0;
    queued--
}

/* What may happen between two steps of the kernel. */
inline meanwhile()
{
    if
    :: true
    :: unsent > 0 && queued < QUEUE -> arrive(0)
#if PROCESSES > 1
    :: unsent > 0 && queued < QUEUE -> arrive(1)
#endif
    :: busy -> busy = 0
    fi
}
