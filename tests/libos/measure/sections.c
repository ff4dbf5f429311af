/*
 * Measured sections (udm-measure.h): what they return and print.
 *
 *     sections again       begins a section in a section
 *     sections end         ends one that has not begun
 *     sections             measures some
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <stdlib.h>

#include "check.h"
#include "udm-collective.h"
#include "udm-measure.h"

#define MESSAGES 24

static void null(void)
{
    udm_dispose();
}

static void spin(uint32_t cycles)
{
    uint32_t start = udm_cycles32();

    while (udm_cycles32() - start < cycles) {
    }
}

/* Each node sends this many messages and as many bodies of `bytes` to the node
 * after it; then it waits for `rest` cycles. */
static struct udm_measured section(unsigned messages, uint32_t bytes,
                                   uint32_t rest)
{
    static uint32_t body[FUGU_BODY_MAX / 4];
    uint32_t to = (udm_node() + 1) % udm_nodes();

    body[0] = 0;                /* so its first page is there */
    udm_measure_begin();
    spin(10000);                /* all nodes have begun */
    for (unsigned i = 0; i < messages; i++) {
        udm_inject(to, null);
        udm_inject_body(to, null, body, bytes);
        spin(2000);
    }
    spin(10000 + rest);
    return udm_measure_end();
}

static void check_section(const struct udm_measured *m, unsigned messages,
                          uint32_t bytes, uint32_t rest)
{
    uint32_t nodes = udm_nodes(), each = m->charged / nodes;

    check("sent", m->sent, 2 * messages * nodes);
    check("bodies", m->bodies, messages * nodes);
    check("bytes", m->bytes, messages * nodes * bytes);
    check("received", m->received, 2 * messages * nodes);
    check("handled", m->handled, 2 * messages * nodes);
    check("inserted", m->inserted, 0);
    check("buffer pages", m->buffer_pages, 0);
    check("handlers ran", m->handling >= m->handled * 69, 1);
    check("cycles", m->cycles / 10000,
          (20000 + messages * 2000 + rest) / 10000);
    /* The calls themselves, and what the last node was late. */
    check("charged", each + 3000 > m->cycles && each < m->cycles + 5000, 1);
}

int main(int argc, char **argv)
{
    struct udm_measured m;

    if (argc > 1 && argv[1][0] == 'e') {
        udm_measure_end();
    }
    if (argc > 1) {
        udm_measure_begin();
        udm_measure_begin();
    }
    m = section(MESSAGES, 40, 0);
    check_section(&m, MESSAGES, 40, 0);
    udm_measure_print("first", &m);
    m = section(0, 0, 200000);
    check_section(&m, 0, 0, 200000);
    udm_measure_print("second", &m);
    m = section(1, 8, 0);
    udm_measure_print("first", &m);
    return check_end();
}
