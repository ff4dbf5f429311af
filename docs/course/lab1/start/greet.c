/*
 * Lab 1: a first message.
 *
 * Node 0 waits for a greeting from each other node, and answers it. Nothing is
 * sent yet.
 */
#include <stdint.h>
#include <stdio.h>

#include "udm.h"

static volatile uint32_t came;      /* greetings that node 0 has handled */
static volatile uint32_t sum;       /* of the squares that they brought */
static volatile uint32_t rank;      /* what the answer has said; 0: none yet */

/* Handler, on the other nodes: the argument is how many had greeted. */
static void answer(void)
{
    /* Write here. */
}

/* Handler, on node 0: a node greets. The argument is its number's square. */
static void greeting(void)
{
    /* Write here: add, count, free the message, answer the sender. */
}

int main(void)
{
    uint32_t node = udm_node();

    /* Write here: nodes 1 to udm_nodes() - 1 greet, and wait for the answer.
     * Node 0 waits for all greetings. Remove the two lines that follow. */
    (void)greeting;
    (void)answer;

    if (node == 0) {
        printf("node 0: %u greetings, sum %u\n", came, sum);
    } else {
        printf("node %u was number %u\n", node, rank);
    }
    return 0;
}
