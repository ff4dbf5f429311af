/*
 * A program that misbehaves in the way that its first argument names.
 *
 *      bad CASE [NUMBER...]
 *
 * The program misbehaves on the last node, unless the case is for all nodes.
 * On the other nodes it waits until its job ends, and handles messages
 * meanwhile. If the case causes no fault, the program ends its job with status
 * 1 and "nothing has ended it".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bad.h"

static int words;
static char **word;

volatile uint32_t good_handled;

uint32_t argument(unsigned k)
{
    int i = k + 2;

    return i < words ? strtoul(word[i], NULL, 0) : 0;
}

void good_handler(void)
{
    udm_dispose();
    good_handled++;
}

static const struct bad_case *find(const char *name)
{
    static const struct bad_case *const themes[] = {
        message_cases, memory_cases, window_cases, trap_cases, spy_cases,
    };

    for (unsigned i = 0; i < sizeof(themes) / sizeof(*themes); i++) {
        for (const struct bad_case *c = themes[i]; c->name; c++) {
            if (strcmp(c->name, name) == 0) {
                return c;
            }
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    const struct bad_case *c = argc > 1 ? find(argv[1]) : NULL;

    if (!c) {
        printf("bad: there is no such case\n");
        return 1;
    }
    words = argc;
    word = argv;
    if (!c->everywhere && udm_node() != udm_nodes() - 1) {
        for (;;) {
            glaze_wait();
        }
    }
    c->run();
    glaze_abort(1, "nothing has ended it", 20);
}
