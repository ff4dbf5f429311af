/*
 * Late in virtual time: the clock, the timer and messages work as they do
 * early in virtual time.
 *
 * Node 0 sleeps until cycle 2^log (argument; 40 by default) and sends a
 * message to node 1. A node that receives the message sleeps until its own
 * turn, then sends one to the next node. The last node's message comes back to
 * node 0.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "contract.h"
#include "cycles.h"
#include "ni.h"
#include "stamp.h"

#define T(offset)       REG(FUGU_TIMER_BASE + (offset))
#define COMPARE         REG64(FUGU_TIMER_BASE + FUGU_TIMER_COMPARE)

#define TURN            65536   /* cycles, more than a check takes to print */
#define WORDS           3       /* header, handler, time of launch */

static void sleep_until(uint64_t time)
{
    COMPARE = time;
    T(FUGU_TIMER_CONTROL) = 1;
    check("the timer ends a wait at its very time", stamp_wait(),
          (uint32_t)time);
    T(FUGU_TIMER_CONTROL) = 0;
    check("the clock has all bits of that time", cycles() / TURN, time / TURN);
}

static void receive_from(uint32_t from)
{
    uint32_t now = stamp_wait();

    check("a message takes what the mesh takes", now - ni_in(2),
          mesh_latency(ni_nodes(), from, ni_node(), WORDS));
    check("it is the neighbour's", header_node(ni_in(0)), from);
    ni_dispose();
}

int main(void)
{
    uint64_t late = 1ull << argument("log", 40);
    uint32_t node = ni_node(), nodes = ni_nodes();
    uint32_t before = (node + nodes - 1) % nodes;

    if (node != 0) {
        receive_from(before);
    }
    sleep_until(late + (uint64_t)node * TURN);
    stamp_send((node + 1) % nodes, 0, WORDS, 0);
    if (node == 0) {
        receive_from(before);
    }
    return check_result();
}
