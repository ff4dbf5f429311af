/*
 * Reads the console's input in one of three ways, and prints how many bytes
 * there were, and whether input is a terminal. test_input.py runs it beside
 * others of its kind.
 *
 *      reader lines|calls|typed [CYCLES]
 *
 * lines: by stdio, up to the end, or so many lines; calls: by INPUT, up to the
 * end; typed: by READ, for so many cycles.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "glaze-calls.h"
#include "udm.h"

static char text[256];

static unsigned long by_lines(unsigned long most)
{
    unsigned long bytes = 0;

    while (most-- && fgets(text, sizeof(text), stdin)) {
        bytes += strlen(text);
    }
    return bytes;
}

static unsigned long by_calls(void)
{
    unsigned long bytes = 0;
    int32_t got;

    while ((got = glaze_input(text, sizeof(text))) > 0) {
        bytes += got;
    }
    return bytes;
}

static unsigned long typed(uint64_t until)
{
    unsigned long bytes = 0;

    while (udm_cycles() < until) {
        int32_t got = glaze_read(text, sizeof(text));

        bytes += got > 0 ? got : 0;
    }
    return bytes;
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    unsigned long most = argc > 2 ? strtoul(argv[2], NULL, 0) : -1ul;
    unsigned long bytes;

    if (udm_node()) {
        return 0;
    }
    bytes = !strcmp(way, "lines") ? by_lines(most)
            : !strcmp(way, "calls") ? by_calls() : typed(most);
    printf("%s: %lu bytes%s\n", way, bytes, isatty(0) ? ", a terminal" : "");
    return 0;
}
