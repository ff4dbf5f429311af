/*
 * Sends two messages with bodies, the second one so many cycles after the first:
 *
 *      bodies CYCLES
 *
 * The second launch waits until the first body has left the network, or finds
 * that it just has.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "udm.h"

enum { MOST = 1000 };

extern const char nops_end[];
asm(".text\n"
    "   .align  4\n"
    "   .rept   1000\n"
    "   nop\n"
    "   .endr\n"
    "nops_end:\n"
    "   retl\n"
    "   nop\n");

static uint32_t block[4];
static volatile uint32_t came;

static void arrives(void)
{
    udm_dispose();
    came++;
}

int main(int argc, char **argv)
{
    unsigned cycles = argc > 1 ? atoi(argv[1]) : 0;
    void (*nops)(void) = (void (*)(void))(nops_end -
                                          4 * (cycles < MOST ? cycles : MOST));

    if (udm_node() == 0) {
        block[0] = 1;                   /* now it has a page frame */
        udm_inject_body(1, arrives, block, sizeof(block));
        nops();
        udm_inject_body(1, arrives, block, sizeof(block));
    } else if (udm_node() == 1) {
        while (came < 2) {
            /* the handler changes `came` */
        }
    }
    return 0;
}
