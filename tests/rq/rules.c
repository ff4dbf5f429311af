/*
 * What rq.h promises, one rule after the other.
 *
 *      rq-rules ni|memory|fetch [beside | CASE]
 *
 * Each node sends to the next one and receives from the one before. Each node
 * prints a line for each check. README.md lists the rules. With CASE, only that
 * one runs. With `beside`, those run that do not depend on when messages come.
 * The exit status is 1 if a check failed, else 0.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "rules.h"

bool by_ni, by_fetch;
uint32_t next_node, previous;
volatile uint32_t handled, wrong;

void settle_all(void)
{
    for (unsigned k = 0; k < 20; k++) {
        settle();
    }
}

/* Back ends for which a rule holds. */
enum { NI = 1, MEMORY = 2, FETCH = 4, ALL = 7, NOT_NI = 6 };

static const struct {
    const char *name;
    void (*run)(void);
    int where;
    bool exact;                 /* depends on when messages come */
} cases[] = {
    { "words", words, ALL, false },
    { "order", order, ALL, false },
    { "short", shorter, ALL, true },
    { "read", reads, ALL, false },
    { "bodies", bodies, ALL, false },
    { "committed", committed, ALL, false },
    { "queues", queues, ALL, false },
    { "waiting", counts, ALL, true },
    { "polling", polling, NI, true },
    { "system", system_messages, NI, true },
    { "inlined", inlined, NI, true },
    { "am", active, ALL, true },
    { "interrupt", interrupts, ALL, true },
    { "aside", independent, ALL, true },
    { "forgets", forgets, ALL, false },
    { "full", full, FETCH, true },
    { "drains", drains, NOT_NI, true },
    { "memory", memory, ALL, true },
    { "block", blocks, ALL, false },
};

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "rq-rules: ni, memory or fetch\n");
        return 2;
    }
    by_ni = !strcmp(argv[1], "ni");
    by_fetch = !strcmp(argv[1], "fetch");
    next_node = (udm_node() + 1) % udm_nodes();
    previous = (udm_node() + udm_nodes() - 1) % udm_nodes();
    rq_init(by_ni ? RQ_BY_NI : by_fetch ? RQ_BY_FETCH : RQ_BY_MEMORY);
    rq_create(PLAIN, RQ_POLL);
    rq_create(OTHER, RQ_POLL);
    rq_create(INTERRUPT, RQ_INTERRUPT);
    rq_create(SECOND_INTERRUPT, RQ_INTERRUPT);
    for (uint32_t k = 0; k < MANY; k++) {
        rq_create(RQ_LAST - k, RQ_POLL);
    }
    for (unsigned k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
        if (!(cases[k].where & (by_ni ? NI : by_fetch ? FETCH : MEMORY)) ||
            (argc > 2 && (strcmp(argv[2], "beside") ? strcmp(argv[2],
             cases[k].name) != 0 : cases[k].exact))) {
            continue;
        }
        udm_barrier();
        cases[k].run();
    }
    udm_barrier();
    return check_end();
}
