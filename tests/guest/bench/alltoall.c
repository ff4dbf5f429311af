/*
 * Every node sends to every other as fast as it can, to measure messages per
 * second. Arguments: messages (for each pair), words (of each message, 2 to
 * 16), partners (nodes that each one sends to).
 *
 * Node 0 prints the number of messages and the cycles they took. The exit
 * status is 0 if no message was lost.
 */
#include "am.h"
#include "check.h"
#include "console.h"
#include "cycles.h"

static volatile uint32_t received;

static void arrives(void)
{
    received++;
}

int main(void)
{
    uint32_t node = ni_node(), nodes = ni_nodes();
    uint32_t messages = argument("messages", 100);
    uint32_t words = argument("words", 4);
    uint32_t partners = argument("partners", nodes < 32 ? nodes : 32);
    uint32_t arg[AM_ARGS] = { 0 };
    uint32_t start, took;

    if (words < 2 || words > FUGU_MSG_WORDS || partners > nodes) {
        panic("words or partners out of range");
    }
    am_init();
    barrier();
    start = cycles32();
    for (uint32_t i = 0; i < messages; i++) {
        uint32_t to = node;

        for (uint32_t p = 0; p < partners; p++) {
            to = to + 1 < nodes ? to + 1 : 0;
            am_send(to, arrives, words - 2, arg, true);
            am_poll();
        }
    }
    am_wait(&received, messages * partners);
    barrier();
    took = cycles32() - start;
    check_quietly("all have come", received, messages * partners);
    if (node == 0) {
        printf("alltoall: %'llu messages of %u words in %'u cycles\n",
               (unsigned long long)messages * partners * nodes, words, took);
        check_sum("no message is lost");
    }
    return check_result();
}
