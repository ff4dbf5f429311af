/*
 * What the kernel does without memory: when a message finds no page frame, or
 * when an operation needs a user page that is out. Also the process switch,
 * which decides which process has the processor meanwhile.
 *
 * p is the running process and c its running context, unless a routine says
 * otherwise.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

/* ---- Page frames --------------------------------------------------------- */

/*
 * K_DMA_ARM: moves the head to the end of a process's buffer. If no page frame
 * is free, the head stays where it is, and `starved` is set.
 */
inline store(process)
{
    starved = 0;
    if
    :: starves > 0 ->
        printf("%d: no page frame for %d\n", broken, queue[0]);
        starves--;
        if
        :: KEEP(STARVED_STAYS) -> starved = 1
        :: else -> drop()
        fi
    :: true ->
        buffer[(process) * MESSAGES + length[process]] = queue[0];
        length[process]++;
        drop();
        busy = 1
    fi
}

/* Pages have gone out, or a job has ended: the head message is moved now. */
inline room()
{
    insert();
    if
    :: !starved && !idles && KEEP(STARVED_SETTLES) ->
        settle_by(INSERT_SETS_G6, INSERT_SETS_AE, INSERT_UPCALLS)
    :: else -> todo = 0
    fi
}

/* ---- Process switch ------------------------------------------------------ */

/* p loses the processor. */
inline switch_from()
{
    if
    :: (uac & ID) || (HEAD && ADDRESSEE(queue[0]) == p) -> enter()
    :: else
    fi;
    saved_uac[p] = uac
}

/* Process h gets the processor. */
inline switch_to(rule_upcall)
{
    runs = h;
    h = 0;
    running();
    printf("%d: process %d runs\n", broken, p);
    idles = 0;
    gid = p;
    divert = (KEEP(SWITCH_DIVERTS) -> mode[p] : divert);
    timer = !mode[p];
    uac = (KEEP(SWITCH_SAVES_UAC) -> saved_uac[p] : uac);
    saved_uac[p] = 0;
    settle_by(SWITCH_SETS_G6, SWITCH_SETS_AE, rule_upcall)
}

/* IRQ_TIMER: the quantum ends, and the other process runs. */
inline switch_process()
{
    quanta = (quanta > 0 -> quanta - 1 : 0);
    switch_from();
    h = 1 - runs;
    switch_to(SWITCH_UPCALLS)
}

/* ---- Pages --------------------------------------------------------------- */

/*
 * The end of a trap whose operation has answered "later": p waits for a page,
 * and the kernel's idle process has the processor. The operation has changed
 * nothing, and will be tried again.
 */
inline wait_for_page()
{
    printf("%d: process %d waits for a page\n", broken, p);
    todo = 0;
    pages--;
    paging[p] = 1;
    if
    :: (uac & (ID | TF)) || (HEAD && ADDRESSEE(queue[0]) == p) -> enter()
    :: else
    fi;
    saved_uac[p] = uac;
    uac = 0;
    idles = 1;
    gid = NOBODY;
    divert = 1;
    timer = 0
}
