/*
 * contract nodes-CASE: a job on several nodes. A store that waits and is
 * interrupted; how a job and the machine end.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "contract.h"

static volatile bool go;

static void going(void)
{
    udm_dispose();
    go = true;
}

static uint32_t expected, wrong;

static void in_order(void)
{
    for (unsigned k = 0; k < UDM_ARGS_MAX; k++) {
        wrong += udm_arg(k) != expected + k;
    }
    expected++;
    udm_dispose();
}

#define FLOOD 200
static volatile uint32_t sent, sent_when_handled;

static void interrupts(void)
{
    sent_when_handled = sent;
    udm_dispose();
    udm_inject(1, going);
}

/*
 * Node 0 sends more than the network holds to node 1, which takes nothing. So
 * one of node 0's stores waits, and node 2's message interrupts that store.
 */
static void test_waiting_store(void)
{
    switch (udm_node()) {
    case 0:
        for (sent = 0; sent < FLOOD; sent++) {
            uint32_t i = sent;

            udm_inject(1, in_order, i, i + 1, i + 2, i + 3, i + 4, i + 5,
                       i + 6, i + 7, i + 8, i + 9, i + 10, i + 11, i + 12,
                       i + 13);
        }
        check("its handler ran while a store waited",
              sent_when_handled > 0 && sent_when_handled < FLOOD, true);
        expect_counts("in fast mode", "");
        break;
    case 1:
        udm_beginatom();
        UNTIL(go || udm_cycles32() > 300000);
        expect_counts("it takes nothing, for less than the timeout", "");
        udm_endatom();
        UNTIL(expected == FLOOD);
        check("all messages came whole and in order", wrong, 0);
        UNTIL(go);
        break;
    default:
        spin(200000);
        udm_inject(0, interrupts);
    }
}

int nodes_cases(const char *what)
{
    if (!strcmp(what, "store")) {
        test_waiting_store();
    } else if (!strcmp(what, "status")) {
        /* Node 2 ends with status 7, and later node 0 with 9. */
        spin(udm_node() == 0 ? 300000 : 0);
        return udm_node() == 2 ? 7 : udm_node() == 0 ? 9 : 0;
    } else if (!strcmp(what, "late")) {
        spin(4 * TIMESLICE);
        if (udm_node() == 1) {
            printf("the last process\n");
        }
    } else {
        return 2;
    }
    return check_failures ? 1 : 0;
}
