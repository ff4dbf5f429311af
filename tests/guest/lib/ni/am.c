#include "am.h"
#include "trap.h"

bool am_poll(void)
{
    if (!ni_available()) {
        return false;
    }
    ((am_handler *)ni_in(1))();
    ni_dispose();
    return true;
}

static uint32_t taken;

static void message_available(struct trap *t)
{
    (void)t;
    while (am_poll()) {         /* also those that have arrived meanwhile */
        taken++;
    }
}

uint32_t am_interrupts(void)
{
    return taken;
}

void am_init(void)
{
    trap_set(FUGU_TT_IRQ(FUGU_IRQ_MESSAGE), message_available);
}

void am_wait(volatile uint32_t *flag, uint32_t value)
{
    unsigned pil = pil_set(PIL_ALL);
    bool polling = pil >= FUGU_IRQ_MESSAGE;

    while (*flag < value) {
        if (!polling) {
            cpu_wait();         /* masked: an interrupt between the test */
            pil_set(pil);       /* and the wait stays pending until here */
            pil_set(PIL_ALL);
        } else if (!am_poll()) {
            cpu_wait();
        }
    }
    pil_set(pil);
}

void am_send(uint32_t node, am_handler *handler, unsigned args,
             const uint32_t *arg, bool polling)
{
    while (polling && ni_kernel_space() < 2 + args) {
        am_poll();
    }
    ni_kernel_out(0, node);
    ni_kernel_out(1, (uint32_t)handler);
    for (unsigned i = 0; i < args; i++) {
        ni_kernel_out(2 + i, arg[i]);
    }
    ni_launch(2 + args);
}

/* ---- Barrier ------------------------------------------------------------- */

/*
 * A dissemination barrier: in step k a node sends to the node 2^k further on,
 * and waits for the message of the node 2^k before it. Another node may be one
 * barrier ahead, so each step counts its messages instead of setting a flag.
 */
#define BARRIER_STEPS 10        /* log2 of FUGU_NODES_MAX */

static volatile uint32_t told[BARRIER_STEPS];
static uint32_t barriers;

static void barrier_tell(void)
{
    told[am_arg(0)]++;
}

void barrier(void)
{
    uint32_t node = ni_node(), nodes = ni_nodes();
    unsigned pil = pil_set(PIL_ALL);

    barriers++;
    for (uint32_t step = 0; 1u << step < nodes; step++) {
        uint32_t to = node + (1u << step);

        am_send(to < nodes ? to : to - nodes, barrier_tell, 1, &step, true);
        am_wait(&told[step], barriers);
    }
    pil_set(pil);
}
